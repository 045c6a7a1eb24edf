"""Scenes made wrong on purpose, in their descriptions: what is drawn is not what was asked for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations
from typing import TypeVar

import numpy as np

from gen.predictions.scenes.checks import (
    Box,
    Check,
    InBox,
    InZone,
    Look,
    Relation,
    Size,
    holds,
)
from gen.predictions.scenes.description import (
    COLORS,
    LARGE,
    SMALL,
    TEXTURES,
    Color,
    Seen,
    Shape,
    Thing,
)
from gen.predictions.scenes.layout import GROUND, Kind, fits, free_place, place, random_extent
from gen.predictions.scenes.shapes import bounds

Things = tuple[Thing, ...]
Checks = Mapping[str, Check]
_One = TypeVar("_One")

MARGIN = 0.03
"""By how much what stands right of another thing must do so, as a share of the picture's side."""
_TRIES = 24
# Boxes that overlap less are told from those that fit, whatever a pixel more or less.
_ELSEWHERE = 0.4


def broken(
    things: Sequence[Thing],
    checks: Checks,
    error_type: str,
    severity: int,
    rng: np.random.Generator,
    size: Size,
) -> Things | None:
    """`things` with an error by which `severity` or more of `checks` fail that held.

    `severity` goes from 1 to 5; more checks fail for a higher one. Streams in equal states give
    errors that build on each other, where that is possible. `size` is the picture's height and
    width. None if the scene has too few things, places or relations to be so wrong. Raises KeyError
    for an `error_type` that is not one of `ERRORS`.
    """
    wrong = ERRORS[error_type](tuple(things), checks, severity, rng, size)
    if wrong is None or len(unmet(checks, sketched(wrong, size), size)) < severity:
        return None
    return wrong


def sketched(things: Iterable[Thing], size: Size) -> list[Seen]:
    """What a picture of `things` will show, by their bounds alone."""
    return [_sketch(thing, bounds(thing, size)) for thing in things]


def unmet(checks: Checks, seen: Sequence[Seen], size: Size) -> set[str]:
    """The names of those `checks` that do not hold."""
    return {name for name, check in checks.items() if not holds(check, seen, size)}


def clear(check: Check, seen: Sequence[Seen], size: Size) -> bool:
    """Whether a relation or zone holds, or fails, even if its thing were `MARGIN` elsewhere."""
    if not isinstance(check, Relation | InZone):
        return True
    verdict = holds(check, seen, size)
    right, down = MARGIN * size[1], MARGIN * size[0]
    for x, y in ((right, 0.0), (-right, 0.0), (0.0, down), (0.0, -down)):
        moved = [_shifted(one, x, y) if check.look.fits(one) else one for one in seen]
        if holds(check, moved, size) != verdict:
            return False
    return True


def _sketch(thing: Thing, box: Box) -> Seen:
    area = (box[2] - box[0]) * (box[3] - box[1])
    return Seen(thing.shape, thing.color, thing.texture, box, area)


def _shifted(seen: Seen, x: float, y: float) -> Seen:
    x1, y1, x2, y2 = seen.box
    return replace(seen, box=(x1 + x, y1 + y, x2 + x, y2 + y))


def _groups(things: Things, rng: np.random.Generator) -> list[list[int]]:
    """Indices of things that look alike, in random order after one of large things.

    The least error must be seen, and a small thing is a small part of a picture.
    """
    alike: dict[Look, list[int]] = {}
    for index, thing in enumerate(things):
        alike.setdefault(Look.of(thing), []).append(index)
    groups = list(alike.values())
    order = [groups[k] for k in rng.permutation(len(groups))]
    first = next((k for k, group in enumerate(order) if things[group[0]].size == LARGE), 0)
    return [order.pop(first), *order]


def _recolored(
    things: Things, checks: Checks, severity: int, rng: np.random.Generator, size: Size
) -> Things | None:
    groups = _groups(things, rng)
    if len(groups) < severity:
        return None
    wrong = list(things)
    for group in groups[:severity]:
        shape = things[group[0]].shape
        taken = {thing.color for thing in things if thing.shape == shape}
        color = _drawn([color for color in COLORS if color not in taken], rng)
        for index in group:
            wrong[index] = replace(things[index], color=color)
    return tuple(wrong)


def _missing(
    things: Things, checks: Checks, severity: int, rng: np.random.Generator, size: Size
) -> Things | None:
    groups = _groups(things, rng)
    if len(groups) < severity:
        return None
    gone = [group[-1] for group in groups[:severity]]
    return tuple(thing for index, thing in enumerate(things) if index not in gone)


def _miscounted(
    things: Things, checks: Checks, severity: int, rng: np.random.Generator, size: Size
) -> Things | None:
    """One more of a kind, or one fewer where some are left."""
    groups = _groups(things, rng)
    fewer = [len(group) > 1 and bool(rng.random() < 0.5) for group in groups]
    models = [things[group[0]] for group, less in zip(groups, fewer, strict=True) if not less]
    kinds = [Kind(one.shape, one.color, one.texture, one.size) for one in models]
    gone = [group[-1] for group, less in zip(groups[:severity], fewer, strict=False) if less]
    copies = _added(kinds, things, rng, size)[: severity - len(gone)]
    if len(copies) + len(gone) < severity:
        return None
    return (*(thing for index, thing in enumerate(things) if index not in gone), *copies)


