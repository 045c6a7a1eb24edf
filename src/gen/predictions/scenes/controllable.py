"""Controllable generation: things in words, and a map of where each of them is to be."""

from collections.abc import Sequence

from gen.predictions.scenes.attempts import Scene, backing, lighting
from gen.predictions.scenes.breaking import sketched, unmet
from gen.predictions.scenes.case import Case, Stage
from gen.predictions.scenes.checks import Check, InBox, Look, Size, text, to_json
from gen.predictions.scenes.composing import arranged, census, compose, kinds, listing, sentence
from gen.predictions.scenes.controls import CONTROLS, NOUNS, control
from gen.predictions.scenes.description import Seen

_TASK = "controllable"
_TRIES = 16


def case(stage: Stage) -> Case | None:
    """A prompt that names things, and a map that shows where: edges, labelled boxes or depth.

    None if no scene was found that can be told from its picture without doubt.
    """
    rng = stage.stream(_TASK)
    backdrop, uses_photo = backing(stage, rng)
    kind = CONTROLS[int(rng.integers(len(CONTROLS)))]
    for _ in range(_TRIES):
        groups = compose(rng, mapped=True)
        things = arranged(groups, stage.size, rng)
        if things is None:
            continue
        seen = sketched(things, stage.size)
        checks = _places(seen, stage.size) | census(groups)
        if unmet(checks, seen, stage.size):
            continue
        scene = Scene(stage, _TASK, things, checks, backdrop, lighting(rng))
        right = scene.attempt("blur", 0)
        if right is None or not all(right.met.values()):
            continue
        asked = sentence(f"{listing(groups)} on a table, each where the {NOUNS[kind]} shows it")
        return Case(
            prompt=f"{asked} There is nothing else on the table.",
            given=control(kind, things, [one.shape for one in kinds(groups)], stage.size),
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


def _places(seen: Sequence[Seen], size: Size) -> dict[str, Check]:
    """By names: at each place the right shape, in its colour, and with its texture if it has one.

    What is right but elsewhere does not count: it is the map that a judge is to look at.
    """
    height, width = size
    asked: dict[str, Check] = {}
    for number, one in enumerate(seen, 1):
        x1, y1, x2, y2 = one.box
        box = (
            *(round(x1 / width, 4), round(y1 / height, 4)),
            *(round(x2 / width, 4), round(y2 / height, 4)),
        )
        asked[f"place_{number}"] = InBox(Look(one.shape), box)
        asked[f"color_{number}"] = InBox(Look(one.shape, one.color), box)
        if one.texture != "plain":
            asked[f"texture_{number}"] = InBox(Look(one.shape, None, one.texture), box)
    return asked
