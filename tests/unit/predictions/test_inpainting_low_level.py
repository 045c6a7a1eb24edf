"""Holes in photos and how they are filled."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import ValidationError

from gen import rng
from gen.predictions.degrade import holes
from gen.predictions.degrade.degraded import Degraded
from gen.predictions.metrics.restoration import RestorationTruth
from gen.predictions.restore.inpainting_low_level import restorations
from gen.predictions.restore.patch_fill import patch_filled
from gen.schema import Holes

KINDS = ("scratches", "strokes", "blobs", "rectangles", "objects")
NONE = (0.0, 0.0)


def _settings(**shares: tuple[float, float]) -> Holes:
    spans = {kind: shares.get(kind, NONE) for kind in KINDS}
    return Holes(
        kind="holes", variants=1, longest=128, piece=(0.01, 0.02), width=(0.02, 0.05), **spans
    )


def _photo() -> NDArray[np.uint8]:
    """Soft shades, an edge and a texture, 96 x 128."""
    y, x = np.mgrid[:96, :128].astype(np.float32)
    photo = np.stack([60 + x, 200 - y, 90 + 0.4 * (x + y)], axis=2)
    photo[y > 48 + x / 8] *= 0.5
    photo += 12 * np.sin(x / 2)[..., None]
    photo += rng.stream(3, "photo").normal(0, 2, photo.shape)
    return np.asarray(np.clip(photo, 0, 255), np.uint8)


def _degraded(kind: str, share: float = 0.06) -> Degraded:
    return holes.degrade(_photo(), _settings(**{kind: (share, share)}), rng.stream(1, kind))


@pytest.mark.parametrize("kind", KINDS)
def test_only_the_hole_is_grey_and_it_is_as_large_as_asked(kind: str) -> None:
    degraded = _degraded(kind)
    hole = degraded.hole
    assert hole is not None
    assert degraded.details["form"] == kind
    assert 0.06 <= hole.mean() < 0.06 + 0.05
    assert np.array_equal(degraded.picture[~hole], degraded.clean[~hole])
    assert (degraded.picture[hole] == degraded.details["grey"]).all()


def test_holes_are_drawn_from_the_stream_alone() -> None:
    settings = _settings(strokes=(0.02, 0.1), blobs=(0.02, 0.1))
    one, again, other = (holes.degrade(_photo(), settings, rng.stream(s, "h")) for s in (1, 1, 2))
    assert np.array_equal(one.picture, again.picture)
    assert one.details == again.details
    assert not np.array_equal(one.picture, other.picture)


def test_some_kind_of_hole_must_be_possible() -> None:
    with pytest.raises(ValidationError, match="no kind of hole has a share above 0"):
        _settings()


def test_only_the_hole_is_filled_and_methods_have_names_of_their_own() -> None:
    degraded = _degraded("rectangles")
    assert degraded.hole is not None
    found = list(restorations(degraded, rng.stream(1, "restore")))
    names = [one.method for one in found]
    assert names[0] == "untouched" and len({*names}) == len(names) > 10
    assert np.array_equal(found[0].picture, degraded.picture)
    for one in found:
        assert one.picture.dtype == np.uint8
        assert np.array_equal(one.picture[~degraded.hole], degraded.clean[~degraded.hole])


@pytest.mark.parametrize("kind", ["scratches", "blobs"])
def test_careful_methods_beat_careless_ones(kind: str) -> None:
    degraded = _degraded(kind)
    truth = RestorationTruth(degraded.clean, degraded.untouched, 0, degraded.hole)
    scores = {
        one.method: truth.score(one.picture)[0]
        for one in restorations(degraded, rng.stream(1, "restore"))
    }
    assert scores["untouched"] == pytest.approx(2)
    assert len({round(score, 3) for score in scores.values()}) >= 8
    assert scores["telea radius=5"] > scores["mean"] + 1
    assert scores["ns stopped at=0.75"] > scores["ns stopped at=0.25"]
    assert scores["patches size=5 rounds=3"] > scores["ns stopped at=0.25"] + 1


def test_patches_continue_a_texture_that_smooth_filling_loses() -> None:
    y, x = np.mgrid[:80, :100]
    texture = np.where((x // 4 + y // 4) % 2, 200.0, 40.0).astype(np.float32)
    picture = np.repeat(texture[..., None], 3, axis=2)
    hole = np.zeros(texture.shape, np.bool_)
    hole[30:46, 40:60] = True
    broken = np.where(hole[..., None], np.float32(128), picture)
    copied = patch_filled(broken, hole, 9, 3, rng.stream(1, "patches"))
    smooth = cv2.inpaint(broken.astype(np.uint8), hole.astype(np.uint8), 5, cv2.INPAINT_TELEA)
    error = np.abs(copied - picture)[hole].mean()
    assert error < 0.5 * np.abs(smooth - picture)[hole].mean()
    assert np.array_equal(copied[~hole], picture[~hole])


def test_where_nothing_is_known_nothing_is_filled() -> None:
    picture = np.full((64, 64, 3), 128, np.uint8)
    degraded = Degraded(picture, picture, picture, {}, hole=np.ones((64, 64), np.bool_))
    found = list(restorations(degraded, rng.stream(1, "all")))
    assert [one.method for one in found] == ["untouched"]


def test_the_hole_must_be_known() -> None:
    picture = np.zeros((64, 64, 3), np.uint8)
    with pytest.raises(ValueError, match="needs to know the hole"):
        list(restorations(Degraded(picture, picture, picture, {}), rng.stream(1, "none")))
