"""Scores of restored pictures, against scikit-image's PSNR and SSIM and by hand."""

import numpy as np
import pytest
from skimage.color import rgb2ycbcr
from skimage.data import astronaut
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

from gen.predictions.metrics.restoration import RestorationTruth


def clean() -> np.ndarray:
    return np.ascontiguousarray(astronaut()[40:168, 160:320])


def noisy(strength: float, seed: int = 0) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(0.0, strength, clean().shape)
    return np.clip(clean() + noise, 0, 255).astype(np.uint8)


def luminance(picture: np.ndarray) -> np.ndarray:
    return rgb2ycbcr(picture)[..., 0]


@pytest.mark.parametrize("crop", [0, 4])
def test_psnr_and_ssim_are_those_of_scikit_image(crop: int) -> None:
    picture = noisy(12.0)
    _, metrics = RestorationTruth(clean(), noisy(40.0), crop).score(picture)
    inner = slice(crop, -crop or None)
    one, other = (luminance(p)[inner, inner] for p in (clean(), picture))
    settings = {"gaussian_weights": True, "sigma": 1.5, "use_sample_covariance": False}
    ssim = structural_similarity(one, other, data_range=255, **settings)
    psnr = peak_signal_noise_ratio(one, other, data_range=255)
    assert metrics["psnr"] == pytest.approx(psnr, abs=1e-6)
    assert metrics["ssim"] == pytest.approx(ssim, abs=1e-6)
    assert metrics["m"] == pytest.approx((ssim + (psnr - 10) / 30) / 2, abs=1e-6)


def test_the_untouched_input_has_2_and_the_hidden_picture_10() -> None:
    truth = RestorationTruth(clean(), noisy(25.0))
    assert truth.score(noisy(25.0))[0] == pytest.approx(2.0)
    assert truth.score(clean())[0] == 10.0


def test_scores_are_linear_above_and_below_the_untouched_input() -> None:
    truth = RestorationTruth(clean(), noisy(25.0))
    floor = truth.score(noisy(25.0))[1]["m"]
    for strength in (5.0, 10.0, 60.0):
        score, metrics = truth.score(noisy(strength))
        m = metrics["m"]
        better, worse = 2 + 8 * (m - floor) / (1 - floor), 2 * m / floor
        assert score == pytest.approx(better if m > floor else worse)
    black = truth.score(255 - clean())
    assert 0.0 <= black[0] < 2.0


def test_only_the_region_counts() -> None:
    region = np.zeros(clean().shape[:2], bool)
    region[40:80, 50:100] = True
    truth = RestorationTruth(clean(), noisy(60.0), region=region)
    outside = np.where(region[..., None], clean(), 0).astype(np.uint8)
    score, metrics = truth.score(outside)
    assert metrics["psnr"] == 100.0
    one, other = luminance(clean())[region], luminance(noisy(20.0))[region]
    psnr = peak_signal_noise_ratio(one, other, data_range=255)
    assert truth.score(noisy(20.0))[1]["psnr"] == pytest.approx(psnr, abs=1e-6)
    assert score > truth.score(noisy(20.0))[0]


@pytest.mark.parametrize(
    ("picture", "region"),
    [(clean()[:-1], None), (clean(), np.zeros(clean().shape[:2], bool))],
)
def test_what_cannot_be_compared_is_refused(picture: np.ndarray, region: np.ndarray | None) -> None:
    with pytest.raises(ValueError, match=r"region|hidden"):
        RestorationTruth(clean(), noisy(9.0), region=region).score(picture)


def test_an_input_that_hardly_differs_from_the_hidden_picture_is_intact() -> None:
    assert RestorationTruth(clean(), clean()).intact
    assert RestorationTruth(clean(), noisy(0.6)).intact
    assert not RestorationTruth(clean(), noisy(8.0)).intact
