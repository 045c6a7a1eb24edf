"""Boxes, contours, lines and points, drawn with hard edges in their exact colour."""

import math
from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.render.palette import Colour, text_colour
from gen.render.placement import Box, PixelBox, pixel_box

Contour = NDArray[np.int32] | NDArray[np.float64]

_DASH, _GAP = 4, 3  # in line widths
# On smaller boxes those would leave room for a dash or two; there they are, in px:
_SMALL_BOX = 12
_SMALL_DASH, _SMALL_GAP = 3, 2
# Shifts of a line of 1 px that together make a wider one, and those that go around it.
_BRUSH = {
    1: ((0, 0),),
    2: ((0, 0), (1, 0), (0, 1)),
    3: ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)),
}
_RING = {
    1: ((-1, 0), (1, 0), (0, -1), (0, 1)),
    2: ((-1, 0), (2, 0), (0, -1), (0, 2)),
    3: ((-2, 0), (2, 0), (0, -2), (0, 2)),
}
_CASING = 3  # lines of this width have a casing of 1 px, wider ones in proportion
_SHIFT = 4  # sub-pixel bits of OpenCV's fixed-point coordinates
_FAR = 1e6  # px; farther points overflow those coordinates


def draw_box(canvas: NDArray[np.uint8], box_xyxy: Box, colour: Colour, thickness: int) -> None:
    """Frame of a box (x1, y1, x2, y2), px, x2 and y2 exclusive; drawn on the inside of its edges.

    The part of a box that leaves the picture is cut off and the frame runs along the border, so
    all four sides show. A box thinner than a pixel is drawn as one pixel. On a small box the line
    is thinner, so that the object stays visible. Nothing is drawn for a box wholly outside.

    Raises:
        ValueError: a coordinate that is not finite, or a thickness below 1.
    """
    clipped = _visible(canvas, box_xyxy)
    if clipped is None:
        return
    x0, y0, x1, y1 = clipped
    t = line_width(thickness, x1 - x0, y1 - y0)
    for top, bottom, left, right in (
        (y0, y0 + t, x0, x1),
        (y1 - t, y1, x0, x1),
        (y0, y1, x0, x0 + t),
        (y0, y1, x1 - t, x1),
    ):
        canvas[top:bottom, left:right] = colour


def draw_dashed_box(
    canvas: NDArray[np.uint8], box_xyxy: Box, colour: Colour, thickness: int
) -> None:
    """Dashed frame of a box, with the edges of `draw_box`.

    Dashes of `colour`, 4 line widths long, alternate with black or white ones of 3, whichever
    stands out from the colour, so the frame shows on a ground of any colour. Boxes under 12 px have
    dashes of 3 and 2 px. Each side begins with a coloured dash at its corner, clockwise.

    Raises:
        ValueError: as `draw_box`.
    """
    clipped = _visible(canvas, box_xyxy)
    if clipped is None:
        return
    x0, y0, x1, y1 = clipped
    w, h = x1 - x0, y1 - y0
    t = line_width(thickness, w, h)
    small = min(w, h) < _SMALL_BOX
    dash, gap = (_SMALL_DASH, _SMALL_GAP) if small else (_DASH * t, _GAP * t)
    dashes = _dashes(colour, dash, gap, _power_of_two(max(w, h)))
    canvas[y0 + t : y1, x1 - t : x1] = dashes[: max(h - t, 0), None]
    canvas[y1 - t : y1, x0 : x1 - t] = dashes[: max(w - t, 0)][::-1]
    canvas[y0 : y1 - t, x0 : x0 + t] = dashes[: max(h - t, 0)][::-1, None]
    canvas[y0 : y0 + t, x0:x1] = dashes[:w]


