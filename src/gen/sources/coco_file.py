"""One annotation file: its photos and classes, and its records found by photo."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from gen.errors import UserError
from gen.sources import coco_records
from gen.sources.coco_records import ImageRecord, RecordError, identifier, numeric_order
from gen.sources.json_outline import JsonOutline, parse
from gen.sources.licences import Licence
from gen.sources.problem_log import ProblemLog

Record = dict[str, Any]
_Parsed = TypeVar("_Parsed")

_IMAGE_ID = re.compile(rb'"image_id"\s*:\s*(?:(\d+)\s*[,}])?')


class AnnotationFile:
    """A COCO JSON file: instances, keypoints, captions or panoptic.

    Opening looks through all of it but parses no annotation (`JsonOutline` says what that costs);
    100 to 200 bytes of index a record stay in memory. Labels are parsed when they are asked for.

    `label` is its name in reports. `images` are the photos that it lists, by id, and `categories`
    its class names by number; `supercategories` has "" for a name of which it tells none.
    """

    def __init__(self, path: Path, label: str, log: ProblemLog) -> None:
        """Read the file.

        Raises:
            UserError: it cannot be read, is not JSON, or has no lists of images and annotations.
        """
        self.path = path
        self.label = label
        self._log = log
        self._outline = JsonOutline(path, label)
        self.supercategories: dict[str, str] = {}
        self.categories = self._categories()
        self.images = self._images()
        if "annotations" not in self._outline.lists:
            raise UserError(f"{label}: has no list 'annotations'")
        self._spans = self._outline.lists["annotations"]
        for start, end in self._outline.strays("annotations"):
            reason = "is not an object"
            log.add("bad_annotation", label, f"bytes {start} to {end} of annotations", reason)
        self._by_image = self._group()

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the bytes of the file, in hex."""
        return hashlib.sha256(self._outline.content).hexdigest()

    @cached_property
    def things(self) -> frozenset[str]:
        """The classes of objects that can be counted, which panoptic files mark by `isthing`."""
        if "categories" not in self._outline.lists:
            return frozenset()
        entries = [one for one in self._outline.value("categories") if isinstance(one, dict)]
        marked = [one.get("id") for one in entries if one.get("isthing") == 1]
        return frozenset(name for number, name in self.categories.items() if number in marked)

    def counts(self) -> dict[str, int]:
        """How many records there are on each photo that has any, by the id of the photo."""
        return {image_id: len(places) for image_id, places in self._by_image.items()}

    def records(self, image_id: str) -> list[Record]:
        """The records on a photo as the file has them, repeats included."""
        found = []
        for place in self._by_image.get(image_id, ()):
            record = self._record(place)
            if record is not None:
                found.append(record)
        return found

    def by_id(self, image_id: str) -> dict[str, Record]:
        """The records on a photo by their id, in the order of ids; faults go to the log."""
        return _by_id(self.records(image_id), "id", "annotation", self.label, self._log)

    def forget(self, image_id: str) -> None:
        """Leave out the records on a photo from now on."""
        self._by_image.pop(image_id, None)

    def _record(self, place: int) -> Record | None:
        start, end = self._spans[place].tolist()
        try:
            record = self._outline.parse(start, end)
        except ValueError as error:
            reason = f"not valid JSON: {error}"
        else:
            if isinstance(record, dict):
                return record
            reason = f"is a {type(record).__name__}, not an object"
        self._log.add("bad_annotation", self.label, f"annotation at byte {start}", reason)
        return None

    def _group(self) -> dict[str, list[int]]:
        """The places of records by the id of their photo.

        A record in which one whole number stands after the one "image_id" is not parsed for that.
        """
        spans = self._spans
        if not len(spans):
            return {}
        starts: list[int] = []
        texts: list[bytes | None] = []
        for hit in _IMAGE_ID.finditer(self._outline.content, int(spans[0, 0]), int(spans[-1, 1])):
            starts.append(hit.start())
            texts.append(hit[1])
        owners = np.searchsorted(spans[:, 0], np.array(starts, np.int64), "right") - 1
        repeats = np.bincount(owners, minlength=len(spans))[owners]
        ids: list[str | None] = [None] * len(spans)
        for text, place, repeat in zip(texts, owners.tolist(), repeats.tolist(), strict=True):
            if text and repeat == 1:
                ids[place] = str(int(text))
        groups: dict[str, list[int]] = {}
        for place, simple in enumerate(ids):
            image_id = simple or self._image_id(place)
            if image_id is not None:
                groups.setdefault(image_id, []).append(place)
        return groups

    def _image_id(self, place: int) -> str | None:
        record = self._record(place)
        if record is None:
            return None
        image_id = identifier(record.get("image_id"))
        if image_id is None:
            name = _name(record, place, "annotation")
            self._log.add(
                "bad_annotation", self.label, name, f"image_id is {record.get('image_id')!r}"
            )
        return image_id

    def _parsed(
        self, key: str, what: str, parse_entry: Callable[[Mapping[str, Any]], _Parsed]
    ) -> list[_Parsed]:
        parsed = []
        for position, entry in enumerate(self._outline.value(key)):
            try:
                if not isinstance(entry, dict):
                    raise RecordError(f"bad_{what}", f"is a {type(entry).__name__}, not an object")
                parsed.append(parse_entry(entry))
            except RecordError as error:
                name = _name(entry, position, what)
                self._log.add(error.kind, self.label, name, str(error))
        return parsed

    def _licences(self) -> dict[str, Licence]:
        if "licenses" not in self._outline.lists:
            return {}
        return dict(self._parsed("licenses", "licence", coco_records.licence))

    def _categories(self) -> dict[int, str]:
        if "categories" not in self._outline.lists:
            return {}
        # Sorted, so that of two names for one number the choice does not hang on the file's order.
        names: dict[int, str] = {}
        entries = sorted(self._parsed("categories", "category", coco_records.category))
        for number, name, supercategory in entries:
            if names.setdefault(number, name) != name:
                reason = f"also named '{name}'; '{names[number]}' is used"
                self._log.add("duplicate_category", self.label, f"category {number}", reason)
            else:
                self.supercategories.setdefault(name, supercategory)
        return names

    def _images(self) -> dict[str, ImageRecord]:
        licences = self._licences()
        records: dict[str, ImageRecord] = {}
        ambiguous: dict[str, None] = {}
        parse_image = partial(coco_records.image, licences=licences)
        for record in self._parsed("images", "image", parse_image):
            other = records.setdefault(record.image_id, record)
            if other is record:
                continue
            reason = "the id is there twice; one record is used"
            if not other.is_same_photo(record):
                reason = "the id is there twice, for different photos; neither is used"
                ambiguous[record.image_id] = None
            records[record.image_id] = min(other, record, key=repr)
            self._log.add("duplicate_image", self.label, f"image {record.image_id}", reason)
        for image_id in ambiguous:
            del records[image_id]
        return records


