"""Where the predictions of a run come from: made from the truth, or read from files."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from gen.errors import UserError, unknown
from gen.predictions import synthetic
from gen.predictions.annotation import Annotation
from gen.predictions.picture_store import PictureStore
from gen.schema import CocoResultsPredictions, Settings, SyntheticPredictions
from gen.sources.records import Problem, Source

Size = tuple[int, int]
"""Height and width of an image in pixels."""


class Supply(Protocol):
    """Predictions on the photos of a source, made or read when asked for."""

    @property
    def kinds(self) -> tuple[str | None, ...]:
        """The kinds of error that can be asked for one by one; None: nothing is said of any."""
        ...

    def annotations(self, image_id: str, kinds: Sequence[str | None]) -> Iterable[Annotation]:
        """All predictions with errors of these kinds on one photo, in a fixed order."""
        ...

    def images(self) -> Sequence[Mapping[str, Size]]:
        """The size (height, width) of each image that may be predicted on, in rounds.

        All images of a round come before those of the next: such as other views of equal photos.
        """
        ...

    def problems(self) -> Sequence[Problem]:
        """What was found broken so far, in a fixed order, without repeats."""
        ...


class Synthetic:
    """A `Supply` of truth made wrong on purpose."""

    def __init__(self, settings: Settings, source: Source) -> None:
        if not isinstance(settings.predictions, SyntheticPredictions):
            raise TypeError(f"predictions={settings.predictions.name} are not synthetic")
        self._task, self._seed = settings.task, settings.seed
        self._settings = settings.predictions
        self._source = source

    @property
    def kinds(self) -> tuple[str | None, ...]:
        return self._settings.error_types

    def annotations(self, image_id: str, kinds: Sequence[str | None]) -> Iterable[Annotation]:
        """See `Supply.annotations`."""
        chosen = self._settings.model_copy(update={"error_types": tuple(kinds)})
        return synthetic.annotations(self._source, image_id, self._task, chosen, self._seed)

    def images(self) -> Sequence[Mapping[str, Size]]:
        """The photos of the source."""
        return (sizes(self._source),)

    def problems(self) -> Sequence[Problem]:
        """None: nothing is read."""
        return ()


def sizes(source: Source) -> dict[str, Size]:
    """The height and width of all photos of a source."""
    return {photo.image_id: (photo.height, photo.width) for photo in source.photos()}


def open_supply(settings: Settings, source: Source, pictures: PictureStore) -> Supply:
    """The predictions that the settings ask for, on the photos of `source`.

    Those that are pictures are added to `pictures`.

    Raises:
        UserError: something that the settings name is not there or cannot be used.
    """
    if isinstance(settings.predictions, SyntheticPredictions):
        if settings.task.category != "perception":
            from gen.predictions.synthetic.pictures import SyntheticPictures, known_errors

            _check_errors(settings, known_errors(settings.task))
            return SyntheticPictures(settings, source, pictures)
        _check_errors(settings, synthetic.known_errors(settings.task))
        return Synthetic(settings, source)
    if isinstance(settings.predictions, CocoResultsPredictions):
        from gen.predictions.coco_results import CocoResults

        return CocoResults(settings, source)
    from gen.predictions.json_supply import JsonSupply

    return JsonSupply(settings, source, pictures)


def _check_errors(settings: Settings, known: Collection[str]) -> None:
    task = settings.task
    for kind in task.error_types:
        if kind not in known:
            raise unknown(f"error type of tasks of family {task.family}", kind, known)
    if known and not task.error_types:
        raise UserError(
            f"task.error_types of task={task.name} is empty: expected one or more of "
            + " ".join(known)
        )
