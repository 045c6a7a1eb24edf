"""Fewer pixels, and enlargements."""

import numpy as np
import pytest
from PIL import Image
from skimage.data import chelsea

from gen.predictions.degrade import downsampling
from gen.predictions.degrade.degraded import Degraded
from gen.predictions.metrics.restoration import RestorationTruth
from gen.predictions.restore import super_resolution
from gen.schema import Downsampling


def photo() -> np.ndarray:
    return np.ascontiguousarray(chelsea()[60:191, 120:283])


def reduced(factor: int, name: str) -> Degraded:
    settings = Downsampling(
        kind="downsampling", variants=1, longest=512, factors=(factor,), filters=(name,)
    )
    return downsampling.degrade(photo(), settings, np.random.default_rng(0))


@pytest.mark.parametrize("factor", [2, 3, 4])
def test_area_is_the_mean_of_each_block(factor: int) -> None:
    found = reduced(factor, "area")
    height, width = found.picture.shape[:2]
    assert found.clean.shape == found.untouched.shape == (height * factor, width * factor, 3)
    blocks = found.clean.reshape(height, factor, width, factor, 3).mean(axis=(1, 3))
    assert np.abs(found.picture - blocks).max() <= 1.0
    assert (found.untouched[::factor, ::factor] == found.picture).all()
    assert found.details == {"kind": "downsampling", "factor": factor, "filter": "area"}


def test_bicubic_is_pillows() -> None:
    found = reduced(2, "bicubic")
    size = found.picture.shape[1::-1]
    other = Image.fromarray(found.clean).resize(size, Image.Resampling.BICUBIC)
    assert (np.asarray(other) == found.picture).all()


@pytest.mark.parametrize(("factor", "name"), [(2, "area"), (4, "bicubic")])
def test_enlargements_have_many_scores(factor: int, name: str) -> None:
    degraded = reduced(factor, name)
    truth = RestorationTruth(degraded.clean, degraded.untouched, crop=factor)
    found = list(super_resolution.restorations(degraded, np.random.default_rng(0)))
    scores = {one.method: truth.score(one.picture)[0] for one in found}
    assert len(scores) == len(found)
    assert len({round(score, 2) for score in scores.values()}) >= 8
    assert scores["untouched"] == pytest.approx(2.0)
    assert scores["back-projection rounds=12"] > scores["bicubic"] > scores["bicubic softened=0.9"]
    assert scores["bicubic sharpened=15"] < scores["bicubic"]


def test_back_projection_gives_the_small_picture_again() -> None:
    degraded = reduced(4, "area")
    small = degraded.picture
    found = super_resolution.back_projected(small, 4, 12)
    blocks = found.reshape(*(n for side in small.shape[:2] for n in (side, 4)), 3)
    plain = super_resolution.enlarged(small, 4, "bicubic").reshape(blocks.shape)
    error, before = (np.abs(b.mean(axis=(1, 3)) - small).mean() for b in (blocks, plain))
    assert error < 0.5 * before


def test_an_unsharp_mask_of_no_amount_changes_nothing() -> None:
    assert (super_resolution.sharpened(photo(), 1.0, 0.0) == photo()).all()
