"""Edits of photos, at what is truly on them: asked for, done, and done wrong in stated ways."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache

import cv2
import numpy as np

from gen import masks
from gen.predictions.scenes import edit_checks
from gen.predictions.scenes.case import Attempt, Case, Rgb, Stage
from gen.predictions.scenes.damage import damage
from gen.predictions.scenes.edit_regions import matte, part, soft, spread
from gen.predictions.scenes.effects import Effect, Mask, Recolor, to_lab, to_rgb
from gen.predictions.scenes.photo_targets import Edit, edits
from gen.predictions.scenes.spoil import SPOILINGS, spoil

# For severities 1 to 5, each between two thresholds of the checks: what is left of the strength and
# of the target, what is reached of the rest, and how far colours are off.
_STRENGTH = (0.74, 0.54, 0.38, 0.22, 0.0)
_PART = (0.74, 0.54, 0.38, 0.22, 0.07)
_SPILL = (0.03, 0.08, 0.155, 0.28, 0.60)
_HUE = (22.0, 37.0, 52.0, 75.0, 150.0)
_CAST = (6.0, 10.0, 14.5, 20.5, 34.0)
# An edit that is done well is as strong as this, at random.
_GOOD = (0.96, 1.0)
_AMOUNTS = (0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 1.0)
_VISIBLE, _LEVELS = 0.01, 8
# Which checks fail by one more with each severity of an error.
_FAMILY = {
    "edit_ignored": "strength",
    "partial": "coverage",
    "wrong_target": "coverage",
    "spill": "outside",
    "wrong_color": "color",
}
_SMALLEST = 0.03


def case(stage: Stage) -> Case | None:
    """An edit of a thing on the stage's photo; None if no edit is clear and visible there."""
    if stage.photo is None:
        return None
    for edit in edits(stage, stage.photo):
        return _case(stage, stage.photo, edit)
    return None


def _case(stage: Stage, photo: Rgb, edit: Edit) -> Case:
    studio = _Studio(stage, photo, edit)
    details = {
        "edit": edit.kind,
        "effect": edit.effect.to_json(),
        "target": edit.what,
        "category": edit.category,
        "target_rle": asdict(masks.encode(edit.target)),
    }
    return Case(
        prompt=edit.instruction,
        given=photo,
        checks=edit_checks.checks(edit.effect, edit.what),
        details=details,
        attempt=studio.attempt,
        uses_photo=True,
    )


