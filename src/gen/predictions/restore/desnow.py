"""Snow taken out of single photos by classical filters."""

from collections.abc import Iterator

import cv2
import numpy as np

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
# The largest flake that counts, in pixels.
_LARGEST = 13
_INPAINTING = {"telea": cv2.INPAINT_TELEA, "ns": cv2.INPAINT_NS}


def restorations(degraded: Degraded, rng: np.random.Generator) -> Iterator[Restored]:
    """The picture as it is, and filtered in some thirty ways; they know nothing but the picture.

    Flakes are told by their form: bright in the darkest color, and too short in every direction for
    a line to lie in them (a top-hat with a union of openings by lines; Soille, Morphological Image
    Analysis, 2nd ed., 2004, section 4.4).
    """
    picture = degraded.picture
    yield Restored("untouched", picture)
    for side in (3, 5, 9):
        yield Restored(f"median side={side}", cv2.medianBlur(picture, side))
    for tone in (30, 70):
        yield Restored(f"bilateral tone={tone}", cv2.bilateralFilter(picture, 7, tone, 5))
    for side in (3, 5, 9):
        yield Restored(f"opening side={side}", _opened(picture, side))
    flakes = _flakes(picture, _LARGEST)
    for name, faintest in (("telea", 8), ("ns", 8), ("telea", 20), ("ns", 40)):
        painted = painted_over(picture, _grown(flakes > faintest), _INPAINTING[name])
        yield Restored(f"{name} faintest={faintest}", painted)
    large = _flakes(picture, 2 * _LARGEST)
    both = painted_over(picture, _grown(large > 12), cv2.INPAINT_TELEA)
    yield Restored("telea large", both)
    yield Restored(
        "median in flakes",
        np.where(_grown(flakes > 8)[..., None], cv2.medianBlur(picture, 9), picture),
    )
    for share in (0.3, 0.6):
        yield Restored(f"subtracted share={share:g}", subtracted(picture, flakes, share))
    small = subtracted(picture, _flakes(picture, _LARGEST // 2), 1.0)
    yield Restored("subtracted small", small)
    clear = subtracted(picture, flakes, 1.0)
    yield Restored("subtracted", clear)
    wide = subtracted(picture, large, 1.0)
    yield Restored("subtracted large", wide)
    for strength in (0.2, 0.4, 0.7):
        yield Restored(f"dark channel={strength:g}", dehazed(picture, strength))
        for name, before in (("subtracted", clear), ("telea large", both)):
            yield Restored(f"{name} dark channel={strength:g}", dehazed(before, strength))
    yield Restored("subtracted stretched", stretched(clear, 0.001))


def _flakes(picture: Rgb, largest: int) -> Plane:
    """By how much each pixel is brighter for a flake up to so many pixels long, of 255."""
    dark = picture.min(axis=2)
    scene = np.zeros_like(dark)
    for angle in _ANGLES:
        fitting = cv2.morphologyEx(dark, cv2.MORPH_OPEN, line(largest, angle))
        scene = np.maximum(scene, fitting)
    return np.asarray(cv2.subtract(dark, scene), np.float32)


def _grown(mask: Mask) -> Mask:
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def _opened(picture: Rgb, side: int) -> Rgb:
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return np.asarray(cv2.morphologyEx(picture, cv2.MORPH_OPEN, disc), np.uint8)
