"""Predictions as text, and back: polygons, run-length encodings, grids of indices."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from gen.item import free_text
from gen.judge.encodings.masks import cells, legends, outline
from gen.judge.encodings.masks.scene import Scene, instance_masks, scenes
from gen.judge.encodings.shown import Exhibit, Shown, Size
from gen.judge.encodings.text import TextEncoder, json_lines
from gen.masks import Rle
from gen.predictions.annotation import MaskPrediction
from gen.render.grid import grid_shape
from gen.schema import TextEncoding
from gen.wording import EncodingWords, Noun


def encode_polygon(instances: Sequence[MaskPrediction]) -> str:
    """A JSON array of instances with a polygon, or a list of polygons, in pixels of the photo.

    `outline.rings` says what the polygons are. An empty mask has none: [].
    """
    entries = []
    for index, instance in enumerate(instances, start=1):
        found = outline.rings(instance.rle)
        polygon = found[0] if len(found) == 1 else list(found)
        entries.append(_entry(index, instance, "polygon", polygon))
    return json_lines(entries)


def decode_polygon(text: str, size: tuple[int, int]) -> tuple[MaskPrediction, ...]:
    """The masks of a text by `encode_polygon`, on a photo of `size` (height, width)."""
    found = []
    for entry in orjson.loads(text):
        polygon = entry["polygon"]
        nested = bool(polygon) and isinstance(polygon[0][0], list)
        parts = polygon if nested else [polygon] if polygon else []
        found.append(MaskPrediction(entry["label"], outline.fill(parts, size)))
    return tuple(found)


def encode_rle(instances: Sequence[MaskPrediction]) -> str:
    """A JSON array of instances with COCO's compressed run-length encoding."""
    return json_lines(
        [
            _entry(index, one, "rle", {"size": list(one.rle.size), "counts": one.rle.counts})
            for index, one in enumerate(instances, start=1)
        ]
    )


def decode_rle(text: str) -> tuple[MaskPrediction, ...]:
    """The masks of a text by `encode_rle`."""
    found = []
    for entry in orjson.loads(text):
        height, width = entry["rle"]["size"]
        found.append(MaskPrediction(entry["label"], Rle((height, width), entry["rle"]["counts"])))
    return tuple(found)


def encode_matrix(owners: NDArray[np.int32]) -> str:
    """A grid of indices as a JSON list of lists, one row a line."""
    return "[" + ",\n".join(orjson.dumps(row).decode() for row in owners.tolist()) + "]"


def decode_matrix(text: str) -> NDArray[np.int32]:
    """The grid of indices, int32 (rows, columns), of a text by `encode_matrix`."""
    return np.array(orjson.loads(text), np.int32)


def encode_grid(owners: NDArray[np.int32]) -> str:
    """A grid of indices as plain lines, numbers separated by a space."""
    return "\n".join(" ".join(map(str, row)) for row in owners.tolist())


def decode_grid(text: str) -> NDArray[np.int32]:
    """The grid of indices, int32 (rows, columns), of a text by `encode_grid`."""
    return np.array([line.split() for line in text.splitlines()], np.int32)


def _entry(index: int, instance: MaskPrediction, key: str, value: Any) -> dict[str, Any]:
    return {"instance_id": index, "label": free_text(instance.label), key: value}


def encoder(encoding: TextEncoding, words: EncodingWords, noun: Noun) -> TextEncoder:
    """The encoder of one text form of instances."""
    form, longer = encoding.format, encoding.grid
    template: Any = getattr(words.masks.text, form)

    def write(exhibit: Exhibit) -> list[Shown]:
        if longer is not None:
            drawn = scenes(exhibit.predictions, exhibit.size)
            return [_grid(form, scene, longer, words, noun) for scene in drawn]
        written = encode_polygon if form == "polygon" else encode_rle
        found = [instance_masks(one, exhibit.size) for one in exhibit.predictions]
        return [Shown(text=written(instances)) for instances in found]

    def describe(size: Size) -> str:
        if longer is not None:
            rows, columns = grid_shape(*size, longer)
            return str(template.format(one=noun.one, many=noun.many, rows=rows, columns=columns))
        return str(template.sentence.format(one=noun.one, schema_line=template.schema_line))

    return TextEncoder(write, describe)


def _grid(form: str, scene: Scene, longer: int, words: EncodingWords, noun: Noun) -> Shown:
    owners = cells.owners(scene, longer)
    write = encode_matrix if form == "matrix" else encode_grid
    legend = legends.of_indices(cells.shown(scene, owners), None, words, noun)
    return Shown(text=write(owners), legend=legend)
