"""Predictions that bring their scores with them, from annotation files."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from gen.errors import UserError
from gen.predictions import files, json_file
from gen.predictions.annotation import Annotation
from gen.predictions.json_parts import Size
from gen.schema import JsonPredictions, Settings
from gen.sources.problem_log import ProblemLog
from gen.sources.records import Problem, Source

# Where a photo is not there and nothing tells its size: texts need none.
_NO_SIZE = (1, 1)


class JsonSupply:
    """A `Supply` of the annotations of one task in all files, by photo in the order of the files.

    Scores are taken as they are. The files are read, whole, when the first annotation is asked for.
    """

    def __init__(self, settings: Settings, source: Source) -> None:
        if not isinstance(settings.predictions, JsonPredictions):
            raise TypeError(f"predictions={settings.predictions.name} are no annotation files")
        self._settings = settings.predictions
        self._task = settings.task
        self._sizes = {one.image_id: (one.height, one.width) for one in source.photos()}
        self._log = ProblemLog()

    @property
    def kinds(self) -> tuple[str | None, ...]:
        """The kinds of error in the files, sorted, None first.

        Raises:
            UserError: a file cannot be used, or none has a usable annotation of the task.
        """
        found = {one.error_type for group in self._by_photo.values() for one in group}
        return tuple(sorted(found, key=lambda kind: (kind is not None, kind or "")))

    def annotations(self, image_id: str, kinds: Sequence[str | None]) -> Iterable[Annotation]:
        """See `Supply.annotations`."""
        group = self._by_photo.get(image_id, ())
        return [one for one in group if one.error_type in kinds]

    def unseen(self) -> Mapping[str, Size]:
        """See `Supply.unseen`; the size is the greatest that an annotation on the photo tells."""
        found = {}
        for image_id, group in self._by_photo.items():
            if image_id not in self._sizes:
                told = [one.size for one in group if one.size]
                found[image_id] = max(told, default=_NO_SIZE)
        return found

    def problems(self) -> Sequence[Problem]:
        """See `Supply.problems`."""
        return self._log.told()

    @cached_property
    def _by_photo(self) -> Mapping[str, list[Annotation]]:
        root, task = self._settings.root, self._task
        found: dict[str, list[Annotation]] = {}
        seen: dict[str, Annotation] = {}
        for file in files.find("annotations", root, self._settings.annotations):
            for one in json_file.read(file, task.family, task.name, root, self._sizes, self._log):
                if seen.setdefault(one.annotation_id, one) is not one:
                    reason = "annotation_id: is there twice; the first is used"
                    name = f"annotation {one.annotation_id}"
                    self._log.add("duplicate_annotation", file.label, name, reason)
                    continue
                found.setdefault(one.image_id, []).append(one)
        if not found:
            told = "; ".join(
                f"{one.file}, {one.record}: {one.reason}" for one in self._log.told()[:2]
            )
            raise UserError(
                f"predictions.annotations: no usable record of task={task.name}"
                + (f"; {told}" if told else "")
            )
        return found
