"""COCO folders: what is found, joined and reported."""

import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from coco_folder import (
    HEIGHT,
    TRIANGLE,
    WIDTH,
    annotation,
    document,
    folder,
    image,
    opened,
    write_json,
    write_photo,
)
from PIL import Image

from gen import masks
from gen.errors import UserError
from gen.sources.coco import CocoSource
from gen.sources.photos import PhotoError

JOINTS = [20.0, 15.0, 2.0] * 5 + [22.0, 12.0, 1.0] * 5 + [0.0, 0.0, 0.0] * 7


def kinds(source: CocoSource) -> list[str]:
    for photo in source.photos():
        source.truth(photo.image_id)
    return [problem.kind for problem in source.problems()]


def test_a_sound_folder(tmp_path: Path) -> None:
    source = opened(folder(tmp_path, [image(1), image(12), image(3)], [
        annotation(7, 1), annotation(10, 1, category_id=2), annotation(8, 12), annotation(9, 3),
    ]))  # fmt: skip
    assert [photo.image_id for photo in source.photos()] == ["1", "3", "12"]
    photo = source.photos()[0]
    assert (photo.width, photo.height) == (WIDTH, HEIGHT)
    assert (photo.license, photo.license_url) == (
        "cc-by-2.0",
        "https://creativecommons.org/licenses/by/2.0/",
    )
    assert photo.url == "http://images.invalid/000000000001.png"
    truth = source.truth("1")
    assert [(one.instance_id, one.category) for one in truth.instances] == [
        ("7", "dog"),
        ("10", "cat"),
    ]
    assert truth.instances[0].rle == masks.from_polygons([TRIANGLE], HEIGHT, WIDTH)
    assert source.pixels("1").shape == (HEIGHT, WIDTH, 3)
    assert kinds(source) == []


def test_the_order_of_records_changes_nothing(tmp_path: Path) -> None:
    images = [image(1), image(2), image(10)]
    annotations = [annotation(n, image_id) for n, image_id in enumerate((10, 1, 2, 1, 10), 1)]
    annotations += [annotation(9, 1, category_id=2), annotation(9, 1)]
    images += [image(2, license=7)]
    truths = []
    for name, step in (("a", 1), ("b", -1)):
        source = opened(folder(tmp_path / name, images[::step], annotations[::step]))
        truths.append(
            [
                (photo.image_id, photo.license, source.truth(photo.image_id).instances)
                for photo in source.photos()
            ]
        )
    assert truths[0] == truths[1]


def test_the_three_forms_of_segmentation_and_crowds(tmp_path: Path) -> None:
    rle = masks.from_polygons([TRIANGLE], HEIGHT, WIDTH)
    flat = masks.decode(rle).T.ravel()
    runs = np.diff(np.flatnonzero(np.diff(flat, prepend=0, append=0))).tolist()
    first = int(np.flatnonzero(flat)[0])
    counts = [first, *runs, flat.size - first - sum(runs)]
    size = [HEIGHT, WIDTH]
    source = opened(folder(tmp_path, [image()], [
        annotation(1),
        annotation(2, segmentation={"size": size, "counts": rle.counts}),
        annotation(3, segmentation={"size": size, "counts": counts}, iscrowd=1),
    ]))  # fmt: skip
    instances = source.truth("1").instances
    assert [one.rle for one in instances] == [rle, rle, rle]
    assert [one.crowd for one in instances] == [False, False, True]
    assert kinds(source) == []


