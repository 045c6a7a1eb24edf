"""The ground that layers are drawn on: black, or a copy of the photo."""

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


def black(h: int, w: int) -> Image:
    """A black RGB picture, uint8 (h, w, 3).

    Raises:
        ValueError: a side is below 1.
    """
    if h < 1 or w < 1:
        raise ValueError(f"a canvas has at least one pixel, not {h} x {w}")
    return np.zeros((h, w, 3), np.uint8)


def paper(photo: Image) -> Image:
    """A C-contiguous copy of `photo`, uint8 RGB (H, W, 3), to draw on.

    Raises:
        ValueError: `photo` is not a uint8 RGB picture.
    """
    if photo.dtype != np.uint8 or photo.ndim != 3 or photo.shape[2] != 3 or photo.size == 0:
        raise ValueError(f"expected uint8 (H, W, 3), got {photo.dtype} {photo.shape}")
    return np.array(photo, order="C")
