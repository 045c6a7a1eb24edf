"""Photos with semantic label maps in the layout of ADE20K's scene parsing benchmark."""

import csv
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from gen.errors import UserError
from gen.schema import Ade20kData
from gen.sources import label_map, licences
from gen.sources.coco_records import RecordError, identifier
from gen.sources.file_print import file_print
from gen.sources.photos import PhotoError, opened, read_rgb
from gen.sources.problem_log import ProblemLog
from gen.sources.records import Depth, Photo, Problem, Semantic, Truth

_PHOTOS = (".jpg", ".jpeg", ".png")


class Ade20kSource:
    """A `Source` over a folder of photos and one of label maps of the same names.

    Both may have folders in them, alike (`training`, `validation`). A photo has the size of its
    map, of which only the header is read before it is asked for. No licence of a photo is known.
    """

    def __init__(self, data: Ade20kData) -> None:
        """Read the names of the classes, and look for photos and maps.

        Raises:
            UserError: a folder or the names are not there or cannot be used, two photos have one
                name, a licence is unknown, or no photo is left.
        """
        self._log = ProblemLog()
        root = Path(data.root).expanduser()
        self._images = _folder(root, "root", data.root, data.images, "images")
        self._labels = _folder(root, "root", data.root, data.labels, "labels")
        self._names_file = root / data.names
        self._names = _read_names(self._names_file, data.names)
        self._classes = tuple(sorted(set(self._names.values())))
        self._photos: dict[str, Photo] = {}
        self._maps: dict[str, Path] = {}
        self._find()
        if not self._photos:
            raise UserError(
                f"data.root={data.root}: no photo in {data.images} with a label map in "
                f"{data.labels}"
            )
        if data.licenses:
            wanted = licences.codes(data.licenses, [licences.UNKNOWN.code])
            if licences.UNKNOWN.code not in wanted:
                raise UserError(
                    f"data.licenses leaves none of {len(self._photos)} photos: no licence of "
                    "theirs is known (data.licenses=[unknown])"
                )

    def photos(self) -> Sequence[Photo]:
        """All photos with a label map, in the order of their names."""
        return tuple(self._photos.values())

    def categories(self) -> Mapping[str, str]:
        """None: the classes are of pixels, not of objects."""
        return {}

    def truth(self, image_id: str) -> Truth:
        """No objects are labelled.

        Raises:
            KeyError: none of `photos` has this id.
        """
        return Truth(self._photos[image_id])

    def semantic(self, image_id: str) -> Semantic | None:
        """The class of each pixel of one photo, or None where its map cannot be used.

        Raises:
            KeyError: none of `photos` has this id.
        """
        photo, path = self._photos[image_id], self._maps[image_id]
        try:
            values = label_map.read_values(path, (photo.height, photo.width))
        except RecordError as error:
            self._log.add(error.kind, self._label(path), image_id, str(error))
            return None
        found, unknown = label_map.semantic(values, self._names, self._classes)
        if unknown:
            numbers = ", ".join(map(str, list(unknown)[:10]))
            reason = f"{sum(unknown.values())} pixels have numbers without a class: {numbers}"
            self._log.add("unknown_category", self._label(path), image_id, reason)
        return found

    def depth(self, image_id: str) -> Depth | None:
        """None: there is no depth."""
        return None

    def pixels(self, image_id: str) -> NDArray[np.uint8]:
        """The photo as RGB, uint8 (height, width, 3), read-only.

        Raises:
            PhotoError: the photo cannot be used. It is among the `problems` from then on.
        """
        photo = self._photos[image_id]
        try:
            return read_rgb(photo.path, (photo.width, photo.height))
        except PhotoError as error:
            self._log.add(error.kind, photo.path.name, image_id, str(error))
            raise

    def fingerprint(self) -> str:
        """A SHA-256 over what names, maps and photos hold, not where they lie."""
        return self._fingerprint

    def problems(self) -> Sequence[Problem]:
        """What was found broken so far; maps and pixels are looked at when asked for."""
        return self._log.told()

    @cached_property
    def _fingerprint(self) -> str:
        among = len(self._photos)
        files = [
            (key, *(file_print(path, path.name, among) for path in (photo.path, self._maps[key])))
            for key, photo in self._photos.items()
        ]
        names = hashlib.sha256(self._names_file.read_bytes()).hexdigest()
        return hashlib.sha256(json.dumps([names, files]).encode()).hexdigest()

    def _find(self) -> None:
        """Pair photos and maps by name; what is without the other is reported."""
        maps = {_stem(path, self._labels): path for path in _files(self._labels, (".png",))}
        found: dict[str, Path] = {}
        for path in _files(self._images, _PHOTOS):
            image_id, stem = identifier(path.stem), _stem(path, self._images)
            if image_id is None:
                reason = "its name is no id: letters, digits, dot, dash and underscore"
                self._log.add("bad_image", path.name, path.name, reason)
            elif image_id in found:
                raise UserError(f"{found[image_id]} and {path}: two photos of one name")
            elif stem not in maps:
                reason = "no PNG of its name among the labels"
                self._log.add("missing_label_map", path.name, image_id, reason)
            else:
                found[image_id] = path
                self._take(image_id, path, maps[stem])
        known = {_stem(path, self._images) for path in found.values()}
        for stem in [stem for stem in maps if stem not in known]:
            reason = "a label map without a photo of its name"
            self._log.add(
                "missing_photo", self._label(maps[stem]), PurePosixPath(stem).name, reason
            )

    def _take(self, image_id: str, path: Path, map_path: Path) -> None:
        try:
            with opened(map_path) as image:
                width, height = image.size
        except PhotoError as error:
            fault = label_map.label_map_error(error)
            self._log.add(fault.kind, self._label(map_path), image_id, str(fault))
            return
        licence = licences.UNKNOWN
        self._maps[image_id] = map_path
        self._photos[image_id] = Photo(
            image_id, path, width, height, licence.code, licence.url, url="", author=""
        )

    def _label(self, path: Path) -> str:
        return f"{self._labels.name}/{path.relative_to(self._labels).as_posix()}"