def test_the_standard_layout(tmp_path: Path) -> None:
    for split, image_id in (("train2017", 1), ("val2017", 2)):
        write_photo(tmp_path / split, image_id)
        images, annotations = [image(image_id)], [annotation(image_id, image_id)]
        write_json(
            tmp_path / "annotations" / f"instances_{split}.json", document(images, annotations)
        )
        captions = [{"id": 5, "image_id": image_id, "caption": f" a dog\n in {split} "}]
        write_json(tmp_path / "annotations" / f"captions_{split}.json", document(images, captions))
        joints = annotation(image_id, image_id, keypoints=JOINTS, num_keypoints=10)
        write_json(
            tmp_path / "annotations" / f"person_keypoints_{split}.json",
            document(images, [joints]),
        )
    source = opened(tmp_path)
    assert [photo.image_id for photo in source.photos()] == ["1", "2"]
    truth = source.truth("2")
    assert truth.captions == ("a dog in val2017",)
    assert len(truth.instances) == 1
    joints_found = truth.instances[0].keypoints
    assert joints_found is not None
    assert joints_found.shape == (17, 3)
    assert joints_found[:, 2].tolist() == [2.0] * 5 + [1.0] * 5 + [0.0] * 7
    assert kinds(source) == []


def test_a_photo_is_taken_from_the_folder_of_its_split(tmp_path: Path) -> None:
    for split, image_id in (("train2017", 1), ("val2017", 2)):
        (tmp_path / split).mkdir()
        Image.new("RGB", (WIDTH, HEIGHT), (image_id, 0, 0)).save(tmp_path / split / "photo.png")
        write_json(
            tmp_path / "annotations" / f"instances_{split}.json",
            document([image(image_id, file_name="photo.png")], [annotation(1, image_id)]),
        )
    source = opened(tmp_path)
    assert [source.pixels(key)[0, 0, 0] for key in ("1", "2")] == [1, 2]


def test_a_split_without_photos_is_not_read(tmp_path: Path) -> None:
    write_photo(tmp_path / "val2017", 2)
    good = document([image(2)], [annotation(1, 2)])
    write_json(tmp_path / "annotations" / "instances_val2017.json", good)
    train = tmp_path / "annotations" / "instances_train2017.json"
    train.write_text("not even JSON")
    assert len(opened(tmp_path).photos()) == 1
    with pytest.raises(UserError, match=r"^annotations/instances_train2017\.json"):
        opened(tmp_path, instances=["annotations/instances_train2017.json"])
    with pytest.raises(UserError, match=r"^annotations/instances_train2017\.json"):
        opened(tmp_path, download=True)


def test_photos_beside_the_annotations(tmp_path: Path) -> None:
    write_photo(tmp_path, 1)
    write_json(tmp_path / "annotations" / "instances.json", document([image()], [annotation()]))
    assert opened(tmp_path).pixels("1").shape == (HEIGHT, WIDTH, 3)


def test_keypoints_alone_are_instances_of_their_own(tmp_path: Path) -> None:
    write_photo(tmp_path / "images", 1)
    write_json(
        tmp_path / "annotations" / "person_keypoints.json",
        document([image()], [annotation(3, keypoints=JOINTS), annotation(4, keypoints=[0] * 51)]),
    )
    instances = opened(tmp_path).truth("1").instances
    assert [one.keypoints is not None for one in instances] == [True, False]


def test_joints_that_are_missing_or_outside_are_zero(tmp_path: Path) -> None:
    flat = [30, 20, 2, 31, 21, 0, WIDTH + 1, 5, 2] + [0, 0, 0] * 14
    source = opened(folder(tmp_path, [image()], [annotation(keypoints=flat)]))
    joints = source.truth("1").instances[0].keypoints
    assert joints is not None
    assert joints[0].tolist() == [30, 20, 2]
    assert not joints[1:].any()


