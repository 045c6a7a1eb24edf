"""Single things as the camera sees them, without the ground that they stand on."""

import math
from collections.abc import Mapping
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.scenes.description import Color, Thing
from gen.predictions.scenes.lighting import shaded
from gen.predictions.scenes.shapes import LEVEL, RISE, SOLIDS, Array, Axes, Vector, bounds, scale
from gen.predictions.scenes.textures import marks

PAINTS: Mapping[Color, tuple[int, int, int]] = {
    "red": (214, 20, 26),
    "orange": (247, 124, 0),
    "yellow": (252, 214, 0),
    "green": (26, 156, 46),
    "cyan": (0, 230, 228),
    "blue": (0, 104, 235),
    "purple": (144, 40, 192),
    "pink": (255, 92, 172),
}
"""sRGB of what is fully lit. Any two are CIEDE2000 >= 20 apart."""
_DARKER = 0.30
"""Of the paint's linear light, what a stripe or a spot sends back."""
_SAMPLES = 2
"""Rays across and down a pixel."""
_LENS = 0.5
"""Standard deviation of the lens's blur in pixels."""


class Patch(NamedTuple):
    """A part of the picture from (`left`, `top`) on: premultiplied linear RGB and coverage."""

    left: int
    top: int
    color: Array
    cover: Array

    @property
    def window(self) -> tuple[slice, slice]:
        """Its rows and columns in the picture."""
        height, width = self.cover.shape
        return slice(self.top, self.top + height), slice(self.left, self.left + width)


def linear(levels: NDArray[np.floating]) -> NDArray[np.floating]:
    """IEC 61966-2-1: linear light, 0 to 1, of sRGB levels 0 to 255."""
    share = levels / 255.0
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def rendered(thing: Thing, size: tuple[int, int], lamp: Vector) -> Patch | None:
    """`thing` in the light of `lamp`; None where all of it is outside of the picture."""
    traced = _traced(thing, size)
    if traced is None:
        return None
    left, top, met, place, normal = traced
    paint = linear(np.array(PAINTS[thing.color], np.float64)).astype(np.float32)
    marked = marks(thing.texture, thing.shape, place, normal)
    cos, sin = math.cos(math.radians(thing.turn)), math.sin(math.radians(thing.turn))
    light, gloss = shaded(place, _turn(normal, cos, sin), lamp, thing.shape == "cube")
    light *= np.where(marked, np.float32(_DARKER), np.float32(1))
    colors = np.zeros((*met.shape, 3), np.float32)
    colors[met] = light[:, None] * paint + gloss[:, None]
    color, cover = _mean(np.minimum(colors, 1)), _mean(met.astype(np.float32))
    # No lens is as sharp as the rays are.
    soft = [cv2.GaussianBlur(part, (3, 3), _LENS) for part in (color, cover)]
    return Patch(left, top, np.asarray(soft[0], np.float32), np.asarray(soft[1], np.float32))


def silhouette(thing: Thing, size: tuple[int, int]) -> NDArray[np.bool_]:
    """The pixels that `thing` covers at least by half, (height, width) as `size`."""
    mask = np.zeros(size, np.bool_)
    traced = _traced(thing, size)
    if traced is not None:
        left, top, met, _, _ = traced
        cover = _mean(met.astype(np.float32))
        mask[top : top + cover.shape[0], left : left + cover.shape[1]] = cover >= 0.5
    return mask


def _traced(
    thing: Thing, size: tuple[int, int]
) -> tuple[int, int, NDArray[np.bool_], Axes, Axes] | None:
    """Left, top, hits of all rays (rows, columns), places and normals of the hits.

    Places and normals are those of the solid as it was before its turn.
    """
    height, width = size
    x1, y1, x2, y2 = bounds(thing, size)
    left, right = max(math.floor(x1) - 1, 0), min(math.ceil(x2) + 1, width)
    top, bottom = max(math.floor(y1) - 1, 0), min(math.ceil(y2) + 1, height)
    if left >= right or top >= bottom:
        return None
    unit = scale(thing, width)
    across = left + (np.arange((right - left) * _SAMPLES) + 0.5) / _SAMPLES - thing.x * width
    down = top + (np.arange((bottom - top) * _SAMPLES) + 0.5) / _SAMPLES - thing.y * height
    u, v = np.meshgrid((across / unit).astype(np.float32), (-down / unit).astype(np.float32))
    cos, sin = math.cos(math.radians(thing.turn)), math.sin(math.radians(thing.turn))
    flat = (u.ravel(), np.float32(LEVEL) * v.ravel(), np.float32(-RISE) * v.ravel())
    points = _turn(flat, cos, -sin)
    toward = (-sin * LEVEL, RISE, cos * LEVEL)
    met, place, normal = SOLIDS[thing.shape].hit(points, toward)
    return left, top, met.reshape(u.shape), place, normal


def _turn(axes: Axes, cos: float, sin: float) -> Axes:
    x, y, z = axes
    return np.float32(cos) * x + np.float32(sin) * z, y, np.float32(cos) * z - np.float32(sin) * x


def _mean(samples: Array) -> Array:
    """Of the rays of each pixel."""
    rows, columns = samples.shape[0] // _SAMPLES, samples.shape[1] // _SAMPLES
    return np.asarray(cv2.resize(samples, (columns, rows), interpolation=cv2.INTER_AREA))
