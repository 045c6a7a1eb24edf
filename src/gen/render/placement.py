"""Where labels go: by their object, on the canvas, clear of each other and of the objects."""

import math
from collections.abc import Iterator, Sequence
from itertools import takewhile

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.render.fill import Crop
from gen.render.occlusion import Ints, Occlusion

Box = tuple[float, float, float, float]
"""x1, y1, x2, y2 in px, x2 and y2 exclusive."""

PixelBox = tuple[int, int, int, int]
"""First and past-the-last column and row: x0, y0, x1, y1."""

Spot = tuple[int, int]
"""Column and row of the top left of a plate."""

Candidate = tuple[float, int, int]
"""What a spot costs, in objects hidden, and the spot."""

# The usual spots: along each axis the plate ends where its box begins, begins where that ends, lies
# inside by one of its edges, or in its middle.
_LEFT, _RIGHT, _AFTER, _BEFORE, _MIDDLE = range(5)
_ABOVE, _TOP, _BELOW, _BOTTOM, _CENTRE = range(5)
_USUAL = (
    *((x, y) for x in (_LEFT, _RIGHT) for y in (_ABOVE, _TOP)),
    *((_MIDDLE, _ABOVE), (_LEFT, _BELOW), (_RIGHT, _BELOW), (_MIDDLE, _BELOW)),
    *((x, y) for y in (_TOP, _BOTTOM) for x in (_AFTER, _BEFORE)),
    *((_LEFT, _BOTTOM), (_RIGHT, _BOTTOM), (_MIDDLE, _CENTRE), (_LEFT, _TOP)),
)
_ACROSS, _DOWN = (list(axis) for axis in zip(*_USUAL, strict=True))
# Besides the objects that it hides a spot costs this for each place down the list of usual spots,
_STEP = 0.01
_STEPS = _STEP * np.arange(len(_USUAL))
# and as much as a whole object for so many heights of the plate between the plate and its box.
_FAR = 4.0
# A usual spot that costs no more is taken; else the neighbourhood is searched for a better one.
_GOOD = 0.1
# A label that costs more is left out where another one nearby says the same.
_BAD = 0.5


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
    anchors: Sequence[Box],
    sizes: Sequence[tuple[int, int]],
    canvas_hw: tuple[int, int],
    objects: Sequence[Crop] = (),
    groups: Sequence[str] | None = None,
) -> list[Spot | None]:
    """Top left (x, y) of each label's plate, px; None for a label that is left out.

    Labels are placed in turn. Each takes the free one of the usual spots that hides least of the
    objects: above its box or inside its upper corners, below it, beside it, inside its lower
    corners, in its centre; the earlier of near equals. Where all of them are taken or hide much, it
    may stand off its box, as near as it can be without hiding much. On a full canvas it covers as
    little of other plates as it can. A plate leaves the canvas only where it is larger than it: it
    then starts at 0.

    Args:
        anchors: the boxes of what is labelled; they may leave the canvas.
        sizes: width and height of each plate, px.
        canvas_hw: height and width of the canvas, px.
        objects: what should stay visible; these crops lie on the canvas.
        groups: what each label says. One that had to hide most of an object is left out if a label
            of its group is at a box nearby. None: every label is placed.

    Raises:
        ValueError: as many sizes, and groups if any, as anchors are needed; coordinates must be
            finite.
    """
    if len(anchors) != len(sizes) or (groups is not None and len(anchors) != len(groups)):
        raise ValueError(f"{len(anchors)} anchors need as many sizes and groups")
    if not anchors:
        return []
    plates = np.minimum(np.array(sizes, np.int64), canvas_hw[::-1])
    boxes = [pixel_box(box, canvas_hw) for box in anchors]
    floor = _Floor(canvas_hw, objects, int(plates[:, 1].min()))
    corners = np.array(boxes, np.int64)
    usual = floor.usual(corners, plates)
    told: dict[str, list[int]] = {}
    placed: list[Spot | None] = []
    for i, (box, (w, h)) in enumerate(zip(boxes, plates.tolist(), strict=True)):
        cost, x, y = floor.choose(box, w, h, usual[i])
        if groups is not None:
            same = told.setdefault(groups[i], [])
            if cost > _BAD and same and _nearest(corners[same], box) <= _FAR * h:
                placed.append(None)
                continue
            same.append(i)
        floor.take(x, y, w, h)
        placed.append((x, y))
    return placed


