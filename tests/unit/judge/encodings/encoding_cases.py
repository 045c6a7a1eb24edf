"""Shipped settings, and predictions made of simple shapes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import yaml
from numpy.typing import NDArray

from gen import masks, schema
from gen.judge import encodings
from gen.judge.encodings import Encoder, Exhibit
from gen.predictions.annotation import MaskPrediction, Prediction
from gen.wording import Wording

CONF = Path(__file__).resolve().parents[4] / "conf"


def task_stems(task: str) -> list[str]:
    """The stems of the rows of a task."""
    content = yaml.safe_load((CONF / "task" / f"{task}.yaml").read_text(encoding="utf-8"))
    return sorted(content["encodings"])


STEMS = task_stems("instance_seg")
PIXEL_STEMS = [stem for stem in STEMS if stem.startswith("pixel")]

Instances = tuple[MaskPrediction, ...]


class Shipped(NamedTuple):
    """What is in `conf` for a task."""

    task: schema.Task
    wording: Wording
    encodings: dict[str, schema.Encoding]

    def encoder(self, stem: str, **knobs: Any) -> Encoder:
        encoding = self.encodings[stem]
        if knobs:
            encoding = type(encoding).model_validate(encoding.model_dump() | knobs)
        return encodings.build(self.task, encoding, self.wording)


def exhibit(
    photo: NDArray[np.uint8] | None,
    predictions: Sequence[Prediction],
    classes: Sequence[str],
    size: tuple[int, int] | None = None,
    lot: str = "",
) -> Exhibit:
    """Options on a photo, or on none of `size`."""
    if photo is not None:
        size = photo.shape[0], photo.shape[1]
    assert size is not None
    return Exhibit(size, predictions, classes, photo, lot)


def blank(height: int = 120, width: int = 160) -> NDArray[np.uint8]:
    return np.zeros((height, width), np.uint8)


def rectangle(x0: int, y0: int, x1: int, y1: int, hw: tuple[int, int] = (120, 160)) -> masks.Rle:
    mask = blank(*hw)
    mask[y0:y1, x0:x1] = 1
    return masks.encode(mask)


def blobs(count: int, labels: Sequence[str], hw: tuple[int, int], seed: int = 0) -> Instances:
    """Ellipses that may overlap and touch the border; labels in turn."""
    rng = np.random.default_rng(seed)
    height, width = hw
    found = []
    for index in range(count):
        mask = blank(height, width)
        centre = int(rng.integers(0, width)), int(rng.integers(0, height))
        axes = [int(axis) for axis in rng.integers(1, max(2, min(hw) // 5), 2)]
        cv2.ellipse(mask, centre, axes, float(rng.integers(0, 180)), 0, 360, 1, -1)
        found.append(MaskPrediction(labels[index % len(labels)], masks.encode(mask)))
    return tuple(found)
