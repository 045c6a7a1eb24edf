"""Controllable generation: things in words, and a map of where each of them is to be."""

from gen.predictions.scenes.attempts import Scene, backing, lighting
from gen.predictions.scenes.breaking import sketched, unmet
from gen.predictions.scenes.case import Case, Stage
from gen.predictions.scenes.checks import Check, InBox, Look, text, to_json
from gen.predictions.scenes.composing import (
    arranged,
    compose,
    inventory,
    listing,
    reference,
    sentence,
)
from gen.predictions.scenes.controls import CONTROLS, NOUNS, control

_TASK = "controllable"
_TRIES = 16


def case(stage: Stage) -> Case | None:
    """A prompt that names things, and a map that shows where: edges, labelled boxes or depth.

    Things of one shape are alike, so that each is known by its outline. None if no scene was found
    that can be told from its picture without doubt.
    """
    rng = stage.stream(_TASK)
    backdrop, uses_photo = backing(stage, rng)
    height, width = stage.size
    kind = CONTROLS[int(rng.integers(len(CONTROLS)))]
    for _ in range(_TRIES):
        groups = compose(rng, distinct=True)
        things = arranged(groups, stage.size, rng)
        if things is None:
            continue
        seen = sketched(things, stage.size)
        checks: dict[str, Check] = {}
        for number, one in enumerate(seen, 1):
            x1, y1, x2, y2 = one.box
            box = (
                *(round(x1 / width, 4), round(y1 / height, 4)),
                *(round(x2 / width, 4), round(y2 / height, 4)),
            )
            checks[f"place_{number}_{one.shape}"] = InBox(Look(one.shape), box)
        checks |= inventory(groups)
        if unmet(checks, seen, stage.size):
            continue
        scene = Scene(stage, _TASK, things, checks, backdrop, lighting(rng))
        right = scene.attempt("blur", 0)
        if right is None or not all(right.met.values()):
            continue
        labels = [reference(group, groups).text() for group in groups for _ in range(group.number)]
        where = f"each where the {NOUNS[kind]} shows it"
        return Case(
            prompt=" ".join(
                [
                    sentence(f"{listing(groups)} on a table, {where}"),
                    "There is nothing else on the table.",
                ]
            ),
            given=control(kind, things, labels, stage.size),
            checks={name: text(check) for name, check in checks.items()},
            details={
                "control": kind,
                "checks": {name: to_json(check) for name, check in checks.items()},
                "things": [thing.to_json() for thing in things],
            },
            attempt=scene.attempt,
            uses_photo=uses_photo,
        )
    return None