class ReferringFile:
    """Referring expressions in RefCOCO's `refs` layout, as JSON, found by photo.

    All of it is parsed; `label` and `digest` are as in `AnnotationFile`.
    """

    def __init__(self, path: Path, label: str, log: ProblemLog) -> None:
        """Read the file.

        Raises:
            UserError: it cannot be read or is not a JSON list.
        """
        self.label = label
        self._log = log
        try:
            content = path.read_bytes()
            entries = parse(content)
        except OSError as error:
            raise UserError(f"{label}: {error.strerror}") from None
        except ValueError as error:
            raise UserError(f"{label}: not valid JSON (cut off?): {error}") from None
        if not isinstance(entries, list):
            raise UserError(f"{label}: expected a JSON list of references in RefCOCO's layout")
        self.digest = hashlib.sha256(content).hexdigest()
        self._by_image: dict[str, list[Record]] = {}
        for position, entry in enumerate(entries):
            image_id = identifier(entry.get("image_id")) if isinstance(entry, dict) else None
            if image_id is None:
                reason = "image_id is missing or no id"
                log.add("bad_reference", label, f"reference at position {position}", reason)
            else:
                self._by_image.setdefault(image_id, []).append(entry)

    def counts(self) -> dict[str, int]:
        """How many records there are on each photo that has any, by the id of the photo."""
        return {image_id: len(entries) for image_id, entries in self._by_image.items()}

    def by_id(self, image_id: str) -> dict[str, Record]:
        """The records on a photo by their `ref_id`, in the order of ids; faults go to the log."""
        entries = self._by_image.get(image_id, [])
        return _by_id(entries, "ref_id", "reference", self.label, self._log)


def _by_id(
    entries: Sequence[Record], key: str, what: str, label: str, log: ProblemLog
) -> dict[str, Record]:
    """Records by their id, in the order of ids. Of two with one id, the choice is by content."""
    found: dict[str, Record] = {}
    for number, entry in enumerate(entries, 1):
        record_id = identifier(entry.get(key))
        if record_id is None:
            name = f"{what} number {number} on image {entry.get('image_id')}"
            log.add(f"bad_{what}", label, name, f"{key} is {entry.get(key)!r}")
            continue
        other = found.setdefault(record_id, entry)
        if other is not entry:
            found[record_id] = min(other, entry, key=_canonical)
            reason = "the id is there twice; one record is used"
            log.add(f"duplicate_{what}", label, f"{what} {record_id}", reason)
    return {record_id: found[record_id] for record_id in sorted(found, key=numeric_order)}


def _name(entry: object, position: int, what: str) -> str:
    entry_id = identifier(entry.get("id")) if isinstance(entry, dict) else None
    return f"{what} {entry_id}" if entry_id else f"{what} at position {position}"


def _canonical(record: Record) -> str:
    return json.dumps(record, sort_keys=True)
