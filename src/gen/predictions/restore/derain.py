"""Rain taken out of single photos by classical filters."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.degrade.degraded import Degraded
from gen.predictions.restore.air import (
    Plane,
    Rgb,
    bilateral,
    dehazed,
    grown,
    guided,
    line,
    median,
    opened,
    painted_over,
    stretched,
    subtracted,
    to_bytes,
)
from gen.predictions.restore.restored import Restored

# Angles that rain is looked for at, degrees from the vertical.
_ANGLES = np.arange(-40.0, 41.0, 5.0)
# The widest streak and the shortest line that count as rain, in pixels.
_WIDEST, _SHORTEST = 9, 11


def restorations(degraded: Degraded, rng: np.random.Generator) -> Iterator[Restored]:
    """The picture as it is, and filtered in some thirty ways; they know nothing but the picture.

    Streaks are told by their form: narrow across the angle that most are at, and long along it (an
    angle that most share is what tells rain in Bossu, Hautière and Tarel, IJCV 2011, as well).
    """
    picture = degraded.picture
    yield Restored("untouched", picture)
    angle = _angle(picture)
    across = angle + 90.0
    for side in (3, 5, 9, 15):
        yield Restored(f"median side={side}", median(picture, side))
    for tone in (30, 70):
        yield Restored(f"bilateral tone={tone}", bilateral(picture, tone))
    for side in (3, 7):
        yield Restored(f"opening side={side}", opened(picture, np.ones((side, side), np.uint8)))
    for length in (4, 8):
        yield Restored(f"opening across={length}", opened(picture, line(length, across)))
    for length in (5, 11):
        yield Restored(f"median across={length}", _median_across(picture, length, across))
    streaks = _streaks(picture.min(axis=2), angle, _WIDEST)
    for name, faintest in (("telea", 15), ("ns", 20), ("telea", 25), ("ns", 35)):
        painted = painted_over(picture, grown(streaks > faintest), name)
        yield Restored(f"{name} faintest={faintest}", painted)
    for share in (0.3, 0.6):
        yield Restored(f"subtracted share={share:g}", _cleared(picture, angle, _WIDEST, share))
    for widest in (5, 15):
        yield Restored(f"subtracted widest={widest}", _cleared(picture, angle, widest))
    clear = _cleared(picture, angle)
    yield Restored("subtracted", clear)
    again = clear
    for turn in (-5.0, 5.0):
        again = _cleared(again, angle + turn)
    yield Restored("subtracted thrice", again)
    yield Restored("guided", _guided(picture, clear))
    for strength in (0.2, 0.4):
        yield Restored(f"dark channel={strength:g}", dehazed(picture, strength))
        for name, before in (("subtracted", clear), ("subtracted thrice", again)):
            yield Restored(f"{name} dark channel={strength:g}", dehazed(before, strength))
    yield Restored("subtracted thrice stretched", stretched(again, 0.001))


def _angle(picture: Rgb) -> float:
    """The angle at which most streaks are, degrees from the vertical."""
    dark = picture.min(axis=2)
    found = [np.square(_streaks(dark, angle, _WIDEST)).mean() for angle in _ANGLES]
    return float(_ANGLES[int(np.argmax(found))])


def _streaks(plane: NDArray[np.uint8], angle: float, widest: int) -> Plane:
    """By how much each pixel is brighter for a streak at `angle`, float32 of 255.

    A streak is what a line across it cuts off (top-hat) and a line along it leaves (opening).
    Colors, if there are any, are taken one by one.
    """
    wide = cv2.morphologyEx(plane, cv2.MORPH_OPEN, line(widest, angle + 90))
    bright = cv2.subtract(plane, wide)
    kept = cv2.morphologyEx(bright, cv2.MORPH_OPEN, line(_SHORTEST, angle))
    return np.asarray(kept, np.float32)


def _cleared(picture: Rgb, angle: float, widest: int = _WIDEST, share: float = 1.0) -> Rgb:
    """The picture less `share` of its streaks: drops are grey and lift the darkest color most."""
    most = _streaks(picture.min(axis=2), angle, widest)
    lifts = np.minimum(_streaks(picture, angle, widest), most[..., None])
    return subtracted(picture, lifts, share)


def _median_across(picture: Rgb, length: int, angle: float) -> Rgb:
    """The median of the pixels on a line across the rain."""
    element = line(length, angle)
    places = np.argwhere(element) - element.shape[0] // 2
    reach = int(np.abs(places).max())
    padded = cv2.copyMakeBorder(picture, reach, reach, reach, reach, cv2.BORDER_REFLECT_101)
    rows, columns = picture.shape[:2]
    shifted = [
        padded[reach + y : reach + y + rows, reach + x : reach + x + columns] for y, x in places
    ]
    middle = len(shifted) // 2
    return np.asarray(np.partition(np.stack(shifted), middle, axis=0)[middle], np.uint8)


def _guided(picture: Rgb, guide: Rgb) -> Rgb:
    """The picture smoothed along the edges of one from which the streaks were taken."""
    values, edges = (np.asarray(one / 255, np.float32) for one in (picture, guide))
    planes = [guided(edges[..., color], values[..., color], 4, 1e-3) for color in range(3)]
    return to_bytes(np.stack(planes, axis=2) * 255)
