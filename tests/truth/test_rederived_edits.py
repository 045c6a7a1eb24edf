"""Editing and inpainting: what was left alone, what is shown, and what the words say, found anew.

The region comes from its RLE; the shown picture tells what was there before.
"""

import re
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from pycocotools import mask as rle
from scene_reader import HUES, Mask, Rgb, lab_of, met, things
from scene_words import PLACES, agree, asked, claims, listed
from test_rederived_scenes import Row, Tally, pictures, run, scores_follow

pytestmark = pytest.mark.slow

# What counts as changed, in CIE76, and within which share of the longer side of a labelled outline
# it is not asked.
CHANGED, BAND = 4.0, 0.008
OUTSIDE = {1: 0.01, 5: 0.05, 11: 0.11, 20: 0.2, 36: 0.36}
# Errors that leave things whole; what is half there may be read in more than one way.
WHOLE = ("blur", "artefact", "seam")
KINDS = {
    "recolor": r"(?:Make (the .+) (\w+)|Change the color of (the .+) to (\w+))\.",
    "remove": r"(?:Remove (the .+)|Take (the .+) out of the picture)\.",
    "replace": r"Replace (the .+) with (an? .+)\.",
    "move": r"Move (the .+) (to the .+)\.",
    "add": r"Add (an? .+?) ((?:on|in|at) .+)\.",
}
EFFECTS = {
    "paint": ("recolor", r"(?:Make (.+) (\w+)|Change the color of (.+) to (\w+))\."),
    "grey": ("grey", r"Turn (.+) black and white and keep everything else in color\."),
    "grey rest": (
        "grey",
        r"(?:Turn everything except (.+) black and white"
        r"|Keep (.+) in color and make the rest of the photo black and white)\.",
    ),
    "brighten": ("exposure", r"(?:Make (.+) much brighter|Brighten (.+) and leave the rest .+)\."),
    "darken": ("exposure", r"(?:Make (.+) much darker|Darken (.+) and leave the rest .+)\."),
    "blur": ("defocus", r"Blur (.+) and keep everything else sharp\."),
    "defocus": (
        "defocus",
        r"(?:Keep (.+) sharp and blur everything else|Blur everything except (.+))\.",
    ),
}


