"""Measured depth in pictures of 16 bits: how it becomes disparity."""

from collections.abc import Collection
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gen.sources.photos import PhotoError, opened
from gen.sources.records import Depth

# What a report calls the fault of a depth map that `PhotoError` would call a photo's.
_KINDS = {
    "missing_photo": "missing_depth_map",
    "corrupt_photo": "corrupt_depth_map",
    "wrong_size": "depth_map_of_wrong_size",
}


class DepthMapError(Exception):
    """A depth map that cannot be used. `kind` is the word by which such faults are counted."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


def read_size(path: Path) -> tuple[int, int]:
    """The height and width of the picture at `path`, from its header alone.

    Raises:
        DepthMapError: the file is missing or no picture.
    """
    try:
        with opened(path) as image:
            width, height = image.size
    except PhotoError as error:
        raise DepthMapError(_KINDS.get(error.kind, error.kind), str(error)) from None
    return height, width


def read_values(path: Path, size: tuple[int, int]) -> NDArray[np.uint16]:
    """The values of the grey picture at `path` as they are stored, uint16 of `size`.

    Raises:
        DepthMapError: the file is missing or corrupt, of another size (height, width), or not grey.
    """
    try:
        with opened(path) as image:
            if image.size != size[::-1]:
                raise DepthMapError(
                    "depth_map_of_wrong_size",
                    f"is {image.size[0]} x {image.size[1]} pixels, its photo {size[1]} x {size[0]}",
                )
            if image.mode != "L" and not image.mode.startswith("I"):
                raise DepthMapError(
                    "corrupt_depth_map",
                    f"is a picture of mode {image.mode}; expected grey values of 16 bits",
                )
            values = np.asarray(image)
    except PhotoError as error:
        raise DepthMapError(_KINDS.get(error.kind, error.kind), str(error)) from None
    if values.min() < 0 or values.max() > 0xFFFF:
        raise DepthMapError("corrupt_depth_map", "holds values of more than 16 bits")
    return values.astype(np.uint16)


def from_values(values: NDArray[np.uint16], scale: float, invalid: Collection[int]) -> Depth:
    """Metric depth: metres are value / `scale`. 0 and the values in `invalid` are no measurement.

    Raises:
        DepthMapError: no pixel has a measurement, or all have the same.
    """
    measured = values > 0
    for value in invalid:
        measured &= values != value
    if not measured.any():
        raise DepthMapError("empty_depth_map", "no pixel has a measured depth")
    if values[measured].min() == values[measured].max():
        raise DepthMapError("flat_depth_map", "all pixels have the same depth")
    disparity = np.zeros(values.shape, np.float32)
    disparity[measured] = scale / values[measured].astype(np.float64)
    return Depth(disparity, metric=True)
