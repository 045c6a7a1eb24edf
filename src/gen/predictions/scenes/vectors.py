"""Lengths and directions of vectors in the plane, the same wherever they lie in memory.

`cv2.magnitude` and its like are not: which of two roundings a value gets depends on the address of
its array, and with it scores would depend on what was made before them.
"""

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float32]


def length(across: Values, down: Values) -> Values:
    """Of vectors with these parts, float32 of one shape."""
    return np.asarray(np.sqrt(across * across + down * down), np.float32)


def direction(across: Values, down: Values) -> Values:
    """Degrees from the first axis towards the second, 0 to 360, float32; 0 for no length."""
    return np.asarray(np.degrees(np.arctan2(down, across)) % np.float32(360), np.float32)
