"""Label maps with a class for each pixel, made from the truth."""

from collections.abc import Iterator, Mapping

import numpy as np

from gen import masks, rng
from gen.predictions.annotation import Annotation, MaskPrediction
from gen.predictions.groups import Group, with_mistakes
from gen.predictions.metrics.semantic import semantic_score
from gen.predictions.perturb import label_map
from gen.predictions.perturb.label_map import Labels
from gen.predictions.perturb.semantic import LABEL_ERRORS
from gen.schema import SyntheticPredictions, Task
from gen.sources.records import Semantic, Source

_SOURCE = "synthetic"


def annotations(
    source: Source, image_id: str, task: Task, settings: SyntheticPredictions, seed: int
) -> Iterator[Annotation]:
    """`perturbed` label maps of one photo of a source; none where no classes are told."""
    truth = source.semantic(image_id)
    if truth is not None:
        yield from perturbed(truth, image_id, task.name, settings, seed)


def perturbed(
    truth: Semantic, image: str, task: str, settings: SyntheticPredictions, seed: int
) -> Iterator[Annotation]:
    """All predictions for a photo: each kind of error and severity 0 to 5, one question in all.

    The question is about every class of the photo of `min_area` pixels; pixels of other classes
    count as not told. Every prediction covers the whole photo: where the truth is not told, the
    nearest class goes on, and nothing is scored. On a photo of one class, class_swap names in
    `class_of_interest` the class that is mistaken for it, too. A prediction that equals another one
    of its group is left out.

    Equal arguments give equal predictions: each kind of error has a random stream of its own.
    """
    photo = _Photo(truth, image, settings, seed)
    for error_type in settings.error_types if photo.classes else ():
        group = photo.group(error_type)
        seen: list[tuple[MaskPrediction, ...]] = []
        for severity, labels in enumerate(photo.predictions(group, error_type)):
            predicted = photo.prediction(labels)
            if predicted in seen:
                continue
            seen.append(predicted)
            score, metrics = semantic_score(labels, photo.true, len(photo.names))
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
                round(score, 6),
                {name: round(value, 6) for name, value in metrics.items()},
            )


class _Photo:
    """The truth of a photo. `names` are those of the numbers from 1 on, those of `classes` first.

    `true` is 0 where nothing is told or the class is too small to be asked for.
    """

    def __init__(
        self, truth: Semantic, image: str, settings: SyntheticPredictions, seed: int
    ) -> None:
        self._image = image
        self._seed = seed
        self._lookalikes = settings.lookalikes
        counts = np.bincount(truth.ids.ravel(), minlength=len(truth.classes) + 1)[1:].tolist()
        areas = dict(zip(truth.classes, map(float, counts), strict=True))
        self._areas = {
            name: area for name, area in sorted(areas.items()) if area >= max(1, settings.min_area)
        }
        self.classes = tuple(self._areas)
        self.names = (*self.classes, *sorted(areas.keys() - self._areas.keys()))
        table = np.zeros(len(truth.classes) + 1, truth.ids.dtype)
        for old, name in enumerate(truth.classes, 1):
            table[old] = self.classes.index(name) + 1 if name in self._areas else 0
        self.true: Labels = table[truth.ids]

    def group(self, error_type: str) -> Group:
        """The classes in question, and for class_swap what each is taken for."""
        plain = Group(self.classes)
        if error_type != "class_swap":
            return plain
        known = dict.fromkeys(self.names, "")
        (group,) = with_mistakes(
            [plain], self._areas, known, self._lookalikes, self._seed, self._image
        )
        return group

    def predictions(self, group: Group, error_type: str) -> Iterator[Labels]:
        """The map of each severity from 0 on, drawn afresh; each kind may end before the fifth."""
        number = {name: place for place, name in enumerate(self.names, 1)}
        wrong: Mapping[int, int] = {
            number[name]: number[other] for name, other in group.wrong.items()
        }
        whole = label_map.filled(self.true, self.true != 0)
        yield self._settled(whole)
        random = rng.stream(self._seed, "perturb", self._image, *self.classes, error_type)
        for labels in LABEL_ERRORS[error_type](whole, wrong, random):
            yield self._settled(labels)

    def prediction(self, labels: Labels) -> tuple[MaskPrediction, ...]:
        """A map as it is stored: the mask of each class, sorted by name."""
        found = masks.encode_labels(labels)
        return tuple(
            sorted(
                (MaskPrediction(self.names[number - 1], rle) for number, rle in found.items()),
                key=lambda one: one.label,
            )
        )

    def _settled(self, labels: Labels) -> Labels:
        # The same shift for all, or severity 0 would not be the same for all kinds of error.
        return label_map.settled(labels, rng.stream(self._seed, "settle", self._image))
