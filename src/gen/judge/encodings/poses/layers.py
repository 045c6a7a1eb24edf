"""The figures of persons: joints as discs and links as lines, in colors by a scheme."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gen.judge.encodings.poses.scene import Figure, Scene
from gen.predictions.skeleton import JOINTS, RIGHT
from gen.render import palette, shapes
from gen.render.palette import Colour, Swatch, text_colour

Canvas = NDArray[np.uint8]

GREEN: Colour = (0, 255, 0)
PART_SWATCHES: tuple[Swatch, ...] = palette.PALETTE[: len(JOINTS)]

# Radius of the dot that marks a joint of the right side, in radii of the joint.
_DOT = 0.4
# The casing of a line: 1 px to so many px of its width.
_CASING = 3


@dataclass(frozen=True, slots=True)
class Scheme:
    """What colors go by: one for all, one for each person, or one for each joint."""

    by: Literal["single", "person", "part"]

    def joint(self, figure: Figure, joint: int) -> Colour:
        """The color of a joint, by its number."""
        if self.by == "single":
            return GREEN
        if self.by == "person":
            return palette.swatch(figure.number).rgb
        return PART_SWATCHES[joint].rgb

    def link(self, figure: Figure, link: tuple[int, int]) -> Colour:
        """The color of a link: that of the joint at its end that comes later in COCO's order."""
        return self.joint(figure, max(link))


@dataclass(frozen=True, slots=True)
class Figures:
    """Persons, one after the other, so that those in front stay whole where they overlap.

    Lines and discs are cased in black or white, so that they show on a ground of any color. Unless
    colors tell the joints, those of the right side have a dot: one side could not be told from the
    other without it.
    """

    skeleton: bool
    sides: bool

    def paint(self, canvas: Canvas, scene: Scene, scheme: Scheme) -> None:
        for figure in scene.painted:
            if self.skeleton:
                _paint_links(canvas, figure, scheme)
            self._paint_joints(canvas, figure, scheme)

    def _paint_joints(self, canvas: Canvas, figure: Figure, scheme: Scheme) -> None:
        radius = figure.radius
        casing = _casing(_line(radius))
        for joint, point in figure.points.items():
            color = scheme.joint(figure, joint)
            shapes.draw_disc(canvas, point, radius + casing, text_colour(color))
            shapes.draw_disc(canvas, point, radius, color)
            if self.sides and joint in RIGHT:
                shapes.draw_disc(canvas, point, int(_DOT * radius), text_colour(color))


def _paint_links(canvas: Canvas, figure: Figure, scheme: Scheme) -> None:
    width = _line(figure.radius)
    cased = width + 2 * _casing(width)
    links = [(figure.points[a], figure.points[b], (a, b)) for a, b in figure.links]
    for start, end, link in links:
        shapes.draw_line(canvas, start, end, text_colour(scheme.link(figure, link)), cased)
    for start, end, link in links:
        shapes.draw_line(canvas, start, end, scheme.link(figure, link), width)


def _line(radius: int) -> int:
    """The width of links between joints of `radius` px: odd, so that lines are centred."""
    return 2 * (radius // 3) + 1


def _casing(width: int) -> int:
    return max(1, width // _CASING)
