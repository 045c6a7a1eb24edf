"""Errors of where objects lie and what belongs to one. All take 1 to 5 for the severity."""

from collections.abc import Iterator, Sequence

import numpy as np

from gen.predictions.perturb.region import Region, centre, size
from gen.predictions.perturb.scene import R, Scene, order_of_victims, shares

# Shares of an object's size, or of the number of objects, at severity 1 to 5.
_SHIFT = (0.06, 0.13, 0.22, 0.34, 0.50)
_STRETCH = (0.03, 0.06, 0.10, 0.15, 0.20)
_RAGGED = (0.03, 0.06, 0.10, 0.15, 0.22)
# What counts for a long object in place of its size is its thickness, this many times.
THICK = 1.5
_MERGED = (0.2, 0.4, 0.6, 0.8, 1.0)
_SPLIT = (0.2, 0.4, 0.6, 0.8, 1.0)
# The number of pieces that an object falls into, and the share of area of all but the first.
_PIECES = ((2, 0.2), (2, 0.4), (3, 0.3), (4, 0.25), (5, 0.2))
# How much the pieces but the first differ: even ones would look ruled.
_UNEVEN = (0.6, 1.4)
# A piece has at least so many pixels before the gap is taken off.
_LEAST_PIECE = 200.0
# Width of the gap as a share of the object's size, its least and its most in pixels.
_GAP, _GAP_LEAST, _GAP_MOST = 0.04, 2.0, 8.0
# A shift that leaves less of the object in the photo is drawn again, up to so many times.
_STAYS, _DRAWS = 0.75, 12
# Objects further apart than their size, or more unlike in area than this, are not taken for one.
_REACH = 1.0
# How far an object without a neighbour goes on into the background, in lengths of its box.
_SMEAR = 0.9
_UNLIKE = 5.0


def localisation(
    objects: Sequence[R], severity: int, rng: np.random.Generator, scene: Scene[R]
) -> list[R]:
    """Each object is shifted by about 0.06 to 0.5 of its size, and stretched a little.

    It is shifted away from a border of the photo where it would lose much there: what was meant as
    a shift would come out as a cut.
    """
    result = []
    for item in objects:
        reach = _SHIFT[severity - 1] * rng.uniform(0.8, 1.2) * size(item)
        sx, sy = np.exp(_STRETCH[severity - 1] * rng.choice([-1.0, 1.0], 2)).tolist()
        angles = rng.uniform(0, 2 * np.pi, _DRAWS)
        shifts = zip(reach * np.cos(angles), reach * np.sin(angles), strict=True)
        strayed = (item.strayed(sx, sy, dx, dy) for dx, dy in shifts)
        result.append(_first_that_stays(strayed, _STAYS * item.area * sx * sy))
    return result


def _first_that_stays(candidates: Iterator[R], area: float) -> R:
    """The first of at least this area in the photo, else the largest."""
    largest = next(candidates)
    while largest.area < area and (item := next(candidates, None)) is not None:
        largest = max(largest, item, key=lambda one: one.area)
    return largest


def ragged_boundary(
    objects: Sequence[R], severity: int, rng: np.random.Generator, scene: Scene[R]
) -> list[R]:
    """Each boundary strays by 0.03 to 0.22 of the object's size; box sides one by one.

    Long objects count as smaller: they would be torn.
    """
    result = []
    for item in objects:
        amplitude = _RAGGED[severity - 1] * min(size(item), THICK * thickness(item))
        rough = item.roughened(amplitude, rng)
        # A thin object would be torn to nothing by noise that its size allows.
        while rough.area < 0.3 * item.area and amplitude > 0.5:
            amplitude /= 2
            rough = item.roughened(amplitude, rng)
        result.append(rough)
    return result


def thickness(item: Region) -> float:
    """How wide it is on average, in pixels, across its length."""
    x1, y1, x2, y2 = item.bounds
    return item.area / max(x2 - x1, y2 - y1)


