"""What is to be drawn for one option: its boxes as whole pixels, and the color of each class."""

from collections.abc import Sequence
from dataclasses import dataclass

from gen.judge.encodings.shown import Size
from gen.predictions.annotation import BoxPrediction, Prediction
from gen.render import palette
from gen.render.palette import Swatch
from gen.render.placement import PixelBox, pixel_box


@dataclass(frozen=True, slots=True)
class Mark:
    """A box as it is drawn: cut off at the edge of the photo, at least a pixel large."""

    label: str
    box: PixelBox

    @property
    def width(self) -> int:
        return self.box[2] - self.box[0]

    @property
    def height(self) -> int:
        return self.box[3] - self.box[1]


@dataclass(frozen=True, slots=True)
class Scene:
    """The boxes of one prediction that are in view on a photo of `size`, in painting order.

    Large ones come first, so that a small one stays visible on top. Boxes of one class that fall on
    the same pixels are one.
    """

    size: Size
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class ClassColors:
    """The colors of classes, in the order of `labels`."""

    labels: tuple[str, ...]

    def swatch(self, label: str) -> Swatch:
        return palette.swatch(self.labels.index(label))

    @property
    def repeats(self) -> bool:
        """Whether there are more classes than colors."""
        return len(self.labels) > len(palette.PALETTE)


def scenes(predictions: Sequence[Prediction], size: Size) -> list[Scene]:
    """The scene of each prediction on a photo of `size` (height, width).

    Raises:
        TypeError: a prediction holds something else than boxes.
        ValueError: a coordinate that is not finite.
    """
    return [
        Scene(size, tuple(sorted(_marks(prediction, size), key=_painting_order)))
        for prediction in predictions
    ]


def colors(classes: Sequence[str], drawn: Sequence[Scene]) -> ClassColors:
    """Colors for all options: `classes` come first, then other labels in alphabetical order."""
    labels = {mark.label for scene in drawn for mark in scene.marks}
    return ClassColors(tuple(dict.fromkeys([*classes, *sorted(labels)])))


def boxes(prediction: Prediction) -> list[BoxPrediction]:
    """The boxes of a prediction, after a check of their kind.

    Raises:
        TypeError: the prediction holds something else than boxes.
    """
    found: list[BoxPrediction] = []
    for part in prediction:
        if not isinstance(part, BoxPrediction):
            raise TypeError(f"expected boxes, not a {type(part).__name__}")
        found.append(part)
    return found


def _marks(prediction: Prediction, size: Size) -> set[Mark]:
    height, width = size
    return {
        Mark(part.label, pixel_box(part.box, size))
        for part in boxes(prediction)
        if part.box[0] < width and part.box[1] < height and part.box[2] > 0 and part.box[3] > 0
    }


def _painting_order(mark: Mark) -> tuple[int, PixelBox, str]:
    return -mark.width * mark.height, mark.box, mark.label
