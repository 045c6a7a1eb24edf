"""A room with known depth, ray by ray: the scene whose photo and depth this package ships.

    python -m gen.sources.depth_scene FOLDER

writes both. Only operations that are exact on every machine are used: no sines, no powers.

Lengths are metres: x to the right, y up, z away from the camera; the floor is y = 0.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Vectors = NDArray[np.float64]
"""(n, 3)."""
Vector = tuple[float, float, float]

WIDTH, HEIGHT = 640, 480
DEPTH_SCALE = 5000.0
"""Depth values are distances along the optical axis, in so many units a metre."""
_FOCAL = 540.0
_EYE: Vector = (0.1, 1.65, 0.0)
# The camera looks down: cosine and sine of the angle, and so of all turns below.
_PITCH = (40 / 41, 9 / 41)
_LAMP: Vector = (0.6, 2.75, 3.2)
_LAMP_SIZE = 0.35
# Each pixel is the mean of so many rays across and down.
_RAYS = 3
_NUDGE = 1e-6
_AMBIENT, _DIFFUSE, _HIGHLIGHT = 0.34, 1.15, 0.35


@dataclass(frozen=True, slots=True)
class Look:
    """The two colours of a surface (linear RGB), their pattern, its step, and how it shines."""

    color: Vector
    other: Vector
    pattern: str = "plain"
    step: float = 0.5
    shine: float = 0.0


@dataclass(frozen=True, slots=True)
class Box:
    """A box: its middle, half its sides, cosine and sine of its turn about the vertical."""

    middle: Vector
    half: Vector
    look: Look
    turn: tuple[float, float] = (1.0, 0.0)

    def local(self, vectors: Vectors) -> Vectors:
        """Directions as the box sees them."""
        cos, sin = self.turn
        x, y, z = vectors.T
        return np.stack([cos * x + sin * z, y, cos * z - sin * x], axis=1)

    def distance(self, origins: Vectors, directions: Vectors) -> NDArray[np.float64]:
        """How far along each ray the box is, infinite where it is missed."""
        start, way = self.local(origins - np.array(self.middle)), self.local(directions)
        with np.errstate(divide="ignore", invalid="ignore"):
            low = (-np.array(self.half) - start) / way
            high = (np.array(self.half) - start) / way
        near = np.fmin(low, high).max(axis=1)
        far = np.fmax(low, high).min(axis=1)
        return np.where((near <= far) & (near > _NUDGE), near, np.inf)

    def surface(self, points: Vectors) -> tuple[Vectors, Vectors]:
        """The outward normals at `points`, and the points as the box sees them."""
        inside = self.local(points - np.array(self.middle))
        share = np.abs(inside) / np.array(self.half)
        axis = share.argmax(axis=1)
        rows = np.arange(len(points))
        normal = np.zeros_like(inside)
        normal[rows, axis] = np.where(inside[rows, axis] < 0, -1.0, 1.0)
        cos, sin = self.turn
        x, y, z = normal.T
        return np.stack([cos * x - sin * z, y, sin * x + cos * z], axis=1), inside


@dataclass(frozen=True, slots=True)
class Ball:
    """A ball."""

    middle: Vector
    radius: float
    look: Look

    def distance(self, origins: Vectors, directions: Vectors) -> NDArray[np.float64]:
        """How far along each ray the ball is, infinite where it is missed."""
        start = origins - np.array(self.middle)
        square = (directions * directions).sum(axis=1)
        half = (start * directions).sum(axis=1)
        rest = (start * start).sum(axis=1) - self.radius * self.radius
        inner = half * half - square * rest
        near = (-half - np.sqrt(np.maximum(inner, 0.0))) / square
        return np.where((inner > 0) & (near > _NUDGE), near, np.inf)

    def surface(self, points: Vectors) -> tuple[Vectors, Vectors]:
        """The outward normals at `points`, and the points as seen from the middle."""
        inside = points - np.array(self.middle)
        return inside / self.radius, inside


Solid = Box | Ball

_WOOD = Look((0.42, 0.24, 0.11), (0.30, 0.16, 0.07), "planks", 0.09)
_CARD = Look((0.52, 0.36, 0.19), (0.40, 0.27, 0.13), "bands", 0.21)
_PLASTER = Look((0.62, 0.60, 0.53), (0.56, 0.54, 0.48), "tiles", 1.25)
_CEILING = Look((0.72, 0.72, 0.70), (0.66, 0.66, 0.65), "tiles", 0.6)


def _table(x: float, z: float) -> list[Solid]:
    legs = [
        Box((x + dx, 0.36, z + dz), (0.03, 0.36, 0.03), _WOOD)
        for dx in (-0.62, 0.62)
        for dz in (-0.32, 0.32)
    ]
    return [Box((x, 0.74, z), (0.7, 0.025, 0.4), _WOOD), *legs]


SOLIDS: Sequence[Solid] = (
    Box((0.2, -0.05, 5.0), (3.2, 0.05, 6.0), Look((0.45, 0.40, 0.33), (0.20, 0.17, 0.14), "tiles")),
    Box((0.2, 3.05, 5.0), (3.2, 0.05, 6.0), _CEILING),
    Box((-2.45, 1.5, 5.0), (0.05, 1.6, 6.0), _PLASTER),
    Box((2.85, 1.5, 5.0), (0.05, 1.6, 6.0), _PLASTER),
    Box((0.2, 1.5, 10.05), (3.2, 1.6, 0.05), Look((0.36, 0.14, 0.09), (0.5, 0.46, 0.4), "bricks")),
    Box(
        (1.9, 1.05, 9.95), (0.5, 1.05, 0.06), Look((0.10, 0.22, 0.20), (0.06, 0.14, 0.13), "bands")
    ),
    # a pillar, and pictures on the walls
    Box((-1.55, 1.5, 6.7), (0.17, 1.5, 0.17), Look((0.60, 0.56, 0.46), (0.5, 0.46, 0.38), "bands")),
    Box(
        (-2.38, 1.75, 4.6),
        (0.03, 0.4, 0.6),
        Look((0.7, 0.55, 0.15), (0.1, 0.2, 0.45), "rings", 0.3),
    ),
    Box(
        (2.78, 1.7, 6.4),
        (0.03, 0.45, 0.45),
        Look((0.15, 0.3, 0.5), (0.75, 0.7, 0.6), "checks", 0.15),
    ),
    *_table(0.55, 4.3),
    Ball((0.3, 0.915, 4.2), 0.15, Look((0.65, 0.08, 0.06), (0.65, 0.6, 0.5), "bands", 0.075, 1.0)),
    Box(
        (0.9, 0.845, 4.4), (0.14, 0.08, 0.1), Look((0.08, 0.25, 0.5), (0.06, 0.18, 0.4)), (0.8, 0.6)
    ),
    # crates, the nearest one at the lower left
    Box((-0.95, 0.28, 2.55), (0.28, 0.28, 0.28), _CARD, (12 / 13, 5 / 13)),
    Box((-1.75, 0.35, 5.1), (0.35, 0.35, 0.35), _CARD, (0.8, -0.6)),
    Box((-1.72, 0.92, 5.08), (0.22, 0.22, 0.22), _CARD, (12 / 13, 5 / 13)),
    Box((1.75, 0.4, 7.6), (0.4, 0.4, 0.4), _CARD, (0.6, 0.8)),
    # balls from near to far
    Ball((1.0, 0.22, 2.6), 0.22, Look((0.75, 0.42, 0.05), (0.08, 0.07, 0.06), "bands", 0.11, 1.0)),
    Ball((-0.2, 0.3, 6.1), 0.3, Look((0.08, 0.35, 0.14), (0.07, 0.28, 0.11), "checks", 0.1, 1.0)),
    Ball((0.5, 0.25, 8.6), 0.25, Look((0.6, 0.6, 0.62), (0.5, 0.1, 0.1), "bands", 0.17, 1.0)),
    Ball((-0.95, 0.2, 8.0), 0.2, Look((0.15, 0.2, 0.6), (0.13, 0.17, 0.5), "plain", 0.1, 1.0)),
)


def render(rows: Sequence[int]) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
    """The photo, RGB (len(rows), WIDTH, 3), and the depth at the middle of each pixel of `rows`."""
    photo = np.empty((len(rows), WIDTH, 3), np.uint8)
    depth = np.empty((len(rows), WIDTH), np.uint16)
    for place, row in enumerate(rows):
        total = np.zeros((WIDTH, 3))
        for ray in range(_RAYS * _RAYS):
            down, across = divmod(ray, _RAYS)
            middle = (across + 0.5) / _RAYS, (down + 0.5) / _RAYS
            total += _colors(*_rays(row, *middle), _lamp(ray))
        # The square root stands for the display's curve.
        bright = np.sqrt(np.clip(total / (_RAYS * _RAYS), 0.0, 1.0))
        photo[place] = np.round(bright * 255.0)
        # Directions advance by 1 along the optical axis, so that distances are depths.
        depth[place] = np.round(_first(*_rays(row, 0.5, 0.5))[0] * DEPTH_SCALE)
    return photo, depth


def _rays(row: int, across: float, down: float) -> tuple[Vectors, Vectors]:
    """Origins and directions through a point of each pixel of a row."""
    x = (np.arange(WIDTH) + across - WIDTH / 2) / _FOCAL
    y = np.full(WIDTH, (HEIGHT / 2 - row - down) / _FOCAL)
    cos, sin = _PITCH
    directions = np.stack([x, cos * y - sin, cos + sin * y], axis=1)
    return np.broadcast_to(np.array(_EYE), directions.shape), directions


def _lamp(ray: int) -> Vector:
    """A point of the lamp, another one for each ray of a pixel, so that shadows are soft."""
    down, across = divmod(ray, _RAYS)
    x, y, z = _LAMP
    # Rays of neighbouring places take points far apart.
    shift = [((2 * one) % _RAYS) / (_RAYS - 1) - 0.5 for one in (down, across)]
    return x + _LAMP_SIZE * shift[0], y, z + _LAMP_SIZE * shift[1]


def _first(origins: Vectors, directions: Vectors) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """How far the first solid on each ray is, and which one it is."""
    distances = np.stack([solid.distance(origins, directions) for solid in SOLIDS])
    return distances.min(axis=0), distances.argmin(axis=0)


def _colors(origins: Vectors, directions: Vectors, lamp: Vector) -> Vectors:
    """The light that comes along each ray, linear RGB."""
    distance, which = _first(origins, directions)
    points = origins + directions * distance[:, None]
    normals, paint, shine = np.zeros_like(points), np.zeros_like(points), np.zeros(len(points))
    for number, solid in enumerate(SOLIDS):
        hit = which == number
        if hit.any():
            normals[hit], inside = solid.surface(points[hit])
            paint[hit] = _painted(solid.look, inside, normals[hit])
            shine[hit] = solid.look.shine
    outside = points + normals * 1e-4
    to_lamp = np.array(lamp) - outside
    lit = _first(outside, to_lamp)[0] >= 1.0
    far = np.sqrt((to_lamp * to_lamp).sum(axis=1))
    toward = to_lamp / far[:, None]
    slant = np.maximum((normals * toward).sum(axis=1), 0.0) * lit
    sight = -directions / np.sqrt((directions * directions).sum(axis=1))[:, None]
    half = toward + sight
    half /= np.sqrt((half * half).sum(axis=1))[:, None]
    gloss = np.maximum((normals * half).sum(axis=1), 0.0)
    for _ in range(5):
        gloss = gloss * gloss
    fading = 1.0 / (1.0 + far * far / 20.0)
    light = _AMBIENT * (0.8 + 0.2 * normals[:, 1]) + _DIFFUSE * slant * fading
    glare = _HIGHLIGHT * shine * gloss * (slant > 0)
    return np.asarray(paint * light[:, None] + glare[:, None])


def _painted(look: Look, inside: Vectors, normals: Vectors) -> Vectors:
    share = _PATTERNS[look.pattern](inside / look.step, normals)
    color, other = np.array(look.color), np.array(look.other)
    return np.asarray(color + share[:, None] * (other - color))


def _luck(*cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """A number from 0 to 1 for each cell, always the same."""
    mixed = np.zeros(cells[0].shape, np.uint64)
    for cell in cells:
        mixed = (mixed ^ np.floor(cell).astype(np.int64).astype(np.uint64)) * np.uint64(
            0x9E3779B97F4A7C15
        )
        mixed ^= mixed >> np.uint64(29)
    return (mixed >> np.uint64(40)).astype(np.float64) / 2.0**24


def _flat(places: Vectors, normals: Vectors) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two coordinates on the surface, the second one upward or away."""
    up = np.abs(normals[:, 1]) > 0.7
    side = np.abs(normals[:, 0]) > np.abs(normals[:, 2])
    x, y, z = places.T
    return np.where(up | ~side, x, z), np.where(up, z, y)


