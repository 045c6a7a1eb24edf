"""Regions of pictures that are filled with what a prompt asks for."""

import json
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from gen import masks, rng
from gen.masks import Rle
from gen.predictions.metrics.generation import final_score
from gen.predictions.scenes import checks, inpainting
from gen.predictions.scenes.case import Case, Stage
from gen.predictions.scenes.reading import read

SIZE = (144, 192)
ERRORS = (
    *("wrong_color", "wrong_shape", "missing_object", "extra_object"),
    *("spill", "seam", "blur", "artefact"),
)


def _photo() -> NDArray[np.uint8]:
    """Brownish clutter with sharp edges."""
    noise = rng.stream(5, "photo").normal(0, 1, (*SIZE, 1)).astype(np.float32)
    soft = cv2.GaussianBlur(noise, (0, 0), 6)
    levels = 120 + 60 * np.sign(soft) + 3 * noise[..., 0]
    return np.asarray(np.clip(levels[..., None] * (1.0, 0.95, 0.88), 0, 255), np.uint8)


@cache
def _case(seed: int = 1, on_photo: bool = True) -> Case:
    found = inpainting.case(Stage("image", seed, SIZE, _photo(), on_photo))
    assert found is not None
    return found


def _region(case: Case) -> NDArray[np.bool_]:
    return masks.decode(Rle(**case.details["region_rle"])).astype(np.bool_)


@pytest.mark.parametrize("on_photo", [True, False])
def test_as_asked_all_checks_are_met(on_photo: bool) -> None:
    case = _case(on_photo=on_photo)
    right = case.attempt("spill", 0)
    assert right is not None
    assert set(right.met) == set(case.checks) and all(right.met.values())
    assert final_score(right.met, right.damage) > 9.8


def test_what_is_given_hides_the_region_and_nothing_else() -> None:
    case = _case()
    region = _region(case)
    framed = np.pad(region, 9).astype(np.uint8)
    rim = cv2.morphologyEx(framed, cv2.MORPH_GRADIENT, np.ones((9, 9)))[9:-9, 9:-9] > 0
    assert case.given is not None and case.uses_photo
    assert np.array_equal(case.given[~region & ~rim], _photo()[~region & ~rim])
    assert (case.given[region & ~rim] == case.details["grey"]).all()
    right = case.attempt("spill", 0)
    assert right is not None
    assert np.array_equal(right.picture[~region], _photo()[~region])


def test_verdicts_can_be_worked_out_from_pictures_and_details() -> None:
    case = _case()
    details = json.loads(json.dumps(case.details))
    asked = {name: checks.from_json(one) for name, one in details["asked"].items()}
    wrong = case.attempt("missing_object", 2)
    assert wrong is not None
    region = _region(case)[..., None]
    seen = read(np.where(region, wrong.picture, _photo()), _photo())
    found = checks.verdicts(asked, seen, SIZE)
    assert found == {name: wrong.met[name] for name in asked}
    assert not all(found.values())


def test_equal_stages_give_equal_cases() -> None:
    stage = Stage("image", 1, SIZE, _photo(), True)
    again = inpainting.case(stage)
    assert again is not None and again.prompt == _case().prompt
    one, other = (case.attempt("seam", 3) for case in (again, _case()))
    assert one is not None and other is not None
    assert np.array_equal(one.picture, other.picture) and one.met == other.met


@pytest.mark.slow
@pytest.mark.parametrize("error_type", ERRORS)
def test_scores_fall_and_errors_are_seen(error_type: str) -> None:
    """On each of these, of the attempts that there are; and there are most of them."""
    there = 0
    for seed in (1, 2):
        case = _case(seed)
        found = [case.attempt(error_type, severity) for severity in range(6)]
        scores = [final_score(one.met, one.damage) for one in found if one is not None]
        there += len(scores)
        assert scores == sorted(scores, reverse=True)
        assert len({*scores}) == len(scores)
        right = found[0]
        assert right is not None
        for one in found[1:]:
            if one is not None:
                differs = cv2.absdiff(one.picture, right.picture).max(axis=2) > 8
                assert differs.mean() >= 0.01
    assert there >= 8


@pytest.mark.parametrize("error_type", [e for e in ERRORS if e not in ("spill", "seam")])
def test_only_a_spill_and_a_seam_reach_beyond_the_region(error_type: str) -> None:
    case = _case()
    wrong = case.attempt(error_type, 2)
    assert wrong is not None
    outside = ~cv2.dilate(_region(case).astype(np.uint8), np.ones((7, 7), np.uint8)).astype(bool)
    assert np.array_equal(wrong.picture[outside], _photo()[outside])


def test_a_spill_leaves_the_region_as_it_is() -> None:
    case = _case()
    right, wrong = case.attempt("spill", 0), case.attempt("spill", 4)
    assert right is not None and wrong is not None
    region = _region(case)
    assert np.array_equal(wrong.picture[region], right.picture[region])
    failed = [name for name, good in wrong.met.items() if not good]
    assert len(failed) == 4 and all(name.startswith("outside") for name in failed)


def test_without_a_photo_a_scene_is_drawn() -> None:
    case = inpainting.case(Stage("image", 3, SIZE, None, False))
    assert case is not None and not case.uses_photo
