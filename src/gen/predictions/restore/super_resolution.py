"""Enlargements: interpolation, with and without sharpening, and iterative back-projection."""

from collections.abc import Iterator, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from gen.predictions.degrade.degraded import Degraded, Rgb
from gen.predictions.restore.restored import Restored

_FILTERS: Mapping[str, Image.Resampling] = {
    "nearest": Image.Resampling.NEAREST,
    "bilinear": Image.Resampling.BILINEAR,
    "bicubic": Image.Resampling.BICUBIC,
    "lanczos": Image.Resampling.LANCZOS,
}
# Unsharp masks: how much of the difference is added; the radius is a share of the factor.
_AMOUNTS = (0.8, 2.0, 6.0, 15.0)
_RADIUS = 0.5
# Softened enlargements, as of a network that averages over what might be: radius by the factor.
_SOFT = (0.45, 0.9, 1.6)
_ROUNDS = (3, 12)
# Grain of a sensor, enlarged with the picture: standard deviation of 255.
_GRAIN = (15.0, 45.0)


def restorations(degraded: Degraded, rng: np.random.Generator) -> Iterator[Restored]:
    """Enlargements of a small picture by its scale, the plainest first."""
    scale, small = degraded.scale, degraded.picture
    yield Restored("untouched", degraded.untouched)
    radius = _RADIUS * scale
    for name in _FILTERS:
        plain = enlarged(small, scale, name)
        if name != "nearest":
            yield Restored(name, plain)
        for amount in _AMOUNTS:
            yield Restored(f"{name} sharpened={amount:g}", sharpened(plain, radius, amount))
    bicubic = enlarged(small, scale, "bicubic")
    for share in _SOFT:
        soft = cv2.GaussianBlur(bicubic, (0, 0), share * scale)
        yield Restored(f"bicubic softened={share:g}", np.asarray(soft, np.uint8))
    for rounds in _ROUNDS:
        yield Restored(f"back-projection rounds={rounds}", back_projected(small, scale, rounds))
    for spread in _GRAIN:
        grain = rng.normal(0.0, spread, (*small.shape[:2], 1))
        grainy = enlarged(_rounded(small + grain), scale, "bicubic")
        yield Restored(f"bicubic grain={spread:g}", grainy)


def enlarged(small: Rgb, scale: int, name: str) -> Rgb:
    """A picture, RGB uint8, enlarged by `scale` with one of Pillow's filters."""
    height, width = small.shape[:2]
    size = width * scale, height * scale
    return np.asarray(Image.fromarray(small).resize(size, _FILTERS[name]))


def sharpened(picture: Rgb, radius: float, amount: float) -> Rgb:
    """A picture and `amount` of its difference from itself blurred (Gaussian, sigma `radius`)."""
    exact = picture.astype(np.float32)
    blurred = cv2.GaussianBlur(exact, (0, 0), radius)
    return _rounded(exact + np.float32(amount) * (exact - blurred))


def back_projected(small: Rgb, scale: int, rounds: int) -> Rgb:
    """An enlargement that gives the small picture again when it is reduced.

    Iterative back-projection (Irani and Peleg, Improving resolution by image registration, CVGIP
    53(3), 1991), from the bicubic enlargement and with the mean of areas as reduction.
    """
    known = small.astype(np.float32)
    size = small.shape[1] * scale, small.shape[0] * scale
    found = np.asarray(cv2.resize(known, size, interpolation=cv2.INTER_CUBIC), np.float32)
    for _ in range(rounds):
        reduced = cv2.resize(found, small.shape[1::-1], interpolation=cv2.INTER_AREA)
        missing = cv2.resize(known - reduced, size, interpolation=cv2.INTER_CUBIC)
        found = found + np.asarray(missing, np.float32)
    return _rounded(found)


def _rounded(values: NDArray[np.floating]) -> Rgb:
    return np.asarray(np.clip(values + 0.5, 0.0, 255.0), np.uint8)
