"""Snow taken out of single photos by classical filters."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.degrade.degraded import Degraded
from gen.predictions.restore.air import (
    Plane,
    Rgb,
    bilateral,
    dehazed,
    grown,
    line,
    median,
    opened,
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


def restorations(degraded: Degraded, rng: np.random.Generator) -> Iterator[Restored]:
    """The picture as it is, and filtered in some thirty ways; they know nothing but the picture.

    Flakes are told by their form: bright in the darkest color, and too short in every direction for
    a line to lie in them (a top-hat with the union of openings by lines; Soille, Morphological
    Image Analysis, 2nd ed., 2004).
    """
    picture = degraded.picture
    yield Restored("untouched", picture)
    for side in (3, 5, 9, 15):
        yield Restored(f"median side={side}", median(picture, side))
    for tone in (30, 70):
        yield Restored(f"bilateral tone={tone}", bilateral(picture, tone))
    for side in (3, 5, 9):
        yield Restored(f"opening side={side}", opened(picture, _disc(side)))
    spots = {largest: _spots(picture, largest) for largest in (_SMALL, _MIDDLE, _LARGE)}
    flakes = _spots(picture.min(axis=2), _MIDDLE)
    for name, faintest in (("telea", 8), ("ns", 8), ("telea", 20), ("ns", 40)):
        painted = painted_over(picture, grown(flakes > faintest), name)
        yield Restored(f"{name} faintest={faintest}", painted)
    for share in (0.3, 0.6, 1.0):
        yield Restored(
            f"subtracted share={share:g}", _cleared(picture, spots[_MIDDLE], flakes, share)
        )
    large = _cautious(picture, _LARGE)
    for faintest in (6, 16):
        mask = grown(large > faintest)
        yield Restored(f"cautious telea={faintest}", painted_over(picture, mask, "telea"))
        middle = np.where(mask[..., None], median(picture, 9), picture)
        yield Restored(f"cautious median={faintest}", middle)
    for largest in (_SMALL, _MIDDLE):
        less = _cleared(picture, spots[largest], _cautious(picture, largest))
        yield Restored(f"cautious largest={largest}", less)
    yield Restored("cautious share=0.5", _cleared(picture, spots[_LARGE], large, 0.5))
    clear = _cleared(picture, spots[_LARGE], large)
    yield Restored("cautious", clear)
    for strength in (0.2, 0.4):
        yield Restored(f"dark channel={strength:g}", dehazed(picture, strength))
        yield Restored(f"cautious dark channel={strength:g}", dehazed(clear, strength))
    yield Restored("cautious stretched", stretched(clear, 0.001))


def _spots(plane: NDArray[np.uint8], largest: int) -> Plane:
    """By how much each pixel is brighter for a flake up to so many pixels long, of 255.

    Colors, if there are any, are taken one by one.
    """
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


def _cleared(picture: Rgb, spots: Plane, most: Plane, share: float = 1.0) -> Rgb:
    """The picture less `share` of its flakes: of the spots of each color, as much as `most`.

    Flakes are white, and so they lift the darkest color most.
    """
    return subtracted(picture, np.minimum(spots, most[..., None]), share)


def _disc(side: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)
