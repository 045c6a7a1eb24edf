"""Text-to-image generation: scenes in words."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import yaml

from gen.predictions.metrics.generation import final_score
from gen.predictions.scenes.attempts import Scene
from gen.predictions.scenes.breaking import ERRORS
from gen.predictions.scenes.case import Stage
from gen.predictions.scenes.checks import Count, Look, from_json, verdicts
from gen.predictions.scenes.description import COLORS, SHAPES, Thing
from gen.predictions.scenes.reading import read
from gen.predictions.scenes.spoil import SPOILINGS
from gen.predictions.scenes.t2i import case

SIZE = (192, 256)
CONF = Path(__file__).parents[3] / "conf"
TYPES = yaml.safe_load((CONF / "task/t2i.yaml").read_text(encoding="utf-8"))["error_types"]


def stage(name, photo=None, seed=5):
    return Stage(name, seed, SIZE, photo, False)


@pytest.fixture(scope="module")
def cases():
    return [case(stage(f"scene {number}")) for number in range(3)]


def scored(one, error_type):
    made = [one.attempt(error_type, severity) for severity in range(6)]
    return [attempt and (final_score(attempt.met, attempt.damage), attempt) for attempt in made]


def test_the_error_types_of_the_task_are_known():
    assert set(TYPES) <= {*ERRORS, *SPOILINGS}


@pytest.mark.parametrize("error_type", TYPES)
def test_scores_fall_with_severity_and_errors_are_seen(cases, error_type):
    levels = {severity: [] for severity in range(6)}
    for one in cases:
        made = scored(one, error_type)
        right = made[0][1].picture
        for severity, found in enumerate(made):
            if found is None:
                continue
            levels[severity].append(found[0])
            picture = found[1].picture
            assert picture.shape == (*SIZE, 3)
            off = np.abs(picture.astype(int) - right).max(axis=2) > 8
            assert severity == 0 or off.mean() >= 0.01
        found = [one[0] for one in made if one]
        assert all(a > b for a, b in pairwise(found)), found
    assert all(score > 9.8 for score in levels[0])
    # In pictures so small any blur takes the patterns of small things away.
    states = {"wrong_relation": "relation", "wrong_place": "zone"}
    able = [one for one in cases if any(states.get(error_type, "") in name for name in one.checks)]
    assert len(levels[1]) >= (1 if error_type == "blur" else len(able) - 1)
    assert able


def test_verdicts_can_be_found_again_from_the_picture_alone(cases):
    for one in cases:
        asked = {name: from_json(check) for name, check in one.details["checks"].items()}
        assert set(asked) == set(one.checks)
        for error_type, severity in (("wrong_color", 2), ("missing_object", 4), ("blur", 1)):
            attempt = one.attempt(error_type, severity)
            if attempt is not None:
                assert verdicts(asked, read(attempt.picture), SIZE) == attempt.met


def test_a_right_picture_meets_all_and_an_empty_one_nothing(cases):
    for one in cases:
        assert all(one.attempt("wrong_color", 0).met.values())
        gone = one.attempt("missing_object", 5)
        if gone is not None and len(one.details["things"]) == 5:
            assert not any(gone.met.values())


def test_the_prompt_names_all_that_is_checked_and_no_more(cases):
    for one in cases:
        words = one.prompt.lower().replace(".", " ").replace(",", " ").split()
        singular = {word.removesuffix("s") for word in words}
        things = [Thing.from_json(record) for record in one.details["things"]]
        assert singular & set(SHAPES) == {thing.shape for thing in things}
        assert set(words) & set(COLORS) == {thing.color for thing in things}
        assert ("striped" in words) == any(thing.texture == "striped" for thing in things)
        assert ("spotted" in words) == any(thing.texture == "spotted" for thing in things)
        sides = sum(
            " ".join(words).count(side) for side in ("left of", "right of", "behind", "in front of")
        )
        assert sides == sum(name.startswith("relation") for name in one.checks)
        assert one.prompt.endswith("There is nothing else on the table.")
        assert one.given is None


def test_equal_stages_give_equal_cases_and_others_do_not():
    first, again = case(stage("a")), case(stage("a"))
    assert (first.prompt, first.details) == (again.prompt, again.details)
    for error_type in ("wrong_count", "artefact"):
        one, other = (found.attempt(error_type, 2) for found in (first, again))
        assert (one.picture == other.picture).all()
        assert one.met == other.met
    assert case(stage("b")).prompt != first.prompt
    assert case(stage("a", seed=6)).prompt != first.prompt


def test_errors_that_would_hardly_be_seen_are_left_out():
    tiny = Thing("ball", "red", "plain", 0.5, 0.7, 0.05)
    large = replace(tiny, extent=0.2)
    backdrop = np.full((*SIZE, 3), 140, np.uint8)
    checks = {"color": Count(Look("ball", "red"), 1)}
    found = [
        Scene(stage("a"), "t2i", (thing,), checks, backdrop, 0.3).attempt("wrong_color", 1)
        for thing in (tiny, large)
    ]
    assert found[0] is None
    assert found[1].met == {"color": False}


def test_about_half_of_the_backdrops_are_photos():
    photo = np.random.default_rng(0).integers(0, 256, (*SIZE, 3)).astype(np.uint8)
    used = [case(stage(f"photo {number}", photo)).uses_photo for number in range(6)]
    assert 0 < sum(used) < 6
    assert not any(case(stage(f"photo {number}")).uses_photo for number in range(2))
