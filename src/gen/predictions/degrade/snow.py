"""Snow: flakes of several sizes at several distances before a scene in haze."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.degrade import air
from gen.predictions.degrade.degraded import Degraded
from gen.predictions.degrade.light import to_linear, to_srgb
from gen.schema import Snow


class _Layer(NamedTuple):
    """Snow at one distance, of the farthest; all else is a share of the knob's value."""

    depth: float
    number: float
    size: float
    defocus: float
    opacity: float


# Size goes with the inverse of distance, number with its square. `defocus` is a share of the
# diameter; a flake that is spread out by it covers less of what is behind.
_LAYERS = (
    _Layer(0.45, 2.5, 0.16, 0.0, 0.75),
    _Layer(0.25, 1.0, 0.30, 0.0, 0.90),
    _Layer(0.14, 0.35, 0.55, 0.10, 0.95),
    _Layer(0.08, 0.10, 1.0, 0.18, 0.95),
    _Layer(0.04, 0.012, 2.1, 0.40, 0.70),
)
_SMALLEST = 1.3
# In each layer flakes of several sizes and forms fall at several angles, normal about the wind's.
_SORTS, _TURN = 6, 9.0
# A longer way leaves the picture; on it a flake is drawn at most so many times.
_FARTHEST, _STEPS = 1.0, 129
_SIZES, _STRENGTHS = (0.65, 1.4), (0.45, 1.0)
# Flakes scatter the light of the sky: they are brighter than wet air, and nearly white.
_WHITE, _LEAST = 1.5, 0.62


def degrade(photo: NDArray[np.uint8], settings: Snow, rng: np.random.Generator) -> Degraded:
    """`photo` (RGB uint8) in snow of drawn strength.

    A flake covers what is behind by a share, I = z a + (1 - z) J (Liu et al., DesnowNet, IEEE TIP
    2018), and a veil grows with distance (Chen et al., JSTASR, ECCV 2020; ALL Snow Removed, ICCV
    2021), here in linear light and layer by layer: near flakes are large, out of focus and drawn
    out by their motion, far ones small and many. Distances are those of `air.distances`.
    """
    density = rng.uniform(*settings.density)
    size = rng.uniform(*settings.size) * max(photo.shape)
    speed = rng.uniform(*settings.speed)
    angle = rng.uniform(*settings.angle)
    opacity = rng.uniform(*settings.opacity)
    haze = rng.uniform(*settings.haze)
    shape = photo.shape[:2]
    light = to_linear(photo)
    sky = air.airlight(light)
    white = np.maximum(sky * np.float32(_WHITE), np.float32(_LEAST))
    seen = air.hazed(light, sky, air.distances(shape), haze)
    for layer in _LAYERS:
        count = density * layer.number * shape[0] * shape[1] / 10_000
        cover = _flakes(shape, layer, count, (size, speed, angle), rng)
        cover *= air.before_scene(shape, layer.depth)
        cover = np.minimum(cover * np.float32(opacity * layer.opacity), 0.97)[..., None]
        flake = air.hazed(white, sky, layer.depth, haze)
        seen = seen * (1 - cover) + flake * cover
    picture = to_srgb(seen)
    details = {
        "kind": "snow",
        "density": round(density, 3),
        "size": round(size, 2),
        "speed": round(speed, 3),
        "angle": round(angle, 2),
        "opacity": round(opacity, 3),
        "haze": round(haze, 3),
    }
    return Degraded(photo, picture, picture, details)


def _flakes(
    shape: tuple[int, int],
    layer: _Layer,
    count: float,
    flake: tuple[float, float, float],
    rng: np.random.Generator,
) -> air.Light:
    """How much of each pixel the flakes of one layer cover, at full opacity."""
    size, speed, angle = flake
    cover = np.zeros(shape, np.float32)
    for _ in range(_SORTS):
        diameter = size * layer.size * rng.uniform(*_SIZES)
        # What is smaller than a pixel's surroundings is drawn larger, and as much fainter.
        faint = min(diameter / _SMALLEST, 1.0) ** 2
        diameter = max(diameter, _SMALLEST)
        sprite = _moved(
            _flake(diameter, layer.defocus, rng),
            min(diameter * speed * rng.uniform(0.6, 1.4), _FARTHEST * max(shape)),
            angle + rng.normal(0, _TURN),
        )
        number = int(rng.poisson(count / _SORTS))
        cover += np.float32(faint) * air.scattered(shape, sprite, number, _STRENGTHS, rng)
    return cover


def _flake(diameter: float, defocus: float, rng: np.random.Generator) -> air.Light:
    """A clump of crystals: a disc with an uneven rim, blurred by `defocus` of its diameter."""
    half = int(np.ceil(diameter * (0.8 + defocus))) + 2
    y, x = np.mgrid[-half : half + 1, -half : half + 1].astype(np.float32)
    turn, radius = np.arctan2(y, x), np.hypot(x, y)
    rim = np.full_like(radius, 0.5 * diameter)
    for wave in (2, 3, 5):
        rim += np.float32(0.5 * diameter * rng.uniform(0.05, 0.16)) * np.cos(
            wave * turn + np.float32(rng.uniform(0, 2 * np.pi))
        )
    # Loose at the rim and dense in the middle, never sharper than a lens makes it.
    soft = max(0.22 * diameter, 0.7)
    clump = 1 / (1 + np.exp((radius - rim) * np.float32(4 / soft)))
    blurred = cv2.GaussianBlur(clump, (0, 0), max(defocus * diameter, 0.35))
    return np.asarray(blurred, np.float32)


def _moved(sprite: air.Light, way: float, angle: float) -> air.Light:
    """A sprite drawn out along a straight way of so many pixels."""
    if way < 1:
        return sprite
    reach = int(np.ceil(way / 2))
    padded = np.pad(sprite, reach)
    turn = np.radians(angle)
    steps = np.linspace(-way / 2, way / 2, min(2 * reach + 1, _STEPS))
    total = np.zeros_like(padded)
    for step in steps:
        move = np.array([[1, 0, step * np.sin(turn)], [0, 1, step * np.cos(turn)]], np.float32)
        total += cv2.warpAffine(padded, move, padded.shape[::-1], flags=cv2.INTER_LINEAR)
    return np.asarray(total / len(steps), np.float32)
