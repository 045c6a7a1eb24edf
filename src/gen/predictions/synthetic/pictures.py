"""Predictions that are pictures: photos degraded and restored, and scenes asked for and drawn."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from gen.predictions.annotation import Annotation
from gen.predictions.picture_store import PictureStore
from gen.predictions.supply import Size
from gen.predictions.synthetic.view import View
from gen.schema import Settings, SyntheticPredictions, Task
from gen.sources.records import Problem, Source

Make = Callable[[View, Sequence[str | None]], Iterator[Annotation]]
Images = Sequence[Mapping[str, View]]


def known_errors(task: Task) -> Collection[str]:
    """The kinds of error that are made on purpose: none where photos are restored."""
    if task.family == "restoration":
        return ()
    from gen.predictions.synthetic import scenes

    return scenes.known_errors(task)


def _family(task: Task, source: Source, seed: int, pictures: PictureStore) -> tuple[Make, Images]:
    """What makes the predictions of a task, and its images; only what they need is loaded."""
    if task.family == "restoration":
        from gen.predictions.synthetic import restoration

        def restored(image: View, kinds: Sequence[str | None]) -> Iterator[Annotation]:
            return restoration.annotations(task, source, seed, pictures, image)

        return restored, restoration.images(task, source)
    from gen.predictions.synthetic import scenes

    made = scenes.Scenes(task, source, seed, pictures)
    return made.annotations, scenes.images(task, source)


class SyntheticPictures:
    """A `Supply` of pictures made for a restoration or generation task."""

    def __init__(self, settings: Settings, source: Source, pictures: PictureStore) -> None:
        if not isinstance(settings.predictions, SyntheticPredictions):
            raise TypeError(f"predictions={settings.predictions.name} are not synthetic")
        self.kinds: tuple[str | None, ...] = settings.predictions.error_types or (None,)
        self._make, self._images = _family(settings.task, source, settings.seed, pictures)

    def images(self) -> Sequence[Mapping[str, Size]]:
        """See `Supply.images`: a round for each variant of the photos."""
        return [{name: one.size for name, one in images.items()} for images in self._images]

    def annotations(self, image_id: str, kinds: Sequence[str | None]) -> Iterable[Annotation]:
        """See `Supply.annotations`."""
        image = next(images[image_id] for images in self._images if image_id in images)
        return self._make(image, kinds)

    def problems(self) -> Sequence[Problem]:
        """None: nothing is read but the photos, of whose problems the source tells."""
        return ()
