"""A small COCO folder, and settings over it as the command line would resolve them."""

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from gen.schema import Settings, validate

CONF = Path(__file__).resolve().parents[2] / "conf"
WIDTH, HEIGHT, PHOTOS = 160, 120, 6
_TASKS = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in sorted((CONF / "task").glob("*.yaml"))
}
# Small pictures where each prediction is one: what is tested here does not hang on their size.
_SMALL = {
    name: [f"task.{block}.longest={longest}"]
    for name, content in _TASKS.items()
    for block, longest in (("degradation", 128), ("staging", 192))
    if content.get(block)
}


@pytest.fixture(scope="session")
def coco_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six small photos of smooth noise, each with four objects of two classes."""
    root = tmp_path_factory.mktemp("coco")
    (root / "images").mkdir()
    (root / "annotations").mkdir()
    rng = np.random.default_rng(5)
    images, annotations = [], []
    for image in range(1, PHOTOS + 1):
        name = f"{image:012d}.jpg"
        noise = rng.integers(0, 256, (HEIGHT // 8, WIDTH // 8, 3), dtype=np.uint8)
        cv2.imwrite(str(root / "images" / name), cv2.resize(noise, (WIDTH, HEIGHT)))
        images.append({"id": image, "file_name": name, "width": WIDTH, "height": HEIGHT})
        for place in range(4):
            x, y = (float(v) for v in rng.integers(2, 20, 2))
            left, top = x + 75 * (place % 2), y + 55 * (place // 2)
            ring = [left, top, left + 50, top + 3, left + 45, top + 32, left + 4, top + 30]
            annotations.append(
                {
                    "id": 10 * image + place,
                    "image_id": image,
                    "category_id": 1 + place % 2,
                    "segmentation": [ring],
                    "bbox": [left, top, 50, 32],
                    "area": 1500,
                    "iscrowd": 0,
                }
            )
    categories = [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}]
    content = {"images": images, "annotations": annotations, "categories": categories}
    (root / "annotations" / "instances.json").write_text(json.dumps(content))
    return root


@pytest.fixture
def settings_for(coco_root: Path, tmp_path: Path) -> Callable[..., Settings]:
    """Settings by overrides; runs go to `tmp_path`/out, made by one worker."""

    def make(*overrides: str) -> Settings:
        with initialize_config_dir(str(CONF), version_base="1.3"):
            resolved = compose(
                "config",
                [
                    "data=coco",
                    f"data.root={coco_root}",
                    f"out_root={tmp_path / 'out'}",
                    "executor.workers=1",
                    "n_items=12",
                    *overrides,
                ],
            )
        content = OmegaConf.to_container(resolved, resolve=True)
        assert isinstance(content, dict)
        return validate({str(key): value for key, value in content.items()})

    return make


@pytest.fixture
def settings_of(tmp_path: Path) -> Callable[..., Settings]:
    """Settings of a run on the photos of the package, made by one worker."""

    def make(*overrides: str) -> Settings:
        fixed = [f"out_root={tmp_path / 'out'}", "executor.workers=1"]
        with initialize_config_dir(str(CONF), version_base="1.3"):
            task = next(one.partition("=")[2] for one in overrides if one.startswith("task="))
            resolved = compose("config", [*fixed, *_SMALL.get(task, ()), *overrides])
        content = OmegaConf.to_container(resolved, resolve=True)
        assert isinstance(content, dict)
        return validate({str(key): value for key, value in content.items()})

    return make
