"""The embedded photos that have depth: a stereo pair's, and a rendered room of known depth."""

import hashlib
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gen.errors import UserError
from gen.sources import depth_map, licences
from gen.sources.coco import CocoSource
from gen.sources.coco_layout import CocoLayout
from gen.sources.depth_scene import DEPTH_SCALE, HEIGHT, WIDTH
from gen.sources.photos import read_rgb
from gen.sources.records import Depth, Photo, Semantic, Truth

_ROOM = Path(__file__).parent / "embedded" / "depth"
_ROOM_ID = "6"
_STEREO, _DISPARITY = "motorcycle_left.png", "motorcycle_disp.npz"
# Calibration that scikit-image's documentation of the pair gives: focal length and difference of
# the principal points in pixels, baseline in metres.
_FOCAL, _OFFSET, _BASELINE = 994.978, 31.086, 0.193001


class EmbeddedSource(CocoSource):
    """The embedded photos with their labels and depth, and one more that has depth alone."""

    def __init__(self, layout: CocoLayout, wanted_licences: Sequence[str], folder: Path) -> None:
        """Open the labels; `folder` holds the photos of scikit-image and the pair's disparity.

        Raises:
            UserError: a licence is unknown, or no photo is left.
        """
        super().__init__(layout, wanted_licences)
        self._disparity = folder / _DISPARITY
        licence = licences.LICENCES["cc0-1.0"]
        room = Photo(
            image_id=_ROOM_ID,
            path=_ROOM / "room.png",
            width=WIDTH,
            height=HEIGHT,
            license=licence.code,
            license_url=licence.url,
            url="",
            author="vlm-judge-gen",
        )
        wanted = licences.codes(wanted_licences, [licence.code]) if wanted_licences else None
        self._room = room if wanted is None or licence.code in wanted else None

    def photos(self) -> Sequence[Photo]:
        """All photos that can be used, in the order of their ids."""
        return (*super().photos(), self._room) if self._room else super().photos()

    def truth(self, image_id: str) -> Truth:
        """The labels on one photo: none on the rendered one."""
        if self._room and image_id == _ROOM_ID:
            return Truth(self._room)
        return super().truth(image_id)

    def semantic(self, image_id: str) -> Semantic | None:
        """The class of each pixel of one photo: of the rendered one it is not told."""
        return None if self._is_room(image_id) else super().semantic(image_id)

    def depth(self, image_id: str) -> Depth | None:
        """The depth of the photos that have one.

        Raises:
            UserError: scikit-image lacks the file with the disparity of the pair.
        """
        if self._is_room(image_id):
            values = depth_map.read_values(_ROOM / "room_depth.png", (HEIGHT, WIDTH))
            return depth_map.from_values(values, DEPTH_SCALE, ())
        if self._photos[image_id].path.name == _STEREO:
            return self._of_stereo()
        return None

    def pixels(self, image_id: str) -> NDArray[np.uint8]:
        """The photo as RGB, uint8 (height, width, 3), read-only."""
        if self._is_room(image_id):
            return read_rgb(_ROOM / "room.png", (WIDTH, HEIGHT))
        return super().pixels(image_id)

    def fingerprint(self) -> str:
        """A SHA-256 over what annotation files, photos and depth hold."""
        digest = hashlib.sha256(super().fingerprint().encode())
        for path in (_ROOM / "room.png", _ROOM / "room_depth.png", self._disparity):
            digest.update(hashlib.sha256(self._bytes(path)).digest())
        return digest.hexdigest()

    def _is_room(self, image_id: str) -> bool:
        return self._room is not None and image_id == _ROOM_ID

    def _of_stereo(self) -> Depth:
        """Disparity in pixels as inverse depth: depth is focal * baseline / (pixels + offset)."""
        with np.load(io.BytesIO(self._bytes(self._disparity))) as stored:
            shift = stored["arr_0"].astype(np.float64)
        measured = np.isfinite(shift)
        inverse = (np.where(measured, shift, 0.0) + _OFFSET) / (_FOCAL * _BASELINE)
        return Depth(np.where(measured, inverse, 0.0).astype(np.float32), metric=True)

    @staticmethod
    def _bytes(path: Path) -> bytes:
        try:
            return path.read_bytes()
        except OSError as error:
            raise UserError(f"data=embedded: {path.name}: {error.strerror}") from None
