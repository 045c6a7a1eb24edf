"""Predictions that are one depth map each, in the colors of a map from far to near."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gen.judge.encodings.picture import PictureEncoder, Recipe
from gen.judge.encodings.shown import Exhibit, Family, Picture, Size
from gen.predictions.annotation import DepthPrediction, Prediction
from gen.render import colormap
from gen.render.png import decode_png, encode_png
from gen.schema import DepthEncoding
from gen.wording import EncodingWords

Levels = NDArray[np.uint8]

_TABLES: Mapping[str, NDArray[np.uint8]] = {
    "plasma": colormap.PLASMA,
    "turbo": colormap.TURBO,
    "gray": colormap.GRAY,
}


@dataclass(frozen=True, slots=True)
class Coloring:
    """Gives each pixel the color of its level."""

    table: NDArray[np.uint8]

    def paint(self, canvas: Picture, levels: Levels, colors: None, /) -> None:
        canvas[...] = colormap.colored(levels, self.table)


def levels(prediction: Prediction, size: Size) -> Levels:
    """The map of a prediction, uint8 of `size` (height, width): 0 is farthest, 255 nearest.

    Raises:
        TypeError: no single depth map.
        ValueError: it is no grey 8-bit PNG of that size.
    """
    depth = prediction[0] if len(prediction) == 1 else None
    if not isinstance(depth, DepthPrediction):
        raise TypeError("expected one depth map")
    found = decode_png(depth.png)
    if found.shape != size:
        raise ValueError(f"the depth map is {found.shape}, not grey of {size}")
    return found


def picture(knobs: DepthEncoding, words: EncodingWords) -> PictureEncoder[Levels, None]:
    """The encoder for the knobs of a picture; it needs no photo and has no legend."""
    told = words.depth
    format_text = " ".join([told.picture, getattr(told.colors, knobs.colormap), told.scale])

    def drawn(exhibit: Exhibit) -> list[Levels]:
        return [levels(one, exhibit.size) for one in exhibit.predictions]

    def no_colors(exhibit: Exhibit, options: Sequence[Levels]) -> None:
        return None

    def no_legend(option: Levels, colors: None) -> None:
        return None

    def describe(size: Size) -> str:
        return format_text

    layers = (Coloring(_TABLES[knobs.colormap]),)
    return PictureEncoder(Recipe("separate", drawn, no_colors, layers, no_legend, describe))


def appearances(prediction: Prediction, size: Size) -> dict[str, str]:
    """The digest of a map on a photo of `size` (height, width), as `Family` has it.

    It is one for all rows: each table has 256 colors, no two of them equal.
    """
    digest = hashlib.sha256(levels(prediction, size).tobytes()).hexdigest()[:32]
    return {" ".join(_TABLES): digest}


def weight(prediction: Prediction, size: Size) -> float:
    """The size in bytes of the levels as PNG."""
    return float(len(encode_png(levels(prediction, size))))


DEPTH = Family(
    picture=picture,
    text=None,
    combo=lambda words: "{text} {picture}",
    appearances=appearances,
    weight=weight,
)
