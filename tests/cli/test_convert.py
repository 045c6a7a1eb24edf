"""Outputs of real models: converted, and asked about."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray
from PIL import Image

from gen.predictions.convert import kernel
from gen.predictions.degrade.light import to_linear, to_srgb

Rgb = NDArray[np.uint8]
ASKED = "data=index data.root=made predictions=json predictions.root=made executor.workers=1"


def scene(seed: int, size: tuple[int, int] = (96, 128)) -> Rgb:
    """Soft blobs with sharp edges, so that a restoration has something to lose."""
    noise = np.random.default_rng(seed).normal(size=(*size, 3)).astype(np.float32)
    soft = cv2.GaussianBlur(noise, (0, 0), 5)
    return np.asarray(128 + 60 * np.sign(soft) + 200 * soft, np.float32).clip(0, 255).astype("u1")


def save(path: str, picture: Rgb) -> str:
    Path(path).parent.mkdir(exist_ok=True)
    Image.fromarray(picture).save(path)
    return path


def index(*samples: dict[str, Any]) -> None:
    Path("index.json").write_text(json.dumps(samples), encoding="utf-8")


def annotations(group: str, folder: str = "made") -> list[dict[str, Any]]:
    path = Path(folder, "data_json_v2", f"{group}_annotations.json")
    content: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return content


def restoration(name: str, **fields: Any) -> dict[str, Any]:
    gt = scene(1)
    rng = np.random.default_rng(2)
    noisy = (gt + rng.normal(0, 25, gt.shape)).clip(0, 255).astype(np.uint8)
    known = {"id": name, "task": "derain"}
    pictures = {"gt": gt, "lq": noisy, "restored": cv2.GaussianBlur(noisy, (0, 0), 1.5)}
    paths = {key: save(f"p/{name}_{key}.png", picture) for key, picture in pictures.items()}
    return {**known, **paths, **fields}


def test_a_restoration_with_truth_is_measured(gen: Callable[[str], Any]) -> None:
    index(restoration("one", models={"restored": "Net"}, author="A. Person"))
    outcome = gen("convert pairs=index.json out=made")
    assert outcome.status == 0, outcome.err
    assert outcome.out == "made\n"
    found = annotations("lowlevel")
    assert len(found) >= 8
    assert {one["task"] for one in found} == {"lowlevel-derain"}
    by_source = {one["source"]: one for one in found}
    assert by_source["untouched"]["final_score"] == 2.0
    assert by_source["Net"]["final_score"] > 2.0
    assert set(by_source["Net"]["metrics"]) >= {"psnr", "ssim"}
    (listed,) = json.loads(Path("made/images_v2/lowlevel.json").read_text()).values()
    assert listed["author"] == "A. Person"
    shown = np.asarray(Image.open(Path("made") / listed["file"]))
    assert (shown == np.asarray(Image.open("p/one_lq.png"))).all()


def test_what_cannot_be_used_is_told_and_costs_nothing_else(gen: Callable[[str], Any]) -> None:
    Path("p").mkdir()
    Path("p/text.png").write_text("no picture")
    small = save("p/small.png", scene(1, (40, 50)))
    index(
        restoration("good", restored2="p/text.png", restored3=small, restored4="../x.png"),
        {"id": "fog", "task": "dehaze", "lq": small},
        {"id": "no/id", "task": "derain"},
        restoration("good"),
        {"id": "nothing"},
        restoration("small", gt=small),
        restoration("truthless", gt=None),
        restoration("inputless", lq=None),
        restoration("apart", aligned=False),
        restoration("odd", aligned=3),
        {"id": "ask", "kind": "magic", "result": small},
        {"id": "mute", "kind": "editing", "image": small, "prompt": "x"},
        {"id": "unrated", "kind": "editing", "image": small, "result": small, "prompt": "x"},
    )
    outcome = gen("convert pairs=index.json out=made")
    assert outcome.status == 0, outcome.err
    assert {one["image_id"] for one in annotations("lowlevel")} == {"good"}
    assert not Path("made/data_json_v2/generation_annotations.json").exists()
    for words in (
        "sample good: restored2: 'p/text.png' cannot be decoded",
        "sample good: restored3: has another size than gt",
        "sample good: restored4: '../x.png' is no path below the root",
        "sample fog: task: 'dehaze' is none of deblur, derain,",
        "sample at position 2: id: 'no/id'; expected letters",
        "sample at position 3: id: good is there twice",
        "sample at position 4: task, kind: expected one of them",
        "sample small: gt: is 50 x 40 pixels; its input means 128 x 96",
        "sample truthless: restored: no gt to measure it by, and no rating",
        "sample inputless: restored: no lq that gt goes with to measure it by, and no rating",
        "sample apart: restored: no lq that gt goes with",
        "sample at position 9: aligned: 3; expected true, false, or a remark",
        "sample ask: kind: 'magic' is none of t2i, editing,",
        "sample mute: result: the sample has none",
        "sample unrated: result: no rating, and nothing to measure it by",
    ):
        assert f"index.json, {words}" in outcome.err, words


def test_ratings_stand_in_for_a_truth(gen: Callable[[str], Any]) -> None:
    index(
        restoration("raindrops", gt=None),
        restoration("measured"),
        {
            "id": "drawn",
            "kind": "t2i",
            "prompt": "a cat",
            "result": save("p/a.png", scene(3)),
            "result2": save("p/b.png", scene(4, (100, 130))),
            "result3": save("p/c.png", scene(5, (130, 100))),
        },
    )
    said = {
        "raindrops": {"restored": 7.5},
        "measured": {"restored": 1},
        "drawn": {"result": 9, "result2": 4, "result3": 4, "image": 2},
        "drawm": {"result": 3},
        "bad": {"result": 11},
    }
    Path("r.json").write_text(json.dumps(said))
    outcome = gen("convert pairs=index.json out=made ratings=r.json")
    assert outcome.status == 0, outcome.err
    scores = {
        (one["image_id"], one["source"]): one["final_score"] for one in annotations("lowlevel")
    }
    assert scores["raindrops", "restored"] == 7.5
    assert scores["raindrops", "untouched"] == 2.0
    assert scores["measured", "restored"] > 2.0
    first, second = annotations("generation")
    assert (first["final_score"], second["final_score"]) == (9.0, 4.0)
    assert (first["prompt"], first["width"]) == ("a cat", None)
    sizes = {
        Image.open(Path("made") / one["prediction"][0]["picture"]).size for one in (first, second)
    }
    assert sizes == {(128, 96)}
    assert json.loads(Path("made/images_v2/generation_images.json").read_text()) == {}
    for words in (
        "index.json, sample drawn: result3: has another form than the first answer",
        "index.json, sample measured: restored: a rating; it is measured against gt",
        "r.json, bad: result: 11; expected 0 to 10",
        "r.json, drawm: there is no such sample: did you mean drawn?",
    ):
        assert words in outcome.err, words


@pytest.mark.parametrize("inverted", [False, True])
def test_what_is_to_be_filled_is_shown_grey(gen: Callable[[str], Any], inverted: bool) -> None:
    image = scene(6)
    hole = np.zeros(image.shape, np.uint8)
    hole[20:60, 30:90] = 255
    result = np.where(hole > 0, scene(7), image)
    mask = 255 - hole if inverted else hole
    pictures = {"image": image, "mask": mask, "result": result}
    paths = {key: save(f"p/{key}.png", picture) for key, picture in pictures.items()}
    index({"id": "one", "kind": "inpainting", "prompt": "a dog", **paths})
    Path("r.json").write_text('{"one": {"result": 8, "image": 1.5}}')
    outcome = gen("convert pairs=index.json out=made ratings=r.json")
    assert ("mask: white is what the outputs keep" in outcome.err) is inverted
    shown = np.asarray(Image.open("made/images_v2/generation_images/one.png"))
    assert (shown == np.where(hole > 0, 128, image)).all()
    found = {one["source"]: one["final_score"] for one in annotations("generation")}
    assert found == {"result": 8.0, "untouched": 1.5}


@pytest.mark.parametrize("by", [(3, -4), (0, 0), (-6, 2)])
def test_an_input_that_is_shifted_is_brought_onto_the_truth(
    gen: Callable[[str], Any], by: tuple[int, int]
) -> None:
    wide = scene(8, (128, 160))
    down, right = by
    gt = wide[16:-16, 16:-16]
    lq = cv2.GaussianBlur(wide, (0, 0), 1.2)[16 - down : 112 - down, 16 - right : 144 - right]
    paths = {"gt": save("p/gt.png", gt), "lq": save("p/lq.png", lq)}
    index({"id": "one", "task": "deblur", "aligned": "but for a shift", **paths})
    assert gen("convert pairs=index.json out=made").status == 0
    scores = {one["source"]: one["metrics"]["psnr"] for one in annotations("lowlevel")}
    assert scores["untouched"] > 26
    size = Image.open("made/images_v2/lowlevel/one.png").size
    assert size == (128 - abs(right) - 8, 96 - abs(down) - 8)


def test_a_blur_is_found_between_input_and_truth(gen: Callable[[str], Any]) -> None:
    gt = scene(8, (128, 160))
    light = to_linear(gt)
    motion = np.zeros((9, 9), np.float32)
    motion[4, 1:8] = 1 / 7
    lq = to_srgb(cv2.filter2D(light, -1, motion, borderType=cv2.BORDER_REFLECT_101))
    found = kernel.between(gt, lq)
    assert found is not None
    assert found.sum() == pytest.approx(1.0, abs=1e-5)
    middle = found.shape[0] // 2
    assert found[middle, middle - 3 : middle + 4].sum() > 0.8
    assert kernel.between(gt, scene(9, (128, 160))) is None
    paths = {"gt": save("p/gt.png", gt), "lq": save("p/lq.png", lq)}
    index({"id": "one", "task": "deblur", **paths})
    assert gen("convert pairs=index.json out=made").status == 0
    best = max(annotations("lowlevel"), key=lambda one: float(one["final_score"]))
    assert best["source"].startswith(("wiener", "richardson-lucy", "unsupervised"))
    assert best["final_score"] > 4.0


def test_pictures_that_show_different_things_are_not_compared(gen: Callable[[str], Any]) -> None:
    index(
        restoration("other", gt=save_first(scene(99)), aligned="roughly"),
        restoration("good"),
    )
    outcome = gen("convert pairs=index.json out=made")
    assert "sample other: gt: truth and input are not alike (correlation " in outcome.err
    assert {one["image_id"] for one in annotations("lowlevel")} == {"good"}


def save_first(picture: Rgb) -> str:
    return save("p/other.png", picture)


def test_equal_input_gives_equal_files(gen: Callable[[str], Any]) -> None:
    index(restoration("one"))
    for folder in ("made", "again"):
        assert gen(f"convert pairs=index.json out={folder}").status == 0
    files = [
        {path.relative_to(folder): path.read_bytes() for path in Path(folder).rglob("*.*")}
        for folder in ("made", "again")
    ]
    assert files[0] == files[1]


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("convert", "pairs: a value is needed: pairs=..."),
        ("convert pairs=index.json", "out: a value is needed: out=..."),
        ("convert pairs=none.json out=made", "pairs=none.json: No such file or directory"),
        ("convert pairs=cut.json out=made", "pairs=cut.json: not valid JSON (cut off?): "),
        ("convert pairs=object.json out=made", "pairs=object.json: expected a JSON list of "),
        ("convert pairs=fog.json out=made", "fog.json: no sample can be used: sample a: task: "),
        ("convert pairs=fog.json out=made root=nowhere", "root: no folder 'nowhere'"),
        ("convert pairs=fog.json out=made ratings=none.json", "ratings=none.json: No such file"),
        ("convert pairs=fog.json out=made seed=-1", "seed: Input should be greater than"),
        ("convert pairs=fog.json out=made rating=x", "rating: no such setting: did you mean rat"),
    ],
)
def test_faults_get_one_line(gen: Callable[[str], Any], typed: str, says: str) -> None:
    Path("cut.json").write_text('[{"id": "a"')
    Path("object.json").write_text("{}")
    Path("fog.json").write_text('[{"id": "a", "task": "dehaze"}]')
    outcome = gen(typed)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"gen: {says}"), outcome.err
    assert outcome.err.count("\n") == 1
    assert not Path("made").exists()


def rows(folder: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for path in sorted(Path(folder).rglob("*.parquet")):
        found += pq.read_table(path).to_pylist()
    return found


@pytest.mark.slow
def test_real_restorations_give_pairs(gen: Callable[[str], Any], shared_data: Path) -> None:
    outcome = gen(f"convert pairs={shared_data}/restoration/pairs.json out=made")
    assert outcome.status == 0, outcome.err
    found = annotations("lowlevel")
    counts = Counter(one["task"] for one in found)
    assert counts["lowlevel-super-resolution"] >= 7 * 8
    assert counts["lowlevel-derain"] >= 2 * 8
    untouched = [one["final_score"] for one in found if one["source"] == "untouched"]
    assert set(untouched) == {2.0}
    assert "reside_0048: task: 'dehaze'" in outcome.err
    assert "realblur_902: restored: no lq" in outcome.err
    for task in ("super_resolution", "derain"):
        run = gen(f"task={task} {ASKED} n_items=8")
        assert run.status == 0, run.err
        made = rows(run.out.strip())
        assert len(made) == 8
        for row in made:
            assert len(row["media"]) == row["prompt"].count("<image>") == 3
            scores = json.loads(row["metadata"])["final_scores"]
            better = max(range(2), key=scores.__getitem__)
            assert row["answer"] == "AB"[better]


@pytest.mark.slow
def test_real_generations_are_asked_about(gen: Callable[[str], Any], shared_data: Path) -> None:
    names = ["brushnet_test", "brushnet_example_3", "brushnet_example_5", "inpaint_anything_fill2"]
    names += ["inpaint_anything_man", "inpaint_anything_coco724"]
    said: dict[str, dict[str, float]] = {name: {"result": 7, "image": 1} for name in names}
    said["sd_img2img_mountains"] = {"result": 8, "result2": 6.5}
    said["controlnet_user1"] = {"result": 7, "result2": 9}
    Path("r.json").write_text(json.dumps(said))
    index_path = shared_data / "generation" / "samples.json"
    outcome = gen(f"convert pairs={index_path} out=made ratings=r.json")
    assert outcome.status == 0, outcome.err
    assert "controlnet_house_line: result: the sample has none" in outcome.err
    for task, items in (("inpainting_high_level", 4), ("editing", 3), ("controllable", 1)):
        run = gen(f"task={task} {ASKED} n_items={items}")
        assert run.status == 0, run.err
        made = rows(run.out.strip())
        assert len(made) == items
        for row in made:
            assert len(row["media"]) == row["prompt"].count("<image>") == 3
            prompt = next(
                one["prompt"]
                for one in annotations("generation")
                if one["image_id"] == json.loads(row["metadata"])["image_id"]
            )
            assert prompt in row["prompt"]
    Path("made/images_v2/generation_images.json").write_text('{"x": "images_v2/x.png"}')
    save("made/images_v2/x.png", scene(1))
    run = gen(f"task=editing {ASKED} n_items=1")
    assert run.status == 0, run.err
    (row,) = rows(run.out.strip())
    assert len(row["media"]) == row["prompt"].count("<image>") == 2
