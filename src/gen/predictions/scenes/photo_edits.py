"""Edits of photos, at what is truly on them."""

from dataclasses import asdict

import numpy as np

from gen import masks
from gen.predictions.scenes import edit_checks
from gen.predictions.scenes.case import Case, Rgb, Stage
from gen.predictions.scenes.edit_attempts import Misplaced, Studio
from gen.predictions.scenes.edit_regions import matte, soft, spread
from gen.predictions.scenes.effects import Lab, Mask, to_lab
from gen.predictions.scenes.photo_targets import Edit, edits

# The least share of the photo of a thing that is edited in place of another one, and the most.
_SMALLEST, _LARGEST = 0.03, 0.5
_MOSTLY = 0.6
# How far around its first pixel a region is alike, as a share of the longer side.
_SEED = 0.03


def case(stage: Stage) -> Case | None:
    """An edit of a thing on the stage's photo; None if no edit is clear and visible there."""
    if stage.photo is None:
        return None
    for edit in edits(stage, stage.photo):
        studio = Studio(stage, PhotoJob(stage, stage.photo, edit))
        if studio.can_do_well():
            return _case(stage.photo, edit, studio)
    return None


def _case(photo: Rgb, edit: Edit, studio: Studio) -> Case:
    return Case(
        prompt=edit.instruction,
        given=photo,
        checks=edit_checks.checks(edit.truth.by_hue, edit.what),
        details={
            "edit": edit.kind,
            "effect": edit.effect.to_json(),
            "target": edit.what,
            "category": edit.category,
            "target_rle": asdict(masks.encode(edit.target)),
        },
        attempt=studio.attempt,
        uses_photo=True,
    )


class PhotoJob:
    """An effect on a thing of a photo, or on all but that thing."""

    def __init__(self, stage: Stage, photo: Rgb, edit: Edit) -> None:
        self.original, self.lab = photo, to_lab(photo)
        self.target, self.truth, self._effect = edit.target, edit.truth, edit.effect
        # Parts of a photo end at straight lines, whatever is there.
        self.alpha = matte(edit.target, self.lab) if edit.category else soft(edit.target)
        self.spoilable = np.ones(self.target.shape, np.bool_)
        self._instances = stage.instances

    def done(self, amount: float) -> Lab:
        return self._effect.apply(self.lab, ~self.target, amount)

    def miscolored(self, error: float, direction: float) -> Lab:
        return self._effect.miscolored(error, direction).apply(self.lab, ~self.target)

    def bleeding(self) -> Lab:
        nothing = np.zeros(self.target.shape, np.bool_)
        return self._effect.apply(self.lab, nothing)

    def misplaced(self, rng: np.random.Generator) -> Misplaced | None:
        other = self._other_thing()
        if other is None:
            other = self._other_region(rng)
        if other is None:
            return None
        return Misplaced(self.bleeding(), matte(other, self.lab), other)

    def read(self, picture: Rgb) -> dict[str, bool]:
        return {}

    def _other_thing(self) -> Mask | None:
        """The largest other thing that the effect shows on."""
        outside = self.truth.outside
        for instance in sorted(self._instances, key=lambda one: -masks.area(one.rle)):
            mask = masks.decode(instance.rle).astype(np.bool_)
            seen = (mask & outside).sum()
            if (
                seen >= max(_MOSTLY * mask.sum(), _SMALLEST * mask.size)
                and mask.sum() <= _LARGEST * mask.size
            ):
                return mask
        return None

    def _other_region(self, rng: np.random.Generator) -> Mask | None:
        """A part of the rest that looks alike, about as large as the target."""
        outside = self.truth.outside
        if outside.sum() < 2 * _SMALLEST * outside.size:
            return None
        places = np.flatnonzero(outside)
        y, x = divmod(int(places[rng.integers(places.size)]), outside.shape[1])
        reach = max(3, round(_SEED * max(outside.shape)))
        seed = np.zeros(outside.shape, np.bool_)
        seed[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach] = True
        share = float(np.clip(self.target.sum() / outside.sum(), 0.1, 0.6))
        return spread(seed, outside, share, self.lab, rng) & ~self.target
