"""Layers of a picture of boxes: each paints its part, and says its part of the description."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gen.item import free_text
from gen.judge.encodings.boxes.scene import ClassColors, Scene
from gen.render import shapes
from gen.render.labels import draw_labels
from gen.render.palette import Colour, text_colour
from gen.render.text import line_px
from gen.wording import BoxWords

Canvas = NDArray[np.uint8]

# Lines are this much wider than others on the photo: with their casing they would else look pale.
_WIDER = 1.5
# One px of casing to so many px of line.
_CASING = 3
# A box less than this many lines across has its casing outside only: the object must be seen.
_CASED_INSIDE = 10


class BoxLayer(Protocol):
    """A layer of boxes, which also says its part of the format description."""

    def paint(self, canvas: Canvas, scene: Scene, colors: ClassColors, /) -> None: ...

    def phrase(self, words: BoxWords) -> str:
        """What a judge has to know of this layer."""
        ...


@dataclass(frozen=True, slots=True)
class Frames:
    """The four sides of each box as solid lines in the color of its class."""

    def paint(self, canvas: Canvas, scene: Scene, colors: ClassColors) -> None:
        draw_frames(canvas, scene, lambda label: colors.swatch(label).rgb)

    def phrase(self, words: BoxWords) -> str:
        return words.frames.format(one=words.noun.one, many=words.noun.many)


@dataclass(frozen=True, slots=True)
class Labels:
    """The class name of each box, on a plate of its color, where there is room."""

    def paint(self, canvas: Canvas, scene: Scene, colors: ClassColors) -> None:
        marks = scene.marks[::-1]  # small boxes first, since they have fewest places
        draw_labels(
            canvas,
            [free_text(mark.label) for mark in marks],
            [mark.box for mark in marks],
            [colors.swatch(mark.label).rgb for mark in marks],
            objects=[
                (*mark.box[:2], np.broadcast_to(np.uint8(1), (mark.height, mark.width)))
                for mark in marks
            ],
            every=False,
        )

    def phrase(self, words: BoxWords) -> str:
        return words.labels.format(one=words.noun.one)


def draw_frames(canvas: Canvas, scene: Scene, color_of: Callable[[str], Colour]) -> None:
    """Draw each box on `canvas`, RGB uint8, in the color that `color_of` gives its label.

    Each line is cased in black or white before the next box is drawn, so that a red line is seen on
    red, and lines that cross or run side by side can be told apart.
    """
    usual = round(_WIDER * line_px(*scene.size))
    for mark in scene.marks:
        x0, y0, x1, y1 = mark.box
        color = color_of(mark.label)
        line = shapes.line_width(usual, mark.width, mark.height)
        casing, case = text_colour(color), max(1, line // _CASING)
        around = (x0 - case, y0 - case, x1 + case, y1 + case)
        shapes.draw_box(canvas, around, casing, case)
        if min(mark.width, mark.height) >= _CASED_INSIDE * line:
            within = (x0 + line, y0 + line, x1 - line, y1 - line)
            shapes.draw_box(canvas, within, casing, case)
        shapes.draw_box(canvas, mark.box, color, line)
