"""What an encoding makes of predictions: a picture, a text or both for each option."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gen.predictions.annotation import PicturePrediction, Prediction
from gen.schema import TextEncoding
from gen.wording import EncodingWords

Picture = NDArray[np.uint8]
"""RGB, (height, width, 3)."""

Size = tuple[int, int]
"""Height and width of a photo in pixels."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """What is to be shown: the options of one item, in their order, on a photo of `size`.

    `photo` is RGB uint8 (height, width, 3), and may be None for an encoder that does not need it.
    `classes` are those of interest, in order; they get the first colors and indices. What is drawn
    by lot hangs on `lot`, which is equal for an item under every encoding and with its options
    exchanged.
    """

    size: Size
    predictions: Sequence[Prediction]
    classes: Sequence[str] = ()
    photo: Picture | None = None
    lot: str = ""

    def __post_init__(self) -> None:
        if self.photo is not None and self.photo.shape != (*self.size, 3):
            raise ValueError(f"the photo is {self.photo.shape}, not {(*self.size, 3)}")


@dataclass(frozen=True, slots=True)
class Shown:
    """One option as a judge sees it; None where there is no such part.

    `picture` is drawn pixels, `stored` a picture that a `PictureStore` has: one of them at most.
    `format` is there only where each option tells its own format.
    """

    picture: Picture | None = None
    text: str | None = None
    legend: str | None = None
    format: str | None = None
    stored: PicturePrediction | None = None

    @property
    def pictured(self) -> bool:
        """Whether the option has a picture."""
        return self.picture is not None or self.stored is not None


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

    def encode(self, exhibit: Exhibit) -> Encoded:
        """Show each option of the exhibit.

        Raises:
            ValueError: the photo is missing, or predictions do not fit its size.
            TypeError: predictions of another kind.
        """
        ...


@dataclass(frozen=True, slots=True)
class Family:
    """How the predictions of one task family are shown.

    `picture` and `text` make the encoder for the knobs of an encoding; `combo` is the sentence of
    those that give both, with the gaps `text` and `picture`. `appearances` gives a digest of what
    a judge sees for each group of the family's encodings that show the same (stems separated by
    spaces, `*` for any ending): two predictions look equal under a group if their digests are
    equal. `weight` says how much there is to see in a prediction, so that pairs in which the better
    one is the longer are as many as the others: the length of its most exact text, or of its
    picture where there is no text.
    """

    picture: Callable[[Any, EncodingWords], Encoder]
    text: Callable[[TextEncoding, EncodingWords], Encoder] | None
    combo: Callable[[EncodingWords], str]
    appearances: Callable[[Prediction, Size], Mapping[str, str]]
    weight: Callable[[Prediction, Size], float]
