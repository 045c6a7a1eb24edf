"""Errors of what is reported at all, and under which name. All take 1 to 5 for the severity."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gen.predictions.perturb.region import size
from gen.predictions.perturb.scene import R, Scene, order_of_victims, shares

# The share of the objects at severity 1 to 5.
_MISSED = (0.2, 0.4, 0.55, 0.75, 0.9)
# From so many objects on, five severities differ by whole objects, and none has missed all.
_ENOUGH = 6
# Least and most of what an object's copy is off by: shift as a share of its size, stretch as the
# logarithm of the factor.
_COPY_SHIFT, _COPY_STRETCH = (0.08, 0.16), 0.12
# The same of a second name for an object. Smaller than it, so that both are seen.
_NAMESAKE_SHIFT, _NAMESAKE_SCALE = (0.0, 0.05), (0.82, 0.92)


def missed(
    objects: Sequence[R], severity: int, rng: np.random.Generator, scene: Scene[R]
) -> list[R]:
    """From a fifth to nine tenths of the objects are not there; of a few, parts are missed, too."""
    result: list[R | None] = list(objects)
    parts_of_one = -(-_ENOUGH // max(1, len(objects)))
    amount = round(_MISSED[severity - 1] * len(objects) * parts_of_one) / parts_of_one
    for index, share in zip(order_of_victims(objects, rng), shares(amount), strict=False):
        angle = rng.uniform(0, 2 * np.pi)
        result[index] = objects[index].cut(angle, 1 - share, rng)[0] if share < 1 else None
    return [item for item in result if item is not None]


def wrong_class(
    objects: Sequence[R], severity: int, rng: np.random.Generator, scene: Scene[R]
) -> list[R]:
    """From a fifth to all of the objects have the name of a class they are mistaken for.

    Where they are few, a step between is that one is reported twice, under both names; of a single
    one, only the greatest severity loses the right name.
    """
    result = list(objects)
    known = [index for index, item in enumerate(objects) if item.label in scene.wrong]
    order = order_of_victims([objects[index] for index in known], rng)
    steps = 1 if len(known) >= 5 else 2
    amount = max(1, len(known) * steps * severity // 5) / steps
    for position, share in zip(order, shares(amount), strict=False):
        item = objects[known[position]]
        wrong = item.relabelled(scene.wrong[item.label])
        if share < 1:
            result.append(_copy(wrong, rng.uniform(*_NAMESAKE_SCALE, 2), _NAMESAKE_SHIFT, rng))
        else:
            result[known[position]] = wrong
    return result


def duplicate(
    objects: Sequence[R], severity: int, rng: np.random.Generator, scene: Scene[R]
) -> list[R]:
    """Objects are reported again, a little off: as many times as the severity, or up to n more."""
    result = list(objects)
    order = order_of_victims(objects, rng)
    added = max(severity, round(severity / 5 * len(objects))) if objects else 0
    for turn in range(added):
        item = objects[order[turn % len(order)]]
        factors = np.exp(rng.uniform(-_COPY_STRETCH, _COPY_STRETCH, 2))
        result.append(_copy(item, factors, _COPY_SHIFT, rng))
    return result


def _copy(
    item: R, factors: NDArray[np.float64], shift: tuple[float, float], rng: np.random.Generator
) -> R:
    """`item` scaled by `factors` and shifted by a share of its size between those of `shift`."""
    angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(*shift) * size(item)
    sx, sy = factors.tolist()
    return item.strayed(sx, sy, reach * np.cos(angle), reach * np.sin(angle))