@pytest.fixture(scope="module")
def edits(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    return run(tmp_path_factory.mktemp("edits"), "editing", "n_items=50", SIZE)


@pytest.fixture(scope="module")
def fillings(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    out = tmp_path_factory.mktemp("fillings")
    return run(out, "inpainting_high_level", "n_items=16", "task.staging.variants=0", SIZE)


SIZE = "task.staging.longest=320"


def region(record: dict[str, Any]) -> Mask:
    return np.asarray(rle.decode({**record, "counts": record["counts"].encode()}), np.bool_)


def beyond(mask: Mask, pixels: int) -> Mask:
    """All that is farther from a mask than this."""
    away = cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return np.asarray(away > pixels)


def changes(one: Rgb, other: Rgb) -> NDArray[np.float64]:
    smooth = [cv2.GaussianBlur(lab_of(picture), (0, 0), 1.0) for picture in (one, other)]
    return np.asarray(np.linalg.norm(smooth[0] - smooth[1], axis=2))


def options(row: Row) -> list[tuple[Rgb, dict[str, float], str, int]]:
    told = row["metadata"]
    shown = pictures(row)[1:]
    return list(zip(shown, told["metrics"], told["error_types"], told["severities"], strict=True))


def groups(found: re.Match[str] | None) -> list[str]:
    assert found
    return [group for group in found.groups() if group]


def test_instructions_say_what_the_checks_ask(edits: list[Row]) -> None:
    compared = 0
    for row in edits:
        told = row["metadata"]
        given, prompt = told["given"], told["prompt"]
        if "effect" in given:
            kind, words = EFFECTS[given["edit"]]
            what, *color = groups(re.fullmatch(words, prompt))
            rest = given["edit"] in ("grey rest", "defocus")
            assert given["target"] == (f"everything but {what}" if rest else what)
            assert given["effect"]["kind"] == kind
            if kind == "exposure":
                assert (given["effect"]["power"] < 1) == (given["edit"] == "brighten")
            for name in color:
                off = given["effect"]["hue"] - HUES[name]
                assert abs((off + 180) % 360 - 180) < 10
            continue
        compared += 1
        checks = given["checks"]
        old, *new = groups(re.fullmatch(KINDS[given["edit"]], prompt))
        added = asked(old)
        if given["edit"] != "add":
            assert given["target"] == old
        if given["edit"] in ("recolor", "replace", "remove"):
            look = {"shape": added.shape, "color": added.color}
            assert checks["gone"] == {"kind": "count", "look": look, "number": 0}
        if given["edit"] == "recolor":
            added = added._replace(color=new[0])
        elif given["edit"] == "replace":
            added = asked(new[0])
        elif given["edit"] in ("add", "move"):
            assert checks["place"]["zone"] == PLACES[new[0]]
            assert added.fits(checks["place"]["look"])
        if given["edit"] != "remove":
            assert checks["new"]["number"] == 1
            assert checks["new"]["look"] == {"shape": added.shape, "color": added.color}
        kept = sum(name.startswith("kept") for name in checks)
        assert checks["nothing_else"]["number"] == kept + (given["edit"] != "remove")
    assert compared > 10


def test_prompts_of_fillings_say_what_the_checks_ask(fillings: list[Row]) -> None:
    for row in fillings:
        told = row["metadata"]
        listing, places, _ = claims(told["prompt"])
        assert listing == listed(told["prompt"])
        assert agree(listing, told["given"]["asked"]) == places == set()


def test_the_rest_is_found_to_be_left_alone(edits: list[Row], fillings: list[Row]) -> None:
    tally = Tally()
    unchanged = 0
    for row in edits + fillings:
        given, shown = row["metadata"]["given"], pictures(row)[0]
        filling = "region_rle" in given
        mask = region(given["region_rle" if filling else "target_rle"])
        width = max(2, round(BAND * max(mask.shape)))
        rest = beyond(mask, 2 * width if filling else width)
        for picture, metrics, error, severity in options(row):
            share = float((changes(picture, shown) >= CHANGED)[rest].mean())
            if severity == 0:
                unchanged += 1
                levels = cv2.absdiff(picture, shown).max(axis=2)[rest]
                assert share <= OUTSIDE[1], row["id"]
                assert levels.max(initial=0) == 0 or not filling, row["id"]
            # An effect on a photo is looked for only where it would show.
            if filling or "effect" not in given:
                for name, most in OUTSIDE.items():
                    where = (row["id"], error, severity, name)
                    tally.add("outside", share <= most, metrics[f"check_outside_{name}"], where)
    assert unchanged > 3
    assert tally.asked.total() > 200
    tally.expect(0.98)


def test_things_are_found_again(edits: list[Row], fillings: list[Row]) -> None:
    tally = Tally()
    for row in edits + fillings:
        given = row["metadata"]["given"]
        filling = "region_rle" in given
        if "effect" in given or given.get("added_to_photo"):
            continue
        checks = given["asked" if filling else "checks"]
        for picture, metrics, error, severity in options(row):
            if severity and not (error in WHOLE or filling):
                continue
            seen = things(picture, within=region(given["region_rle"]) if filling else None)
            for name, check in checks.items():
                if error == "blur" and severity and "texture" in check.get("look", {}):
                    continue
                where = (row["id"], error, severity, name)
                tally.add(check["kind"], met(check, seen), metrics[f"check_{name}"], where)
    assert tally.asked.total() > 300
    tally.expect(0.97)


def test_scores_and_answers_follow_from_the_verdicts(edits: list[Row], fillings: list[Row]) -> None:
    scores_follow(edits + fillings)
    for row in edits + fillings:
        assert row["prompt"].startswith("<image>\n\nYou are")
        assert f" is '{row['metadata']['prompt']}'" in row["prompt"]
        assert len({picture.shape for picture in pictures(row)}) == 1
