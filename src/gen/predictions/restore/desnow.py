"""Snow taken out of single photos by classical filters."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.degrade.degraded import Degraded
from gen.predictions.restore.air import (
    Mask,
    Plane,
    Rgb,
    dehazed,
    line,
    painted_over,
    stretched,
    subtracted,
)
from gen.predictions.restore.restored import Restored

# Lines at these angles fit into the edges and wires of a scene, but not into a flake.
_ANGLES = np.arange(0.0, 180.0, 22.5)
# The largest flakes that count, in pixels.
_SMALL, _MIDDLE, _LARGE = 7, 13, 19
# Where the scene has fine texture a flake must stand out from it: this many times its mean over a
# window of so many pixels, standard deviation.
_CAUTION, _WINDOW = 2.0, 10.0
_INPAINTING = {"telea": cv2.INPAINT_TELEA, "ns": cv2.INPAINT_NS}


def restorations(degraded: Degraded, rng: np.random.Generator) -> Iterator[Restored]:
    """The picture as it is, and filtered in some thirty ways; they know nothing but the picture.

    Flakes are told by their form: bright in the darkest color, and too short in every direction for
    a line to lie in them (a top-hat with a union of openings by lines; Soille, Morphological Image
    Analysis, 2nd ed., 2004, section 4.4).
    """
    picture = degraded.picture
    yield Restored("untouched", picture)
    for side in (3, 5, 9, 15):
        yield Restored(f"median side={side}", cv2.medianBlur(picture, side))
    for tone in (30, 70):
        yield Restored(f"bilateral tone={tone}", cv2.bilateralFilter(picture, 7, tone, 5))
    for side in (3, 5, 9):
        yield Restored(f"opening side={side}", _opened(picture, side))
    flakes = _spots(picture.min(axis=2), _MIDDLE)
    for name, faintest in (("telea", 8), ("ns", 8), ("telea", 20), ("ns", 40)):
        painted = painted_over(picture, _grown(flakes > faintest), _INPAINTING[name])
        yield Restored(f"{name} faintest={faintest}", painted)
    for share in (0.3, 0.6, 1.0):
        yield Restored(f"subtracted share={share:g}", _cleared(picture, flakes, _MIDDLE, share))
    large = _cautious(picture, _LARGE)
    for faintest in (6, 16):
        mask = _grown(large > faintest)
        yield Restored(f"cautious telea={faintest}", painted_over(picture, mask, cv2.INPAINT_TELEA))
        middle = np.where(mask[..., None], cv2.medianBlur(picture, 9), picture)
        yield Restored(f"cautious median={faintest}", middle)
    for largest in (_SMALL, _MIDDLE):
        less = _cleared(picture, _cautious(picture, largest), largest)
        yield Restored(f"cautious largest={largest}", less)
    for share in (0.5, 1.0):
        yield Restored(f"cautious share={share:g}", _cleared(picture, large, _LARGE, share))
    clear = _cleared(picture, large, _LARGE)
    for strength in (0.2, 0.4):
        yield Restored(f"dark channel={strength:g}", dehazed(picture, strength))
        yield Restored(f"cautious dark channel={strength:g}", dehazed(clear, strength))
    yield Restored("cautious stretched", stretched(clear, 0.001))


def _spots(plane: NDArray[np.uint8], largest: int) -> Plane:
    """By how much each pixel is brighter for a flake up to so many pixels long, of 255."""
    scene = np.zeros_like(plane)
    for angle in _ANGLES:
        scene = np.maximum(scene, cv2.morphologyEx(plane, cv2.MORPH_OPEN, line(largest, angle)))
    return np.asarray(cv2.subtract(plane, scene), np.float32)


def _cautious(picture: Rgb, largest: int) -> Plane:
    """The spots of the darkest color, less what texture alone would give.

    Snow makes bright spots only, texture dark ones as well: those tell how strong it is.
    """
    dark = picture.min(axis=2)
    level = cv2.GaussianBlur(_spots(255 - dark, largest), (0, 0), _WINDOW)
    return np.maximum(_spots(dark, largest) - np.float32(_CAUTION) * level, 0)


def _cleared(picture: Rgb, most: Plane, largest: int, share: float = 1.0) -> Rgb:
    """The picture less `share` of its flakes: they are white and lift the darkest color most."""
    lifts = [np.minimum(_spots(one, largest), most) for one in cv2.split(picture)]
    return subtracted(picture, np.dstack(lifts), share)


def _grown(mask: Mask) -> Mask:
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def _opened(picture: Rgb, side: int) -> Rgb:
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return np.asarray(cv2.morphologyEx(picture, cv2.MORPH_OPEN, disc), np.uint8)