def test_referring_by_annotation_and_by_segment(tmp_path: Path) -> None:
    root = folder(tmp_path / "coco", [image()], [annotation(5)])
    segments = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    segments[4:9, 3:20] = (7, 2, 1)
    (tmp_path / "panoptic" / "masks").mkdir(parents=True)
    Image.fromarray(segments).save(tmp_path / "panoptic" / "masks" / "one.png")
    segment_id = 7 + 256 * 2 + 65_536
    record = {
        "image_id": 1,
        "file_name": "one.png",
        "segments_info": [{"id": segment_id, "category_id": 2}, {"id": 99, "category_id": 2}],
    }
    write_json(tmp_path / "panoptic" / "panoptic.json", document([image()], [record]))
    refs = [
        {"ref_id": 11, "ann_id": 5, "image_id": 1, "sentences": [{"raw": "the dog "}]},
        {
            "ref_id": 2,
            "ann_id": None,
            "segment_id": segment_id,
            "image_id": 1,
            "sentences": [{"sent": "a cat"}, {"sent": "a cat"}, {"raw": "left cat"}, {}],
        },
        {"ref_id": 3, "ann_id": None, "segment_id": 99, "image_id": 1, "sentences": [{"raw": "?"}]},
        {"ref_id": 4, "ann_id": 404, "image_id": 1, "sentences": [{"raw": "nothing"}]},
        {"ref_id": 5, "ann_id": 5, "image_id": 1, "sentences": []},
        {"ref_id": 6, "ann_id": 5, "image_id": 77, "sentences": [{"raw": "elsewhere"}]},
        {"ref_id": 7, "ann_id": 5, "sentences": [{"raw": "nowhere"}]},
    ]
    write_json(tmp_path / "refcoco" / "refs.json", refs)
    source = opened(root)
    found = source.truth("1").referring
    assert [(one.ref_id, one.category, one.expressions) for one in found] == [
        ("2", "cat", ("a cat", "left cat")),
        ("11", "dog", ("the dog",)),
    ]
    assert masks.decode(found[0].rle)[4:9, 3:20].all()
    assert masks.area(found[0].rle) == 5 * 17
    assert found[1].rle == source.truth("1").instances[0].rle
    told = [(problem.kind, problem.file, problem.record) for problem in source.problems()]
    assert told == [
        ("unknown_image", "refcoco/refs.json", "image 77"),
        ("unresolved_reference", "refcoco/refs.json", "reference 3"),
        ("unresolved_reference", "refcoco/refs.json", "reference 4"),
        ("bad_reference", "refcoco/refs.json", "reference 5"),
        ("bad_reference", "refcoco/refs.json", "reference at position 6"),
    ]


BROKEN: list[tuple[str, dict[str, Any], int]] = [
    ("bad_polygon", {"segmentation": [[1, 2, 3, 4]]}, 1),
    ("bad_polygon", {"segmentation": [[1, 2, 3, 4, 5, 6, 7]]}, 1),
    ("bad_polygon", {"segmentation": [[1, 2, 3, math.nan, 5, 6]]}, 1),
    ("bad_polygon", {"segmentation": [[1, 2, 3, None, 5, 6]]}, 1),
    ("bad_polygon", {"segmentation": [["1", "two", 3, 4, 5, 6]]}, 1),
    ("bad_polygon", {"segmentation": [1, 2, 3, 4, 5, 6]}, 1),
    ("bad_polygon", {"segmentation": []}, 1),
    ("bad_polygon", {"segmentation": [TRIANGLE, [1, 2, 3, 4]]}, 2),
    ("bad_polygon", {"segmentation": [[1], [2]]}, 1),
    ("bad_rle", {"segmentation": None}, 1),
    ("bad_rle", {"segmentation": {"size": [9, 9], "counts": [81]}}, 1),
    ("bad_rle", {"segmentation": {"size": [HEIGHT, WIDTH], "counts": [5, 5]}}, 1),
    ("bad_rle", {"segmentation": {"size": [HEIGHT, WIDTH], "counts": "~~~"}}, 1),
    ("empty_mask", {"segmentation": [[-30, -30, -10, -30, -10, -10]]}, 1),
    ("empty_mask", {"segmentation": {"size": [HEIGHT, WIDTH], "counts": [HEIGHT * WIDTH]}}, 1),
    ("box_outside", {"bbox": [50, 10, 30, 20]}, 2),
    ("box_outside", {"bbox": [-5, 10, 30, 20]}, 2),
    ("bad_box", {"bbox": [1, 2, 3]}, 2),
    ("bad_box", {"bbox": "1,2,3,4"}, 2),
    ("unknown_category", {"category_id": 99}, 1),
    ("unknown_category", {"category_id": "dog"}, 1),
    ("unknown_category", {"category_id": [1]}, 1),
    ("bad_annotation", {"iscrowd": "no"}, 1),
    ("bad_annotation", {"id": None}, 1),
    ("bad_annotation", {"id": [2]}, 1),
    ("bad_annotation", {"image_id": None}, 1),
    ("bad_annotation", {"image_id": -4}, 1),
    ("unknown_image", {"image_id": 4}, 1),
    ("bad_keypoints", {"keypoints": [1, 2, 3]}, 2),
    ("bad_keypoints", {"keypoints": [1, 2, 7] * 17}, 2),
    ("keypoint_outside", {"keypoints": [900, 2, 2] + [1, 1, 2] * 16}, 2),
]


