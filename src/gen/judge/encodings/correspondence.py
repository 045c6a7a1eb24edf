"""Which things of several predictions are at the same place, so that they can share a color."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gen.predictions.assignment import best_matching

Box = tuple[float, float, float, float]


def numbers(options: Sequence[Sequence[Box]], available: int) -> list[list[int]]:
    """A number from 0 for each box x1, y1, x2, y2 of each option; at the same place, the same one.

    Options are matched one by one, by the greatest total intersection over union. Each number
    occurs once in an option. The order of the options makes no difference, or the color of a thing
    would tell which option it is in. Where more than `available` numbers would be needed, each
    option counts its own boxes.
    """
    found: list[list[int]] = [[] for _ in options]
    known: list[Box] = []
    for option in sorted(range(len(options)), key=lambda i: (-len(options[i]), *options[i])):
        boxes = options[option]
        rows, columns = best_matching(_overlaps(boxes, known))
        same = dict(zip(rows.tolist(), columns.tolist(), strict=True))
        for row, box in enumerate(boxes):
            found[option].append(same.get(row, len(known)))
            if row not in same:
                known.append(box)
    return found if len(known) <= available else [list(range(len(boxes))) for boxes in options]


def _overlaps(boxes: Sequence[Box], known: Sequence[Box]) -> NDArray[np.float64]:
    """Intersection over union, float64 (boxes, known); the union is never 0."""
    a = np.array(boxes, np.float64).reshape(-1, 1, 4)
    b = np.array(known, np.float64).reshape(1, -1, 4)
    sides = np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2])
    shared = np.prod(sides.clip(0.0), axis=-1)
    areas = [np.prod(one[..., 2:] - one[..., :2], axis=-1) for one in (a, b)]
    return np.asarray(shared / np.maximum(areas[0] + areas[1] - shared, 1e-9))
