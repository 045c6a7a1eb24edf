"""Fewer pixels: the input of super-resolution.

By the mean of each area, as a sensor with larger pixels would see it, or bicubic with a window that
grows with the factor (Keys, Cubic convolution interpolation, IEEE TASSP 29(6), 1981), which is the
custom of benchmarks such as Set5 and DIV2K. Both act on the values of the file, as these do.
"""

import numpy as np
from PIL import Image

from gen.predictions.degrade.degraded import Degraded, Rgb
from gen.schema import Downsampling

_FILTERS = {"area": Image.Resampling.BOX, "bicubic": Image.Resampling.BICUBIC}


def degrade(photo: Rgb, settings: Downsampling, rng: np.random.Generator) -> Degraded:
    """`photo`, RGB uint8, with a factor fewer pixels on each side.

    The clean picture is the photo without the last rows and columns that are no multiple of it.
    """
    factor = int(rng.choice(settings.factors))
    name = settings.filters[int(rng.integers(len(settings.filters)))]
    height, width = (side // factor * factor for side in photo.shape[:2])
    clean = np.ascontiguousarray(photo[:height, :width])
    size = width // factor, height // factor
    small = np.asarray(Image.fromarray(clean).resize(size, _FILTERS[name]))
    nearest = small.repeat(factor, axis=0).repeat(factor, axis=1)
    details = {"kind": "downsampling", "factor": factor, "filter": name}
    return Degraded(clean, small, nearest, details, scale=factor)
