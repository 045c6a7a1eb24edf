"""Errors of what is reported at all, and under which name. All take 1 to 5 for the severity."""

from collections.abc import Sequence

import numpy as np

from gen.predictions.perturb.region import Region, centre, size
from gen.predictions.perturb.scene import R, Scene, order_of_victims, shares

_MISSED = (0.2, 0.35, 0.5, 0.7, 0.9)
_WRONG = (0.2, 0.4, 0.6, 0.8, 1.0)
_ADDED = (0.2, 0.4, 0.6, 0.8, 1.0)
# A false object's area: its share of the photo lies in this range.
_FALSE_AREA = (0.01, 0.06)
# Shapes longer than this, or that fill less of their box, are not borrowed: enlarged, they would
# cross the whole photo, or made small, fall to dust.
_SLENDER, _FILLED = 3.0, 0.35
_ATTEMPTS = 40


def missed(
    objects: Sequence[R], severity: int, rng: np.random.Generator, scene: Scene[R]
) -> list[R]:
    """From a fifth to nine tenths of the objects are not there; of one, a part may be missed."""
    result: list[R | None] = list(objects)
    parts = shares(_MISSED[severity - 1] * len(objects))
    for index, share in zip(order_of_victims(objects, rng), parts, strict=False):
        kept = objects[index].cut(rng.uniform(0, 2 * np.pi), 1 - share)[0] if share < 1 else None
        result[index] = kept
    return [item for item in result if item is not None]


def wrong_class(
    objects: Sequence[R], severity: int, rng: np.random.Generator, scene: Scene[R]
) -> list[R]:
    """From a fifth to all of the objects have the name of a class they are mistaken for.

    Of one object a part may have the wrong name, as when a lorry's cab is taken for a car.
    """
    result = list(objects)
    known = [index for index, item in enumerate(objects) if item.label in scene.wrong]
    order = order_of_victims([objects[index] for index in known], rng)
    for position, share in zip(order, shares(_WRONG[severity - 1] * len(known)), strict=False):
        index = known[position]
        item = objects[index]
        label = scene.wrong[item.label]
        if share < 1:
            part, rest = item.cut(rng.uniform(0, 2 * np.pi), share)
            result[index] = rest
            result.append(part.relabelled(label))
        else:
            result[index] = item.relabelled(label)
    return result


def duplicate(
    objects: Sequence[R], severity: int, rng: np.random.Generator, scene: Scene[R]
) -> list[R]:
    """Objects are reported again, a little off: as many times as the severity, or up to n more."""
    result = list(objects)
    order = order_of_victims(objects, rng)
    for turn in range(_added(len(objects), severity)):
        item = objects[order[turn % len(order)]]
        angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.08, 0.16) * size(item)
        copy = item.scaled(*np.exp(rng.uniform(-0.12, 0.12, 2)).tolist())
        result.append(copy.moved(reach * np.cos(angle), reach * np.sin(angle)))
    return result


def background_false_positive(
    objects: Sequence[R], severity: int, rng: np.random.Generator, scene: Scene[R]
) -> list[R]:
    """Shapes borrowed from objects of the photo lie where no object of their name is.

    As many as the severity, or up to one for each true object; fewer where there is no room.
    """
    result = list(objects)
    for _ in range(_added(len(objects), severity)):
        label = objects[int(rng.integers(len(objects)))].label
        false = _on_background(label, objects, result, rng, scene)
        if false is None:
            break
        result.append(false)
    return result


def _added(count: int, severity: int) -> int:
    return max(severity, round(_ADDED[severity - 1] * count)) if count else 0


def _on_background(
    label: str,
    objects: Sequence[R],
    present: Sequence[R],
    rng: np.random.Generator,
    scene: Scene[R],
) -> R | None:
    height, width = scene.frame
    models = [item for item in (*objects, *scene.others) if _is_compact(item)]
    models = models or list(objects)
    model = models[int(rng.integers(len(models)))]
    typical = float(np.median([item.area for item in objects])) * rng.uniform(0.6, 1.4)
    area = float(np.clip(typical / (height * width), *_FALSE_AREA)) * height * width
    factor = float(np.sqrt(area / model.area)) * rng.uniform(0.9, 1.1)
    shape = model.scaled(factor * rng.choice([-1.0, 1.0]), factor)
    shape = shape.relabelled(label)
    taken = [*present, *scene.crowd]
    for attempt in range(_ATTEMPTS):
        if attempt == _ATTEMPTS // 2:
            # Where the classes in question fill the photo, a false one of them lies on another.
            taken = [item for item in taken if item.label == label]
        if attempt % 10 == 9:
            shape = shape.scaled(0.75, 0.75)
        x1, y1, x2, y2 = shape.bounds
        x, y = centre(shape)
        placed = shape.moved(
            rng.uniform((x2 - x1) / 2, max(width, x2 - x1) - (x2 - x1) / 2) - x,
            rng.uniform((y2 - y1) / 2, max(height, y2 - y1) - (y2 - y1) / 2) - y,
        )
        if placed.covered_by(taken) < 0.03:
            return placed
    return None


def _is_compact(item: Region) -> bool:
    x1, y1, x2, y2 = item.bounds
    width, height = x2 - x1, y2 - y1
    slender = max(width, height) / min(width, height) > _SLENDER
    return not slender and item.area >= _FILLED * width * height
