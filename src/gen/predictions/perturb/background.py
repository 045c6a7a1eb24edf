"""False objects: shapes where nothing of their name is."""

from collections.abc import Sequence

import numpy as np

from gen.predictions.perturb.region import Region, centre, size
from gen.predictions.perturb.scene import R, Scene

# A false object has the size of a true one near its row of the photo, give or take, and its share
# of the photo lies in this range: smaller ones would hardly be seen.
_LIKE = (0.6, 1.3)
_FALSE_AREA = (0.003, 0.06)
_STRETCH = 0.15
# Shapes made larger than this, by area, would show how coarse they were.
_ENLARGED = 2.5
# How its boundary strays, as a share of its size.
_RAGGED = 0.05
# Shapes longer than this, or that fill less of their box, are borrowed only for want of others:
# enlarged, they would cross the whole photo, or made small, fall to dust.
_SLENDER, _FILLED = 3.0, 0.35
# Up to so much of it may lie on true objects.
_COVERED = 0.03
# Kinds of place that are tried, how often each, and how much smaller it gets from one to the next.
_TURNS, _TRIES, _SHRINK = 6, 4, 0.7
# So many false objects without a place, and the photo counts as full.
_FAILURES = 3
# Standard deviation of its row, in heights of a true object.
_ROWS = 0.3


def background_false_positive(
    objects: Sequence[R], severity: int, rng: np.random.Generator, scene: Scene[R]
) -> list[R]:
    """Shapes of objects of the same name lie where there is none.

    As many as the severity, or up to one for two true objects; fewer where there is no room. They
    lie at the height in the photo where true objects of their name are, rather than in the sky,
    and half of them, if there is room, against something else that is known to be there.
    """
    result = list(objects)
    wanted = len(objects) + max(severity, round(severity / 10 * len(objects)))
    failures = 0
    while objects and len(result) < wanted and failures < _FAILURES:
        label = objects[int(rng.integers(len(objects)))].label
        false = _false(label, objects, result, rng, scene)
        if false is None:
            failures += 1
        else:
            result.append(false)
    return result


def _false(
    label: str,
    objects: Sequence[R],
    present: Sequence[R],
    rng: np.random.Generator,
    scene: Scene[R],
) -> R | None:
    own = [item for item in objects if item.label == label]
    models = _best_models(own)
    top, bottom = min(item.bounds[1] for item in own), max(item.bounds[3] for item in own)
    things = [item for item in (*scene.others, *objects) if top <= centre(item)[1] <= bottom]
    taken = [*present, *scene.crowd]
    first = int(rng.integers(2))
    for turn in range(_TURNS):
        if turn == _TURNS // 2:
            # Where the classes in question fill the photo, a false one of them lies on another.
            taken = [item for item in taken if item.label == label]
        thing = things[int(rng.integers(len(things)))]
        beside = own[int(rng.integers(len(own)))]
        against = (first + turn) % 2 == 0
        if against:
            beside = min(own, key=lambda item: abs(centre(item)[1] - centre(thing)[1]))
        shape = _resized(_alike(models, beside, rng), beside, _SHRINK**turn, rng)
        for _ in range(_TRIES):
            spot = _against(thing, shape, rng) if against else _level(beside, rng)
            placed = _moved_to(shape, spot)
            if placed.covered_by(taken) < _COVERED:
                rough = placed.roughened(_RAGGED * size(placed), rng)
                if rough.covered_by(taken) < _COVERED:
                    return rough
    return None


def _alike(models: Sequence[R], like: R, rng: np.random.Generator) -> R:
    """One of the models that need no great enlargement to the size of `like`, or the largest."""
    large = [item for item in models if _ENLARGED * item.area >= like.area]
    return large[int(rng.integers(len(large)))] if large else max(models, key=lambda one: one.area)


def _resized(model: R, like: R, factor: float, rng: np.random.Generator) -> R:
    """`model`, perhaps mirrored, with about `factor` times the area of `like`."""
    height, width = model.frame
    least, most = (share * height * width for share in _FALSE_AREA)
    area = factor * float(np.clip(rng.uniform(*_LIKE) * like.area, least, most))
    scale = float(np.sqrt(area / model.area))
    sx, sy = scale * np.exp(rng.uniform(-_STRETCH, _STRETCH, 2))
    # In the middle nothing is cut off by the border of the photo.
    shape = _moved_to(model, (width / 2, height / 2))
    return shape.scaled(float(sx * rng.choice([-1.0, 1.0])), float(sy))


def _against(thing: Region, shape: Region, rng: np.random.Generator) -> tuple[float, float]:
    """A place for the middle of `shape` on `thing` or at its border."""
    (x1, y1, x2, y2), (a1, b1, a2, b2) = thing.bounds, shape.bounds
    x, y = centre(thing)
    across, down = rng.uniform(-1, 1, 2).tolist()
    return x + across * (x2 - x1 + a2 - a1) / 2, y + down * (y2 - y1 + b2 - b1) / 2


def _level(beside: Region, rng: np.random.Generator) -> tuple[float, float]:
    """A place at about the height of `beside` in the photo."""
    _, y1, _, y2 = beside.bounds
    return rng.uniform(0, beside.frame[1]), rng.normal((y1 + y2) / 2, _ROWS * (y2 - y1))


def _moved_to(item: R, spot: tuple[float, float]) -> R:
    """`item` with its middle at `spot`, or as near as the photo's borders let it."""
    height, width = item.frame
    x1, y1, x2, y2 = item.bounds
    half_width, half_height = (x2 - x1) / 2, (y2 - y1) / 2
    x = max(half_width, min(spot[0], width - half_width))
    y = max(half_height, min(spot[1], height - half_height))
    return item.moved(x - (x1 + x2) / 2, y - (y1 + y2) / 2)


def _best_models(items: Sequence[R]) -> Sequence[R]:
    """Those that are compact and not cut off by the photo's border, else compact, else all."""
    compact = [item for item in items if _is_compact(item)]
    return [item for item in compact if _is_whole(item)] or compact or items


def _is_whole(item: Region) -> bool:
    x1, y1, x2, y2 = item.bounds
    height, width = item.frame
    return x1 > 1 and y1 > 1 and x2 < width - 1 and y2 < height - 1


def _is_compact(item: Region) -> bool:
    x1, y1, x2, y2 = item.bounds
    width, height = x2 - x1, y2 - y1
    slender = max(width, height) / min(width, height) > _SLENDER
    return not slender and item.area >= _FILLED * width * height
