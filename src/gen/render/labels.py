"""Names of things on plates by their boxes: letters of a fitting size, clear of each other."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gen.render.fill import Crop
from gen.render.palette import Colour, text_colour
from gen.render.placement import Box, place_labels
from gen.render.text import draw_plate_text, font_px, text_size

# A plate may be this large beside the box of its thing before letters shrink, down to 0.6 of the
# usual size but not below 9 px: on crowded pictures labels would else hide what they name.
_PLATE_SHARE = 0.3
_SMALLEST, _SMALLEST_PX = 0.6, 9


def draw_labels(
    canvas: NDArray[np.uint8],
    names: Sequence[str],
    boxes: Sequence[Box],
    plates: Sequence[Colour],
    objects: Sequence[Crop],
    every: bool,
) -> None:
    """Write the name of each thing on a plate by its box, in turn; no plate leaves the canvas.

    Args:
        canvas: RGB uint8 (height, width, 3), changed in place.
        names: what each thing is called; where there is no room, a name is cut with an ellipsis.
        boxes: x1, y1, x2, y2 of each thing, px; x2 and y2 exclusive.
        plates: the colour of each plate. Letters and its edge are black or white.
        objects: what should stay visible; these crops lie on the canvas.
        every: whether crowded labels that repeat what one nearby says are drawn, too.

    Raises:
        ValueError: as many boxes as names are needed; coordinates must be finite.
    """
    height, width = canvas.shape[:2]
    fonts = [_font(name, box, (height, width)) for name, box in zip(names, boxes, strict=True)]
    spots = place_labels(
        boxes,
        [text_size(name, px, width) for name, px in zip(names, fonts, strict=True)],
        (height, width),
        objects,
        groups=None if every else names,
    )
    for name, px, plate, spot in zip(names, fonts, plates, spots, strict=True):
        if spot is not None:
            ink = text_colour(plate)
            draw_plate_text(canvas, name, spot, px, ink, plate, frame=True, max_width=width)


def _font(name: str, box: Box, size: tuple[int, int]) -> int:
    """The font size in px of a label by `box` on a picture of `size` (height, width)."""
    x1, y1, x2, y2 = box
    room = _PLATE_SHARE * (x2 - x1) * (y2 - y1)
    usual = font_px(*size)
    least = max(_SMALLEST_PX, round(_SMALLEST * usual))
    for px in range(usual, least, -1):
        width, height = text_size(name, px, size[1])
        if width * height <= room:
            return px
    return least
