"""Blur: its kernels, its noise, and what deconvolution makes of it."""

import numpy as np
import pytest
from skimage.data import chelsea

from gen.predictions.degrade import blur
from gen.predictions.degrade.light import to_linear, to_srgb
from gen.predictions.metrics.restoration import RestorationTruth
from gen.predictions.restore import deblur
from gen.schema import Blur

SETTINGS = Blur(
    kind="blur", variants=1, longest=512, motion=(8, 16), defocus=(4, 8), noise=(0.002, 0.004)
)


def photo() -> np.ndarray:
    return np.ascontiguousarray(chelsea()[60:188, 120:280])


def middle(kernel: np.ndarray) -> list[float]:
    rows, columns = np.indices(kernel.shape)
    return [float((kernel * axis).sum()) for axis in (rows, columns)]


@pytest.mark.parametrize("length", [3.0, 9.5, 24.0])
def test_a_path_is_as_long_as_asked_and_moves_nothing(length: float) -> None:
    kernel = blur.motion_kernel(length, np.random.default_rng(1))
    radius = kernel.shape[0] // 2
    assert kernel.sum() == pytest.approx(1.0, abs=1e-5)
    assert middle(kernel) == pytest.approx([radius, radius], abs=1e-3)
    rows, columns = np.nonzero(kernel > 0)
    reach = np.hypot(np.ptp(rows), np.ptp(columns))
    assert 0.4 * length < reach < length + 3


@pytest.mark.parametrize("diameter", [1.0, 4.5, 10.0])
def test_a_disc_has_the_area_of_its_diameter(diameter: float) -> None:
    kernel = blur.disc_kernel(diameter)
    radius = kernel.shape[0] // 2
    assert middle(kernel) == pytest.approx([radius, radius], abs=1e-3)
    assert 1.0 / kernel.max() == pytest.approx(np.pi * diameter**2 / 4, rel=0.15, abs=0.3)


def test_blur_is_a_convolution_of_light() -> None:
    point = np.zeros((31, 31), np.float32)
    point[15, 15] = 1.0
    kernel = blur.motion_kernel(9.0, np.random.default_rng(2))
    radius = kernel.shape[0] // 2
    spread = blur.convolve(point, kernel)[15 - radius : 16 + radius, 15 - radius : 16 + radius]
    assert spread == pytest.approx(kernel, abs=1e-6)
    two = np.zeros((1, 64, 3), np.uint8)
    two[:, 32:] = 255
    mean = to_srgb(blur.convolve(to_linear(two), np.full((1, 63), 1 / 63, np.float32)))
    assert 185 <= mean[0, 31, 0] <= 191  # half of the light, not half of the value


def test_light_and_values_are_inverse() -> None:
    values = np.arange(256, dtype=np.uint8)
    assert (to_srgb(to_linear(values)) == values).all()


def test_noise_is_as_strong_as_asked() -> None:
    flat = np.full((200, 200, 3), 255, np.uint8)
    dark = SETTINGS.model_copy(update={"noise": (0.02, 0.02)})
    grey = flat // 2
    for picture in (flat - 20, grey):
        degraded = blur.degrade(picture, dark, np.random.default_rng(0))
        light = float(to_linear(picture)[0, 0, 0])
        deviation = to_linear(degraded.picture).std()
        assert deviation == pytest.approx(0.02 * np.sqrt(0.95 * light + 0.05), rel=0.1)


def test_restorations_differ_from_worse_than_untouched_to_much_better() -> None:
    degraded = blur.degrade(photo(), SETTINGS, np.random.default_rng(3))
    truth = RestorationTruth(degraded.clean, degraded.untouched)
    found = list(deblur.restorations(degraded, np.random.default_rng(4)))
    again = list(deblur.restorations(degraded, np.random.default_rng(4)))
    scores = {one.method: truth.score(one.picture)[0] for one in found}
    assert all((a.picture == b.picture).all() for a, b in zip(found, again, strict=True))
    assert len({round(score, 2) for score in scores.values()}) >= 8
    assert len(scores) == len(found)
    assert scores["untouched"] == pytest.approx(2.0)
    assert max(scores.values()) > 4.0 and min(scores.values()) < 1.8
    right = scores["wiener balance=0.02"]
    assert right > scores["wiener balance=0.02 kernel turned=0 scaled=1.5"]


@pytest.mark.filterwarnings("error")
def test_iterations_do_not_diverge_where_the_kernel_does_not_reach() -> None:
    # This path is bent so that nothing is known of the light in one corner beyond the border.
    settings = SETTINGS.model_copy(update={"motion": (8.0, 24.0), "noise": (0.002, 0.01)})
    degraded = blur.degrade(photo(), settings, np.random.default_rng(14))
    truth = RestorationTruth(degraded.clean, degraded.untouched)
    found = deblur.restorations(degraded, np.random.default_rng(0))
    scores = {one.method: truth.score(one.picture)[0] for one in found}
    assert scores["richardson-lucy iterations=30"] > scores["richardson-lucy iterations=4"] > 2.0


def test_without_a_kernel_only_methods_that_need_none() -> None:
    degraded = blur.degrade(photo(), SETTINGS, np.random.default_rng(3))
    blind = type(degraded)(degraded.clean, degraded.picture, degraded.untouched, {})
    methods = [one.method for one in deblur.restorations(blind, np.random.default_rng(0))]
    assert methods[0] == "untouched"
    assert len(methods) > 2 and not any("wiener" in name for name in methods)


@pytest.mark.parametrize("shape", [(11, 11), (12, 90)])
def test_photos_smaller_than_the_kernel(shape: tuple[int, int]) -> None:
    small = photo()[: shape[0], : shape[1]]
    settings = SETTINGS.model_copy(update={"motion": (24.0, 24.0)})
    degraded = blur.degrade(small, settings, np.random.default_rng(14))
    found = list(deblur.restorations(degraded, np.random.default_rng(0)))
    assert len(found) > 8 and all(one.picture.shape == small.shape for one in found)
