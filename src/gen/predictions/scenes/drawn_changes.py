"""Changes that can be asked of a drawn scene: before and after, in words and as checks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gen.predictions.scenes.checks import Check, Count, InZone, Look, NothingElse, Zone
from gen.predictions.scenes.description import COLORS, LARGE, SHAPES, SMALL, Thing
from gen.predictions.scenes.layout import Kind, fits, place, random_extent, random_kind
from gen.predictions.scenes.words import name, with_article

Things = tuple[Thing, ...]
Size = tuple[int, int]

# Widths of what is edited, as shares of the picture's: the least error is to be seen.
_EXTENTS = (0.23, 0.29)
_OTHERS = (2, 3)
_TRIES = 40
# Of the width of a thing, where there is no room for it.
_SMALLER = 0.7
# Where a thing on a photo touches the ground, at least, as a share of the photo's height.
_LOW = 0.84
_PLACES: Mapping[Zone, tuple[str, float]] = {
    "left third": ("on the left", 1 / 6),
    "middle third": ("in the middle", 1 / 2),
    "right third": ("on the right", 5 / 6),
}


class Change(NamedTuple):
    """One thing made another one, or taken away, or added: None stands for no thing."""

    old: Thing | None
    new: Thing | None


@dataclass(frozen=True, slots=True)
class Asked:
    """A change of a scene. `kind` is one of `KINDS`; `what` names the thing that is changed.

    `mistaken` is the same done to another thing, or at another place; None if that is not possible.
    """

    kind: str
    instruction: str
    what: str
    before: Things
    change: Change
    mistaken: Change | None
    checks: Mapping[str, Check]

    @property
    def by_hue(self) -> bool:
        """Whether the colour of what is new is a matter of its hue."""
        return self.kind not in ("remove", "move")

    @property
    def after(self) -> Things:
        """The things of the scene as asked."""
        return changed(self.before, self.change)


def changed(things: Things, change: Change) -> Things:
    """`things` with `change`."""
    kept = tuple(thing for thing in things if thing != change.old)
    return kept if change.new is None else (*kept, change.new)


def scene(rng: np.random.Generator, size: Size) -> Things | None:
    """A large thing and some others, no two of one colour or one shape; None without room."""
    colors = [COLORS[k] for k in rng.permutation(len(COLORS))]
    shapes = [SHAPES[k] for k in rng.permutation(len(SHAPES))]
    things: list[Thing] = []
    for index in range(1 + int(rng.integers(_OTHERS[0], _OTHERS[1] + 1))):
        kind = random_kind(rng)._replace(color=colors[index], shape=shapes[index])
        extent = random_extent(SMALL if index % 2 else LARGE, rng) if index else _extent(rng)
        placed = place(kind, extent, things, size, rng)
        if placed is None:
            return None
        things.append(placed)
    return tuple(things)


def ask(kind: str, things: Things, size: Size, rng: np.random.Generator) -> Asked | None:
    """A change of the given kind to the first of `things`; None if it cannot be made here."""
    return KINDS[kind](things, size, rng)


def addition(zone: Zone, size: Size, rng: np.random.Generator) -> Asked | None:
    """A thing to be added to a photo, low in a third of it; by mistake, in another third."""
    kind = random_kind(rng)
    new = _standing(kind, zone, (), size, rng, lowest=_LOW)
    if new is None:
        return None
    return _added(
        (), new, zone, f"in the {zone} of the photo", _elsewhere(new, zone, (new,), size, rng)
    )


def _recolored(things: Things, size: Size, rng: np.random.Generator) -> Asked | None:
    target, other = things[0], things[1]
    taken = {thing.color for thing in things}
    free = [color for color in COLORS if color not in taken]
    color = free[int(rng.integers(len(free)))]
    template = ("Make the {} {}.", "Change the color of the {} to {}.")[int(rng.integers(2))]
    new = replace(target, color=color)
    return Asked(
        kind="recolor",
        instruction=template.format(_name(target), color),
        what=f"the {_name(target)}",
        before=things,
        change=Change(target, new),
        mistaken=Change(other, replace(other, color=color)),
        checks=_inventory(things, Change(target, new)),
    )


def _removed(things: Things, size: Size, rng: np.random.Generator) -> Asked | None:
    target = things[0]
    template = ("Remove the {}.", "Take the {} out of the picture.")[int(rng.integers(2))]
    return Asked(
        kind="remove",
        instruction=template.format(_name(target)),
        what=f"the {_name(target)}",
        before=things,
        change=Change(target, None),
        mistaken=Change(things[1], None),
        checks=_inventory(things, Change(target, None)),
    )


def _put_in(things: Things, size: Size, rng: np.random.Generator) -> Asked | None:
    new, others = things[0], things[1:]
    zone = _zone(new)
    mistaken = _elsewhere(new, zone, things, size, rng)
    return _added(others, new, zone, f"{_PLACES[zone][0]} of the picture", mistaken)


def _moved(things: Things, size: Size, rng: np.random.Generator) -> Asked | None:
    target, others = things[0], things[1:]
    zones = [zone for zone in _PLACES if zone != _zone(target)]
    zone = zones[int(rng.integers(len(zones)))]
    new = _at(target, zone, things, size, rng)
    if new is None:
        return None
    moved = _at(others[0], zone, (*things, new), size, rng)
    change = Change(target, new)
    to = {"middle third": "the middle"}.get(zone, f"the {zone.split()[0]} side")
    return Asked(
        kind="move",
        instruction=f"Move the {_name(target)} to {to} of the picture.",
        what=f"the {_name(target)}",
        before=things,
        change=change,
        mistaken=None if moved is None else Change(others[0], moved),
        checks={**_inventory(things, change), "place": InZone(Look.of(new), zone)},
    )


def _replaced(things: Things, size: Size, rng: np.random.Generator) -> Asked | None:
    target, other = things[0], things[1]
    used = {thing.shape for thing in things}
    free = [shape for shape in SHAPES if shape not in used]
    if not free:
        return None
    shape = free[int(rng.integers(len(free)))]
    taken = {thing.color for thing in things}
    colors = [color for color in COLORS if color not in taken]
    color = colors[int(rng.integers(len(colors)))]
    new = replace(target, shape=shape, color=color, turn=30.0 if shape == "cube" else 0.0)
    wrong = replace(other, shape=shape, color=color, turn=new.turn)
    if not fits(new, things[1:], size) or not fits(wrong, (target, *things[2:]), size):
        return None
    change = Change(target, new)
    return Asked(
        kind="replace",
        instruction=f"Replace the {_name(target)} with {with_article(_name(new))}.",
        what=f"the {_name(target)}",
        before=things,
        change=change,
        mistaken=Change(other, wrong),
        checks=_inventory(things, change),
    )


KINDS: Mapping[str, Callable[[Things, Size, np.random.Generator], Asked | None]] = {
    "recolor": _recolored,
    "remove": _removed,
    "add": _put_in,
    "move": _moved,
    "replace": _replaced,
}


def _added(others: Things, new: Thing, zone: Zone, where: str, mistaken: Thing | None) -> Asked:
    change = Change(None, new)
    noun = _name(new)
    return Asked(
        kind="add",
        instruction=f"Add {with_article(noun)} {where}.",
        what=f"the {noun}",
        before=others,
        change=change,
        mistaken=None if mistaken is None else Change(None, mistaken),
        checks={**_inventory(others, change), "place": InZone(Look.of(new), zone)},
    )


def _inventory(before: Things, change: Change) -> dict[str, Check]:
    """That what is new is there, what is gone is not, all else is, and nothing more."""
    found: dict[str, Check] = {}
    after = changed(before, change)
    for thing in after:
        role = "new" if thing == change.new else f"kept_{thing.color}_{thing.shape}"
        found[role] = Count(Look(thing.shape, thing.color), 1)
    if change.old is not None and not any(_alike(change.old, thing) for thing in after):
        found["gone"] = Count(Look(change.old.shape, change.old.color), 0)
    found["nothing_else"] = NothingElse(len(after))
    return found


def _alike(one: Thing, other: Thing) -> bool:
    return (one.shape, one.color) == (other.shape, other.color)


def _name(thing: Thing) -> str:
    return name(thing, size=False)


def _extent(rng: np.random.Generator) -> float:
    return round(float(rng.uniform(*_EXTENTS)), 4)


def _zone(thing: Thing) -> Zone:
    return min(_PLACES, key=lambda zone: abs(_PLACES[zone][1] - thing.x))


def _at(
    thing: Thing, zone: Zone, others: Sequence[Thing], size: Size, rng: np.random.Generator
) -> Thing | None:
    """`thing` in a third of the picture, away from `others`; None if no place was found."""
    for _ in range(_TRIES):
        x = _PLACES[zone][1] + float(rng.uniform(-0.10, 0.10))
        moved = replace(thing, x=round(x, 4), y=round(float(rng.uniform(0.56, 0.93)), 4))
        if fits(moved, others, size):
            return moved
    return None


def _elsewhere(
    thing: Thing, zone: Zone, others: Sequence[Thing], size: Size, rng: np.random.Generator
) -> Thing | None:
    """`thing`, or a smaller one, in another third than `zone`; None if no place was found."""
    zones = [other for other in _PLACES if other != zone]
    order = rng.permutation(len(zones))
    for share in (1.0, _SMALLER):
        scaled = replace(thing, extent=round(share * thing.extent, 4))
        for pick in order:
            found = _at(scaled, zones[pick], others, size, rng)
            if found is not None:
                return found
    return None


def _standing(
    kind: Kind,
    zone: Zone,
    others: Sequence[Thing],
    size: Size,
    rng: np.random.Generator,
    lowest: float,
) -> Thing | None:
    thing = Thing(kind.shape, kind.color, kind.texture, 0.5, 0.9, _extent(rng), 30.0)
    for _ in range(_TRIES):
        placed = _at(thing, zone, others, size, rng)
        if placed is not None and placed.y >= lowest:
            return placed
    return None
