"""Errors of label maps. Each gives five maps: the same error on the same places, ever more of it.

Most are one map of times: each pixel is struck at a time of its own, and a severity is a time.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

import cv2
import numpy as np

from gen.predictions.perturb import fronts
from gen.predictions.perturb.label_map import (
    Field,
    Labels,
    Part,
    carried,
    filled,
    looked_up,
    noise,
    order_of_victims,
    parts,
)

LabelError = Callable[[Labels, Mapping[int, int], np.random.Generator], Iterator[Labels]]

# At severity 1 to 5, shares of the sizes of all victims together.
_SWAPPED = (0.08, 0.20, 0.35, 0.55, 0.80)
_LOST = (0.10, 0.22, 0.38, 0.58, 0.80)
# At severity 1 to 5, shares of the size of a part: how far its border wanders, how far it spreads.
_WANDERS = (0.04, 0.09, 0.14, 0.20, 0.28)
_SPREADS = (0.06, 0.13, 0.22, 0.34, 0.50)
# Parts under this share of the photo are no victims: nobody would see it.
_LEAST_PART = 0.0005
# Parts over this share of the photo are its ground.
_GROUND = 0.1
# Where what is lost meets several classes, their new border is this rough: a standard deviation
# and a wave as shares of the size of all that is lost.
_ROUGH, _ROUGH_WAVE = 0.06, 0.3
# Borders wander in waves of about this share of the size of the part, over so many octaves, found
# on a grid of so many cells on the longer side, in so many steps for each severity.
_WAVE, _OCTAVES, _CELLS, _STEPS = 0.7, 1.5, 160, 4
# Parts larger than this share of the photo's mean side spread no farther: they would flood it.
_FARTHEST = 0.25
# The last part begins to spread when half of the time is over.
_LAST_SPREAD = 0.5
# Where a border is open: a part spreads in waves of this share of its size, at speeds of this
# standard deviation about this mean, as shares of the greatest; the least lets nothing through.
_OPEN_WAVE, _OPEN_MEAN, _OPEN_DEVIATION, _SHUT = 0.8, 0.4, 0.7, 0.02
# Roughness of the front of what spreads: wave as a share of its size, standard deviation of speed.
_FRONT_WAVE, _FRONT = 0.25, 0.12


def class_swap(
    labels: Labels, wrong: Mapping[int, int], rng: np.random.Generator
) -> Iterator[Labels]:
    """Parts with 0.08 to 0.8 of all sizes take the number that `wrong` gives theirs."""
    victims = [part for part in _victims(labels, rng) if part.number in wrong]
    times = _strike(labels.shape, victims, _SWAPPED[-1], rng)
    table = np.arange(max([*wrong.values(), int(labels.max())]) + 1, dtype=labels.dtype)
    for number, other in wrong.items():
        table[number] = other
    swapped = table[labels]
    for time in _SWAPPED:
        yield np.where(times < time, swapped, labels)


def lost_region(
    labels: Labels, wrong: Mapping[int, int], rng: np.random.Generator
) -> Iterator[Labels]:
    """Of parts that are no ground, 0.1 to 0.8 by size vanish: what surrounds them closes over them.

    Where all is ground, the largest part stays.
    """
    found = _victims(labels, rng)
    largest = max(found, key=lambda one: one.area)
    small = [one for one in found if one.area <= _GROUND * labels.size]
    victims = small or [one for one in found if one is not largest]
    if not victims:
        return
    times = _strike(labels.shape, victims, _LOST[-1], rng)
    begins = np.full(labels.shape, np.inf, np.float32)
    for part in victims:
        inside = part.crop != 0
        begins[part.window][inside] = times[part.window][inside].min()
    side = float(np.sqrt(np.count_nonzero(np.isfinite(times))))
    dx, dy = (
        np.float32(_ROUGH * side) * noise(labels.shape, _ROUGH_WAVE * side, rng) for _ in range(2)
    )
    for time in _LOST:
        closed = looked_up(filled(labels, begins >= time), dx, dy)
        yield np.where(times < time, closed, labels)


def boundary(
    labels: Labels, wrong: Mapping[int, int], rng: np.random.Generator
) -> Iterator[Labels]:
    """Borders wander by about 0.04 to 0.28 of the size of what they bound.

    The map is carried along a still, smooth flow (as in Vercauteren et al. 2009), so that nothing
    is torn and no islands come up.
    """
    height, width = labels.shape
    step = max(1.0, max(height, width) / _CELLS)
    rows, columns = max(1, round(height / step)), max(1, round(width / step))
    flow_x, flow_y = _flow(_sizes(labels, (rows, columns)), step, rng)
    x, y = np.meshgrid(np.arange(columns, dtype=np.float32), np.arange(rows, dtype=np.float32))
    at_x, at_y = x.copy(), y.copy()
    before = 0.0
    for reach in _WANDERS:
        pace = np.float32((reach - before) / _STEPS / step)
        before = reach
        for _ in range(_STEPS):
            drift_x, drift_y = (
                cv2.remap(flow, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
                for flow in (flow_x, flow_y)
            )
            at_x, at_y = at_x + pace * drift_x, at_y + pace * drift_y
        scale = np.float32(step)
        yield looked_up(labels, scale * (at_x - x), scale * (at_y - y))


def leak(labels: Labels, wrong: Mapping[int, int], rng: np.random.Generator) -> Iterator[Labels]:
    """Parts spread over their neighbours, where their borders are open, by 0.06 to 0.5 of a size.

    Large ones begin; the last of them when half of the greatest reach is over. None spreads over
    one that began before it: two that ran into each other would leave shreds of both.
    """
    victims = _victims(labels, rng)
    end = _SPREADS[-1]
    times = np.full(labels.shape, np.inf, np.float32)
    owners, open_to = labels.copy(), labels.copy()
    for turn, part in enumerate(victims):
        begin = _LAST_SPREAD * end * turn / len(victims)
        open_to[part.window][part.crop != 0] = 0
        _spread(part, begin, end, open_to, times, owners, rng)
    for time in _SPREADS:
        yield np.where(times < time, owners, labels)


LABEL_ERRORS: Mapping[str, LabelError] = {
    "class_swap": class_swap,
    "boundary": boundary,
    "lost_region": lost_region,
    "leak": leak,
}


def _victims(labels: Labels, rng: np.random.Generator) -> list[Part]:
    found = parts(labels)
    large = [part for part in found if part.area >= _LEAST_PART * labels.size]
    return order_of_victims(large or found, rng)


def _strike(
    shape: tuple[int, int], victims: Sequence[Part], end: float, rng: np.random.Generator
) -> Field:
    """When each pixel is struck if a front runs through one part after another.

    Float32 (height, width): the share of the sizes of all parts that is struck before; infinite
    where it is more than `end`.
    """
    times = np.full(shape, np.inf, np.float32)
    total = sum(part.size for part in victims)
    begin = 0.0
    for part in victims:
        if begin >= end:
            break
        rows, columns = part.crop.shape
        step = fronts.step(part.crop)
        sample = part.crop[step // 2 :: step, step // 2 :: step] != 0
        front = fronts.advance(sample.shape, rng.uniform(0, 2 * np.pi), rng)
        reached = np.sort(front[sample])
        inside = part.crop != 0
        passed = np.searchsorted(reached, fronts.enlarged(front, columns, rows)[inside])
        share = part.size / total
        times[part.window][inside] = begin + share * passed / reached.size
        begin += share
    return times


def _sizes(labels: Labels, shape: tuple[int, int]) -> Field:
    """The size in pixels of the smallest part around each cell of a grid of (rows, columns)."""
    sizes = np.zeros(labels.shape, np.float32)
    for part in parts(labels):
        sizes[part.window][part.crop != 0] = part.size
    coarse = cv2.resize(sizes, shape[::-1], interpolation=cv2.INTER_NEAREST)
    near = cv2.erode(coarse, np.ones((5, 5), np.uint8))
    return np.maximum(cv2.GaussianBlur(near, (0, 0), 2.0), 1.0).astype(np.float32)


def _flow(sizes: Field, step: float, rng: np.random.Generator) -> tuple[Field, Field]:
    """A flow across and down in pixels: as strong as `sizes`, in waves of a share of them.

    `step` is the distance of two cells in pixels.
    """
    waves = 2.0 ** np.arange(1, np.log2(2 * max(sizes.shape)))
    fields = np.zeros((2, *sizes.shape), np.float32)
    power = np.full(sizes.shape, 1e-6, np.float32)
    for wave in waves.tolist():
        octaves = np.log2(np.float32(wave * step / _WAVE) / sizes)
        weight = np.exp(-((octaves / np.float32(_OCTAVES)) ** 2)).astype(np.float32)
        power += weight**2
        fields += weight * np.stack([noise(sizes.shape, wave, rng) for _ in range(2)])
    across, down = fields * (sizes / np.sqrt(power))
    return across, down


def _spread(
    part: Part,
    begin: float,
    end: float,
    open_to: Labels,
    times: Field,
    owners: Labels,
    rng: np.random.Generator,
) -> None:
    """Enter in `times` and `owners` which pixels of `open_to` one part comes to by `end`, and when.

    `open_to` is a map of numbers, 0 where nothing may be taken.
    """
    size = min(part.size, _FARTHEST * float(np.sqrt(open_to.size)))
    reach = int(np.ceil((end - begin) * size)) + 1
    height, width = open_to.shape
    rows, columns = part.crop.shape
    x0, y0 = max(0, part.x0 - reach), max(0, part.y0 - reach)
    x1, y1 = min(width, part.x0 + columns + reach), min(height, part.y0 + rows + reach)
    shape = y1 - y0, x1 - x0
    inside = np.zeros(shape, np.bool_)
    inside[part.y0 - y0 :, part.x0 - x0 :][:rows, :columns] = part.crop
    openness = _OPEN_MEAN + _OPEN_DEVIATION * noise(shape, _OPEN_WAVE * size, rng)
    # The speed is that at the nearest point of the border: so what spreads hangs together.
    speed, distance = carried(np.clip(openness, _SHUT, 1.0).astype(np.float32), inside)
    speed *= np.exp(np.float32(_FRONT) * noise(shape, _FRONT_WAVE * size, rng))
    reached = np.float32(begin) + distance / (speed * np.float32(size))
    window = slice(y0, y1), slice(x0, x1)
    target = open_to[window]
    wins = (reached < times[window]) & (target != 0) & (target != part.number)
    times[window][wins] = reached[wins]
    owners[window][wins] = part.number
