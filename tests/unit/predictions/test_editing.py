"""Changes of drawn scenes, things added to photos, and which of them a stage gets."""

import json
import re
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml

from gen import masks
from gen.predictions.metrics.generation import final_score
from gen.predictions.scenes import drawn_edits, editing
from gen.predictions.scenes.case import Stage
from gen.predictions.scenes.checks import Count, InZone, NothingElse, from_json, verdicts
from gen.predictions.scenes.description import Thing
from gen.predictions.scenes.drawn_changes import KINDS, ask, scene
from gen.predictions.scenes.edit_checks import EditTruth, Measured
from gen.predictions.scenes.edit_checks import verdicts as edit_verdicts
from gen.predictions.scenes.effects import to_lab
from gen.predictions.scenes.reading import read
from gen.sources.records import Instance

CONF = Path(__file__).parents[3] / "conf"
ERRORS = tuple(yaml.safe_load((CONF / "task/editing.yaml").read_text())["error_types"])
SIZE = (144, 192)
SMOOTH = ("coverage", "strength", "overlap", "edge")


def grey_photo(seed=0):
    rng = np.random.default_rng(seed)
    noise = cv2.GaussianBlur(rng.standard_normal(SIZE).astype(np.float32), (0, 0), 4)
    light = np.clip(120 + 200 * noise, 20, 235).astype(np.uint8)
    return np.repeat(light[..., None], 3, axis=2)


def drawn(seed):
    return Stage("a", seed, SIZE, None, False)


@pytest.fixture(scope="module")
def cases():
    found = [drawn_edits.case(drawn(seed)) for seed in range(7)]
    return [case for case in found if case is not None]


def test_most_stages_give_a_case_of_every_kind(cases):
    assert len(cases) >= 5
    assert len(Counter(case.details["edit"] for case in cases)) >= 3


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_asked_leads_from_before_to_after(kind):
    rng = np.random.default_rng(3)
    asked = None
    while asked is None:
        things = scene(rng, SIZE)
        asked = None if things is None else ask(kind, things, SIZE, rng)
    before, after = set(asked.before), set(asked.after)
    gone, new = before - after, after - before
    assert (len(gone), len(new)) == {"add": (0, 1), "remove": (1, 0)}.get(kind, (1, 1))
    assert asked.checks["nothing_else"] == NothingElse(len(after))
    if kind == "move":
        assert isinstance(asked.checks["place"], InZone)
        assert gone.pop().shape == new.pop().shape
    elif new:
        (thing,) = new
        assert isinstance(asked.checks["new"], Count)
        assert thing.color in asked.instruction
        assert kind == "recolor" or thing.shape in asked.instruction


def test_no_two_things_of_a_scene_can_be_confused():
    rng = np.random.default_rng(5)
    scenes = [scene(rng, SIZE) for _ in range(30)]
    for things in filter(None, scenes):
        assert len({thing.color for thing in things}) == len(things)
        assert len({thing.shape for thing in things}) == len(things)


def test_severity_zero_meets_every_check_and_details_are_plain(cases):
    for case in cases:
        attempt = case.attempt("spill", 0)
        assert attempt is not None and all(attempt.met.values())
        assert attempt.met.keys() == case.checks.keys()
        assert json.loads(json.dumps(case.details)) == case.details | {
            "target_rle": {**case.details["target_rle"], "size": list(SIZE)}
        }
        things = [Thing.from_json(one) for one in case.details["things_after"]]
        assert len(read(attempt.picture)) == len(things)


def test_verdicts_are_found_again_from_the_pictures_and_the_details(cases):
    """The picture of severity 0 is the one that was asked for."""
    for case in cases[:4]:
        asked = case.attempt("spill", 0).picture
        target = masks.decode(masks.Rle(**case.details["target_rle"])) > 0
        by_hue = case.details["edit"] not in ("remove", "move")
        truth = EditTruth(case.given, to_lab(asked), target, by_hue=by_hue, everywhere=False)
        checks = {name: from_json(one) for name, one in case.details["checks"].items()}
        for error, severity in (("spill", 3), ("wrong_color", 3), ("artefact", 3)):
            attempt = case.attempt(error, severity)
            assert attempt is not None
            found = edit_verdicts(truth.measure(attempt.picture), by_hue)
            found |= verdicts(checks, read(attempt.picture), SIZE)
            assert found == attempt.met