class _Studio:
    """Does one edit of one photo, well or badly."""

    def __init__(self, stage: Stage, photo: Rgb, edit: Edit) -> None:
        self._stage, self._photo, self._edit = stage, photo, edit
        self._lab = to_lab(photo)
        self._matte = matte(edit.target, self._lab)
        self._good = lru_cache(maxsize=2)(self._well_done)

    def attempt(self, error_type: str, severity: int) -> Attempt | None:
        good = self._good(error_type)
        if severity == 0:
            picture = good
        else:
            made = self._badly_done(error_type, severity)
            if made is None or not _differ(made, good):
                return None
            picture = made
        measured = self._edit.truth.measure(picture)
        met = edit_checks.verdicts(measured, self._edit.effect)
        if not _as_made(met, error_type, severity):
            return None
        return Attempt(picture, met, self._damage(picture, error_type, severity))

    def _damage(self, picture: Rgb, error_type: str, severity: int) -> float:
        wanted = to_rgb(np.where(self._edit.target[..., None], self._edit.truth.asked, self._lab))
        return damage(picture, original=wanted)

    def _stream(self, error_type: str) -> np.random.Generator:
        return self._stage.stream("photo attempt", error_type)

    def _well_done(self, error_type: str) -> Rgb:
        amount = float(self._stream(error_type).uniform(*_GOOD))
        return self._shown(self._edit.effect, self._matte, amount)

    def _badly_done(self, error_type: str, severity: int) -> Rgb | None:
        rng = self._stream(error_type)
        amount = float(rng.uniform(*_GOOD))
        edit, step = self._edit, severity - 1
        if error_type in SPOILINGS:
            region = edit.target if edit.target.mean() < 0.5 else ~edit.target
            good = self._good(error_type)
            return spoil(good, error_type, severity, rng, region if error_type == "seam" else None)
        match error_type:
            case "edit_ignored":
                return self._shown(edit.effect, self._matte, self._amount_for(_STRENGTH[step]))
            case "partial":
                kept = part(edit.truth.inside, _PART[step], rng)
                return self._shown(edit.effect, self._matte * soft(kept), amount)
            case "spill":
                reached = spread(edit.target, edit.truth.outside, _SPILL[step], self._lab, rng)
                return self._shown(edit.effect, np.maximum(self._matte, soft(reached)), amount)
            case "wrong_color":
                errors = _HUE if isinstance(edit.effect, Recolor) else _CAST
                wrong = edit.effect.miscolored(errors[step], float(rng.uniform(0, 360)))
                return self._shown(wrong, self._matte, amount)
            case "wrong_target":
                return self._misplaced(_PART[step], amount, rng)
        return None

    def _misplaced(self, left: float, amount: float, rng: np.random.Generator) -> Rgb | None:
        """The edit with so much `left` of it, and the other part of it on another thing."""
        edit = self._edit
        other = self._other(rng)
        if other is None:
            return None
        kept = self._matte * soft(part(edit.truth.inside, left, rng))
        moved = matte(other, self._lab) * soft(part(other, 1 - left, rng))
        return self._shown(edit.effect, np.maximum(kept, moved), amount)

    def _other(self, rng: np.random.Generator) -> Mask | None:
        """Another thing that the effect shows on, else a region of the rest."""
        truth = self._edit.truth
        total = truth.outside.size
        for instance in sorted(self._stage.instances, key=lambda one: -masks.area(one.rle)):
            mask = masks.decode(instance.rle).astype(np.bool_)
            own = (mask & truth.outside).sum()
            if own >= max(0.6 * mask.sum(), _SMALLEST * total) and mask.sum() < 0.5 * total:
                return mask
        if truth.outside.sum() < 2 * _SMALLEST * total:
            return None
        places = np.flatnonzero(truth.outside)
        seed = np.zeros(truth.outside.shape, np.bool_)
        y, x = np.unravel_index(places[rng.integers(places.size)], seed.shape)
        reach = max(3, round(0.03 * max(seed.shape)))
        seed[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach] = True
        share = float(np.clip(self._edit.target.sum() / truth.outside.sum(), 0.1, 0.6))
        return spread(seed, truth.outside, share, self._lab, rng) & ~self._edit.target

    def _shown(self, effect: Effect, alpha: np.ndarray, amount: float) -> Rgb:
        done = effect.apply(self._lab, ~self._edit.target, amount)
        blended = to_rgb(self._lab + alpha[..., None] * (done - self._lab))
        # Untouched pixels keep their bytes, whatever rounding of colours does.
        return np.where((alpha > 0)[..., None], blended, self._photo)

    def _amount_for(self, strength: float) -> float:
        """The amount of the effect that gives a measured `strength`, by interpolation."""
        if strength <= 0:
            return 0.0
        found = [0.0]
        for amount in _AMOUNTS:
            picture = self._shown(self._edit.effect, self._matte, amount)
            found.append(max(found[-1], self._edit.truth.measure(picture).strength))
        return float(np.interp(strength, found, (0.0, *_AMOUNTS)))


def _as_made(met: Mapping[str, bool], error_type: str, severity: int) -> bool:
    """Whether the pixels show the error that was made, and no other one where there is none."""
    if severity == 0:
        return all(met.values())
    family = _FAMILY.get(error_type)
    return family is None or edit_checks.failed(met, family) == severity


def _differ(one: Rgb, other: Rgb) -> bool:
    levels = cv2.absdiff(one, other).max(axis=2)
    return float((levels > _LEVELS).mean()) >= _VISIBLE
