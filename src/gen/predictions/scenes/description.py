"""A scene in words and numbers: what stands where, and how it looks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

Shape = Literal["ball", "cube", "cylinder", "cone", "ring"]
Color = Literal["red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink"]
Texture = Literal["plain", "striped", "spotted"]

SHAPES: tuple[Shape, ...] = get_args(Shape)
COLORS: tuple[Color, ...] = get_args(Color)
TEXTURES: tuple[Texture, ...] = get_args(Texture)

SMALL, LARGE = "small", "large"
EXTENTS: Mapping[str, tuple[float, float]] = {SMALL: (0.10, 0.13), LARGE: (0.18, 0.24)}
"""The least and the greatest extent of what is called small and large."""
LARGE_FROM = 0.155
"""What is at least so wide counts as large, what is less wide as small."""
MAX_THINGS = 6


@dataclass(frozen=True, slots=True)
class Thing:
    """An object of a scene.

    `x` and `y` are where it touches the ground, as shares of the picture's width and height from
    its top left corner; `extent` is its width as a share of the picture's width; `turn` is its
    rotation about the vertical in degrees (a ring with 0 faces the camera).
    """

    shape: Shape
    color: Color
    texture: Texture
    x: float
    y: float
    extent: float
    turn: float = 0.0

    @property
    def size(self) -> str:
        """`SMALL` or `LARGE`."""
        return LARGE if self.extent >= LARGE_FROM else SMALL

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Thing":
        return cls(**record)


@dataclass(frozen=True, slots=True)
class Seen:
    """An object as a picture shows it: `box` is x1, y1, x2, y2 in pixels, `area` in pixels."""

    shape: Shape
    color: Color
    texture: Texture
    box: tuple[float, float, float, float]
    area: float
