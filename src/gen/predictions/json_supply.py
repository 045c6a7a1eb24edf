"""Predictions that bring their scores with them, from annotation files."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from gen.errors import UserError
from gen.predictions import files, json_file
from gen.predictions.annotation import Annotation
from gen.predictions.json_parts import Size
from gen.predictions.json_pictures import NamedPictures
from gen.predictions.picture_store import PictureStore
from gen.schema import JsonPredictions, Settings
from gen.sources.coco_records import RecordError
from gen.sources.problem_log import ProblemLog
from gen.sources.records import Problem, Source

# Where a photo is not there and nothing tells its size: texts need none.
_NO_SIZE = (1, 1)


@dataclass(frozen=True, slots=True)
class _Kept:
    """An annotation, the name of the picture that it lacks ("" for none), and where it was read."""

    annotation: Annotation
    picture: str
    file: str
    place: str


class JsonSupply:
    """A `Supply` of the annotations of one task in all files, by photo in the order of the files.

    Scores are taken as they are. The files are read, whole, when the first annotation is asked for;
    pictures that they name are read or fetched, photo by photo, when its annotations are.
    """

    def __init__(self, settings: Settings, source: Source, pictures: PictureStore) -> None:
        if not isinstance(settings.predictions, JsonPredictions):
            raise TypeError(f"predictions={settings.predictions.name} are no annotation files")
        self._settings = settings.predictions
        self._pictures = pictures
        self._named = NamedPictures(settings.predictions)
        self._task = settings.task
        self._sizes = {one.image_id: (one.height, one.width) for one in source.photos()}
        self._log = ProblemLog()

    @property
    def kinds(self) -> tuple[str | None, ...]:
        """The kinds of error in the files, sorted, None first.

        Raises:
            UserError: a file cannot be used, or none has a usable annotation of the task.
        """
        found = {one.annotation.error_type for group in self._by_photo.values() for one in group}
        return tuple(sorted(found, key=lambda kind: (kind is not None, kind or "")))

    def annotations(self, image_id: str, kinds: Sequence[str | None]) -> Iterable[Annotation]:
        """See `Supply.annotations`."""
        group = self._by_photo.get(image_id, ())
        chosen = [one for one in group if one.annotation.error_type in kinds]
        if not any(one.picture for one in chosen):
            return [one.annotation for one in chosen]
        return list(self._with_pictures(chosen))

    def images(self) -> Sequence[Mapping[str, Size]]:
        """The photos of the source, and others that are predicted on.

        The size of those is the greatest that an annotation on them tells.
        """
        found = dict(self._sizes)
        for image_id, group in self._by_photo.items():
            if image_id not in self._sizes:
                told = [one.annotation.size for one in group if one.annotation.size]
                found[image_id] = max(told, default=_NO_SIZE)
        return (found,)

    def problems(self) -> Sequence[Problem]:
        """See `Supply.problems`."""
        return self._log.told()

    def _with_pictures(self, group: Iterable[_Kept]) -> Iterator[Annotation]:
        """Annotations with the pictures that they name; one whose picture is broken is left out."""
        for one in group:
            try:
                picture = self._pictures.add(self._named.read(one.picture))
            except RecordError as error:
                self._log.add(error.kind, one.file, one.place, str(error))
                continue
            size = None if one.annotation.image_id in self._sizes else picture.size
            yield replace(one.annotation, prediction=(picture,), size=one.annotation.size or size)

    @cached_property
    def _by_photo(self) -> Mapping[str, list[_Kept]]:
        found: dict[str, list[_Kept]] = {}
        ids: set[str] = set()
        for one in self._read():
            if one.annotation.annotation_id in ids:
                reason = "annotation_id: is there twice; the first is used"
                name = f"annotation {one.annotation.annotation_id}"
                self._log.add("duplicate_annotation", one.file, name, reason)
                continue
            ids.add(one.annotation.annotation_id)
            found.setdefault(one.annotation.image_id, []).append(one)
        if not found:
            told = "; ".join(
                f"{one.file}, {one.record}: {one.reason}" for one in self._log.told()[:2]
            )
            raise UserError(
                f"predictions.annotations: no usable record of task={self._task.name}"
                + (f"; {told}" if told else "")
            )
        return found

    def _read(self) -> Iterator[_Kept]:
        settings = self._settings
        for file in files.find("annotations", settings.root, settings.annotations):
            for one in json_file.read(file, self._task, settings.root, self._sizes, self._log):
                try:
                    if one.picture:
                        self._named.check(one.picture)
                except RecordError as error:
                    self._log.add(error.kind, file.label, one.place, str(error))
                    continue
                yield _Kept(one.annotation, one.picture, file.label, one.place)