@pytest.mark.parametrize(("kind", "changes", "kept"), BROKEN)
def test_a_broken_annotation_is_reported_and_the_rest_kept(
    tmp_path: Path, kind: str, changes: dict[str, Any], kept: int
) -> None:
    broken = annotation(2) | changes
    source = opened(folder(tmp_path, [image()], [annotation(1), broken]))
    assert kinds(source) == [kind]
    (problem,) = source.problems()
    assert problem.file == "annotations/instances.json"
    assert problem.reason
    assert str(tmp_path) not in problem.reason
    truth = source.truth("1")
    assert [one.instance_id for one in truth.instances] == ["1", "2"][:kept]
    assert {masks.area(one.rle) for one in truth.instances} == {
        masks.area(masks.from_polygons([TRIANGLE], HEIGHT, WIDTH))
    }
    assert len(source.problems()) == 1


@pytest.mark.parametrize(
    "broken",
    [
        image() | {"id": None},
        image() | {"id": True},
        image() | {"id": "../../x"},
        image(2, width="60"),
        image(2, height=0),
        image(2, width=10**9),
        image(2, file_name="../1.png"),
        image(2, file_name="/etc/1.png"),
        image(2, file_name=""),
        image(2, file_name=None),
        "000000000002.png",
        None,
        7,
    ],
)
def test_a_broken_image_record_is_reported(tmp_path: Path, broken: Any) -> None:
    source = opened(folder(tmp_path, [image(), broken], [annotation()]))
    assert kinds(source) == ["bad_image"]
    assert [photo.image_id for photo in source.photos()] == ["1"]


@pytest.mark.parametrize("broken", ["text", [1, 2], 5])
def test_an_annotation_of_another_type(tmp_path: Path, broken: Any) -> None:
    source = opened(folder(tmp_path, [image()], [annotation(), broken]))
    assert len(source.truth("1").instances) == 1
    assert kinds(source) == ["bad_annotation"]


def test_annotations_without_an_id_are_reported_one_by_one(tmp_path: Path) -> None:
    broken = [annotation(1, id=None), annotation(2, id=None), annotation(3)]
    source = opened(folder(tmp_path, [image()], broken))
    assert kinds(source) == ["bad_annotation", "bad_annotation"]


def test_a_record_that_is_no_json_does_not_spoil_the_file(tmp_path: Path) -> None:
    root = folder(tmp_path, [image()], [annotation(1), annotation(2), annotation(3)])
    path = root / "annotations" / "instances.json"
    path.write_text(path.read_text().replace('"id": 2, "image_id"', '"id": 2 2, "image_id"'))
    source = opened(root)
    assert [one.instance_id for one in source.truth("1").instances] == ["1", "3"]
    assert kinds(source) == ["bad_annotation"]


