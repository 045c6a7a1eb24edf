"""Predictions that are made of separate masks, each with a class."""

from collections.abc import Sequence

from gen.judge.encodings.masks import cells, legends, text
from gen.judge.encodings.masks.appearance import appearances, weight
from gen.judge.encodings.masks.colors import Assignment, assign
from gen.judge.encodings.masks.layers import (
    CellGrid,
    Contour,
    DashedBoxes,
    Fill,
    Labels,
    MaskLayer,
)
from gen.judge.encodings.masks.scene import Mark, Scene, scenes
from gen.judge.encodings.picture import PictureEncoder, Recipe
from gen.judge.encodings.shown import Exhibit, Family, Size
from gen.render import palette
from gen.schema import GridEncoding, MaskEncoding
from gen.wording import EncodingWords


def picture(
    knobs: MaskEncoding | GridEncoding, words: EncodingWords
) -> PictureEncoder[Scene, Assignment]:
    """The encoder for the knobs of a picture."""
    noun = words.masks.nouns.instances
    layers, grid = _layers(knobs), knobs.grid if isinstance(knobs, GridEncoding) else None
    by_class = isinstance(knobs, MaskEncoding) and knobs.color_by == "class"

    def shown(scene: Scene) -> list[Mark]:
        return scene.visible if grid is None else cells.shown(scene, cells.owners(scene, grid))

    def colors(exhibit: Exhibit, drawn: Sequence[Scene]) -> Assignment:
        found = [shown(scene) for scene in drawn]
        return assign("class" if by_class else "instance", exhibit.classes, found)

    def legend(scene: Scene, colors: Assignment) -> str | None:
        if grid is not None:
            return legends.of_indices(shown(scene), colors, words, noun)
        return legends.of_classes(scene, colors, words, noun) if by_class else None

    def describe(size: Size) -> str:
        ground = getattr(words.canvas, knobs.canvas).format(many=noun.many)
        phrases = [layer.phrase(words.masks, noun, size) for layer in layers]
        if grid is not None:
            meaning = words.masks.colors.by_index.format(many=noun.many)
        elif by_class:
            meaning = words.masks.colors.by_class.format(one=noun.one)
        else:
            meaning = words.masks.colors.by_instance.format(
                one=noun.one, many=noun.many, count=len(palette.PALETTE)
            )
        return " ".join([ground, *phrases, meaning])

    def drawn(exhibit: Exhibit) -> list[Scene]:
        return scenes(exhibit.predictions, exhibit.size)

    return PictureEncoder(Recipe(knobs.canvas, drawn, colors, layers, legend, describe))


def _layers(knobs: MaskEncoding | GridEncoding) -> tuple[MaskLayer, ...]:
    opacity = knobs.opacity
    if isinstance(knobs, GridEncoding):
        return (CellGrid(knobs.grid, opacity),)
    solid = opacity in (None, 1.0)
    outlined = knobs.mask_style in ("contour", "both")
    layers: list[MaskLayer] = []
    if knobs.mask_style in ("filled", "both"):
        layers.append(Fill(opacity, rim=solid and outlined))
    if outlined and not (solid and knobs.mask_style == "both"):
        layers.append(Contour())
    if knobs.boxes == "dashed":
        layers.append(DashedBoxes())
    if knobs.labels:
        layers.append(Labels(every=knobs.color_by == "instance"))
    return tuple(layers)


INSTANCES = Family(
    picture=picture,
    text=lambda encoding, words: text.encoder(encoding, words, words.masks.nouns.instances),
    combo=lambda words: words.masks.combo.replace("{many}", words.masks.nouns.instances.many),
    appearances=appearances,
    weight=weight,
)
