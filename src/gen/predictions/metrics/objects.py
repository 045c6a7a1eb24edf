"""Scores of predicted boxes and instance masks against the truth."""

from collections.abc import Callable, Sequence
from math import fsum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gen import masks
from gen.predictions.annotation import BoxPrediction, MaskPrediction
from gen.predictions.assignment import best_matching

P = TypeVar("P", BoxPrediction, MaskPrediction)

# The IoU thresholds of COCO average precision: 0.50, 0.55, ..., 0.95.
_THRESHOLDS = np.linspace(0.5, 0.95, 10)


def box_iou(
    a: Sequence[tuple[float, float, float, float]],
    b: Sequence[tuple[float, float, float, float]],
    crowd: Sequence[bool] | None = None,
) -> NDArray[np.float64]:
    """Intersection over union of boxes x1, y1, x2, y2: float64 (len(a), len(b)), 0 to 1.

    Where `crowd` says so of a box of `b`, the union is the area of the box of `a` (COCO's rule).
    """
    first = np.asarray(a, np.float64).reshape(-1, 1, 4)
    second = np.asarray(b, np.float64).reshape(1, -1, 4)
    low = np.maximum(first[..., :2], second[..., :2])
    high = np.minimum(first[..., 2:], second[..., 2:])
    inter = np.clip(high - low, 0.0, None).prod(axis=-1)
    first_area = (first[..., 2:] - first[..., :2]).prod(axis=-1)
    joint = first_area + (second[..., 2:] - second[..., :2]).prod(axis=-1) - inter
    if crowd is not None:
        joint = np.where(np.asarray(crowd, np.bool_)[None, :], first_area, joint)
    iou: NDArray[np.float64] = np.divide(inter, joint, out=np.zeros_like(inter), where=joint > 0)
    return iou


def box_score(
    predicted: Sequence[BoxPrediction],
    truth: Sequence[BoxPrediction],
    crowd: Sequence[BoxPrediction] = (),
) -> tuple[float, dict[str, float]]:
    """`instance_score` of boxes, with the IoU of boxes."""
    return _score(predicted, truth, crowd, lambda a, b, flags: box_iou(_boxes(a), _boxes(b), flags))


def instance_score(
    predicted: Sequence[MaskPrediction],
    truth: Sequence[MaskPrediction],
    crowd: Sequence[MaskPrediction] = (),
) -> tuple[float, dict[str, float]]:
    """The final score, 0 to 10, of instance masks, and the values that it is made of.

    10 * 2 * sum of IoU / (predicted + true), the sum over the one-to-one matching within each class
    that makes it greatest: panoptic quality (Kirillov et al., CVPR 2019, eq. 1) without its cut at
    IoU 0.5, so that a poor mask is worth more than none. Nothing predicted where nothing is true is
    10. A prediction of which more than half lies in a crowd region of its class, and which is no
    true object at IoU 0.5, is left out of the count, as in COCO's evaluation.

    Metrics: `sum_iou`, `matched` (pairs of IoU above 0), `predicted`, `true`, `f1_50_95` (the mean
    of F1 over IoU thresholds 0.50, 0.55, ..., 0.95 of the same matching, 0 to 1).
    """
    return _score(predicted, truth, crowd, lambda a, b, flags: masks.iou(_rles(a), _rles(b), flags))


def f1_50_95(ious: NDArray[np.float64], predicted: int, true: int) -> float:
    """The mean of F1 over IoU thresholds 0.50:0.05:0.95, 0 to 1, of matched pairs with `ious`.

    With no object on either side it is 1.
    """
    if predicted + true == 0:
        return 1.0
    hits = (ious[None, :] >= _THRESHOLDS[:, None]).sum(axis=1)
    return float((2 * hits / (predicted + true)).mean())


def _score(
    predicted: Sequence[P],
    truth: Sequence[P],
    crowd: Sequence[P],
    iou: Callable[[Sequence[P], Sequence[P], Sequence[bool] | None], NDArray[np.float64]],
) -> tuple[float, dict[str, float]]:
    matched: list[float] = []
    counted = 0
    for label in sorted({item.label for item in predicted}):
        own = [item for item in predicted if item.label == label]
        true = [item for item in truth if item.label == label]
        regions = [item for item in crowd if item.label == label]
        overlap = iou(own, true, None)
        if regions:
            inside = iou(own, regions, [True] * len(regions)).max(axis=1)
            kept = (inside <= 0.5) | (overlap.max(axis=1, initial=0.0) >= 0.5)
            overlap = overlap[kept]
        counted += overlap.shape[0]
        matched.extend(overlap[best_matching(overlap)].tolist())
    return _summary(np.array(matched, np.float64), counted, len(truth))


def _summary(
    matched: NDArray[np.float64], predicted: int, true: int
) -> tuple[float, dict[str, float]]:
    total = fsum(matched)
    metrics = {
        "sum_iou": total,
        "matched": float(matched.size),
        "predicted": float(predicted),
        "true": float(true),
        "f1_50_95": f1_50_95(matched, predicted, true),
    }
    return (20.0 * total / (predicted + true) if predicted + true else 10.0), metrics


def _boxes(items: Sequence[BoxPrediction]) -> list[tuple[float, float, float, float]]:
    return [item.box for item in items]


def _rles(items: Sequence[MaskPrediction]) -> list[masks.Rle]:
    return [item.rle for item in items]
