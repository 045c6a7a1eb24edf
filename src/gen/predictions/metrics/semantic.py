"""Scores of a predicted class for each pixel against the truth."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.integer[Any]]


def semantic_score(predicted: Labels, truth: Labels, count: int) -> tuple[float, dict[str, float]]:
    """The final score, 0 to 10, of a label map, and the values that it is made of.

    Both maps are (height, width) of numbers from 1 to `count`, 0 for none; pixels where the truth
    is 0 are not scored. The score is 10 times the mean over classes of the intersection over union
    (Everingham et al., IJCV 2015, section 4.3 of the VOC challenge), where a class counts that is
    in the truth or in the prediction: one that is only predicted counts as 0. Nothing to score is
    10.

    Metrics: `miou` (0 to 1), `pixel_accuracy` (the share of scored pixels of the right class),
    `classes` (how many count).
    """
    confusion = confusion_matrix(predicted, truth, count)
    shared = np.diagonal(confusion)[1:]
    joint = confusion.sum(axis=0)[1:] + confusion.sum(axis=1)[1:] - shared
    counted = joint > 0
    total = int(confusion.sum())
    miou = float((shared[counted] / joint[counted]).mean()) if counted.any() else 1.0
    metrics = {
        "miou": miou,
        "pixel_accuracy": float(shared.sum()) / total if total else 1.0,
        "classes": float(counted.sum()),
    }
    return 10.0 * miou, metrics


def confusion_matrix(predicted: Labels, truth: Labels, count: int) -> NDArray[np.int64]:
    """Pixels by true (row) and predicted (column) number: int64 (count + 1, count + 1).

    Pixels whose truth is 0 are left out.
    """
    told = truth != 0
    joint = truth[told].astype(np.int64) * (count + 1) + predicted[told]
    side = count + 1
    return np.bincount(joint, minlength=side * side).reshape(side, side)
