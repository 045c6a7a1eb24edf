"""Pictures spoilt by blur, artefacts and seams."""

from itertools import pairwise

import cv2
import numpy as np
import pytest

from gen.predictions.scenes.spoil import SPOILINGS, spoil

SIZE = (144, 192)


@pytest.fixture
def picture():
    """Discs of several colours on a grey ground with grain."""
    rng = np.random.default_rng(0)
    ground = np.full((*SIZE, 3), 140, np.uint8)
    for x, color in ((40, (210, 30, 30)), (95, (30, 90, 210)), (150, (250, 205, 0))):
        cv2.circle(ground, (x, 80), 20, color, -1, cv2.LINE_AA)
    grain = rng.normal(0, 1.5, SIZE)[..., None]
    return np.clip(ground + grain, 0, 255).astype(np.uint8)


@pytest.fixture
def region():
    mask = np.zeros(SIZE, bool)
    mask[50:110, 60:130] = True
    return mask


def made(picture, kind, severity, region, seed=3):
    return spoil(picture, kind, severity, np.random.default_rng(seed), region)


def off(one, other):
    return np.abs(one.astype(int) - other).max(axis=2)


@pytest.mark.parametrize("kind", SPOILINGS)
def test_worse_and_worse_and_plain_to_see(picture, region, kind):
    before = picture.copy()
    spoilt = [made(picture, kind, severity, region) for severity in range(1, 6)]
    assert (picture == before).all()
    errors = [float(off(one, picture).mean()) for one in spoilt]
    assert all(b > 1.1 * a > 0 for a, b in pairwise(errors))
    assert all((off(one, picture) > 8).mean() >= 0.01 for one in spoilt[1:])
    assert all(one.shape == picture.shape and one.dtype == np.uint8 for one in spoilt)


@pytest.mark.parametrize("kind", SPOILINGS)
def test_only_the_region_changes_but_for_the_rim_of_a_seam(picture, region, kind):
    reach = 3 if kind == "seam" else 0
    may = cv2.dilate(region.astype(np.uint8), np.ones((2 * reach + 1,) * 2, np.uint8)) > 0
    for severity in (1, 5):
        assert (off(made(picture, kind, severity, region), picture) > 0)[~may].sum() == 0


def test_patches_only_grow_and_never_fill_the_region(picture, region):
    marks = [off(made(picture, "artefact", k, region), picture) > 0 for k in range(1, 6)]
    for less, more in pairwise(marks):
        # Grain may leave a pixel as it is.
        assert (less & ~more).mean() < 0.001
    assert marks[-1].sum() < 0.92 * region.sum()


def test_patches_take_their_share_of_a_whole_picture(picture):
    shares = [(off(made(picture, "artefact", k, None), picture) > 0).mean() for k in range(1, 6)]
    assert shares == pytest.approx([0.04, 0.08, 0.13, 0.19, 0.26], rel=0.1)


@pytest.mark.parametrize("kind", ["artefact", "seam"])
def test_hues_are_kept(picture, region, kind):
    spoilt = made(picture, kind, 5, region)
    before, after = (
        cv2.cvtColor(one.astype(np.float32) / 255, cv2.COLOR_RGB2LAB) for one in (picture, spoilt)
    )
    hues = [np.arctan2(lab[..., 2], lab[..., 1]) for lab in (before, after)]
    vivid = np.hypot(before[..., 1], before[..., 2]) > 40
    turned = np.abs((hues[1] - hues[0] + np.pi) % (2 * np.pi) - np.pi)[vivid & region]
    assert np.quantile(turned, 0.9) < np.radians(15)


def test_equal_streams_give_equal_pictures(picture, region):
    for kind in SPOILINGS:
        first, again = (made(picture, kind, 3, region) for _ in range(2))
        assert (first == again).all()
    assert (made(picture, "artefact", 3, region) != made(picture, "artefact", 3, region, 4)).any()


def test_black_and_white_are_marked_too(region):
    for level in (0, 255):
        flat = np.full((*SIZE, 3), level, np.uint8)
        assert (off(made(flat, "seam", 1, region), flat)[region] > 8).all()


def test_what_cannot_be_done_is_said(picture, region):
    for severity in (0, 6):
        with pytest.raises(ValueError, match="severity"):
            made(picture, "blur", severity, region)
    with pytest.raises(ValueError, match="region"):
        made(picture, "seam", 1, None)
    nowhere = np.zeros(SIZE, bool)
    for kind in SPOILINGS:
        assert (made(picture, kind, 5, nowhere) == picture).all()
