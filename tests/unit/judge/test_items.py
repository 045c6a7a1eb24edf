"""Items: pictures in the order of the placeholders, answers from the payload, no leaks."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from shapes_source import Shapes

from gen.answers import parse
from gen.item import ImagePart, JudgeItem, to_parts
from gen.judge import plan
from gen.judge.encodings import Encoded, Shown
from gen.judge.items import Maker, Rejection, alike, make_items, option_media
from gen.judge.plan import PlannedItem
from gen.predictions.annotation import MaskPrediction
from gen.predictions.metrics.objects import instance_score
from gen.render.png import decode_png
from gen.schema import Settings
from gen.sources.open import open_source
from gen.sources.records import Source, Truth

Compose = Callable[..., Settings]
QUESTIONS = ("pairwise", "ranking", "scoring")
STEMS = (
    "pixel_ss0_m0",
    "pixel_ss0_m1",
    "pixel_ss1_m0_o0_l0_c0_b0",
    "pixel_ss1_m0_o0_l1_c0_b1",
    "pixel_ss1_m0_o0_l1_c1_b1",
    "pixel_ss1_m0_o1_l1_c0_b1",
    "pixel_ss1_m1_o0_l1_c0_b1",
    "pixel_ss1_m0_o0_l1_c0_b0",
    "pixel_ss1_m0_o0_l0_c0_b1",
    "text_polygon",
    "text_rle",
    "text_matrix",
    "text_ss0",
    "1742",
)
OPENING = (
    r"\A<image>\n"
    r"\n"
    r"You are a judge to decide the quality of answers to an instance segmentation task"
    r" based on my given image\.\n"
    r"The class\(es\) of interest is (?:cat|dog|cup)[^\n]*\.\n"
    r"\n"
)
PIXEL = r"<image>(?: Legend: [^\n]+)?"
TEXT = r"\S(?:(?!<image>)[\s\S])+"  # run lengths may hold a "<"
PAIR = (
    r"(?:Which prediction is better\?"
    r"|Which option is a better execution of the vision task\?"
    r"|Which option would you prefer as answer to the vision task\?"
    r"|Which of the two is the better result\?"
    r"|Which option better fulfills the task\?)"
    r" Please answer with A or B\.\Z"
)
SCORE = (
    r"\nScore the quality of the prediction from 0 to 10\.\n"
    r"0 = random guessing / worst, 10 = best possible\.\n"
    r"Please answer with a single score from 0 to 10 only\.\Z"
)


def form_of(stem: str) -> str:
    return "combo" if stem == "1742" else stem.partition("_")[0]


def options_skeleton(form: str, count: int) -> str:
    block = "" if form == "combo" else r"Format of predictions: [^\n<]+\n\n"
    content = {
        "pixel": f" {PIXEL}",
        "text": rf"\n{TEXT}",
        "combo": rf" Format of prediction: [^\n<]+\n{TEXT}\n{PIXEL}",
    }[form]
    options = "".join(rf"{letter}\.{content}\n\n" for letter in "ABCDE"[:count])
    return rf"{block}Options:\n\n{options}"


def skeleton(question: str, form: str, count: int) -> str:
    if question == "pairwise":
        return OPENING + options_skeleton(form, count) + PAIR
    if question == "ranking":
        example = {3: "BCA", 4: "BCAD", 5: "BCAED"}[count]
        return (
            OPENING + options_skeleton(form, count) + r"Rank the predictions from best to worst\. "
            r"Respond with the ranking as a single string of letters only "
            rf"\(best first, worst last\)\. For example, {example}\.\Z"
        )
    picture = rf"First image: original\. Second image: encoded prediction\. {PIXEL}\n"
    text = rf"Prediction \(text\):\n{TEXT}\n"
    content = {"pixel": picture, "text": text, "combo": text + picture}[form]
    return OPENING + r"Format of prediction: [^\n<]+\n\n" + content + SCORE


@pytest.fixture(scope="module")
def planned(
    settings: Compose, shapes: Shapes, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[PlannedItem]]:
    path = tmp_path_factory.mktemp("plan") / "plan.jsonl"
    made = {}
    for question in QUESTIONS:
        header = plan.write(settings("n_items=12", f"question={question}"), shapes, path)
        made[question] = plan.read(path, 0, header.items)
    return made


def made(settings: Settings, source: Source, plans: list[PlannedItem]) -> list[JudgeItem]:
    items = list(make_items(settings, source, plans))
    assert not [item for item in items if isinstance(item, Rejection)]
    return [item for item in items if isinstance(item, JudgeItem)]


def score_again(truth: Truth, plan_line: PlannedItem) -> list[float]:
    """Final scores from the payloads and the true masks, not from the plan's own figures."""
    wanted = set(plan_line.classes)
    true = [
        MaskPrediction(one.category, one.rle)
        for one in truth.instances
        if one.category in wanted and not one.crowd
    ]
    crowd = [
        MaskPrediction(one.category, one.rle)
        for one in truth.instances
        if one.category in wanted and one.crowd
    ]
    scores = []
    for annotation in plan_line.annotations:
        masks = [part for part in annotation.prediction if isinstance(part, MaskPrediction)]
        scores.append(instance_score(masks, true, crowd)[0])
    return scores


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("stem", STEMS)
def test_prompts_have_the_skeleton_of_the_document(
    settings: Compose,
    shapes: Shapes,
    planned: dict[str, list[PlannedItem]],
    question: str,
    stem: str,
) -> None:
    chosen = settings(f"question={question}", f"encoding='{stem}'", "n_items=12")
    for item, line in zip(
        made(chosen, shapes, planned[question][:3]), planned[question], strict=False
    ):
        count = len(line.annotations)
        assert re.search(skeleton(question, form_of(stem), count), item.prompt), item.prompt
        pictures = 0 if form_of(stem) == "text" else count
        assert item.prompt.count("<image>") == 1 + pictures == len(item.media)
        assert item.media[0].name == f"original_{line.image_id}.png"
        assert [one.name for one in item.media[1:]] == [
            f"{item.id}_{letter}.png" for letter in "abcde"[:pictures]
        ]
        assert (item.task, item.encoding) == ("instance_segmentation", stem)
        assert (item.question_type, item.subset) == (question, "none")
        assert list(item.choices) == (list("ABCDE"[:count]) if count > 1 else [])


