"""Predictions as text, and back: polygons, run-length encodings, grids of indices."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from gen.item import free_text
from gen.judge.encodings.masks import cells, outline
from gen.judge.encodings.masks.scene import Mark, Scene
from gen.judge.encodings.shown import Exhibit, Shown, Size
from gen.judge.encodings.text import TextEncoder, json_lines
from gen.masks import Rle
from gen.predictions.annotation import MaskPrediction, Prediction
from gen.render.grid import grid_shape
from gen.schema import TextEncoding
from gen.wording.masks import JsonForm, TextForms


def encode_polygon(instances: Sequence[MaskPrediction]) -> str:
    """A JSON array of instances with a polygon, or a list of polygons, in pixels of the photo.

    `outline.rings` says what the polygons are. An empty mask has none: [].
    """
    return json_lines(
        [
            {"instance_id": index} | _entry(one, "polygon", _polygon(one.rle))
            for index, one in enumerate(instances, start=1)
        ]
    )


def encode_class_polygon(regions: Sequence[MaskPrediction]) -> str:
    """As `encode_polygon`, for regions that are told apart by their labels alone."""
    return json_lines([_entry(one, "polygon", _polygon(one.rle)) for one in regions])


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
            {"instance_id": index}
            | _entry(one, "rle", {"size": list(one.rle.size), "counts": one.rle.counts})
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


def _polygon(rle: Rle) -> Any:
    found = outline.rings(rle)
    return found[0] if len(found) == 1 else list(found)


def _entry(mask: MaskPrediction, key: str, value: Any) -> dict[str, Any]:
    return {"label": free_text(mask.label), key: value}


def forms(
    words: JsonForm,
    parts: Callable[[Prediction, Size], Sequence[MaskPrediction]],
    write: Callable[[Sequence[MaskPrediction]], str],
) -> TextEncoder:
    """The encoder of a text with one entry for each of the `parts` of a prediction."""

    def shown(exhibit: Exhibit) -> list[Shown]:
        return [Shown(text=write(parts(one, exhibit.size))) for one in exhibit.predictions]

    said = words.sentence.format(schema_line=words.schema_line)
    return TextEncoder(shown, lambda size: said)


def grids(
    encoding: TextEncoding,
    words: TextForms,
    scenes: Callable[[Exhibit], Sequence[Scene]],
    legend: Callable[[Sequence[Mark]], str],
) -> TextEncoder:
    """The encoder of masks cut down to a grid of indices."""
    matrix, longer = encoding.format == "matrix", encoding.grid
    if longer is None:
        raise ValueError(f"encoding {encoding.name} is no grid")
    write, template = (encode_matrix, words.matrix) if matrix else (encode_grid, words.grid)

    def shown(exhibit: Exhibit) -> list[Shown]:
        found = []
        for scene in scenes(exhibit):
            owners = cells.owners(scene, longer)
            found.append(Shown(text=write(owners), legend=legend(cells.shown(scene, owners))))
        return found

    def describe(size: Size) -> str:
        rows, columns = grid_shape(*size, longer)
        return template.format(rows=rows, columns=columns)

    return TextEncoder(shown, describe)
