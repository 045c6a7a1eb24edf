"""Sets of photos with measured depth."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from gen.errors import UserError
from gen.schema import DepthData
from gen.sources import depth_map, licences
from gen.sources.coco_records import identifier
from gen.sources.depth_map import DepthMapError
from gen.sources.file_print import file_print
from gen.sources.photos import PhotoError, read_rgb
from gen.sources.problem_log import ProblemLog
from gen.sources.records import Depth, Photo, Problem, Semantic, Source, Truth


@dataclass(frozen=True, slots=True)
class _Map:
    """Where the depth of a photo is, its name in reports, and what its values mean."""

    path: Path
    label: str
    scale: float
    invalid: tuple[int, ...]


class DepthSource:
    """A `Source` over sets of photos, each with a depth map of its own size.

    A photo is named after its set and its file, as in nyu_00000. No licence of a photo is known.
    """

    def __init__(self, data: DepthData) -> None:
        """Look for photos and maps; only the headers of the maps are read.

        Raises:
            UserError: a folder, a scale or the calibration is missing or cannot be used, a licence
                is unknown, or no photo is left.
        """
        self._log = ProblemLog()
        self._root = Path(data.root).expanduser()
        if not self._root.is_dir():
            raise UserError(f"data.root: no folder '{data.root}'")
        self._photos: dict[str, Photo] = {}
        self._maps: dict[str, _Map] = {}
        told = _calibration(data, self._root)
        for name in data.sets:
            self._find(data, name, told)
        if not self._photos:
            patterns = ", ".join(one.photos for one in data.sets.values())
            raise UserError(
                f"data.root={data.root}: no photo with a depth map; looked for {patterns}"
            )
        if data.licenses:
            wanted = licences.codes(data.licenses, [licences.UNKNOWN.code])
            if licences.UNKNOWN.code not in wanted:
                raise UserError(
                    f"data.licenses leaves none of {len(self._photos)} photos: no licence of "
                    "theirs is known (data.licenses=[unknown])"
                )

    def photos(self) -> Sequence[Photo]:
        """All photos with a depth map, set by set, in the order of their names."""
        return tuple(self._photos.values())

    def categories(self) -> Mapping[str, str]:
        """None: no objects are labelled."""
        return {}

    def truth(self, image_id: str) -> Truth:
        """No objects are labelled.

        Raises:
            KeyError: none of `photos` has this id.
        """
        return Truth(self._photos[image_id])

    def semantic(self, image_id: str) -> Semantic | None:
        """None: no classes are labelled."""
        return None

    def depth(self, image_id: str) -> Depth | None:
        """The measured depth of one photo, or None where its map cannot be used.

        Raises:
            KeyError: none of `photos` has this id.
        """
        photo, found = self._photos[image_id], self._maps[image_id]
        try:
            values = depth_map.read_values(found.path, (photo.height, photo.width))
            return depth_map.from_values(values, found.scale, found.invalid)
        except DepthMapError as error:
            self._log.add(error.kind, found.label, image_id, str(error))
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
        """A SHA-256 over photos and maps and what their values mean, not where they lie."""
        return self._fingerprint

    def problems(self) -> Sequence[Problem]:
        """What was found broken so far; maps and pixels are looked at when asked for."""
        return self._log.told()

    @cached_property
    def _fingerprint(self) -> str:
        among = len(self._photos)
        files = []
        for key, photo in self._photos.items():
            found = self._maps[key]
            prints = [file_print(path, path.name, among) for path in (photo.path, found.path)]
            files.append([key, *prints, found.scale, list(found.invalid)])
        return sha256(json.dumps(files).encode()).hexdigest()

    def _find(self, data: DepthData, name: str, told: Mapping[str, object]) -> None:
        """Pair the photos and the maps of a set; what is without the other is reported."""
        one = data.sets[name]
        photos, maps = (dict(_matches(self._root, pattern)) for pattern in (one.photos, one.depth))
        if not photos and not maps:
            return
        scale = _scale(data, name, told)
        for stem in sorted({*photos, *maps}):
            image_id = identifier(f"{name}_{stem}")
            file = (photos.get(stem) or maps[stem]).relative_to(self._root).as_posix()
            if image_id is None:
                reason = "its name is no id: letters, digits, dot, dash and underscore"
                self._log.add("bad_image", file, stem, reason)
            elif stem not in maps:
                self._log.add("missing_depth_map", file, image_id, f"none is named {one.depth}")
            elif stem not in photos:
                self._log.add("missing_photo", file, image_id, f"none is named {one.photos}")
            else:
                label = maps[stem].relative_to(self._root).as_posix()
                found = _Map(maps[stem], label, scale, one.invalid)
                self._take(image_id, photos[stem], found)

    def _take(self, image_id: str, path: Path, found: _Map) -> None:
        try:
            height, width = depth_map.read_size(found.path)
        except DepthMapError as error:
            self._log.add(error.kind, found.label, image_id, str(error))
            return
        licence = licences.UNKNOWN
        self._maps[image_id] = found
        self._photos[image_id] = Photo(
            image_id, path, width, height, licence.code, licence.url, url="", author=""
        )


def open_depth(data: DepthData) -> Source:
    """The source of photos with measured depth that `data` names.

    Raises:
        UserError: as `DepthSource`.
    """
    return DepthSource(data)


def _matches(root: Path, pattern: str) -> Iterator[tuple[str, Path]]:
    """What stands for the one `*` of `pattern`, and the file, for each file that there is."""
    folder, name = PurePosixPath(pattern).parent, PurePosixPath(pattern).name
    if pattern.count("*") != 1 or "*" not in name:
        raise UserError(f"data.sets: '{pattern}' must have one * in the name of its files")
    before, after = name.split("*")
    shape = re.compile(f"{re.escape(before)}(.+){re.escape(after)}")
    if not (root / folder).is_dir():
        return
    for path in sorted((root / folder).iterdir()):
        found = shape.fullmatch(path.name)
        if found and path.is_file():
            yield found[1], path


def _calibration(data: DepthData, root: Path) -> Mapping[str, object]:
    """What the calibration file says of each set; nothing where there is no such file."""
    shown = data.calibration
    if shown is None:
        return {}
    try:
        record = json.loads((root / shown).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UserError(f"data.calibration: {shown}: {error.strerror}") from None
    except ValueError as error:
        raise UserError(f"data.calibration: {shown}: not JSON: {error}") from None
    if not isinstance(record, dict):
        raise UserError(
            f"data.calibration: {shown}: expected an object with one entry for each set"
        )
    return record


def _scale(data: DepthData, name: str, told: Mapping[str, object]) -> float:
    """How many units of the values of a set are a metre."""
    own, entry = data.sets[name].scale, told.get(name)
    scale = (
        own if own is not None else entry.get("depth_scale") if isinstance(entry, dict) else None
    )
    if scale is None:
        where = f" of it in {data.calibration}" if data.calibration else ""
        raise UserError(f"data.sets.{name}.scale is null, and there is no depth_scale{where}")
    if isinstance(scale, bool) or not isinstance(scale, int | float) or not 0 < scale < math.inf:
        raise UserError(
            f"data.calibration: {data.calibration}: depth_scale of {name} is {scale!r}, expected a "
            "number above 0"
        )
    return float(scale)