def draw_contours(
    canvas: NDArray[np.uint8],
    contours: Sequence[Contour],
    colour: Colour,
    thickness: int,
    casing: Colour | None = None,
) -> None:
    """Closed outlines, each (N, 2) or OpenCV's (N, 1, 2), px, rounded to whole pixels.

    The line is centred on the points. Of an even thickness, 2 has its second pixel at the right
    and below; larger ones come out one pixel thicker. With `casing`, a line in that colour runs
    along both of its sides: 1 px, or a third of a line of 4 px or more.

    Raises:
        ValueError: a thickness below 1 (OpenCV would fill), or points too far off or not finite.
    """
    _check_thickness(thickness)
    points = [_whole(contour) for contour in contours if len(contour)]
    if thickness in _BRUSH:
        # a thin line drawn some times over takes half the time of one thick line
        if casing is not None:
            for offset in _RING[thickness]:
                cv2.drawContours(canvas, points, -1, casing, 1, cv2.LINE_8, offset=offset)
        for offset in _BRUSH[thickness]:
            cv2.drawContours(canvas, points, -1, colour, 1, cv2.LINE_8, offset=offset)
    else:
        if casing is not None:
            wider = thickness + 2 * (thickness // _CASING)
            cv2.drawContours(canvas, points, -1, casing, _pen(wider), cv2.LINE_8)
        cv2.drawContours(canvas, points, -1, colour, _pen(thickness), cv2.LINE_8)


def draw_line(
    canvas: NDArray[np.uint8],
    start: tuple[float, float],
    end: tuple[float, float],
    colour: Colour,
    thickness: int,
) -> None:
    """A line with round ends between two points (x, y), px, to 1/16 px.

    An even thickness comes out one pixel thicker, so that the line is centred.

    Raises:
        ValueError: a thickness below 1, or a point too far off or not finite.
    """
    _check_thickness(thickness)
    ends = _fixed(np.array([start, end], np.float64))
    cv2.polylines(canvas, [ends], False, colour, _pen(thickness), cv2.LINE_8, _SHIFT)


def draw_disc(
    canvas: NDArray[np.uint8],
    centre: tuple[float, float],
    radius: float,
    colour: Colour,
    edge: Colour | None = None,
) -> None:
    """A filled disc about `centre` (x, y) of `radius` px, to 1/16 px; `edge` rings it by 1 px.

    Raises:
        ValueError: a negative radius, or a centre too far off or not finite.
    """
    if not 0 <= radius <= _FAR:
        raise ValueError(f"the radius of a disc is 0 px or more, not {radius}")
    x, y = _fixed(np.array([centre], np.float64))[0, 0].tolist()
    for grow, ink in ((1.0, edge), (0.0, colour)):
        if ink is not None:
            fixed = math.floor((radius + grow) * (1 << _SHIFT) + 0.5)
            cv2.circle(canvas, (x, y), fixed, ink, cv2.FILLED, cv2.LINE_8, _SHIFT)


def _visible(canvas: NDArray[np.uint8], box: Box) -> PixelBox | None:
    """The box's pixels on the canvas; None for a box wholly outside."""
    h, w = canvas.shape[:2]
    pixels = pixel_box(box, (h, w))
    outside = box[0] >= w or box[1] >= h or box[2] < 0 or box[3] < 0
    return None if outside else pixels


def line_width(thickness: int, w: int, h: int) -> int:
    """`thickness`, or less around an object of w x h px that the line would bury; px, at least 1.

    Raises:
        ValueError: a thickness below 1.
    """
    _check_thickness(thickness)
    return min(thickness, max(1, min(w, h) // 4))


def _check_thickness(thickness: int) -> None:
    if thickness < 1:
        raise ValueError(f"a line is at least 1 px thick, not {thickness}")


def _pen(thickness: int) -> int:
    """OpenCV's name for a line of `thickness` px: from 2 on it draws 2 * ((n + 1) // 2) + 1."""
    return thickness if thickness <= 2 else thickness - 1


def _power_of_two(n: int) -> int:
    return 1 << (n - 1).bit_length()


@lru_cache(maxsize=256)
def _dashes(colour: Colour, dash: int, gap: int, length: int) -> NDArray[np.uint8]:
    """`length` pixels of the pattern, uint8 (length, 3)."""
    on = np.arange(length) % (dash + gap) < dash
    inks = np.array([text_colour(colour), colour], np.uint8)
    pattern = inks[on.astype(np.intp)]
    pattern.setflags(write=False)
    return pattern


def _whole(contour: Contour) -> NDArray[np.int32]:
    """Points as whole pixels (N, 1, 2)."""
    if contour.dtype == np.int32:
        return contour.reshape(-1, 1, 2).astype(np.int32, copy=False)
    return _checked(contour, 1)


def _fixed(points: Contour) -> NDArray[np.int32]:
    """Points as OpenCV's fixed-point integers (N, 1, 2)."""
    return _checked(points, 1 << _SHIFT)


def _checked(points: Contour, scale: int) -> NDArray[np.int32]:
    values = np.asarray(points, np.float64).reshape(-1, 1, 2)
    if not (np.abs(values) <= _FAR).all():
        raise ValueError(f"points lie within {_FAR:.0f} px of the picture and are finite")
    return np.floor(values * scale + 0.5).astype(np.int32)