def test_ids_that_are_there_twice(tmp_path: Path) -> None:
    twice = [image(1), image(1, license=7)]
    source = opened(folder(tmp_path, twice, [annotation(1), annotation(1, category_id=2)]))
    assert kinds(source) == ["duplicate_annotation", "duplicate_image"]
    assert len(source.photos()) == 1
    assert len(source.truth("1").instances) == 1


def test_two_files_that_mean_different_photos_by_one_id(tmp_path: Path) -> None:
    root = folder(tmp_path, [image(1)], [annotation(1)])
    other = document([image(1, file_name="other.png")], [annotation(2)])
    write_json(root / "annotations" / "instances_more.json", other)
    source = opened(root)
    assert [one.instance_id for one in source.truth("1").instances] == ["1"]
    assert kinds(source) == ["conflicting_image"]


def test_bad_categories(tmp_path: Path) -> None:
    content = document([image()], [annotation()])
    content["categories"] += [{"id": 1, "name": "zebra"}, {"id": "x", "name": "y"}, {"id": 3}]
    root = folder(tmp_path, [image()], [])
    write_json(root / "annotations" / "instances.json", content)
    source = opened(root)
    assert source.truth("1").instances[0].category == "dog"
    assert kinds(source) == ["duplicate_category", "bad_category", "bad_category"]


def test_categories_with_their_kinds(tmp_path: Path) -> None:
    content = document([image()], [annotation()])
    content["categories"] = [
        {"id": 2, "name": "cat", "supercategory": "animal"},
        {"id": 1, "name": "dog"},
        {"id": 3, "name": "cup", "supercategory": 7},
    ]
    root = folder(tmp_path, [image()], [])
    write_json(root / "annotations" / "instances.json", content)
    assert list(opened(root).categories().items()) == [("cat", "animal"), ("cup", ""), ("dog", "")]


def test_photos_that_cannot_be_used(tmp_path: Path) -> None:
    root = folder(tmp_path, [image(n) for n in (1, 2, 3)], [annotation(n, n) for n in (1, 2, 3)])
    (root / "images" / "000000000001.png").unlink()
    Image.new("RGB", (5, 5)).save(root / "images" / "000000000002.png")
    content = (root / "images" / "000000000003.png").read_bytes()
    (root / "images" / "000000000003.png").write_bytes(content[: len(content) // 2])
    source = opened(root)
    assert [photo.image_id for photo in source.photos()] == ["2", "3"]
    for image_id in ("2", "3"):
        with pytest.raises(PhotoError):
            source.pixels(image_id)
    assert [(one.kind, one.file, one.record) for one in source.problems()] == [
        ("missing_photo", "000000000001.png", "1"),
        ("wrong_size", "000000000002.png", "2"),
        ("corrupt_photo", "000000000003.png", "3"),
    ]


def test_photos_without_labels_are_left_out(tmp_path: Path) -> None:
    source = opened(folder(tmp_path, [image(1), image(2)], [annotation(1, 2)]))
    assert [photo.image_id for photo in source.photos()] == ["2"]
    with pytest.raises(KeyError):
        source.truth("1")


def test_licences_filter(tmp_path: Path) -> None:
    images = [image(1), image(2, license=7), image(3, license=99)]
    root = folder(tmp_path, images, [annotation(n, n) for n in (1, 2, 3)])

    def kept(*wanted: object) -> list[str]:
        return [photo.image_id for photo in opened(root, licenses=list(wanted)).photos()]

    assert kept() == ["1", "2", "3"]
    assert kept("cc-by-2.0") == ["1"]
    assert kept(4, 7) == ["1", "2"]
    assert kept("unknown") == ["3"]
    with pytest.raises(UserError, match="no licence is named 'cc-by-9'"):
        kept("cc-by-9")
    with pytest.raises(UserError, match="leaves none of 3 photos"):
        kept("cc0-1.0")
    assert opened(root, licenses=[4]).fingerprint() == opened(root).fingerprint()


def test_a_fingerprint_is_of_content_and_not_of_place(tmp_path: Path) -> None:
    def make(name: str) -> Path:
        return folder(tmp_path / name, [image(1), image(2)], [annotation(1, 1), annotation(2, 2)])

    first, second = make("a"), make("b")
    (second / "images").rename(second / "photos")
    (second / "annotations" / "instances.json").rename(second / "instances.json")
    moved = opened(second, images=["photos"], instances=["instances.json"])
    assert moved.fingerprint() == opened(first).fingerprint()

    photo = first / "images" / "000000000002.png"
    before = opened(first).fingerprint()
    pixels = np.asarray(Image.open(photo)).copy()
    pixels[0, 0] ^= 1
    Image.fromarray(pixels).save(photo)
    changed = opened(first).fingerprint()
    assert changed != before
    path = first / "annotations" / "instances.json"
    path.write_text(path.read_text().replace("dog", "dig"))
    assert opened(first).fingerprint() not in (before, changed)


ERRORS: list[tuple[dict[str, Any], str]] = [
    ({"root": "nowhere"}, "data.root: no folder 'nowhere'"),
    (
        {"instances": ["annotations/instance.json"]},
        "data.instances: no file 'annotations/instance.json': did you mean instances.json?",
    ),
    ({"images": ["image"]}, "data.images: no folder 'image': did you mean images?"),
    (
        {"keypoints": ["labels/person.json"]},
        "data.keypoints: no file 'labels/person.json': there is no folder 'labels' either",
    ),
    (
        {"instances": [], "keypoints": [], "captions": ["c*.json"], "panoptic": []},
        "data.root=.: no annotation file; looked for c*.json",
    ),
    (
        {"images": ["annotations"]},
        "none of the 1 labelled photos is there; looked in annotations (data.images); "
        "data.download=true fetches photos by their coco_url",
    ),
]


@pytest.mark.parametrize(("changes", "message"), ERRORS)
def test_what_the_user_can_mend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], message: str
) -> None:
    folder(tmp_path, [image()], [annotation()])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError) as caught:
        opened(Path(changes.get("root", ".")), **changes)
    assert str(caught.value) == message


