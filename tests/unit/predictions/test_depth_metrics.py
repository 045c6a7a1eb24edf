"""Scores of depth maps, against plain numpy and against what they must be."""

import numpy as np
import pytest

from gen.predictions.metrics.depth import RATIOS, DepthTruth, best_constant, depth_score
from gen.sources.records import Depth


def scene(seed=0, shape=(60, 80), holes=0.2):
    """A floor that recedes, with boxes on it and pixels that were not measured."""
    rng = np.random.default_rng(seed)
    rows, columns = shape
    distance = np.linspace(9.0, 1.5, rows)[:, None] + np.zeros(shape)
    for _ in range(4):
        y, x = int(rng.integers(0, rows - 10)), int(rng.integers(0, columns - 10))
        distance[y : y + 15, x : x + 15] = rng.uniform(1.0, 8.0)
    disparity = (1 / distance).astype(np.float32)
    disparity[rng.random(shape) < holes] = 0
    return Depth(disparity, True)


def plain_share(aligned, depth):
    a, t = aligned[depth.valid], depth.disparity[depth.valid].astype(np.float64)
    with np.errstate(divide="ignore"):
        ratio = np.where(a > 0, np.maximum(a / t, t / a), np.inf)
    return np.mean([(ratio <= limit).mean() for limit in RATIOS])


@pytest.mark.parametrize(("scale", "shift"), [(1, 0), (7.5, 0), (0.02, 3), (400, -90)])
def test_an_affine_change_of_disparity_is_perfect(scale, shift):
    depth = scene()
    assert depth_score(depth.disparity.astype(np.float64) * scale + shift, depth)[0] == 10.0


@pytest.mark.parametrize("change", [np.negative, lambda d: 1 / (d + 0.01), lambda d: -(d**3)])
def test_near_and_far_exchanged_is_zero(change):
    for seed in range(5):
        depth = scene(seed)
        assert depth_score(change(depth.disparity.astype(np.float64)), depth)[0] == 0.0


def test_a_flat_map_is_zero_wherever_it_lies():
    depth = scene()
    assert depth_score(np.full(depth.disparity.shape, 3.0), depth)[0] == 0.0
    truth = DepthTruth(depth)
    for value in np.linspace(0.1, 1.2, 40):
        assert truth.score(np.full(depth.disparity.shape, value))[0] == 0.0


def test_share_and_score_are_those_of_plain_numpy():
    depth = scene(3)
    rng = np.random.default_rng(1)
    predicted = depth.disparity + rng.normal(0, 0.05, depth.disparity.shape)
    truth = DepthTruth(depth)
    aligned = truth.align(predicted)(predicted)
    score, metrics = truth.score(aligned)
    share = plain_share(aligned, depth)
    flat = max(
        plain_share(np.full(predicted.shape, value), depth)
        for value in np.geomspace(0.05, 1.5, 4000)
    )
    assert metrics["share"] == pytest.approx(share, abs=1e-12)
    assert metrics["constant_share"] == pytest.approx(flat, abs=2e-3)
    assert metrics["constant_share"] >= flat - 1e-12
    assert score == pytest.approx(10 * (share - flat) / (1 - flat), abs=0.05)


def test_the_fit_is_the_best_of_its_scales():
    depth = scene(4)
    rng = np.random.default_rng(2)
    predicted = 5 * depth.disparity**1.4 + rng.normal(0, 0.1, depth.disparity.shape)
    found, true = predicted[depth.valid], depth.disparity[depth.valid].astype(np.float64)

    def difference(scale):
        rest = true - scale * found
        return np.abs(rest - np.median(rest)).mean()

    fit = DepthTruth(depth).align(predicted)
    spread = [np.abs(values - np.median(values)).mean() for values in (true, found)]
    scales = np.linspace(0.5, 2.0, 3001) * spread[0] / spread[1]
    best = scales[int(np.argmin([difference(scale) for scale in scales]))]
    assert fit.scale == pytest.approx(best, rel=2e-3)
    assert fit.shift == pytest.approx(np.median(true - fit.scale * found))


def test_errors_on_a_part_leave_the_rest_in_place():
    depth = scene(5, holes=0.0)
    predicted = depth.disparity.astype(np.float64) * 3
    predicted[:12] += 0.6
    truth = DepthTruth(depth)
    aligned = truth.align(predicted)(predicted)
    assert np.allclose(aligned[12:], depth.disparity[12:], rtol=1e-3)


def test_best_constant_of_two_planes_and_of_one():
    assert best_constant(np.repeat([1.0, 10.0], [30, 70])) == pytest.approx(0.7)
    assert best_constant(np.full(9, 0.3)) == 1.0
    assert best_constant(np.array([1.0, 1.25**2])) == pytest.approx((0.5 * 3 + 1 * 2) / 5)


def test_flat_truth_and_broken_maps():
    flat = Depth(np.full((8, 8), 0.5, np.float32), True)
    assert depth_score(np.arange(64.0).reshape(8, 8), flat)[0] == 0.0
    with pytest.raises(ValueError, match="no pixel"):
        DepthTruth(Depth(np.zeros((8, 8), np.float32), True))
    with pytest.raises(ValueError, match="a map of"):
        DepthTruth(flat).align(np.zeros((8, 9)))
    with pytest.raises(ValueError, match="not finite"):
        DepthTruth(flat).align(np.full((8, 8), np.nan))


def test_what_is_not_measured_has_no_say():
    depth = scene(6)
    predicted = depth.disparity.astype(np.float64)
    predicted[~depth.valid] = 1e6
    assert depth_score(predicted, depth)[0] == 10.0
