"""Where things stand, so that none touches another one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
GROUND = (0.46, 0.95)
"""Where things may touch the ground, as shares of the picture's height."""
_PLACES, _STARTS = 200, 40
Size = tuple[int, int]
Coordinates = NDArray[np.float64]


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
    `MAX_THINGS`, or if no room was found: up to four things, two of them large, have room in any
    picture that is at most twice as wide as high; six large ones have at 4:3 or higher.
    """
    if len(kinds) > MAX_THINGS:
        raise ValueError(f"{len(kinds)} things, expected at most {MAX_THINGS}")
    order = sorted(range(len(kinds)), key=lambda index: kinds[index].size != LARGE)
    for start in range(_STARTS):
        # The more starts have failed, the smaller are the things and the closer they stand.
        late = start / (_STARTS - 1)
        corner = tuple(rng.random(2) < 0.5) if late > 0.2 else None
        placed: dict[int, Thing] = {}
        for index in order:
            low, high = EXTENTS[kinds[index].size]
            extent = round(float(rng.uniform(low, high - (high - low) * late)), 4)
            thing = place(kinds[index], extent, list(placed.values()), size, rng, corner)
            if thing is None:
                break
            placed[index] = thing
        else:
            return tuple(placed[index] for index in range(len(kinds)))
    raise ValueError(f"no room for {len(kinds)} things in {size[1]} x {size[0]} pixels")


def place(
    kind: Kind,
    extent: float,
    things: Sequence[Thing],
    size: Size,
    rng: np.random.Generator,
    corner: tuple[bool, ...] | None = None,
) -> Thing | None:
    """A thing of `kind` at a random free place, turned at random; None if none was found.

    With a `corner` (whether it is the right one, the near one) the free place next to it is taken.
    """
    turn = random_turn(kind.shape, rng)
    found = free_place(things, extent, rng, size, kind.shape, turn, corner)
    return None if found is None else Thing(*kind[:3], *found, extent, turn)


def free_place(
    things: Sequence[Thing],
    extent: float,
    rng: np.random.Generator,
    size: Size,
    shape: Shape = "cylinder",
    turn: float = 0.0,
    corner: tuple[bool, ...] | None = None,
) -> tuple[float, float] | None:
    """`x` and `y` at which one more thing touches none of `things`; None if none was found.

    Without a `shape`, the tallest one is taken. For `corner` see `place`.
    """
    x = np.round(rng.uniform(0, 1, _PLACES), 4)
    y = np.round(rng.uniform(*GROUND, _PLACES), 4)
    free = np.flatnonzero(
        _fit(Thing(shape, "red", "plain", 0.0, 0.0, extent, turn), x, y, things, size)
    )
    if not len(free):
        return None
    best = free[0]
    if corner is not None:
        right, near = corner
        away = (1 - x if right else x) + (1 - y if near else y)
        best = free[away[free].argmin()]
    return float(x[best]), float(y[best])


def fits(thing: Thing, things: Sequence[Thing], size: Size) -> bool:
    """Whether `thing` lies within the picture and at least `GAP` from each of `things`."""
    x, y = np.array([thing.x]), np.array([thing.y])
    return bool(_fit(replace(thing, x=0.0, y=0.0), x, y, things, size)[0])


def _fit(
    thing: Thing, x: Coordinates, y: Coordinates, things: Sequence[Thing], size: Size
) -> NDArray[np.bool_]:
    """At which of the places (`x`, `y`) a thing that stands at 0, 0 would fit."""
    height, width = size
    box = bounds(thing, size)
    left, right = box[0] + x * width, box[2] + x * width
    top, bottom = box[1] + y * height, box[3] + y * height
    margin, gap = _MARGIN * width, GAP * width
    fit = np.minimum(np.minimum(left, top), np.minimum(width - right, height - bottom)) >= margin
    for other in things:
        x1, y1, x2, y2 = bounds(other, size)
        across, down = np.maximum(x1 - right, left - x2), np.maximum(y1 - bottom, top - y2)
        fit &= np.maximum(across, down) >= gap
    return np.asarray(fit)
