"""What an encoding makes of predictions: a picture, a text or both for each option."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gen.predictions.annotation import Prediction

Picture = NDArray[np.uint8]
"""RGB, (height, width, 3)."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One option as a judge sees it; None where there is no such part.

    `format` is there only where each option tells its own format.
    """

    picture: Picture | None = None
    text: str | None = None
    legend: str | None = None
    format: str | None = None


@dataclass(frozen=True, slots=True)
class Encoded:
    """All options of an item; `format` is said once for all of them, or None."""

    format: str | None
    options: tuple[Shown, ...]


class Encoder(Protocol):
    """Shows predictions to a judge. It holds no state: equal input gives equal output."""

    @property
    def needs_photo(self) -> bool:
        """Whether `encode` draws on the photo; if not, its size is enough."""
        ...

    def encode(
        self,
        photo: Picture | None,
        predictions: Sequence[Prediction],
        classes: Sequence[str],
        size: tuple[int, int] | None = None,
    ) -> Encoded:
        """Show each of the `predictions`, the options of one item in their order.

        Args:
            photo: RGB uint8 (height, width, 3); may be None if not `needs_photo`.
            predictions: the options.
            classes: the classes of interest, in order; they get the first colors.
            size: (height, width) of the photo in pixels, needed where `photo` is None.

        Raises:
            ValueError: the photo or its size is missing, or does not fit the predictions.
        """
        ...


def photo_size(photo: Picture | None, size: tuple[int, int] | None) -> tuple[int, int]:
    """Height and width in pixels, from whichever of the two is there.

    Raises:
        ValueError: neither is there, or they differ.
    """
    if photo is None:
        if size is None:
            raise ValueError("neither the photo nor its size is given")
        return size
    found = (photo.shape[0], photo.shape[1])
    if size is not None and size != found:
        raise ValueError(f"the photo is {found} px, not {size}")
    return found