@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_follow_from_the_payload(
    settings: Compose, shapes: Shapes, planned: dict[str, list[PlannedItem]], question: str
) -> None:
    items = made(settings(f"question={question}"), shapes, planned[question])
    for item, line in zip(items, planned[question], strict=True):
        again = score_again(shapes.truth(line.image_id), line)
        assert item.metadata["final_scores"] == pytest.approx(again, abs=1e-6)
        if question == "scoring":
            assert abs(float(item.answer) - again[0]) <= 0.05 + 1e-6
        else:
            best_first = [letter for _, letter in sorted(zip(again, "ABCDE", strict=False))][::-1]
            assert item.answer == "".join(best_first[: 1 if question == "pairwise" else None])
        parse(item.question_type, item.answer, item.choices)


def test_ids_are_opaque_and_unique(
    settings: Compose, shapes: Shapes, planned: dict[str, list[PlannedItem]]
) -> None:
    ids = [
        item.id
        for question in QUESTIONS
        for stem in ("text_rle", "pixel_ss0_m0")
        for item in made(
            settings(f"question={question}", f"encoding={stem}"), shapes, planned[question]
        )
    ]
    assert len(set(ids)) == len(ids) == 72
    assert all(re.fullmatch("[0-9a-f]{16}", name) for name in ids)