def _tiles(places: Vectors, normals: Vectors) -> NDArray[np.float64]:
    u, v = _flat(places, normals)
    joint = (u - np.floor(u) < 0.025) | (v - np.floor(v) < 0.025)
    return np.where(joint, 1.0, 0.45 * _luck(u, v))


def _bricks(places: Vectors, normals: Vectors) -> NDArray[np.float64]:
    u, v = _flat(places * 2.2, normals)
    v = v * 2.5
    u = u + 0.5 * (np.floor(v) % 2)
    joint = (u - np.floor(u) < 0.04) | (v - np.floor(v) < 0.1)
    return np.where(joint, 1.0, 0.3 * _luck(u, v))


def _planks(places: Vectors, normals: Vectors) -> NDArray[np.float64]:
    u, v = _flat(places, normals)
    return 0.7 * _luck(v) + 0.3 * _luck(u * 0.7, v * 6.0)


def _bands(places: Vectors, normals: Vectors) -> NDArray[np.float64]:
    return np.asarray(np.floor(places[:, 1] + 0.5) % 2)


def _checks(places: Vectors, normals: Vectors) -> NDArray[np.float64]:
    return np.asarray(np.floor(places + 0.001).sum(axis=1) % 2)


def _rings(places: Vectors, normals: Vectors) -> NDArray[np.float64]:
    u, v = _flat(places, normals)
    return np.asarray(np.floor(np.sqrt(u * u + v * v) * 2.0) % 2)


def _plain(places: Vectors, normals: Vectors) -> NDArray[np.float64]:
    return np.zeros(len(places))


_PATTERNS: dict[str, Callable[[Vectors, Vectors], NDArray[np.float64]]] = {
    "plain": _plain,
    "tiles": _tiles,
    "bricks": _bricks,
    "planks": _planks,
    "bands": _bands,
    "checks": _checks,
    "rings": _rings,
}


def write(folder: Path) -> None:
    """Render the whole scene to room.png and room_depth.png."""
    photo, depth = render(range(HEIGHT))
    Image.fromarray(photo).save(folder / "room.png", optimize=True)
    Image.fromarray(depth).save(folder / "room_depth.png", optimize=True)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
