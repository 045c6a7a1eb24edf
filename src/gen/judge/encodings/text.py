"""Predictions as text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from gen.item import FORBIDDEN_IN_FREE_TEXT
from gen.judge.encodings.shown import Encoded, Exhibit, Shown, Size


@dataclass(frozen=True, slots=True)
class TextEncoder:
    """Writes each option in one text form; `format` describes it for a photo of a size."""

    write: Callable[[Exhibit], Sequence[Shown]]
    format: Callable[[Size], str]

    @property
    def needs_photo(self) -> bool:
        return False

    def encode(self, exhibit: Exhibit) -> Encoded:
        """See `Encoder.encode`."""
        return Encoded(self.format(exhibit.size), tuple(self.write(exhibit)))


def json_lines(entries: Sequence[Any]) -> str:
    """A JSON array with one entry a line, in which no placeholder of a prompt can occur."""
    if not entries:
        return "[]"
    lines = [orjson.dumps(entry, option=orjson.OPT_SERIALIZE_NUMPY).decode() for entry in entries]
    text = "[" + ",\n".join(lines) + "]"
    # Run-length counts are made of letters and brackets, and could spell one by chance.
    for word in FORBIDDEN_IN_FREE_TEXT:
        text = text.replace(word, f"\\u003c{word[1:]}")
    return text
