"""Label text from cached sprites of the font that ships with Pillow (Aileron Regular).

OpenCV's own letters differ between its versions and a system's fonts between machines; this font
comes with a dependency and is laid out by Pillow's basic engine, glyph after glyph.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from gen.render.palette import Colour

ELLIPSIS = "…"

_REFERENCE_SIDE = math.sqrt(640 * 480)
# Pictures are shrunk before a model reads them, so text grows with the picture; a little slower
# than it, or it would be lost on thumbnails and coarse on large photos.
_GROWTH = 0.75
_FRAME = 20  # font sizes, px, to a line of 1 px around a plate


def font_px(h: int, w: int) -> int:
    """Font size in px for a picture of h x w: 15 at 480 x 640, at least 9."""
    return max(9, round(15 * _growth(h, w)))


def line_px(h: int, w: int) -> int:
    """Line width in px for a picture of h x w: 2 at 480 x 640, at least 1."""
    return max(1, round(2 * _growth(h, w)))


def _growth(h: int, w: int) -> float:
    return math.pow(math.sqrt(h * w) / _REFERENCE_SIDE, _GROWTH)


def text_size(text: str, px: int, max_width: int | None = None) -> tuple[int, int]:
    """Width and height in px that `text` takes when drawn, margin of its plate included.

    The height depends on `px` only. With `max_width` the text is cut, with an ellipsis, so that
    the whole is no wider.

    Raises:
        ValueError: a size or width below 1.
    """
    h, w = _sprite(text, px, max_width).shape
    return w, h


def draw_text(
    canvas: NDArray[np.uint8],
    text: str,
    xy: tuple[int, int],
    px: int,
    colour: Colour,
    *,
    max_width: int | None = None,
) -> None:
    """Text of font size `px` without a plate; `xy` is the top left of its `text_size`.

    White space and control characters become single spaces. What leaves the canvas is cut off.
    """
    sprite = _sprite(text, px, max_width)
    region = _overlap(canvas, xy, sprite.shape)
    if region is None:
        return
    on_canvas, on_sprite = region
    cover = sprite[on_sprite][..., None].astype(np.uint16)
    ground = canvas[on_canvas]
    ground[:] = (ground * (255 - cover) + np.array(colour, np.uint16) * cover + 127) // 255


def draw_plate_text(
    canvas: NDArray[np.uint8],
    text: str,
    xy: tuple[int, int],
    px: int,
    ink: Colour,
    plate: Colour,
    *,
    frame: bool = False,
    max_width: int | None = None,
) -> None:
    """Text on an opaque plate of exactly `text_size`, whose top left is `xy`.

    With `frame` a line in the colour of the text runs along the edge of the plate, on it. White
    space and control characters become single spaces. What leaves the canvas is cut off.
    """
    picture = _plate(text, px, ink, plate, frame, max_width)
    region = _overlap(canvas, xy, picture.shape[:2])
    if region is not None:
        on_canvas, on_picture = region
        canvas[on_canvas] = picture[on_picture]


def _overlap(
    canvas: NDArray[np.uint8], xy: tuple[int, int], hw: tuple[int, ...]
) -> tuple[tuple[slice, slice], tuple[slice, slice]] | None:
    """Where a sprite at `xy` meets the canvas: on the canvas, and on the sprite."""
    x, y = xy
    h, w = hw
    left, top = max(x, 0), max(y, 0)
    right, bottom = min(x + w, canvas.shape[1]), min(y + h, canvas.shape[0])
    if left >= right or top >= bottom:
        return None
    return (
        (slice(top, bottom), slice(left, right)),
        (slice(top - y, bottom - y), slice(left - x, right - x)),
    )


@lru_cache(maxsize=64)
def _font(px: int) -> ImageFont.FreeTypeFont:
    if px < 1:
        raise ValueError(f"a font is at least 1 px high, not {px}")
    font = ImageFont.load_default(px)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError("this build of Pillow has no FreeType, which label text needs")
    return font


@lru_cache(maxsize=64)
def _margins(px: int) -> tuple[int, int, int]:
    """Height of a capital, room for descenders, margin at the sides; px."""
    font = _font(px)
    capital = -math.floor(font.getbbox("H", anchor="ls")[1])
    descender = math.ceil(font.getbbox("gjpqy", anchor="ls")[3])
    return capital, max(descender, 1) + 1, max(2, px // 4)


@lru_cache(maxsize=512)
def _sprite(text: str, px: int, max_width: int | None) -> NDArray[np.uint8]:
    """Coverage of the text, 0 to 255, (h, w); capitals stand in the middle of the height."""
    if max_width is not None and max_width < 1:
        raise ValueError(f"text needs a width of at least 1 px, not {max_width}")
    font = _font(px)
    capital, room, side = _margins(px)
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if max_width is not None:
        line = _cut(line, font, max_width - 2 * side)
    w = math.ceil(font.getlength(line)) + 2 * side
    picture = Image.new("L", (w, capital + 2 * room))
    ImageDraw.Draw(picture).text((side, room + capital), line, fill=255, font=font, anchor="ls")
    sprite = np.array(picture)[:, :max_width]
    sprite.setflags(write=False)
    return sprite


def _cut(line: str, font: ImageFont.FreeTypeFont, width: int) -> str:
    """The longest beginning of `line` that fits in `width` px, with an ellipsis if it is cut."""
    if font.getlength(line) <= width:
        return line
    fits, too_long = 0, len(line)
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if font.getlength(line[:middle].rstrip() + ELLIPSIS) <= width:
            fits = middle
        else:
            too_long = middle
    return line[:fits].rstrip() + ELLIPSIS


@lru_cache(maxsize=512)
def _plate(
    text: str, px: int, ink: Colour, plate: Colour, frame: bool, max_width: int | None
) -> NDArray[np.uint8]:
    """The text on its plate, RGB (h, w, 3)."""
    sprite = _sprite(text, px, max_width)
    picture = np.empty((*sprite.shape, 3), np.uint8)
    picture[:] = ink if frame else plate
    if frame:
        line = max(1, px // _FRAME)
        picture[line:-line, line:-line] = plate
    draw_text(picture, text, (0, 0), px, ink, max_width=max_width)
    picture.setflags(write=False)
    return picture
