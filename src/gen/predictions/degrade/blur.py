"""Blur of a camera that moves or is out of focus, and the noise of its sensor.

Kernels: the path of a shaking hand as a smooth random walk (after Delbracio and Sapiro, Burst
deblurring, CVPR 2015, and Boracchi and Foi, Modeling the performance of image restoration from
motion blur, IEEE TIP 21(8), 2012); the disc of a lens out of focus (geometrical optics). Both
act on light, not on the values of a file. Noise: shot noise, whose variance grows with the light,
over a floor of readout noise (EMVA Standard 1288, linear camera model).
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.degrade.degraded import Degraded, Rgb
from gen.predictions.degrade.light import to_linear, to_srgb
from gen.schema import Blur

Kernel = NDArray[np.float32]

# Readout noise: its share of the variance that white has.
_READOUT = 0.05
# Points of a path for each pixel of its length, and samples of a disc along a pixel.
_DENSE, _FINE = 16, 8
# By how much a path turns, in radians for each tenth of its length.
_BEND = 0.35


def degrade(photo: Rgb, settings: Blur, rng: np.random.Generator) -> Degraded:
    """`photo`, RGB uint8, blurred by motion or by defocus, one as likely as the other."""
    noise = float(rng.uniform(*settings.noise))
    details: dict[str, Any]
    if rng.random() < 0.5:
        length = float(rng.uniform(*settings.motion))
        kernel = motion_kernel(length, rng)
        details = {"kind": "motion", "length": round(length, 2)}
    else:
        diameter = float(rng.uniform(*settings.defocus))
        kernel = disc_kernel(diameter)
        details = {"kind": "defocus", "diameter": round(diameter, 2)}
    light = convolve(to_linear(photo), kernel)
    deviation = noise * np.sqrt(np.clip(light, 0.0, 1.0) * (1.0 - _READOUT) + _READOUT)
    light = light + deviation * rng.standard_normal(light.shape, np.float32)
    blurred = to_srgb(light)
    details["noise"] = round(noise, 5)
    return Degraded(photo, blurred, blurred, details, kernel=kernel)


def motion_kernel(length: float, rng: np.random.Generator) -> Kernel:
    """The kernel of a smooth path of `length` pixels that bends at random, float32, sum 1.

    Its centre of mass is the middle, so that it does not move the picture.
    """
    count = max(2, round(length * _DENSE))
    bends = np.interp(np.linspace(0, 10, count), np.arange(11), rng.normal(0.0, _BEND, 11))
    heading = rng.uniform(0.0, 2.0 * np.pi) + np.cumsum(bends) * 10.0 / count
    steps = np.stack([np.cos(heading), np.sin(heading)]) * (length / count)
    path = np.cumsum(steps, axis=1)
    path -= path.mean(axis=1, keepdims=True)
    radius = int(np.ceil(np.abs(path).max())) + 1
    kernel = np.zeros((2 * radius + 1, 2 * radius + 1), np.float64)
    low = np.floor(path).astype(int)
    part = path - low
    for down in (0, 1):
        for right in (0, 1):
            weight = (part[1] if down else 1 - part[1]) * (part[0] if right else 1 - part[0])
            np.add.at(kernel, (low[1] + radius + down, low[0] + radius + right), weight)
    return np.asarray(kernel / kernel.sum(), np.float32)


def disc_kernel(diameter: float) -> Kernel:
    """The kernel of a disc of `diameter` pixels, float32, sum 1."""
    radius = int(np.ceil(diameter / 2.0))
    places = (np.arange((2 * radius + 1) * _FINE) + 0.5) / _FINE - radius - 0.5
    inside = places[:, None] ** 2 + places**2 <= (diameter / 2.0) ** 2
    side = 2 * radius + 1
    kernel = inside.reshape(side, _FINE, side, _FINE).mean(axis=(1, 3))
    return np.asarray(kernel / kernel.sum(), np.float32)


def convolve(light: NDArray[np.float32], kernel: Kernel) -> NDArray[np.float32]:
    """`light`, float32 (height, width[, 3]), convolved with `kernel`; borders are mirrored."""
    turned = np.ascontiguousarray(kernel[::-1, ::-1])
    found = cv2.filter2D(light, -1, turned, borderType=cv2.BORDER_REFLECT_101)
    return np.asarray(found, np.float32)
