"""Where things stand, so that none touches another one."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gen.predictions.scenes.description import (
    COLORS,
    EXTENTS,
    LARGE,
    MAX_THINGS,
    SHAPES,
    SMALL,
    TEXTURES,
    Color,
    Shape,
    Texture,
    Thing,
)
from gen.predictions.scenes.shapes import bounds

GAP = 0.03
"""Between any two silhouettes, as a share of the picture's width."""
_MARGIN = 0.02
GROUND = (0.52, 0.93)
"""Where things may touch the ground, as shares of the picture's height."""
_PLACES, _FRESH_STARTS = 60, 40
Size = tuple[int, int]


class Kind(NamedTuple):
    """A thing that has no place yet; `size` is `SMALL` or `LARGE`."""

    shape: Shape
    color: Color
    texture: Texture
    size: str


def random_kind(rng: np.random.Generator) -> Kind:
    """Any kind, each shape, colour and size as likely as another; half are plain."""
    texture: Texture = "plain" if rng.random() < 0.5 else TEXTURES[1 + rng.integers(2)]
    return Kind(
        SHAPES[rng.integers(len(SHAPES))],
        COLORS[rng.integers(len(COLORS))],
        texture,
        SMALL if rng.random() < 0.5 else LARGE,
    )


def random_turn(shape: Shape, rng: np.random.Generator) -> float:
    """A rotation in degrees in which `shape` is recognised: cubes show two sides, rings a hole."""
    low, high = {"cube": (22.0, 68.0), "ring": (-18.0, 18.0)}.get(shape, (0.0, 360.0))
    return round(float(rng.uniform(low, high)), 2)


def random_extent(size: str, rng: np.random.Generator) -> float:
    """A width that is called `size`."""
    return round(float(rng.uniform(*EXTENTS[size])), 4)


def arrange(rng: np.random.Generator, kinds: Sequence[Kind], size: Size) -> tuple[Thing, ...]:
    """A place for each of `kinds`, in their order, in a picture of `size` (height, width).

    Silhouettes lie within the picture and at least `GAP` apart. Raises ValueError for more than
    `MAX_THINGS`, or for a picture so wide or so narrow that they have no room.
    """
    if len(kinds) > MAX_THINGS:
        raise ValueError(f"{len(kinds)} things, expected at most {MAX_THINGS}")
    for start in range(_FRESH_STARTS):
        things: list[Thing] = []
        for kind in sorted(range(len(kinds)), key=lambda k: kinds[k].size != LARGE):
            low, high = EXTENTS[kinds[kind].size]
            # The more starts have failed, the smaller the things.
            widest = high - (high - low) * start / _FRESH_STARTS
            extent = round(float(rng.uniform(low, widest)), 4)
            placed = place(kinds[kind], extent, things, size, rng)
            if placed is None:
                break
            things.append(placed)
        else:
            order = sorted(range(len(kinds)), key=lambda k: kinds[k].size != LARGE)
            return tuple(things[order.index(kind)] for kind in range(len(kinds)))
    raise ValueError(f"no room for {len(kinds)} things in {size[1]} x {size[0]} pixels")


def place(
    kind: Kind, extent: float, things: Sequence[Thing], size: Size, rng: np.random.Generator
) -> Thing | None:
    """A thing of `kind` at a random free place, turned at random; None if none was found."""
    turn = random_turn(kind.shape, rng)
    for _ in range(_PLACES):
        x, y = float(rng.uniform(0.05, 0.95)), float(rng.uniform(*GROUND))
        thing = Thing(kind.shape, kind.color, kind.texture, round(x, 4), round(y, 4), extent, turn)
        if fits(thing, things, size):
            return thing
    return None


def free_place(
    things: Sequence[Thing],
    extent: float,
    rng: np.random.Generator,
    size: Size,
    shape: Shape = "cylinder",
    turn: float = 0.0,
) -> tuple[float, float] | None:
    """`x` and `y` at which one more thing touches none of `things`; None if none was found.

    Without a `shape`, the tallest one is taken.
    """
    for _ in range(_PLACES):
        x, y = round(float(rng.uniform(0.05, 0.95)), 4), round(float(rng.uniform(*GROUND)), 4)
        if fits(Thing(shape, "red", "plain", x, y, extent, turn), things, size):
            return x, y
    return None


def fits(thing: Thing, things: Sequence[Thing], size: Size) -> bool:
    """Whether `thing` lies within the picture and at least `GAP` from each of `things`."""
    height, width = size
    x1, y1, x2, y2 = bounds(thing, size)
    margin, gap = _MARGIN * width, GAP * width
    if min(x1, y1, width - x2, height - y2) < margin:
        return False
    for other in things:
        left, top, right, bottom = bounds(other, size)
        if max(left - x2, x1 - right, top - y2, y1 - bottom) < gap:
            return False
    return True
