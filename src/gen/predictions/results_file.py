"""One COCO results file: the detections of one model, found by photo."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Any

from gen.errors import UserError
from gen.predictions import results_records
from gen.predictions.files import PredictionFile, sha256
from gen.sources.coco_records import RecordError, identifier
from gen.sources.json_outline import parse
from gen.sources.problem_log import ProblemLog

Detection = tuple[str, str, Mapping[str, Any]]
"""The name of a record in reports, its class, and the record."""


class ResultsFile:
    """The detections of one model with at least the confidence asked for.

    All of the file is parsed, which takes some six times its size in memory for the time; records
    below the threshold are not kept. `model` is its name and `digest` the SHA-256 of the file;
    `classes` are all that it names, at whatever confidence.
    """

    def __init__(
        self,
        file: PredictionFile,
        model: str,
        fields: Collection[str],
        threshold: float,
        categories: Mapping[int, str],
        photos: Collection[str],
        log: ProblemLog,
    ) -> None:
        """Read the file: records with one of `fields`, of one of `categories`, on one of `photos`.

        Raises:
            UserError: it cannot be read, or is not a JSON list.
        """
        self.model, self.label = model, file.label
        self._fields, self._threshold, self._categories = fields, threshold, categories
        self._log = log
        content = file.content()
        self.digest = sha256(content)
        self.classes: dict[str, None] = {}
        self._by_photo: dict[str, list[Detection]] = {}
        unknown: Counter[str] = Counter()
        for position, entry in enumerate(_entries(content, file.label)):
            try:
                image_id = self._image_id(entry)
                if image_id not in photos:
                    unknown[image_id] += 1
                else:
                    self._take(entry, position, image_id)
            except RecordError as error:
                log.add(error.kind, file.label, _name(position), str(error))
        for image_id, count in unknown.items():
            reason = f"image_id: detections on a photo that the data has not: {count}"
            log.add("unknown_image", file.label, f"image {image_id}", reason)

    def covers(self, image_id: str) -> bool:
        """Whether the file has any usable record on a photo, at whatever confidence."""
        return image_id in self._by_photo

    def __len__(self) -> int:
        """The number of photos that the file covers."""
        return len(self._by_photo)

    def predictions(
        self, image_id: str, read: Callable[[Mapping[str, Any], str], Any]
    ) -> list[Any]:
        """What `read` makes of each detection on a photo and its class; faults go to the log."""
        found = []
        for name, label, record in self._by_photo.get(image_id, ()):
            try:
                found.append(read(record, label))
            except RecordError as error:
                self._log.add(error.kind, self.label, name, str(error))
        return found

    def _image_id(self, entry: object) -> str:
        if not isinstance(entry, dict):
            raise RecordError("bad_detection", f"is a {type(entry).__name__}, not an object")
        image_id = identifier(entry.get("image_id"))
        if image_id is None:
            raise RecordError("bad_detection", f"image_id: {entry.get('image_id')!r} is no id")
        return image_id

    def _take(self, entry: Mapping[str, Any], position: int, image_id: str) -> None:
        if all(entry.get(field) is None for field in self._fields):
            return
        number = entry.get("category_id")
        label = self._categories.get(number) if type(number) is int else None
        if label is None:
            raise RecordError(
                "unknown_category", f"category_id: {number!r} is no category of the data"
            )
        self.classes[label] = None
        kept = self._by_photo.setdefault(image_id, [])
        if results_records.score(entry) >= self._threshold:
            kept.append((_name(position), label, entry))


def _entries(content: bytes, label: str) -> list[Any]:
    try:
        entries = parse(content)
    except ValueError as error:
        raise UserError(f"{label}: not valid JSON (cut off?): {error}") from None
    if not isinstance(entries, list):
        raise UserError(
            f"{label}: is a JSON {type(entries).__name__}; expected COCO's results, a list"
        )
    return entries


def _name(position: int) -> str:
    return f"detection at position {position}"
