"""Depth maps, made from the truth."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from gen import rng
from gen.predictions.annotation import Annotation, DepthPrediction
from gen.predictions.metrics.depth import DepthTruth
from gen.predictions.perturb import SEVERITIES
from gen.predictions.perturb.depth import DEPTH_PERTURBATIONS, enlarged, finished, settled
from gen.predictions.perturb.depth_fill import filled
from gen.schema import SyntheticPredictions, Task
from gen.sources.photos import PhotoError
from gen.sources.records import Source

_SOURCE = "synthetic"
# A photo is left out if a flat map is so nearly right that errors would hardly tell.
_FLAT = 0.95
# Slopes are what the Paeth filter is best at; higher levels take longer and gain little.
_PNG = (
    *(cv2.IMWRITE_PNG_COMPRESSION, 6),
    *(cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_PAETH),
)


def annotations(
    source: Source, image_id: str, task: Task, settings: SyntheticPredictions, seed: int
) -> Iterator[Annotation]:
    """All predictions for one photo: each of `settings.error_types`, severity 0 to 5.

    Severity 0 is the truth, with gaps filled and drawn afresh as all predictions are. Where an
    error makes no difference, its prediction would equal another one of the group and is left out.
    A photo of which no depth was measured, that is flat or that cannot be read has none.
    """
    depth = source.depth(image_id)
    if depth is None or not depth.valid.any():
        return
    truth = DepthTruth(depth)
    low, high = truth.shown
    if not high > low or truth.constant > _FLAT:
        return
    try:
        photo = source.pixels(image_id)
    except PhotoError:
        return
    whole = (filled(depth, photo) - np.float32(low)) / np.float32(high - low)
    base = settled(whole, rng.stream(seed, "settle", image_id))
    for error_type in settings.error_types:
        seen: list[DepthPrediction] = []
        for severity in (0, *SEVERITIES):
            wrong = base
            if severity:
                # One stream for all severities: elsewhere on the photo, the worse could score more.
                random = rng.stream(seed, "perturb", image_id, error_type)
                wrong = DEPTH_PERTURBATIONS[error_type](base, severity, random)
            predicted = enlarged(finished(wrong), depth.disparity.shape)
            aligned = truth.align(predicted)(predicted)
            shown = prediction(aligned, truth.shown)
            if shown in seen:
                continue
            seen.append(shown)
            score, metrics = truth.score(aligned)
            yield Annotation(
                rng.opaque_id(seed, task.name, image_id, error_type, severity),
                image_id,
                task.name,
                None,
                error_type,
                severity,
                None,
                _SOURCE,
                (shown,),
                round(score, 6),
                {name: round(value, 6) for name, value in metrics.items()},
            )


def prediction(aligned: NDArray[np.floating], shown: tuple[float, float]) -> DepthPrediction:
    """A map of aligned disparities as it is stored; `shown` are those of the levels 0 and 255."""
    low, high = shown
    levels = np.clip((aligned - low) * (255.0 / (high - low)) + 0.5, 0.0, 255.0).astype(np.uint8)
    _, png = cv2.imencode(".png", levels, _PNG)
    return DepthPrediction(png.tobytes())
