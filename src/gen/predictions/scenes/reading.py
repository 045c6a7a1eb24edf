"""Scenes read back from their pictures, by the pixels alone."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.scenes import vectors
from gen.predictions.scenes.case import Rgb
from gen.predictions.scenes.checks import box_of
from gen.predictions.scenes.description import Color, Seen
from gen.predictions.scenes.outlines import nearest_shape
from gen.predictions.scenes.patterns import nearest_texture

Mask = NDArray[np.bool_]
Values = NDArray[np.float32]

# CIELAB: where the next name of a colour begins on the circle of hues, in whole degrees.
_HUES: tuple[tuple[float, Color], ...] = (
    (13, "pink"),
    (46, "red"),
    (75, "orange"),
    (116, "yellow"),
    (168, "green"),
    (242, "cyan"),
    (308, "blue"),
    (335, "purple"),
    (360, "pink"),
)
# By whole degrees, up to the full circle; the last name is the first one again.
_CODES = np.array(
    [sum(hue >= end for end, _ in _HUES[:-1]) % (len(_HUES) - 1) for hue in range(361)], np.uint8
)
# Backdrops stay below a chroma of 15, things are above it but for their highlights.
_COLOURFUL = 15.0
# What an added thing changes at least: chroma, and chroma by lightness, which shadows leave alone.
_ADDED, _ADDED_PURITY = 10.0, 0.2
# Purity and chroma of a reflection, by those of the thing, stay below.
_REFLECTED, _DIM = 0.4, 0.3
# The lit parts of a thing have at least this chroma.
_VIVID = 28.0
# Less of the picture than this is no thing.
_LEAST_SHARE = 0.0015
# Holes up to this share of a thing's box are highlights; that of a ring is larger.
_HIGHLIGHT = 0.055


class _Part(NamedTuple):
    """A thing as it was found: `mask` has the size of the picture and no holes of highlights."""

    color: Color
    mask: Mask


def read(picture: Rgb, original: Rgb | None = None) -> list[Seen]:
    """The things in `picture` (RGB uint8, (height, width, 3)), from left to right.

    They are told from the backdrop by their chroma, which is 15 or more; or, where `original` is
    given, by what has been added to that picture of the same size, which may then be any photo.
    Things of one colour must not touch each other.

    Raises:
        ValueError: the pictures differ in size.
    """
    lab = _lab(picture)
    parts = _parts(lab, None if original is None else _lab(original))
    return sorted((_seen(part, lab) for part in parts), key=lambda one: one.box)


def masks(picture: Rgb, original: Rgb | None = None) -> list[Mask]:
    """The pixels of each thing that `read` finds, bool (height, width), in its order."""
    lab = _lab(picture)
    parts = list(_parts(lab, None if original is None else _lab(original)))
    return [part.mask for part in sorted(parts, key=lambda one: box_of(one.mask))]


def color_name(a: float, b: float) -> Color:
    """The name of a hue that has these a and b of CIELAB."""
    hue = math.degrees(math.atan2(b, a)) % 360
    return next(name for end, name in _HUES if hue < end)


def _lab(picture: Rgb) -> Values:
    """CIELAB, float32."""
    levels = cv2.cvtColor(picture, cv2.COLOR_RGB2LAB)
    light, a, b = (plane.astype(np.float32) for plane in cv2.split(levels))
    return np.asarray(cv2.merge((light * np.float32(100 / 255), a - 128, b - 128)), np.float32)


def _seen(part: _Part, lab: Values) -> Seen:
    box = box_of(part.mask)
    x1, y1, x2, y2 = (round(side) for side in box)
    mask = part.mask[y1:y2, x1:x2]
    shape = nearest_shape(mask)
    texture = nearest_texture(lab[y1:y2, x1:x2], mask, shape)
    return Seen(shape, part.color, texture, box, float(part.mask.sum()))


def _parts(lab: Values, original: Values | None) -> Iterator[_Part]:
    light, a, b = _planes(lab)
    chroma, hue = vectors.length(a, b), vectors.direction(a, b)
    purity = np.asarray(chroma / (light + 16), np.float32)
    colourful = chroma >= _COLOURFUL
    if original is not None:
        if original.shape != lab.shape:
            raise ValueError(f"sizes {lab.shape[:2]} and {original.shape[:2]} of pictures differ")
        chroma, purity = _changes(lab, original)
        colourful &= (chroma >= _ADDED) & (purity >= _ADDED_PURITY)
    codes = _CODES[hue.astype(np.uint16)]
    least = _LEAST_SHARE * chroma.size
    for code, (_, color) in enumerate(_HUES[:-1]):
        found = (colourful & (codes == code)).astype(np.uint8)
        if np.count_nonzero(found) < least:
            continue
        _, labels, stats, _ = cv2.connectedComponentsWithStats(found, connectivity=8)
        for label in range(1, len(stats)):
            x, y, width, height, area = stats[label].tolist()
            if area >= least:
                window = np.s_[y : y + height, x : x + width]
                piece = _solid(labels[window] == label, chroma[window], purity[window])
                if piece is not None:
                    mask = np.zeros(found.shape, bool)
                    mask[window] = piece
                    yield _Part(color, mask)


def _planes(lab: Values) -> tuple[Values, Values, Values]:
    """L*, a and b."""
    light, a, b = (np.ascontiguousarray(lab[..., plane]) for plane in range(3))
    return light, a, b


def _changes(lab: Values, original: Values) -> tuple[Values, Values]:
    """How far a and b, and both by lightness, have moved."""
    (light, a, b), (light_before, a_before, b_before) = _planes(lab), _planes(original)
    by, by_before = np.reciprocal(light + 16), np.reciprocal(light_before + 16)
    chroma = vectors.length(a - a_before, b - b_before)
    return chroma, vectors.length(a * by - a_before * by_before, b * by - b_before * by_before)


def _solid(mask: Mask, chroma: Values, purity: Values) -> Mask | None:
    """The largest piece of `mask` with about the colour of most of it, highlights filled.

    What is left out are reflections of the thing in the ground; None if there is nothing else.
    """
    lit = float(np.quantile(chroma[mask], 0.9))
    if lit < _VIVID:
        return None
    pure = mask & (purity >= _REFLECTED * np.median(purity[mask]))
    pure &= chroma >= _DIM * lit
    _, labels, stats, _ = cv2.connectedComponentsWithStats(pure.astype(np.uint8), connectivity=4)
    main = labels == 1 + np.argmax(stats[1:, cv2.CC_STAT_AREA])
    outside = (~main).astype(np.uint8)
    framed = cv2.copyMakeBorder(outside, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=1)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(framed, connectivity=4)
    small = stats[:, cv2.CC_STAT_AREA] < _HIGHLIGHT * main.size
    small[labels[0, 0]] = False
    return np.asarray((small[labels] & (framed > 0))[1:-1, 1:-1] | main)
