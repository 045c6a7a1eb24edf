"""Controllable generation: things where a map shows them."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import yaml

from gen.predictions.metrics.generation import final_score
from gen.predictions.scenes.breaking import ERRORS
from gen.predictions.scenes.case import Stage
from gen.predictions.scenes.checks import from_json, verdicts
from gen.predictions.scenes.controllable import case
from gen.predictions.scenes.controls import CONTROLS, NOUNS, control
from gen.predictions.scenes.description import Thing
from gen.predictions.scenes.drawing import silhouette
from gen.predictions.scenes.reading import read
from gen.predictions.scenes.spoil import SPOILINGS

SIZE = (192, 256)
CONF = Path(__file__).parents[3] / "conf"
TYPES = yaml.safe_load((CONF / "task/controllable.yaml").read_text(encoding="utf-8"))["error_types"]
THINGS = (
    Thing("ball", "red", "plain", 0.25, 0.6, 0.2),
    Thing("cube", "blue", "striped", 0.7, 0.85, 0.22, 40.0),
)


def stage(name, seed=5):
    return Stage(name, seed, SIZE, None, False)


@pytest.fixture(scope="module")
def cases():
    return [case(stage(f"scene {number}")) for number in range(3)]


def test_the_error_types_of_the_task_are_known():
    assert set(TYPES) <= {*ERRORS, *SPOILINGS}


@pytest.mark.slow
@pytest.mark.parametrize("error_type", TYPES)
def test_scores_fall_with_severity_and_errors_are_seen(cases, error_type):
    found = 0
    for one in cases:
        right = one.attempt(error_type, 0)
        assert all(right.met.values())
        scores = []
        for severity in range(6):
            attempt = one.attempt(error_type, severity)
            if attempt is None:
                continue
            scores.append(final_score(attempt.met, attempt.damage))
            off = np.abs(attempt.picture.astype(int) - right.picture).max(axis=2) > 8
            assert severity == 0 or off.mean() >= 0.01
        assert scores[0] > 9.8
        assert all(a > b for a, b in pairwise(scores)), scores
        found += len(scores)
    assert found >= 12


def test_ignoring_the_map_costs_more_than_wrong_colors(cases):
    for one in cases:
        ignored, colors = (
            one.attempt(error_type, 3) for error_type in ("control_ignored", "wrong_color")
        )
        assert sum(ignored.met.values()) < sum(colors.met.values())
        assert ignored.met["nothing_else"]
        assert all(ignored.met[name] for name in ignored.met if name.startswith("count"))


def test_verdicts_can_be_found_again_from_the_picture_alone(cases):
    for one in cases:
        asked = {name: from_json(check) for name, check in one.details["checks"].items()}
        attempt = one.attempt("control_ignored", 2)
        assert verdicts(asked, read(attempt.picture), SIZE) == attempt.met


def test_the_prompt_says_what_the_map_is(cases):
    for one in cases:
        assert NOUNS[one.details["control"]] in one.prompt
        assert one.given.shape == (*SIZE, 3)


def test_equal_stages_give_equal_cases():
    first, again = case(stage("a")), case(stage("a"))
    assert (first.prompt, first.details) == (again.prompt, again.details)
    assert (first.given == again.given).all()
    assert case(stage("b")).prompt != first.prompt


@pytest.mark.parametrize("kind", CONTROLS)
def test_maps_tell_nothing_of_colors(kind):
    red = control(kind, THINGS, ["ball", "cube"], SIZE)
    green = control(kind, [one_of(thing, "green") for thing in THINGS], ["ball", "cube"], SIZE)
    assert (red == red[..., :1]).all()
    assert (np.abs(red.astype(int) - green) > 8).mean() < 0.01


def one_of(thing, color):
    return Thing(**{**thing.to_json(), "color": color})


def test_edges_run_around_things():
    edges = control("edges", THINGS, [], SIZE)[..., 0]
    assert set(np.unique(edges)) == {0, 255}
    near = np.zeros(SIZE, bool)
    for thing in THINGS:
        mask = silhouette(thing, SIZE)
        columns, rows = np.flatnonzero(mask.any(axis=0)), np.flatnonzero(mask.any(axis=1))
        assert edges[mask].any()
        assert edges[rows[0] : rows[-1] + 1, columns[0]].any()
        assert edges[rows[-1], columns[0] : columns[-1] + 1].any()
        near |= mask
    assert not edges[~near].any()


def test_what_is_nearer_is_lighter():
    depth = control("depth", THINGS, [], SIZE)[..., 0].astype(int)
    far, near = (depth[silhouette(thing, SIZE)].mean() for thing in THINGS)
    assert near > far + 20
    rows, columns = np.nonzero(silhouette(THINGS[0], SIZE))
    middle = round(rows.mean()), round(columns.mean())
    assert depth[middle] > depth[middle[0], columns.min()] + 8
    ground = depth[:, 0]
    assert (np.diff(ground) >= 0).all()
    assert ground[-1] > ground[0] + 100
    for thing in THINGS:
        mask = silhouette(thing, SIZE)
        foot = np.flatnonzero(mask.any(axis=1))[0]
        assert depth[mask].min() > depth[foot, 0]


def test_boxes_lie_around_things_and_bear_words():
    boxes = control("boxes", THINGS, ["ball", "cube"], SIZE)[..., 0]
    other = control("boxes", THINGS, ["ring", "cube"], SIZE)[..., 0]
    ball = silhouette(THINGS[0], SIZE)
    rows, columns = np.flatnonzero(ball.any(axis=1)), np.flatnonzero(ball.any(axis=0))
    changed = np.argwhere(boxes != other)
    assert len(changed)
    assert (changed[:, 1] >= columns[0] - 4).all()
    assert (changed[:, 0] <= rows[-1]).all()
    line = boxes[rows[0] : rows[-1], max(columns[0] - 2, 0) : columns[0] + 3].max(axis=1)
    assert (line > 200).mean() > 0.6
