"""Scores of predicted depth against measured depth, after an alignment in disparity."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gen.sources.records import Depth

Values = NDArray[np.float64]

# The accuracy thresholds of Eigen et al. (NIPS 2014), 1.25 to the power of 1, 2 and 3, and below
# them two that tell good maps apart.
RATIOS = (1.05, 1.10, 1.25, 1.25**2, 1.25**3)
# Shares of the true disparities that lie below the darkest and the brightest level of a picture.
SHOWN = (2.0, 98.0)
# How far a fit may leave the ratio of the two spreads. Errors on a part make the spread of a map
# too great, so that more may be right. An inverted map is fitted best by no scale at all, and must
# not become a flat one.
_SCALES = (0.5, 4.0)
_STEPS = 40
_GOLDEN = (5**0.5 - 1) / 2
# So many pixels tell the scale well enough.
_SAMPLE = 2**15


@dataclass(frozen=True, slots=True)
class Alignment:
    """Aligned disparity is `scale` * predicted + `shift`; a scale of 0 stands for a flat map."""

    scale: float
    shift: float

    def __call__(self, predicted: NDArray[np.floating]) -> Values:
        """The aligned disparity, float64, in the shape of `predicted`."""
        return predicted.astype(np.float64) * self.scale + self.shift


class DepthTruth:
    """The measured pixels of one photo, ready for any number of predictions."""

    def __init__(self, depth: Depth) -> None:
        """Take what is valid in `depth`.

        Raises:
            ValueError: nothing is.
        """
        self._valid = depth.valid
        self._disparity = depth.disparity[self._valid].astype(np.float64)
        if not self._disparity.size:
            raise ValueError("no pixel has a measured depth")
        self._sample = (np.arange(_SAMPLE) * self._disparity.size) // _SAMPLE
        if self._disparity.size <= _SAMPLE:
            self._sample = np.arange(self._disparity.size)

    @cached_property
    def shown(self) -> tuple[float, float]:
        """The disparities that all pictures of the photo show as farthest and as nearest."""
        low, high = np.percentile(self._disparity, SHOWN).tolist()
        return low, high

    @cached_property
    def constant(self) -> float:
        """The greatest `share` that a flat map can have, 0 to 1."""
        return best_constant(self._disparity)

    def align(self, predicted: NDArray[np.floating]) -> Alignment:
        """How a map of disparities, up to scale and shift, is laid over the truth.

        Both are centred on their medians and divided by their mean absolute deviations on valid
        pixels (Ranftl et al. 2020, Towards Robust Monocular Depth Estimation, eq. 5 and 6). From
        there, the scale from half to four times that leaves the least sum of absolute differences
        is taken, with the shift that is best for it, so that errors on a part of the photo leave
        the rest in its place.

        `predicted` is (height, width); greater is nearer.

        Raises:
            ValueError: another shape, or values that are not finite.
        """
        if predicted.shape != self._valid.shape:
            raise ValueError(f"a map of {predicted.shape} on a photo of {self._valid.shape}")
        found = predicted[self._valid].astype(np.float64)
        if not np.isfinite(found).all():
            raise ValueError("a depth map holds values that are not finite")
        centre, spread = _spread(found)
        true_centre, true_spread = _spread(self._disparity)
        if spread <= 1e-9 * max(1.0, abs(centre)):
            return Alignment(0.0, true_centre)
        ratio = true_spread / spread
        scale = ratio * _least_deviation(
            (found[self._sample] - centre) * ratio, self._disparity[self._sample] - true_centre
        )
        return Alignment(scale, float(np.median(self._disparity - scale * found)))

    def score(self, aligned: NDArray[np.floating]) -> tuple[float, dict[str, float]]:
        """The final score, 0 to 10, of an aligned map (height, width), and its parts.

        10 * max(0, (m - m0) / (1 - m0)), where m is the mean over `RATIOS` of the share of valid
        pixels whose depth is wrong by at most that factor, and m0 the greatest m of a flat map. So
        what is flat, or has near and far exchanged, is 0. Where the truth is flat itself, all is 0.

        Metrics: `share` (m), `constant_share` (m0), and the share for each ratio.
        """
        found = aligned[self._valid].astype(np.float64)
        within = _within(found, self._disparity)
        share = float(np.mean(within))
        room = 1.0 - self.constant
        score = 10.0 * max(0.0, (share - self.constant) / room) if room > 0 else 0.0
        names = ("within_1_05", "within_1_10", "within_1_25", "within_1_25_2", "within_1_25_3")
        parts = {"share": share, "constant_share": self.constant}
        return score, parts | dict(zip(names, within, strict=True))


def depth_score(predicted: NDArray[np.floating], depth: Depth) -> tuple[float, dict[str, float]]:
    """`DepthTruth.score` of a map of disparities up to scale and shift, once it is aligned.

    Raises:
        ValueError: as `DepthTruth` and `DepthTruth.align`.
    """
    truth = DepthTruth(depth)
    return truth.score(truth.align(predicted)(predicted))


def best_constant(disparity: Values) -> float:
    """The greatest mean over `RATIOS` of the share of `disparity` within that ratio of one value.

    Exact: a value is within the ratio of a pixel if its logarithm lies in an interval around that
    of the pixel, and the place where most intervals overlap is the start of one of them.
    """
    logs, counts = np.unique(np.log(disparity), return_counts=True)
    reach = np.log(RATIOS) * (1 + 1e-12)
    starts = np.concatenate([logs - one for one in reach])
    ends = np.concatenate([logs + one for one in reach])
    weights = np.tile(counts, len(RATIOS))
    first, last = np.argsort(starts, kind="stable"), np.argsort(ends, kind="stable")
    begun = np.cumsum(weights[first])
    over = np.concatenate([[0], np.cumsum(weights[last])])
    open_ = begun - over[np.searchsorted(ends[last], starts[first])]
    return float(open_.max()) / (len(RATIOS) * disparity.size)


def _within(found: Values, true: Values) -> list[float]:
    """The share of pixels within each of `RATIOS`; what lies beyond infinity is within none."""
    ratio = found / true
    return [
        float(np.count_nonzero((ratio <= limit) & (ratio * limit >= 1.0))) / ratio.size
        for limit in RATIOS
    ]


def _spread(values: Values) -> tuple[float, float]:
    """The median, and the mean absolute deviation from it."""
    centre = float(np.median(values))
    return centre, float(np.abs(values - centre).mean())


def _least_deviation(found: Values, true: Values) -> float:
    """The scale of `_SCALES` that makes the mean absolute difference least, for the best shift.

    The difference is convex in the scale, so that a golden-section search finds it.
    """

    def difference(scale: float) -> float:
        rest = true - scale * found
        return float(np.abs(rest - np.median(rest)).mean())

    low, high = _SCALES
    inner, outer = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_inner, at_outer = difference(inner), difference(outer)
    for _ in range(_STEPS):
        if at_inner <= at_outer:
            high, outer, at_outer = outer, inner, at_inner
            inner = high - _GOLDEN * (high - low)
            at_inner = difference(inner)
        else:
            low, inner, at_inner = inner, outer, at_outer
            outer = low + _GOLDEN * (high - low)
            at_outer = difference(outer)
    return (low + high) / 2
