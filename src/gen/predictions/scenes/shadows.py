"""Shadows of solids on the ground."""

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.scenes.description import Thing
from gen.predictions.scenes.shapes import RISE, SOLIDS, Array, Vector, scale, turned

_LAMP = 0.16
"""Half the side of the lamp, a square, at a distance of 1."""
_LAMPS = 3
"""The lamp is so many by so many points."""
_NEAR = 0.5
"""The part of a solid up to this height takes the sky's light from the ground about its foot."""
_FRACTION = 4
"""Bits of a fraction of a pixel."""


def shadow(thing: Thing, size: tuple[int, int], light: Vector) -> Array:
    """How much of the lamp's light does not reach each pixel's ground, 0 to 1, (height, width).

    `light` points to the middle of the lamp; its penumbra grows with the height of what casts it.
    """
    points = [turned(part, thing.turn) for part in SOLIDS[thing.shape].parts]
    total = np.zeros(size, np.float32)
    steps = np.linspace(-_LAMP, _LAMP, _LAMPS)
    for across in steps:
        for away in steps:
            lamp = (light[0] + across, light[1], light[2] + away)
            total += _cast(points, thing, size, lamp)
    soft = 0.02 * thing.extent * size[1] + 0.5
    return np.asarray(cv2.GaussianBlur(total / np.float32(_LAMPS * _LAMPS), (0, 0), soft))


def contact(thing: Thing, size: tuple[int, int]) -> Array:
    """How much of the sky's light does not reach the ground about the foot, 0 to 1."""
    low = [turned(part, thing.turn) for part in SOLIDS[thing.shape].parts]
    low = [part[part[:, 1] <= _NEAR] for part in low]
    covered = _cast([part for part in low if len(part) > 2], thing, size, (0.0, 1.0, 0.0))
    soft = 0.05 * thing.extent * size[1] + 0.5
    return np.asarray(cv2.GaussianBlur(covered, (0, 0), soft))


def _cast(
    parts: list[NDArray[np.float64]], thing: Thing, size: tuple[int, int], light: Vector
) -> Array:
    height, width = size
    unit = scale(thing, width)
    mask = np.zeros(size, np.uint8)
    for x, y, z in (part.T for part in parts):
        across = thing.x * width + unit * (x - y * (light[0] / light[1]))
        down = thing.y * height + unit * RISE * (z - y * (light[2] / light[1]))
        # A pixel's middle is at half a pixel, OpenCV's is at none.
        places = (np.stack([across, down], axis=1) - 0.5) * (1 << _FRACTION)
        outline = cv2.convexHull(np.round(places).astype(np.int32))
        cv2.fillConvexPoly(mask, outline, 255, cv2.LINE_AA, _FRACTION)
    return mask.astype(np.float32) / np.float32(255)
