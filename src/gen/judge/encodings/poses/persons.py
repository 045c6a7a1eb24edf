"""Predictions that are made of persons, each with up to 17 joints."""

from collections.abc import Sequence

from gen.judge.encodings.picture import PictureEncoder, Recipe
from gen.judge.encodings.poses import text
from gen.judge.encodings.poses.appearance import appearances, weight
from gen.judge.encodings.poses.layers import PART_SWATCHES, Figures, Scheme
from gen.judge.encodings.poses.scene import Scene, scenes
from gen.judge.encodings.shown import Exhibit, Family, Size
from gen.predictions.skeleton import JOINTS
from gen.render import palette
from gen.schema import PoseEncoding
from gen.wording import EncodingWords


def picture(knobs: PoseEncoding, words: EncodingWords) -> PictureEncoder[Scene, Scheme]:
    """The encoder for the knobs of a picture."""
    scheme = Scheme(knobs.color_by)
    by_part = knobs.color_by == "part"
    skeleton = knobs.style == "skeleton"
    parts = part_legend(words) if by_part else None
    described = _description(knobs, words)

    def drawn(exhibit: Exhibit) -> list[Scene]:
        return scenes(exhibit.predictions, exhibit.size)

    def colors(exhibit: Exhibit, options: Sequence[Scene]) -> Scheme:
        return scheme

    def legend(scene: Scene, scheme: Scheme) -> str | None:
        return parts

    def describe(size: Size) -> str:
        return described

    layers = (Figures(skeleton, sides=not by_part),)
    return PictureEncoder(Recipe(knobs.canvas, drawn, colors, layers, legend, describe))


def part_legend(words: EncodingWords) -> str:
    """The name of each of the 17 joints with its color: the same for every prediction."""
    entries = [
        words.legend.class_color.format(
            label=name, color=swatch.name, code=palette.hex_code(swatch.rgb)
        )
        for name, swatch in zip(JOINTS, PART_SWATCHES, strict=True)
    ]
    return words.legend.frame.format(entries=words.legend.separator.join(entries))


def _description(knobs: PoseEncoding, words: EncodingWords) -> str:
    own = words.poses
    meaning = getattr(getattr(own.colors, knobs.color_by), knobs.style)
    sentences = [
        getattr(words.canvas, knobs.canvas).format(many=own.noun.many),
        getattr(own.drawn, knobs.style).format(one=own.noun.one),
        *([] if knobs.color_by == "part" else [own.sides]),
        meaning.format(count=len(palette.PALETTE)),
    ]
    return " ".join(sentences)


KEYPOINTS = Family(
    picture=picture,
    text=text.encoder,
    combo=lambda words: words.poses.combo.replace("{many}", words.poses.noun.many),
    appearances=appearances,
    weight=weight,
)
