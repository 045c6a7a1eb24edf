"""Predictions of real models, from COCO results files, scored against the truth of a source."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

from gen import masks, rng
from gen.errors import UserError
from gen.predictions import files
from gen.predictions.annotation import Annotation, Prediction
from gen.predictions.groups import class_groups
from gen.predictions.metrics.keypoints import pose_score, true_persons
from gen.predictions.metrics.objects import P
from gen.predictions.results_file import ResultsFile
from gen.predictions.results_forms import BOXES, MASKS, POSES, Form, ObjectForm, Part, Scored, Size
from gen.schema import CocoResultsPredictions, Settings
from gen.sources.folder import FolderSource
from gen.sources.problem_log import ProblemLog
from gen.sources.records import Problem, Source, Truth

_FORMS: Mapping[str, Form[Any]] = {"boxes": BOXES, "instances": MASKS, "keypoints": POSES}


@runtime_checkable
class Annotated(Protocol):
    """A source that tells COCO's numbers of classes, and which classes it has labelled where."""

    def category_numbers(self) -> Mapping[int, str]: ...

    def annotated(self, image_id: str) -> frozenset[str]: ...


class CocoResults:
    """A `Supply` of the detections of any number of models.

    A model takes part on the photos that its file covers at whatever confidence, so that one that
    reports nothing there has missed what there is, and in questions on classes all of which its
    file names. The truth itself takes no part, and of models that report the same only the first.
    """

    def __init__(self, settings: Settings, source: Source) -> None:
        """Settings with predictions=coco_results, and a source whose classes have numbers.

        Of several sources joined, that one counts whose classes have numbers.

        Raises:
            UserError: the task has no COCO results, or the source no numbered classes.
        """
        if not isinstance(settings.predictions, CocoResultsPredictions):
            raise TypeError(f"predictions={settings.predictions.name} are no COCO results")
        parts = source.parts if isinstance(source, FolderSource) else (source,)
        numbered = next((part for part in parts if isinstance(part, Annotated)), None)
        if numbered is None:
            raise UserError(
                f"predictions=coco_results needs data=coco, not data={settings.data.name}: "
                "results name classes by COCO's numbers"
            )
        if settings.task.family not in _FORMS:
            raise UserError(
                "predictions=coco_results has boxes, masks and keypoints: nothing for "
                f"task={settings.task.name}"
            )
        self._form = _FORMS[settings.task.family]
        self._task, self._source = settings.task.name, numbered
        self._sizes = {one.image_id: (one.height, one.width) for one in source.photos()}
        self._settings = settings.predictions
        self._categories = numbered.category_numbers()
        self._annotated = numbered.annotated
        self._log = ProblemLog()

    @property
    def kinds(self) -> tuple[str | None, ...]:
        return (None,)

    def images(self) -> Sequence[Mapping[str, Size]]:
        """The photos of the source: without truth there is no score."""
        return (self._sizes,)

    def problems(self) -> Sequence[Problem]:
        """What was found broken so far; boxes, masks and joints are looked at when asked for."""
        return self._log.told()

    def annotations(self, image_id: str, kinds: Sequence[str | None]) -> Iterable[Annotation]:
        """See `Supply.annotations`: each group of classes, each model by name.

        A photo without a true object, or for poses without a person with labelled joints, has none;
        detections of classes that are not labelled on it are passed over.

        Raises:
            UserError: a file cannot be used, or none has what the task shows.
        """
        models = [model for model in self._models if model.covers(image_id)]
        if None not in kinds or not models:
            return
        truth = self._source.truth(image_id)
        size = truth.photo.height, truth.photo.width
        found = {
            model.model: sorted(
                model.predictions(
                    image_id, lambda record, label: self._form.read(record, label, size)
                ),
                key=self._form.place,
            )
            for model in models
        }
        if isinstance(self._form, ObjectForm):
            yield from self._objects(truth, models, found, self._form)
        else:
            persons = true_persons(truth.instances)
            if all(person.ignored for person in persons):
                return
            yield from self._group(truth, None, models, found, lambda one: pose_score(one, persons))

    def _objects(
        self,
        truth: Truth,
        models: Sequence[ResultsFile],
        found: Mapping[str, Sequence[P]],
        form: ObjectForm[P],
    ) -> Iterator[Annotation]:
        true, crowd = (
            [
                form.true(one.category, one.rle)
                for one in truth.instances
                if one.crowd is flag and masks.area(one.rle)
            ]
            for flag in (False, True)
        )
        if not true:
            return
        known = self._annotated(truth.photo.image_id)
        sets: list[Sequence[P]] = [true]
        sets.extend(_of(parts, known) for parts in found.values())
        for group in class_groups(*_areas(sets, form.area), self._settings):
            classes = group.classes
            asked = [model for model in models if all(name in model.classes for name in classes)]
            within = {model: _of(parts, classes) for model, parts in found.items()}
            score = form.against(_of(true, classes), _of(crowd, classes))
            yield from self._group(truth, classes, asked, within, score)

    def _group(
        self,
        truth: Truth,
        classes: tuple[str, ...] | None,
        models: Sequence[ResultsFile],
        found: Mapping[str, Sequence[Part]],
        score: Callable[[Sequence[Part]], Scored],
    ) -> Iterator[Annotation]:
        seen: list[Prediction] = []
        image = truth.photo.image_id
        for model in models:
            predicted: Prediction = tuple(found[model.model])
            if predicted in seen:
                continue
            seen.append(predicted)
            value, metrics = score(found[model.model])
            threshold = self._settings.score_threshold
            yield Annotation(
                rng.opaque_id(self._task, image, *(classes or ()), model.digest, threshold),
                image,
                self._task,
                classes,
                None,
                None,
                None,
                model.model,
                predicted,
                round(value, 6),
                {name: round(part, 6) for name, part in metrics.items()},
            )

    @cached_property
    def _models(self) -> tuple[ResultsFile, ...]:
        """The files that have what the task shows on photos of the data, by model."""
        settings = self._settings
        found = files.find("files", settings.root, settings.files)
        names = files.model_names(found)
        photos = frozenset(photo.image_id for photo in self._source.photos())
        models = []
        for file in sorted(found, key=names.__getitem__):
            model = ResultsFile(
                file,
                names[file],
                self._form.fields,
                settings.score_threshold,
                self._categories,
                photos,
                self._log,
            )
            if len(model):
                models.append(model)
            else:
                reason = f"no usable record has {' or '.join(self._form.fields)}"
                self._log.add("unfit_file", file.label, "file", reason)
        if not models:
            raise UserError(
                f"predictions.files: none of {len(found)} files has detections with "
                f"{' or '.join(self._form.fields)} on a photo of the data; the first: "
                + "; ".join(
                    f"{one.file}, {one.record}: {one.reason}" for one in self._log.told()[:2]
                )
            )
        return tuple(models)


def _of(parts: Sequence[P], classes: Collection[str]) -> list[P]:
    return [part for part in parts if part.label in classes]


def _areas(
    sets: Iterable[Sequence[P]], area: Callable[[P], float]
) -> tuple[dict[str, float], dict[str, float]]:
    """For each class the area of its largest object, and the greatest total area in one set."""
    largest: dict[str, float] = {}
    total: dict[str, float] = {}
    for parts in sets:
        sums: defaultdict[str, float] = defaultdict(float)
        for part in parts:
            covered = area(part)
            largest[part.label] = max(covered, largest.get(part.label, 0.0))
            sums[part.label] += covered
        for name, value in sums.items():
            total[name] = max(value, total.get(name, 0.0))
    return largest, total
