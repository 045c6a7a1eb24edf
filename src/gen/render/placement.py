"""Where labels go: by their object, on the canvas, clear of each other and of the objects."""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.render.fill import Crop
from gen.render.occlusion import Occlusion

Box = tuple[float, float, float, float]
"""x1, y1, x2, y2 in px, x2 and y2 exclusive."""

PixelBox = tuple[int, int, int, int]
"""First and past-the-last column and row: x0, y0, x1, y1."""

Spot = tuple[int, int]
"""Column and row of the top left of a plate."""

# What a spot costs, in objects hidden: this for each place down the list of the usual spots,
_STEP = 0.01
# and one whole object for so many heights of the plate between the plate and its box.
_FAR = 4.0
# A usual spot that costs no more is taken; else the neighbourhood is searched for a better one.
_GOOD = 0.1
# A label that hides more than this is left out where another one says the same nearby.
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
    objects: above its box at the left, inside its top left corner, below; the same at the right;
    beside it; inside its lower edge and centre; the earlier of equals. Where all of them are taken
    or hide much, it may stand off its box, as near as it can be without hiding much. On a full
    canvas it covers as little of other plates as it can. A plate leaves the canvas only where it
    is larger than it: it then starts at 0.

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
    spots, costs = floor.usual(np.array(boxes, np.int64), plates)
    ranks = costs.argsort(axis=1, kind="stable")
    said: dict[str, list[PixelBox]] = {}
    placed: list[Spot | None] = []
    for i, (box, (w, h)) in enumerate(zip(boxes, plates.tolist(), strict=True)):
        usual = ((tuple(spots[i, k].tolist()), float(costs[i, k])) for k in ranks[i].tolist())
        spot = floor.choose(box, w, h, usual)
        if groups is not None:
            near = said.setdefault(groups[i], [])
            if floor.hidden(spot, w, h) > _BAD and any(_apart(box, one) <= _FAR * h for one in near):
                placed.append(None)
                continue
            near.append(box)
        floor.take(*spot, w, h)
        placed.append(spot)
    return placed
