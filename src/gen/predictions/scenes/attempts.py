"""Pictures of a scene as asked for, and of what bad generators make of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.scenes.backdrops import from_photo, studio
from gen.predictions.scenes.breaking import ERRORS, broken
from gen.predictions.scenes.case import Attempt, Rgb, Stage
from gen.predictions.scenes.checks import Check, Count, InBox, Size, facts, verdicts
from gen.predictions.scenes.damage import damage
from gen.predictions.scenes.description import Thing
from gen.predictions.scenes.drawing import draw, silhouette
from gen.predictions.scenes.reading import read
from gen.predictions.scenes.spoil import spoil

VISIBLE = 0.01
"""The least share of a picture's pixels in which an error shows."""
VISIBLE_LEVELS = 8
"""By more than so many levels in one channel."""
KINDS = (*ERRORS, "blur", "artefact")
"""The kinds of error that `Scene.attempt` knows."""
# Around things, no artefact lies: it would be taken for a texture or a shape.
_CLEARANCE = 0.015
# Blur from which small stripes and spots are too faint to ask for.
_FADING = 3
_LIGHTS = (0.2, 0.55)
_STUDIOS = 0.5


@dataclass(frozen=True, slots=True)
class Scene:
    """What is asked for: `things` that meet all `checks`, drawn on `backdrop` in a `light`.

    `asked` is the picture of it.
    """

    stage: Stage
    task: str
    things: tuple[Thing, ...]
    checks: Mapping[str, Check]
    backdrop: Rgb
    light: float
    asked: Rgb = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "asked", draw(self.things, self.backdrop, self.light))

    @property
    def size(self) -> Size:
        return self.backdrop.shape[0], self.backdrop.shape[1]

    def attempt(self, error_type: str, severity: int) -> Attempt | None:
        """What `Case.attempt` asks for: the picture of the scene with one kind of error.

        None where the error cannot be made, would hardly be seen, or where pixels do not tell of
        the things what their description does.
        """
        if severity == 0:
            return measured(self.asked, self.things, self.checks)
        random = self.stage.stream(self.task, error_type)
        things = self.things
        if error_type == "blur":
            picture = spoil(self.asked, "blur", severity, random)
        elif error_type == "artefact":
            picture = spoil(self.asked, "artefact", severity, random, self._around())
        else:
            wrong = broken(things, self.checks, error_type, severity, random, self.size)
            if wrong is None:
                return None
            things = wrong
            picture = draw(things, self.backdrop, self.light)
        if changed(picture, self.asked) < VISIBLE:
            return None
        return measured(
            picture, things, self.checks, patterns_fade=error_type == "blur" and severity >= _FADING
        )

    def _around(self) -> NDArray[np.bool_]:
        """Where no thing is."""
        covered = np.zeros(self.size, np.uint8)
        for thing in self.things:
            covered |= silhouette(thing, self.size).astype(np.uint8)
        reach = round(_CLEARANCE * self.size[1])
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
        return np.asarray(cv2.dilate(covered, kernel) == 0)


def lighting(rng: np.random.Generator) -> float:
    """A lamp well to one side, as `draw` takes it."""
    return float(rng.uniform(*_LIGHTS)) * (1 if rng.random() < 0.5 else -1)


def backing(stage: Stage, rng: np.random.Generator) -> tuple[Rgb, bool]:
    """What the things of a scene stand on and before, and whether the stage's photo was used."""
    if rng.random() < _STUDIOS or stage.photo is None:
        return studio(stage.size, rng), False
    return from_photo(stage.photo, rng), True


def measured(
    picture: Rgb,
    things: tuple[Thing, ...],
    checks: Mapping[str, Check],
    *,
    patterns_fade: bool = False,
) -> Attempt | None:
    """`picture`, which shows `things`, with the verdicts that its pixels give.

    None if they differ from those of the description: then a viewer could err as well. With
    `patterns_fade` a check of a texture may fail where stripes or spots are no longer seen.
    """
    size = picture.shape[0], picture.shape[1]
    met = verdicts(checks, read(picture), size)
    shown = verdicts(checks, facts(things, [silhouette(thing, size) for thing in things]), size)
    for name, check in checks.items():
        faded = patterns_fade and isinstance(check, Count | InBox) and check.look.texture
        if met[name] != shown[name] and not (faded and shown[name]):
            return None
    return Attempt(picture, met, damage(picture))


def changed(picture: Rgb, other: Rgb) -> float:
    """The share of pixels in which two pictures of one size differ to the eye."""
    difference = cv2.absdiff(picture, other).max(axis=2)
    return float((difference > VISIBLE_LEVELS).mean())
