"""Photos' truth for the tests of predictions: real COCO photos, and shapes drawn at random."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml

from gen import masks
from gen.predictions.perturb import PERTURBATIONS
from gen.schema import SyntheticPredictions, Task
from gen.sources.records import Instance, Photo, Truth

ROOT = Path(__file__).parents[3]


def photo(image_id, width, height):
    return Photo(image_id, Path("none.jpg"), width, height, "cc0-1.0", "", "", "")


def blob(rng, frame, radius):
    """A lobed shape around a random point."""
    height, width = frame
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    reach = radius * (1 + 0.3 * np.cos(int(rng.integers(2, 6)) * angle + rng.uniform(0, 6)))
    stretch = rng.uniform(0.5, 2.0)
    x = rng.uniform(radius, width - radius) + stretch * reach * np.cos(angle)
    y = rng.uniform(radius, height - radius) + reach / stretch * np.sin(angle)
    mask = np.zeros(frame, np.uint8)
    cv2.fillPoly(mask, [np.stack([x, y], axis=1).round().astype(np.int32)], 1)
    return masks.encode(mask)


@pytest.fixture(scope="session")
def settings():
    record = yaml.safe_load((ROOT / "conf/predictions/synthetic.yaml").read_text())
    return SyntheticPredictions.model_validate(record | {"error_types": tuple(PERTURBATIONS)})


@pytest.fixture(scope="session")
def task():
    record = yaml.safe_load((ROOT / "conf/task/instance_seg.yaml").read_text())
    del record["defaults"]
    return Task.model_validate(record)


@pytest.fixture(scope="session")
def drawn_truths():
    """Ten photos with one to ten objects of up to three classes, 60 objects in all."""
    rng = np.random.default_rng(5)
    truths = []
    for number in range(10):
        count = (1, 1, 2, 2, 3, 6, 10, 12, 12, 14)[number]
        names = ["cat", "dog", "tree"][: 1 + number % 3]
        truths.append(
            Truth(
                photo(f"drawn{number}", 320, 240),
                tuple(
                    Instance(
                        str(i),
                        names[i % len(names)],
                        blob(rng, (240, 320), rng.uniform(14, 45)),
                        False,
                    )
                    for i in range(count)
                ),
            )
        )
    return truths


@pytest.fixture(scope="session")
def coco_truths(shared_data):
    """The photos of the data pack that have true instances."""
    record = json.loads((shared_data / "coco/annotations/instances.json").read_text())
    names = {category["id"]: category["name"] for category in record["categories"]}
    truths = []
    for image in record["images"]:
        height, width = image["height"], image["width"]
        instances = tuple(
            Instance(
                str(entry["id"]),
                names[entry["category_id"]],
                masks.from_coco(entry["segmentation"], height, width),
                bool(entry["iscrowd"]),
            )
            for entry in record["annotations"]
            if entry["image_id"] == image["id"]
        )
        truths.append(Truth(photo(str(image["id"]), width, height), instances))
    return truths
