"""Layers of a picture: each paints its part, and says its part of the format description."""

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.item import free_text
from gen.judge.encodings.masks import cells
from gen.judge.encodings.masks.colors import Assignment
from gen.judge.encodings.masks.scene import Scene, Shape
from gen.render import fill, shapes
from gen.render.grid import draw_grid, grid_shape
from gen.render.labels import draw_labels
from gen.render.palette import Colour, text_colour
from gen.render.text import font_px, line_px
from gen.wording.masks import Cells, Opacity

Canvas = NDArray[np.uint8]
BLACK: Colour = (0, 0, 0)
# Outlines are no thinner, px, even on small photos, where boxes and grids are drawn with 1 px.
THINNEST = 2
# The outline of a thing less than this many lines across has no casing: little else would be seen.
CASED = 10
# Lines about a thing that is filled, too, are no wider than this part of its shorter side, or they
# would hide it; those of 1 px then have no casing, since the fill shows the thing on any ground.
SLENDER = 24  # in widths


class MaskLayer(Protocol):
    """A layer of masks, which also says its part of the format description."""

    def paint(self, canvas: Canvas, scene: Scene, colors: Assignment) -> None: ...

    def phrase(self, size: tuple[int, int]) -> str:
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
    sentence: str

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

    def phrase(self, size: tuple[int, int]) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class Contour:
    """The outline of each mask, holes included, in its own color, cased in black or white.

    Without the casing a red line on a red photo could not be seen. With `filled` masks below it
    the line is thinner around small things.
    """

    sentence: str
    filled: bool = False

    def paint(self, canvas: Canvas, scene: Scene, colors: Assignment) -> None:
        usual = max(THINNEST, line_px(*scene.size))
        for mark in scene.visible:
            rings = [ring for part in mark.shape.rings for ring in (part.outer, *part.holes)]
            color = colors.swatch(mark).rgb
            side = min(mark.shape.crop.shape)
            width = shapes.line_width(usual, side, side)
            cased = side >= CASED * usual
            if self.filled:
                width = slender(usual, side)
                cased = width >= min(usual, THINNEST)
            casing = text_colour(color) if cased else None
            shapes.draw_contours(canvas, rings, color, width, casing)

    def phrase(self, size: tuple[int, int]) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class DashedBoxes:
    """A dashed box around each thing, in its color."""

    sentence: str

    def paint(self, canvas: Canvas, scene: Scene, colors: Assignment) -> None:
        for mark in scene.visible:
            width = slender(line_px(*scene.size), min(mark.shape.crop.shape))
            shapes.draw_dashed_box(canvas, mark.shape.box, colors.swatch(mark).rgb, width)

    def phrase(self, size: tuple[int, int]) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class Labels:
    """The class name of each thing, on a plate of its color; small things get small letters.

    Unless `every`, crowded labels that repeat what another one nearby says are left out.
    """

    every: bool
    sentence: str

    def paint(self, canvas: Canvas, scene: Scene, colors: Assignment) -> None:
        marks = scene.visible[::-1]  # small things first, since they have fewest places
        draw_labels(
            canvas,
            [free_text(mark.label) for mark in marks],
            [mark.shape.box for mark in marks],
            [colors.swatch(mark).rgb for mark in marks],
            objects=[(one.shape.x0, one.shape.y0, one.shape.crop) for one in marks],
            every=self.every,
        )

    def phrase(self, size: tuple[int, int]) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class CellGrid:
    """Masks cut down to cells; `longer` is their number on the longer side of the photo."""

    longer: int
    opacity: float | None
    words: Cells
    opacity_words: Opacity

    def paint(self, canvas: Canvas, scene: Scene, colors: Assignment) -> None:
        owners = cells.owners(scene, self.longer)
        inks = np.zeros((int(owners.max()) + 1, 3), np.uint8)
        for mark in cells.shown(scene, owners):
            inks[mark.index] = colors.swatch(mark).rgb
        draw_grid(canvas, owners, inks, _strength(self.opacity), font_px(*scene.size))

    def phrase(self, size: tuple[int, int]) -> str:
        rows, columns = grid_shape(*size, self.longer)
        said = [self.words.grid.format(rows=rows, columns=columns)]
        if self.opacity is None:
            said += [self.words.fill_solid, self.words.rest_separate]
        else:
            blended = self.words.fill_blended.format(
                opacity=self.opacity,
                opacity_words=opacity_in_words(self.opacity, self.opacity_words),
            )
            said += [blended, self.words.rest_overlay]
        return " ".join(said)


def slender(usual: int, side: int) -> int:
    """The width of a line about a thing whose shorter side is `side` px: `usual` or less, px."""
    return min(usual, max(1, side // SLENDER))


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
