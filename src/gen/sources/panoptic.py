"""Segments of COCO panoptic annotations as masks.

A panoptic PNG gives each pixel the id of its segment as R + 256 G + 65536 B (COCO's format).
"""

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import numpy as np

from gen import masks
from gen.masks import Rle
from gen.sources.coco_file import AnnotationFile
from gen.sources.photos import PhotoError, read_rgb


class Panoptic:
    """The panoptic files of a data root with the folders of their PNG files."""

    def __init__(self, files: Sequence[AnnotationFile], folders: Sequence[Path]) -> None:
        self._files = files
        self._folders = folders

    def segment(
        self, image_id: str, segment_id: object, size: tuple[int, int]
    ) -> tuple[Rle, str] | None:
        """The mask and the class name of a segment on a photo of `size` (height, width).

        None where no file lists it, or its PNG is missing, broken or does not show it.
        """
        for file in self._files:
            for record in file.records(image_id):
                name = _category(file, record.get("segments_info"), segment_id)
                rle = self._mask(record.get("file_name"), segment_id, size) if name else None
                if name and rle and masks.area(rle):
                    return rle, name
        return None

    def _mask(self, file_name: object, segment_id: object, size: tuple[int, int]) -> Rle | None:
        if not isinstance(file_name, str) or not isinstance(segment_id, int):
            return None
        # The PNG lies in the folder itself, so any folders in the name are dropped.
        name = PurePosixPath(file_name).name
        for folder in self._folders:
            try:
                rgb = read_rgb(folder / name, (size[1], size[0])).astype(np.int64)
            except PhotoError:
                continue
            return masks.encode(rgb @ np.array([1, 256, 65_536]) == segment_id)
        return None


def _category(file: AnnotationFile, segments: object, segment_id: object) -> str | None:
    if not isinstance(segments, list):
        return None
    for segment in segments:
        if isinstance(segment, dict) and segment.get("id") == segment_id:
            number = segment.get("category_id")
            return file.categories.get(number) if type(number) is int else None
    return None
