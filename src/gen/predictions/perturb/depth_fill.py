"""A measured depth map made whole, as a network that sees the photo would give it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.sources.records import Depth

Field = NDArray[np.float32]

# The longer side of the maps that errors are made on: networks work at about that size.
_LONGER = 640
# The edge-preserving smoother: how far it reaches in pixels squared, which difference of colour
# counts as an edge (of 255), how often it goes over the map.
_REACH, _EDGE, _ROUNDS = 4000.0, 6.0, 3
# Where measurements cover this share of a neighbourhood (standard deviations in pixels, the wider
# one first), their mean stands in place of what came from farther away.
_COVERED, _NEIGHBOURHOODS = 0.35, (4.0, 1.0)
_LEAST = 1e-300
# Lines along the edges of a photo are a frame, no scene, if their values (of 255) differ by less
# than this; the line that borders on the scene is mixed of both, and left out too.
_PLAIN, _MIXED = 40, 2


def working_size(height: int, width: int) -> tuple[int, int]:
    """The height and width of the maps that errors are made on, for a photo of that size."""
    shrink = min(1.0, _LONGER / max(height, width))
    return max(1, round(height * shrink)), max(1, round(width * shrink))


def filled(depth: Depth, photo: NDArray[np.uint8]) -> Field:
    """The disparity of every pixel, float32 of `working_size`, from what was measured of it.

    Gaps take over what lies around them, up to the edges of the photo (RGB, of the size of
    `depth`). Noise and ragged rims of the sensor go.
    """
    rows, columns = working_size(*depth.disparity.shape)
    measured = _resized(depth.valid.astype(np.float32), rows, columns)
    disparity = _resized(depth.disparity, rows, columns)
    total, weight = _smoothed(
        np.stack([disparity, measured], axis=-1).astype(np.float64),
        _resized(_unframed(photo), rows, columns),
    )
    found = (total / np.maximum(weight, _LEAST)).astype(np.float32)
    for width in _NEIGHBOURHOODS:
        covered = cv2.GaussianBlur(measured, (0, 0), width)
        near = cv2.GaussianBlur(disparity, (0, 0), width) / np.maximum(covered, 1e-6)
        found += np.clip(covered / _COVERED, 0.0, 1.0) * (near - found)
    return found


def _unframed(photo: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """`photo` with the scene's outermost lines in place of a plain frame.

    A frame would else carry depth along the edges of the photo, from one side to the other.
    """
    top, bottom = _scene(np.ptp(photo, axis=1).max(axis=-1))
    left, right = _scene(np.ptp(photo, axis=0).max(axis=-1))
    inside = photo[top:bottom, left:right]
    around = ((top, photo.shape[0] - bottom), (left, photo.shape[1] - right), (0, 0))
    return np.pad(inside, around, mode="edge")


def _scene(spread: NDArray[np.uint8]) -> tuple[int, int]:
    """The first line inside the frame and the first one behind it; `spread` is that of lines."""
    (busy,) = np.nonzero(spread >= _PLAIN)
    if not busy.size:
        return 0, len(spread)
    first, behind = int(busy[0]), int(busy[-1]) + 1
    first += _MIXED if first else 0
    behind -= _MIXED if behind < len(spread) else 0
    return (first, behind) if first < behind else (0, len(spread))


def _resized(values: NDArray[np.generic], rows: int, columns: int) -> Field:
    field = values.astype(np.float32)
    if field.shape[:2] == (rows, columns):
        return field
    return np.asarray(cv2.resize(field, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)


def _smoothed(
    layers: NDArray[np.float64], guide: Field
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two layers (rows, columns, 2), smoothed but for the edges of `guide` (rows, columns, 3).

    Min et al., Fast Global Image Smoothing Based on Weighted Least Squares, IEEE TIP 2014: rows and
    columns in turn, each an exact solution in one dimension, with less and less strength (eq. 19).
    """
    across = np.exp(-np.linalg.norm(np.diff(guide, axis=1), axis=-1) / _EDGE).astype(np.float64)
    down = np.exp(-np.linalg.norm(np.diff(guide, axis=0), axis=-1) / _EDGE).astype(np.float64)
    for turn in range(_ROUNDS):
        strength = 1.5 * 4.0 ** (_ROUNDS - 1 - turn) / (4.0**_ROUNDS - 1) * _REACH
        layers = _solved(layers.swapaxes(0, 1), strength * across.T).swapaxes(0, 1)
        layers = _solved(layers, strength * down)
    return layers[..., 0], layers[..., 1]


def _solved(right: NDArray[np.float64], links: NDArray[np.float64]) -> NDArray[np.float64]:
    """The tridiagonal systems along the first axis of `right` (n, lines, layers).

    `links` (n - 1, lines) binds each element to the next one. Thomas's algorithm.
    """
    count, lines = right.shape[:2]
    out = np.ascontiguousarray(right).copy()
    ratio = np.zeros((count, lines))
    before = np.zeros(lines)
    for row in range(count):
        after = links[row] if row < count - 1 else np.zeros(lines)
        pivot = 1.0 + before + after
        if row:
            pivot -= before * ratio[row - 1]
            out[row] += before[:, None] * out[row - 1]
        ratio[row] = after / pivot
        out[row] /= pivot[:, None]
        before = after
    for row in range(count - 2, -1, -1):
        out[row] += ratio[row][:, None] * out[row + 1]
    return out
