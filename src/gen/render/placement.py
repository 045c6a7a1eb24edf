"""Where labels go: by their object, on the canvas, clear of each other."""

import math
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Box = tuple[float, float, float, float]
"""x1, y1, x2, y2 in px, x2 and y2 exclusive."""

PixelBox = tuple[int, int, int, int]
"""First and past-the-last column and row: x0, y0, x1, y1."""


def pixel_box(box: Box, hw: tuple[int, int]) -> PixelBox:
    """The pixels of a box on a canvas of (h, w): edges rounded, halves up, and at least 1 x 1.

    What leaves the canvas is cut off; of a box outside it, the nearest place at the border is left.

    Raises:
        ValueError: a coordinate that is not finite.
    """
    if not all(map(math.isfinite, box)):
        raise ValueError(f"a box has finite coordinates, not {box}")
    h, w = hw
    x0, y0, x1, y1 = (math.floor(v + 0.5) for v in box)
    x0, y0 = min(max(x0, 0), w - 1), min(max(y0, 0), h - 1)
    return x0, y0, max(min(x1, w), x0 + 1), max(min(y1, h), y0 + 1)


def place_labels(
    anchors: Sequence[Box], sizes: Sequence[tuple[int, int]], canvas_hw: tuple[int, int]
) -> list[tuple[int, int]]:
    """Top left (x, y) of each label's plate, px.

    Each label in turn takes the first free spot of: above its box at the left, inside its top left
    corner, below; then the same at the right, beside it, and inside its lower edge and centre. If
    all are taken it goes to the free spot nearest to the box; on a canvas without one it covers as
    little as it can. A plate leaves the canvas only where it is larger than it: it then starts
    at 0.

    Args:
        anchors: the objects' boxes; they may leave the canvas.
        sizes: width and height of each plate, px.
        canvas_hw: height and width of the canvas, px.

    Raises:
        ValueError: as many sizes as anchors are needed; coordinates must be finite.
    """
    if len(anchors) != len(sizes):
        raise ValueError(f"{len(anchors)} anchors but {len(sizes)} sizes")
    floor = _Floor(canvas_hw, min((h for _, h in sizes), default=1))
    placed = []
    for box, size in zip(anchors, sizes, strict=True):
        w, h = min(size[0], canvas_hw[1]), min(size[1], canvas_hw[0])
        placed.append(_place(floor, pixel_box(box, canvas_hw), w, h))
    return placed


def _place(floor: "_Floor", box: PixelBox, w: int, h: int) -> tuple[int, int]:
    spots = _spots(box, w, h, floor.hw)
    spot = next((spot for spot in spots if floor.is_free(*spot, w, h)), None)
    if spot is None:
        spot = floor.nearest(box, w, h)
    if spot is None:
        every = _spots(box, w, h, floor.hw)
        spot = min(every, key=lambda s: floor.covered(s[0], s[1], w, h))
    floor.take(*spot, w, h)
    return spot


def _spots(box: PixelBox, w: int, h: int, hw: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The spots by a box where the plate is on the canvas, best first."""
    x0, y0, x1, y1 = box
    height, width = hw
    above, below, inside = y0 - h, y1, y0
    # a plate would hide an object that is not much larger than it
    hides = 2 * w * h > (x1 - x0) * (y1 - y0)
    rows = (above, below, inside) if hides else (above, inside, below)
    wanted = [
        *((x0, y) for y in rows),
        *((x1 - w, y) for y in rows),
        (x1, y0),
        (x0 - w, y0),
        (x0, y1 - h),
        (x1 - w, y1 - h),
        ((x0 + x1 - w) // 2, (y0 + y1 - h) // 2),
    ]
    for x, y in wanted:
        if 0 <= y <= height - h:
            yield min(max(x, 0), width - w), y
    yield min(max(x0, 0), width - w), min(max(y0, 0), height - h)


class _Floor:
    """What of the canvas is taken by plates."""

    def __init__(self, hw: tuple[int, int], plate_h: int) -> None:
        self.hw = hw
        self._taken = np.zeros(hw, np.bool_)
        # the search over the whole canvas runs on cells of a quarter of a plate's height
        self._cell = max(1, plate_h // 4)
        self._cells = np.zeros((hw[0] // self._cell, hw[1] // self._cell), np.uint8)
        self._hopeless: list[tuple[int, int]] = []

    def is_free(self, x: int, y: int, w: int, h: int) -> bool:
        return not self._taken[y : y + h, x : x + w].any()

    def covered(self, x: int, y: int, w: int, h: int) -> int:
        return int(np.count_nonzero(self._taken[y : y + h, x : x + w]))

    def take(self, x: int, y: int, w: int, h: int) -> None:
        self._taken[y : y + h, x : x + w] = True
        c = self._cell
        self._cells[y // c : -(-(y + h) // c), x // c : -(-(x + w) // c)] = 1

    def nearest(self, box: PixelBox, w: int, h: int) -> tuple[int, int] | None:
        """The free spot with the smallest gap to the box, then nearest to the spot above it."""
        c = self._cell
        cols, rows = -(-w // c), -(-h // c)
        # the floor only fills up: what found no room once finds none later, nor does a larger one
        if any(cols >= across and rows >= down for across, down in self._hopeless):
            return None
        free = _free_windows(self._cells, rows, cols)
        if not free.any():
            self._hopeless.append((cols, rows))
            return None
        x0, y0, x1, y1 = box
        x = np.arange(free.shape[1], dtype=np.int64) * c
        y = np.arange(free.shape[0], dtype=np.int64)[:, None] * c
        gap = _gap(x, x + w, x0, x1) ** 2 + _gap(y, y + h, y0, y1) ** 2
        from_above = (x - x0) ** 2 + (y - (y0 - h)) ** 2
        # gap decides; the second term is below 4 H² + W² and only breaks ties
        cost = gap * (4 * self.hw[0] ** 2 + self.hw[1] ** 2 + 1) + from_above
        best = int(np.where(free, cost, np.iinfo(np.int64).max).argmin())
        row, col = divmod(best, free.shape[1])
        return col * c, row * c


def _free_windows(cells: NDArray[np.uint8], rows: int, cols: int) -> NDArray[np.bool_]:
    """Where a window of rows x cols, given by its first cell, holds no taken cell."""
    if rows > cells.shape[0] or cols > cells.shape[1]:
        return np.zeros((0, 0), np.bool_)
    total = np.asarray(cv2.integral(cells))
    taken = (
        total[rows:, cols:] - total[:-rows, cols:] - total[rows:, :-cols] + total[:-rows, :-cols]
    )
    return np.asarray(taken == 0)


def _gap(
    low: NDArray[np.int64], high: NDArray[np.int64], box_low: int, box_high: int
) -> NDArray[np.int64]:
    """Distance along one axis between spans; 0 where they touch or overlap."""
    return np.maximum(np.maximum(box_low - high, low - box_high), 0)
