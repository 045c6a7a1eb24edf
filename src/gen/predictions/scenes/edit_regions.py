"""Where an edit shows: fine outlines of things, and how an edit stays short or runs over."""

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.perturb.fronts import advance, noise
from gen.predictions.scenes.effects import Lab, Mask, distance

Alpha = NDArray[np.float32]
"""How much of an edit shows, from 0 to 1, float32 (height, width)."""

# Shares of the longer side: how far labelled outlines are off, and the window of the matte.
_OFF, _WINDOW = 0.008, 0.02
_EPSILON = 2e-3
# How much later a spreading edit comes to pixels of another colour, and the relief of its front.
_COLOR, _RELIEF = 0.006, 0.05
_FEATHER = 0.0025


def band(shape: tuple[int, ...]) -> int:
    """Within how many pixels of a labelled outline it is not certain what belongs to the thing."""
    return max(2, round(_OFF * max(shape)))


def grown(mask: Mask, pixels: int) -> Mask:
    """`mask` and all within `pixels` of it."""
    return _distance(mask) <= pixels


def shrunk(mask: Mask, pixels: int) -> Mask:
    """What of `mask` is farther than `pixels` from all else."""
    return _distance(~mask) > pixels


def matte(mask: Mask, lab: Lab) -> Alpha:
    """A soft `mask` whose outline follows the edges of the photo within `band` of it.

    The guided filter of He, Sun and Tang (2013) with L* as its guide.
    """
    side = 2 * round(_WINDOW * max(mask.shape) / 2) + 1
    guide, alpha = lab[..., 0] / np.float32(100), mask.astype(np.float32)

    def mean(field: NDArray[np.floating]) -> NDArray[np.float32]:
        return np.asarray(cv2.blur(field, (side, side)), np.float32)

    mean_g, mean_a = mean(guide), mean(alpha)
    slope = (mean(guide * alpha) - mean_g * mean_a) / (
        mean(guide * guide) - mean_g * mean_g + np.float32(_EPSILON)
    )
    level = mean_a - slope * mean_g
    fine = np.clip((mean(slope) * guide + mean(level) - 0.2) / 0.6, 0, 1)
    width = band(mask.shape)
    fine[~grown(mask, width // 2)] = 0
    fine[shrunk(mask, width)] = 1
    return soft(fine)


def soft(alpha: NDArray[np.float32] | Mask) -> Alpha:
    """`alpha` without hard steps."""
    sigma = max(0.6, _FEATHER * max(alpha.shape))
    return np.asarray(cv2.GaussianBlur(alpha.astype(np.float32), (0, 0), sigma), np.float32)


def part(within: Mask, share: float, rng: np.random.Generator) -> Mask:
    """One side of the picture, so that it holds `share` of the pixels of `within`."""
    arrival = advance(within.shape, float(rng.uniform(0, 2 * np.pi)), rng)
    return _first(arrival, within, share)


def spread(start: Mask, within: Mask, share: float, lab: Lab, rng: np.random.Generator) -> Mask:
    """What an edit reaches that runs from `start` over `share` of the pixels of `within`.

    It comes first to what is near and alike.
    """
    longest = max(start.shape)
    colors = np.asarray(cv2.GaussianBlur(lab, (0, 0), max(1.0, 0.006 * longest)), np.float32)
    middle = np.median(colors[start], axis=0).astype(np.float32)
    unlike = distance(colors, middle[None, None])
    arrival = (
        _distance(start) / longest
        + np.float32(_COLOR) * np.minimum(unlike, 40)
        + np.float32(_RELIEF) * noise(start.shape, 0.15 * longest, rng)
    )
    return _first(np.asarray(arrival, np.float32), within, share)


def _first(arrival: NDArray[np.float32], within: Mask, share: float) -> Mask:
    if share <= 0 or not within.any():
        return np.zeros(within.shape, np.bool_)
    return np.asarray(arrival <= np.quantile(arrival[within], min(share, 1.0)))


def _distance(mask: Mask) -> NDArray[np.float32]:
    """The distance of each pixel to the nearest one of `mask` (far away if there is none)."""
    if not mask.any():
        return np.full(mask.shape, 4.0 * max(mask.shape), np.float32)
    return np.asarray(cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, 5), np.float32)
