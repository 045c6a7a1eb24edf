"""Scores of predicted poses against the truth."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np
from numpy.typing import NDArray

from gen import masks
from gen.predictions.annotation import PosePrediction
from gen.predictions.assignment import best_matching
from gen.sources.records import Instance

PERSON = "person"

# How far people who label the same joint are apart, as one standard deviation in units of the
# square root of the person's area: kpt_oks_sigmas of pycocotools' cocoeval.py.
_PAIRED = (0.025, 0.035, 0.079, 0.072, 0.062, 0.107, 0.087, 0.089)
SIGMAS = np.array([0.026, *(sigma for sigma in _PAIRED for _side in "lr")])
# The similarity from which on a pose is the person's own: the loosest of COCO's thresholds.
_SAME = 0.5


@dataclass(frozen=True, slots=True)
class TruePerson:
    """A true person: `joints` is float64 (17, 3) of x, y, v; `area` in square pixels.

    `box` is x, y, width, height in pixels.
    """

    joints: NDArray[np.float64]
    area: float
    box: tuple[float, float, float, float]
    crowd: bool = False

    @property
    def ignored(self) -> bool:
        """Whether it is neither to be found nor wrong to find, as COCO has it."""
        return self.crowd or not (self.joints[:, 2] > 0).any()


def true_persons(instances: Sequence[Instance]) -> list[TruePerson]:
    """The persons among true objects, those to be ignored too. The area is that of the mask."""
    return [
        TruePerson(
            np.zeros((len(SIGMAS), 3)) if one.keypoints is None else one.keypoints,
            float(masks.area(one.rle)),
            masks.box(one.rle),
            one.crowd,
        )
        for one in instances
        if one.keypoints is not None or one.category == PERSON
    ]


def object_keypoint_similarity(
    predicted: Sequence[PosePrediction], truth: Sequence[TruePerson]
) -> NDArray[np.float64]:
    """Object keypoint similarity of each pose and person: float64 (predicted, truth), 0 to 1.

    The mean over the labelled joints (v > 0) of exp(-d^2 / (2 (2 sigma)^2 area)), d being the
    distance in pixels: `COCOeval.computeOks` of pycocotools. A joint that was not predicted adds 0.
    For a person without labelled joints d is how far a joint lies outside the person's box, doubled
    about its middle to all sides, and the mean is over all joints.
    """
    similarity = np.zeros((len(predicted), len(truth)))
    if not similarity.size:
        return similarity
    found = np.array([pose.joints for pose in predicted], np.float64)
    x, y, there = found[..., 0], found[..., 1], found[..., 2] > 0
    for column, person in enumerate(truth):
        labelled = person.joints[:, 2] > 0
        if labelled.any():
            dx, dy = x - person.joints[:, 0], y - person.joints[:, 1]
        else:
            left, top, width, height = person.box
            labelled = np.ones(len(SIGMAS), np.bool_)
            dx, dy = _outside(x, left, width), _outside(y, top, height)
        spread = 2 * (2 * SIGMAS) ** 2 * (person.area + np.spacing(1))
        alike = np.where(there, np.exp(-(dx**2 + dy**2) / spread), 0.0)
        similarity[:, column] = alike[:, labelled].mean(axis=1)
    return similarity


def pose_score(
    predicted: Sequence[PosePrediction], persons: Sequence[TruePerson]
) -> tuple[float, dict[str, float]]:
    """The final score, 0 to 10, of the poses on a photo, and the values that it is made of.

    10 * sum of OKS / max(predicted, true), the sum over the one-to-one matching that makes it
    greatest. Nothing predicted where nothing is true is 10. As in COCO's evaluation, a pose that is
    no labelled person at OKS 0.5 but is an ignored one is left out of the count: of a person
    without labelled joints one pose, in a crowd all of them. What OKS it has with a labelled person
    counts all the same, or a pose that strays near a crowd would be worth less than elsewhere.

    Metrics: `sum_oks`, `matched` (pairs of OKS 0.5 or more), `predicted`, `true`.
    """
    truth = [person for person in persons if not person.ignored]
    similarity = object_keypoint_similarity(predicted, truth)
    pairs = similarity[best_matching(similarity)]
    counted = len(predicted) - int(_excused(predicted, persons, similarity).sum())
    total = fsum(pairs.tolist())
    metrics = {
        "sum_oks": total,
        "matched": float((pairs >= _SAME).sum()),
        "predicted": float(counted),
        "true": float(len(truth)),
    }
    most = max(counted, len(truth))
    return (10.0 * total / most if most else 10.0), metrics


def _excused(
    predicted: Sequence[PosePrediction],
    persons: Sequence[TruePerson],
    similarity: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Which poses belong to persons that are ignored, bool (predicted,)."""
    excused = np.zeros(len(predicted), np.bool_)
    free = np.flatnonzero(similarity.max(axis=1, initial=0.0) < _SAME)
    ignored = [person for person in persons if person.ignored]
    if not free.size or not ignored:
        return excused
    inside = object_keypoint_similarity([predicted[row] for row in free.tolist()], ignored)
    inside[inside < _SAME] = 0.0
    crowd = np.array([person.crowd for person in ignored])
    excused[free] = inside[:, crowd].any(axis=1)
    inside[excused[free]] = 0.0
    rows, _ = best_matching(inside[:, ~crowd])
    excused[free[rows]] = True
    return excused


def _outside(values: NDArray[np.float64], start: float, extent: float) -> NDArray[np.float64]:
    """How far values lie outside the span that reaches as far again beyond both of its ends."""
    below, above = (start - extent) - values, values - (start + 2 * extent)
    return np.asarray(np.maximum(below, 0) + np.maximum(above, 0))
