"""So that how much there is to see in a prediction does not tell how good it is.

Most mistakes add something or take something away, so the better answer has fewer objects, or
shorter outlines, far more often than not. Each next pair is therefore chosen against what the
pairs before it would teach: among those that differ in much the same way, the better one has more
in about half.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import floor, log2

from gen.judge.bulk import Bulk

Kind = tuple[int, ...]
Contrast = Mapping[Kind, int]
"""How two predictions of a pair differ at a glance: a direction for each kind of difference.

The direction is 1 where the better one has more, -1 where it has less. A kind is equal for pairs
that differ alike, whichever is the better one.
"""

# Sizes are compared in steps of powers of two, from a 64th on: below, a difference is noise.
_LEAST = 2.0**-6


def contrast(better: Bulk, worse: Bulk) -> Contrast:
    """How a pair differs: in each measure by how much, in any two, and in all of them together."""
    steps = [_step(one, two) for one, two in zip(better.values, worse.values, strict=True)]
    found: dict[Kind, int] = {}
    for first, second in combinations_with_replacement(range(len(steps)), 2):
        _note(found, (first, second), (steps[first], steps[second]))
    _note(found, (), [_sign(step) for step in steps])
    return found


def _note(found: dict[Kind, int], measures: Kind, steps: Sequence[int]) -> None:
    """Add these steps as a kind of difference; the opposite steps are the same kind."""
    direction = next((_sign(step) for step in steps if step), 0)
    if direction:
        found[*measures, *(step * direction for step in steps)] = direction


def _step(one: float, other: float) -> int:
    """The relative difference of two sizes, in powers of two from `_LEAST` on, with its sign."""
    if one == other:
        return 0
    share = abs(one - other) / max(one, other)
    return _sign(one - other) * (1 + floor(log2(max(share, _LEAST) / _LEAST)))


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


@dataclass(slots=True)
class Balance:
    """For each kind of difference, by how many pairs more the better one had more so far."""

    excess: Counter[Kind] = field(default_factory=Counter)

    def score(self, found: Contrast) -> int:
        """Above 0 if one who goes by all pairs so far would answer this one, below if wrongly."""
        return sum(self.excess[kind] * direction for kind, direction in found.items())

    def add(self, found: Contrast) -> None:
        """A pair with this contrast has been dealt."""
        self.excess.update(found)
