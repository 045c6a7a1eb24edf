"""Predictions that are made of boxes, each with a class."""

import hashlib
from collections.abc import Sequence

from gen.item import free_text
from gen.judge.encodings.boxes import text
from gen.judge.encodings.boxes.layers import BoxLayer, Frames, Labels, draw_frames
from gen.judge.encodings.boxes.scene import ClassColors, Scene, boxes, colors, scenes
from gen.judge.encodings.picture import PictureEncoder, Recipe
from gen.judge.encodings.shown import Exhibit, Family, Size
from gen.predictions.annotation import Prediction
from gen.render import canvas, palette
from gen.schema import BoxEncoding
from gen.wording import EncodingWords


def picture(knobs: BoxEncoding, words: EncodingWords) -> PictureEncoder[Scene, ClassColors]:
    """The encoder for the knobs of a picture."""
    layers: tuple[BoxLayer, ...] = (Frames(), Labels()) if knobs.labels else (Frames(),)

    def drawn(exhibit: Exhibit) -> list[Scene]:
        return scenes(exhibit.predictions, exhibit.size)

    def assigned(exhibit: Exhibit, options: Sequence[Scene]) -> ClassColors:
        return colors(exhibit.classes, options)

    def legend(scene: Scene, assignment: ClassColors) -> str:
        return class_legend(scene, assignment, words)

    def describe(size: Size) -> str:
        noun = words.boxes.noun
        ground = getattr(words.canvas, knobs.canvas).format(many=noun.many)
        phrases = [layer.phrase(words.boxes) for layer in layers]
        return " ".join([ground, *phrases, words.boxes.colors.format(one=noun.one)])

    return PictureEncoder(Recipe(knobs.canvas, drawn, assigned, layers, legend, describe))


def class_legend(scene: Scene, assignment: ClassColors, words: EncodingWords) -> str:
    """Each class that the option shows, with its color, in the order of the assignment."""
    shown = {mark.label for mark in scene.marks}
    entries = []
    for label in assignment.labels:
        if label in shown:
            swatch = assignment.swatch(label)
            code = palette.hex_code(swatch.rgb)
            entries.append(
                words.legend.class_color.format(
                    label=free_text(label), color=swatch.name, code=code
                )
            )
    if not entries:
        entries.append(words.legend.empty.format(many=words.boxes.noun.many))
    elif assignment.repeats:
        entries.append(words.legend.repeats.format(count=len(palette.PALETTE)))
    return words.legend.frame.format(entries=words.legend.separator.join(entries))


def appearances(prediction: Prediction, size: Size) -> dict[str, str]:
    """The digests of boxes on a photo of `size` (height, width), as `Family` has them.

    Text has one decimal. Pictures have whole pixels, and a box may lie hidden under others, so its
    frames are drawn: on black, where they show least, each class in a color of its own.
    """
    (scene,) = scenes([prediction], size)
    labels = sorted({mark.label for mark in scene.marks})
    paper = canvas.black(*size)
    # Of full red, so that casings are black: those that would be white might show more.
    draw_frames(paper, scene, lambda label: (255, *divmod(labels.index(label), 256)))
    return {
        "pixel_*": _digest(paper.tobytes(), *(label.encode() for label in labels)),
        "text_* 0305": _digest(text.encode_xyxy(boxes(prediction)).encode()),
    }


def weight(prediction: Prediction, size: Size) -> float:
    """The length of the corners of a prediction as text."""
    return float(len(text.encode_xyxy(boxes(prediction))))


def _digest(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()[:32]


BOXES = Family(
    picture=picture,
    text=text.encoder,
    combo=lambda words: words.boxes.combo.replace("{many}", words.boxes.noun.many),
    appearances=appearances,
    weight=weight,
)
