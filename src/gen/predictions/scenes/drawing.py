"""Pictures of scenes: solids lit by a soft lamp and the sky, on a backdrop."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from gen import rng
from gen.predictions.scenes.backdrops import sensor_noise
from gen.predictions.scenes.case import Rgb
from gen.predictions.scenes.description import Color, Thing
from gen.predictions.scenes.shadows import contact, shadow
from gen.predictions.scenes.shapes import (
    LEVEL,
    RISE,
    SOLIDS,
    Array,
    Axes,
    Vector,
    bounds,
    scale,
)
from gen.predictions.scenes.textures import marks

PAINTS: Mapping[Color, tuple[int, int, int]] = {
    "red": (214, 20, 26),
    "orange": (247, 124, 0),
    "yellow": (252, 214, 0),
    "green": (26, 156, 46),
    "cyan": (0, 230, 228),
    "blue": (0, 104, 235),
    "purple": (144, 40, 192),
    "pink": (255, 92, 172),
}
"""sRGB of what is fully lit. Any two are CIEDE2000 >= 20 apart."""
_SAMPLES = 2
"""Rays across and down a pixel."""
_DARKER = 0.30
"""Of the paint's linear light, what a stripe or a spot sends back."""
_LAMP_LIGHT, _SKY_LIGHT, _GROUND_LIGHT = 0.80, 0.24, 0.16
_SOFTNESS = 0.25
"""How far beyond a right angle light of the wide lamp comes round."""
_GLOSS, _SHEEN, _WINDOW = 0.55, 0.12, 0.16
_SHADE, _CONTACT = 0.74, 0.62
_MIRROR, _MIRROR_DEPTH = 0.10, 0.55
"""The share of light that the ground mirrors at the foot, and over what height it fades (units)."""
_LENS = 0.5
"""Standard deviation of the lens's blur in pixels."""
_STEPS = 4095
"""Of linear light: fine enough for each of the 256 levels to come back as itself."""

_VIEW: Vector = (0.0, RISE, LEVEL)


class _Patch(NamedTuple):
    """A part of the picture from (`left`, `top`) on: premultiplied linear RGB and coverage."""

    left: int
    top: int
    color: Array
    cover: Array


def _srgb(linear: NDArray[np.floating]) -> NDArray[np.floating]:
    low = linear <= 0.0031308
    return np.where(low, 12.92 * linear, 1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055)


def _linear(levels: NDArray[np.floating]) -> NDArray[np.floating]:
    """IEC 61966-2-1: linear light, 0 to 1, of sRGB levels 0 to 255."""
    share = levels / 255.0
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


_TO_LINEAR = _linear(np.arange(256.0)).astype(np.float32)
_TO_SRGB = (255 * _srgb(np.arange(_STEPS + 1) / _STEPS)).astype(np.float32)


def draw(things: Sequence[Thing], backdrop: Rgb, light: float = -0.35) -> Rgb:
    """`backdrop` with `things` standing on it; it is itself left as it is.

    `light` tells where the lamp is, from -0.6 (left) to 0.6 (right). What is farther away is drawn
    first. Pixels that no thing, shadow or reflection reaches are those of the backdrop; things bear
    the same grain in all pictures of one size.
    """
    size = backdrop.shape[0], backdrop.shape[1]
    lamp = _lamp(light)
    picture = _TO_LINEAR[backdrop]
    dark = np.ones(size, np.float32)
    for thing in things:
        for shade, depth in ((shadow(thing, size, lamp), _SHADE), (contact(thing, size), _CONTACT)):
            if shade is not None:
                dark[shade.rows, shade.columns] *= 1 - np.float32(depth) * shade.lost
    picture *= dark[..., None]
    cover = np.zeros(size, np.float32)
    for thing in sorted(things, key=lambda one: one.y):
        patch = _rendered(thing, size, lamp)
        if patch is None:
            continue
        _mirror(picture, thing, patch)
        rows, columns = _window(patch)
        part = picture[rows, columns]
        part *= (1 - patch.cover)[..., None]
        part += patch.color
        cover[rows, columns] = np.maximum(cover[rows, columns], patch.cover)
    levels = _TO_SRGB[(np.minimum(picture, 1) * _STEPS + np.float32(0.5)).astype(np.uint16)]
    levels += (grain(size) * cover)[..., None]
    return np.asarray(np.clip(levels + 0.5, 0, 255).astype(np.uint8))


