"""Pictures that were asked for in words, as asked and with errors made on purpose."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from gen import masks, rng
from gen.predictions.annotation import Annotation, Given, PicturePrediction
from gen.predictions.metrics.generation import final_score
from gen.predictions.perturb import SEVERITIES
from gen.predictions.picture_store import PictureStore
from gen.predictions.scenes import attempts, controllable, edit_attempts, editing, inpainting, t2i
from gen.predictions.scenes.case import Case, Stage
from gen.predictions.synthetic import view
from gen.predictions.synthetic.view import View
from gen.schema import Staging, Task
from gen.sources.photos import PhotoError
from gen.sources.records import Instance, Source

_SOURCE = "synthetic"
# Drawn scenes are pictures of this form: height to width.
_FORM = 3 / 4

# Cases keep their pictures: a few megabytes each.
CASES_KEPT = 24

_CASES: Mapping[str, Callable[[Stage], Case | None]] = {
    "t2i": t2i.case,
    "controllable": controllable.case,
    "editing": editing.case,
    "inpainting": inpainting.case,
}
_ERRORS: Mapping[str, Sequence[str]] = {
    "t2i": attempts.KINDS,
    "controllable": attempts.KINDS,
    "editing": edit_attempts.KINDS,
    "inpainting": inpainting.KINDS,
}


def images(task: Task, source: Source) -> Sequence[Mapping[str, View]]:
    """The images of a task, in rounds: photos in each of their variants, with scenes among them."""
    wanted = _staging(task)
    size = round(wanted.longest * _FORM), wanted.longest
    if not wanted.variants:
        return [view.drawn(1, wanted.scenes + 1, size)]
    rounds = []
    share = min(len(source.photos()) // 2, -(-wanted.scenes // wanted.variants))
    for variant in range(1, wanted.variants + 1):
        first = (variant - 1) * share + 1
        scenes = view.drawn(first, min(first + share, wanted.scenes + 1), size)
        rounds.append({**view.of_photos(source, variant, wanted.longest), **scenes})
    return rounds


def known_errors(task: Task) -> Sequence[str]:
    """The kinds of error that attempts at this task can have."""
    return _ERRORS[_staging(task).kind]


class Scenes:
    """What a generation task asks on the images of a source, and attempts at it."""

    def __init__(self, task: Task, source: Source, seed: int, pictures: PictureStore) -> None:
        """Pictures are added to `pictures`."""
        self._task, self._source, self._seed, self._pictures = task, source, seed, pictures
        self._asked = lru_cache(CASES_KEPT)(self._ask)
        self._hopeless: set[str] = set()

    def annotations(self, image: View, kinds: Sequence[str | None]) -> Iterator[Annotation]:
        """All attempts at what is asked on one image: each kind of error, severity 0 to 5.

        An attempt that equals another one of its group is left out. A photo that cannot be read, or
        on which nothing can be asked, has none.
        """
        if image.image_id in self._hopeless:
            return
        asked = self._asked(image)
        if asked is None:
            self._hopeless.add(image.image_id)
            return
        case, given = asked
        for kind in kinds:
            yield from self._attempts(image, case, given, kind)

    def _ask(self, image: View) -> tuple[Case, Given] | None:
        """The case of an image, and what goes with it."""
        task = self._task
        photo_id = image.photo_id or _backdrop(self._source, image, self._seed, task)
        try:
            stage = _stage(self._source, image, photo_id, self._seed, task)
        except PhotoError:
            return None
        case = _CASES[_staging(task).kind](stage)
        if case is None:
            return None
        given = Given(
            None if case.given is None else self._pictures.add(case.given),
            photo_id if case.uses_photo else None,
            {"checks": dict(case.checks), **case.details},
        )
        return case, given

    def _attempts(
        self, image: View, case: Case, given: Given, kind: str | None
    ) -> Iterator[Annotation]:
        name, seen = self._task.name, list[PicturePrediction]()
        for severity in (0, *SEVERITIES):
            attempt = case.attempt(kind or "", severity)
            if attempt is None:
                continue
            stored = self._pictures.add(attempt.picture)
            if stored in seen:
                continue
            seen.append(stored)
            yield Annotation(
                annotation_id=rng.opaque_id(self._seed, name, image.image_id, kind, severity),
                image_id=image.image_id,
                task=name,
                class_of_interest=None,
                error_type=kind,
                severity=severity,
                prompt=case.prompt,
                source=_SOURCE,
                prediction=(stored,),
                final_score=round(final_score(attempt.met, attempt.damage), 6),
                metrics={
                    **{f"check_{name}": float(met) for name, met in attempt.met.items()},
                    "damage": round(attempt.damage, 6),
                },
                given=given,
            )


def _staging(task: Task) -> Staging:
    if task.staging is None:
        raise TypeError(f"task={task.name} has no staging")
    return task.staging


def _backdrop(source: Source, image: View, seed: int, task: Task) -> str:
    """The photo that may lend a drawn scene its backdrop."""
    photos = source.photos()
    random = rng.stream(seed, "backdrop", task.name, image.image_id)
    return photos[int(random.integers(len(photos)))].image_id


def _stage(source: Source, image: View, photo_id: str, seed: int, task: Task) -> Stage:
    pixels = source.pixels(photo_id)
    # One case for each task: equal ids of images mean nothing across tasks.
    key = rng.opaque_id(seed, task.name)
    stage = Stage(
        image_id=f"{key} {image.image_id}",
        seed=seed,
        size=image.size,
        photo=view.covering(pixels, image.size),
        on_photo=image.photo_id is not None,
    )
    if image.photo_id is None:
        return stage
    truth = source.truth(photo_id).instances
    # "The person" would be anybody's guess beside a crowd of persons.
    crowds = {one.category for one in truth if one.crowd}
    instances = [_resized(one, image.size) for one in truth if one.category not in crowds]
    return replace(stage, photo=view.reduced(pixels, image.size), instances=instances)


def _resized(instance: Instance, size: tuple[int, int]) -> Instance:
    mask = masks.decode(instance.rle)
    if mask.shape == size:
        return instance
    cover = view.reduced(np.asarray(mask, np.uint8) * np.uint8(255), size)
    return replace(instance, rle=masks.encode(cover > 127), keypoints=None)