def test_original_is_the_photo_and_options_are_of_its_size(
    settings: Compose, shapes: Shapes, planned: dict[str, list[PlannedItem]]
) -> None:
    for item, line in zip(
        made(settings(), shapes, planned["pairwise"]), planned["pairwise"], strict=True
    ):
        original, *options = [
            decode_png(part.media.png) for part in to_parts(item) if isinstance(part, ImagePart)
        ]
        assert np.array_equal(original, shapes.pixels(line.image_id))
        assert [picture.shape for picture in options] == [original.shape] * 2


def test_metadata_is_plain_json(
    settings: Compose, shapes: Shapes, planned: dict[str, list[PlannedItem]]
) -> None:
    (item, *_), (line, *_) = made(settings(), shapes, planned["pairwise"]), planned["pairwise"]
    assert json.loads(json.dumps(item.metadata, allow_nan=False)) == item.metadata
    scores = item.metadata["final_scores"]
    assert item.metadata["gap"] == pytest.approx(abs(scores[0] - scores[1]))
    assert item.metadata["annotation_ids"] == [one.annotation_id for one in line.annotations]
    assert item.metadata["photo"]["license"] == "cc0"


def test_items_do_not_depend_on_what_was_made_before(
    settings: Compose, shapes: Shapes, planned: dict[str, list[PlannedItem]]
) -> None:
    maker = Maker(settings(), shapes)
    whole = list(maker.make(planned["pairwise"]))
    assert list(maker.make(planned["pairwise"][7:9])) == whole[7:9]
    assert list(Maker(settings(), shapes).make(planned["pairwise"][::-1])) == whole[::-1]


def test_options_that_look_the_same_are_rejected(
    settings: Compose, shapes: Shapes, planned: dict[str, list[PlannedItem]]
) -> None:
    invisible = settings(
        "encoding.opacity=0", "encoding.labels=false", "encoding.boxes=none", "n_items=12"
    )
    line = planned["pairwise"][0]
    one = line.annotations[0]
    twice = PlannedItem(
        **{name: getattr(line, name) for name in PlannedItem.__slots__ if name != "annotations"},
        annotations=(one, one),
    )
    assert list(make_items(invisible, shapes, [twice])) == [
        Rejection(line.rank, "options look the same")
    ]


def test_alike_looks_at_pictures_texts_and_legends() -> None:
    black, white = np.zeros((3, 3, 3), np.uint8), np.full((3, 3, 3), 255, np.uint8)
    cases = [
        ((Shown(black), Shown(black)), True),
        ((Shown(black), Shown(white)), False),
        ((Shown(black, legend="x"), Shown(black, legend="y")), False),
        ((Shown(text="a"), Shown(text="a")), True),
        ((Shown(text="a"), Shown(text="b"), Shown(text="a")), True),
        ((Shown(black, "a"), Shown(black, "b")), False),
    ]
    for options, expected in cases:
        assert alike(option_media("id", Encoded(None, options)), options) is expected


@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_on_real_photos(
    settings: Compose, shared_data: Path, tmp_path: Path, question: str
) -> None:
    chosen = settings(
        "data=coco", f"data.root={shared_data / 'coco'}", f"question={question}", "n_items=20"
    )
    source = open_source(chosen.data)
    header = plan.write(chosen, source, tmp_path / "plan.jsonl")
    lines = plan.read(tmp_path / "plan.jsonl", 0, header.items)
    for item, line in zip(made(chosen, source, lines), lines, strict=True):
        again = score_again(source.truth(line.image_id), line)
        assert item.metadata["final_scores"] == pytest.approx(again, abs=1e-6)


def test_files_of_the_options_are_of_one_size(
    settings: Compose, shapes: Shapes, planned: dict[str, list[PlannedItem]]
) -> None:
    chosen = settings("encoding=pixel_ss1_m1_o0_l1_c0_b1")
    for item in made(chosen, shapes, planned["pairwise"][:4]):
        assert len({len(picture.png) for picture in item.media[1:]}) == 1
        assert len({picture.pixels_hash for picture in item.media[1:]}) == 2
