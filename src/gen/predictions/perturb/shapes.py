"""Errors of where objects lie and what belongs to one. All take 1 to 5 for the severity."""

from collections.abc import Sequence

import numpy as np

from gen.predictions.perturb.region import Region, centre, size
from gen.predictions.perturb.scene import R, Scene, order_of_victims, shares

# Shares of an object's size, or of the number of objects, at severity 1 to 5.
_SHIFT = (0.06, 0.13, 0.22, 0.34, 0.50)
_STRETCH = (0.03, 0.06, 0.10, 0.15, 0.20)
_RAGGED = (0.03, 0.06, 0.10, 0.15, 0.22)
_MERGED = (0.2, 0.4, 0.6, 0.8, 1.0)
_SPLIT = (0.2, 0.4, 0.6, 0.8, 1.0)
# The shares of area of the pieces that an object falls into.
_PIECES = ((0.8, 0.2), (0.6, 0.4), (0.4, 0.3, 0.3), (0.25,) * 4, (0.2,) * 5)
_GAP = 0.06
# Objects further apart than their size, or more unlike in area than this, are not taken for one.
_REACH = 1.0
_UNLIKE = 5.0


def localisation(
    objects: Sequence[R], severity: int, rng: np.random.Generator, scene: Scene[R]
) -> list[R]:
    """Each object is shifted by about 0.06 to 0.5 of its size, and stretched a little."""
    height, width = scene.frame
    result = []
    for item in objects:
        angle = rng.uniform(0, 2 * np.pi)
        reach = _SHIFT[severity - 1] * rng.uniform(0.8, 1.2) * size(item)
        x, y = centre(item)
        dx = float(np.clip(x + reach * np.cos(angle), 0, width)) - x
        dy = float(np.clip(y + reach * np.sin(angle), 0, height)) - y
        stretch = np.exp(_STRETCH[severity - 1] * rng.choice([-1.0, 1.0], 2))
        result.append(item.scaled(*stretch.tolist()).moved(dx, dy))
    return result


def ragged_boundary(
    objects: Sequence[R], severity: int, rng: np.random.Generator, scene: Scene[R]
) -> list[R]:
    """Each boundary strays by 0.03 to 0.22 of the object's size; box sides one by one."""
    result = []
    for item in objects:
        amplitude = _RAGGED[severity - 1] * size(item)
        rough = item.roughened(amplitude, rng)
        # A thin object would be torn to nothing by noise that its size allows.
        while rough.area < 0.3 * item.area and amplitude > 0.5:
            amplitude /= 2
            rough = item.roughened(amplitude, rng)
        result.append(rough)
    return result


def split(
    objects: Sequence[R], severity: int, rng: np.random.Generator, scene: Scene[R]
) -> list[R]:
    """From a fifth of the objects to all fall into 2 to 5 pieces with gaps between them."""
    result = list(objects)
    count = max(1, round(_SPLIT[severity - 1] * len(objects)))
    for index in order_of_victims(objects, rng)[:count]:
        first, *more = _pieces(objects[index], _PIECES[severity - 1], rng)
        result[index] = first
        result.extend(more)
    return result


def _pieces(item: R, parts: Sequence[float], rng: np.random.Generator) -> list[R]:
    x1, y1, x2, y2 = item.bounds
    angle = (0.0 if x2 - x1 >= y2 - y1 else np.pi / 2) + rng.uniform(-0.4, 0.4)
    angle += np.pi * rng.integers(2)
    pieces: list[R] = []
    rest, left = item, 1.0
    for part in parts[:-1]:
        piece, rest = rest.cut(angle, part / left)
        left -= part
        # The end of a piece is lost, so that the pieces can be told apart in one colour.
        pieces.append(piece.cut(angle, 1 - min(0.4, _GAP / part))[0])
    return [*pieces, rest]


def merged(
    objects: Sequence[R], severity: int, rng: np.random.Generator, scene: Scene[R]
) -> list[R]:
    """Up to half of the objects take in their neighbour, the last one a part of it.

    The neighbour is the nearest object of the same class, which loses what is taken; else one of
    another class; else the background beside the object.
    """
    pool: list[R | None] = list(objects)
    amount = _MERGED[severity - 1] * max(1.0, len(objects) / 2)
    used = np.zeros(len(objects), np.bool_)
    victims = iter(order_of_victims(objects, rng))
    for share in shares(amount):
        index = next((victim for victim in victims if not used[victim]), None)
        if index is None:
            break
        used[index] = True
        item = objects[index]
        same = [
            other
            for other in range(len(objects))
            if not used[other] and objects[other].label == item.label
        ]
        nearest = _neighbour(item, [objects[other] for other in same])
        if nearest is not None:
            taken, left = _near_part(item, objects[same[nearest]], share)
            pool[same[nearest]] = left
            used[same[nearest]] = True
        else:
            others = [*scene.others, *(other for other in objects if other.label != item.label)]
            foreign = _neighbour(item, others)
            beside = others[foreign] if foreign is not None else _beside(item, scene)
            taken, _ = _near_part(item, beside, share * min(1.0, item.area / beside.area))
        pool[index] = item.joined(taken)
    return [item for item in pool if item is not None]


def _neighbour(item: Region, candidates: Sequence[Region]) -> int | None:
    """The index of the candidate with the smallest gap to `item`, or None if none is near."""
    if not candidates:
        return None
    boxes = np.array([other.bounds for other in candidates])
    own = np.array(item.bounds)
    gaps = np.maximum(boxes[:, :2] - own[2:], own[:2] - boxes[:, 2:]).max(axis=1)
    areas = np.array([other.area for other in candidates])
    unlike = np.maximum(areas / item.area, item.area / areas)
    gaps[(gaps > _REACH * size(item)) | (unlike > _UNLIKE)] = np.inf
    best = int(gaps.argmin())
    return best if np.isfinite(gaps[best]) else None


def _near_part(item: R, other: R, share: float) -> tuple[R, R | None]:
    """The `share` of `other` that lies on the side of `item`, and what is left."""
    if share >= 1:
        return other, None
    (x, y), (other_x, other_y) = centre(item), centre(other)
    return other.cut(float(np.arctan2(other_y - y, other_x - x)), share)


def _beside(item: R, scene: Scene[R]) -> R:
    """A copy of `item` where the photo has the most room beside it."""
    height, width = scene.frame
    x1, y1, x2, y2 = item.bounds
    rooms = ((width - x2, 0.9, 0.0), (x1, -0.9, 0.0), (height - y2, 0.0, 0.9), (y1, 0.0, -0.9))
    _, right, down = max(rooms)
    return item.moved(right * (x2 - x1), down * (y2 - y1))
