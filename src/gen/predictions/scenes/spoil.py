"""Pictures spoilt as bad generators spoil them, whatever they show.

Content stays readable: hues are kept, only sharpness and lightness suffer.
"""

from collections.abc import Callable
from typing import Literal, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.scenes.case import Rgb

Spoiling = Literal["blur", "artefact", "seam"]
SPOILINGS: tuple[Spoiling, ...] = get_args(Spoiling)

Region = NDArray[np.bool_]
Light = NDArray[np.float32]

# One value for each severity from 1 to 5; lengths are shares of the picture's longer side.
_BLUR = (0.001, 0.0019, 0.0029, 0.0044, 0.0065)
# In pixels: the sharpness that a picture of any size can lose without a trace.
_UNSEEN_BLUR = 0.4
_SHARES = (0.04, 0.08, 0.13, 0.19, 0.26)
_LEVELS = (34.0, 38.0, 42.0, 46.0, 50.0)
_LINE = (0.003, 0.004, 0.005, 0.006, 0.008)
_LINE_LEVELS = (30.0, 42.0, 54.0, 66.0, 78.0)
_TONE_LEVELS = (12.0, 18.0, 25.0, 33.0, 42.0)
_PATCH = 0.035
# Where patches end they fade, and their patterns are bent.
_FADE, _BEND, _STEEP = 0.008, 0.012, 3.0
# How long a stretch of a rim is lighter, or darker, than what is around it.
_STRETCH = 0.03
_DARKEST, _BRIGHTEST = 5.0, 250.0
# Patches never fill a region: what is left shows what it should look like.
_FULLEST = 0.9


def spoil(
    picture: Rgb,
    kind: Spoiling,
    severity: int,
    rng: np.random.Generator,
    region: Region | None = None,
) -> Rgb:
    """`picture` (RGB uint8, H x W x 3) spoilt by `severity` from 1 to 5, in a new array.

    blur: out of focus, by a Gaussian.
    artefact: patches of a grid, as transposed convolutions leave it (Odena et al. 2016,
    "Deconvolution and Checkerboard Artifacts"), of grain and of lines.
    seam: `region` has another tone than what is around it, and its rim shows.

    `region` (bool, H x W) is where the picture may change (a seam's rim lies half outside); None
    is everywhere. Streams in equal states give patches that only grow with severity. Raises
    ValueError for a severity out of range, and for a seam without a region.
    """
    if not 1 <= severity <= len(_BLUR):
        raise ValueError(f"severity {severity} is not from 1 to {len(_BLUR)}")
    if region is None:
        if kind == "seam":
            raise ValueError("a seam needs the region that it runs around")
        region = np.ones(picture.shape[:2], bool)
    return _KINDS[kind](picture, severity - 1, rng, region)


def _blurred(picture: Rgb, step: int, rng: np.random.Generator, region: Region) -> Rgb:
    sigma = _UNSEEN_BLUR + _BLUR[step] * max(picture.shape[:2])
    soft = cv2.GaussianBlur(picture, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE)
    return np.where(region[..., None], soft, picture)


