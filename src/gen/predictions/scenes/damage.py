"""How much of a picture is spoilt, measured on its pixels, whatever it shows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.scenes import vectors
from gen.predictions.scenes.case import Rgb

Mask = NDArray[np.bool_]
Values = NDArray[np.float32]

# Lengths are shares of the picture's longer side: how far the two sides of a silhouette are looked
# for, what counts as detail, the window in which detail is counted, a seam and what is beside it.
_REACH, _DETAIL, _WINDOW = 0.02, 0.005, 0.016
_RIM, _BESIDE, _ALONG = 0.003, (0.012, 0.022), 0.04
_NARROWEST = 0.6  # pixels
# Backdrops stay below this chroma (CIELAB); a silhouette is at least so great a step of it.
_COLOURFUL, _SILHOUETTE = 15.0, 25.0
# Edges of an original: the sharpest share of its pixels, but no change below so many levels.
_EDGES, _FAINTEST_EDGE = 0.04, 4.0
# The spread of a sharp edge in pixels, and how much more goes unseen. A Gaussian of deviation s
# makes of a step an edge whose height by steepest slope is s times the root of two pi.
_SHARP, _CRISP, _UNSEEN = 0.8, 0.65, 0.3
_SPREAD = math.sqrt(2 * math.pi)
# So many levels of detail, in the mean of a window, are more than any surface of a scene has; and
# so many more than an original are artefacts.
_BUSY, _BUSIER = 16.0, 11.0
# A region smaller than this share of the picture counts as if it were as large.
_LEAST_REGION = 0.29

# Measures, and the damage that a person sees in them.
_BLUR = (
    (0.0003, 0.001, 0.002, 0.003, 0.004, 0.0052, 0.012),
    (0.0, 0.08, 0.18, 0.3, 0.42, 0.55, 1.0),
)
_ARTEFACT = (
    (0.003, 0.037, 0.082, 0.142, 0.21, 0.295, 0.6),
    (0.0, 0.08, 0.18, 0.3, 0.42, 0.55, 1.0),
)
_SEAM = ((10.0, 36.0, 51.0, 66.0, 82.0, 98.0, 150.0), (0.0, 0.08, 0.18, 0.3, 0.42, 0.55, 1.0))


def damage(
    picture: Rgb,
    original: Rgb | Sequence[Rgb] | None = None,
    region: Mask | None = None,
    within: Mask | None = None,
) -> float:
    """The share of `picture` (RGB uint8, (height, width, 3)) that is spoilt, from 0 to 1.

    Three measures, each brought to what a person would call the damage, make the sum d of two being
    d1 + d2 - d1 d2:

    blur: how wide edges are, by the longer side. Silhouettes of colourful things on a backdrop of
    little chroma are taken; with an original, its sharpest edges.
    artefacts: the share of the picture with more fine detail in lightness than surfaces have; with
    an original, more than that has. Without one, colourful things are left out, for they may bear
    patterns.
    a seam: how far a line along the rim of `region` (bool, (height, width)) stands out from both
    sides; with an original, what it differs from that is looked at.

    `original` is the picture as it would be unspoilt, or several of which it may be nearer to any.
    Blur and artefacts are looked for `within` this mask, by default everywhere.

    Raises:
        ValueError: sizes differ.
    """
    if original is None:
        originals: tuple[Rgb, ...] = ()
    else:
        originals = (original,) if isinstance(original, np.ndarray) else tuple(original)
    for other in (*originals, region, within):
        if other is not None and other.shape[:2] != picture.shape[:2]:
            raise ValueError(f"sizes {other.shape[:2]} and {picture.shape[:2]} differ")
    look, before = _Look(picture), [_Look(one) for one in originals]
    found = [_blur(look, before, within), _artefacts(look, before, within)]
    if region is not None:
        found.append(_seam(look, before, region))
    return 1.0 - math.prod(1.0 - one for one in found)


@dataclass(frozen=True)
class _Look:
    """What is measured on a picture; values are float32 (height, width)."""

    picture: Rgb

    @cached_property
    def longest(self) -> int:
        height, width = self.picture.shape[:2]
        return int(max(height, width))

    @cached_property
    def light(self) -> Values:
        """Lightness in levels from 0 to 255."""
        return np.asarray(cv2.cvtColor(self.picture, cv2.COLOR_RGB2GRAY), np.float32)

    @cached_property
    def chroma(self) -> Values:
        """CIELAB."""
        lab = cv2.cvtColor(self.picture, cv2.COLOR_RGB2LAB)
        a, b = (lab[..., channel].astype(np.float32) - 128 for channel in (1, 2))
        return vectors.length(a, b)

    @cached_property
    def slope(self) -> Values:
        """Of lightness, in levels by pixel; the steepest among neighbours."""
        return np.asarray(cv2.dilate(_slope(self.light), _square(1)))

    @cached_property
    def busy(self) -> Values:
        """The mean of what a slight blur takes from lightness, in levels."""
        soft = cv2.GaussianBlur(self.light, (0, 0), _DETAIL * self.longest)
        side = 2 * round(_WINDOW * self.longest) + 1
        return np.asarray(cv2.blur(cv2.absdiff(self.light, soft), (side, side)))


def _blur(look: _Look, originals: Sequence[_Look], within: Mask | None) -> float:
    if originals:
        spread = _spread_since(look, np.minimum.reduce([one.slope for one in originals]), within)
    else:
        spread = _spread_of_silhouettes(look, within)
    return _damage(max(0.0, spread - _UNSEEN) / look.longest, _BLUR)


def _spread_of_silhouettes(look: _Look, within: Mask | None) -> float:
    """The deviation in pixels of the Gaussian that widened the edges of colourful things."""
    window = _square(max(2, round(_REACH * look.longest)))
    step = cv2.dilate(look.chroma, window) - cv2.erode(look.chroma, window)
    edges = step > _SILHOUETTE if within is None else (step > _SILHOUETTE) & within
    if not edges.any():
        return 0.0
    steepest = cv2.dilate(_slope(look.chroma), window)[edges]
    spread = float(np.median(step[edges] / steepest)) / _SPREAD
    return math.sqrt(max(0.0, spread**2 - _SHARP**2))


def _spread_since(look: _Look, before: Values, within: Mask | None) -> float:
    """The same by how much flatter the edges of an original have become.

    Three in four edges have to be; what is missing from an edited picture is no blur.
    """
    slopes = before if within is None else before[within]
    if not slopes.size:
        return 0.0
    least = max(_FAINTEST_EDGE, float(np.quantile(slopes, 1 - _EDGES)))
    edges = slopes >= least
    if not edges.any():
        return 0.0
    after = look.slope if within is None else look.slope[within]
    ratio = float(np.quantile(after[edges] / slopes[edges], 0.75))
    return _CRISP * math.sqrt(max(0.0, 1 / max(ratio, 0.01) ** 2 - 1))


def _artefacts(look: _Look, originals: Sequence[_Look], within: Mask | None) -> float:
    if originals:
        busy = look.busy - np.maximum.reduce([one.busy for one in originals]) > _BUSIER
    else:
        colourful = (look.chroma > _COLOURFUL).astype(np.uint8)
        busy = (look.busy > _BUSY) & (cv2.dilate(colourful, _square(3)) == 0)
    if within is None:
        return _damage(float(busy.mean()), _ARTEFACT)
    room = min(1.0, float(within.mean()) / _LEAST_REGION)
    return _damage(float((busy & within).mean()) / room, _ARTEFACT) if room > 0 else 0.0


def _seam(look: _Look, originals: Sequence[_Look], region: Mask) -> float:
    lines = [_line(look.light - one.light, region) for one in originals]
    return _damage(min(lines) if lines else _line(look.light, region), _SEAM)


def _line(light: Values, region: Mask) -> float:
    """How many levels the rim of `region` stands out from the mean of both sides, in its median."""
    longest = max(light.shape)
    inside = cv2.distanceTransform(region.astype(np.uint8), cv2.DIST_L2, 3)
    outside = cv2.distanceTransform((~region).astype(np.uint8), cv2.DIST_L2, 3)
    from_rim = np.maximum(inside, outside) - 0.5
    near, far = (share * longest for share in _BESIDE)
    beside = (from_rim >= near) & (from_rim <= far)
    side = 2 * round(_ALONG * longest) + 1
    rim = from_rim <= max(_NARROWEST, _RIM * longest)
    means = []
    for part in (beside & region, beside & ~region):
        weight = cv2.blur(part.astype(np.float32), (side, side))
        total = cv2.blur(np.where(part, light, np.float32(0)), (side, side))
        means.append(total / np.maximum(weight, np.float32(1e-6)))
        rim &= weight > 0
    if not rim.any():
        return 0.0
    return float(np.median(np.abs(light - (means[0] + means[1]) / 2)[rim]))


def _damage(measure: float, scale: tuple[Sequence[float], Sequence[float]]) -> float:
    return float(np.interp(measure, *scale))


def _slope(values: Values) -> Values:
    across = cv2.Sobel(values, cv2.CV_32F, 1, 0, ksize=1, scale=0.5)
    down = cv2.Sobel(values, cv2.CV_32F, 0, 1, ksize=1, scale=0.5)
    return vectors.length(np.asarray(across, np.float32), np.asarray(down, np.float32))


def _square(reach: int) -> NDArray[np.uint8]:
    return np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
