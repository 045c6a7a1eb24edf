"""Layers of a picture: each paints its part, and says its part of the format description."""

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.item import free_text
from gen.judge.encodings.masks import cells
from gen.judge.encodings.masks.colors import Assignment
from gen.judge.encodings.masks.scene import Mark, Scene, Shape
from gen.render import fill, shapes
from gen.render.grid import draw_grid, grid_shape
from gen.render.palette import Colour, text_colour
from gen.render.placement import place_labels
from gen.render.text import draw_plate_text, font_px, line_px, text_size
from gen.wording import Noun
from gen.wording.masks import MaskWords, Opacity

Canvas = NDArray[np.uint8]
BLACK: Colour = (0, 0, 0)
# A plate may be this large beside the box of its thing before letters shrink, down to 0.6 of the
# usual size but not below 9 px: on crowded photos labels would else hide what they name.
PLATE_SHARE = 0.3
SMALLEST, SMALLEST_PX = 0.6, 9
# Outlines are no thinner, px, even on small photos, where boxes and grids are drawn with 1 px.
THINNEST = 2
# The outline of a thing less than this many lines across has no casing: little else would be seen.
CASED = 10


class MaskLayer(Protocol):
    """A layer of masks, which also says its part of the format description."""

    def paint(self, canvas: Canvas, scene: Scene, colors: Assignment) -> None: ...

    def phrase(self, words: MaskWords, noun: Noun, size: tuple[int, int]) -> str:
        """What a judge has to know of this layer, on a photo of `size` (height, width)."""
        ...


