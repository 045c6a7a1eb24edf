"""Boxes as text, and back: by their corners, or by a corner and their size."""

from collections.abc import Callable, Mapping, Sequence

import orjson

from gen.item import free_text
from gen.judge.encodings.boxes.scene import boxes
from gen.judge.encodings.shown import Exhibit, Shown, Size
from gen.judge.encodings.text import TextEncoder, json_lines
from gen.predictions.annotation import BoxPrediction
from gen.schema import TextEncoding
from gen.wording import EncodingWords
from gen.wording.base import TextForm


def encode_xyxy(parts: Sequence[BoxPrediction]) -> str:
    """A JSON array of boxes by their left, top, right and bottom in pixels, with one decimal."""
    return _lines(parts, _tenths)


def encode_xywh(parts: Sequence[BoxPrediction]) -> str:
    """A JSON array of boxes by their left, top, width and height in pixels, with one decimal.

    Width and height are those between the corners that `encode_xyxy` writes, to the last digit.
    """

    def corner_and_size(part: BoxPrediction) -> tuple[int, int, int, int]:
        x1, y1, x2, y2 = _tenths(part)
        return x1, y1, x2 - x1, y2 - y1

    return _lines(parts, corner_and_size)


def decode_xyxy(text: str) -> tuple[BoxPrediction, ...]:
    """The boxes of a text by `encode_xyxy`."""
    return tuple(
        BoxPrediction(entry["label"], (x1, y1, x2, y2))
        for entry in orjson.loads(text)
        for x1, y1, x2, y2 in [entry["bbox"]]
    )


def decode_xywh(text: str) -> tuple[BoxPrediction, ...]:
    """The boxes of a text by `encode_xywh`."""
    return tuple(
        BoxPrediction(entry["label"], (x, y, round(x + w, 1), round(y + h, 1)))
        for entry in orjson.loads(text)
        for x, y, w, h in [entry["bbox"]]
    )


def encoder(encoding: TextEncoding, words: EncodingWords) -> TextEncoder:
    """The encoder of one text form of boxes."""
    write = _WRITERS[encoding.format]
    form: TextForm = getattr(words.boxes.text, encoding.format)

    def written(exhibit: Exhibit) -> list[Shown]:
        return [Shown(text=write(boxes(prediction))) for prediction in exhibit.predictions]

    def describe(size: Size) -> str:
        return form.sentence.format(one=words.boxes.noun.one, schema_line=form.schema_line)

    return TextEncoder(written, describe)


_WRITERS: Mapping[str, Callable[[Sequence[BoxPrediction]], str]] = {
    "xyxy": encode_xyxy,
    "xywh": encode_xywh,
}


def _lines(
    parts: Sequence[BoxPrediction],
    numbers: Callable[[BoxPrediction], tuple[int, int, int, int]],
) -> str:
    return json_lines(
        [
            {"label": free_text(part.label), "bbox": [number / 10 for number in numbers(part)]}
            for part in parts
        ]
    )


def _tenths(part: BoxPrediction) -> tuple[int, int, int, int]:
    """The corners in tenths of a pixel: whole numbers, so that differences are exact."""
    x1, y1, x2, y2 = (round(10 * value) for value in part.box)
    return x1, y1, x2, y2
