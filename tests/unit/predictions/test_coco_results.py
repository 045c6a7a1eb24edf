"""COCO results files: what is read, what is left out, and how it is scored."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from PIL import Image
from pycocotools import mask as api
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval
from scipy.optimize import linear_sum_assignment

from gen.errors import UserError
from gen.predictions.annotation import BoxPrediction
from gen.predictions.metrics.keypoints import object_keypoint_similarity, true_persons
from gen.predictions.metrics.objects import box_iou
from gen.predictions.picture_store import PictureStore
from gen.predictions.supply import open_supply
from gen.schema import validate
from gen.sources.open import open_source

CONF = Path(__file__).parents[3] / "conf"
SQUARE = [[10, 10, 50, 10, 50, 50, 10, 50]]
MISSING = [0, 0, 0] * 17


def settings(*overrides):
    with initialize_config_dir(str(CONF), version_base="1.3"):
        config = compose("config", overrides=["data=coco", "predictions=coco_results", *overrides])
    return validate(OmegaConf.to_container(config, resolve=True))


def opened(chosen, task):
    """The source and what is predicted on it; poses are a task by their family alone."""
    if task == "poses":
        poses = chosen.task.model_copy(update={"name": "keypoint", "family": "keypoints"})
        chosen = chosen.model_copy(update={"task": poses})
    source = open_source(chosen.data)
    return source, open_supply(chosen, source, PictureStore.in_memory())


def named(task):
    return "instance_seg" if task == "poses" else task


@pytest.fixture
def supply(tmp_path):
    """What results files give on two photos: a cat with a dog, and a person, of 40 x 40 pixels."""
    person = {"keypoints": [20, 20, 2] * 5 + [0, 0, 0] * 12, "num_keypoints": 5}
    truth = {
        "images": [{"id": i, "file_name": f"{i}.png", "width": 100, "height": 80} for i in (1, 2)],
        "categories": [{"id": i, "name": n} for i, n in ((1, "person"), (3, "cat"), (4, "dog"))],
        "annotations": [
            record(1, 3, segmentation=SQUARE, id=1, iscrowd=0),
            record(1, 4, segmentation=[[60, 10, 90, 10, 90, 40, 60, 40]], id=2, iscrowd=0),
            record(2, 1, segmentation=SQUARE, id=3, iscrowd=0, **person),
        ],
    }
    (tmp_path / "annotations").mkdir()
    (tmp_path / "annotations/instances.json").write_text(json.dumps(truth))
    for number in (1, 2):
        Image.new("RGB", (100, 80)).save(tmp_path / f"{number}.png")
    (tmp_path / "results").mkdir()

    def made(files, task="object_detection", *overrides):
        for name, content in files.items():
            text = content if isinstance(content, str) else json.dumps(content)
            (tmp_path / "results" / name).write_text(text)
        chosen = settings(
            f"task={named(task)}",
            f"data.root={tmp_path}",
            f"predictions.root={tmp_path / 'results'}",
            *overrides,
        )
        return opened(chosen, task)[1]

    return made


def record(image, category, **fields):
    return {"image_id": image, "category_id": category, **fields}


def found(supply, image="1"):
    return list(supply.annotations(image, (None,)))


def faults(supply):
    return Counter((one.kind, one.record, one.reason.split(":")[0]) for one in supply.problems())


def test_models_are_scored_and_compared_by_groups_of_classes(supply):
    first = [
        record(1, 3, bbox=[10, 10, 40, 40], score=0.9),
        record(1, 4, bbox=[60, 10, 30, 30], score=0.4),
    ]
    second = [
        record(1, 3, bbox=[10, 10, 20, 40], score=0.9),
        record(1, 4, bbox=[60, 10, 30, 15], score=0.5),
    ]
    made = found(supply({"first_results.json": first, "second_results.json": second}))
    table = {(one.class_of_interest, one.source): one.final_score for one in made}
    assert table == pytest.approx(
        {
            (("cat",), "first"): 10.0,
            (("cat",), "second"): 5.0,
            (("dog",), "first"): 0.0,
            (("dog",), "second"): 5.0,
            (("cat", "dog"), "first"): 20 / 3,
            (("cat", "dog"), "second"): 5.0,
        }
    )
    assert {(one.error_type, one.severity, one.prompt) for one in made} == {(None, None, None)}
    assert len({one.annotation_id for one in made}) == 6
    assert all("first" not in one.annotation_id for one in made)


def test_a_threshold_decides_what_is_drawn(supply):
    file = {"one.json": [record(1, 3, bbox=[10, 10, 40, 40], score=0.6)]}
    (low,) = [one for one in found(supply(file)) if one.class_of_interest == ("cat",)]
    (high,) = [
        one
        for one in found(supply(file, "object_detection", "predictions.score_threshold=0.7"))
        if one.class_of_interest == ("cat",)
    ]
    assert (len(low.prediction), low.final_score) == (1, 10.0)
    assert (len(high.prediction), high.final_score) == (0, 0.0)


def test_equal_models_give_one_prediction_and_absent_ones_none(supply):
    same = [record(1, 3, bbox=[10, 10, 40, 40], score=0.9)]
    elsewhere = [record(2, 3, bbox=[10, 10, 40, 40], score=0.9)]
    made = found(supply({"a.json": same, "b.json": same + elsewhere, "c.json": elsewhere}))
    assert [one.source for one in made if one.class_of_interest == ("cat",)] == ["a"]


def test_a_segm_file_serves_boxes_and_a_bbox_file_no_masks(supply):
    files = {
        "a_segm.json": [record(1, 3, segmentation=SQUARE, score=0.9)],
        "b_bbox.json": [record(1, 3, bbox=[1, 1, 9, 9], score=0.9)],
    }
    boxes = {one.source: one.prediction for one in found(supply(files))}
    assert boxes["a_segm"] == (BoxPrediction("cat", (10.0, 10.0, 50.0, 50.0)),)
    masks = supply(files, "instance_seg")
    assert {one.source for one in found(masks)} == {"a_segm"}
    assert faults(masks) == {("unfit_file", "file", "no usable record has segmentation"): 1}


def test_boxes_keep_one_decimal_and_what_lies_past_the_edge(supply):
    made = found(supply({"a.json": [record(1, 3, bbox=[-3.26, 10.04, 120.111, 40], score=0.9)]}))
    assert made[0].prediction[0].box == (-3.3, 10.0, 116.9, 50.0)


@pytest.mark.parametrize(
    ("bad", "kind", "field"),
    [
        ("[1, 2]", "bad_detection", "is a list, not an object"),
        ('{"image_id": null, "category_id": 3}', "bad_detection", "image_id"),
        (
            '{"image_id": 1, "category_id": 99, "bbox": [1,1,2,2]}',
            "unknown_category",
            "category_id",
        ),
        ('{"image_id": 1, "category_id": 3, "bbox": [1,1,2,2]}', "bad_score", "score"),
        (
            '{"image_id": 1, "category_id": 3, "bbox": [1,1,2,2], "score": NaN}',
            "bad_score",
            "score",
        ),
        ('{"image_id": 1, "category_id": 3, "bbox": [NaN,1,2,2], "score": 1}', "bad_box", "bbox"),
        ('{"image_id": 1, "category_id": 3, "bbox": [1,1,-2,2], "score": 1}', "bad_box", "bbox"),
        ('{"image_id": 1, "category_id": 3, "bbox": [1,1,2], "score": 1}', "bad_box", "bbox"),
        ('{"image_id": 1, "category_id": 3, "bbox": [100,1,2,2], "score": 1}', "bad_box", "bbox"),
        ('{"image_id": 1, "category_id": 3, "bbox": [true,1,2,2], "score": 1}', "bad_box", "bbox"),
        (
            '{"image_id": 1, "category_id": 3, "segmentation": [[1,1,9,9]], "score": 1}',
            "bad_polygon",
            "segmentation",
        ),
        (
            '{"image_id": 1, "category_id": 3, "segmentation": {"size": [9, 9], "counts": [81]},'
            ' "score": 1}',
            "bad_rle",
            "segmentation",
        ),
        (
            '{"image_id": 1, "category_id": 3, "segmentation": {"size": [80, 100], "counts":'
            ' [8000]}, "score": 1}',
            "empty_mask",
            "segmentation",
        ),
    ],
)
def test_a_bad_record_is_named_and_no_other_lost(supply, bad, kind, field):
    good = json.dumps(record(1, 3, bbox=[10, 10, 40, 40], score=0.9))
    read = supply({"a.json": f"[{good}, {bad}, {good}]"})
    assert {len(one.prediction) for one in found(read) if one.class_of_interest == ("cat",)} == {2}
    assert faults(read) == {(kind, "detection at position 1", field): 1}
    assert read.problems()[0].file == "a.json"


def test_photos_that_the_data_has_not_are_counted_and_all_of_them_are_an_error(supply):
    strangers = [record(7, 3, bbox=[1, 1, 2, 2], score=1)] * 3
    read = supply({"a.json": [*strangers, record(1, 3, bbox=[10, 10, 40, 40], score=1)]})
    assert found(read)
    (problem,) = read.problems()
    assert (problem.kind, problem.record) == ("unknown_image", "image 7")
    assert problem.reason.endswith(": 3")
    with pytest.raises(UserError, match=r"none of 1 files has detections with bbox"):
        found(supply({"a.json": strangers}))


def test_joints_are_detected_by_any_confidence_with_a_position(supply):
    joints = [20, 20.04, 0.3, 21, 21, 0, 0, 0, 2, 22, 22, 2] + [0, 0, 0] * 13
    files = {
        "a.json": [
            record(2, 1, keypoints=joints, score=1),
            record(2, 1, keypoints=MISSING, score=1),
        ]
    }
    read = supply(files, "poses")
    (made,) = found(read, "2")
    assert made.class_of_interest is None
    assert [joint for joint in made.prediction[0].joints if joint[2]] == [
        (20.0, 20.0, 2),
        (22.0, 22.0, 2),
    ]
    assert faults(read) == {("empty_pose", "detection at position 1", "keypoints"): 1}


def test_other_data_and_tasks_are_refused(supply, tmp_path):
    with pytest.raises(UserError, match="nothing for task=semantic_seg"):
        supply({}, "semantic_seg")
    chosen = settings("data=embedded", f"predictions.root={tmp_path}")
    with pytest.raises(UserError, match=r"no file; predictions.files is \*.json"):
        found(open_supply(chosen, open_source(chosen.data), PictureStore.in_memory()), "astronaut")


def real(shared_data, task):
    chosen = settings(
        f"task={named(task)}",
        f"data.root={shared_data / 'coco'}",
        f"predictions.root={shared_data / 'results'}",
        "predictions.min_area=0",
        "predictions.score_threshold=0",
    )
    return opened(chosen, task)


@pytest.mark.parametrize("kind", ["bbox", "segm"])
def test_overlaps_are_those_of_pycocotools(shared_data, kind):
    task = "object_detection" if kind == "bbox" else "instance_seg"
    source, supply = real(shared_data, task)
    name = "cocoapi_fakebbox" if kind == "bbox" else "cocoapi_fakesegm"
    checked = 0
    for one in supply.annotations("139", (None,)):
        if one.source != name or len(one.class_of_interest) > 1:
            continue
        (label,) = one.class_of_interest
        true = [t for t in source.truth("139").instances if t.category == label and not t.crowd]
        if not true:
            assert one.final_score == 0
            continue
        total = best_by_pycocotools(kind, one.prediction, true)
        assert one.metrics["sum_iou"] == pytest.approx(total, abs=1e-6)
        checked += 1
    assert checked >= 3


def best_by_pycocotools(kind, predicted, true):
    """The sum of IoU over the best matching, the IoU computed by pycocotools."""
    if not predicted:
        return 0.0
    if kind == "segm":
        dt = [{"size": list(p.rle.size), "counts": p.rle.counts} for p in predicted]
        gt = [{"size": list(t.rle.size), "counts": t.rle.counts} for t in true]
    else:
        dt = np.array([[x, y, a - x, b - y] for x, y, a, b in (p.box for p in predicted)])
        gt = np.array(
            [api.toBbox({"size": list(t.rle.size), "counts": t.rle.counts}) for t in true]
        )
        ours = box_iou([p.box for p in predicted], [(x, y, x + w, y + h) for x, y, w, h in gt])
        assert np.allclose(ours, api.iou(dt, gt, [0] * len(gt)), atol=1e-6)
    iou = api.iou(dt, gt, [0] * len(gt))
    return iou[linear_sum_assignment(-iou)].sum()


def test_similarity_of_poses_is_that_of_pycocotools(shared_data):
    coco = COCO(str(shared_data / "coco/annotations/keypoints.json"))
    for one in coco.anns.values():
        one["area"] = float(api.area(coco.annToRLE(one)))  # COCO's own is that of the polygon
    source, supply = real(shared_data, "poses")
    for image in (139, 785):
        (made,) = supply.annotations(str(image), (None,))
        truth = [t for t in true_persons(source.truth(str(image)).instances) if not t.ignored]
        ours = object_keypoint_similarity(made.prediction, truth)
        flat = [value for joint in made.prediction[0].joints for value in joint]
        fields = {"image_id": image, "category_id": 1, "score": 1.0}
        judge = COCOeval(coco, coco.loadRes([{**fields, "keypoints": flat}]), "keypoints")
        judge._prepare()
        labelled = [one["num_keypoints"] > 0 for one in judge._gts[image, 1]]
        theirs = judge.computeOks(image, 1)[0][labelled]
        assert np.sort(ours[0]) == pytest.approx(np.sort(theirs), abs=1e-6)
        assert made.metrics["sum_oks"] == pytest.approx(theirs.max(), abs=1e-6)


def test_photos_labelled_by_panoptic_files_alone_have_questions(shared_data):
    source, supply = real(shared_data, "object_detection")
    assert len(list(supply.annotations("136", (None,)))) >= 3
    assert "segment-" in source.truth("136").instances[0].instance_id
    # 197388 is labelled for persons only: other classes are not in question there.
    assert {one.class_of_interest for one in supply.annotations("197388", (None,))} == {("person",)}


def test_a_folder_of_several_data_sets_gives_what_coco_alone_gives(shared_data):
    same = (
        "task=object_detection",
        f"predictions.root={shared_data / 'results'}",
        "predictions.min_area=0",
        "predictions.score_threshold=0",
    )
    chosen = settings("data=folder", f"data.root={shared_data}", *same)
    source, joined = opened(chosen, "object_detection")
    _, alone = real(shared_data, "object_detection")
    for photo in source.photos():
        made = list(joined.annotations(photo.image_id, (None,)))
        if photo.image_id in ("139", "785"):
            assert made
        if not photo.image_id.isdigit():
            assert made == []
        else:
            assert made == list(alone.annotations(photo.image_id, (None,)))
    assert joined.problems() == alone.problems()
    without = settings("data=folder", f"data.root={shared_data}", "data.coco=null", *same)
    with pytest.raises(UserError, match="needs data=coco"):
        opened(without, "object_detection")
