"""What an instruction can ask of a photo so that it is clear and its effect is seen."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gen.predictions.scenes.case import Rgb, Stage
from gen.predictions.scenes.edit_checks import EditTruth
from gen.predictions.scenes.effects import (
    COLORFUL,
    PAINTS,
    Defocus,
    Effect,
    Exposure,
    Grey,
    Lab,
    Mask,
    Recolor,
    chroma,
    everywhere,
    to_lab,
)
from gen.predictions.scenes.photo_things import Named, named_things, parts

# A median change (CIE76) that nobody overlooks, and one that is seen over a large area.
_OBVIOUS, _SEEN = 20.0, 13.0
# The share of the target that the effect must show on, and of the rest (so that a spill is seen).
_LIVE_INSIDE, _LIVE_OUTSIDE = 0.6, 0.25
# Hair, skin, clothes and what screens show have no one colour; parts of a photo even less.
_NOT_PAINTED = frozenset({"", "person", "tv", "laptop", "eye", "coffee", "scissors"})
_NEW_HUE = 65.0
"""A paint is so many degrees or more from the hue that a colourful thing has."""


class Edit(NamedTuple):
    """What is asked: the effect on `target` and on nothing else. `what` names the target."""

    instruction: str
    kind: str
    what: str
    category: str
    target: Mask
    effect: Effect
    truth: EditTruth


def edits(stage: Stage, photo: Rgb) -> Iterator[Edit]:
    """What can be asked so that it is clear, and seen where it is done, in random order.

    Edits of things come first, those of parts of the photo after them.
    """
    lab, rng = to_lab(photo), stage.stream("photo edit")
    things = named_things(stage.instances, stage.size)
    choices = [(thing, kind) for thing in things for kind in ("paint", "paint", *_KINDS)]
    areas = [(part, kind) for part in parts(stage.size) for kind in _PART_KINDS]
    order = [choices[k] for k in rng.permutation(len(choices))]
    for thing, kind in order + [areas[k] for k in rng.permutation(len(areas))]:
        target = ~thing.mask if kind in ("grey rest", "defocus") else thing.mask
        made = _paint(thing, lab, rng) if kind == "paint" else _effect(thing, kind, lab, rng)
        if made is None:
            continue
        instruction, effect = made
        truth = EditTruth(
            photo,
            everywhere(effect, lab, target),
            target,
            by_hue=isinstance(effect, Recolor),
            everywhere=True,
        )
        if _shows(truth, target, kind):
            what = f"everything but {thing.words}" if target is not thing.mask else thing.words
            yield Edit(instruction, kind, what, thing.category, target, effect, truth)


_PART_KINDS = ("grey", "brighten", "darken", "blur")
_KINDS = (*_PART_KINDS, "grey rest", "defocus")
_TEMPLATES = {
    "paint": ("Make {thing} {color}.", "Change the color of {thing} to {color}."),
    "grey": ("Turn {thing} black and white and keep everything else in color.",),
    "grey rest": (
        "Turn everything except {thing} black and white.",
        "Keep {thing} in color and make the rest of the photo black and white.",
    ),
    "brighten": ("Make {thing} much brighter.", "Brighten {thing} and leave the rest as it is."),
    "darken": ("Make {thing} much darker.", "Darken {thing} and leave the rest as it is."),
    "blur": ("Blur {thing} and keep everything else sharp.",),
    "defocus": (
        "Keep {thing} sharp and blur everything else.",
        "Blur everything except {thing}.",
    ),
}


def _sentence(kind: str, thing: Named, rng: np.random.Generator, color: str = "") -> str:
    templates = _TEMPLATES[kind]
    chosen = templates[int(rng.integers(len(templates)))]
    return chosen.format(thing=thing.words, color=color)


def _effect(
    thing: Named, kind: str, lab: Lab, rng: np.random.Generator
) -> tuple[str, Effect] | None:
    pixels = lab[thing.mask]
    light = float(np.median(pixels[:, 0]))
    own = float(np.median(chroma(pixels)))
    effect: Effect
    if kind == "brighten" and light <= 62:
        effect = Exposure(power=0.5)
    elif kind == "darken" and light >= 40:
        effect = Exposure(power=2.0)
    elif kind in ("grey", "grey rest") and own >= COLORFUL:
        effect = Grey()
    elif kind == "blur" or (kind == "defocus" and not thing.many):
        effect = Defocus(sigma=0.016)
    else:
        return None
    return _sentence(kind, thing, rng), effect


def _paint(thing: Named, lab: Lab, rng: np.random.Generator) -> tuple[str, Effect] | None:
    if thing.category in _NOT_PAINTED:
        return None
    pixels = lab[thing.mask]
    light, own = float(np.median(pixels[:, 0])), float(np.median(chroma(pixels)))
    a, b = pixels[:, 1:].mean(axis=0)
    hue = float(np.rad2deg(np.arctan2(b, a)))
    fitting = [
        name
        for name, paint in PAINTS.items()
        if paint.lightness[0] <= light <= paint.lightness[1]
        and (own < COLORFUL or abs((paint.hue - hue + 180) % 360 - 180) >= _NEW_HUE)
    ]
    if not fitting:
        return None
    color = fitting[int(rng.integers(len(fitting)))]
    effect = Recolor(PAINTS[color].hue, round(own, 2))
    return _sentence("paint", thing, rng, color), effect


def _shows(truth: EditTruth, target: Mask, kind: str) -> bool:
    least = _SEEN if kind == "grey rest" else _OBVIOUS
    if kind in ("blur", "defocus"):
        # Blur changes edges only, and the smooth parts between them not at all.
        inside, outside = 0.12, 0.25
        least = 0.0
    else:
        inside, outside = _LIVE_INSIDE, _LIVE_OUTSIDE
        if kind == "grey rest":
            inside = 0.4
    return bool(
        truth.visible >= least
        and truth.inside.sum() >= max(inside * target.sum(), 0.03 * target.size)
        and truth.outside.sum() >= max(outside * (~target).sum(), 0.02 * target.size)
    )
