"""Errors of masks that an expression refers to. All take 1 to 5 for the severity."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import cv2
import numpy as np

from gen.predictions.perturb import fronts, shapes
from gen.predictions.perturb.mask_region import Bitmap, MaskRegion
from gen.predictions.perturb.region import centre, size

# At severity 1 to 5, the share of the right object that is kept and that of the other one.
_SWITCH = ((1.0, 0.35), (1.0, 1.0), (0.7, 1.0), (0.35, 1.0), (0.0, 1.0))
# Objects less like in area than this are taken for each other only for want of others; one so much
# smaller is not seen at all.
_LIKE, _SPECK = 4.0, 0.1
# The share of the area that is left of a mask in part, and by which a leaking one grows.
_LEFT = (0.85, 0.68, 0.50, 0.33, 0.18)
_LEAKED = (0.12, 0.28, 0.50, 0.85, 1.40)
# Standard deviation by which a boundary strays, as a share of the size of the object; the length of
# its waves, another share; how far it tends to one side, in standard deviations.
_STRAYED = (0.03, 0.07, 0.12, 0.18, 0.26)
_LENGTH, _BIAS = 0.4, 0.8
# A leak spreads so many times as far in a neighbour at which it begins as in the background.
_EASE = 2.5
# Roughness of the front of a leak: wave length and height, as shares of the size of the object.
_WAVE, _HEIGHT = 0.25, 0.12
# A neighbour is no further away than this, in pixels.
_TOUCH = 3.0


class ReferringPerturbation(Protocol):
    """`target` with one kind of error, from 1 (slight) to 5 (gross), or None where there is none.

    `others` are the other objects of the photo, `alike` those of the same class among them. With
    equal random numbers, a greater severity is the same error, and more.
    """

    def __call__(
        self,
        target: MaskRegion,
        severity: int,
        rng: np.random.Generator,
        alike: Sequence[MaskRegion],
        others: Sequence[MaskRegion],
    ) -> MaskRegion | None: ...


def wrong_instance(
    target: MaskRegion,
    severity: int,
    rng: np.random.Generator,
    alike: Sequence[MaskRegion],
    others: Sequence[MaskRegion],
) -> MaskRegion | None:
    """The mask goes over to another object of the class, or of another class if there is none.

    First it takes in the near part of that, then all; then it loses the far part of the right
    object, and in the end all of it.
    """
    other = _mistaken(target, alike) or _mistaken(target, others)
    if other is None:
        return None
    kept, taken = _SWITCH[severity - 1]
    (x, y), (other_x, other_y) = centre(target), centre(other)
    angle = float(np.arctan2(other_y - y, other_x - x))
    # Drawn in turn whatever the severity, so that both fronts are the same at each of them.
    near, _ = other.cut(angle, min(taken, 0.99), rng)
    left, _ = target.cut(angle + np.pi, min(max(kept, 0.01), 0.99), rng)
    part = near if taken < 1 else other
    if not kept:
        return part.relabelled(target.label)
    return (left if kept < 1 else target).joined(part)


def _mistaken(target: MaskRegion, candidates: Sequence[MaskRegion]) -> MaskRegion | None:
    """The nearest one of like area, else the one most like in area that is no speck."""
    seen = [item for item in candidates if item.area >= _SPECK * target.area]
    like = [item for item in seen if _unlike(target, item) <= _LIKE]
    if like:
        return min(like, key=lambda item: _distance(target, item))
    return min(seen, key=lambda item: _unlike(target, item), default=None)


def _unlike(a: MaskRegion, b: MaskRegion) -> float:
    return max(a.area / b.area, b.area / a.area)


def _distance(a: MaskRegion, b: MaskRegion) -> float:
    return float(np.hypot(*np.subtract(centre(a), centre(b))))


def partial(
    target: MaskRegion,
    severity: int,
    rng: np.random.Generator,
    alike: Sequence[MaskRegion],
    others: Sequence[MaskRegion],
) -> MaskRegion | None:
    """Parts are missing from one end of the object on: from 0.15 to 0.82 of its area."""
    x1, y1, x2, y2 = target.bounds
    angle = (0.0 if x2 - x1 >= y2 - y1 else np.pi / 2) + rng.uniform(-0.5, 0.5)
    return target.cut(angle + np.pi * rng.integers(2), _LEFT[severity - 1], rng)[0]


def leak(
    target: MaskRegion,
    severity: int,
    rng: np.random.Generator,
    alike: Sequence[MaskRegion],
    others: Sequence[MaskRegion],
) -> MaskRegion | None:
    """From one place at its boundary the mask runs out, by 0.12 to 1.4 of its area.

    The place lies by a neighbour if one touches; in that the leak then spreads further than in the
    background.
    """
    # All that leaks at most, as half a disc, in a neighbour.
    reach = int(_EASE * size(target) * (2 * _LEAKED[-1] / np.pi) ** 0.5) + 2
    left, top, frame = _window(target, reach)
    own = _seen_from(left, top, frame, [target])
    edge = own & (1 - _eroded(own))
    beside = [_seen_from(left, top, frame, [item]) & (1 - own) for item in others]
    gaps = [_gap(edge, neighbour) for neighbour in beside]
    source = _source(edge, gaps, rng)
    if source is None:
        return None
    x, y = source
    rows, columns = np.ogrid[: frame[0], : frame[1]]
    front: fronts.Field = np.hypot(columns - np.float32(x), rows - np.float32(y))
    for neighbour, gap in zip(beside, gaps, strict=True):
        if gap[y, x] <= _TOUCH:
            front[neighbour != 0] /= np.float32(_EASE)
    front += np.float32(_HEIGHT * size(target)) * fronts.noise(frame, _WAVE * size(target), rng)
    outside = np.sort(front[own == 0])
    last = min(outside.size, round(_LEAKED[severity - 1] * target.area)) - 1
    spread = own | (front <= outside[max(last, 0)]).astype(np.uint8)
    return target.covering(left, top, _holding(spread, own))


def _window(target: MaskRegion, reach: int) -> tuple[int, int, tuple[int, int]]:
    """Left, top, (rows, columns) of the part of the photo up to `reach` px from a mask."""
    height, width = target.frame
    x1, y1, x2, y2 = (int(value) for value in target.bounds)
    left, top = max(0, x1 - reach), max(0, y1 - reach)
    return left, top, (min(height, y2 + reach) - top, min(width, x2 + reach) - left)


def _seen_from(
    left: int, top: int, frame: tuple[int, int], regions: Sequence[MaskRegion]
) -> Bitmap:
    """The union of regions in a window of `frame` (rows, columns) of the photo."""
    window = np.zeros(frame, np.uint8)
    for region in regions:
        y, x = region.y0 - top, region.x0 - left
        crop = region.crop[max(0, -y) :, max(0, -x) :]
        view = window[max(0, y) :, max(0, x) :][: crop.shape[0], : crop.shape[1]]
        view |= crop[: view.shape[0], : view.shape[1]]
    return window


def _source(
    edge: Bitmap, gaps: Sequence[fronts.Field], rng: np.random.Generator
) -> tuple[int, int] | None:
    """A pixel x, y of an edge, one by which a neighbour lies if there is any; None for no edge."""
    touching = [edge & (gap <= _TOUCH).astype(np.uint8) for gap in gaps]
    touching = [one for one in touching if one.any()]
    neighbour, place = rng.random(2).tolist()
    if touching:
        edge = touching[int(neighbour * len(touching))]
    ys, xs = np.nonzero(edge)
    if not len(xs):
        return None
    index = int(place * len(xs))
    return int(xs[index]), int(ys[index])


def _gap(edge: Bitmap, neighbour: Bitmap) -> fronts.Field:
    """How far each pixel lies from a neighbour; infinitely if that is not in the window."""
    if not neighbour.any() or not edge.any():
        return np.full(edge.shape, np.inf, np.float32)
    return np.asarray(cv2.distanceTransform(1 - neighbour, cv2.DIST_L2, 3), np.float32)


def _eroded(mask: Bitmap) -> Bitmap:
    return np.asarray(cv2.erode(mask, np.ones((3, 3), np.uint8)), np.uint8)


def _holding(spread: Bitmap, own: Bitmap) -> Bitmap:
    """The connected parts of `spread` that share a pixel with `own`."""
    count, parts = cv2.connectedComponents(spread, connectivity=4)
    kept = np.zeros(count, np.uint8)
    kept[parts[own != 0]] = 1
    kept[0] = 0
    return np.asarray(kept[parts], np.uint8)


def boundary(
    target: MaskRegion,
    severity: int,
    rng: np.random.Generator,
    alike: Sequence[MaskRegion],
    others: Sequence[MaskRegion],
) -> MaskRegion | None:
    """The boundary strays by some 0.03 to 0.26 of the object's size, outwards and inwards.

    Long objects count as smaller: they would be torn.
    """
    reach = min(size(target), shapes.THICK * shapes.thickness(target))
    amplitude = _STRAYED[severity - 1] * reach
    # A field on which the severity has no say, so that where it strays it strays further.
    margin = int(3 * _STRAYED[-1] * reach) + 1
    left, top, frame = _window(target, margin)
    own = _seen_from(left, top, frame, [target])
    inside = cv2.distanceTransform(own, cv2.DIST_L2, 3)
    outside = cv2.distanceTransform(1 - own, cv2.DIST_L2, 3)
    bias = np.float32(rng.uniform(-_BIAS, _BIAS))
    waves = fronts.noise(frame, _LENGTH * reach, rng) + bias
    strayed = (inside - outside + np.float32(amplitude) * waves > 0).astype(np.uint8)
    return target.covering(left, top, _holding(strayed, own))


PERTURBATIONS: Mapping[str, ReferringPerturbation] = {
    "wrong_instance": wrong_instance,
    "partial": partial,
    "leak": leak,
    "boundary": boundary,
}