def _crowded(
    things: Things, checks: Checks, severity: int, rng: np.random.Generator, size: Size
) -> Things | None:
    """More things, each of another one of the shapes that are counted, in colours of their own."""
    shapes: list[Shape] = list(dict.fromkeys(thing.shape for thing in things))
    used = {thing.color for thing in things}
    free: list[Color] = [color for color in COLORS if color not in used]
    kinds = [
        Kind(shapes[k], _drawn(free, rng), _drawn(TEXTURES, rng), _drawn((SMALL, LARGE), rng))
        for k in rng.permutation(len(shapes))
    ]
    extra = _added(kinds, things, rng, size)[:severity]
    return (*things, *extra) if len(extra) == severity else None


def _added(
    kinds: Sequence[Kind], things: Things, rng: np.random.Generator, size: Size
) -> list[Thing]:
    """Further things, as many of `kinds` in their order as room was found for.

    Where there is none for large ones, all but the first are small.
    """
    best: list[Thing] = []
    for attempt in range(_TRIES):
        added: list[Thing] = []
        for number, kind in enumerate(kinds):
            small = attempt >= _TRIES // 2 or (number and attempt)
            one = kind._replace(size=SMALL) if small else kind
            thing = place(one, random_extent(one.size, rng), (*things, *added), size, rng)
            if thing is None:
                break
            added.append(thing)
        if len(added) > len(best):
            best = added
        if len(best) == len(kinds):
            break
    return best


def _rearranged(
    things: Things, checks: Checks, severity: int, rng: np.random.Generator, size: Size
) -> Things | None:
    """Things in each other's places, perhaps mirrored, so that `severity` relations fail."""
    asked = [check for check in checks.values() if isinstance(check, Relation)]
    if len(asked) < severity:
        return None
    sketch = sketched(things, size)
    orders = list(permutations(range(len(things))))
    for number in rng.permutation(4 * len(orders)):
        places = [(things[index].x, things[index].y) for index in orders[number // 4]]
        if number % 2:
            places = [(1 - x, y) for x, y in places]
        if number // 2 % 2:
            places = [(x, sum(GROUND) - y) for x, y in places]
        seen = [
            _shifted(one, (x - old.x) * size[1], (y - old.y) * size[0])
            for one, old, (x, y) in zip(sketch, things, places, strict=True)
        ]
        failing = sum(not holds(check, seen, size) for check in asked)
        if failing != severity or not all(clear(check, seen, size) for check in asked):
            continue
        moved = tuple(replace(old, x=x, y=y) for old, (x, y) in zip(things, places, strict=True))
        if all(fits(one, moved[:k], size) for k, one in enumerate(moved)):
            return moved
    return None


def _scattered(
    kind: type[InBox] | type[InZone],
    things: Things,
    checks: Checks,
    severity: int,
    rng: np.random.Generator,
    size: Size,
) -> Things | None:
    """So many things away from the boxes or the parts of the picture where they are asked for."""
    asked = [check for check in checks.values() if isinstance(check, kind)]
    own = [
        [check for check in asked if holds(check, [one], size)] for one in sketched(things, size)
    ]
    order = [index for group in _groups(things, rng) for index in group if own[index]]
    if len(order) < severity:
        return None
    for _ in range(_TRIES):
        placed = {k: thing for k, thing in enumerate(things) if k not in order[:severity]}
        for index in order[:severity]:
            moved = _elsewhere(things[index], own[index], tuple(placed.values()), rng, size)
            if moved is None:
                break
            placed[index] = moved
        else:
            wrong = tuple(placed[index] for index in range(len(things)))
            seen = sketched(wrong, size)
            failing = {check for check in asked if not holds(check, seen, size)}
            if failing == {check for index in order[:severity] for check in own[index]}:
                return wrong
    return None


def _elsewhere(
    thing: Thing,
    asked: Sequence[InBox | InZone],
    others: Things,
    rng: np.random.Generator,
    size: Size,
) -> Thing | None:
    """`thing` at a free place where what is `asked` of it fails beyond doubt."""
    for _ in range(_TRIES):
        spot = free_place(others, thing.extent, rng, size, thing.shape, thing.turn)
        if spot is None:
            return None
        moved = replace(thing, x=spot[0], y=spot[1])
        seen = sketched([moved], size)
        if all(_fails(check, seen, size) for check in asked):
            return moved
    return None


def _fails(check: InBox | InZone, seen: Sequence[Seen], size: Size) -> bool:
    if isinstance(check, InBox):
        return not holds(replace(check, least_iou=_ELSEWHERE), seen, size)
    return not holds(check, seen, size) and clear(check, seen, size)


def _drawn(choices: Sequence[_One], rng: np.random.Generator) -> _One:
    return choices[int(rng.integers(len(choices)))]


ERRORS: Mapping[str, Callable[[Things, Checks, int, np.random.Generator, Size], Things | None]] = {
    "wrong_color": _recolored,
    "wrong_count": _miscounted,
    "wrong_relation": _rearranged,
    "wrong_place": partial(_scattered, InZone),
    "missing_object": _missing,
    "extra_object": _crowded,
    "control_ignored": partial(_scattered, InBox),
}
