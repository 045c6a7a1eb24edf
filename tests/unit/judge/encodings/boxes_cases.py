"""Shipped settings of object detection, and predictions made of boxes."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from encoding_cases import CONF
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from pydantic import TypeAdapter

from gen import schema
from gen.judge import encodings
from gen.judge.encodings import Encoder
from gen.predictions.annotation import BoxPrediction
from gen.wording import Wording

BOX_STEMS = ["0305", "pixel_s0_m0", "pixel_s1_m0", "pixel_s1_m1", "text_xywh", "text_xyxy"]
Boxes = tuple[BoxPrediction, ...]


class ShippedBoxes(NamedTuple):
    """What is in `conf` for object detection."""

    task: schema.Task
    wording: Wording
    encodings: dict[str, schema.Encoding]

    def encoder(self, stem: str) -> Encoder:
        return encodings.build(self.task, self.encodings[stem], self.wording)


@cache
def shipped_boxes() -> ShippedBoxes:
    adapter: TypeAdapter[schema.Encoding] = TypeAdapter(schema.Encoding)
    found: dict[str, schema.Encoding] = {}
    with initialize_config_dir(str(CONF), version_base="1.3"):
        for stem in BOX_STEMS:
            config: Any = OmegaConf.to_container(
                compose("config", overrides=["task=object_detection", f"encoding='{stem}'"])
            )
            found[stem] = adapter.validate_python(config["encoding"])
    task = schema.Task.model_validate(config["task"])
    return ShippedBoxes(task, Wording.model_validate(config["wording"]), found)


def at_random(count: int, labels: Sequence[str], hw: tuple[int, int], seed: int = 0) -> Boxes:
    """Boxes with one decimal, some of them past the edge; labels in turn."""
    rng = np.random.default_rng(seed)
    height, width = hw
    found = []
    for index in range(count):
        x, w = rng.uniform(-10, width - 2), rng.uniform(2, width / 3)
        y, h = rng.uniform(-10, height - 2), rng.uniform(2, height / 3)
        corners = [round(float(value), 1) for value in (x, y, x + w, y + h)]
        found.append(
            BoxPrediction(labels[index % len(labels)], (*corners[:2], *corners[2:]))  # type: ignore[arg-type]
        )
    return tuple(found)
