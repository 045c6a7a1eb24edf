"""Scenes made wrong in their descriptions."""

from itertools import combinations, pairwise

import numpy as np
import pytest

from gen.predictions.scenes.breaking import ERRORS, broken, clear, sketched, unmet
from gen.predictions.scenes.checks import InBox, InZone, Look, Relation, holds, iou
from gen.predictions.scenes.composing import arranged, compose, inventory, kinds
from gen.predictions.scenes.description import Thing
from gen.predictions.scenes.layout import fits

SIZE = (384, 512)


def scene(seed):
    """Things of five shapes, and all that can be said of them, but relations in a row only."""
    rng = np.random.default_rng(seed)
    groups = compose(rng, mapped=True)
    while len(groups) < 5:
        groups = compose(rng, mapped=True)
    things = arranged(groups, SIZE, rng)
    seen = sketched(things, SIZE)
    checks = dict(inventory(groups))
    single = [k for k, kind in enumerate(kinds(groups)) if kinds(groups).count(kind) == 1]
    order = sorted(single, key=lambda k: things[k].x)
    relations = [
        Relation(Look(things[a].shape), "left of", Look(things[b].shape))
        for a, b in combinations(order, 2)
    ]
    checks |= {f"relation_{k}": one for k, one in enumerate(relations) if clear(one, seen, SIZE)}
    halves = [
        InZone(Look(things[k].shape), half) for k in single for half in ("left half", "right half")
    ]
    checks |= {
        f"zone_{k}": one
        for k, one in enumerate(halves)
        if holds(one, seen, SIZE) and clear(one, seen, SIZE)
    }
    for k, one in enumerate(seen):
        x1, y1, x2, y2 = one.box
        box = (x1 / SIZE[1], y1 / SIZE[0], x2 / SIZE[1], y2 / SIZE[0])
        checks[f"box_{k}"] = InBox(Look(one.shape), box)
    assert not unmet(checks, seen, SIZE)
    return things, checks


def asked_for(checks, error_type):
    """Without what moves along: a thing elsewhere has other neighbours."""
    moving = {"wrong_relation": "relation", "wrong_place": "zone", "control_ignored": "box"}
    others = set(moving.values()) - {moving.get(error_type)} if error_type in moving else set()
    return {name: one for name, one in checks.items() if name.split("_")[0] not in others}


def made(things, checks, error_type, severity, seed=1):
    return broken(things, checks, error_type, severity, np.random.default_rng(seed), SIZE)


@pytest.fixture(scope="module")
def scenes():
    return [scene(seed) for seed in range(6)]


@pytest.mark.parametrize("error_type", ERRORS)
def test_each_severity_fails_more_checks_and_none_holds_for_less(scenes, error_type):
    given = 0
    for things, everything in scenes:
        checks = asked_for(everything, error_type)
        wrong = [made(things, checks, error_type, severity) for severity in range(1, 6)]
        found = [len(unmet(checks, sketched(one, SIZE), SIZE)) for one in wrong if one]
        assert all(a < b for a, b in pairwise([0, *found])), found
        given += len(found)
        for one in filter(None, wrong):
            assert all(fits(thing, one[:k], SIZE) for k, thing in enumerate(one))
    # What stands in the middle is in no half, so there are fewer zones than things.
    assert given >= (15 if error_type == "wrong_place" else 24), given


@pytest.mark.parametrize(
    ("error_type", "kept"),
    [
        ("wrong_color", {"count", "relation", "zone", "box", "nothing", "texture", "size"}),
        ("wrong_count", set()),
        ("wrong_relation", {"count", "color", "nothing", "texture", "size"}),
        ("wrong_place", {"count", "color", "nothing", "texture", "size"}),
        ("control_ignored", {"count", "color", "nothing", "texture", "size"}),
        ("extra_object", {"color", "relation", "zone", "box"}),
    ],
)
def test_errors_are_of_their_kind(scenes, error_type, kept):
    for things, checks in scenes:
        for severity in (1, 3, 5):
            wrong = made(things, checks, error_type, severity)
            if wrong is None:
                continue
            failed = {name.split("_")[0] for name in unmet(checks, sketched(wrong, SIZE), SIZE)}
            assert not failed & kept
            if error_type in ("wrong_color", "wrong_relation", "wrong_place", "control_ignored"):
                assert len(wrong) == len(things)


def test_errors_of_higher_severity_build_on_the_lower_ones(scenes):
    for things, checks in scenes:
        colors = [made(things, checks, "wrong_color", severity) for severity in range(1, 6)]
        for less, more in pairwise(colors):
            changed = [k for k, one in enumerate(less) if one != things[k]]
            assert [more[k] for k in changed] == [less[k] for k in changed]
        missing = [made(things, checks, "missing_object", severity) for severity in range(1, 6)]
        assert all(set(more) < set(less) for less, more in pairwise(missing))
        extra = [made(things, checks, "extra_object", severity) for severity in range(1, 6)]
        for less, more in pairwise([one for one in extra if one]):
            assert more[: len(less)] == less


def test_equal_streams_give_equal_errors(scenes):
    things, checks = scenes[0]
    for error_type in ERRORS:
        first, again = (made(things, checks, error_type, 2) for _ in range(2))
        assert first == again
    others = {made(things, checks, "wrong_color", 2, seed) for seed in range(8)}
    assert len(others) > 4


def test_the_least_error_is_of_a_large_thing(scenes):
    for things, checks in scenes:
        for seed in range(4):
            (gone,) = set(things) - set(made(things, checks, "missing_object", 1, seed))
            assert gone.size == "large"


def test_what_ignores_the_map_is_nowhere_near_its_boxes(scenes):
    for things, everything in scenes:
        checks = {
            name: one
            for name, one in everything.items()
            if not name.startswith(("relation", "zone"))
        }
        for severity in (1, 3, 5):
            wrong = made(things, checks, "control_ignored", severity)
            moved = [(a, b) for a, b in zip(things, wrong, strict=True) if a != b]
            assert len(moved) == severity
            for pair in moved:
                old, new = (one.box for one in sketched(pair, SIZE))
                assert iou(old, new) < 0.41


def test_what_a_scene_cannot_show_is_left_out():
    alone = (Thing("ball", "red", "plain", 0.5, 0.7, 0.2),)
    checks = {"box": InBox(Look("ball"), (0.0, 0.0, 0.1, 0.1))}
    for error_type in ("wrong_color", "missing_object", "wrong_count", "extra_object"):
        assert made(alone, checks, error_type, 2) is None
    assert made(alone, {}, "wrong_relation", 1) is None
    assert made(alone, {}, "wrong_place", 1) is None
    with pytest.raises(KeyError):
        made(alone, checks, "blur", 1)


@pytest.mark.parametrize(
    ("gap", "expected"), [(0.01, False), (0.02, False), (0.05, True), (-0.01, False), (-0.05, True)]
)
def test_relations_that_are_nearly_ties_are_not_clear(gap, expected):
    ball = Thing("ball", "red", "plain", 0.5, 0.6, 0.1)
    cube = Thing("cube", "blue", "plain", 0.5 + gap, 0.9, 0.1, 45.0)
    check = Relation(Look("ball"), "left of", Look("cube"))
    assert clear(check, sketched([ball, cube], SIZE), SIZE) is expected
