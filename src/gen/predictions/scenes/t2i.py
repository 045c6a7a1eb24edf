"""Text-to-image generation: a scene in words."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from gen.predictions.scenes.attempts import Scene, backing, lighting
from gen.predictions.scenes.breaking import clear, sketched, unmet
from gen.predictions.scenes.case import Case, Stage
from gen.predictions.scenes.checks import (
    SIDES,
    ZONES,
    InZone,
    Look,
    Relation,
    Size,
    Zone,
    holds,
    text,
    to_json,
)
from gen.predictions.scenes.composing import (
    arranged,
    compose,
    inventory,
    listing,
    reference,
    sentence,
)
from gen.predictions.scenes.description import Seen
from gen.predictions.scenes.words import joined

_TASK = "t2i"
_TRIES = 16
_RELATIONS = 5
_PLACES_STATED = 0.4


def case(stage: Stage) -> Case | None:
    """A prompt of several things, with how they stand to each other or where in the picture.

    None if no scene was found that can be told from its picture without doubt.
    """
    rng = stage.stream(_TASK)
    backdrop, uses_photo = backing(stage, rng)
    for _ in range(_TRIES):
        groups = compose(rng)
        things = arranged(groups, stage.size, rng)
        if things is None:
            continue
        seen = sketched(things, stage.size)
        singles = [reference(group, groups) for group in groups if group.number == 1]
        asked: list[InZone] | list[Relation]
        if rng.random() < _PLACES_STATED:
            asked = zones = _zones(singles, seen, stage.size, rng)
            told = _zones_told(zones)
        else:
            asked = relations = _relations(singles, seen, stage.size, rng)
            told = _relations_told(relations)
        if len(asked) < len(singles):
            continue
        checks = inventory(groups)
        checks |= {f"{asked[k].kind}_{k + 1}": asked[k] for k in range(len(asked))}
        if unmet(checks, seen, stage.size):
            continue
        scene = Scene(stage, _TASK, things, checks, backdrop, lighting(rng))
        right = scene.attempt("blur", 0)
        if right is None or not all(right.met.values()):
            continue
        listed = sentence(f"{listing(groups)} on a table")
        return Case(
            prompt=" ".join([listed, *told, "There is nothing else on the table."]),
            given=None,
            checks={name: text(check) for name, check in checks.items()},
            details={
                "checks": {name: to_json(check) for name, check in checks.items()},
                "things": [thing.to_json() for thing in things],
            },
            attempt=scene.attempt,
            uses_photo=uses_photo,
        )
    return None


def _relations(
    looks: Sequence[Look], seen: Sequence[Seen], size: Size, rng: np.random.Generator
) -> list[Relation]:
    """So many relations that hold beyond doubt, each pair in at most one, in order of subjects."""
    pairs = list(combinations(looks, 2))
    found: list[Relation] = []
    for number in rng.permutation(len(pairs)):
        one, other = pairs[number] if rng.random() < 0.5 else pairs[number][::-1]
        for side in (SIDES[k] for k in rng.permutation(len(SIDES))):
            relation = Relation(one, side, other)
            if holds(relation, seen, size) and clear(relation, seen, size):
                found.append(relation)
                break
    return sorted(found[:_RELATIONS], key=lambda relation: looks.index(relation.look))


def _relations_told(relations: Sequence[Relation]) -> list[str]:
    """One sentence for each thing of which something is said."""
    told: dict[Look, list[str]] = {}
    for relation in relations:
        side = relation.side.replace("left", "to the left").replace("right", "to the right")
        told.setdefault(relation.look, []).append(f"{side} the {relation.other.text()}")
    return [sentence(f"the {look.text()} is {joined(parts)}") for look, parts in told.items()]


def _zones(
    looks: Sequence[Look], seen: Sequence[Seen], size: Size, rng: np.random.Generator
) -> list[InZone]:
    """For each thing a part of the picture in which it is beyond doubt, if there is one."""
    found = []
    for look in looks:
        for zone in (ZONES[k] for k in rng.permutation(len(ZONES))):
            check = InZone(look, zone)
            if holds(check, seen, size) and clear(check, seen, size):
                found.append(check)
                break
    return found


def _zones_told(zones: Sequence[InZone]) -> list[str]:
    """One sentence for each part of the picture."""
    told: dict[Zone, list[str]] = {}
    for check in zones:
        told.setdefault(check.zone, []).append(f"the {check.look.text()}")
    return [
        sentence(
            f"{joined(names)} {'is' if len(names) == 1 else 'are'} in the {zone} of the picture"
        )
        for zone, names in told.items()
    ]
