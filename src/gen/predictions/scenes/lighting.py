"""Light: a soft lamp, a window beside it, the sky and the ground."""

import math

import numpy as np

from gen.predictions.scenes.shapes import LEVEL, RISE, Array, Axes, Vector

_LAMP_LIGHT, _SKY_LIGHT, _GROUND_LIGHT, _REST = 0.80, 0.24, 0.16, 0.09
_SOFTNESS = 0.25
"""How far beyond a right angle light of the wide lamp comes round."""
_GLOSS, _SHEEN, _WINDOW = 0.55, 0.12, 0.16
"""What is mirrored of the lamp, of the sky at grazing sight, and of the window."""
_FLAT = 0.25
_VIEW: Vector = (0.0, RISE, LEVEL)


def lamp(light: float) -> Vector:
    """The unit vector to the lamp; `light` goes from -0.6, far to the left, to 0.6."""
    x, y, z = 2.1 * light, 1.2, 0.45
    length = math.sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length


def shaded(place: Axes, normal: Axes, lamp: Vector, flat: bool) -> tuple[Array, Array]:
    """The light that comes to each place, and what its gloss sends to the camera, of about 1.

    `place` tells by y how high above the ground it is; `normal` are unit vectors as the solid
    stands. `flat` solids mirror less of the window: a side does so as a whole and would look
    bleached.
    """
    x, y, z = normal
    slant = x * np.float32(lamp[0]) + y * np.float32(lamp[1]) + z * np.float32(lamp[2])
    direct = np.maximum((slant + _SOFTNESS) / (1 + _SOFTNESS), 0).astype(np.float32)
    # Near its foot a solid sees less of the sky.
    low = np.clip(place[1], 0, 1)
    sky = (0.5 + 0.5 * y) * (0.55 + 0.45 * low)
    ground = (0.5 - 0.5 * y) * (0.3 + 0.7 * low)
    light = _LAMP_LIGHT * direct + _SKY_LIGHT * sky + _GROUND_LIGHT * ground + _REST
    facing = np.clip(y * np.float32(RISE) + z * np.float32(LEVEL), 0, 1)
    mirrored = [
        2 * facing * axis - np.float32(view) for axis, view in zip(normal, _VIEW, strict=True)
    ]
    window = _WINDOW * (_FLAT if flat else 1)
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
