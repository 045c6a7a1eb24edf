"""Predictions that are pictures: photos degraded and restored, and scenes asked for and drawn."""

from collections.abc import Iterable, Mapping, Sequence

from gen.predictions.annotation import Annotation
from gen.predictions.picture_store import PictureStore
from gen.predictions.supply import Size
from gen.predictions.synthetic import restoration, scenes
from gen.schema import Settings, SyntheticPredictions
from gen.sources.records import Problem, Source


class SyntheticPictures:
    """A `Supply` of pictures made for a restoration or generation task."""

    def __init__(self, settings: Settings, source: Source, pictures: PictureStore) -> None:
        if not isinstance(settings.predictions, SyntheticPredictions):
            raise TypeError(f"predictions={settings.predictions.name} are not synthetic")
        self.kinds: tuple[str | None, ...] = settings.predictions.error_types or (None,)
        self._task, self._seed = settings.task, settings.seed
        self._source, self._pictures = source, pictures
        restored = settings.task.family == "restoration"
        self._make = restoration.annotations if restored else scenes.annotations
        self._images = (restoration if restored else scenes).images(settings.task, source)

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
