"""Predictions that are one picture each, shown as they are."""

from dataclasses import dataclass

from gen.judge.encodings.shown import Encoded, Encoder, Exhibit, Family, Shown, Size
from gen.predictions.annotation import PicturePrediction, Prediction
from gen.schema import NaturalEncoding
from gen.wording import EncodingWords


@dataclass(frozen=True, slots=True)
class NaturalEncoder:
    """Shows each option as the stored picture; there is nothing to say of a format."""

    @property
    def needs_photo(self) -> bool:
        return False

    def encode(self, exhibit: Exhibit) -> Encoded:
        """See `Encoder.encode`."""
        return Encoded(None, tuple(Shown(stored=output(one)) for one in exhibit.predictions))


def output(prediction: Prediction) -> PicturePrediction:
    """The picture of a prediction.

    Raises:
        TypeError: no single picture.
    """
    picture = prediction[0] if len(prediction) == 1 else None
    if not isinstance(picture, PicturePrediction):
        raise TypeError("expected one picture")
    return picture


def encoder(knobs: NaturalEncoding, words: EncodingWords) -> Encoder:
    """The encoder: there are no knobs."""
    return NaturalEncoder()


def appearances(prediction: Prediction, size: Size) -> dict[str, str]:
    """The hash of the pixels, as `Family` has it."""
    return {"natural": output(prediction).digest}


def weight(prediction: Prediction, size: Size) -> float:
    """The size in bytes of the picture as PNG."""
    return float(output(prediction).length)


PICTURES = Family(
    picture=encoder,
    text=None,
    combo=lambda words: "{text} {picture}",
    appearances=appearances,
    weight=weight,
)
