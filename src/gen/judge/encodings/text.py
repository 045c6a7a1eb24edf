"""Predictions as text, and back: polygons, run-length encodings, grids of indices."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import orjson
from numpy.typing import NDArray

from gen.item import FORBIDDEN_IN_FREE_TEXT, free_text
from gen.judge.encodings import cells, legends, outline
from gen.judge.encodings.scene import Scene, instance_masks, scenes
from gen.judge.encodings.shown import Encoded, Picture, Shown, photo_size
from gen.masks import Rle
from gen.predictions.annotation import MaskPrediction, Prediction
from gen.render.grid import grid_shape
from gen.wording import EncodingWords, Noun


def encode_polygon(instances: Sequence[MaskPrediction]) -> str:
    """A JSON array of instances with a polygon, or a list of polygons, in pixels of the photo.

    `gen.judge.encodings.outline.rings` says what the polygons are. An empty mask has none: [].
    """
    entries = []
    for index, instance in enumerate(instances, start=1):
        found = outline.rings(instance.rle)
        polygon = found[0] if len(found) == 1 else list(found)
        entries.append(_entry(index, instance, "polygon", polygon))
    return _array(entries)


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
    return _array(
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


def _array(entries: Sequence[dict[str, Any]]) -> str:
    """A JSON array with one entry a line, in which no placeholder of a prompt can occur."""
    if not entries:
        return "[]"
    lines = [orjson.dumps(entry, option=orjson.OPT_SERIALIZE_NUMPY).decode() for entry in entries]
    text = "[" + ",\n".join(lines) + "]"
    # Run-length counts are made of letters and brackets, and could spell one by chance.
    for word in FORBIDDEN_IN_FREE_TEXT:
        text = text.replace(word, f"\\u003c{word[1:]}")
    return text


@dataclass(frozen=True, slots=True)
class TextEncoder:
    """Writes each option in one text form; `longer` is the longer side of the grid forms."""

    form: Literal["polygon", "rle", "matrix", "grid"]
    longer: int | None
    words: EncodingWords
    noun: Noun

    @property
    def needs_photo(self) -> bool:
        return False

    def encode(
        self,
        photo: Picture | None,
        predictions: Sequence[Prediction],
        classes: Sequence[str],
        size: tuple[int, int] | None = None,
    ) -> Encoded:
        """See `Encoder.encode`."""
        size = photo_size(photo, size)
        if self.longer is not None:
            options = [self._grid(scene, self.longer) for scene in scenes(predictions, size)]
        else:
            write = encode_polygon if self.form == "polygon" else encode_rle
            options = [Shown(text=write(instance_masks(one, size))) for one in predictions]
        return Encoded(self._format(size), tuple(options))

    def _grid(self, scene: Scene, longer: int) -> Shown:
        owners = cells.owners(scene, longer)
        write = encode_matrix if self.form == "matrix" else encode_grid
        legend = legends.of_indices(cells.shown(scene, owners), None, self.words, self.noun)
        return Shown(text=write(owners), legend=legend)

    def _format(self, size: tuple[int, int]) -> str:
        template = getattr(self.words.text, self.form)
        if self.longer is not None:
            rows, columns = grid_shape(*size, self.longer)
            nouns = {"one": self.noun.one, "many": self.noun.many}
            return str(template.format(**nouns, rows=rows, columns=columns))
        return str(template.sentence.format(one=self.noun.one, schema_line=template.schema_line))
