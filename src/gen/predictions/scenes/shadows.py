"""Shadows of solids on the ground."""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.scenes.description import Thing
from gen.predictions.scenes.shapes import RISE, SOLIDS, Array, Vector, scale, turned

Points = NDArray[np.float64]
_LAMP = 0.16
"""Half the side of the lamp, a square, at a distance of 1."""
_LAMPS = 3
"""The lamp is so many by so many points."""
_NEAR = 0.5
"""The part of a solid up to this height takes the sky's light from the ground about its foot."""
_FRACTION = 4
"""Bits of a fraction of a pixel."""


class Shade(NamedTuple):
    """A part of the picture, and the share of the light that its ground does not get, 0 to 1."""

    rows: slice
    columns: slice
    lost: Array


def shadow(thing: Thing, size: tuple[int, int], light: Vector) -> Shade | None:
    """Of the lamp's light; None outside of the picture (`size`: height, width).

    `light` points to the middle of the lamp. The penumbra is wide where what casts it is high.
    """
    steps = np.linspace(-_LAMP, _LAMP, _LAMPS)
    lamps = [(light[0] + across, light[1], light[2] + away) for across in steps for away in steps]
    return _cast(thing, _stood(thing), size, lamps, 0.02)


def contact(thing: Thing, size: tuple[int, int]) -> Shade | None:
    """Of the sky's light, about the foot of `thing`; None outside of the picture."""
    low = [part[part[:, 1] <= _NEAR] for part in _stood(thing)]
    return _cast(thing, [part for part in low if len(part) > 2], size, [(0.0, 1.0, 0.0)], 0.05)


def _stood(thing: Thing) -> list[Points]:
    return [turned(part, thing.turn) for part in SOLIDS[thing.shape].parts]


def _cast(
    thing: Thing,
    parts: Sequence[Points],
    size: tuple[int, int],
    lamps: Sequence[Vector],
    blur: float,
) -> Shade | None:
    """The mean shadow of convex `parts` in the light of `lamps`; `blur` is a share of the width."""
    height, width = size
    unit, soft = scale(thing, width), blur * thing.extent * width + 0.5
    outlines = [
        [np.add(_outline(part, lamp, unit), (thing.x * width, thing.y * height)) for part in parts]
        for lamp in lamps
    ]
    every = np.concatenate([outline for lit in outlines for outline in lit])
    margin = 4 * soft + 1
    left, top = np.maximum(np.floor(every.min(axis=0) - margin), 0).astype(int)
    right, bottom = np.minimum(np.ceil(every.max(axis=0) + margin), (width, height)).astype(int)
    if left >= right or top >= bottom:
        return None
    total = np.zeros((bottom - top, right - left), np.float32)
    for lit in outlines:
        mask = np.zeros(total.shape, np.uint8)
        for outline in lit:
            # A pixel's middle is at half a pixel, OpenCV's is at none.
            places = (outline - (left + 0.5, top + 0.5)) * (1 << _FRACTION)
            hull = cv2.convexHull(np.round(places).astype(np.int32))
            cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, _FRACTION)
        total += mask
    lost = cv2.GaussianBlur(total / np.float32(255 * len(lamps)), (0, 0), soft)
    return Shade(slice(top, bottom), slice(left, right), np.asarray(lost))


def _outline(points: Points, lamp: Vector, unit: float) -> Points:
    """Pixels (n, 2) from where the thing stands to the shadows of its `points`."""
    x, y, z = points.T
    across = x - y * (lamp[0] / lamp[1])
    down = RISE * (z - y * (lamp[2] / lamp[1]))
    return unit * np.stack([across, down], axis=1)
