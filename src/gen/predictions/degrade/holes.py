"""Parts of a photo cut out: scratches, strokes of a pen, blobs, rectangles, shapes of objects."""

from collections.abc import Callable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.degrade.degraded import Degraded
from gen.schema import Holes

Mask = NDArray[np.bool_]
Rgb = NDArray[np.uint8]

GREY = 128
"""What is cut out is shown in this grey."""

# A hole is drawn piece by piece until it is as large as was drawn; no piece is worth more tries.
_MOST_PIECES = 200
# Shapes of objects are found on a photo of this longer side.
_COARSE = 128
# Lines are drawn with so many corners.
_CORNERS = 24


def degrade(photo: Rgb, settings: Holes, rng: np.random.Generator) -> Degraded:
    """`photo` (RGB uint8) with holes of one kind, filled with flat grey.

    Each kind that may be more than nothing of the photo is as likely as another. The hole is at
    least as large as the share that is drawn for it, by at most one piece more.
    """
    spans: Mapping[str, tuple[float, float]] = {
        name: span for name in _KINDS if (span := getattr(settings, name))[1] > 0
    }
    kind = list(spans)[int(rng.integers(len(spans)))]
    share = float(rng.uniform(*spans[kind]))
    width = float(rng.uniform(*settings.width)) * max(photo.shape)
    hole = np.zeros(photo.shape[:2], np.bool_)
    for _ in range(_MOST_PIECES):
        if hole.mean() >= share:
            break
        piece = float(rng.uniform(*settings.piece))
        hole |= _KINDS[kind](photo, piece, width, rng)
    picture = np.where(hole[..., None], np.uint8(GREY), photo)
    details = {
        "kind": "holes",
        "form": kind,
        "share": round(float(hole.mean()), 4),
        "width": round(width, 2) if kind in _LINES else None,
        "grey": GREY,
    }
    return Degraded(photo, picture, picture, details, hole=hole)


def _scratch(photo: Rgb, piece: float, width: float, rng: np.random.Generator) -> Mask:
    """A thin line that is nearly straight, from one side of the photo to beyond the other."""
    shape = photo.shape[:2]
    reach = max(shape)
    turn = rng.uniform(0, np.pi)
    along = np.array([np.cos(turn), np.sin(turn)])
    across = np.array([-along[1], along[0]])
    middle = rng.uniform(0.1, 0.9, 2) * (shape[1], shape[0])
    way = np.linspace(-0.5, 0.5, _CORNERS) * reach * rng.uniform(0.4, 1.4)
    bend = np.cumsum(rng.normal(0, 0.006 * reach, _CORNERS))
    points = middle + way[:, None] * along + bend[:, None] * across
    return _line(shape, points, max(1.0, width * rng.uniform(0.25, 0.5)))


def _stroke(photo: Rgb, piece: float, width: float, rng: np.random.Generator) -> Mask:
    """A thick line that bends as one drawn by hand."""
    shape = photo.shape[:2]
    step = 0.03 * max(shape)
    turns = rng.uniform(0, 2 * np.pi) + np.cumsum(np.cumsum(rng.normal(0, 0.09, _CORNERS)))
    steps = step * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    start = rng.uniform(0.05, 0.95, 2) * (shape[1], shape[0])
    return _line(shape, start + np.cumsum(steps, axis=0), width * rng.uniform(0.8, 1.3))


def _blob(photo: Rgb, piece: float, width: float, rng: np.random.Generator) -> Mask:
    """A round patch with an uneven rim."""
    shape = photo.shape[:2]
    radius = np.sqrt(piece * shape[0] * shape[1] / np.pi)
    middle = rng.uniform(0.05, 0.95, 2) * shape
    y, x = np.indices(shape)
    y, x = y - middle[0], x - middle[1]
    turn = np.arctan2(y, x)
    rim = np.full(shape, radius)
    for wave in (2, 3, 5):
        rim += radius * rng.uniform(0.04, 0.18) * np.cos(wave * turn + rng.uniform(0, 2 * np.pi))
    return np.asarray(np.hypot(y, x) <= rim)


def _rectangle(photo: Rgb, piece: float, width: float, rng: np.random.Generator) -> Mask:
    """An upright rectangle."""
    shape = photo.shape[:2]
    area = piece * shape[0] * shape[1]
    form = rng.uniform(0.5, 2.0)
    rows = min(round(float(np.sqrt(area * form))), shape[0] // 2)
    columns = min(round(float(np.sqrt(area / form))), shape[1] // 2)
    top = int(rng.integers(shape[0] - rows + 1))
    left = int(rng.integers(shape[1] - columns + 1))
    hole = np.zeros(shape, np.bool_)
    hole[top : top + rows, left : left + columns] = True
    return hole


def _object(photo: Rgb, piece: float, width: float, rng: np.random.Generator) -> Mask:
    """What belongs to a place in the photo: its outline follows the edges there.

    The pixels with the cheapest way to a seed, where a step costs a little for its length and more
    for the change of colour on it (geodesic segmentation: Bai and Sapiro, ICCV 2007).
    """
    from skimage.graph import MCP_Geometric

    shape = photo.shape[:2]
    scale = min(1.0, _COARSE / max(shape))
    small = max(8, round(shape[1] * scale)), max(8, round(shape[0] * scale))
    soft = cv2.GaussianBlur(cv2.resize(photo, small, interpolation=cv2.INTER_AREA), (0, 0), 1.0)
    lab = cv2.cvtColor(soft, cv2.COLOR_RGB2LAB).astype(np.float64)
    down, across = np.gradient(lab, axis=(0, 1))
    change = np.sqrt((down**2 + across**2).sum(axis=2))
    rows, columns = change.shape
    seed = int(rng.uniform(0.05, 0.95) * rows), int(rng.uniform(0.05, 0.95) * columns)
    costs, _ = MCP_Geometric(0.5 + change).find_costs([seed])
    near = (costs <= np.quantile(costs, piece)).astype(np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    closed = cv2.morphologyEx(near, cv2.MORPH_CLOSE, kernel).astype(np.float32)
    large = cv2.resize(closed, shape[::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(cv2.GaussianBlur(large, (0, 0), max(0.6 / scale, 0.3)) > 0.5)


def _line(shape: tuple[int, ...], points: NDArray[np.float64], width: float) -> Mask:
    canvas = np.zeros(shape[:2], np.uint8)
    cv2.polylines(canvas, [np.rint(points).astype(np.int32)], False, 1, max(1, round(width)))
    return canvas > 0


_KINDS: Mapping[str, Callable[[Rgb, float, float, np.random.Generator], Mask]] = {
    "scratches": _scratch,
    "strokes": _stroke,
    "blobs": _blob,
    "rectangles": _rectangle,
    "objects": _object,
}
_LINES = ("scratches", "strokes")
