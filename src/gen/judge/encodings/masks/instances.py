"""Predictions that are made of separate masks, each with a class."""

from collections.abc import Sequence

from gen.judge.encodings.masks import appearance, cells, colors, legends, text
from gen.judge.encodings.masks.colors import Assignment
from gen.judge.encodings.masks.layers import Labels
from gen.judge.encodings.masks.scene import Mark, Scene, instance_scenes, mask_parts, matched
from gen.judge.encodings.masks.stack import layers
from gen.judge.encodings.picture import PictureEncoder, Recipe
from gen.judge.encodings.shown import Exhibit, Family, Size
from gen.judge.encodings.text import TextEncoder
from gen.render import palette
from gen.schema import GridEncoding, MaskEncoding, TextEncoding
from gen.wording import EncodingWords


def picture(
    knobs: MaskEncoding | GridEncoding, words: EncodingWords
) -> PictureEncoder[Scene, Assignment]:
    """The encoder for the knobs of a picture."""
    own = words.masks.instances
    grid = knobs.grid if isinstance(knobs, GridEncoding) else None
    by_class = isinstance(knobs, MaskEncoding) and knobs.color_by == "class"
    every = isinstance(knobs, MaskEncoding) and knobs.color_by == "instance"
    labels = Labels(every, own.labels.every if every else own.labels.with_room)
    painted = layers(knobs, labels, own, words.masks.opacity)

    def shown(scene: Scene) -> list[Mark]:
        return scene.visible if grid is None else cells.shown(scene, cells.owners(scene, grid))

    def assigned(exhibit: Exhibit, drawn: Sequence[Scene]) -> Assignment:
        found = [shown(scene) for scene in drawn]
        return colors.by_class(exhibit.classes, found) if by_class else colors.by_index(found)

    def legend(scene: Scene, assignment: Assignment) -> str | None:
        if grid is not None:
            return legends.of_indices(shown(scene), assignment, words, own.noun)
        return legends.of_classes(scene, assignment, words, own.noun) if by_class else None

    def describe(size: Size) -> str:
        ground = getattr(words.canvas, knobs.canvas).format(many=own.noun.many)
        if grid is not None:
            meaning = own.colors.by_index
        elif by_class:
            meaning = own.colors.by_class
        else:
            meaning = own.colors.by_instance.format(count=len(palette.PALETTE))
        return " ".join([ground, *(layer.phrase(size) for layer in painted), meaning])

    def drawn(exhibit: Exhibit) -> list[Scene]:
        found = instance_scenes(exhibit.predictions, exhibit.size)
        return found if by_class or grid is not None else matched(found, len(palette.PALETTE))

    return PictureEncoder(Recipe(knobs.canvas, drawn, assigned, painted, legend, describe))


def written(encoding: TextEncoding, words: EncodingWords) -> TextEncoder:
    """The encoder for the knobs of a text."""
    own = words.masks.instances
    if encoding.grid is not None:
        return text.grids(
            encoding,
            own.text,
            lambda exhibit: instance_scenes(exhibit.predictions, exhibit.size),
            lambda marks: legends.of_indices(marks, None, words, own.noun),
        )
    if encoding.format == "rle":
        return text.forms(own.text.rle, mask_parts, text.encode_rle)
    return text.forms(own.text.polygon, mask_parts, text.encode_polygon)


INSTANCES = Family(
    picture=picture,
    text=written,
    combo=lambda words: words.masks.instances.combo,
    appearances=appearance.of_instances,
    weight=appearance.instance_weight,
)
