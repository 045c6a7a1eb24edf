"""Solids: where a ray from the camera meets them, and what they cover of picture and ground.

A solid stands on the ground at the origin of its own space: x to the right, y up, z to the
viewer when it is not turned. Its unit is half the width of a ball. The camera is far away and looks
down by `ELEVATION`, so that a solid looks the same everywhere in the picture.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gen.predictions.scenes.description import Shape, Thing

ELEVATION = math.radians(25.0)
RISE, LEVEL = math.sin(ELEVATION), math.cos(ELEVATION)
Array = NDArray[np.floating]
Axes = tuple[Array, Array, Array]
"""x, y and z of many points."""
Vector = tuple[float, float, float]

TALL = 2.2
"""The height of a cylinder and of a cone."""
_RIM = 0.16
"""How far from an edge its rounding begins; only the shading is round."""
RADIUS, TUBE = 1.0, 0.31
"""Of a ring: from its middle to that of its tube, and half the thickness of the tube."""
_TINY = 1e-6


@dataclass(frozen=True, slots=True)
class Solid:
    """A shape.

    `hit(points, toward)` goes from points of a plane through the origin along the unit vector
    `toward` the camera: it gives the mask of points (n,) that meet the solid, and where they leave
    it last and the unit normals there, for those points only. `half_width` is that of the
    silhouette for a turn in radians. `parts` are point clouds (k, 3) whose convex hulls make up
    the solid.
    """

    hit: Callable[[Axes, Vector], tuple[NDArray[np.bool_], Axes, Axes]]
    half_width: Callable[[float], float]
    parts: Sequence[NDArray[np.float64]]


def _unit(x: Array, y: Array, z: Array) -> Axes:
    length = np.sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length


def _along(points: Axes, toward: Vector, distance: Array, met: NDArray[np.bool_]) -> Axes:
    x, y, z = (
        axis[met] + np.float32(step) * distance[met]
        for axis, step in zip(points, toward, strict=True)
    )
    return x, y, z


def _ball(points: Axes, toward: Vector) -> tuple[NDArray[np.bool_], Axes, Axes]:
    x, y, z = points[0], points[1] - np.float32(1), points[2]
    a, b, c = (np.float32(step) for step in toward)
    nearest = x * a + y * b + z * c
    inside = nearest * nearest - (x * x + y * y + z * z - np.float32(1))
    met = inside > 0
    far = np.sqrt(np.maximum(inside, 0)) - nearest
    place = _along(points, toward, far, met)
    return met, place, (place[0], place[1] - np.float32(1), place[2])


def _cube(points: Axes, toward: Vector) -> tuple[NDArray[np.bool_], Axes, Axes]:
    into = np.full(points[0].shape, -np.inf, np.float32)
    out = np.full(points[0].shape, np.inf, np.float32)
    face = np.zeros(points[0].shape, np.int8)
    for axis, middle in enumerate((0.0, 1.0, 0.0)):
        step = toward[axis] if abs(toward[axis]) > _TINY else _TINY
        start = points[axis] - np.float32(middle)
        leaving = (np.float32(math.copysign(1.0, step)) - start) / np.float32(step)
        into = np.maximum(into, leaving - np.float32(2.0 / abs(step)))
        face[leaving < out] = axis
        out = np.minimum(out, leaving)
    met = out > into
    place = _along(points, toward, out, met)
    local = (place[0], place[1] - np.float32(1), place[2])
    normals = []
    for axis, where in enumerate(local):
        bent = np.clip((np.abs(where) - np.float32(1 - _RIM)) / np.float32(_RIM), 0, 1)
        normals.append(np.where(face[met] == axis, np.float32(1), bent * bent) * np.sign(where))
    return met, place, _unit(*normals)


def _round(points: Axes, toward: Vector, taper: float) -> tuple[NDArray[np.bool_], Axes, Axes]:
    """A round solid about the vertical whose radius is 1 at the foot and shrinks by `taper`."""
    x, y, z = points
    a, b, c = (np.float32(step) for step in toward)
    shrink = np.float32(taper)
    wide = np.float32(1) - shrink * y
    square = a * a + c * c - shrink * shrink * b * b
    half = x * a + z * c + shrink * b * wide
    inner = half * half - square * (x * x + z * z - wide * wide)
    root = np.sqrt(np.maximum(inner, 0))
    foot, top = -y / b, (np.float32(TALL) - y) / b
    side = (root - half) / square
    out = np.minimum(side, top)
    into = np.maximum((-root - half) / square, foot)
    met = (inner > 0) & (out > into)
    place = _along(points, toward, out, met)
    on_top = (top < side)[met]
    radius = np.sqrt(place[0] * place[0] + place[2] * place[2]) + np.float32(_TINY)
    outward = np.where(on_top, np.clip((radius - (1 - _RIM)) / np.float32(_RIM), 0, 1) ** 2, 1)
    upward = np.clip((place[1] - np.float32(TALL - _RIM)) / np.float32(_RIM), 0, 1) ** 2
    rise = np.where(on_top, 1, np.float32(taper) if taper else upward).astype(np.float32)
    across = (outward / radius).astype(np.float32)
    return met, place, _unit(place[0] * across, rise, place[2] * across)


def _cylinder(points: Axes, toward: Vector) -> tuple[NDArray[np.bool_], Axes, Axes]:
    return _round(points, toward, 0.0)


def _cone(points: Axes, toward: Vector) -> tuple[NDArray[np.bool_], Axes, Axes]:
    return _round(points, toward, 1.0 / TALL)


def _ring(points: Axes, toward: Vector) -> tuple[NDArray[np.bool_], Axes, Axes]:
    """By steps as long as the distance to the ring, which cannot miss it (sphere tracing)."""
    middle = np.float32(RADIUS + TUBE)
    x, y, z = points[0], points[1] - middle, points[2]
    a, b, c = (np.float32(step) for step in toward)
    nearest = x * a + y * b + z * c
    inside = nearest * nearest - (x * x + y * y + z * z - middle * middle)
    met = inside > 0
    index = np.flatnonzero(met)
    far = (np.sqrt(np.maximum(inside, 0)) - nearest)[index]
    x, y, z = (axis[index] for axis in (x, y, z))
    leave = (-np.sqrt(np.maximum(inside, 0)) - nearest)[index]
    distance = np.empty_like(far)
    going = np.arange(len(index))
    for _ in range(40):
        px, py, pz = x + a * far, y + b * far, z + c * far
        rim = np.sqrt(px * px + py * py) - np.float32(RADIUS)
        step = np.sqrt(rim * rim + pz * pz) - np.float32(TUBE)
        far = far - step
        arrived = (step < 2e-3) | (far < leave)
        distance[going[arrived]] = np.where(far < leave, np.inf, far)[arrived]
        stay = ~arrived
        going, far, x, y, z, leave = (one[stay] for one in (going, far, x, y, z, leave))
        if not len(going):
            break
    distance[going] = far
    reached = np.isfinite(distance)
    met = np.zeros(met.shape, np.bool_)
    met[index[reached]] = True
    whole = np.zeros(met.shape, np.float32)
    whole[index[reached]] = distance[reached]
    place = _along(points, toward, whole, met)
    px, py, pz = place[0], place[1] - middle, place[2]
    around = np.sqrt(px * px + py * py)
    share = (around - np.float32(RADIUS)) / around
    return met, place, _unit(px * share, py * share, pz)


def _circle(count: int) -> list[tuple[float, float]]:
    angles = [2 * math.pi * step / count for step in range(count)]
    return [(math.cos(angle), math.sin(angle)) for angle in angles]


def _ball_points() -> NDArray[np.float64]:
    rows = [(math.cos(k * math.pi / 12), math.sin(k * math.pi / 12)) for k in range(-6, 7)]
    return np.array([(w * c, 1 + h, w * s) for w, h in rows for c, s in _circle(24)])


def _tube(start: float, end: float) -> NDArray[np.float64]:
    points = []
    for angle in (start, end):
        cos, sin = math.cos(angle), math.sin(angle)
        for out, side in _circle(10):
            wide = RADIUS + TUBE * out
            points.append((wide * cos, RADIUS + TUBE + wide * sin, TUBE * side))
    return np.array(points)


_DISC = [(cos, 0.0, sin) for cos, sin in _circle(32)]
_LINKS = 24

SOLIDS: dict[Shape, Solid] = {
    "ball": Solid(_ball, lambda turn: 1.0, [_ball_points()]),
    "cube": Solid(
        _cube,
        lambda turn: abs(math.cos(turn)) + abs(math.sin(turn)),
        [np.array([(x, y, z) for x in (-1.0, 1.0) for y in (0.0, 2.0) for z in (-1.0, 1.0)])],
    ),
    "cylinder": Solid(
        _cylinder, lambda turn: 1.0, [np.array([*_DISC, *((x, TALL, z) for x, _, z in _DISC)])]
    ),
    "cone": Solid(_cone, lambda turn: 1.0, [np.array([*_DISC, (0.0, TALL, 0.0)])]),
    "ring": Solid(
        _ring,
        lambda turn: RADIUS * abs(math.cos(turn)) + TUBE,
        [
            _tube(2 * math.pi * link / _LINKS, 2 * math.pi * (link + 1) / _LINKS)
            for link in range(_LINKS)
        ],
    ),
}


def scale(thing: Thing, width: int) -> float:
    """Pixels per unit of the solid's space in a picture `width` pixels wide."""
    return thing.extent * width / (2 * SOLIDS[thing.shape].half_width(math.radians(thing.turn)))


def turned(points: NDArray[np.float64], turn: float) -> NDArray[np.float64]:
    """Points (n, 3) of a solid as they stand when it is turned by `turn` degrees."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    x, y, z = points.T
    return np.stack([cos * x + sin * z, y, cos * z - sin * x], axis=1)


def bounds(thing: Thing, size: tuple[int, int]) -> tuple[float, float, float, float]:
    """The box x1, y1, x2, y2 around the silhouette of `thing`, in pixels; it may leave the picture.

    `size` is the picture's height and width. Right to 1 % of the thing's width.
    """
    height, width = size
    points = np.concatenate(SOLIDS[thing.shape].parts)
    x, y, z = turned(points, thing.turn).T
    unit = scale(thing, width)
    across, down = thing.x * width + unit * x, thing.y * height - unit * (LEVEL * y - RISE * z)
    return float(across.min()), float(down.min()), float(across.max()), float(down.max())
