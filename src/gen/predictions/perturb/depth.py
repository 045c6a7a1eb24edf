"""Errors of depth networks, made on purpose on a whole map: one function for each kind.

A map is float32 (height, width); 0 is as far and 1 as near as pictures of the photo show, and it
may go beyond. With equal random numbers, a greater severity is the same error, and more of it.
"""

from collections.abc import Callable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.perturb.fronts import advance

Field = NDArray[np.float32]
Random = np.random.Generator
Perturbation = Callable[[Field, int, Random], Field]

# For severities 1 to 5. Lengths are shares of the map's mean side, heights of its range.
_BLUR = (0.012, 0.025, 0.05, 0.10, 0.20)
_GAMMA = (1.3, 1.7, 2.3, 3.2, 4.5)
_TILT = (0.12, 0.25, 0.45, 0.75, 1.3)
_PATCHES = (0.05, 0.10, 0.17, 0.26, 0.38)
_INVERTED = (0.08, 0.18, 0.30, 0.44, 1.0)
_LEVELS = (14, 9, 6, 4, 2)

# Patches: the length of a wave of the noise that they are cut from, and by how much they are off.
_PATCH, _OFF = 0.22, 0.45
# How soft the rims of patches and of exchanged regions are.
_RIM = 0.008
# What every map has: waves of noise (length, standard deviation), and a last smoothing in pixels.
_NOISE = ((0.30, 0.006), (0.06, 0.004))
_LAST = 0.7


def settled(field: Field, rng: Random) -> Field:
    """`field` as any network would have given it at best: a little off in slow waves."""
    out = field.copy()
    for wave, height in _NOISE:
        out += np.float32(height) * _noise(field.shape, wave, rng)
    return out


def finished(field: Field) -> Field:
    """`field` without the sharp steps that no network makes."""
    return np.asarray(cv2.GaussianBlur(field, (0, 0), _LAST), np.float32)


def enlarged(field: Field, shape: tuple[int, ...]) -> Field:
    """`field` at the size of the photo, (height, width)."""
    if field.shape == shape:
        return field
    return np.asarray(cv2.resize(field, shape[::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def blur(field: Field, severity: int, rng: Random) -> Field:
    """Edges and small things washed out."""
    sigma = _BLUR[severity - 1] * _side(field.shape)
    return np.asarray(
        cv2.GaussianBlur(field, (0, 0), sigma, borderType=cv2.BORDER_REFLECT), np.float32
    )


def gamma(field: Field, severity: int, rng: Random) -> Field:
    """One end of the range flattened and the other stretched, in the same order as before."""
    power = np.float32(_GAMMA[severity - 1])
    flat_far = rng.random() < 0.5
    inside = np.clip(field, 0.0, 1.0)
    curved = inside**power if flat_far else 1 - (1 - inside) ** power
    # Beyond the range the map goes on as straight as it was.
    return np.asarray(curved + (field - inside), np.float32)


def tilt(field: Field, severity: int, rng: Random) -> Field:
    """The scene turned about a line through the middle of the photo."""
    angle = rng.uniform(0, 2 * np.pi)
    rows, columns = field.shape
    x = np.linspace(-0.5, 0.5, columns, dtype=np.float32)
    y = np.linspace(-0.5, 0.5, rows, dtype=np.float32)[:, None]
    slope = np.float32(np.cos(angle)) * x + np.float32(np.sin(angle)) * y
    return np.asarray(field + np.float32(_TILT[severity - 1]) * slope, np.float32)


def patches(field: Field, severity: int, rng: Random) -> Field:
    """Blots that are much too near or too far."""
    noise = _noise(field.shape, _PATCH, rng)
    least = np.quantile(noise, [1 - share for share in _PATCHES])
    count, blots = cv2.connectedComponents((noise > least[-1]).astype(np.uint8))
    shifts = np.zeros(count, np.float32)
    for blot in range(1, count):
        level = float(field[blots == blot].mean())
        shifts[blot] = _OFF if level < 0.5 else -_OFF
    inside = (noise > least[severity - 1]).astype(np.float32)
    return np.asarray(field + shifts[blots] * _soft(inside), np.float32)


def inverted(field: Field, severity: int, rng: Random) -> Field:
    """Near and far exchanged: on one side of the photo, at last everywhere."""
    arrival = advance(field.shape, rng.uniform(0, 2 * np.pi), rng)
    share = _INVERTED[severity - 1]
    inside = (arrival <= np.quantile(arrival, share)).astype(np.float32)
    return np.asarray(field + _soft(inside) * (1 - 2 * field), np.float32)


def quantised(field: Field, severity: int, rng: Random) -> Field:
    """A few steps in place of a slope."""
    levels = _LEVELS[severity - 1]
    edges = (np.clip(field, 0.0, 1.0) * np.float32(levels)).astype(np.int32)
    return ((np.minimum(edges, levels - 1) + np.float32(0.5)) / np.float32(levels)).astype(
        np.float32
    )


DEPTH_PERTURBATIONS: Mapping[str, Perturbation] = {
    "blur": blur,
    "gamma": gamma,
    "tilt": tilt,
    "patches": patches,
    "inverted": inverted,
    "quantised": quantised,
}


def _side(shape: tuple[int, ...]) -> float:
    return float(np.sqrt(shape[0] * shape[1]))


def _soft(mask: Field) -> Field:
    sigma = max(_RIM * _side(mask.shape), 0.5)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.float32)


def _noise(shape: tuple[int, ...], wave: float, rng: Random) -> Field:
    """Smooth noise of variance about 1 whose waves are `wave` of the mean side long."""
    rows, columns = shape
    length = max(wave * _side(shape), 1.0)
    coarse = rng.standard_normal((int(rows / length) + 4, int(columns / length) + 4))
    # The middle of a larger map: at its rim the noise would be stretched.
    size = (round(coarse.shape[1] * length), round(coarse.shape[0] * length))
    whole = cv2.resize(coarse.astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    top, left = (whole.shape[0] - rows) // 2, (whole.shape[1] - columns) // 2
    return np.asarray(whole[top : top + rows, left : left + columns], np.float32)
