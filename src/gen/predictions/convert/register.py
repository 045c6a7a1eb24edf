"""Two pictures of one scene that differ by a shift, made to show the same pixels."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.convert.judged import Rgb

# How far a picture may be shifted: as a share of its shorter side.
_REACH = 0.1
# Lanczos looks at four pixels on either side, which the frame has not got.
_MARGIN = 4
# Below it the two do not show the same thing; blurred photos have far more.
_LEAST_LIKENESS = 0.5
# A shift that is this near to a whole one is taken for it, and no pixel has to be interpolated.
_EXACT = 0.1

Shift = tuple[float, float]


def shift(clean: Rgb, other: Rgb) -> Shift:
    """By how many pixels, down and to the right, what `clean` shows lies elsewhere in `other`.

    The best whole shift by normalised cross-correlation of luminance (Lewis, Fast normalized
    cross-correlation, Vision Interface 1995), refined by the parabola through its neighbours.

    Raises:
        ValueError: the sizes differ, or no shift makes the two alike.
    """
    if clean.shape != other.shape:
        raise ValueError("truth and input differ in size")
    reach = max(1, round(_REACH * min(clean.shape[:2])))
    still, moving = (cv2.cvtColor(one, cv2.COLOR_RGB2GRAY) for one in (other, clean))
    inner = still[reach:-reach, reach:-reach]
    likeness = cv2.matchTemplate(moving, inner, cv2.TM_CCOEFF_NORMED)
    row, column = np.unravel_index(int(likeness.argmax()), likeness.shape)
    if likeness[row, column] < _LEAST_LIKENESS:
        raise ValueError(
            f"truth and input are not alike (correlation {likeness[row, column]:.2f}) under any "
            f"shift of up to {reach} pixels"
        )
    down = reach - row - _peak(likeness[:, column], int(row))
    right = reach - column - _peak(likeness[row], int(column))
    return _snapped(float(down)), _snapped(float(right))


def shifted(clean: Rgb, by: Shift) -> Rgb:
    """The picture moved down and to the right, by Lanczos; its border is to be cut off."""
    down, right = by
    matrix = np.array([[1.0, 0.0, right], [0.0, 1.0, down]])
    height, width = clean.shape[:2]
    moved = cv2.warpAffine(
        clean, matrix, (width, height), flags=cv2.INTER_LANCZOS4, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(moved, np.uint8)


def without_border(picture: Rgb, by: Shift) -> Rgb:
    """The part of a picture in which one that is `shifted` has true pixels, C-contiguous."""
    tops, lefts = (_ends(part) for part in by)
    height, width = picture.shape[:2]
    part = picture[tops[0] : height - tops[1], lefts[0] : width - lefts[1]]
    return np.ascontiguousarray(part)


def _snapped(part: float) -> float:
    whole = round(part)
    return float(whole) if abs(part - whole) < _EXACT else part


def _ends(part: float) -> tuple[int, int]:
    """How many pixels to cut at the beginning and at the end."""
    lost = int(np.ceil(abs(part)))
    return (lost if part > 0 else 0) + _MARGIN, (lost if part < 0 else 0) + _MARGIN


def _peak(line: NDArray[Any], place: int) -> float:
    """Where the parabola through a greatest value and its neighbours is greatest, from `place`."""
    if not 0 < place < line.size - 1:
        return 0.0
    before, here, after = (float(value) for value in line[place - 1 : place + 2])
    bend = before - 2.0 * here + after
    return 0.5 * (before - after) / bend if bend < 0.0 else 0.0
