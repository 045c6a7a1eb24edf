"""Predictions that are pictures: photos degraded and restored, and scenes asked for and drawn."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from gen.predictions.annotation import Annotation
from gen.predictions.picture_store import PictureStore
from gen.predictions.supply import Size
from gen.predictions.synthetic.view import View
from gen.schema import Settings, SyntheticPredictions, Task
from gen.sources.records import Problem, Source

Make = Callable[[Task, Source, View, Sequence[str | None], int, PictureStore], Iterator[Annotation]]
Images = Callable[[Task, Source], Sequence[Mapping[str, View]]]


def _family(task: Task) -> tuple[Make, Images]:
    """What makes the predictions of a task; only that is loaded."""
    if task.family == "restoration":
        from gen.predictions.synthetic import restoration

        return restoration.annotations, restoration.images
    from gen.predictions.synthetic import scenes

    return scenes.annotations, scenes.images


class SyntheticPictures:
    """A `Supply` of pictures made for a restoration or generation task."""

    def __init__(self, settings: Settings, source: Source, pictures: PictureStore) -> None:
        if not isinstance(settings.predictions, SyntheticPredictions):
            raise TypeError(f"predictions={settings.predictions.name} are not synthetic")
        self.kinds: tuple[str | None, ...] = settings.predictions.error_types or (None,)
        self._task, self._seed = settings.task, settings.seed
        self._source, self._pictures = source, pictures
        self._make, images = _family(settings.task)
        self._images = images(settings.task, source)

    def images(self) -> Sequence[Mapping[str, Size]]:
        """See `Supply.images`: a round for each variant of the photos."""
        return [{name: one.size for name, one in images.items()} for images in self._images]

    def annotations(self, image_id: str, kinds: Sequence[str | None]) -> Iterable[Annotation]:
        """See `Supply.annotations`."""
        image = next(images[image_id] for images in self._images if image_id in images)
        return self._make(self._task, self._source, image, kinds, self._seed, self._pictures)

    def problems(self) -> Sequence[Problem]:
        """None: nothing is read but the photos, of whose problems the source tells."""
        return ()
