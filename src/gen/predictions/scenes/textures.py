"""Patterns on the surfaces of solids."""

import math

import numpy as np
from numpy.typing import NDArray

from gen.predictions.scenes.description import Shape, Texture
from gen.predictions.scenes.shapes import RADIUS, TALL, TUBE, Array, Axes

Marks = NDArray[np.bool_]
_STRIPE = 0.34
"""The width of a stripe; gaps are as wide."""
_SEGMENTS = 7
"""Stripes of a ring."""
_STEP, _SPOT = 0.68, 0.23
"""The distance of spots, and their radius."""
_FINER, _COARSER = 0.62, 1.3
# The axis of a ball's pattern leans.
_LEAN = (0.36, 0.87, 0.34)
_FULL = 2 * math.pi


def marks(texture: Texture, shape: Shape, place: Axes, normal: Axes) -> Marks:
    """Which of the points `place` of a solid's surface bear the pattern rather than the ground."""
    if texture == "plain":
        return np.zeros(place[0].shape, np.bool_)
    return _stripes(shape, place, normal) if texture == "striped" else _spots(shape, place, normal)


def _dot(place: Axes, axis: tuple[float, float, float]) -> Array:
    x, y, z = (one * np.float32(step) for one, step in zip(place, axis, strict=True))
    return np.asarray(x + y + z)


def _stripes(shape: Shape, place: Axes, normal: Axes) -> Marks:
    if shape == "ring":
        turn = np.arctan2(place[1] - np.float32(RADIUS + TUBE), place[0])
        return np.asarray(np.floor(turn * np.float32(2 * _SEGMENTS / _FULL) + 0.5) % 2 == 0)
    along = place[1] - np.float32(0.5 * _STRIPE)
    if shape == "ball":
        along = _dot((place[0], place[1] - np.float32(1), place[2]), _LEAN) + np.float32(
            0.5 * _STRIPE
        )
    elif shape == "cube":
        along = np.where(np.abs(normal[1]) > 0.8, place[2], along)
    return np.asarray(np.floor(along / np.float32(_STRIPE)) % 2 == 0)


def _spots(shape: Shape, place: Axes, normal: Axes) -> Marks:
    x, y, z = place
    if shape == "cube":
        y = y - np.float32(1)
        level = np.abs(normal[1]) > 0.8
        side = np.abs(normal[0]) > np.abs(normal[2])
        return _scattered(np.where(side & ~level, z, x), np.where(level, z, y))
    if shape == "ring":
        y = y - np.float32(RADIUS + TUBE)
        around = np.sqrt(x * x + y * y) - np.float32(RADIUS)
        along = np.arctan2(z, -around) * np.float32(TUBE)
        # Spots as large as elsewhere would go round the tube and look like stripes.
        return _rows(along, np.full_like(x, RADIUS), np.arctan2(y, x), 0.0, _FINER)
    if shape == "ball":
        y = y - np.float32(1)
        tilt, rest = np.float32(0.94), np.float32(0.342)
        y, z = tilt * y + rest * z, tilt * z - rest * y
        along = np.arcsin(np.clip(y, -1, 1))
        middle = np.round(along / np.float32(_STEP)) * np.float32(_STEP)
        return _rows(along, np.cos(middle), np.arctan2(z, x), 0.0)
    radius = np.sqrt(x * x + z * z)
    if shape == "cylinder":
        on_top = y > np.float32(TALL - 1e-3)
        along = np.where(on_top, 1 - radius, y - np.float32(0.5 * TALL)).astype(np.float32)
        row = np.round(along / np.float32(_STEP)) * np.float32(_STEP)
        wide = np.where(on_top, np.maximum(1 - row, 0), 1)
        return _rows(along, wide.astype(np.float32), np.arctan2(z, x), 0.0)
    slant = math.hypot(TALL, 1.0)
    along = y * np.float32(slant / TALL) - np.float32(0.32)
    row = np.round(along / np.float32(_STEP)) * np.float32(_STEP)
    wide = np.maximum(1 - (row + np.float32(0.32)) / np.float32(slant), np.float32(0.02))
    return _rows(along, wide, np.arctan2(z, x), 0.25)


def _scattered(across: Array, along: Array) -> Marks:
    """Spots on a plane in rows that are shifted by half a step."""
    # The sides of a cube are seen at a slant: spots as large as elsewhere would look smaller.
    step, spot = np.float32(_STEP * _COARSER), np.float32(_SPOT * _COARSER)
    row = np.round(along / step)
    across = across / step + (row % 2) * np.float32(0.5)
    across = (across - np.round(across)) * step
    along = along - row * step
    return np.asarray(across * across + along * along < spot * spot)


def _rows(along: Array, radius: Array, angle: Array, shift: float, size: float = 1.0) -> Marks:
    """Spots in rows around an axis: `radius` is that of the row that a point is nearest to."""
    step = np.float32(_STEP * size)
    row = np.round(along / step)
    count = np.maximum(np.round(radius * np.float32(_FULL) / step), 1)
    turn = angle / np.float32(_FULL) * count + (row % 2) * np.float32(0.5) + np.float32(shift)
    across = (turn - np.round(turn)) / count * np.float32(_FULL) * radius
    along = along - row * step
    spot = np.float32(_SPOT * size)
    return np.asarray(across * across + along * along < spot * spot)