def silhouette(thing: Thing, size: tuple[int, int]) -> NDArray[np.bool_]:
    """The pixels that `thing` covers at least by half, (height, width) as `size`."""
    mask = np.zeros(size, np.bool_)
    traced = _traced(thing, size)
    if traced is not None:
        left, top, met, _, _ = traced
        cover = _mean(met.astype(np.float32))
        mask[top : top + cover.shape[0], left : left + cover.shape[1]] = cover >= 0.5
    return mask


@lru_cache(maxsize=8)
def grain(size: tuple[int, int]) -> Array:
    """Noise of a sensor in levels, the same for all pictures of a size, (height, width)."""
    noise = sensor_noise(size, rng.stream(0, "grain", *size))
    noise.flags.writeable = False
    return noise


def _lamp(light: float) -> Vector:
    x, y, z = 2.1 * light, 1.2, 0.45
    length = math.sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length


def _turn(axes: Axes, cos: float, sin: float) -> Axes:
    x, y, z = axes
    return np.float32(cos) * x + np.float32(sin) * z, y, np.float32(cos) * z - np.float32(sin) * x


def _window(patch: _Patch) -> tuple[slice, slice]:
    height, width = patch.cover.shape
    return slice(patch.top, patch.top + height), slice(patch.left, patch.left + width)


def _mean(samples: Array) -> Array:
    """Of the rays of each pixel."""
    rows, columns = samples.shape[0] // _SAMPLES, samples.shape[1] // _SAMPLES
    return np.asarray(cv2.resize(samples, (columns, rows), interpolation=cv2.INTER_AREA))


def _traced(
    thing: Thing, size: tuple[int, int]
) -> tuple[int, int, NDArray[np.bool_], Axes, Axes] | None:
    """Left, top, hits of all rays (rows, columns), places and normals of the hits.

    Places and normals are those of the solid as it was before its turn.
    """
    height, width = size
    x1, y1, x2, y2 = bounds(thing, size)
    left, right = max(math.floor(x1) - 1, 0), min(math.ceil(x2) + 1, width)
    top, bottom = max(math.floor(y1) - 1, 0), min(math.ceil(y2) + 1, height)
    if left >= right or top >= bottom:
        return None
    unit = scale(thing, width)
    across = left + (np.arange((right - left) * _SAMPLES) + 0.5) / _SAMPLES - thing.x * width
    down = top + (np.arange((bottom - top) * _SAMPLES) + 0.5) / _SAMPLES - thing.y * height
    u, v = np.meshgrid((across / unit).astype(np.float32), (-down / unit).astype(np.float32))
    cos, sin = math.cos(math.radians(thing.turn)), math.sin(math.radians(thing.turn))
    flat = (u.ravel(), np.float32(LEVEL) * v.ravel(), np.float32(-RISE) * v.ravel())
    points = _turn(flat, cos, -sin)
    toward = (-sin * LEVEL, RISE, cos * LEVEL)
    met, place, normal = SOLIDS[thing.shape].hit(points, toward)
    return left, top, met.reshape(u.shape), place, normal


def _rendered(thing: Thing, size: tuple[int, int], lamp: Vector) -> _Patch | None:
    traced = _traced(thing, size)
    if traced is None:
        return None
    left, top, met, place, normal = traced
    paint = _linear(np.array(PAINTS[thing.color], np.float64)).astype(np.float32)
    # A flat side that mirrors the window does so as a whole, and would look bleached.
    window = _WINDOW * (0.25 if thing.shape == "cube" else 1)
    marked = marks(thing.texture, thing.shape, place, normal)
    cos, sin = math.cos(math.radians(thing.turn)), math.sin(math.radians(thing.turn))
    light, gloss = _shaded(place, _turn(normal, cos, sin), lamp, window)
    light *= np.where(marked, np.float32(_DARKER), np.float32(1))
    colors = np.zeros((*met.shape, 3), np.float32)
    colors[met] = light[:, None] * paint + gloss[:, None]
    color, cover = _mean(np.minimum(colors, 1)), _mean(met.astype(np.float32))
    # No lens is as sharp as the rays are.
    soft = [cv2.GaussianBlur(part, (3, 3), _LENS) for part in (color, cover)]
    return _Patch(left, top, np.asarray(soft[0], np.float32), np.asarray(soft[1], np.float32))


