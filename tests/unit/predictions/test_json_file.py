"""Annotation files: every payload there and back, faults by field, items without a photo."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from PIL import Image

from gen import masks
from gen.errors import UserError
from gen.judge import plan
from gen.judge.items import Maker, Rejection
from gen.predictions import files, json_file, json_records
from gen.predictions.annotation import (
    Annotation,
    BoxPrediction,
    DepthPrediction,
    MaskPrediction,
    PosePrediction,
)
from gen.predictions.files import PredictionFile
from gen.render.png import encode_png
from gen.rundir import place
from gen.schema import Task, validate
from gen.sources.open import open_source
from gen.sources.problem_log import ProblemLog

ROOT = Path(__file__).parents[3]
SIZE = (40, 60)


def square(x, y, side):
    mask = np.zeros(SIZE, np.uint8)
    mask[y : y + side, x : x + side] = 1
    return masks.encode(mask)


PAYLOADS = {
    "boxes": (
        BoxPrediction("cat", (1.5, 2.0, 30.2, 39.9)),
        BoxPrediction("dog", (0.0, 0.0, 60.0, 40.0)),
    ),
    "instances": (MaskPrediction("cat", square(1, 2, 9)), MaskPrediction("cat", square(5, 5, 9))),
    "semantic": (MaskPrediction("sky", square(0, 0, 9)), MaskPrediction("wall", square(20, 0, 9))),
    "referring": (MaskPrediction("the left one", square(3, 3, 9)),),
    "keypoints": (PosePrediction(((10.5, 11.0, 2), (12.0, 3.1, 1)) + ((0.0, 0.0, 0),) * 15),),
    "depth": (DepthPrediction(encode_png(np.arange(2400).reshape(SIZE).astype(np.uint8))),),
}
TASKS = {
    "boxes": "object_detection",
    "instances": "instance_seg",
    "semantic": "semantic_seg",
    "referring": "referring_seg",
    "keypoints": "keypoint",
    "depth": "depth",
}


def task(name):
    record = yaml.safe_load((ROOT / f"conf/task/{name}.yaml").read_text())
    return Task.model_validate({key: val for key, val in record.items() if key != "defaults"})


SETTINGS = {family: task(name) for family, name in TASKS.items()}


def annotation(family, number=1, **fields):
    known = {
        "annotation_id": f"a{number}",
        "image_id": "7",
        "task": TASKS[family],
        "class_of_interest": ("cat", "dog") if family in ("boxes", "instances") else None,
        "error_type": None,
        "severity": None,
        "prompt": "the left one" if family == "referring" else None,
        "source": "a model",
        "prediction": PAYLOADS[family],
        "final_score": 6.25,
        "metrics": {"iou": 0.5},
        "size": SIZE,
    }
    return Annotation(**{**known, **fields})


def read(path, family, sizes=None):
    log = ProblemLog()
    file = PredictionFile(path, path.name)
    found = json_file.read(file, SETTINGS[family], str(path.parent), sizes or {}, log)
    assert not any(one.picture for one in found)
    return [one.annotation for one in found], log.told()


def read_one(tmp_path, family, **changes):
    path = tmp_path / "x_annotations.json"
    record = json_file.record(annotation(family), path)
    path.write_text(json.dumps([{**record, **changes}, record]))
    return read(path, family)


@pytest.mark.parametrize("family", PAYLOADS)
def test_round_trip(tmp_path, family):
    path = tmp_path / "x_annotations.json"
    made = [annotation(family, 1), annotation(family, 2, error_type="blur", severity=3)]
    json_file.dump(made, path)
    assert read(path, family) == (made, ())


def test_photos_of_the_data_have_their_own_size(tmp_path):
    path = tmp_path / "x_annotations.json"
    json_file.dump([annotation("instances")], path)
    (one,), _ = read(path, "instances", {"7": SIZE})
    assert one.size is None
    assert read(path, "instances", {"7": (41, 60)})[0] == []


def test_polygons_have_holes_and_parts(tmp_path):
    outer, hole = [[0, 0], [20, 0], [20, 20], [0, 20]], [[5, 5], [10, 5], [10, 10], [5, 10]]
    other = [[40, 0], [50, 0], [50, 10], [40, 10]]
    part = {"label": "cat", "polygon": [outer, hole, other]}
    (one, _), problems = read_one(tmp_path, "instances", prediction=[part])
    assert problems == ()
    area = masks.area(one.prediction[0].rle)
    assert area == 20 * 20 - 5 * 5 + 10 * 10
    single = {"label": "cat", "polygon": outer}
    (one, _), _ = read_one(tmp_path, "instances", prediction=[single])
    assert masks.area(one.prediction[0].rle) == 400


def test_depth_of_16_bits_becomes_levels(tmp_path):
    levels = np.arange(2400, dtype=np.uint16).reshape(SIZE) * 27
    cv2.imwrite(str(tmp_path / "d.png"), levels)
    (one, _), _ = read_one(tmp_path, "depth", prediction=[{"depth_png": "d.png"}])
    shown = cv2.imdecode(np.frombuffer(one.prediction[0].png, np.uint8), cv2.IMREAD_UNCHANGED)
    assert np.abs(shown - levels / 257).max() <= 0.5


BOX = {"label": "cat", "bbox": [1, 2, 3, 4]}
SOME_RLE = {"size": [40, 60], "counts": [0, 2400]}


@pytest.mark.parametrize(
    ("family", "changes", "where"),
    [
        ("boxes", {"final_score": 10.5}, "final_score: "),
        ("boxes", {"final_score": "7"}, "final_score: "),
        ("boxes", {"final_score": float("nan")}, "final_score: "),
        ("boxes", {"annotation_id": ""}, "annotation_id: "),
        ("boxes", {"image_id": "../7"}, "image_id: '../7'; expected letters"),
        ("boxes", {"source": None}, "source: "),
        ("boxes", {"severity": 6}, "severity: "),
        ("boxes", {"class_of_interest": "cat"}, "class_of_interest: "),
        ("boxes", {"metrics": {"iou": "high"}}, "metrics.iou: "),
        ("boxes", {"prompt": "half \ud83d"}, "prompt: holds half of a surrogate pair"),
        ("boxes", {"source": "half \ud83d"}, "source: holds half"),
        ("boxes", {"metrics": {"\ud83d": 1.0}}, "metrics: "),
        ("boxes", {"task": None}, "task: None; expected a task's name"),
        ("boxes", {"task": "object_detektion"}, "task: 'object_detektion' is no task"),
        ("boxes", {"prediction": [BOX, {"label": "cat"}]}, "prediction[1].bbox: Field required"),
        ("boxes", {"prediction": [{**BOX, "bbox": [1, 2, 3]}]}, "prediction[0].bbox: "),
        ("boxes", {"prediction": [{**BOX, "bbox": [3, 2, 1, 4]}]}, "prediction[0].bbox: [3.0"),
        ("instances", {"prediction": [{"label": "cat"}]}, "prediction[0]: "),
        (
            "instances",
            {
                "prediction": [
                    {"label": "cat", "rle": SOME_RLE, "polygon": [[1, 1], [2, 2], [3, 1]]}
                ]
            },
            "prediction[0]: ",
        ),
        (
            "instances",
            {"prediction": [{"label": "cat", "rle": {"size": [4, 6], "counts": [24]}}]},
            "prediction[0].rle: RLE is of size",
        ),
        (
            "instances",
            {"prediction": [{"label": "cat", "polygon": [[1, 1], [2, 2]]}]},
            "prediction[0].polygon",
        ),
        (
            "semantic",
            {"prediction": [{"label": "sky", "rle": SOME_RLE}] * 2},
            "prediction[1].label: ",
        ),
        (
            "semantic",
            {"prediction": [{"label": "sky", "rle": SOME_RLE}, {"label": "sea", "rle": SOME_RLE}]},
            "prediction: masks overlap",
        ),
        ("referring", {"prompt": None}, "prompt: "),
        ("referring", {"prompt": "the right one"}, "prediction[0].label: differs from prompt"),
        ("referring", {"prediction": []}, "prediction: "),
        (
            "keypoints",
            {"prediction": [{"keypoints": [[1, 1, 2]] * 16}]},
            "prediction[0].keypoints: ",
        ),
        (
            "keypoints",
            {"prediction": [{"keypoints": [[1, 1, 0]] * 17}]},
            "prediction[0].keypoints: ",
        ),
        (
            "depth",
            {"prediction": [{"depth_png": "/etc/hostname"}]},
            "prediction[0].depth_png: no file",
        ),
        (
            "depth",
            {"prediction": [{"depth_png": "../x_annotations.json"}]},
            "prediction[0].depth_png: no file",
        ),
        (
            "depth",
            {"prediction": [{"depth_png": "x_annotations.json"}]},
            "prediction[0].depth_png: 'x_annotations.json' is no grey",
        ),
    ],
)
def test_a_bad_record_is_named_by_field_and_no_other_lost(tmp_path, family, changes, where):
    made, problems = read_one(tmp_path, family, **changes)
    assert made == [annotation(family)]
    (problem,) = problems
    assert (problem.file, problem.record) == ("x_annotations.json", "annotation at position 0")
    assert problem.reason.startswith(where), problem.reason


def test_a_file_that_is_no_list_is_refused(tmp_path):
    path = tmp_path / "x_annotations.json"
    for text, reason in (("{}", "expected a JSON list"), ('[{"a": 1', "not valid JSON")):
        path.write_text(text)
        with pytest.raises(UserError, match=reason):
            read(path, "boxes")


def test_the_shipped_schema_is_that_of_the_reader():
    shipped = Path(json_file.__file__).with_name("annotation.schema.json")
    assert json.loads(shipped.read_text()) == json_records.json_schema()


def test_task_names_are_those_of_the_settings():
    for path in (ROOT / "conf/task").glob("*.yaml"):
        task = yaml.safe_load(path.read_text())
        assert {task["name"], task["row_name"]} <= set(json_records.TASK_NAMES[task["family"]])


def settings(*overrides):
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        config = compose("config", overrides=["predictions=json", *overrides])
    return validate(OmegaConf.to_container(config, resolve=True))


@pytest.fixture
def folder(tmp_path):
    """Two photos in an index, a third one not; four predictions on each."""
    rng = np.random.default_rng(1)
    for name in "12":
        Image.fromarray(rng.integers(0, 255, (*SIZE, 3), dtype=np.uint8)).save(
            tmp_path / f"{name}.png"
        )
    (tmp_path / "index.json").write_text(json.dumps({"1": "1.png", "2": "2.png"}))
    made = [
        annotation(
            "instances", f"{image}{row}", image_id=image, final_score=2.0 * row,
            prediction=(MaskPrediction("cat", square(3 * row, 2, 9)),), class_of_interest=("cat",),
            size=None,
        )
        for image in "123"
        for row in range(4)
    ]  # fmt: skip
    json_file.dump(made, tmp_path / "x_annotations.json")
    return tmp_path


def items(folder, *overrides):
    chosen = settings(
        "data=index", f"data.root={folder}", f"predictions.root={folder}", "n_items=9", *overrides
    )
    source = open_source(chosen.data)
    header = plan.write(chosen, source, folder / "plan.jsonl")
    lines = plan.read(folder / "plan.jsonl", 0, header.items)
    return list(zip(lines, Maker(chosen, source).make(lines), strict=True))


def test_a_text_shows_predictions_on_a_photo_that_is_not_there(folder):
    for question in ("pairwise", "scoring"):
        made = items(folder, "encoding=text_rle", f"question={question}")
        assert {line.image_id for line, _ in made} == {"1", "2", "3"}
        for line, item in made:
            there = line.image_id != "3"
            assert item.prompt.startswith("<image>") is there
            assert ("based on my given image" in item.prompt) is there
            assert len(item.media) == there
            assert (item.metadata["photo"] is None) is not there


def test_an_overlay_needs_the_photo_and_a_canvas_does_not(folder):
    for _, item in items(folder, "question=scoring", "encoding=pixel_ss1_m1_o0_l1_c0_b1"):
        assert len(item.media) == item.prompt.count("<image>")
        assert ("First image: original." in item.prompt) is (len(item.media) == 2)
    for line, item in items(folder):
        if line.image_id == "3":
            assert item == Rejection(line.rank, "no original image to draw on")
        else:
            assert len(item.media) == 3


def test_the_name_of_a_run_hangs_on_what_is_in_the_files_not_where(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    path = folder / "x_annotations.json"
    (elsewhere / "y_annotations.json").write_bytes(path.read_bytes())

    def name(root):
        chosen = settings("data=embedded", f"predictions.root={root}")
        return place.locate(chosen, "f").id

    first = name(folder)
    assert name(elsewhere) == first
    path.write_text(path.read_text() + " ")
    assert name(folder) != first


def test_the_name_of_a_run_hangs_on_depth_maps(tmp_path):
    path = tmp_path / "x_annotations.json"
    json_file.dump([annotation("depth")], path)
    chosen = settings("data=embedded", f"predictions.root={tmp_path}").predictions
    before = files.fingerprint(chosen)
    (tmp_path / "x_annotations_depth/a1.png").write_bytes(b"other")
    assert files.fingerprint(chosen) != before