class _Floor:
    """What of the canvas is taken by plates, and what of it shows objects."""

    def __init__(self, hw: tuple[int, int], objects: Sequence[Crop], plate_h: int) -> None:
        self._hw = hw
        self._taken = np.zeros(hw, np.uint8)
        # searches run on cells of a quarter of a plate's height
        self._cell = max(1, plate_h // 4)
        self._cells = np.zeros((hw[0] // self._cell, hw[1] // self._cell), np.uint8)
        self._occlusion = Occlusion(objects, hw, self._cell)
        self._hopeless: list[tuple[int, int]] = []

    def usual(self, boxes: Ints, plates: Ints) -> list[Iterator[Candidate]]:
        """The usual spots by each box, cheapest first; those off the canvas are infinitely dear."""
        height, width = self._hw
        x0, y0, x1, y1 = boxes.T
        w, h = plates.T
        across = np.stack((x0, x1 - w, x1, x0 - w, (x0 + x1 - w) // 2), axis=1)
        down = np.stack((y0 - h, y0, y1, y1 - h, (y0 + y1 - h) // 2), axis=1)
        w, h = plates[:, :1], plates[:, 1:]
        x = np.maximum(np.minimum(across[:, _ACROSS], width - w), 0)
        y = down[:, _DOWN]
        y[:, -1:] = np.minimum(y[:, -1:], height - h)  # on the canvas whatever the box
        fits = (y >= 0) & (y <= height - h)
        y[~fits] = 0
        costs = self._occlusion.hidden(x, y, w, h) + _STEPS
        costs[~fits] = math.inf
        order = costs.argsort(axis=1, kind="stable").tolist()
        return list(map(_ranked, order, costs.tolist(), x.tolist(), y.tolist()))

    def choose(self, box: PixelBox, w: int, h: int, usual: Iterator[Candidate]) -> Candidate:
        """The best spot for a plate of w x h px, given the usual ones by its box in their order.

        Where it covers other plates the cost is infinite.
        """
        found: list[Candidate] = []
        least = (w * h + 1, 0, 0)
        for cost, x, y in takewhile(lambda one: one[0] < math.inf, usual):
            covered = self._covered(x, y, w, h)
            if not covered:
                found.append((cost, x, y))
                break
            least = min(least, (covered, x, y))
        if not found or found[0][0] > _GOOD:
            found += self._search(box, w, h, math.ceil(_FAR * h))
        if not found:
            found += self._search_all(box, w, h)
        return min(found, default=(math.inf, *least[1:]))

    def take(self, x: int, y: int, w: int, h: int) -> None:
        self._taken[y : y + h, x : x + w] = 1
        c = self._cell
        self._cells[y // c : -(-(y + h) // c), x // c : -(-(x + w) // c)] = 1

    def _covered(self, x: int, y: int, w: int, h: int) -> int:
        return cv2.countNonZero(self._taken[y : y + h, x : x + w])

    def _search_all(self, box: PixelBox, w: int, h: int) -> list[Candidate]:
        # the floor only fills up: what found no room once finds none later, nor does a larger one
        if any(w >= across and h >= down for across, down in self._hopeless):
            return []
        found = self._search(box, w, h, max(self._hw))
        if not found:
            self._hopeless.append((w, h))
        return found

    def _search(self, box: PixelBox, w: int, h: int, reach: int) -> list[Candidate]:
        """The best free spot up to `reach` px off a box, on the grid of cells, if there is one."""
        c = self._cell
        cols, rows = -(-w // c), -(-h // c)
        x0, y0, x1, y1 = box
        left, top = max(x0 - w - reach, 0) // c, max(y0 - h - reach, 0) // c
        cells = self._cells[top : (y1 + reach) // c + rows, left : (x1 + reach) // c + cols]
        if cells.shape[0] < rows or cells.shape[1] < cols:
            return []
        free = _window_sums(cells, rows, cols) == 0
        if not free.any():
            return []
        x = np.arange(left, left + free.shape[1], dtype=np.int64) * c
        y = np.arange(top, top + free.shape[0], dtype=np.int64)[:, None] * c
        off = _gaps(x, x + w, x0, x1) + _gaps(y, y + h, y0, y1)
        aside = np.abs(x - x0) + np.abs(y - (y0 - h))
        costs = self._occlusion.hidden(x, y, w, h) + (off / _FAR + aside * _STEP) / h
        best = int(np.where(free, costs, math.inf).argmin())
        row, col = divmod(best, free.shape[1])
        return [(float(costs[row, col]), int(x[col]), int(y[row, 0]))]


def _nearest(boxes: Ints, box: PixelBox) -> int:
    """How far the nearest of `boxes` (n, 4) lies from a box, across plus down, px."""
    x0, y0, x1, y1 = boxes.T
    return int((_gaps(x0, x1, box[0], box[2]) + _gaps(y0, y1, box[1], box[3])).min())


def _ranked(
    order: list[int], costs: list[float], x: list[int], y: list[int]
) -> Iterator[Candidate]:
    # most labels stand at their first spot, so the others are not made beforehand
    for k in order:
        yield costs[k], x[k], y[k]


def _window_sums(cells: NDArray[np.uint8], rows: int, cols: int) -> Ints:
    """Sums over all windows of rows x cols cells, by their first cells."""
    total = np.asarray(cv2.integral(cells), np.int64)
    return total[rows:, cols:] - total[:-rows, cols:] - total[rows:, :-cols] + total[:-rows, :-cols]


def _gaps(low: Ints, high: Ints, box_low: int, box_high: int) -> Ints:
    """Distances along one axis between spans and that of a box; 0 where they touch or overlap."""
    return np.maximum(np.maximum(box_low - high, low - box_high), 0)
