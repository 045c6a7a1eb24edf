"""One annotation file: read once, its records found by photo."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import orjson

from gen.errors import UserError
from gen.sources import coco_records
from gen.sources.coco_records import ImageRecord, RecordError, identifier, numeric_order
from gen.sources.licences import Licence
from gen.sources.problem_log import ProblemLog

Record = dict[str, Any]
_Parsed = TypeVar("_Parsed")


class AnnotationFile:
    """A COCO JSON file: instances, keypoints, captions or panoptic.

    Opening parses all of it, at some 100 MB a second, and holds five to eight times the size of the
    file in memory; the labels of a photo are checked when they are asked for.

    `label` is its name in reports and `digest` the SHA-256 of its bytes. `images` are the photos
    that it lists, by id, `categories` its class names by number, and `records` the annotations by
    the id of their photo, as the file has them, repeats and faults included.
    """

    def __init__(self, path: Path, label: str, log: ProblemLog) -> None:
        """Read the file.

        Raises:
            UserError: it cannot be read, is not JSON, or has no lists of images and annotations.
        """
        self.path = path
        self.label = label
        self._log = log
        document, self.digest = read_json(path, label)
        if not isinstance(document, dict):
            raise UserError(f"{label}: expected a JSON object with images and annotations")
        licences = dict(self._parsed(self._list(document, "licenses"), coco_records.licence))
        self.categories = self._categories(self._list(document, "categories"))
        self.images = self._images(self._list(document, "images", needed=True), licences)
        annotations = self._list(document, "annotations", needed=True)
        self.records: dict[str, list[Record]] = by_image(annotations, label, log)

    def by_id(self, image_id: str) -> dict[str, Record]:
        """The records on a photo by their id, in the order of ids; faults go to the log."""
        return by_id(self.records.get(image_id, []), self.label, self._log)

    def _list(self, document: Record, key: str, *, needed: bool = False) -> list[Any]:
        value = document.get(key, None if needed else [])
        if not isinstance(value, list):
            found = "missing" if value is None else f"a {type(value).__name__}"
            raise UserError(f"{self.label}: '{key}' is {found}; expected a list")
        return value

    def _parsed(
        self, entries: list[Any], parse: Callable[[Mapping[str, Any]], _Parsed]
    ) -> list[_Parsed]:
        parsed = []
        for position, entry in enumerate(entries):
            try:
                parsed.append(parse(_mapping(entry)))
            except RecordError as error:
                name = _name(entry, position, error.kind.removeprefix("bad_"))
                self._log.add(error.kind, self.label, name, str(error))
        return parsed

    def _categories(self, entries: list[Any]) -> dict[int, str]:
        # Sorted, so that of two names for one number the choice does not hang on the file's order.
        names: dict[int, str] = {}
        for number, name in sorted(self._parsed(entries, coco_records.category)):
            if names.setdefault(number, name) != name:
                reason = f"also named '{name}'; '{names[number]}' is used"
                self._log.add("duplicate_category", self.label, f"category {number}", reason)
        return names

    def _images(
        self, entries: list[Any], licences: Mapping[str, Licence]
    ) -> dict[str, ImageRecord]:
        records: dict[str, ImageRecord] = {}
        for record in self._parsed(entries, lambda raw: coco_records.image(raw, licences)):
            other = records.setdefault(record.image_id, record)
            if other is not record:
                records[record.image_id] = min(other, record, key=_canonical)
                reason = "the id is there twice; one record is used"
                self._log.add("duplicate_image", self.label, f"image {record.image_id}", reason)
        return records


def read_json(path: Path, label: str) -> tuple[Any, str]:
    """The document in a JSON file, and the SHA-256 of the file's bytes in hex.

    Raises:
        UserError: the file cannot be read or is not JSON; says where.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"{label}: {error.strerror}") from None
    digest = hashlib.sha256(content).hexdigest()
    try:
        return orjson.loads(content), digest
    except orjson.JSONDecodeError:
        pass
    # Python's own reader takes NaN and a byte order mark, which other writers leave in files.
    try:
        return json.loads(content), digest
    except UnicodeDecodeError as error:
        raise UserError(f"{label}: not text in UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise UserError(f"{label}: not valid JSON at {where} (cut off?): {error.msg}") from None
    except RecursionError:
        raise UserError(f"{label}: not a COCO file: nested too deep") from None


def by_image(entries: list[Any], label: str, log: ProblemLog) -> dict[str, list[Record]]:
    """Records grouped by the photo that they are on; those that name none go to the log."""
    groups: dict[str, list[Record]] = {}
    for position, entry in enumerate(entries):
        image_id = identifier(entry.get("image_id")) if isinstance(entry, dict) else None
        if image_id is None:
            name = _name(entry, position, "annotation")
            log.add("bad_annotation", label, name, "image_id is missing or no id")
        else:
            groups.setdefault(image_id, []).append(entry)
    return groups


def by_id(entries: list[Record], label: str, log: ProblemLog, key: str = "id") -> dict[str, Record]:
    """Records by their id, in the order of ids. Of two with one id, the choice is by content."""
    found: dict[str, Record] = {}
    for entry in entries:
        record_id = identifier(entry.get(key))
        if record_id is None:
            name = f"annotation on image {entry.get('image_id')}"
            log.add("bad_annotation", label, name, f"{key} is {entry.get(key)!r}")
            continue
        other = found.setdefault(record_id, entry)
        if other is not entry:
            found[record_id] = min(other, entry, key=_canonical)
            reason = "the id is there twice; one record is used"
            log.add("duplicate_annotation", label, f"annotation {record_id}", reason)
    return {record_id: found[record_id] for record_id in sorted(found, key=numeric_order)}


def _mapping(entry: object) -> Mapping[str, Any]:
    if not isinstance(entry, dict):
        raise RecordError("bad_record", f"is a {type(entry).__name__}, not an object")
    return entry


def _name(entry: object, position: int, what: str) -> str:
    entry_id = identifier(entry.get("id")) if isinstance(entry, dict) else None
    return f"{what} {entry_id}" if entry_id else f"{what} at position {position}"


def _canonical(record: object) -> str:
    return json.dumps(record, sort_keys=True, default=repr)
