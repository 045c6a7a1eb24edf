"""Predictions that are one mask for each class, or one for a referring expression."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gen.judge.encodings.masks import appearance, cells, class_colors, legends, text
from gen.judge.encodings.masks.colors import Assignment
from gen.judge.encodings.masks.part_labels import PartLabels
from gen.judge.encodings.masks.scene import Mark, Scene, class_list, class_masks, class_scenes
from gen.judge.encodings.masks.stack import layers
from gen.judge.encodings.picture import PictureEncoder, Recipe
from gen.judge.encodings.shown import Encoder, Exhibit, Family, Size
from gen.judge.encodings.text import TextEncoder
from gen.render import palette
from gen.render.palette import Swatch
from gen.schema import GridEncoding, MaskEncoding, TextEncoding
from gen.wording import EncodingWords
from gen.wording.masks import RegionWords

# The one color of referred regions: vivid, and rare in photos.
SINGLE: Swatch = next(swatch for swatch in palette.PALETTE if swatch.name == "magenta")


@dataclass(frozen=True, slots=True)
class _Kind:
    """What the two families do not have in common.

    `legend` tells whether pictures at the photo's own resolution have one.
    """

    words: Callable[[EncodingWords], RegionWords]
    colors: Callable[[Exhibit, str], Assignment]
    legend: bool


def _class_colors(exhibit: Exhibit, color_by: str) -> Assignment:
    listed = class_list(exhibit.predictions, exhibit.classes)
    if color_by == "random":
        return class_colors.by_lot(listed, exhibit.lot)
    return class_colors.standard(listed)


def _single_color(exhibit: Exhibit, color_by: str) -> Assignment:
    listed = class_list(exhibit.predictions, exhibit.classes)
    return Assignment("label", dict.fromkeys(listed, SINGLE), available=len(listed))


def _scenes(exhibit: Exhibit) -> list[Scene]:
    return class_scenes(exhibit.predictions, exhibit.classes, exhibit.size)


def _picture(kind: _Kind, knobs: MaskEncoding | GridEncoding, words: EncodingWords) -> Encoder:
    own = kind.words(words)
    grid = knobs.grid if isinstance(knobs, GridEncoding) else None
    color_by = knobs.color_by if isinstance(knobs, MaskEncoding) else "standard"
    painted = layers(knobs, PartLabels(own.labels), own, words.masks.opacity)

    def assigned(exhibit: Exhibit, drawn: Sequence[Scene]) -> Assignment:
        return kind.colors(exhibit, color_by)

    def legend(scene: Scene, assignment: Assignment) -> str | None:
        if grid is not None:
            shown = cells.shown(scene, cells.owners(scene, grid))
            return legends.of_indices(shown, assignment, words, own.noun)
        return legends.of_classes(scene, assignment, words, own.noun) if kind.legend else None

    def describe(size: Size) -> str:
        ground = getattr(words.canvas, knobs.canvas).format(many=own.noun.many)
        meaning = own.colors.by_index
        if grid is None:
            code = palette.hex_code(SINGLE.rgb)
            meaning = own.colors.whole.format(color=SINGLE.name, code=code)
        return " ".join([ground, *(layer.phrase(size) for layer in painted), meaning])

    return PictureEncoder(Recipe(knobs.canvas, _scenes, assigned, painted, legend, describe))


def _text(kind: _Kind, encoding: TextEncoding, words: EncodingWords) -> TextEncoder:
    own = kind.words(words)
    if encoding.grid is None:
        return text.forms(own.text.polygon, class_masks, text.encode_class_polygon)

    def legend(marks: Sequence[Mark]) -> str:
        return legends.of_indices(marks, None, words, own.noun)

    return text.grids(encoding, own.text, _scenes, legend)


def _family(kind: _Kind) -> Family:
    return Family(
        picture=lambda knobs, words: _picture(kind, knobs, words),
        text=lambda encoding, words: _text(kind, encoding, words),
        combo=lambda words: kind.words(words).combo,
        appearances=appearance.of_regions,
        weight=appearance.region_weight,
    )


SEMANTIC = _family(_Kind(lambda words: words.masks.semantic, _class_colors, legend=True))
REFERRING = _family(_Kind(lambda words: words.masks.referring, _single_color, legend=False))
