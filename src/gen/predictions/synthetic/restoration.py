"""Photos degraded, and restored by classical algorithms."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from gen import rng
from gen.predictions.annotation import Annotation, Given, PicturePrediction
from gen.predictions.degrade import blur, downsampling, holes, rain, snow
from gen.predictions.degrade.degraded import Degraded
from gen.predictions.metrics.restoration import RestorationTruth
from gen.predictions.picture_store import PictureStore
from gen.predictions.restore import (
    deblur,
    derain,
    desnow,
    inpainting_low_level,
    super_resolution,
)
from gen.predictions.restore.restored import Restored
from gen.predictions.synthetic import view
from gen.predictions.synthetic.view import View
from gen.schema import Task
from gen.sources.photos import PhotoError
from gen.sources.records import Source

Degrade = Callable[[Any, Any, np.random.Generator], Degraded]
Restore = Callable[[Degraded, np.random.Generator], Iterator[Restored]]

# By the kind of a task's degradation: what makes the input, and what tries to mend it.
_KINDS: Mapping[str, tuple[Degrade, Restore]] = {
    "blur": (blur.degrade, deblur.restorations),
    "rain": (rain.degrade, derain.restorations),
    "snow": (snow.degrade, desnow.restorations),
    "downsampling": (downsampling.degrade, super_resolution.restorations),
    "holes": (holes.degrade, inpainting_low_level.restorations),
}


def images(task: Task, source: Source) -> Sequence[Mapping[str, View]]:
    """The images of a task: each photo in each of its variants, a round for each variant."""
    wanted = task.degradation
    if wanted is None:
        raise TypeError(f"task={task.name} has no degradation")
    return [
        view.of_photos(source, variant, wanted.longest) for variant in range(1, wanted.variants + 1)
    ]


def annotations(
    task: Task, source: Source, seed: int, pictures: PictureStore, image: View
) -> Iterator[Annotation]:
    """All restorations of one degraded photo; one that equals another is left out.

    Pictures are added to `pictures`. A photo that cannot be read has none, nor has one on which the
    degradation hardly shows, such as blur on a plain surface.
    """
    wanted = task.degradation
    if wanted is None or image.photo_id is None:
        raise TypeError(f"task={task.name} has no degradation")
    try:
        photo = view.reduced(source.pixels(image.photo_id), image.size)
    except PhotoError:
        return
    degrade, restore = _KINDS[wanted.kind]
    degraded = degrade(photo, wanted, rng.stream(seed, "degrade", task.name, image.image_id))
    crop = degraded.scale if degraded.scale > 1 else 0
    truth = RestorationTruth(degraded.clean, degraded.untouched, crop, degraded.hole)
    if truth.intact:
        return
    given = Given(
        pictures.add(degraded.picture),
        image.photo_id,
        {"longest": wanted.longest, **degraded.details},
    )
    seen: list[PicturePrediction] = []
    random = rng.stream(seed, "restore", task.name, image.image_id)
    for restored in restore(degraded, random):
        stored = pictures.add(restored.picture)
        if stored in seen:
            continue
        seen.append(stored)
        score, metrics = truth.score(restored.picture)
        yield Annotation(
            annotation_id=rng.opaque_id(seed, task.name, image.image_id, restored.method),
            image_id=image.image_id,
            task=task.name,
            class_of_interest=None,
            error_type=None,
            severity=None,
            prompt=None,
            source=restored.method,
            prediction=(stored,),
            final_score=round(score, 6),
            metrics={name: round(value, 6) for name, value in metrics.items()},
            given=given,
        )
