"""High-level inpainting: a region of a picture is to be filled with what a prompt asks for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

import numpy as np

from gen import masks
from gen.predictions.scenes.attempts import VISIBLE, backing, changed, lighting
from gen.predictions.scenes.breaking import broken, sketched, unmet
from gen.predictions.scenes.case import Attempt, Case, Rgb, Stage
from gen.predictions.scenes.checks import Check, Count, facts, text, to_json, verdicts
from gen.predictions.scenes.composing import arranged, compose, inventory, listing
from gen.predictions.scenes.damage import damage
from gen.predictions.scenes.description import LARGE, SHAPES, SMALL, Shape, Thing
from gen.predictions.scenes.drawing import draw, silhouette
from gen.predictions.scenes.edit_regions import band, grown
from gen.predictions.scenes.effects import Mask
from gen.predictions.scenes.inpainting_region import (
    GREY,
    filled,
    outside_checks,
    outside_verdicts,
    region_of,
    shown,
    spilled,
)
from gen.predictions.scenes.layout import Kind, fits, place, random_extent, random_turn
from gen.predictions.scenes.reading import read
from gen.predictions.scenes.spoil import spoil

_TASK = "inpainting"
_TRIES = 12
# What is left around the region is at least so much of the picture.
_LEAST_OUTSIDE = 0.35
# For severities 1 to 5, between two limits of what may be changed outside.
_SPILL = (0.03, 0.08, 0.155, 0.28, 0.60)
_PLACES = 40

Things = tuple[Thing, ...]


def case(stage: Stage) -> Case | None:
    """A region of the stage's photo, or of a drawn backdrop, and what is to be in it.

    None if nothing was found that fits in and can be told from its picture without doubt.
    """
    rng = stage.stream(_TASK)
    if stage.on_photo and stage.photo is not None:
        photo, uses_photo = stage.photo, True
    else:
        photo, uses_photo = backing(stage, rng)
    for _ in range(_TRIES):
        groups = compose(rng)
        things = arranged(groups, stage.size, rng)
        if things is None or len({thing.shape for thing in things}) == len(SHAPES):
            continue
        checks = inventory(groups)
        if unmet(checks, sketched(things, stage.size), stage.size):
            continue
        job = _Job(stage, photo, things, checks, lighting(rng))
        if job.region.mean() > 1 - _LEAST_OUTSIDE or not job.can_do_well():
            continue
        return Case(
            prompt=listing(groups),
            given=shown(photo, job.region),
            checks={name: text(check) for name, check in checks.items()} | outside_checks(),
            details={
                "grey": GREY,
                "region_rle": asdict(masks.encode(job.region)),
                "things": [thing.to_json() for thing in things],
                "light": round(job.light, 4),
                "asked": {name: to_json(check) for name, check in checks.items()},
            },
            attempt=job.attempt,
            uses_photo=uses_photo,
        )
    return None


@dataclass(frozen=True, slots=True)
class _Job:
    """`things` that meet all `checks`, in the region of `photo` that they take."""

    stage: Stage
    photo: Rgb
    things: Things
    checks: Mapping[str, Check]
    light: float
    asked: Rgb = field(init=False)
    region: Mask = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "asked", draw(self.things, self.photo, self.light))
        object.__setattr__(self, "region", region_of(self.asked, self.photo))

    def can_do_well(self) -> bool:
        """Whether the region, filled as asked, meets all checks."""
        right = self.attempt("", 0)
        return right is not None and all(right.met.values())

    def attempt(self, error_type: str, severity: int) -> Attempt | None:
        """What `Case.attempt` asks for.

        None where the error cannot be made, would hardly be seen, or where pixels do not tell of
        the things what their description does.
        """
        if severity == 0:
            return self._measured(self.asked, self.things, 0)
        rng = self.stage.stream(_TASK, error_type)
        things, picture = self.things, self.asked
        match error_type:
            case "blur":
                picture = spoil(picture, "blur", severity, rng, self.region)
            case "seam":
                picture = spoil(picture, "seam", severity, rng, self.region)
            case "artefact":
                picture = spoil(picture, "artefact", severity, rng, self._around())
            case "spill":
                picture = spilled(picture, self.region, _SPILL[severity - 1], rng)
            case _:
                wrong = self._broken(error_type, severity, rng)
                if wrong is None:
                    return None
                things = wrong
                picture = filled(self.photo, draw(things, self.photo, self.light), self.region)
        if changed(picture, self.asked) < VISIBLE:
            return None
        spills = severity if error_type == "spill" else 0
        return self._measured(picture, things, spills, patterns_fade=error_type == "blur")

    def _broken(self, error_type: str, severity: int, rng: np.random.Generator) -> Things | None:
        size = self.region.shape
        own = _ERRORS.get(error_type)
        if own is None:
            return broken(self.things, self.checks, error_type, severity, rng, size)
        return own(self.things, severity, self.region, rng)

    def _measured(
        self, picture: Rgb, things: Things, spills: int, *, patterns_fade: bool = False
    ) -> Attempt | None:
        """`picture` with the verdicts of its pixels; None if they tell of other `things`.

        `spills` of the checks of the rest are to fail. With `patterns_fade` stripes and spots may
        not be seen any more.
        """
        size = self.region.shape
        inside = np.where(self.region[..., None], picture, self.photo)
        met = verdicts(self.checks, read(inside, self.photo), size)
        told = verdicts(self.checks, facts(things, [silhouette(one, size) for one in things]), size)
        for name, check in self.checks.items():
            faded = patterns_fade and isinstance(check, Count) and check.look.texture
            if met[name] != told[name] and not (faded and told[name]):
                return None
        outside = outside_verdicts(picture, self.photo, self.region)
        if sum(not good for good in outside.values()) != spills:
            return None
        spoilt = damage(picture, (self.photo, self.asked), self.region, self.region)
        return Attempt(picture, {**met, **outside}, spoilt)

    def _around(self) -> Mask:
        """Where in the region no thing is: artefacts on one could be taken for its texture."""
        size = self.region.shape
        covered = np.logical_or.reduce([silhouette(one, size) for one in self.things])
        return self.region & ~grown(covered, 2 * band(size))


def _reshaped(
    things: Things, severity: int, region: Mask, rng: np.random.Generator
) -> Things | None:
    """`severity` kinds of things in a shape that was not asked for."""
    free: list[Shape] = [shape for shape in SHAPES if shape not in {one.shape for one in things}]
    kinds = _kinds(things, rng)[:severity]
    if not free or len(kinds) < severity:
        return None
    shape = free[int(rng.integers(len(free)))]
    wrong = list(things)
    for index, thing in enumerate(things):
        if Kind(thing.shape, thing.color, thing.texture, thing.size) in kinds:
            new = replace(thing, shape=shape, turn=random_turn(shape, rng))
            if not _within(new, region) or not fits(
                new, [*wrong[:index], *wrong[index + 1 :]], region.shape
            ):
                return None
            wrong[index] = new
    return tuple(wrong)


def _doubled(
    things: Things, severity: int, region: Mask, rng: np.random.Generator
) -> Things | None:
    """One more of each of `severity` kinds of things, in the region as well."""
    added: list[Thing] = []
    for kind in _kinds(things, rng)[:severity]:
        for attempt in range(_PLACES):
            size = kind.size if attempt < _PLACES // 2 else SMALL
            extent = random_extent(size, rng)
            new = place(kind, extent, (*things, *added), region.shape, rng)
            if new is not None and _within(new, region):
                added.append(new)
                break
    return (*things, *added) if len(added) == severity else None


def _kinds(things: Sequence[Thing], rng: np.random.Generator) -> list[Kind]:
    """The kinds of `things` in random order after one of large things.

    The least error must be seen, and a small thing is a small part of a picture.
    """
    kinds = list(dict.fromkeys(Kind(one.shape, one.color, one.texture, one.size) for one in things))
    order = [kinds[k] for k in rng.permutation(len(kinds))]
    return sorted(order, key=lambda kind: kind.size != LARGE)


def _within(thing: Thing, region: Mask) -> bool:
    return bool(region[silhouette(thing, region.shape)].all())


_ERRORS: Mapping[str, Callable[[Things, int, Mask, np.random.Generator], Things | None]] = {
    "wrong_shape": _reshaped,
    "extra_object": _doubled,
}