def _shaded(place: Axes, normal: Axes, lamp: Vector, window: float) -> tuple[Array, Array]:
    """The light that comes to each place, and what its gloss sends to the camera."""
    x, y, z = normal
    slant = x * np.float32(lamp[0]) + y * np.float32(lamp[1]) + z * np.float32(lamp[2])
    direct = np.maximum((slant + _SOFTNESS) / (1 + _SOFTNESS), 0).astype(np.float32)
    # Near its foot a solid sees less of the sky.
    low = np.clip(place[1], 0, 1)
    sky = (0.5 + 0.5 * y) * (0.55 + 0.45 * low)
    ground = (0.5 - 0.5 * y) * (0.3 + 0.7 * low)
    light = _LAMP_LIGHT * direct + _SKY_LIGHT * sky + _GROUND_LIGHT * ground + 0.09
    facing = np.clip(x * np.float32(_VIEW[0]) + y * np.float32(RISE) + z * np.float32(LEVEL), 0, 1)
    mirrored = [
        2 * facing * axis - np.float32(view) for axis, view in zip(normal, _VIEW, strict=True)
    ]
    gloss = _GLOSS * _softbox(mirrored, lamp) + window * _window_light(mirrored, lamp)
    edge = 1 - facing
    gloss += _SHEEN * edge * edge * edge * edge * (0.5 + 0.5 * mirrored[1])
    return np.asarray(light, np.float32), np.asarray(gloss, np.float32)


def _soft(share: Array) -> Array:
    share = np.clip(share, 0, 1)
    return np.asarray(share * share * (3 - 2 * share))


def _softbox(way: list[Array], lamp: Vector) -> Array:
    """How much of the square lamp is seen along each direction, 0 to 1."""
    x, y, z = lamp
    level = math.sqrt(x * x + z * z)
    across = (way[0] * (z / level) - way[2] * (x / level)) / 0.2
    upward = (way[1] * level - (way[0] * x + way[2] * z) * (y / level)) / 0.2
    ahead = way[0] * x + way[1] * y + way[2] * z
    seen = _soft(1.5 - np.abs(across)) * _soft(1.5 - np.abs(upward))
    return np.asarray(np.where(ahead > 0, seen, 0), np.float32)


def _window_light(way: list[Array], lamp: Vector) -> Array:
    """How much of a tall window at the lamp's side is seen along each direction, 0 to 1."""
    x, z = math.copysign(0.62, lamp[0]), 0.45
    level = math.sqrt(x * x + z * z)
    across = (way[0] * (z / level) - way[2] * (x / level)) / 0.16
    ahead = way[0] * x + way[2] * z
    seen = _soft(1.4 - np.abs(across)) * _soft(3.4 - np.abs(way[1] + 0.2) / 0.2)
    return np.asarray(np.where(ahead > 0, seen, 0), np.float32)


def _mirror(picture: Array, thing: Thing, patch: _Patch) -> None:
    """A faint reflection of the thing in the ground before it."""
    height, width = picture.shape[:2]
    unit = scale(thing, width)
    # Mirrored about the line where it touches the ground.
    flipped = patch.color[::-1], patch.cover[::-1]
    top = round(2 * thing.y * height) - patch.top - patch.cover.shape[0]
    start, end = max(top, 0), min(top + patch.cover.shape[0], height)
    if start >= end:
        return
    rows = slice(start, end)
    columns = slice(patch.left, patch.left + patch.cover.shape[1])
    color, cover = (part[start - top : end - top] for part in flipped)
    depth = (np.arange(start, end, dtype=np.float32) + 0.5 - thing.y * height) / np.float32(unit)
    fade = np.float32(_MIRROR) * np.clip(1 - depth / np.float32(_MIRROR_DEPTH * 2), 0, 1)
    fade = np.where(depth > -0.5, fade, 0).astype(np.float32)[:, None]
    blur = max(0.04 * unit, 0.3)
    color, cover = (
        np.asarray(cv2.GaussianBlur(part, (0, 0), blur), np.float32) for part in (color, cover)
    )
    picture[rows, columns] *= (1 - fade * cover)[..., None]
    picture[rows, columns] += fade[..., None] * color
