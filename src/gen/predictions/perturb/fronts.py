"""Lines that no ruler drew: where a mask is parted, and how its boundary strays."""

import cv2
import numpy as np
from numpy.typing import NDArray

Bitmap = NDArray[np.uint8]
Field = NDArray[np.float32]

# Fields are smooth, so that they are made on a grid of so many cells on the longer side.
_CELLS = 64
# Fewer pixels of a mask than this on that grid would tell too little of its shape.
_SAMPLES = 200
# How far a front bends over its whole length, as a share of that length: least and most.
_BEND = (0.10, 0.25)
# Roughness of a front: wave length and standard deviation, as shares of the mask's mean side.
_ROUGH = ((0.25, 0.025), (0.08, 0.008))
# A ragged boundary is found on a grid this much finer than the noise is high.
_FINENESS = 2.0
# Depth in pixels to which islands are flooded and holes are filled.
_SHALLOW = np.float32(0.5)


def step(crop: Bitmap) -> int:
    """The distance in pixels of the points of `crop` that are enough to find a front on it."""
    coarse = max(1, *(int(side) // _CELLS for side in crop.shape))
    while coarse > 1:
        sample = crop[coarse // 2 :: coarse, coarse // 2 :: coarse]
        if np.count_nonzero(sample) >= _SAMPLES:
            break
        coarse //= 2
    return coarse


def advance(shape: tuple[int, ...], angle: float, rng: np.random.Generator) -> Field:
    """When a bent, slightly rough front that moves on by a pixel a turn comes to each pixel.

    `shape` is (rows, columns), `angle` (radians) the direction in which it moves.
    """
    rows, columns = shape
    x = np.arange(columns, dtype=np.float32) - np.float32((columns - 1) / 2)
    y = np.arange(rows, dtype=np.float32)[:, None] - np.float32((rows - 1) / 2)
    cos, sin = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    along, across = cos * x + sin * y, cos * y - sin * x
    length = float(np.abs(cos) * rows + np.abs(sin) * columns)
    bend = rng.uniform(*_BEND) * rng.choice([-1.0, 1.0])
    front = along + np.float32(4 * bend / length) * across * across
    side = float(np.sqrt(rows * columns))
    for wave, height in _ROUGH:
        front += np.float32(height * side) * noise((rows, columns), wave * side, rng)
    return front


def ragged(crop: Bitmap, amplitude: float, wave: float, rng: np.random.Generator) -> Bitmap:
    """`crop` with a boundary that strays by `amplitude` (a standard deviation) in waves of `wave`.

    Both are in pixels. No islands come up and no holes that were not there.
    """
    rows, columns = crop.shape
    scale = max(1, int(amplitude / _FINENESS))
    small = (max(1, columns // scale), max(1, rows // scale))
    coarse: Bitmap = np.empty(small[::-1], np.uint8)
    cv2.resize(crop, small, coarse, interpolation=cv2.INTER_NEAREST)
    inside = cv2.distanceTransform(coarse, cv2.DIST_L2, 3)
    outside = cv2.distanceTransform(1 - coarse, cv2.DIST_L2, 3)
    strayed = np.float32(amplitude / scale) * noise(coarse.shape, wave / scale, rng)
    depth: Field = inside - outside + strayed
    _flood(depth, (depth > 0).astype(np.uint8), coarse, -_SHALLOW)
    _flood(depth, (depth <= 0).astype(np.uint8), 1 - coarse, _SHALLOW)
    return (enlarged(depth, columns, rows) > 0).astype(np.uint8)


def enlarged(field: Field, columns: int, rows: int) -> Field:
    """A smooth field on the finer grid of so many columns and rows."""
    if field.shape == (rows, columns):
        return field
    fine: Field = np.empty((rows, columns), np.float32)
    cv2.resize(field, (columns, rows), fine, interpolation=cv2.INTER_LINEAR)
    return fine


def noise(shape: tuple[int, ...], wave: float, rng: np.random.Generator) -> Field:
    """Smooth noise of variance about 1, float32 (rows, columns), with waves of `wave` pixels."""
    rows, columns = shape
    wave = max(wave, 1.0)
    coarse = rng.standard_normal((int(rows / wave) + 3, int(columns / wave) + 3))
    smooth: Field = np.empty((rows, columns), np.float32)
    cv2.resize(coarse.astype(np.float32), (columns, rows), smooth, interpolation=cv2.INTER_CUBIC)
    return smooth


def _flood(depth: Field, mask: Bitmap, other: Bitmap, level: np.float32) -> None:
    """Set `depth` to `level` in the connected parts of `mask` that share no pixel with `other`."""
    count, labels = cv2.connectedComponents(mask, connectivity=4)
    if count <= 2:
        return
    apart = np.ones(count, np.bool_)
    apart[labels[(mask & other) != 0]] = False
    apart[0] = False
    if apart.any():
        depth[apart[labels]] = level
