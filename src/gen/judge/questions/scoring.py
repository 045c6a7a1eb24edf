"""Scorings: which predictions of a group are scored, or ranked, and in what order."""

from collections.abc import Sequence

import numpy as np


def spread(scores: Sequence[float], count: int) -> list[int]:
    """Indices of `count` scores spread evenly over the range of `scores`, best first.

    `scores` descend. The best and the worst are always taken; between them, each of the evenly
    spaced targets takes the nearest score that leaves enough for the targets after it. A single one
    is the middle one. All indices are returned where there are no more than `count`.
    """
    if len(scores) <= count:
        return list(range(len(scores)))
    if count == 1:
        return [len(scores) // 2]
    taken: list[int] = []
    targets = np.linspace(scores[0], scores[-1], count)
    for position, target in enumerate(targets):
        first = taken[-1] + 1 if taken else 0
        last = len(scores) - (count - position)
        window = range(first, last + 1)
        taken.append(min(window, key=lambda index: (abs(scores[index] - target), index)))
    return taken