@pytest.mark.slow
def test_errors_cost_more_with_severity(cases):
    scores = defaultdict(list)
    for case in cases[:4]:
        for error in ERRORS:
            made = [case.attempt(error, severity) for severity in range(6)]
            if None not in made:
                scores[error].append([final_score(one.met, one.damage) for one in made])
    for error in ERRORS:
        means = np.mean(scores[error], axis=0)
        assert means[0] > 9.5
        assert all(a > b for a, b in pairwise(means)), (error, means)


def test_an_ignored_edit_leaves_the_picture_as_it_was(cases):
    for case in cases:
        attempt = case.attempt("edit_ignored", 5)
        np.testing.assert_array_equal(attempt.picture, case.given)
        assert not any(met for name, met in attempt.met.items() if name.startswith(SMOOTH))


def test_checks_are_graded():
    half = Measured(0.5, 0.5, 0.5, 0.5, 0.08, 40.0, 0.7)
    met = edit_verdicts(half, by_hue=True)
    assert [met[f"coverage_{least}"] for least in (86, 63, 46, 30, 15)] == [False] * 2 + [True] * 3
    assert [met[f"outside_{most}"] for most in (1, 5, 11, 20, 36)] == [False] * 2 + [True] * 3
    assert [met[f"color_{most}"] for most in (10, 19, 32, 58, 90)] == [False] * 3 + [True] * 2
    assert (met["detail_90"], met["detail_60"]) == (False, True)
    nothing = edit_verdicts(Measured(0, 0, 0, 0, 0, float("inf"), 1), by_hue=False)
    assert {name.split("_")[0] for name, good in nothing.items() if good} == {"outside"}


def test_a_thing_is_added_to_a_photo_and_seen_there():
    stage = Stage("a", 4, SIZE, grey_photo(), True)
    case = drawn_edits.addition_to_photo(stage)
    assert case.details["added_to_photo"] and case.uses_photo
    np.testing.assert_array_equal(case.given, stage.photo)
    assert re.fullmatch(
        r"Add an? [a-z ]+ in the (left|middle|right) third of the photo\.", case.prompt
    )
    good = case.attempt("seam", 0).picture
    (thing,) = (Thing.from_json(one) for one in case.details["things_after"])
    (seen,) = read(good, stage.photo)
    assert (seen.shape, seen.color) == (thing.shape, thing.color)


def test_a_stage_off_the_photo_is_drawn():
    assert "things_before" in editing.case(drawn(1)).details
    mask = np.zeros(SIZE, np.uint8)
    mask[40:110, 50:140] = 1
    photo = grey_photo()
    photo[mask > 0] = photo[mask > 0] // 2 + np.array((70, 20, 0), np.uint8)
    cat = Instance("1", "cat", masks.encode(mask), False)
    on = [editing.case(Stage("a", seed, SIZE, photo, True, (cat,))) for seed in range(12)]
    kinds = Counter("add" if "light" in case.details else "photo" for case in on if case)
    assert kinds["photo"] > kinds["add"]


def test_what_is_spoilt_as_a_whole_still_reads_as_what_was_asked() -> None:
    told = 0
    for number in range(6):
        case = drawn_edits.case(Stage("spoilt", number, SIZE, None, False))
        if case is None:
            continue
        checks = case.details["checks"]
        for error in ("blur", "artefact", "seam"):
            for severity in range(1, 6):
                attempt = case.attempt(error, severity)
                if attempt is not None:
                    told += 1
                    assert all(attempt.met[name] for name in checks), (number, error, severity)
    assert told > 40
