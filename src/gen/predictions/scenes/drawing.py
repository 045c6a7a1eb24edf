"""Pictures of scenes: things that stand on a backdrop, with their shadows and reflections."""

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from gen import rng
from gen.predictions.scenes.backdrops import sensor_noise
from gen.predictions.scenes.case import Rgb
from gen.predictions.scenes.description import Thing
from gen.predictions.scenes.lighting import lamp
from gen.predictions.scenes.rendering import PAINTS, Patch, linear, rendered, silhouette
from gen.predictions.scenes.shadows import contact, shadow
from gen.predictions.scenes.shapes import Array, scale

__all__ = ["PAINTS", "draw", "grain", "silhouette"]

_SHADE, _CONTACT = 0.74, 0.62
"""How much darker the ground is where no light of the lamp, of the sky comes."""
_MIRROR, _MIRROR_DEPTH = 0.10, 1.1
"""The share of light that the ground mirrors at the foot, and over what length it fades (units)."""
_STEPS = 4095
"""Of linear light: fine enough for each of the 256 levels to come back as itself."""


def _srgb(linear: NDArray[np.floating]) -> NDArray[np.floating]:
    low = linear <= 0.0031308
    return np.where(low, 12.92 * linear, 1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055)


_TO_LINEAR = linear(np.arange(256.0)).astype(np.float32)
_TO_SRGB = (255 * _srgb(np.arange(_STEPS + 1) / _STEPS)).astype(np.float32)


def draw(things: Sequence[Thing], backdrop: Rgb, light: float = -0.35) -> Rgb:
    """`backdrop` with `things` standing on it; it is itself left as it is.

    `light` tells where the lamp is, from -0.6 (left) to 0.6 (right). What is farther away is drawn
    first. Pixels that no thing, shadow or reflection reaches are those of the backdrop; things bear
    the same grain in all pictures of one size.
    """
    size = backdrop.shape[0], backdrop.shape[1]
    light_from = lamp(light)
    picture = _TO_LINEAR[backdrop]
    dark = np.ones(size, np.float32)
    back_to_front = sorted(things, key=lambda thing: thing.y)
    for thing in back_to_front:
        for shade, depth in (
            (shadow(thing, size, light_from), _SHADE),
            (contact(thing, size), _CONTACT),
        ):
            if shade is not None:
                dark[shade.rows, shade.columns] *= 1 - np.float32(depth) * shade.lost
    picture *= dark[..., None]
    cover = np.zeros(size, np.float32)
    for thing in back_to_front:
        patch = rendered(thing, size, light_from)
        if patch is None:
            continue
        _mirror(picture, thing, patch)
        rows, columns = patch.window
        part = picture[rows, columns]
        part *= (1 - patch.cover)[..., None]
        part += patch.color
        cover[rows, columns] = np.maximum(cover[rows, columns], patch.cover)
    levels = _TO_SRGB[(np.minimum(picture, 1) * _STEPS + np.float32(0.5)).astype(np.uint16)]
    levels += (grain(size) * cover)[..., None]
    return np.asarray(np.clip(levels + 0.5, 0, 255).astype(np.uint8))


@lru_cache(maxsize=8)
def grain(size: tuple[int, int]) -> Array:
    """Noise of a sensor in levels, the same for all pictures of a size, (height, width)."""
    noise = sensor_noise(size, rng.stream(0, "grain", *size))
    noise.flags.writeable = False
    return noise


def _mirror(picture: Array, thing: Thing, patch: Patch) -> None:
    """A faint reflection of the thing in the ground before it."""
    height = picture.shape[0]
    unit = scale(thing, picture.shape[1])
    # Mirrored about the line where it touches the ground.
    flipped = patch.color[::-1], patch.cover[::-1]
    top = round(2 * thing.y * height) - patch.top - patch.cover.shape[0]
    start, end = max(top, 0), min(top + patch.cover.shape[0], height)
    if start >= end:
        return
    rows = slice(start, end)
    columns = patch.window[1]
    color, cover = (part[start - top : end - top] for part in flipped)
    depth = (np.arange(start, end, dtype=np.float32) + 0.5 - thing.y * height) / np.float32(unit)
    fade = np.float32(_MIRROR) * np.clip(1 - depth / np.float32(_MIRROR_DEPTH), 0, 1)
    fade = np.where(depth > -0.5, fade, 0).astype(np.float32)[:, None]
    blur = max(0.04 * unit, 0.3)
    color, cover = (
        np.asarray(cv2.GaussianBlur(part, (0, 0), blur), np.float32) for part in (color, cover)
    )
    picture[rows, columns] *= (1 - fade * cover)[..., None]
    picture[rows, columns] += fade[..., None] * color
