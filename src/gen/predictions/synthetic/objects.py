"""Boxes and masks of objects, made from the truth."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from gen import rng
from gen.masks import Rle
from gen.predictions.annotation import Annotation, Prediction
from gen.predictions.groups import Group, class_groups, with_mistakes
from gen.predictions.metrics.objects import P, box_score, instance_score
from gen.predictions.perturb import PERTURBATIONS, SEVERITIES
from gen.predictions.perturb.box_region import BoxRegion
from gen.predictions.perturb.mask_region import MaskRegion
from gen.predictions.perturb.scene import R, Scene
from gen.schema import SyntheticPredictions, Task
from gen.sources.records import Source, Truth

_SOURCE = "synthetic"


@dataclass(frozen=True, slots=True)
class Form(Generic[R, P]):
    """Objects as boxes or as masks: how they are made from a true mask, stored and scored.

    `region` gives None for an empty mask.
    """

    region: Callable[[str, Rle], R | None]
    prediction: Callable[[R], P]
    score: Callable[[Sequence[P], Sequence[P], Sequence[P]], tuple[float, dict[str, float]]]


MASKS = Form(MaskRegion.of, MaskRegion.prediction, instance_score)
BOXES = Form(BoxRegion.of, BoxRegion.prediction, box_score)


def mask_annotations(
    source: Source, image_id: str, task: Task, settings: SyntheticPredictions, seed: int
) -> Iterator[Annotation]:
    """`perturbed` masks of one photo of a source."""
    truth, categories = source.truth(image_id), source.categories()
    return perturbed(truth, categories, task.name, settings, seed, MASKS)


def box_annotations(
    source: Source, image_id: str, task: Task, settings: SyntheticPredictions, seed: int
) -> Iterator[Annotation]:
    """`perturbed` boxes of one photo of a source."""
    truth, categories = source.truth(image_id), source.categories()
    return perturbed(truth, categories, task.name, settings, seed, BOXES)


def perturbed(
    truth: Truth,
    categories: Mapping[str, str],
    task: str,
    settings: SyntheticPredictions,
    seed: int,
    form: Form[R, P],
) -> Iterator[Annotation]:
    """All predictions of one form for a photo: each group, kind of error and severity 0 to 5.

    The groups are every class with an object of `min_area` pixels, and these classes together. The
    kind wrong_class names in `class_of_interest` the class that is mistaken for it, too, which is
    one of `categories` (as `Source.categories` gives them). Severity 0 is the truth, drawn afresh
    as all predictions are. Where an error finds nothing more to do (no room for a false object, a
    mask too small to split), its prediction would equal another one of the group and is left out.
    Crowd regions are never predicted, and not scored.

    Equal arguments give equal predictions: each group and kind has a random stream of its own.
    """
    photo = _Photo(truth, seed, form)
    for error_type in settings.error_types:
        for group in photo.groups(settings, categories, error_type):
            seen: list[Prediction] = []
            for severity in (0, *SEVERITIES):
                predicted = photo.predict(group, error_type, severity)
                if predicted in seen:
                    continue
                seen.append(predicted)
                score, metrics = photo.score(group, predicted)
                image = truth.photo.image_id
                yield Annotation(
                    rng.opaque_id(seed, task, image, *group.classes, error_type, severity),
                    image,
                    task,
                    group.classes,
                    error_type,
                    severity,
                    None,
                    _SOURCE,
                    predicted,
                    score,
                    metrics,
                )


class _Photo(Generic[R, P]):
    """The true objects of one photo, and what has been reported of it so far."""

    def __init__(self, truth: Truth, seed: int, form: Form[R, P]) -> None:
        self._image = truth.photo.image_id
        self._frame = (truth.photo.height, truth.photo.width)
        self._seed = seed
        self._form: Form[R, P] = form
        self._objects: list[R] = []
        self._reports: dict[tuple[str, str], tuple[R, P]] = {}
        self._crowd: list[R] = []
        self._true: list[P] = []
        self._ignored: list[P] = []
        for instance in truth.instances:
            item = form.region(instance.category, instance.rle)
            if item is None:
                continue
            if instance.crowd:
                self._crowd.append(item)
                self._ignored.append(form.prediction(item))
                continue
            self._objects.append(item)
            self._true.append(form.prediction(item))

    def groups(
        self, settings: SyntheticPredictions, categories: Mapping[str, str], error_type: str
    ) -> list[Group]:
        largest: dict[str, float] = {}
        total: dict[str, float] = {}
        for item in self._objects:
            largest[item.label] = max(item.area, largest.get(item.label, 0.0))
            total[item.label] = item.area + total.get(item.label, 0.0)
        plain = class_groups(largest, total, settings)
        if error_type != "wrong_class":
            return plain
        return with_mistakes(
            plain, largest, categories, settings.lookalikes, self._seed, self._image
        )

    def predict(self, group: Group, error_type: str, severity: int) -> tuple[P, ...]:
        """What is reported for a group, from the top of the photo down."""
        objects = [item for item in self._objects if item.label in group.classes]
        if severity:
            others = tuple(item for item in self._objects if item.label not in group.classes)
            crowd = tuple(item for item in self._crowd if item.label in group.classes)
            scene = Scene(self._frame, others, crowd, group.wrong)
            # One stream for all severities: with other victims, the worse could score higher.
            random = rng.stream(self._seed, "perturb", self._image, *group.classes, error_type)
            objects = PERTURBATIONS[error_type](objects, severity, random, scene)
        reported = [self._report(item) for item in objects]
        reported.sort(key=lambda pair: (*pair[0].bounds[1::-1], pair[0].label, pair[0].area))
        return tuple(prediction for _, prediction in reported)

    def score(self, group: Group, predicted: Sequence[P]) -> tuple[float, dict[str, float]]:
        """The final score and its parts, to six decimals."""
        true = [item for item in self._true if item.label in group.classes]
        ignored = [item for item in self._ignored if item.label in group.classes]
        score, metrics = self._form.score(predicted, true, ignored)
        return round(score, 6), {name: round(value, 6) for name, value in metrics.items()}

    def _report(self, item: R) -> tuple[R, P]:
        """`item` as it is drawn afresh: equal ones alike, in every prediction."""
        key = item.label, item.outline
        if key not in self._reports:
            settled = item.settled(rng.stream(self._seed, "settle", self._image, item.outline))
            self._reports[key] = settled, self._form.prediction(settled)
        return self._reports[key]