SPOILT: list[tuple[Any, str]] = [
    (lambda text: "", "is empty; expected a JSON object"),
    (lambda text: "hello", "expected a JSON object with images and annotations"),
    (lambda text: "[1, 2]", "expected a JSON object with images and annotations"),
    (lambda text: "{}", "has no list 'images'"),
    (lambda text: text[: len(text) // 2], "not valid JSON: cut off? at its end, byte"),
    (lambda text: text[:-1], "not valid JSON: cut off? at its end, byte"),
    (lambda text: text.replace('"annotations"', '"annotation"'), "has no list 'annotations'"),
    (lambda text: text.replace('"width": 60', '"width" 60'), "not valid JSON in 'images'"),
]


@pytest.mark.parametrize(("spoil", "message"), SPOILT)
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, spoil: Any, message: str) -> None:
    root = folder(tmp_path, [image()], [annotation()])
    path = root / "annotations" / "instances.json"
    path.write_text(spoil(path.read_text()))
    with pytest.raises(UserError) as caught:
        opened(root)
    assert str(caught.value).startswith(f"annotations/instances.json: {message}")


@pytest.mark.parametrize("content", ['[{"ref_id"', '{"refs": []}'])
def test_a_referring_file_that_cannot_be_used(tmp_path: Path, content: str) -> None:
    root = folder(tmp_path, [image()], [annotation()])
    write_json(root / "refcoco" / "refs.json", []).write_text(content)
    with pytest.raises(UserError, match=r"^refcoco/refs\.json: "):
        opened(root)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    root = folder(tmp_path, [image()], [annotation()])
    (root / "annotations" / "instances.json").chmod(0)
    with pytest.raises(UserError, match=r"instances\.json: Permission denied"):
        opened(root)


def test_the_real_pack(shared_data: Path) -> None:
    source = opened(shared_data / "coco")
    truths = [source.truth(photo.image_id) for photo in source.photos()]
    files = shared_data / "coco" / "annotations"
    instances = json.loads((files / "instances.json").read_bytes())["annotations"]
    people = json.loads((files / "keypoints.json").read_bytes())["annotations"]
    captions = json.loads((files / "captions.json").read_bytes())["annotations"]
    refs = json.loads((shared_data / "refcoco" / "refs.json").read_bytes())
    objects = [one for truth in truths for one in truth.instances]
    found = [one for one in objects if not one.instance_id.startswith("segment-")]
    ids = {str(record["id"]) for record in (*instances, *people)}
    assert sorted(one.instance_id for one in found) == sorted(ids)
    assert sum(one.crowd for one in found) == sum(record["iscrowd"] for record in instances)
    # Photos that no instance file lists have the things of their panoptic segments.
    assert len(objects) - len(found) == 243
    assert all(one.category != "wall-brick" for one in objects)
    with_joints = {str(record["id"]) for record in people if any(record["keypoints"][2::3])}
    assert {one.instance_id for one in found if one.keypoints is not None} == with_joints
    assert sum(len(truth.captions) for truth in truths) == len(captions)
    assert sum(len(truth.referring) for truth in truths) == len(refs)
    assert all(photo.license.startswith("cc-by") and photo.url for photo in source.photos())
    for photo in source.photos():
        assert source.pixels(photo.image_id).shape == (photo.height, photo.width, 3)
    assert source.problems() == ()


HALF = "\ud800"


def test_half_surrogates_do_no_harm(tmp_path: Path) -> None:
    root = folder(
        tmp_path,
        [image(1, author=f"A {HALF}", coco_url=f"http://a.invalid/{HALF}"), image(2)],
        [annotation(1, 1), annotation(2, 2)],
    )
    content = document([image(1, author=f"A {HALF}"), image(2, file_name=f"{HALF}.png")], [])
    content["annotations"] = [annotation(1, 1), annotation(2, 2)]
    content["categories"][0]["name"] = f"do{HALF}g"
    content["licenses"][0] = {"id": 4, "name": f"L{HALF}", "url": HALF}
    write_json(root / "annotations" / "instances.json", content)
    source = opened(root)
    photo = source.photos()[0]
    assert (photo.author, photo.license) == ("A \ufffd", "l\ufffd")
    assert source.truth("1").instances[0].category == "do\ufffdg"
    assert list(source.categories()) == ["cat", "do\ufffdg"]
    assert "bad_image" in kinds(source)
    for problem in source.problems():
        f"{problem}".encode()


@pytest.mark.parametrize("name", [300 * "n", "sub/" + 300 * "n", "sub/" * 2000 + "a"])
def test_a_name_that_no_disk_takes_is_a_missing_photo(tmp_path: Path, name: str) -> None:
    images = [image(1), image(2, file_name=name)]
    root = folder(tmp_path, images, [annotation(1, 1), annotation(2, 2)])
    (root / "images" / "sub").mkdir()
    source = opened(root)
    assert [photo.image_id for photo in source.photos()] == ["1"]
    assert kinds(source) == ["missing_photo"]


@pytest.mark.parametrize("pattern", ["a**b/x", "***", 300 * "n", 300 * "n" + "/*", "a\0b"])
@pytest.mark.parametrize("knob", ["instances", "images"])
def test_patterns_that_no_disk_takes_are_one_line(tmp_path: Path, knob: str, pattern: str) -> None:
    root = folder(tmp_path, [image()], [annotation()])
    changes: dict[str, Any] = {knob: [pattern], "captions": []}
    if "*" in pattern and pattern.startswith("n"):
        changes["instances"] = [pattern]
    with pytest.raises(UserError, match=r"^data\."):
        opened(root, **changes)


def test_a_root_that_no_disk_takes_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^data\.root"):
        opened(tmp_path, root=str(tmp_path / (300 * "n")))
