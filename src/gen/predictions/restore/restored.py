"""What every restoration gives."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Restored(NamedTuple):
    """A restored picture, RGB uint8 in the size of the clean photo, and what made it.

    `method` names the algorithm and its settings, such as "wiener balance=0.01"; it is unique
    among the restorations of one picture.
    """

    method: str
    picture: NDArray[np.uint8]
