"""The ground truth that the package ships agrees with itself and with the photos."""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from pycocotools import mask as coco_mask

import gen.sources
from gen.sources.embedded_photos import photo_folder

# pycocotools decodes masks by a protocol that NumPy 2 has replaced.
pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")

TRUTH = Path(gen.sources.__file__).parent / "embedded"
PHOTOS = ("astronaut.png", "chelsea.png", "coffee.png", "rocket.jpg", "motorcycle_left.png")
COCO_IDS = {
    "person": 1, "bicycle": 2, "motorcycle": 4, "bench": 15, "cat": 17,
    "bottle": 44, "cup": 47, "spoon": 50, "dining table": 67,
}  # fmt: skip


@cache
def read(name: str) -> Any:
    return json.loads((TRUTH / name).read_text(encoding="utf-8"))


INSTANCES = read("instances.json")
IMAGES = {image["id"]: image for image in INSTANCES["images"]}
NAMES = {category["id"]: category["name"] for category in INSTANCES["categories"]}
ANNOTATIONS = {annotation["id"]: annotation for annotation in INSTANCES["annotations"]}
SEMANTIC = read("semantic.json")
CLASS_IDS = {category["name"]: category["id"] for category in SEMANTIC["categories"]}

each_annotation = pytest.mark.parametrize("annotation", ANNOTATIONS.values(), ids=lambda a: a["id"])
each_map = pytest.mark.parametrize("entry", SEMANTIC["images"], ids=lambda e: e["file_name"])


def rle(annotation: dict[str, Any]) -> dict[str, Any]:
    image = IMAGES[annotation["image_id"]]
    parts = coco_mask.frPyObjects(annotation["segmentation"], image["height"], image["width"])
    merged: dict[str, Any] = coco_mask.merge(parts)
    return merged


def on(image_id: int) -> list[dict[str, Any]]:
    return [a for a in ANNOTATIONS.values() if a["image_id"] == image_id]


def label_map(entry: dict[str, Any]) -> NDArray[np.uint8]:
    with Image.open(TRUTH / entry["label_map"]) as picture:
        assert picture.mode == "L"
        return np.asarray(picture)


def test_images_are_the_photos_with_their_rights() -> None:
    assert [image["file_name"] for image in INSTANCES["images"]] == list(PHOTOS)
    licences = {licence["id"]: licence for licence in INSTANCES["licenses"]}
    for image in INSTANCES["images"]:
        with Image.open(photo_folder() / image["file_name"]) as photo:
            assert photo.size == (image["width"], image["height"])
        licence = licences[image["license"]]
        assert licence["name"]
        assert licence["url"].startswith("https://")
        assert image["source_url"].startswith("https://")
        assert image["author"]


def test_files_mean_the_same_photos() -> None:
    for name in ("keypoints.json", "captions.json"):
        file = read(name)
        assert file["licenses"] == INSTANCES["licenses"]
        assert all(image == IMAGES[image["id"]] for image in file["images"])


def test_ids_are_unique_and_categories_are_used() -> None:
    assert len(ANNOTATIONS) == len(INSTANCES["annotations"])
    assert len(NAMES) == len(INSTANCES["categories"]) == len(set(NAMES.values()))
    assert {a["category_id"] for a in ANNOTATIONS.values()} == set(NAMES)


def test_categories_of_coco_keep_their_ids() -> None:
    assert {name: number for number, name in NAMES.items() if number < 200} == COCO_IDS


def test_there_is_enough_to_ask_about() -> None:
    assert len(ANNOTATIONS) >= 30
    repeated = 0
    for image_id in IMAGES:
        counts = Counter(a["category_id"] for a in on(image_id))
        assert len(counts) >= 2
        repeated += max(counts.values()) >= 2
    assert repeated >= 2


@each_annotation
def test_polygons_are_inside_the_photo(annotation: dict[str, Any]) -> None:
    image = IMAGES[annotation["image_id"]]
    assert annotation["segmentation"]
    for ring in annotation["segmentation"]:
        assert len(ring) >= 6
        assert len(ring) % 2 == 0
        points = np.array(ring).reshape(-1, 2)
        assert (points >= 0).all()
        assert (points <= (image["width"], image["height"])).all()
        assert (points != np.roll(points, 1, axis=0)).any(axis=1).all()


@each_annotation
def test_area_and_box_are_those_of_the_mask(annotation: dict[str, Any]) -> None:
    mask = rle(annotation)
    assert annotation["area"] == int(coco_mask.area(mask)) > 0
    assert annotation["bbox"] == coco_mask.toBbox(mask).tolist()
    assert annotation["iscrowd"] == 0