@dataclass(frozen=True, slots=True)
class Fill:
    """Filled masks, blended once as a whole; `opacity` None fills with the color itself.

    With `rim` a thin black line runs around each mask, on what lies below it: in a solid fill
    masks of one color would else run into each other.
    """

    opacity: float | None
    rim: bool

    def paint(self, canvas: Canvas, scene: Scene, colors: Assignment) -> None:
        width = max(1, line_px(*scene.size) // 2)
        pieces: list[tuple[int, int, NDArray[np.uint8]]] = []
        inks = [BLACK]
        for mark in scene.visible:
            shape = mark.shape
            if self.rim:
                pieces.append(_widened(shape, width))
                inks.append(BLACK)
            pieces.append((shape.x0, shape.y0, shape.crop))
            inks.append(colors.swatch(mark).rgb)
        ids = fill.id_map(pieces, scene.size)
        fill.fill(canvas, ids, np.array(inks, np.uint8), _strength(self.opacity))

    def phrase(self, words: MaskWords, noun: Noun, size: tuple[int, int]) -> str:
        if self.opacity is None:
            sentence = words.fill.solid.format(one=noun.one)
        else:
            sentence = words.fill.blended.format(
                one=noun.one,
                opacity=self.opacity,
                opacity_words=opacity_in_words(self.opacity, words.opacity),
            )
        return f"{sentence} {words.outline.black.format(one=noun.one)}" if self.rim else sentence


@dataclass(frozen=True, slots=True)
class Contour:
    """The outline of each mask, holes included, in its own color, cased in black or white.

    Without the casing a red line on a red photo could not be seen.
    """

    def paint(self, canvas: Canvas, scene: Scene, colors: Assignment) -> None:
        usual = max(THINNEST, line_px(*scene.size))
        for mark in scene.visible:
            rings = [ring for part in mark.shape.rings for ring in (part.outer, *part.holes)]
            color = colors.swatch(mark).rgb
            side = min(mark.shape.crop.shape)
            casing = text_colour(color) if side >= CASED * usual else None
            width = shapes.line_width(usual, side, side)
            shapes.draw_contours(canvas, rings, color, width, casing)

    def phrase(self, words: MaskWords, noun: Noun, size: tuple[int, int]) -> str:
        return words.outline.own_color.format(one=noun.one)


@dataclass(frozen=True, slots=True)
class DashedBoxes:
    """A dashed box around each thing, in its color."""

    def paint(self, canvas: Canvas, scene: Scene, colors: Assignment) -> None:
        for mark in scene.visible:
            shapes.draw_dashed_box(
                canvas, mark.shape.box, colors.swatch(mark).rgb, line_px(*scene.size)
            )

    def phrase(self, words: MaskWords, noun: Noun, size: tuple[int, int]) -> str:
        return words.dashed_boxes.format(one=noun.one)


@dataclass(frozen=True, slots=True)
class Labels:
    """The class name of each thing, on a plate of its color; small things get small letters.

    Unless `every`, crowded labels that repeat what another one nearby says are left out.
    """

    every: bool

    def paint(self, canvas: Canvas, scene: Scene, colors: Assignment) -> None:
        width = scene.size[1]
        marks = scene.visible[::-1]  # small things first, since they have fewest places
        names = [free_text(mark.label) for mark in marks]
        fonts = [_font(mark, name, scene.size) for mark, name in zip(marks, names, strict=True)]
        spots = place_labels(
            [mark.shape.box for mark in marks],
            [text_size(name, px, width) for name, px in zip(names, fonts, strict=True)],
            scene.size,
            objects=[(one.shape.x0, one.shape.y0, one.shape.crop) for one in marks],
            groups=None if self.every else names,
        )
        for mark, name, px, spot in zip(marks, names, fonts, spots, strict=True):
            if spot is not None:
                plate = colors.swatch(mark).rgb
                draw_plate_text(
                    canvas, name, spot, px, text_colour(plate), plate, frame=True, max_width=width
                )

    def phrase(self, words: MaskWords, noun: Noun, size: tuple[int, int]) -> str:
        sentence = words.labels.every if self.every else words.labels.with_room
        return sentence.format(one=noun.one)


@dataclass(frozen=True, slots=True)
class CellGrid:
    """Masks cut down to cells; `longer` is their number on the longer side of the photo."""

    longer: int
    opacity: float | None

    def paint(self, canvas: Canvas, scene: Scene, colors: Assignment) -> None:
        owners = cells.owners(scene, self.longer)
        inks = np.zeros((len(scene.marks) + 1, 3), np.uint8)
        for mark in cells.shown(scene, owners):
            inks[mark.index] = colors.swatch(mark).rgb
        draw_grid(canvas, owners, inks, _strength(self.opacity), font_px(*scene.size))

    def phrase(self, words: MaskWords, noun: Noun, size: tuple[int, int]) -> str:
        rows, columns = grid_shape(*size, self.longer)
        nouns = {"one": noun.one, "many": noun.many}
        sentences = [words.cells.grid.format(**nouns, rows=rows, columns=columns)]
        if self.opacity is None:
            sentences += [words.cells.fill_solid.format(one=noun.one), words.cells.rest_separate]
        else:
            blended = words.cells.fill_blended.format(
                one=noun.one,
                opacity=self.opacity,
                opacity_words=opacity_in_words(self.opacity, words.opacity),
            )
            sentences += [blended, words.cells.rest_overlay]
        return " ".join(sentences)


def _font(mark: Mark, name: str, size: tuple[int, int]) -> int:
    """The font size in px of the label of a mark on a photo of `size` (height, width)."""
    x1, y1, x2, y2 = mark.shape.box
    room = PLATE_SHARE * (x2 - x1) * (y2 - y1)
    usual = font_px(*size)
    for px in range(usual, max(SMALLEST_PX, round(SMALLEST * usual)), -1):
        width, height = text_size(name, px, size[1])
        if width * height <= room:
            return px
    return max(SMALLEST_PX, round(SMALLEST * usual))


def opacity_in_words(opacity: float, words: Opacity) -> str:
    """An opacity from 0 to 1 as a person would say it."""
    if opacity in (0.0, 0.5, 1.0):
        return {0.0: words.none, 0.5: words.half, 1.0: words.full}[opacity]
    return words.mostly_transparent if opacity < 0.5 else words.mostly_opaque


def _strength(opacity: float | None) -> float:
    return 1.0 if opacity is None else opacity


def _widened(shape: Shape, width: int) -> tuple[int, int, NDArray[np.uint8]]:
    """The mask of a shape grown by `width` px on all sides, as x0, y0 and crop."""
    grown = cv2.copyMakeBorder(shape.crop, width, width, width, width, cv2.BORDER_CONSTANT)
    kernel = np.ones((2 * width + 1, 2 * width + 1), np.uint8)
    return shape.x0 - width, shape.y0 - width, np.asarray(cv2.dilate(grown, kernel), np.uint8)