def _patched(picture: Rgb, step: int, rng: np.random.Generator, region: Region) -> Rgb:
    size = picture.shape[:2]
    longest = max(size)
    field = _smooth(rng.standard_normal(size), _PATCH * longest)
    choice = _smooth(rng.standard_normal(size), _PATCH * longest)
    cell = max(2, round(longest / 128))
    # Hardly any two cells are alike: a pattern that is regular looks laid over the picture.
    y, x = (index + _bends(size, rng) for index in np.indices(size))
    patterns = (_grid(x, y, cell), _grain(size, rng), _lines(x, y, cell))
    # Thirds of a field that is as often high as low.
    low, high = np.quantile(choice, (1 / 3, 2 / 3))
    pattern = np.select([choice < low, choice < high], patterns[:2], patterns[2])
    # The highest places of the field: those of a lower severity are among them.
    room = min(1.0, _FULLEST * float(region.mean()) / _SHARES[-1])
    count = round(_SHARES[step] * room * region.size)
    if not count:
        return picture.copy()
    heights = np.where(region, field, -np.inf)
    least = np.partition(heights, heights.size - count, axis=None)[heights.size - count]
    marked = heights >= least
    inside = cv2.distanceTransform(marked.astype(np.uint8), cv2.DIST_L2, 3)
    strength = np.float32(_LEVELS[step]) * np.minimum(1, inside / max(2.0, _FADE * longest))
    light = picture.mean(axis=2, dtype=np.float32)
    # Where there is no room for both sides of a pattern, all of it lies lower or higher.
    room_made = np.clip(light, _DARKEST + strength, _BRIGHTEST - strength) - light
    return _lightened(picture, np.where(marked, room_made + pattern * strength, 0.0))


def _seamed(picture: Rgb, step: int, rng: np.random.Generator, region: Region) -> Rgb:
    sign = 1.0 if rng.random() < 0.5 else -1.0
    light = picture.mean(axis=2, dtype=np.float32)
    mean = float(light[region].mean()) if region.any() else 0.0
    # What is nearly white or black has no room for a tone on one side.
    sign = next((side for side, far in ((-1.0, mean > 191), (1.0, mean < 64)) if far), sign)
    width = max(1, round(_LINE[step] * max(picture.shape[:2])))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * width + 1, 2 * width + 1))
    inside = region.astype(np.uint8)
    rim = cv2.dilate(inside, kernel) - cv2.erode(inside, kernel, borderValue=1)
    # The rim goes the other way, else it would be lost in the tone; all of a stretch of it does.
    line = np.full(light.shape, -sign * _LINE_LEVELS[step], np.float32)
    wide = _smooth(light, _STRETCH * max(picture.shape[:2])) + line
    line = np.where((wide > _BRIGHTEST) | (wide < _DARKEST), -line, line)
    tone = np.where(region, sign * _TONE_LEVELS[step], 0.0)
    return _lightened(picture, np.where(rim > 0, line, tone))


def _lightened(picture: Rgb, levels: NDArray[np.floating]) -> Rgb:
    """All three channels moved alike."""
    moved = picture.astype(np.float32) + levels[..., None].astype(np.float32)
    return np.asarray(np.clip(moved + 0.5, 0, 255), np.uint8)


def _smooth(values: NDArray[np.floating], sigma: float) -> Light:
    return np.asarray(cv2.GaussianBlur(values.astype(np.float32), (0, 0), sigma), np.float32)


def _bends(size: tuple[int, int], rng: np.random.Generator) -> Light:
    """By how many pixels a pattern is out of place, everywhere otherwise."""
    longest = max(size)
    bends = _smooth(rng.standard_normal(size), _BEND * longest)
    return np.asarray(bends * (_BEND * longest / max(float(bends.std()), 1e-6)), np.float32)


def _grid(x: Light, y: Light, cell: int) -> Light:
    return _swung(np.sin(np.pi * (x + 0.5) / cell) * np.sin(np.pi * (y + 0.5) / cell))


def _lines(x: Light, y: Light, cell: int) -> Light:
    return _swung(np.sin(np.pi * (x + y + 0.5) / cell))


def _swung(wave: NDArray[np.floating]) -> Light:
    """A wave with steeper flanks."""
    return np.asarray(np.tanh(_STEEP * wave), np.float32)


def _grain(size: tuple[int, int], rng: np.random.Generator) -> Light:
    values = rng.standard_normal(size).astype(np.float32)
    return np.clip(values, -2.0, 2.0)


_KINDS: dict[Spoiling, Callable[[Rgb, int, np.random.Generator, Region], Rgb]] = {
    "blur": _blurred,
    "artefact": _patched,
    "seam": _seamed,
}
