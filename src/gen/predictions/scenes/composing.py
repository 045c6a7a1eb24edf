"""Which things a scene is asked to have, in words and as checks."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gen.predictions.scenes.checks import Check, Count, Look, NothingElse, OfSize, Size
from gen.predictions.scenes.description import (
    COLORS,
    LARGE,
    SHAPES,
    SMALL,
    TEXTURES,
    Texture,
    Thing,
)
from gen.predictions.scenes.layout import Kind, arrange, place, random_extent
from gen.predictions.scenes.words import counted, joined, phrase

# How many alike things the groups of a scene have: most scenes have five groups, so that each of
# five severities can be about one more of them.
_NUMBERS = (
    *((1, 1, 1, 1, 1),) * 5,
    *((2, 1, 1, 1, 1),) * 4,
    *((2, 1, 1, 1), (3, 1, 1, 1)),
)
_SHARED_SHAPE = 0.12
_PLAIN = 0.5
_SIZE_STATED = 0.5
_MOST_LARGE = 2
# Errors add things, one for each group.
_ROOM, _LAYOUTS = 5, 40


@dataclass(frozen=True, slots=True)
class Group:
    """`number` things of a kind; `sized` tells whether their size is asked for, too."""

    kind: Kind
    number: int
    sized: bool

    @property
    def noun(self) -> str:
        """What is asked for, such as "large red striped ball"."""
        shape, color, texture, size = self.kind
        return phrase(shape, color, texture, size if self.sized else None)


def compose(rng: np.random.Generator, *, mapped: bool = False) -> tuple[Group, ...]:
    """Groups of things, no two of one colour, at least one of large things.

    If they are `mapped`, a picture tells where and how large they are to be: none is asked for by
    its size, and no two groups are of one shape, so that a shape tells which thing is meant.
    """
    numbers = _NUMBERS[int(rng.integers(len(_NUMBERS)))]
    shapes = [SHAPES[k] for k in rng.permutation(len(SHAPES))[: len(numbers)]]
    if not mapped and rng.random() < _SHARED_SHAPE:
        shapes[-1] = shapes[-2]
    colors = [COLORS[k] for k in rng.permutation(len(COLORS))[: len(numbers)]]
    singles = [k for k, number in enumerate(numbers) if number == 1]
    most = int(rng.integers(1, _MOST_LARGE + 1))
    large = [singles[k] for k in rng.permutation(len(singles))[:most]]
    groups = []
    for k, number in enumerate(numbers):
        texture: Texture = "plain" if rng.random() < _PLAIN else TEXTURES[1 + rng.integers(2)]
        size = LARGE if k in large else SMALL
        sized = number == 1 and not mapped and bool(rng.random() < _SIZE_STATED)
        groups.append(Group(Kind(shapes[k], colors[k], texture, size), number, sized))
    return tuple(groups[k] for k in rng.permutation(len(groups)))


def kinds(groups: Sequence[Group]) -> list[Kind]:
    """One kind for each thing of `groups`, in their order."""
    return [group.kind for group in groups for _ in range(group.number)]


def arranged(
    groups: Sequence[Group], size: Size, rng: np.random.Generator
) -> tuple[Thing, ...] | None:
    """A place for each of the things of `groups`, with room for as many more as errors add.

    None if not even the things themselves have room in a picture of `size`.
    """
    best: tuple[Thing, ...] | None = None
    most = -1
    for _ in range(_LAYOUTS):
        try:
            things = arrange(rng, kinds(groups), size)
        except ValueError:
            return None
        room = _room(things, size, rng)
        if room > most:
            best, most = things, room
        if most >= _ROOM:
            break
    return best


def _room(things: tuple[Thing, ...], size: Size, rng: np.random.Generator) -> int:
    """How many small things more were found a place for."""
    kind = Kind("cone", COLORS[0], "plain", SMALL)
    all_things = list(things)
    while len(all_things) < len(things) + _ROOM:
        added = place(kind, random_extent(SMALL, rng), all_things, size, rng)
        if added is None:
            break
        all_things.append(added)
    return len(all_things) - len(things)


def reference(group: Group, groups: Sequence[Group]) -> Look:
    """By what the things of `group` are spoken of: by shape, with the colour if others share it."""
    shared = sum(other.kind.shape == group.kind.shape for other in groups) > 1
    return Look(group.kind.shape, group.kind.color if shared else None)


def census(groups: Sequence[Group]) -> dict[str, Check]:
    """By names: so many things of each shape, and nothing else."""
    shapes = Counter(kind.shape for kind in kinds(groups))
    asked: dict[str, Check] = {
        f"count_{shape}": Count(Look(shape), n) for shape, n in shapes.items()
    }
    asked["nothing_else"] = NothingElse(sum(shapes.values()))
    return asked


def inventory(groups: Sequence[Group]) -> dict[str, Check]:
    """By names: the census of `groups`, and each colour, texture and size that is asked for."""
    asked = census(groups)
    for group in groups:
        look = reference(group, groups)
        shape, color, texture, size = group.kind
        asked[f"color_{color}_{shape}"] = Count(Look(shape, color), group.number)
        name = look.text().replace(" ", "_")
        if texture != "plain":
            asked[f"texture_{name}"] = Count(Look(look.shape, look.color, texture), group.number)
        if group.sized:
            asked[f"size_{name}"] = OfSize(look, "large" if size == LARGE else "small")
    return asked


def listing(groups: Sequence[Group]) -> str:
    """What is asked for, such as "two red balls and a large blue cone"."""
    return joined([counted(group.number, group.noun) for group in groups])


def sentence(words: str) -> str:
    """`words` with a capital letter and a full stop."""
    return f"{words[0].upper()}{words[1:]}."
