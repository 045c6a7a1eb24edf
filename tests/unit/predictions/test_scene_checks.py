"""What can be asked of a scene, and the score of what is met."""

import json

import numpy as np
import pytest

from gen.predictions.metrics.generation import final_score
from gen.predictions.scenes.checks import (
    Count,
    InBox,
    InZone,
    Look,
    NothingElse,
    OfSize,
    Relation,
    box_of,
    facts,
    from_json,
    holds,
    iou,
    text,
    to_json,
    verdicts,
)
from gen.predictions.scenes.description import Seen, Thing

SIZE = (100, 200)
BALL = Seen("ball", "red", "plain", (10, 40, 40, 70), 700)
CUBE = Seen("cube", "blue", "striped", (120, 20, 160, 60), 1600)
CONE = Seen("cone", "red", "spotted", (90, 50, 110, 90), 400)
SCENE = (BALL, CUBE, CONE)
RED = Look(color="red")
CHECKS = {
    Count(RED, 2): True,
    Count(RED, 1): False,
    Count(Look("ball", "blue"), 0): True,
    Count(Look(texture="spotted"), 1): True,
    NothingElse(3): True,
    NothingElse(2): False,
    Relation(Look("ball"), "left of", Look("cube")): True,
    Relation(Look("ball"), "right of", Look("cube")): False,
    Relation(Look("cube"), "behind", Look("ball")): True,
    Relation(Look("cube"), "in front of", Look("cone")): False,
    Relation(Look("cone"), "in front of", Look("cube")): True,
    Relation(Look("cube"), "left of", Look("cube")): False,
    Relation(Look("ring"), "left of", Look("cube")): False,
    InZone(Look("ball"), "left third"): True,
    InZone(Look("ball"), "middle third"): False,
    InZone(Look("cube"), "right half"): True,
    InZone(Look("cone"), "right half"): True,
    InZone(Look("cone"), "middle third"): True,
    InBox(Look("ball"), (0.05, 0.4, 0.2, 0.7)): True,
    InBox(Look("ball"), (0.05, 0.5, 0.2, 0.8)): False,
    InBox(Look("ball"), (0.05, 0.5, 0.2, 0.8), 0.45): True,
    InBox(Look("cone"), (0.05, 0.4, 0.2, 0.7)): False,
    OfSize(Look("cube"), "large"): True,
    OfSize(Look("cone"), "small"): True,
    OfSize(Look("cone"), "large"): False,
}


@pytest.mark.parametrize(("check", "expected"), CHECKS.items(), ids=map(text, CHECKS))
def test_a_check_holds_or_not(check, expected):
    assert holds(check, SCENE, SIZE) is expected
    assert verdicts({"it": check}, SCENE[::-1], SIZE) == {"it": expected}


@pytest.mark.parametrize("check", CHECKS, ids=map(text, CHECKS))
def test_json_gives_the_check_back(check):
    assert from_json(json.loads(json.dumps(to_json(check)))) == check


def test_a_look_leaves_out_of_json_what_it_leaves_open():
    assert to_json(Count(Look(color="red"), 2)) == {
        "kind": "count",
        "look": {"color": "red"},
        "number": 2,
    }


def test_faulty_json_is_refused():
    with pytest.raises(ValueError, match="beauty"):
        from_json({"kind": "beauty"})
    with pytest.raises(TypeError):
        from_json({"kind": "count", "number": 2})


def test_checks_read_as_words():
    assert text(Count(Look("ball", "red", "striped"), 2)) == "two red striped balls"
    assert text(Count(Look("cube"), 1)) == "a cube"
    assert text(Relation(Look("ball"), "left of", RED)) == "ball left of red object"


def test_facts_come_from_the_silhouettes():
    shown, hidden = np.zeros((2, 20, 30), bool)
    shown[3:9, 4:15] = True
    thing = Thing("ring", "pink", "plain", 0.3, 0.4, 0.3)
    assert facts([thing, thing], [shown, hidden]) == [
        Seen("ring", "pink", "plain", (4, 3, 15, 9), 66)
    ]
    with pytest.raises(ValueError):
        facts([thing], [])


def test_boxes():
    assert iou((0, 0, 2, 2), (1, 0, 3, 2)) == pytest.approx(1 / 3)
    assert iou((0, 0, 2, 2), (3, 3, 4, 4)) == 0
    with pytest.raises(ValueError):
        box_of(np.zeros((3, 3), bool))


def test_the_score_is_the_share_met_less_damage():
    assert final_score({"a": True, "b": True}, 0) == 10
    assert final_score({"a": True, "b": False}, 0.1) == pytest.approx(4)
    assert final_score({"a": False}, 0.3) == 0
    for met, damage in (({}, 0.0), ({"a": True}, 1.5), ({"a": True}, float("nan"))):
        with pytest.raises(ValueError):
            final_score(met, damage)
