"""Edits of photos: what is asked for, what the pixels show, and how errors lower it."""

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml

from gen import masks
from gen.predictions.metrics.generation import final_score
from gen.predictions.scenes import edit_checks, effects, photo_edits
from gen.predictions.scenes.case import Stage
from gen.predictions.scenes.edit_checks import EditTruth
from gen.predictions.scenes.photo_targets import edits
from gen.predictions.scenes.photo_things import named_things, parts
from gen.schema import CocoData, EmbeddedData
from gen.sources.open import open_source
from gen.sources.records import Instance

CONF = Path(__file__).parents[3] / "conf"
ERRORS = tuple(yaml.safe_load((CONF / "task/editing.yaml").read_text())["error_types"])
SIZE = (120, 160)


def staged(source, image_id, longest, seed=1):
    """A stage about one photo, reduced."""
    pixels = source.pixels(image_id)
    height, width = pixels.shape[:2]
    factor = longest / max(height, width)
    size = round(height * factor), round(width * factor)

    def reduced(picture):
        return np.asarray(cv2.resize(picture, size[::-1], interpolation=cv2.INTER_AREA))

    instances = tuple(
        replace(one, rle=masks.encode(reduced(masks.decode(one.rle) * 255) > 127))
        for one in source.truth(image_id).instances
        if not one.crowd
    )
    return Stage(image_id, seed, size, reduced(pixels), True, instances)


@pytest.fixture(scope="module")
def embedded():
    return open_source(EmbeddedData(name="embedded", licenses=()))


@pytest.fixture(scope="module")
def cases(embedded):
    stages = [staged(embedded, image_id, 192) for image_id in ("1", "2", "3", "5")]
    found = [(stage, photo_edits.case(stage)) for stage in stages]
    return [(stage, case) for stage, case in found if case is not None]


def rectangle(name, category, left, right, top=20, bottom=100, crowd=False):
    mask = np.zeros(SIZE, np.uint8)
    mask[top:bottom, left:right] = 1
    return Instance(name, category, masks.encode(mask), crowd)


def painted(instances, seed=0):
    """A photo of brownish rectangles with shading on a greenish ground."""
    rng = np.random.default_rng(seed)
    lab = np.zeros((*SIZE, 3), np.float32)
    lab[..., 0] = 50 + 8 * rng.standard_normal(SIZE)
    lab[..., 1], lab[..., 2] = -15, 20
    for one in instances:
        inside = masks.decode(one.rle) > 0
        lab[inside, 1:] = (18, 25)
    return effects.to_rgb(lab)


def test_things_are_named_only_where_there_is_no_doubt():
    things = [
        rectangle("1", "cat", 5, 40),
        rectangle("2", "bus", 45, 70),
        rectangle("3", "bus", 75, 100),
        rectangle("4", "dining table", 105, 150),
        rectangle("5", "person", 105, 150),
        rectangle("6", "person", 0, 160, crowd=True),
        rectangle("7", "spoon", 0, 5, 0, 5),
    ]
    named = {one.category: one.words for one in named_things(things, SIZE)}
    assert named == {"cat": "the cat", "bus": "both buses"}
    three = [rectangle(str(left), "sheep", left, left + 30) for left in (5, 50, 95)]
    assert [one.words for one in named_things(three, SIZE)] == ["all the sheep"]
    tiny = [*three, rectangle("4", "sheep", 130, 132, 0, 2)]
    assert named_things(tiny, SIZE) == []


def test_a_thing_is_not_asked_to_get_the_colour_it_has_nor_one_that_it_is_too_dark_for():
    cat = [rectangle("1", "cat", 40, 100)]
    asked = set()
    for seed in range(12):
        stage = Stage("a", seed, SIZE, painted(cat), True, cat)
        asked |= {one.instruction for one in edits(stage, stage.photo) if one.kind == "paint"}
    words = " ".join(asked)
    assert "blue" in words
    assert not any(color in words for color in ("orange", "red", "yellow", "pink"))


def test_recolouring_keeps_lightness_and_leaves_other_pixels_alone():
    cat = [rectangle("1", "cat", 40, 100)]
    photo = painted(cat)
    lab = effects.to_lab(photo)
    inside = masks.decode(cat[0].rle) > 0
    effect = effects.Recolor(282.0, 30.0)
    done = effect.apply(lab, ~inside)
    np.testing.assert_array_equal(done[..., 0], lab[..., 0])
    shown = effects.to_lab(effects.to_rgb(done))
    assert np.abs(shown[inside, 0] - lab[inside, 0]).max() < 1.5
    hues = np.rad2deg(np.arctan2(shown[inside, 2], shown[inside, 1])) % 360
    assert np.abs(np.median(hues) - 282) < 2
    assert effects.from_json(effect.to_json()) == effect


