"""Odd photos and labels: every one gives a right item or one line that says why not."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hostile_folder import NAMES, Folder, build

from gen.export.parquet import ShardWriter
from gen.item import PLACEHOLDER, ImagePart, JudgeItem, free_text, to_parts
from gen.judge import plan as plans
from gen.judge.items import Maker
from gen.judge.plan_file import Header, PlannedItem
from gen.render.png import decode_png
from gen.schema import Settings
from gen.sources.open import open_source
from gen.sources.records import Source

Compose = Callable[..., Settings]
OBJECT_TASKS = ("instance_seg", "object_detection")
TASKS = (*OBJECT_TASKS, "semantic_seg", "referring_seg", "keypoint")
JSON_FORMS = ("polygon", "rle", "xyxy", "xywh")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return build(tmp_path_factory.mktemp("hostile") / "coco", large=False)


@pytest.fixture(scope="module")
def large_folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return build(tmp_path_factory.mktemp("hostile") / "coco", large=True)


def settings_on(folder: Folder, compose: Compose, *overrides: str) -> Settings:
    return compose(f"data.root={folder.root}", "predictions.min_area=0", *overrides)


def planned(settings: Settings, path: Path) -> tuple[Source, Header, list[PlannedItem]]:
    source = open_source(settings.data)
    header = plans.write(settings, source, path)
    return source, header, plans.read(path, 0, header.items)


def made(settings: Settings, source: Source, items: Sequence[PlannedItem]) -> list[JudgeItem]:
    found = list(Maker(settings, source).make(items))
    assert all(isinstance(item, JudgeItem) for item in found), found
    return [item for item in found if isinstance(item, JudgeItem)]


def check(item: JudgeItem, plan: PlannedItem, source: Source, settings: Settings) -> None:
    (photo,) = (one for one in source.photos() if one.image_id == plan.image_id)
    assert item.prompt.count(PLACEHOLDER) == len(item.media)
    pictures = [part.media for part in to_parts(item) if isinstance(part, ImagePart)]
    assert pictures == list(item.media)
    assert pictures[0].name == f"original_{plan.image_id}.png"
    for picture in pictures:
        assert decode_png(picture.png).shape == (photo.height, photo.width, 3)
    for name in plan.classes:
        assert free_text(name) in item.prompt
    assert "\n" not in free_text("".join(plan.classes))
    form = getattr(settings.encoding, "format", None)
    if form in JSON_FORMS:
        for letter, one in zip("AB", plan.annotations, strict=True):
            check_json(
                item, letter, [free_text(getattr(part, "label", "")) for part in one.prediction]
            )


def check_json(item: JudgeItem, letter: str, labels: Sequence[str]) -> None:
    (block,) = (block for block in item.prompt.split("\n\n") if block.startswith(f"{letter}."))
    entries = json.loads(block.partition("\n")[2])
    assert [entry["label"] for entry in entries] == labels


def stems(task: str, compose: Compose) -> list[str]:
    return list(compose(f"task={task}").task.encodings)


@pytest.mark.parametrize("task", OBJECT_TASKS)
def test_every_odd_photo_is_asked_about_and_nothing_else_is_lost(
    folder: Folder, settings_for: Compose, tmp_path: Path, task: str
) -> None:
    base = [f"task={task}", f"n_items={len(folder.asked)}"]
    settings = settings_on(folder, settings_for, *base)
    source, header, items = planned(settings, tmp_path / "plan.jsonl")
    assert header.shortfalls == ()
    assert {item.image_id for item in items} == set(folder.asked.values())
    assert sorted(problem.kind for problem in header.problems) == ["bad_polygon", "box_outside"]
    assert any("has 4 numbers" in problem.reason for problem in header.problems)
    for item, plan in zip(made(settings, source, items), items, strict=True):
        check(item, plan, source, settings)


@pytest.mark.parametrize("task", TASKS[2:])
def test_other_kinds_of_truth_on_odd_photos(
    folder: Folder, settings_for: Compose, tmp_path: Path, task: str
) -> None:
    settings = settings_on(folder, settings_for, f"task={task}", "n_items=40")
    source, _, items = planned(settings, tmp_path / "plan.jsonl")
    asked = {item.image_id for item in items}
    assert asked >= {number for name, number in folder.asked.items() if "mode" in name}
    assert folder.asked["no joint"] in asked
    for item, line in zip(made(settings, source, items), items, strict=True):
        check(item, line, source, settings)
        if line.prompt is not None:
            assert f"'{free_text(line.prompt)}'" in item.prompt


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_every_encoding_shows_every_odd_photo(
    large_folder: Folder, settings_for: Compose, tmp_path: Path, task: str
) -> None:
    base = [f"task={task}", f"n_items={len(large_folder.asked)}"]
    settings = settings_on(large_folder, settings_for, *base)
    source, _, items = planned(settings, tmp_path / "plan.jsonl")
    if task in OBJECT_TASKS:
        assert {item.image_id for item in items} == set(large_folder.asked.values())
    assert large_folder.asked["large"] in {item.image_id for item in items}
    for stem in stems(task, settings_for):
        here = settings_on(large_folder, settings_for, *base, f"encoding='{stem}'")
        with (tmp_path / "rows.parquet").open("wb") as sink, ShardWriter(sink) as writer:
            for item, plan in zip(made(here, source, items), items, strict=True):
                check(item, plan, source, here)
                writer.add(item)
            assert writer.close({}, {}).footer.rows == len(items)


@pytest.mark.parametrize(("question", "n"), [("ranking", 250), ("scoring", 1000)])
def test_odd_names_in_the_other_questions(
    folder: Folder, settings_for: Compose, tmp_path: Path, question: str, n: int
) -> None:
    base = [f"n_items={n}", f"question={question}", "encoding=text_polygon"]
    settings = settings_on(folder, settings_for, *base)
    source, _, items = planned(settings, tmp_path / "plan.jsonl")
    seen = {name for item in items for name in item.classes}
    assert len(seen & set(NAMES)) >= 7
    for item, plan in zip(made(settings, source, items), items, strict=True):
        assert item.prompt.count(PLACEHOLDER) == len(item.media) == 1
        for name in plan.classes:
            assert free_text(name) in item.prompt
