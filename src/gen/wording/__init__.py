"""The sentences that prompts are made of: which there are, and which gaps each of them has.

The sentences themselves are in the config group `wording`.
"""

from gen.fields import Text
from gen.wording.base import Canvas, Legend, Noun, Words
from gen.wording.boxes import BoxWords
from gen.wording.depth import DepthWords
from gen.wording.masks import MaskWords
from gen.wording.poses import PoseWords

__all__ = [
    "BoxWords",
    "Canvas",
    "DepthWords",
    "EncodingWords",
    "Legend",
    "MaskWords",
    "Noun",
    "PoseWords",
    "Wording",
    "Words",
]


class EncodingWords(Words):
    """The sentences of the format block and of the legends, those of each kind by themselves."""

    canvas: Canvas
    legend: Legend
    masks: MaskWords
    boxes: BoxWords
    poses: PoseWords
    depth: DepthWords


class Wording(Words):
    """All sentences that do not belong to one task or one question type.

    `given_image` is what the role sentence adds where the original image is shown.
    """

    given_image: Text
    encoding: EncodingWords
