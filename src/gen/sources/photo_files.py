"""Where the photos of an index are: in the folders of the data root, or on the web."""

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gen.errors import UserError
from gen.sources.coco_index import CocoIndex
from gen.sources.coco_records import ImageRecord
from gen.sources.download import PhotoCache
from gen.sources.file_print import file_print
from gen.sources.photos import PhotoError, read_rgb
from gen.sources.problem_log import ProblemLog


class PhotoFiles:
    """The photos of an index that can be had.

    `paths` says by id, in the order of the index, where each is or will be once it is fetched.
    """

    def __init__(self, index: CocoIndex, cache: PhotoCache | None, log: ProblemLog) -> None:
        """Look for every photo; those that are not there and cannot be fetched go to the log."""
        self._records: Mapping[str, ImageRecord] = index.images
        self._cache = cache
        self._log = log
        self._remote: dict[str, str] = {}
        self._listings: dict[Path, frozenset[str]] = {}
        self.paths: dict[str, Path] = {}
        for image_id, record in index.images.items():
            path = self._find(record, index.folders(image_id))
            if path:
                self.paths[image_id] = path

    def read(self, image_id: str) -> NDArray[np.uint8]:
        """The photo as RGB, uint8 (height, width, 3), read-only.

        Raises:
            PhotoError: it cannot be used; the log says so too.
            UserError: it has to be fetched, and cannot be for now.
        """
        record, path = self._records[image_id], self.paths[image_id]
        size = record.width, record.height
        try:
            if self._cache and image_id in self._remote:
                return self._cache.read(self._remote[image_id], size)
            return read_rgb(path, size)
        except PhotoError as error:
            self._log.add(error.kind, record.file_name, image_id, str(error))
            raise

    def prints(self) -> list[tuple[str, str]]:
        """The id of each photo with what tells whether it is still the same.

        That is its `file_print`, and for one that has to be fetched its address, so that fetching
        changes nothing.
        """
        return [(image_id, self._print(image_id, path)) for image_id, path in self.paths.items()]

    def _print(self, image_id: str, path: Path) -> str:
        if image_id in self._remote:
            return self._remote[image_id]
        return file_print(path, self._records[image_id].file_name, len(self.paths))

    def _find(self, record: ImageRecord, folders: tuple[Path, ...]) -> Path | None:
        for folder in folders:
            if folder not in self._listings:
                self._listings[folder] = _names(folder)
            # Asking for each of 118,287 photos in each folder would take seconds.
            if record.file_name.partition("/")[0] in self._listings[folder]:
                path = folder / record.file_name
                if _is_file(path):
                    return path
        if self._cache and record.coco_url:
            self._remote[record.image_id] = record.coco_url
            return self._cache.path(record.coco_url)
        reason = "no such file" + (", and no coco_url" if self._cache else "")
        self._log.add("missing_photo", record.file_name, record.image_id, reason)
        return None


def _names(folder: Path) -> frozenset[str]:
    try:
        with os.scandir(folder) as entries:
            return frozenset(entry.name for entry in entries)
    except OSError as error:
        raise UserError(f"data.images: {folder}: {error.strerror}") from None


def _is_file(path: Path) -> bool:
    # Path.is_file raises for names that are too long and folders that may not be entered.
    try:
        return path.is_file()
    except OSError:
        return False