def _folder(root: Path, knob: str, shown: str, name: str, part: str) -> Path:
    if not root.is_dir():
        raise UserError(f"data.{knob}: no folder '{shown}'")
    if not (root / name).is_dir():
        raise UserError(f"data.{part}: no folder '{name}' in {shown}")
    return root / name


def _files(folder: Path, suffixes: Sequence[str]) -> list[Path]:
    """The files of these kinds in a folder and in those within it, in the order of their names."""
    found = [path for path in folder.rglob("*") if path.suffix.lower() in suffixes]
    return sorted(found, key=lambda path: (path.stem, path.as_posix()))


def _stem(path: Path, folder: Path) -> str:
    return path.relative_to(folder).with_suffix("").as_posix()


def _read_names(path: Path, shown: str) -> dict[int, str]:
    """The name of each class by its number, the first of its synonyms.

    The file is a table with columns Idx and Name, parted by tabs or commas (both are published).
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UserError(f"data.names: {shown}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"data.names: {shown}: is not UTF-8 text") from None
    table = csv.DictReader(text.splitlines(), delimiter="\t" if "\t" in text else ",")
    if not {"Idx", "Name"} <= set(table.fieldnames or ()):
        raise UserError(f"data.names: {shown}: expected a table with columns Idx and Name")
    names: dict[int, str] = {}
    for line, row in enumerate(table, 2):
        number, name = (
            (row["Idx"] or "").strip(),
            (row["Name"] or "").replace(";", ",").partition(",")[0],
        )
        if not number.isdecimal() or not 0 < int(number) < 2**16 or not name.strip():
            raise UserError(f"data.names: {shown}: line {line}: expected a number and a name")
        if int(number) in names:
            raise UserError(f"data.names: {shown}: line {line}: {number} is there twice")
        names[int(number)] = " ".join(name.split())
    return names
