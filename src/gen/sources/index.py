"""Photos without labels, named by index files: image id -> file or address."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL.ExifTags import Base

from gen.errors import UserError
from gen.schema import IndexData
from gen.sources import licences
from gen.sources.coco_records import numeric_order
from gen.sources.download import PhotoCache
from gen.sources.file_print import file_print
from gen.sources.index_file import Entry, entries, find
from gen.sources.photos import PhotoError, opened, read_rgb
from gen.sources.problem_log import ProblemLog
from gen.sources.records import Depth, Photo, Problem, Semantic, Truth


class IndexSource:
    """A `Source` over the photos of index files, in the order of their ids, without labels."""

    def __init__(self, data: IndexData) -> None:
        """Read the index files and look for the photos.

        A photo whose size the index does not tell is fetched, or its file looked into.

        Raises:
            UserError: a file cannot be used, a licence is unknown, no photo is left, or one has to
                be fetched and cannot be for now.
        """
        self._root = Path(data.root).expanduser()
        self._log = ProblemLog()
        self._cache = (
            PhotoCache(Path(data.cache_dir), data.download_timeout, data.download_retries)
            if data.download
            else None
        )
        found: dict[str, Entry] = {}
        for path, label in find(data):
            for entry in entries(path, label, self._log):
                if found.setdefault(entry.image_id, entry) != entry:
                    reason = "the id is there twice, for different photos; the first is used"
                    self._log.add("duplicate_image", label, f"image {entry.image_id}", reason)
        self._entries = dict(sorted(found.items(), key=lambda item: numeric_order(item[0])))
        photos = list(self._located())
        if not photos:
            raise UserError(
                f"data.root={data.root}: none of the {len(self._entries)} photos of the index can "
                "be used; data.download=true fetches those with an address"
            )
        if data.licenses:
            wanted = licences.codes(data.licenses, [photo.license for photo in photos])
            photos = [photo for photo in photos if photo.license in wanted]
        if not photos:
            raise UserError(f"data.licenses: no photo is under {' or '.join(data.licenses)}")
        self._photos = {photo.image_id: photo for photo in photos}

    def photos(self) -> Sequence[Photo]:
        """All photos that can be used, in the order of their ids."""
        return tuple(self._photos.values())

    def categories(self) -> Mapping[str, str]:
        """None: there are no labels."""
        return {}

    def truth(self, image_id: str) -> Truth:
        """A photo without labels.

        Raises:
            KeyError: none of `photos` has this id.
        """
        return Truth(self._photos[image_id])

    def semantic(self, image_id: str) -> Semantic | None:
        """None: there are no labels."""

    def depth(self, image_id: str) -> Depth | None:
        """None: there are no labels."""

    def pixels(self, image_id: str) -> NDArray[np.uint8]:
        """The photo as RGB, uint8 (height, width, 3), read-only; fetched if that was asked for.

        Raises:
            PhotoError: the photo cannot be used. It is among the `problems` from then on.
            UserError: the photo has to be fetched, and cannot be for now.
        """
        entry, path = self._entries[image_id], self._photos[image_id].path
        try:
            if entry.url and self._cache:
                return self._cache.read(entry.url, entry.size)
            return read_rgb(path, entry.size)
        except PhotoError as error:
            self._log.add(error.kind, entry.place, image_id, str(error))
            raise

    def fingerprint(self) -> str:
        """A SHA-256 over ids, licences and what the photos are, not where they lie."""
        return self._fingerprint

    def problems(self) -> Sequence[Problem]:
        """What was found broken so far."""
        return self._log.told()

    @cached_property
    def _fingerprint(self) -> str:
        prints = [
            (one.image_id, one.license, one.license_url, one.author, self._print(one))
            for one in self._photos.values()
        ]
        return hashlib.sha256(json.dumps(prints).encode()).hexdigest()

    def _print(self, photo: Photo) -> str:
        entry = self._entries[photo.image_id]
        return entry.url or file_print(photo.path, entry.file, len(self._photos))

    def _located(self) -> Iterator[Photo]:
        for image_id, entry in self._entries.items():
            try:
                path = self._path(entry)
                width, height = entry.size or _size(path)
            except PhotoError as error:
                self._log.add(error.kind, entry.place, image_id, str(error))
                continue
            yield Photo(
                image_id=image_id,
                path=path,
                width=width,
                height=height,
                license=entry.licence.code,
                license_url=entry.licence.url,
                url=entry.url,
                author=entry.author,
            )

    def _path(self, entry: Entry) -> Path:
        if not entry.url:
            path = self._root / entry.file
            if not path.is_file():
                raise PhotoError("no such file", "missing_photo")
            return path
        if self._cache is None:
            raise PhotoError("is only on the web; data.download=true fetches it", "missing_photo")
        return self._cache.path(entry.url) if entry.size else self._cache.fetch(entry.url, None)


def _size(path: Path) -> tuple[int, int]:
    """Width and height of a photo as it is seen, without decoding it."""
    with opened(path) as image:
        width, height = image.size
        turned = image.getexif().get(Base.Orientation, 1) in (5, 6, 7, 8)
    return (height, width) if turned else (width, height)
