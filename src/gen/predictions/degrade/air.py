"""What rain and snow fall through: distances in the scene, haze, and layers of particles."""

import cv2
import numpy as np
from numpy.typing import NDArray

Light = NDArray[np.float32]
"""Linear light, (height, width, 3), or a share of each pixel, (height, width)."""

# The ground at the lower edge is this much of the farthest distance away.
_NEAREST = 1 / 6
# Overcast sky and wet air are between these, of white, and a little blue.
_DARKEST, _BRIGHTEST = 0.28, 0.62
_TINT = np.array((0.97, 1.0, 1.03), np.float32)
_LUMINANCE = np.array((0.2126, 0.7152, 0.0722), np.float32)


def distances(shape: tuple[int, int]) -> Light:
    """How far each row of a photo is, of the farthest, float32 (height, 1).

    No distance is known of a single photo. This takes the scene for flat ground under the camera,
    whose inverse distance is linear in the row (Hoiem et al., Putting objects in perspective,
    IJCV 2008): 1 at the upper edge, a sixth at the lower.
    """
    inverse = np.linspace(1.0, 1 / _NEAREST, shape[0], dtype=np.float32)
    return (1.0 / inverse)[:, None]


def airlight(light: Light) -> Light:
    """The light that the air sends, (3,): nearly grey, as bright as the bright parts of the photo.

    The 90th percentile of luminance, kept within that of an overcast sky.
    """
    level = np.quantile(light @ _LUMINANCE, 0.9)
    return np.float32(np.clip(level, _DARKEST, _BRIGHTEST)) * _TINT


def hazed(light: Light, air: Light, depth: float | Light, thickness: float) -> Light:
    """`light` seen through haze: T J + (1 - T) A with T = exp(-thickness depth) (Koschmieder)."""
    passed = np.exp(np.float32(-thickness) * np.float32(depth))
    if passed.ndim:
        passed = passed[..., None]
    return np.asarray(light * passed + air * (1 - passed), np.float32)


def before_scene(shape: tuple[int, int], depth: float) -> Light:
    """Which share of a layer at `depth` is before the scene, (height, 1): the rest is hidden."""
    return np.asarray(np.clip(distances(shape) / depth - 0.5, 0.0, 1.0), np.float32)


def scattered(
    shape: tuple[int, int],
    sprite: Light,
    count: int,
    strengths: tuple[float, float],
    rng: np.random.Generator,
) -> Light:
    """`count` copies of one sprite at places between pixels, summed, float32 `shape`.

    Each is weakened by a random share between the two `strengths`. Places reach beyond the edges,
    so that parts of sprites come in from outside: `count` is that inside the picture.
    """
    reach = max(sprite.shape) // 2 + 1
    rows, columns = shape[0] + 2 * reach, shape[1] + 2 * reach
    count = round(count * rows * columns / (shape[0] * shape[1]))
    canvas = np.zeros((rows, columns), np.float32)
    y, x = rng.uniform(0, rows - 1, count), rng.uniform(0, columns - 1, count)
    strength = rng.uniform(*strengths, count)
    top, left = y.astype(int), x.astype(int)
    for down in (0, 1):
        for right in (0, 1):
            share = np.abs(1 - down - (y - top)) * np.abs(1 - right - (x - left))
            np.add.at(canvas, (top + down, left + right), strength * share)
    drawn = cv2.filter2D(canvas, cv2.CV_32F, sprite, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(drawn[reach:-reach, reach:-reach], np.float32)


def streak(length: float, width: float, angle: float) -> Light:
    """A line of 1 with soft ends and sides, float32, odd sides.

    `length` and `width` (of half the height) are pixels, `angle` degrees from the vertical.
    """
    half = int(np.ceil(0.6 * length + 1.5 * width)) + 1
    y, x = np.mgrid[-half : half + 1, -half : half + 1].astype(np.float32)
    turn = np.radians(angle)
    along = y * np.cos(turn) + x * np.sin(turn)
    across = x * np.cos(turn) - y * np.sin(turn)
    # A drop that is out of focus or thinner than a pixel has sides like a Gaussian's.
    side = np.exp(-0.5 * (across / (width / 2.355)) ** 2)
    end = np.exp(-((np.abs(along) / (0.5 * length + 0.25 * width)) ** 5))
    return np.asarray(side * end, np.float32)
