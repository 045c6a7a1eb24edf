"""Predictions made from the truth, by kind of error and severity: one module a kind of task."""

from collections.abc import Callable, Collection, Iterator, Mapping

from gen.predictions.annotation import Annotation
from gen.predictions.perturb import PERTURBATIONS
from gen.predictions.perturb.depth import DEPTH_PERTURBATIONS
from gen.predictions.perturb.keypoints import PERTURBATIONS as KEYPOINT_PERTURBATIONS
from gen.predictions.perturb.referring import PERTURBATIONS as REFERRING_PERTURBATIONS
from gen.predictions.perturb.semantic import LABEL_ERRORS
from gen.predictions.synthetic import depth, keypoints, objects, referring, semantic
from gen.schema import SyntheticPredictions, Task
from gen.sources.records import Source

_Maker = Callable[[Source, str, Task, SyntheticPredictions, int], Iterator[Annotation]]

_FAMILIES: Mapping[str, _Maker] = {
    "instances": objects.mask_annotations,
    "boxes": objects.box_annotations,
    "referring": referring.annotations,
    "depth": depth.annotations,
    "semantic": semantic.annotations,
    "keypoints": keypoints.annotations,
}

_ERRORS: Mapping[str, Collection[str]] = {
    "instances": PERTURBATIONS,
    "boxes": PERTURBATIONS,
    "referring": REFERRING_PERTURBATIONS,
    "depth": DEPTH_PERTURBATIONS,
    "semantic": LABEL_ERRORS,
    "keypoints": KEYPOINT_PERTURBATIONS,
}


def known_errors(task: Task) -> Collection[str]:
    """The kinds of error that predictions of this task can be given."""
    return _ERRORS[task.family]


def annotations(
    source: Source, image_id: str, task: Task, settings: SyntheticPredictions, seed: int
) -> Iterator[Annotation]:
    """All predictions for one photo: each group, each of `settings.error_types`, severity 0 to 5.

    Equal arguments give equal predictions: each group and kind has a random stream of its own.
    Severity 0 is the truth, drawn afresh as all predictions are.
    """
    return _FAMILIES[task.family](source, image_id, task, settings, seed)
