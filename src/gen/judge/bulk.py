"""How much there is to see in a prediction, measured in several ways."""

from collections.abc import Iterable
from dataclasses import astuple, dataclass

from gen import masks
from gen.predictions.annotation import (
    BoxPrediction,
    DepthPrediction,
    MaskPrediction,
    PicturePrediction,
    PosePrediction,
    Prediction,
)


@dataclass(frozen=True, slots=True)
class Bulk:
    """Numbers of which a judge, or a look at the sizes of files, could see that one is greater.

    `parts` and `names` count parts and the different labels of them, `letters` the letters of all
    labels; `weight` is that of the family (see `Family`); `extent` is the area or number of joints
    shown, `detail` how long the outlines are: of a box half of its border, of a mask its run-length
    encoding, of a pose the width and height of what is shown, of a depth map or another picture its
    PNG file.
    """

    parts: int
    names: int
    letters: int
    weight: float
    extent: float
    detail: float

    @property
    def values(self) -> tuple[float, ...]:
        """All of the numbers."""
        return astuple(self)


def bulk(prediction: Prediction, weight: float) -> Bulk:
    """The numbers for one prediction, whose `weight` its family tells."""
    labels = [
        part.label for part in prediction if isinstance(part, (BoxPrediction, MaskPrediction))
    ]
    return Bulk(
        parts=len(prediction),
        names=len(dict.fromkeys(labels)),
        letters=sum(map(len, labels)),
        weight=weight,
        extent=sum(map(_extent, prediction)),
        detail=sum(_detail(prediction)),
    )


def _extent(part: object) -> float:
    if isinstance(part, MaskPrediction):
        return float(masks.area(part.rle))
    if isinstance(part, BoxPrediction):
        x1, y1, x2, y2 = part.box
        return (x2 - x1) * (y2 - y1)
    if isinstance(part, PosePrediction):
        return float(sum(v > 0 for _, _, v in part.joints))
    return 0.0


def _detail(prediction: Prediction) -> Iterable[float]:
    for part in prediction:
        if isinstance(part, MaskPrediction):
            yield float(len(part.rle.counts))
        elif isinstance(part, BoxPrediction):
            x1, y1, x2, y2 = part.box
            yield x2 - x1 + y2 - y1
        elif isinstance(part, PosePrediction):
            seen = [(x, y) for x, y, v in part.joints if v > 0]
            yield sum(max(along) - min(along) for along in zip(*seen, strict=True))
        elif isinstance(part, DepthPrediction):
            yield float(len(part.png))
        elif isinstance(part, PicturePrediction):
            yield float(part.length)
