"""Two encodings of one prediction together: a text and a picture, with the format of both."""

from collections.abc import Sequence
from dataclasses import dataclass

from gen.judge.encodings.picture import PictureEncoder
from gen.judge.encodings.shown import Encoded, Picture, Shown
from gen.judge.encodings.text import TextEncoder
from gen.predictions.annotation import Prediction
from gen.wording import EncodingWords


@dataclass(frozen=True, slots=True)
class ComboEncoder:
    """Shows each option as text and as a picture; each option tells its format."""

    text: TextEncoder
    picture: PictureEncoder
    words: EncodingWords

    @property
    def needs_photo(self) -> bool:
        return self.picture.needs_photo

    def encode(
        self,
        photo: Picture | None,
        predictions: Sequence[Prediction],
        classes: Sequence[str],
        size: tuple[int, int] | None = None,
    ) -> Encoded:
        """See `Encoder.encode`."""
        texts = self.text.encode(photo, predictions, classes, size)
        pictures = self.picture.encode(photo, predictions, classes, size)
        both = self.words.combo.format(
            many=self.text.noun.many, text=texts.format, picture=pictures.format
        )
        options = tuple(
            Shown(drawn.picture, written.text, _joined(written.legend, drawn.legend), both)
            for written, drawn in zip(texts.options, pictures.options, strict=True)
        )
        return Encoded(None, options)


def _joined(*legends: str | None) -> str | None:
    return "\n".join(legend for legend in legends if legend is not None) or None