@pytest.mark.parametrize("image_id", IMAGES)
def test_objects_of_one_class_do_not_overlap(image_id: int) -> None:
    for category_id in NAMES:
        masks = [rle(a) for a in on(image_id) if a["category_id"] == category_id]
        together = int(coco_mask.area(coco_mask.merge(masks))) if masks else 0
        assert together == sum(int(coco_mask.area(mask)) for mask in masks)


@each_map
def test_label_maps_fit_the_photos(entry: dict[str, Any]) -> None:
    image = IMAGES[entry["image_id"]]
    labels = label_map(entry)
    assert entry["file_name"] == image["file_name"]
    assert labels.shape == (image["height"], image["width"])
    present = set(np.unique(labels).tolist())
    assert present <= set(CLASS_IDS.values())
    assert len(present - {0}) >= 3
    assert (labels == 0).mean() < 0.1


def test_classes_are_numbered_by_position_and_used() -> None:
    assert [category["id"] for category in SEMANTIC["categories"]] == list(range(len(CLASS_IDS)))
    assert SEMANTIC["categories"][0]["name"] == "unlabeled"
    maps = [label_map(entry) for entry in SEMANTIC["images"]]
    assert {int(value) for labels in maps for value in np.unique(labels)} == set(CLASS_IDS.values())
    assert {entry["image_id"] for entry in SEMANTIC["images"]} == set(IMAGES)


@each_map
def test_label_maps_agree_with_the_objects(entry: dict[str, Any]) -> None:
    labels = label_map(entry)
    objects = [a for a in on(entry["image_id"]) if NAMES[a["category_id"]] in CLASS_IDS]
    assert objects
    covered: dict[int, NDArray[np.bool_]] = {}
    for annotation in objects:
        mask = coco_mask.decode(rle(annotation)).astype(bool)
        value = CLASS_IDS[NAMES[annotation["category_id"]]]
        assert (labels[mask] == value).mean() >= 0.9, NAMES[annotation["category_id"]]
        covered[value] = covered.get(value, np.zeros_like(mask)) | mask
    for value, mask in covered.items():
        assert mask[labels == value].mean() >= 0.9, SEMANTIC["categories"][value]["name"]


def test_keypoints_lie_on_the_person() -> None:
    file = read("keypoints.json")
    (person,) = file["annotations"]
    (category,) = file["categories"]
    assert len(category["keypoints"]) == 17
    assert all(1 <= joint <= 17 for bone in category["skeleton"] for joint in bone)
    assert all(person[key] == value for key, value in ANNOTATIONS[person["id"]].items())
    joints = np.array(person["keypoints"]).reshape(17, 3)
    labelled = joints[joints[:, 2] > 0]
    assert person["num_keypoints"] == len(labelled) >= 7
    assert set(joints[:, 2]) <= {0, 1, 2}
    assert (joints[joints[:, 2] == 0] == 0).all()
    mask = coco_mask.decode(rle(person))
    assert all(mask[int(y), int(x)] for x, y, _ in labelled)
    named = dict(zip(category["keypoints"], joints[:, 0], strict=True))
    for side in ("eye", "ear", "shoulder"):
        # She faces the camera, so her left is to the right of her right.
        assert named[f"left_{side}"] > named[f"right_{side}"]


def test_references_name_objects() -> None:
    references = read("referring.json")
    assert len(references) >= 8
    assert len({reference["ref_id"] for reference in references}) == len(references)
    assert len({reference["ann_id"] for reference in references}) == len(references)
    for reference in references:
        annotation = ANNOTATIONS[reference["ann_id"]]
        assert reference["image_id"] == annotation["image_id"]
        assert reference["category_id"] == annotation["category_id"]
        assert reference["sentences"]
    sentences = [sentence for reference in references for sentence in reference["sentences"]]
    assert len({sentence["sent_id"] for sentence in sentences}) == len(sentences)
    assert len({sentence["raw"] for sentence in sentences}) == len(sentences)


def test_every_photo_has_captions() -> None:
    captions = read("captions.json")["annotations"]
    assert len({caption["id"] for caption in captions}) == len(captions)
    counts = Counter(caption["image_id"] for caption in captions)
    assert set(counts) == set(IMAGES)
    assert min(counts.values()) >= 2
    assert all(caption["caption"].endswith(".") for caption in captions)