def split(
    objects: Sequence[R], severity: int, rng: np.random.Generator, scene: Scene[R]
) -> list[R]:
    """From a fifth of the objects to all fall into 2 to 5 pieces with gaps between them.

    Small objects fall into fewer pieces, or into none.
    """
    result = list(objects)
    count = max(1, round(_SPLIT[severity - 1] * len(objects)))
    shares_of = [_piece_shares(severity, item.area) for item in objects]
    order = [index for index in order_of_victims(objects, rng) if len(shares_of[index]) > 1]
    for index in order[:count]:
        first, *more = _pieces(objects[index], shares_of[index], rng)
        result[index] = first
        result.extend(more)
    return result


def _piece_shares(severity: int, area: float) -> list[float]:
    """The shares of `area` of the pieces, the first the largest, all of at least `_LEAST_PIECE`."""
    wanted, small = _PIECES[severity - 1]
    count = max(1, min(wanted, int(area / _LEAST_PIECE)))
    small = max(small, _LEAST_PIECE / area) if count == wanted else 1 / count
    return [1 - (count - 1) * small] + [small] * (count - 1)


def _uneven(parts: Sequence[float], area: float, rng: np.random.Generator) -> list[float]:
    """`parts` with all but the first made unlike each other, if each keeps `_LEAST_PIECE`."""
    # As many draws for few pieces as for many, so that those that follow do not hang on severity.
    drawn = rng.uniform(*_UNEVEN, max(count for count, _ in _PIECES))[1 : len(parts)]
    rest = (1 - parts[0]) * drawn / drawn.sum()
    return [parts[0], *rest.tolist()] if rest.min() * area >= _LEAST_PIECE else list(parts)


def _pieces(item: R, parts: Sequence[float], rng: np.random.Generator) -> list[R]:
    x1, y1, x2, y2 = item.bounds
    angle = (0.0 if x2 - x1 >= y2 - y1 else np.pi / 2) + rng.uniform(-0.4, 0.4)
    angle += np.pi * rng.integers(2)
    gap = float(np.clip(_GAP * size(item), _GAP_LEAST, _GAP_MOST))
    parts = _uneven(parts, item.area, rng)
    pieces: list[R] = []
    rest, left = item, 1.0
    for part in parts[:-1]:
        piece, rest = rest.cut(angle, part / left, rng, gap)
        left -= part
        pieces.append(piece)
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
            taken, left = _near_part(item, objects[same[nearest]], share, rng)
            pool[same[nearest]] = left
            used[same[nearest]] = True
        else:
            others = [*scene.others, *(other for other in objects if other.label != item.label)]
            foreign = _neighbour(item, others)
            if foreign is None:
                pool[index] = _grown(item, share, scene)
                continue
            beside = others[foreign]
            taken, _ = _near_part(item, beside, share * min(1.0, item.area / beside.area), rng)
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


def _near_part(item: R, other: R, share: float, rng: np.random.Generator) -> tuple[R, R | None]:
    """The `share` of `other` that lies on the side of `item`, and what is left."""
    if share >= 1:
        return other, None
    (x, y), (other_x, other_y) = centre(item), centre(other)
    return other.cut(float(np.arctan2(other_y - y, other_x - x)), share, rng)


def _grown(item: R, share: float, scene: Scene[R]) -> R:
    """`item` smeared to where the photo has the most room: by `share` of that, or of its length."""
    height, width = scene.frame
    x1, y1, x2, y2 = item.bounds
    rooms = ((width - x2, 1.0, 0.0), (x1, -1.0, 0.0), (height - y2, 0.0, 1.0), (y1, 0.0, -1.0))
    room, right, down = max(rooms)
    length = abs(right) * (x2 - x1) + abs(down) * (y2 - y1)
    grown = item
    for part in (1 / 3, 2 / 3, 1.0):
        reach = part * share * min(_SMEAR * length, room)
        grown = grown.joined(item.moved(reach * right, reach * down))
    return grown
