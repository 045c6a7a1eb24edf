"""Annotation files of pictures: records, what is broken, pictures on the web, whole runs."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from PIL import Image

from gen.errors import UserError
from gen.judge import plan
from gen.judge.items import Maker
from gen.predictions import files, json_file, json_records
from gen.predictions.json_supply import JsonSupply
from gen.predictions.picture_store import PictureStore
from gen.render.png import decode_png
from gen.schema import validate
from gen.sources.download import PhotoCache
from gen.sources.open import open_source

ROOT = Path(__file__).parents[3]
SIZE = (48, 64)
NAMES = {
    short: row
    for family in ("restoration", "scenes")
    for short, row in zip(
        json_records.TASK_NAMES[family][::2], json_records.TASK_NAMES[family][1::2], strict=True
    )
}


def pixels(seed, size=SIZE):
    return np.random.default_rng(seed).integers(0, 256, (*size, 3), dtype=np.uint8)


def record(number, **fields):
    return {
        "annotation_id": f"a{number}",
        "image_id": "1",
        "task": "derain",
        "class_of_interest": None,
        "error_type": None,
        "prompt": None,
        "source": "a model",
        "prediction": [{"picture": f"p{number}.png"}],
        "final_score": 2.0 * number,
        **fields,
    }


@pytest.fixture
def folder(tmp_path):
    """A degraded photo in an index, and four pictures of as many records."""
    Image.fromarray(pixels(0, (24, 32))).save(tmp_path / "1.png")
    (tmp_path / "index.json").write_text(json.dumps({"1": "1.png"}))
    for number in range(4):
        Image.fromarray(pixels(number + 1)).save(tmp_path / f"p{number}.png")
    save(tmp_path, [record(number) for number in range(4)])
    return tmp_path


def save(folder, records):
    (folder / "x_annotations.json").write_text(json.dumps(records))


@cache
def composed(question):
    given = ["task=derain", f"question={question}", "n_items=3", "data=index", "data.root=x"]
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        config = compose("config", [*given, "predictions=json", "predictions.root=x"])
    return OmegaConf.to_container(config, resolve=True)


def settings(folder, question="pairwise", **predictions):
    content = composed(question)
    own = {"root": str(folder), "cache_dir": str(folder / "cache"), **predictions}
    data = {**content["data"], "root": str(folder)}
    return validate({**content, "data": data, "predictions": {**content["predictions"], **own}})


def supplied(folder, image_id="1", **predictions):
    chosen = settings(folder, **predictions)
    store = PictureStore.in_memory()
    supply = JsonSupply(chosen, open_source(chosen.data), store)
    made = list(supply.annotations(image_id, supply.kinds))
    return made, [(one.record, one.reason) for one in supply.problems()], store


def test_pictures_are_read_pixel_for_pixel(folder):
    made, problems, store = supplied(folder)
    assert problems == []
    assert [one.annotation_id for one in made] == ["a0", "a1", "a2", "a3"]
    for number, one in enumerate(made):
        (picture,) = one.prediction
        assert picture.size == SIZE
        assert (decode_png(store.png(picture)) == pixels(number + 1)).all()
        assert one.size is None


@pytest.mark.parametrize(("suffix", "mode"), [("jpg", "L"), ("webp", "RGBA"), ("tif", "RGB")])
def test_pictures_of_other_formats(folder, suffix, mode):
    Image.fromarray(pixels(9)).convert(mode).save(folder / f"p.{suffix}")
    save(folder, [record(1, prediction=[{"picture": f"p.{suffix}"}])])
    (one,), problems, store = supplied(folder)
    assert problems == []
    assert decode_png(store.png(one.prediction[0])).shape == (*SIZE, 3)


@pytest.mark.parametrize(
    ("prediction", "reason"),
    [
        ([], "prediction: "),
        ([{"picture": "p1.png"}] * 2, "prediction: "),
        ([{"depth_png": "p1.png"}], "prediction[0].picture: Field required"),
        ([{"picture": 7}], "prediction[0].picture: "),
        ([{"picture": ""}], "prediction[0].picture: "),
        ([{"picture": "nowhere.png"}], "prediction[0].picture: no file 'nowhere.png'"),
        ([{"picture": "../p1.png"}], "prediction[0].picture: no file '../p1.png'"),
        ([{"picture": "/etc/hostname"}], "prediction[0].picture: no file"),
        ([{"picture": "x" * 300}], "prediction[0].picture: no file"),
        ([{"picture": "\ud800.png"}], "prediction[0].picture: "),
        ([{"picture": "a\u202e.png"}], "prediction[0].picture: no file"),
        ([{"picture": "text.png"}], "prediction[0].picture: 'text.png' cannot be decoded"),
        ([{"picture": "cut.png"}], "prediction[0].picture: 'cut.png' cannot be decoded"),
        ([{"picture": "https://x.invalid/p.png"}], "prediction[0].picture: 'https://x.invalid/p"),
    ],
)
def test_a_broken_picture_costs_its_record_alone(folder, prediction, reason):
    (folder / "text.png").write_text("no picture")
    (folder / "cut.png").write_bytes((folder / "p1.png").read_bytes()[:900])
    save(folder, [record(0), record(1, prediction=prediction), record(2)])
    made, problems, _ = supplied(folder)
    assert [one.annotation_id for one in made] == ["a0", "a2"]
    ((place, told),) = problems
    assert place == "annotation at position 1"
    assert told.startswith(reason), told
    told.encode()


@pytest.mark.parametrize("short", NAMES)
def test_records_may_use_both_names_of_a_task_and_no_other(folder, short):
    others = [name for pair in NAMES.items() if pair[0] != short for name in pair]
    names = [short, NAMES[short], *others]
    save(folder, [record(place % 4, annotation_id=name, task=name, final_score=1.0)
                  for place, name in enumerate(names)])  # fmt: skip
    chosen = settings(folder)
    (family,) = (key for key, known in json_records.TASK_NAMES.items() if short in known)
    fields = {"name": short, "row_name": NAMES[short], "family": family}
    task = chosen.task.model_copy(update=fields)
    chosen = chosen.model_copy(update={"task": task})
    supply = JsonSupply(chosen, open_source(chosen.data), PictureStore.in_memory())
    made = supply.annotations("1", supply.kinds)
    assert [(one.annotation_id, one.task) for one in made] == [(short,) * 2, (NAMES[short], short)]
    assert supply.problems() == ()


def test_pictures_are_read_only_when_their_photo_is_asked_for(folder):
    (folder / "p3.png").write_text("no picture")
    save(folder, [record(0), record(3, image_id="2")])
    made, problems, _ = supplied(folder)
    assert len(made) == 1
    assert problems == []
    made, problems, _ = supplied(folder, image_id="2")
    assert (made, len(problems)) == ([], 1)


def test_pictures_on_the_web_are_fetched_only_if_asked_for(folder, monkeypatch):
    fetched = []

    def fetch(cache, url, size):
        fetched.append(url)
        return folder / "p1.png"

    monkeypatch.setattr(PhotoCache, "fetch", fetch)
    url = "HTTPS://x.invalid/p.png"
    save(folder, [record(0, prediction=[{"picture": url}]), record(1)])
    made, problems, _ = supplied(folder)
    assert [one.annotation_id for one in made] == ["a1"]
    assert "predictions.download=true fetches it" in problems[0][1]
    assert fetched == []
    made, problems, store = supplied(folder, download=True)
    assert [one.annotation_id for one in made] == ["a0", "a1"]
    assert (decode_png(store.png(made[0].prediction[0])) == pixels(2)).all()
    assert (problems, fetched) == ([], [url])


def test_a_server_that_is_not_there_stops_the_run_and_names_the_setting(folder):
    save(folder, [record(0, prediction=[{"picture": "http://127.0.0.1:9/p.png"}])])
    with pytest.raises(UserError, match=r"127\.0\.0\.1.*predictions\.download=false"):
        supplied(folder, download=True, download_retries=0)


def test_settings_of_downloads_and_places_are_no_part_of_the_name_of_a_run(folder):
    one, other = settings(folder), settings(folder, download=True)
    assert one.predictions != other.predictions
    outside = type(one.predictions).OUTSIDE_IDENTITY
    assert {"root", "download", "cache_dir", "download_timeout", "download_retries"} <= outside
    before = files.fingerprint(one.predictions)
    Image.fromarray(pixels(7)).save(folder / "p1.png")
    assert files.fingerprint(one.predictions) != before


def test_what_is_written_is_read_again(folder):
    made, _, store = supplied(folder)
    out = folder / "copy" / "data_json"
    out.mkdir(parents=True)
    json_file.dump(made, out / "y_annotations.json", store, out.parent)
    again, problems, _ = supplied(folder, root=str(out.parent))
    assert (again, problems) == (made, [])


def test_pictures_without_their_store_cannot_be_written(folder):
    made, _, store = supplied(folder)
    with pytest.raises(KeyError):
        json_file.dump(made, folder / "y_annotations.json")
    with pytest.raises(ValueError, match="no file name"):
        wrong = [replace(made[0], annotation_id="../a")]
        json_file.dump(wrong, folder / "y_annotations.json", store)


def items(folder, question="pairwise"):
    chosen = settings(folder, question)
    source = open_source(chosen.data)
    header = plan.write(chosen, source, folder / "plan.jsonl")
    lines = plan.read(folder / "plan.jsonl", 0, header.items)
    with PictureStore(plan.pictures_beside(folder / "plan.jsonl"), "r") as store:
        return list(Maker(chosen, source, store).make(lines))


def test_an_item_shows_the_photo_first_and_none_where_there_is_none(folder):
    for question, options in (("pairwise", 2), ("scoring", 1)):
        for one in items(folder, question):
            assert len(one.media) == 1 + options
            assert one.media[0].name == "original_1.png"
            assert one.prompt.count("<image>") == 1 + options
            shape = decode_png(one.media[0].png).shape
            assert shape == (24, 32, 3)
    save(folder, [record(number, image_id="2") for number in range(4)])
    for one in items(folder):
        assert len(one.media) == one.prompt.count("<image>") == 2
        assert "original" not in one.prompt
