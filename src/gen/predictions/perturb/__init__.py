"""Errors that real detectors make, made on purpose: one function for each kind."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from gen.predictions.perturb import background, labels, shapes
from gen.predictions.perturb.scene import R, Scene

SEVERITIES = (1, 2, 3, 4, 5)


class Perturbation(Protocol):
    """`objects` with one kind of error, from 1 (slight) to 5 (gross); the input is not changed.

    With equal random numbers, a greater severity is the same error on the same objects, and more.
    """

    def __call__(
        self, objects: Sequence[R], severity: int, rng: np.random.Generator, scene: Scene[R]
    ) -> list[R]: ...


PERTURBATIONS: Mapping[str, Perturbation] = {
    "localisation": shapes.localisation,
    "wrong_class": labels.wrong_class,
    "duplicate": labels.duplicate,
    "missed": labels.missed,
    "background_false_positive": background.background_false_positive,
    "merged": shapes.merged,
    "split": shapes.split,
    "ragged_boundary": shapes.ragged_boundary,
}