@pytest.mark.parametrize("hue", [33.0, 97.0, 208.0, 282.0])
def test_colours_stay_within_srgb(hue):
    lab = np.zeros((1, 101, 3), np.float32)
    lab[0, :, 0] = np.arange(101)
    done = effects.Recolor(hue, 0.0).apply(lab, np.zeros((1, 101), np.bool_))
    back = effects.to_lab(effects.to_rgb(done))
    assert np.abs(back - done).max() < 3


def test_blur_of_the_rest_takes_no_light_from_what_is_kept():
    lab = np.full((*SIZE, 3), 20, np.float32)
    kept = np.zeros(SIZE, np.bool_)
    kept[40:80, 40:80] = True
    lab[kept] = 90
    done = effects.Defocus(sigma=0.03).apply(lab, kept)
    assert np.abs(done[~kept] - 20).max() < 0.1


def test_severity_zero_meets_every_check_and_leaves_the_rest_as_it_was(cases):
    assert len(cases) >= 3
    for stage, case in cases:
        attempt = case.attempt("spill", 0)
        assert attempt is not None and all(attempt.met.values())
        assert attempt.met.keys() == case.checks.keys()
        target = masks.decode(masks.Rle(**case.details["target_rle"])) > 0
        far = cv2.erode((~target).astype(np.uint8), np.ones((15, 15), np.uint8)) > 0
        np.testing.assert_array_equal(attempt.picture[far], stage.photo[far])
        assert attempt.picture.shape == case.given.shape


def test_verdicts_are_found_again_from_the_pictures_and_the_details(cases):
    compared = 0
    for stage, case in cases:
        effect = effects.from_json(case.details["effect"])
        record = case.details["target_rle"]
        target = masks.decode(masks.Rle(tuple(record["size"]), record["counts"])) > 0
        by_hue = case.details["effect"]["kind"] == "recolor"
        asked = effects.everywhere(effect, effects.to_lab(stage.photo), target)
        truth = EditTruth(stage.photo, asked, target, by_hue=by_hue, everywhere=True)
        for error in ERRORS:
            attempt = case.attempt(error, 3)
            if attempt is not None:
                measured = truth.measure(attempt.picture)
                assert edit_checks.verdicts(measured, by_hue) == attempt.met
                compared += 1
    assert compared >= 20


def assert_errors_cost_more_and_more(cases, least_gap):
    scores = defaultdict(list)
    for _, case in cases:
        good = case.attempt(ERRORS[0], 0)
        for error in ERRORS:
            made = [case.attempt(error, severity) for severity in range(6)]
            for attempt in filter(None, made[1:]):
                off = cv2.absdiff(attempt.picture, good.picture).max(axis=2) > 8
                assert off.mean() >= 0.01
            if None not in made:
                scores[error].append([final_score(one.met, one.damage) for one in made])
    for error in ERRORS:
        means = np.mean(scores[error], axis=0)
        assert means[0] > 9.5
        assert all(a - b > least_gap for a, b in pairwise(means)), (error, means)


@pytest.mark.slow
def test_errors_are_seen_and_cost_more_with_severity(cases):
    assert_errors_cost_more_and_more(cases, 0.0)


@pytest.mark.slow
def test_errors_cost_more_with_severity_on_real_photos(shared_data):
    record = yaml.safe_load((CONF / "data/coco.yaml").read_text(encoding="utf-8"))
    source = open_source(CocoData.model_validate({**record, "root": str(shared_data / "coco")}))
    stages = [staged(source, photo.image_id, 256) for photo in source.photos()[:32]]
    found = [(stage, photo_edits.case(stage)) for stage in stages]
    made = [(stage, case) for stage, case in found if case is not None]
    assert len(made) >= 14
    assert_errors_cost_more_and_more(made[:14], 0.1)


def test_equal_stages_give_equal_pictures_in_any_order(embedded):
    first, again = (photo_edits.case(staged(embedded, "3", 160)) for _ in range(2))
    assert first.prompt == again.prompt
    late = [again.attempt(error, 2) for error in reversed(ERRORS)][::-1]
    for error, other in zip(ERRORS, late, strict=True):
        one = first.attempt(error, 2)
        assert (one is None) == (other is None)
        if one is not None:
            np.testing.assert_array_equal(one.picture, other.picture)
            assert one.met == other.met


def test_a_photo_on_which_nothing_can_be_named_is_edited_in_a_part():
    case = photo_edits.case(Stage("a", 1, SIZE, painted([]), True, ()))
    assert case.details["target"] in {part.words for part in parts(SIZE)}
    assert "of the photo" in case.prompt


def test_nothing_is_asked_of_a_photo_on_which_nothing_would_show():
    black = np.zeros((*SIZE, 3), np.uint8)
    assert photo_edits.case(Stage("a", 1, SIZE, black, True, ())) is None
    assert photo_edits.case(Stage("a", 1, SIZE, None, False, ())) is None
