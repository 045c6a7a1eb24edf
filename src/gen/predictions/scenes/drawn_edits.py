"""Edits of drawn scenes, and things added to photos."""

from dataclasses import asdict

import numpy as np

from gen import masks
from gen.predictions.scenes import edit_checks
from gen.predictions.scenes.attempts import backing, lighting
from gen.predictions.scenes.case import Case, Rgb, Stage
from gen.predictions.scenes.checks import Zone, facts, text, to_json, verdicts
from gen.predictions.scenes.drawing import draw, silhouette
from gen.predictions.scenes.drawn_changes import (
    KINDS,
    Asked,
    Things,
    addition,
    ask,
    changed,
    scene,
)
from gen.predictions.scenes.edit_attempts import Misplaced, Studio
from gen.predictions.scenes.edit_checks import EditTruth
from gen.predictions.scenes.edit_regions import band, grown, soft
from gen.predictions.scenes.effects import (
    Lab,
    Mask,
    Recolor,
    cast,
    chroma,
    distance,
    to_lab,
    turned,
)
from gen.predictions.scenes.reading import read

# The least share of the picture that a change concerns, so that the least part of it is seen.
_LEAST = 0.042
_TRIES = 12
# A change reaches pixels that are so many units of CIELAB off, and those about them.
_REACHED, _MARGIN = 5.0, 2
_COLORED = 20.0
_THIRDS: tuple[Zone, ...] = ("left third", "middle third", "right third")


def case(stage: Stage) -> Case | None:
    """A change of a drawn scene; None if none was found that is clear and large enough."""
    rng = stage.stream("drawn edit")
    backdrop, uses_photo = backing(stage, rng)
    light = lighting(rng)
    kind = tuple(KINDS)[int(rng.integers(len(KINDS)))]
    for _ in range(_TRIES):
        things = scene(rng, stage.size)
        asked = None if things is None else ask(kind, things, stage.size, rng)
        if asked is not None and asked.mistaken is not None:
            job = DrawnJob(asked, backdrop, light, on_photo=False)
            studio = Studio(stage, job)
            if job.is_clear() and studio.can_do_well():
                return _case(job, studio, uses_photo)
    return None


def addition_to_photo(stage: Stage) -> Case | None:
    """A thing to be added to the stage's photo; None if it would not be seen clearly there."""
    if stage.photo is None:
        return None
    rng = stage.stream("addition to a photo")
    for _ in range(_TRIES):
        zone = _THIRDS[int(rng.integers(len(_THIRDS)))]
        asked = addition(zone, stage.size, rng)
        light = lighting(rng)
        if asked is not None:
            job = DrawnJob(asked, stage.photo, light, on_photo=True)
            studio = Studio(stage, job)
            if job.is_clear() and studio.can_do_well():
                return _case(job, studio, uses_photo=True)
    return None


def _case(job: "DrawnJob", studio: Studio, uses_photo: bool) -> Case:
    asked = job.asked
    named = {name: text(check) for name, check in asked.checks.items()}
    return Case(
        prompt=asked.instruction,
        given=job.original,
        checks={**edit_checks.checks(asked.by_hue, asked.what), **named},
        details={
            "edit": asked.kind,
            "target": asked.what,
            "target_rle": asdict(masks.encode(job.target)),
            "things_before": [thing.to_json() for thing in asked.before],
            "things_after": [thing.to_json() for thing in asked.after],
            "light": round(job.light, 4),
            "added_to_photo": job.on_photo,
            "checks": {name: to_json(check) for name, check in asked.checks.items()},
        },
        attempt=studio.attempt,
        uses_photo=uses_photo,
    )


class DrawnJob:
    """A change of what is drawn on a backdrop, which is a photo as it is where `on_photo`."""

    def __init__(self, asked: Asked, backdrop: Rgb, light: float, *, on_photo: bool) -> None:
        self.asked, self.light, self.on_photo = asked, light, on_photo
        self._backdrop = backdrop
        self.original = self._drawn(asked.before)
        self.lab = to_lab(self.original)
        self._after = self._drawn(asked.after)
        self._asked = to_lab(self._after)
        self.target = _reached(self.lab, self._asked)
        self.alpha = soft(grown(self.target, _MARGIN))
        new = asked.change.new
        self._painted = soft(silhouette(new, self.target.shape)) if new else self.alpha
        self.truth = EditTruth(
            self.original, self._asked, self.target, by_hue=asked.by_hue, everywhere=False
        )
        things = (*asked.before, *asked.after)
        covered = [silhouette(thing, self.target.shape) for thing in things]
        self.spoilable = ~grown(np.logical_or.reduce(covered), band(covered[0].shape))

    def is_clear(self) -> bool:
        """Whether enough is changed, and both pictures are read as what they show."""
        return bool(
            self.target.mean() >= _LEAST
            and self._reads_as(self.original, self.asked.before)
            and self._reads_as(self._after, self.asked.after)
        )

    def done(self, amount: float) -> Lab:
        return self.lab + np.float32(amount) * (self._asked - self.lab)

    def miscolored(self, error: float, direction: float) -> Lab:
        if self.truth.by_hue:
            degrees = error if direction < 180 else -error
            wrong = turned(self._asked, degrees, self.truth.inside)
            return self._asked + self._painted[..., None] * (wrong - self._asked)
        return self._asked + np.array((0, *cast(error, direction)), np.float32)

    def bleeding(self) -> Lab:
        vivid = self._asked if self.asked.change.new is not None else self.lab
        pixels = vivid[self.target & (chroma(vivid) >= _COLORED)]
        a, b = pixels[:, 1:].mean(axis=0) if len(pixels) else (1.0, 0.0)
        hue = float(np.rad2deg(np.arctan2(b, a)) % 360)
        return Recolor(hue, 0.0).apply(self.lab, self.target)

    def misplaced(self, rng: np.random.Generator) -> Misplaced | None:
        if self.asked.mistaken is None:
            return None
        wrong = to_lab(self._drawn(changed(self.asked.before, self.asked.mistaken)))
        target = _reached(self.lab, wrong)
        return Misplaced(wrong, soft(grown(target, _MARGIN)), target)

    def read(self, picture: Rgb) -> dict[str, bool]:
        seen = read(picture, self._backdrop if self.on_photo else None)
        return verdicts(self.asked.checks, seen, self.target.shape)

    def _drawn(self, things: Things) -> Rgb:
        return draw(things, self._backdrop, self.light) if things else self._backdrop

    def _reads_as(self, picture: Rgb, things: Things) -> bool:
        size = self.target.shape
        shown = facts(things, [silhouette(thing, size) for thing in things])
        return self.read(picture) == verdicts(self.asked.checks, shown, size)


def _reached(before: Lab, after: Lab) -> Mask:
    return np.asarray(distance(before, after) >= _REACHED)
