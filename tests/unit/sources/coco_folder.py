"""Tiny COCO folders for tests: one photo, one triangle, and whatever a test adds or breaks."""

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from PIL import Image

from gen.schema import CocoData
from gen.sources.coco import CocoSource
from gen.sources.open import open_source

WIDTH, HEIGHT = 60, 40
TRIANGLE = [10.0, 10.0, 40.0, 10.0, 25.0, 30.0]
DEFAULTS = Path(__file__).resolve().parents[3] / "conf" / "data" / "coco.yaml"


def settings(at: Path, **changes: Any) -> CocoData:
    values: dict[str, Any] = yaml.safe_load(DEFAULTS.read_text(encoding="utf-8"))
    values |= {"root": str(at), "cache_dir": str(at / "cache"), "download_retries": 0}
    return CocoData.model_validate(values | changes)


def opened(at: Path, **changes: Any) -> CocoSource:
    source = open_source(settings(at, **changes))
    assert isinstance(source, CocoSource)
    return source


def image(image_id: int = 1, **changes: Any) -> dict[str, Any]:
    return {
        "id": image_id,
        "file_name": f"{image_id:012d}.png",
        "width": WIDTH,
        "height": HEIGHT,
        "license": 4,
        "coco_url": f"http://images.invalid/{image_id:012d}.png",
    } | changes


def annotation(annotation_id: int = 1, image_id: int = 1, **changes: Any) -> dict[str, Any]:
    return {
        "id": annotation_id,
        "image_id": image_id,
        "category_id": 1,
        "segmentation": [list(TRIANGLE)],
        "bbox": [10, 10, 30, 20],
        "area": 300.0,
        "iscrowd": 0,
    } | changes


def document(images: list[Any], annotations: list[Any]) -> dict[str, Any]:
    return {
        "info": {"description": 'a "quoted" [word] \\ and {more'},
        "licenses": [
            {"id": 4, "name": "Attribution License", "url": ""},
            {"id": 7, "name": "No known copyright restrictions", "url": ""},
        ],
        "images": copy.deepcopy(images),
        "annotations": copy.deepcopy(annotations),
        "categories": [{"id": 1, "name": "dog"}, {"id": 2, "name": "cat"}],
    }


def write_json(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def write_photo(folder: Path, image_id: int = 1) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    pixels = np.random.default_rng(image_id).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
    path = folder / f"{image_id:012d}.png"
    Image.fromarray(pixels).save(path)
    return path


def folder(root: Path, images: list[Any], annotations: list[Any]) -> Path:
    """A folder in the plain layout, with a photo for each of `images` that has a whole id."""
    for record in images:
        if isinstance(record, dict) and isinstance(record.get("id"), int):
            write_photo(root / "images", record["id"])
    write_json(root / "annotations" / "instances.json", document(images, annotations))
    return root
