"""Errors of pose estimators: joints that stray, change sides or persons, or are not found.

The kinds are those of Ronchi and Perona, Benchmarking and Error Diagnosis in Multi-Instance Pose
Estimation (ICCV 2017). All take 1 to 5 for the severity; a greater one is the same error and more.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, cycle, islice

import numpy as np
from numpy.typing import NDArray

from gen.predictions.metrics.keypoints import SIGMAS
from gen.predictions.skeleton import LIMBS

# Standard deviation at severity 1 to 5, in units of a joint's tolerance, 2 sigma sqrt(area).
_JITTER = (0.3, 0.55, 0.85, 1.25, 1.8)
# The least and the most of it that a person gets.
_UNEVEN = (0.6, 1.4)
# The share at severity 1 to 5 of all joints that can change sides, or persons.
_EXCHANGED = (0.2, 0.4, 0.6, 0.8, 1.0)
# Parts of a body that are taken for those of the other side, from the free ends to the body.
_SIDES = (((9, 10), (7, 8), (5, 6)), ((15, 16), (13, 14), (11, 12)), ((1, 2), (3, 4)))
# Persons change joints up to this distance between their middles, in units of their mean size.
_NEAR = 3.0
# The share of what can be missed at severity 1 to 5.
_MISSED = (0.15, 0.3, 0.45, 0.65, 0.85)
# Persons are missed whole and in part by turns; this is the part.
_PART = 0.6
# So many more poses than persons at severity 1 to 5, as a share of the persons.
_DUPLICATED = (0.2, 0.4, 0.6, 0.8, 1.0)
# What a second pose of a person is off by: least and most shift as a share of the person's size,
# stretch as the logarithm of the factor, and the stray of its joints as in jitter.
_COPY_SHIFT, _COPY_STRETCH, _COPY_STRAY = (0.05, 0.2), 0.1, 0.4
# Hidden joints are so many times as likely to be missed before others.
_HIDDEN = 3.0


@dataclass(frozen=True, slots=True)
class Person:
    """A person on a photo: `joints` is float64 (17, 3) of x, y, v; `area` in square pixels."""

    joints: NDArray[np.float64]
    area: float

    @property
    def found(self) -> NDArray[np.bool_]:
        """Which joints there are, bool (17,)."""
        return np.asarray(self.joints[:, 2] > 0)

    @property
    def size(self) -> float:
        """The square root of the area: the unit of errors, in pixels."""
        return float(self.area**0.5)

    @property
    def middle(self) -> NDArray[np.float64]:
        """The mean x and y of the joints."""
        return np.asarray(self.joints[self.found, :2].mean(axis=0))


Frame = tuple[int, int]
"""Height and width of the photo."""

Perturbation = Callable[[Sequence[Person], int, np.random.Generator, Frame], list[Person]]


def jitter(
    persons: Sequence[Person], severity: int, rng: np.random.Generator, frame: Frame
) -> list[Person]:
    """All joints stray, by normal draws in units of their tolerance; those of some persons more."""
    limit = np.array([frame[1] - 1, frame[0] - 1], np.float64)
    result = []
    for person in persons:
        drawn = rng.uniform(*_UNEVEN) * rng.standard_normal((len(SIGMAS), 2))
        shift = _JITTER[severity - 1] * 2 * person.size * SIGMAS[:, None] * drawn
        joints = person.joints.copy()
        # Cut off at the border, joints would gather there; they stray to the other side instead.
        moved = joints[:, :2] + shift
        moved = np.where((moved < 0) | (moved > limit), joints[:, :2] - shift, moved)
        joints[person.found, :2] = moved.clip(0.0, limit)[person.found]
        result.append(replace(person, joints=joints))
    return result


def inversion(
    persons: Sequence[Person], severity: int, rng: np.random.Generator, frame: Frame
) -> list[Person]:
    """From a fifth to all of the joints are taken for their counterparts on the other side."""
    steps = []
    for index in _by_size(persons, rng):
        found = persons[index].found
        parts = [_SIDES[part] for part in rng.permutation(len(_SIDES))]
        steps += [
            ((index, left), (index, right))
            for part in parts
            for left, right in part
            if found[left] or found[right]
        ]
    return _exchanged(persons, steps, severity)


def swap(
    persons: Sequence[Person], severity: int, rng: np.random.Generator, frame: Frame
) -> list[Person]:
    """Persons near each other change joints, limb by limb: at most half of those that they have.

    With more than half, each would again have one person's joints, only under the other's name.
    """
    steps = []
    for first, second in _neighbours(persons):
        found = persons[first].found | persons[second].found
        limbs = [LIMBS[limb] for limb in rng.permutation(len(LIMBS))]
        changing = [joint for limb in limbs for joint in limb if found[joint]]
        most = max(1, int(found.sum()) // 2)
        steps += [((first, joint), (second, joint)) for joint in changing[:most]]
    return _exchanged(persons, steps, severity)


def missed(
    persons: Sequence[Person], severity: int, rng: np.random.Generator, frame: Frame
) -> list[Person]:
    """Joints and whole persons are not found; a person without any joint is not reported."""
    costs = list(islice(cycle((1.0, _PART)), len(persons)))
    amount = _MISSED[severity - 1] * sum(costs)
    result: list[Person | None] = list(persons)
    for index, cost in zip(_by_size(persons, rng), costs, strict=True):
        person = persons[index]
        there = np.flatnonzero(person.found)
        weight = np.where(person.joints[there, 2] == 1, _HIDDEN, 1.0)
        order = there[np.argsort(rng.standard_exponential(len(there)) / weight, kind="stable")]
        lost = round(min(cost, max(0.0, amount)) * len(there))
        amount -= cost
        joints = person.joints.copy()
        joints[order[:lost]] = 0.0
        result[index] = replace(person, joints=joints) if lost < len(there) else None
    return [person for person in result if person is not None]


def duplicate(
    persons: Sequence[Person], severity: int, rng: np.random.Generator, frame: Frame
) -> list[Person]:
    """Persons are reported again, a little off and by turns in part: as often as the severity or up
    to once each.

    It sets off `missed`: without it, more joints would always be better.
    """
    limit = np.array([frame[1] - 1, frame[0] - 1], np.float64)
    order = _by_size(persons, rng)
    copies = max(severity, round(_DUPLICATED[severity - 1] * len(persons)))
    result = list(persons)
    for turn, index in enumerate(islice(cycle(order), copies)):
        person = persons[index]
        angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(*_COPY_SHIFT) * person.size
        stretch = np.exp(rng.uniform(-_COPY_STRETCH, _COPY_STRETCH, 2))
        stray = _COPY_STRAY * 2 * person.size * SIGMAS[:, None] * rng.standard_normal((17, 2))
        joints = person.joints.copy()
        moved = person.middle + (joints[:, :2] - person.middle) * stretch + stray
        moved += reach * np.array([np.cos(angle), np.sin(angle)])
        joints[:, :2] = np.where(person.found[:, None], moved.clip(0.0, limit), 0.0)
        there = rng.permutation(np.flatnonzero(person.found))
        if turn % 2:
            joints[there[: int((1 - _PART) * len(there))]] = 0.0
        result.append(replace(person, joints=joints))
    return result


PERTURBATIONS: Mapping[str, Perturbation] = {
    "jitter": jitter,
    "inversion": inversion,
    "swap": swap,
    "missed": missed,
    "duplicate": duplicate,
}

_Step = tuple[tuple[int, int], tuple[int, int]]


def _exchanged(persons: Sequence[Person], steps: Sequence[_Step], severity: int) -> list[Person]:
    """The persons after a share of `steps`: exchanges of two joints, each (person, joint)."""
    joints = np.array([person.joints for person in persons])
    taken = max(severity, round(_EXCHANGED[severity - 1] * len(steps)))
    for one, other in steps[:taken]:
        joints[one], joints[other] = joints[other].copy(), joints[one].copy()
    changed = [replace(one, joints=own) for one, own in zip(persons, joints, strict=True)]
    return [person for person in changed if person.found.any()]


def _by_size(persons: Sequence[Person], rng: np.random.Generator) -> list[int]:
    """All indices in random order, large persons sooner, so that an error can be seen."""
    keys = rng.standard_exponential(len(persons)) / [max(1.0, one.size) for one in persons]
    return [int(index) for index in np.argsort(keys, kind="stable")]


def _neighbours(persons: Sequence[Person]) -> Iterator[tuple[int, int]]:
    """Pairs of persons near each other, the nearest first, each person in one pair at most."""
    apart = sorted(
        (
            float(np.hypot(*(persons[a].middle - persons[b].middle)))
            / max(1.0, (persons[a].size + persons[b].size) / 2),
            a,
            b,
        )
        for a, b in combinations(range(len(persons)), 2)
    )
    taken: list[int] = []
    for distance, a, b in apart:
        if distance <= _NEAR and a not in taken and b not in taken:
            taken += [a, b]
            yield a, b
