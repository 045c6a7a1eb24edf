"""COCO panoptic annotations as masks of segments and as the class of each pixel.

A panoptic PNG gives each pixel the id of its segment as R + 256 G + 65536 B, 0 for none (COCO's
format).
"""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from gen import masks
from gen.masks import Rle
from gen.sources import label_map
from gen.sources.coco_file import AnnotationFile, Record
from gen.sources.coco_records import RecordError
from gen.sources.file_print import file_print
from gen.sources.photos import PhotoError, read_rgb
from gen.sources.problem_log import ProblemLog
from gen.sources.records import Instance, Semantic

Size = tuple[int, int]


class Panoptic:
    """The panoptic files of a data root with the folders of their PNG files."""

    def __init__(
        self, files: Sequence[AnnotationFile], folders: Sequence[Path], log: ProblemLog
    ) -> None:
        self._files = files
        self._folders = folders
        self._log = log

    def segment(self, image_id: str, segment_id: object, size: Size) -> tuple[Rle, str] | None:
        """The mask and the class name of a segment on a photo of `size` (height, width).

        None where no file lists it, or its PNG is missing, broken or does not show it.
        """
        for file, record in self._records(image_id):
            name = _names(file, record).get(segment_id) if isinstance(segment_id, int) else None
            if name is None:
                continue
            try:
                rle = masks.encode(self._segment_ids(record, size) == segment_id)
            except RecordError:
                continue
            if masks.area(rle):
                return rle, name
        return None

    def objects(self, image_id: str, size: Size, but: Collection[str]) -> list[Instance]:
        """The segments of things on a photo of `size` (height, width), in the order of their ids.

        Classes in `but` are left out. Panoptic masks do not overlap, so an object in front is cut
        out of the one behind.
        """
        for file, record in self._records(image_id):
            names = {
                segment_id: name
                for segment_id, name in sorted(_names(file, record).items())
                if name in file.things and name not in but
            }
            try:
                ids = self._segment_ids(record, size) if names else None
            except RecordError as error:
                self._report(file, record, error.kind, str(error))
                continue
            crowds = [one.get("id") for one in _segments(record) if one.get("iscrowd") == 1]
            return [
                Instance(f"segment-{segment_id}", name, rle, segment_id in crowds)
                for segment_id, name in names.items()
                if ids is not None and masks.area(rle := masks.encode(ids == segment_id))
            ]
        return []

    def things(self, image_id: str) -> frozenset[str]:
        """The classes whose every object on a photo is a segment; none without a record on it."""
        return next((file.things for file, _ in self._records(image_id)), frozenset())

    def semantic(self, image_id: str, size: Size) -> Semantic | None:
        """The class of each pixel of a photo of `size` (height, width), or None where none is told.

        Segments of one class are one; void, and segments without a known class, are not told.
        """
        for file, record in self._records(image_id):
            try:
                return self._semantic(file, record, size)
            except RecordError as error:
                self._report(file, record, error.kind, str(error))
        return None

    def prints(self) -> list[str]:
        """What tells whether the PNG files are still the same, wherever their folders lie."""
        if not self._files:
            return []
        paths = [path for folder in self._folders for path in folder.glob("*.png")]
        return sorted(file_print(path, path.name, len(paths)) for path in paths)

    def _records(self, image_id: str) -> Iterator[tuple[AnnotationFile, Record]]:
        for file in self._files:
            for record in sorted(file.records(image_id), key=lambda one: str(one.get("file_name"))):
                yield file, record

    def _semantic(self, file: AnnotationFile, record: Record, size: Size) -> Semantic:
        if not isinstance(record.get("segments_info"), list):
            raise RecordError("bad_annotation", "segments_info is not a list")
        names = _names(file, record)
        nameless = len(record["segments_info"]) - len(names)
        if nameless:
            reason = f"segments without an id and a known category, or with one id: {nameless}"
            self._report(file, record, "unknown_category", reason)
        ids = self._segment_ids(record, size)
        found, unknown = label_map.semantic(ids, names, file.categories.values())
        if unknown:
            reason = (
                f"{sum(unknown.values())} pixels show {len(unknown)} segments of no known class"
            )
            self._report(file, record, "unknown_segment", reason)
        return found

    def _segment_ids(self, record: Record, size: Size) -> NDArray[np.int32]:
        """The id of the segment of each pixel, int32 (height, width)."""
        file_name = record.get("file_name")
        if not isinstance(file_name, str):
            raise RecordError("bad_annotation", f"file_name is {file_name!r}")
        # The PNG lies in the folder itself, so any folders in the name are dropped.
        name = PurePosixPath(file_name).name
        fault = PhotoError("no such file", "missing_photo")
        for folder in self._folders:
            try:
                rgb = read_rgb(folder / name, (size[1], size[0])).astype(np.int32)
            except PhotoError as error:
                fault = error if error.kind != "missing_photo" else fault
            else:
                return np.asarray(rgb[..., 0] + (rgb[..., 1] << 8) + (rgb[..., 2] << 16))
        raise label_map.label_map_error(fault)

    def _report(self, file: AnnotationFile, record: Record, kind: str, reason: str) -> None:
        name = record.get("file_name")
        what = name if isinstance(name, str) else f"annotation of image {record.get('image_id')}"
        self._log.add(kind, file.label, what, reason)


def _names(file: AnnotationFile, record: Record) -> dict[int, str]:
    """The class name of each segment of a record that has a known one."""
    names = {}
    for segment in _segments(record):
        segment_id, number = segment.get("id"), segment.get("category_id")
        name = file.categories.get(number) if type(number) is int else None
        if type(segment_id) is int and segment_id > 0 and name is not None:
            names[segment_id] = name
    return names


def _segments(record: Record) -> list[Record]:
    segments = record.get("segments_info")
    return [one for one in segments if isinstance(one, dict)] if isinstance(segments, list) else []
