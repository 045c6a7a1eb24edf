"""Rain: streaks at several distances before a scene in haze."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gen.predictions.degrade import air
from gen.predictions.degrade.degraded import Degraded
from gen.predictions.degrade.light import to_linear, to_srgb
from gen.schema import Rain


class _Layer(NamedTuple):
    """Rain at one distance, of the farthest; all else is a share of the knob's value."""

    depth: float
    number: float
    length: float
    width: float
    opacity: float


# Size goes with the inverse of distance and number with its square. Drops near the camera are out
# of focus and those far away thinner than a pixel, so that both cover less of what is behind.
_LAYERS = (
    _Layer(0.50, 2.6, 0.30, 0.55, 0.50),
    _Layer(0.22, 1.0, 0.60, 0.75, 0.80),
    _Layer(0.11, 0.30, 1.0, 1.0, 1.0),
    _Layer(0.05, 0.03, 1.9, 2.4, 0.55),
)
_THINNEST = 0.9
# In each layer drops of several sizes fall at several angles, normal about that of the wind.
_SORTS, _TURN = 5, 1.8
_LENGTHS, _STRENGTHS = (0.6, 1.35), (0.25, 1.0)
# A drop refracts light from a wide angle, mostly of the sky (Garg and Nayar): it is brighter than
# the air around by so much.
_DROP = 1.25


def degrade(photo: NDArray[np.uint8], settings: Rain, rng: np.random.Generator) -> Degraded:
    """`photo` (RGB uint8) in rain of drawn strength.

    The heavy rain model of Li, Cheong and Tan (CVPR 2019), I = T (J + sum S) + (1 - T) A, in linear
    light and layer by layer: T = exp(-haze distance), and a streak lies over what is behind with
    the share of the exposure that its drop was there (Garg and Nayar, Vision and Rain, IJCV 2007).
    Distances are those of `air.distances`. Streaks behind the scene are not seen.
    """
    density = rng.uniform(*settings.density)
    length = rng.uniform(*settings.length) * max(photo.shape)
    width = rng.uniform(*settings.width) * max(photo.shape)
    angle = rng.uniform(*settings.angle)
    opacity = rng.uniform(*settings.opacity)
    haze = rng.uniform(*settings.haze)
    shape = photo.shape[:2]
    light = to_linear(photo)
    sky = air.airlight(light)
    seen = air.hazed(light, sky, air.distances(shape), haze)
    for layer in _LAYERS:
        count = density * layer.number * shape[0] * shape[1] / 10_000
        cover = _streaks(shape, layer, count, (length, width, angle), rng)
        cover *= air.before_scene(shape, layer.depth)
        cover = np.minimum(cover * np.float32(opacity * layer.opacity), 0.9)[..., None]
        drop = air.hazed(sky * np.float32(_DROP), sky, layer.depth, haze)
        seen = seen * (1 - cover) + drop * cover
    picture = to_srgb(seen)
    details = {
        "kind": "rain",
        "density": round(density, 3),
        "length": round(length, 2),
        "width": round(width, 2),
        "angle": round(angle, 2),
        "opacity": round(opacity, 3),
        "haze": round(haze, 3),
    }
    return Degraded(photo, picture, picture, details)


def _streaks(
    shape: tuple[int, int],
    layer: _Layer,
    count: float,
    drop: tuple[float, float, float],
    rng: np.random.Generator,
) -> air.Light:
    """How much of each pixel the streaks of one layer cover, at full opacity."""
    length, width, angle = drop
    cover = np.zeros(shape, np.float32)
    thickness = layer.width * width
    # What is thinner than a pixel is drawn as thick as one, and as much fainter.
    faint = min(thickness / _THINNEST, 1.0)
    for _ in range(_SORTS):
        sprite = air.streak(
            max(length * layer.length * rng.uniform(*_LENGTHS), 2.0),
            max(thickness * rng.uniform(0.8, 1.2), _THINNEST),
            angle + rng.normal(0, _TURN),
        )
        number = int(rng.poisson(count / _SORTS))
        cover += np.float32(faint) * air.scattered(shape, sprite, number, _STRENGTHS, rng)
    return cover
