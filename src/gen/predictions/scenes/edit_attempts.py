"""An edit done well, or badly in stated ways, whatever it is about."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple, Protocol

import cv2
import numpy as np

from gen.predictions.scenes import edit_checks
from gen.predictions.scenes.case import Attempt, Rgb, Stage
from gen.predictions.scenes.damage import damage
from gen.predictions.scenes.edit_checks import EditTruth
from gen.predictions.scenes.edit_regions import Alpha, part, soft, spread
from gen.predictions.scenes.effects import Lab, Mask, distance, to_rgb
from gen.predictions.scenes.spoil import SPOILINGS, spoil

# For severities 1 to 5, each between two thresholds of the checks: what is left of the strength and
# of the target, what is reached of the rest, and how far colours are off.
_STRENGTH = (0.74, 0.54, 0.38, 0.22, 0.0)
_PART = (0.74, 0.54, 0.38, 0.22, 0.07)
_SPILL = (0.03, 0.08, 0.155, 0.28, 0.60)
_HUE = (14.5, 25.0, 44.0, 75.0, 150.0)
_CAST = (8.0, 12.0, 16.5, 22.5, 35.0)
_AMOUNTS = (0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 1.0)
# Colours that differ by less (CIE76) are the same byte for byte.
_TOUCHED = 0.02
# Errors must be seen: that share of the pixels is more than so many levels off.
_VISIBLE, _LEVELS = 0.01, 8
# Which checks fail by one more with each severity of an error.
_FAMILY = {
    "edit_ignored": "strength",
    "partial": "coverage",
    "wrong_target": "coverage",
    "spill": "outside",
    "wrong_color": "color",
}
KINDS = (*_FAMILY, *SPOILINGS)
"""The kinds of error that an edit can be given."""


class Misplaced(NamedTuple):
    """The edit done to something else: the Lab picture, where it shows, and what it was done to."""

    lab: Lab
    alpha: Alpha
    target: Mask


class Job(Protocol):
    """An edit of one picture, and what it takes to do it."""

    original: Rgb
    lab: Lab
    target: Mask
    alpha: Alpha
    truth: EditTruth
    spoilable: Mask
    """Where artefacts may lie."""

    def done(self, amount: float) -> Lab:
        """The edit on the target (what it is elsewhere does not matter), `amount` from 0 to 1."""
        ...

    def miscolored(self, error: float, direction: float) -> Lab:
        """The same with colours off by `error` in the unit of the truth, either way."""
        ...

    def bleeding(self) -> Lab:
        """What an edit leaves that runs over the outline of its target."""
        ...

    def misplaced(self, rng: np.random.Generator) -> Misplaced | None:
        """The edit done to something else; None where there is nothing else."""
        ...

    def read(self, picture: Rgb) -> Mapping[str, bool]:
        """More checks of a picture, by name."""
        ...


class Studio:
    """Does one job, well or badly."""

    def __init__(self, stage: Stage, job: Job) -> None:
        self._stage, self._job = stage, job
        self._full = job.done(1.0)
        self._good = self._shown((self._full, job.alpha))
        self._wanted = to_rgb(job.truth.wanted)
        self._strengths = lru_cache(maxsize=1)(self._measured_strengths)

    def can_do_well(self) -> bool:
        """Whether the edit, done as asked, meets all checks."""
        return self.attempt("edit_ignored", 0) is not None

    def attempt(self, error_type: str, severity: int) -> Attempt | None:
        """As `Case.attempt`. None also where the pixels do not show what was done."""
        picture = self._good
        if severity > 0:
            made = self._badly_done(error_type, severity)
            if made is None or not _differ(made, self._good):
                return None
            picture = made
        truth = self._job.truth
        met = edit_checks.verdicts(truth.measure(picture), truth.by_hue)
        read = self._job.read(picture)
        # What is spoilt as a whole still shows all that was asked; if it reads otherwise, it cannot
        # be told what it shows.
        if error_type in SPOILINGS and not all(read.values()):
            return None
        met |= read
        if not _as_made(met, error_type, severity):
            return None
        spoilt = damage(picture, (self._job.original, self._wanted), self._job.target)
        return Attempt(picture, met, spoilt)

    def _badly_done(self, error_type: str, severity: int) -> Rgb | None:
        rng = self._stage.stream("edit", error_type)
        job, step = self._job, severity - 1
        made: Rgb | None = None
        match error_type:
            case "blur":
                made = spoil(self._good, "blur", severity, rng)
            case "artefact":
                made = spoil(self._good, "artefact", severity, rng, job.spoilable)
            case "seam":
                region = job.target if job.target.mean() < 0.5 else ~job.target
                made = spoil(self._good, "seam", severity, rng, region)
            case "edit_ignored":
                made = self._shown((job.done(self._amount_for(_STRENGTH[step])), job.alpha))
            case "partial":
                kept = soft(part(job.truth.inside, _PART[step], rng))
                made = self._shown((self._full, job.alpha * kept))
            case "spill":
                reached = spread(job.target, job.truth.outside, _SPILL[step], job.lab, rng)
                over = soft(reached & ~job.target) * (1 - job.alpha)
                made = self._shown((self._full, job.alpha), (job.bleeding(), over))
            case "wrong_color":
                error = (_HUE if job.truth.by_hue else _CAST)[step]
                direction = float(rng.uniform(0, 360))
                made = self._shown((job.miscolored(error, direction), job.alpha))
            case "wrong_target":
                made = self._displaced(_PART[step], rng)
        return made

    def _displaced(self, left: float, rng: np.random.Generator) -> Rgb | None:
        """So much `left` of the edit, and the other part of it done to something else."""
        job = self._job
        other = job.misplaced(rng)
        if other is None:
            return None
        kept = job.alpha * soft(part(job.truth.inside, left, rng))
        moved = other.alpha * soft(part(other.target, 1 - left, rng))
        return self._shown((other.lab, moved), (self._full, kept))

    def _shown(self, *layers: tuple[Lab, Alpha]) -> Rgb:
        """The original with each of `layers` on it in turn, where it shows."""
        lab = self._job.lab
        for layer, alpha in layers:
            lab = lab + alpha[..., None] * (layer - lab)
        # Pixels that are not changed keep their bytes, whatever rounding of colours does.
        touched = distance(lab, self._job.lab) > _TOUCHED
        return np.where(touched[..., None], to_rgb(lab), self._job.original)

    def _amount_for(self, strength: float) -> float:
        """The amount of the edit that gives a measured `strength`, by interpolation."""
        if strength <= 0:
            return 0.0
        return float(np.interp(strength, self._strengths(), (0.0, *_AMOUNTS)))

    def _measured_strengths(self) -> tuple[float, ...]:
        found = [0.0]
        for amount in _AMOUNTS:
            picture = self._shown((self._job.done(amount), self._job.alpha))
            found.append(max(found[-1], self._job.truth.measure(picture).strength))
        return tuple(found)


def _as_made(met: Mapping[str, bool], error_type: str, severity: int) -> bool:
    """Whether the pixels show the error that was made, and none where none was made."""
    if severity == 0:
        return all(met.values())
    family = _FAMILY.get(error_type)
    return family is None or edit_checks.failed(met, family) == severity


def _differ(one: Rgb, other: Rgb) -> bool:
    levels = cv2.absdiff(one, other).max(axis=2)
    return float((levels > _LEVELS).mean()) >= _VISIBLE
