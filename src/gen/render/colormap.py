"""Maps from a value in 0..1 to a colour."""

import cv2
import numpy as np
from numpy.typing import NDArray


def _table(code: int) -> NDArray[np.uint8]:
    bgr = cv2.applyColorMap(np.arange(256, dtype=np.uint8)[:, None], code)
    table = np.ascontiguousarray(np.asarray(bgr, np.uint8)[:, 0, ::-1])
    table.setflags(write=False)
    return table


def _gray() -> NDArray[np.uint8]:
    table = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
    table.setflags(write=False)
    return table


PLASMA = _table(cv2.COLORMAP_PLASMA)
"""Dark blue (0) over purple and orange to bright yellow (1); RGB (256, 3), rising in lightness."""
TURBO = _table(cv2.COLORMAP_TURBO)
"""Dark blue (0) over cyan, green and yellow to dark red (1); RGB (256, 3)."""
GRAY = _gray()
"""Black (0) to white (1); RGB (256, 3)."""


def apply(values: NDArray[np.floating], lut: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Picture (H, W, 3) of a map `values` (H, W) in 0..1 through a table (256, 3).

    Entry round(255 * value), halves up; values outside 0..1 take the nearest end.

    Raises:
        ValueError: another shape, or a value that is not finite.
    """
    if values.ndim != 2 or lut.shape != (256, 3):
        raise ValueError(f"expected (H, W) and (256, 3), got {values.shape} and {lut.shape}")
    if not np.isfinite(values).all():
        raise ValueError("a map to be coloured holds values that are not finite")
    index = np.clip(values * 255.0 + 0.5, 0, 255).astype(np.uint8)
    return colored(index, lut)


def colored(levels: NDArray[np.uint8], lut: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Picture (H, W, 3) of uint8 `levels` (H, W), each the entry of a table (256, 3)."""
    # the table's channel order passes through untouched, so RGB in is RGB out
    return np.asarray(cv2.applyColorMap(levels, lut.reshape(256, 1, 3)), np.uint8)
