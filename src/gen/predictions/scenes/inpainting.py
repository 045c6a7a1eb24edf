"""High-level inpainting: a region of a picture is to be filled with what a prompt asks for."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

import numpy as np

from gen import masks
from gen.predictions.scenes.attempts import VISIBLE, backing, changed, lighting
from gen.predictions.scenes.breaking import ERRORS, broken, sketched, unmet
from gen.predictions.scenes.case import Attempt, Case, Rgb, Stage
from gen.predictions.scenes.checks import Check, Count, Look, facts, text, to_json, verdicts
from gen.predictions.scenes.composing import Group, compose, inventory, kinds, listing
from gen.predictions.scenes.damage import damage
from gen.predictions.scenes.description import LARGE, SHAPES, Shape, Thing
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
from gen.predictions.scenes.layout import place, random_extent, random_turn
from gen.predictions.scenes.reading import read
from gen.predictions.scenes.spoil import SPOILINGS, Spoiling, spoil

_TASK = "inpainting"
KINDS = (*ERRORS, "wrong_shape", "spill", *SPOILINGS)
"""The kinds of error that a filled region can be given."""
_TRIES = 24
# A case is one in which these errors can be made so severe.
_FRAGILE, _TRIED = ("blur", "seam", "wrong_color", "wrong_shape"), 4
# What is left around the region is at least so much of the picture.
_LEAST_OUTSIDE = 0.35
# For severities 1 to 5, between two limits of what may be changed outside.
_SPILL = (0.03, 0.08, 0.155, 0.28, 0.60)
# Where the things are about, as shares of the width and the height, and how closely they huddle.
_MIDDLE, _LOW = (0.3, 0.7), 0.8
_PLACES = 24
# The width of things to spare: small, but seen.
_SPARE = 0.12
# What has room for this has room for any shape of the same width.
_TALLEST: Shape = "cylinder"

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
        groups = _groups(rng)
        placed = _huddled(groups, stage.size, rng)
        if placed is None:
            continue
        things, spare = placed
        checks = inventory(groups)
        if unmet(checks, sketched(things, stage.size), stage.size):
            continue
        job = _Job(stage, photo, things, spare, checks, lighting(rng))
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
    """`things` that meet all `checks`, in a region of `photo` with room for those to `spare`."""

    stage: Stage
    photo: Rgb
    things: Things
    spare: Things
    checks: Mapping[str, Check]
    light: float
    asked: Rgb = field(init=False)
    region: Mask = field(init=False)

    def __post_init__(self) -> None:
        full = draw((*self.things, *self.spare), self.photo, self.light)
        object.__setattr__(self, "region", region_of(full, self.photo))
        object.__setattr__(self, "asked", self._drawn(self.things))

    def can_do_well(self) -> bool:
        """Whether the region, filled as asked, meets all checks, and errors can be told there.

        On some photos colours run together as soon as anything is less than perfect.
        """
        right = self.attempt("", 0)
        if right is None or not all(right.met.values()):
            return False
        return all(self.attempt(error_type, _TRIED) is not None for error_type in _FRAGILE)

    def attempt(self, error_type: str, severity: int) -> Attempt | None:
        """What `Case.attempt` asks for.

        None where the error cannot be made, would hardly be seen, or where pixels do not tell of
        the things what their description does.
        """
        if severity == 0:
            return self._measured(self.asked, self.photo, self.things)
        if error_type in SPOILINGS:
            picture, ground = (
                self._spoilt(one, error_type, severity) for one in (self.asked, self.photo)
            )
            attempt = self._measured(
                picture, ground, self.things, patterns_fade=error_type == "blur"
            )
        elif error_type == "spill":
            picture = spilled(self.asked, self.region, _SPILL[severity - 1], self._rng(error_type))
            attempt = self._measured(picture, self.photo, self.things, spills=severity)
        else:
            wrong = self._broken(error_type, severity)
            if wrong is None:
                return None
            picture = self._drawn(wrong)
            attempt = self._measured(picture, self.photo, wrong)
        return None if changed(picture, self.asked) < VISIBLE else attempt

    def _drawn(self, things: Things) -> Rgb:
        """The photo with `things`, whose faint far shadows end with the region."""
        return filled(self.photo, draw(things, self.photo, self.light), self.region)

    def _rng(self, error_type: str) -> np.random.Generator:
        return self.stage.stream(_TASK, error_type)

    def _spoilt(self, picture: Rgb, kind: Spoiling, severity: int) -> Rgb:
        region = self._around() if kind == "artefact" else self.region
        return spoil(picture, kind, severity, self._rng(kind), region)

    def _broken(self, error_type: str, severity: int) -> Things | None:
        """The things with an error; each severity is about one more kind of them."""
        rng = self._rng(error_type)
        if error_type == "extra_object":
            return (*self.things, *self.spare[:severity])
        if error_type == "wrong_shape":
            return _reshaped(self.things, self.spare[:severity], rng)
        return broken(self.things, self.checks, error_type, severity, rng, self.region.shape)

    def _measured(
        self,
        picture: Rgb,
        ground: Rgb,
        things: Things,
        *,
        spills: int = 0,
        patterns_fade: bool = False,
    ) -> Attempt | None:
        """`picture` with the verdicts of its pixels; None if they tell of other `things`.

        Things are what differs from `ground`: the photo, spoilt as the picture is. `spills` of the
        checks of the rest are to fail. With `patterns_fade` stripes and spots may not be seen.
        """
        size = self.region.shape
        seen = read(np.where(self.region[..., None], picture, ground), ground)
        met = verdicts(self.checks, seen, size)
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


def _groups(rng: np.random.Generator) -> tuple[Group, ...]:
    """What is asked for: as many groups as there are severities, and not all of the shapes.

    One thing is large: the region is not to take too much of the picture.
    """
    while True:
        groups = compose(rng)
        large = sum(group.kind.size == LARGE for group in groups)
        if len(groups) == len(_SPILL) and large == 1:
            break
    if len({group.kind.shape for group in groups}) < len(SHAPES):
        return groups
    last = replace(groups[-1], kind=groups[-1].kind._replace(shape=groups[0].kind.shape))
    return (*groups[:-1], last)


def _huddled(
    groups: Sequence[Group], size: tuple[int, int], rng: np.random.Generator
) -> tuple[Things, Things] | None:
    """Close to each other, the things of `groups` and one more of each to spare, large ones first.

    Each has room for any shape. None if there is no room for all.
    """
    height, width = size
    x, y = rng.uniform(*_MIDDLE), _LOW
    placed: list[Thing] = []
    tallest: list[Thing] = []
    wanted = kinds(groups)
    wanted += sorted({*wanted}, key=lambda kind: (kind.size != LARGE, wanted.index(kind)))
    for number, kind in enumerate(wanted):
        own = number < sum(group.number for group in groups)
        extent = random_extent(kind.size, rng) if own else _SPARE
        tall = kind._replace(shape=_TALLEST)
        found = [place(tall, extent, tallest, size, rng) for _ in range(_PLACES)]
        free = [one for one in found if one is not None]
        if not free:
            return None
        near = min(free, key=lambda one: np.hypot((one.x - x) * width, (one.y - y) * height))
        tallest.append(near)
        placed.append(replace(near, shape=kind.shape, turn=random_turn(kind.shape, rng)))
    spare = len(groups)
    return tuple(placed[:-spare]), tuple(placed[-spare:])


def _reshaped(things: Things, like: Things, rng: np.random.Generator) -> Things:
    """All that is of the kind of one of `like`, in a shape that was not asked for."""
    free: list[Shape] = [shape for shape in SHAPES if shape not in {one.shape for one in things}]
    shape = free[int(rng.integers(len(free)))]
    looks = {Look.of(one) for one in like}
    return tuple(
        replace(one, shape=shape, turn=random_turn(shape, rng)) if Look.of(one) in looks else one
        for one in things
    )
