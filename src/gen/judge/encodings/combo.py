"""Two encodings of one prediction together: a text and a picture, with the format of both."""

from dataclasses import dataclass

from gen.judge.encodings.shown import Encoded, Encoder, Exhibit, Shown


@dataclass(frozen=True, slots=True)
class ComboEncoder:
    """Shows each option as text and as a picture; each option tells its format.

    `sentence` has the gaps `text` and `picture` for the formats of the two. A legend of the text
    stands right below it, so that it is not taken for that of the picture.
    """

    text: Encoder
    picture: Encoder
    sentence: str

    @property
    def needs_photo(self) -> bool:
        return self.picture.needs_photo

    def encode(self, exhibit: Exhibit) -> Encoded:
        """See `Encoder.encode`."""
        texts, pictures = self.text.encode(exhibit), self.picture.encode(exhibit)
        both = self.sentence.format(text=texts.format, picture=pictures.format)
        options = tuple(
            Shown(drawn.picture, _joined(written.text, written.legend), drawn.legend, both)
            for written, drawn in zip(texts.options, pictures.options, strict=True)
        )
        return Encoded(None, options)


def _joined(*parts: str | None) -> str | None:
    return "\n".join(part for part in parts if part is not None) or None
