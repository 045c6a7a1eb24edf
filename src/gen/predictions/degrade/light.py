"""Between the values of a picture file and light (IEC 61966-2-1, sRGB)."""

import numpy as np
from numpy.typing import NDArray


def to_linear(rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Light from 0 to 1, float32 of the same shape, of sRGB values uint8."""
    return _TABLE[rgb]


def to_srgb(light: NDArray[np.floating]) -> NDArray[np.uint8]:
    """sRGB values uint8 of light, which is clipped to 0 to 1."""
    clipped = np.clip(light, 0.0, 1.0).astype(np.float32)
    curve = 1.055 * np.power(clipped, np.float32(1 / 2.4)) - 0.055
    values = np.where(clipped <= 0.0031308, 12.92 * clipped, curve)
    return np.asarray(values * 255.0 + 0.5, np.uint8)


def _table() -> NDArray[np.float32]:
    values = np.arange(256) / 255.0
    curve = np.power((values + 0.055) / 1.055, 2.4)
    return np.where(values <= 0.04045, values / 12.92, curve).astype(np.float32)


_TABLE = _table()
