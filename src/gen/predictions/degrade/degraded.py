"""What every way of degrading a photo gives."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rgb = NDArray[np.uint8]
"""RGB, (height, width, 3)."""


@dataclass(frozen=True, slots=True)
class Degraded:
    """A degraded photo, as it is shown, and what is known of how it came about.

    `clean` is the hidden photo that restorations are compared with, `untouched` the input in the
    size of `clean` (the picture itself, but for super-resolution). `details` is plain JSON data:
    the kind and its strengths. `kernel` (float32, sum 1), `scale` and `hole` (bool, True where
    pixels are missing) are what a method may know of a blur, of a reduced and of a cut picture.
    """

    clean: Rgb
    picture: Rgb
    untouched: Rgb
    details: Mapping[str, Any]
    kernel: NDArray[np.float32] | None = None
    scale: int = 1
    hole: NDArray[np.bool_] | None = field(default=None)
