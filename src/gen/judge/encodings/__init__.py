"""How predictions are shown to a judge: as pictures, as text, or as both."""

from collections.abc import Mapping
from typing import Any

from gen.judge.encodings import instances
from gen.judge.encodings.appearance import appearances
from gen.judge.encodings.combo import ComboEncoder
from gen.judge.encodings.picture import PictureEncoder
from gen.judge.encodings.shown import Encoded, Encoder, Picture, Shown
from gen.judge.encodings.text import TextEncoder
from gen.schema import ComboEncoding, Encoding, GridEncoding, MaskEncoding, Task, TextEncoding
from gen.wording import EncodingWords, Noun, Wording

__all__ = ["Encoded", "Encoder", "Picture", "Shown", "appearances", "build"]

_RECIPES = {"instances": instances.recipe}


def build(task: Task, encoding: Encoding, wording: Wording | Mapping[str, Any]) -> Encoder:
    """The encoder for one (task, encoding) row in the words of `wording`."""
    words = Wording.model_validate(wording).encoding
    noun: Noun = getattr(words.nouns, task.family)
    if isinstance(encoding, TextEncoding):
        return _text(encoding, words, noun)
    if isinstance(encoding, ComboEncoding):
        picture = _picture(task, encoding.picture, words, noun)
        return ComboEncoder(_text(encoding.text, words, noun), picture, words)
    return _picture(task, encoding, words, noun)


def _text(encoding: TextEncoding, words: EncodingWords, noun: Noun) -> TextEncoder:
    return TextEncoder(encoding.format, encoding.grid, words, noun)


def _picture(
    task: Task, encoding: MaskEncoding | GridEncoding, words: EncodingWords, noun: Noun
) -> PictureEncoder:
    return PictureEncoder(_RECIPES[task.family](encoding), words, noun)
