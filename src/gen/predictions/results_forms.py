"""What boxes, masks and poses of COCO results need: reading, order, truth and score."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from gen import masks
from gen.predictions import results_records
from gen.predictions.annotation import BoxPrediction, MaskPrediction, PosePrediction
from gen.predictions.metrics.objects import P, box_score, instance_score

Scored = tuple[float, dict[str, float]]
Size = tuple[int, int]
Part = TypeVar("Part", BoxPrediction, MaskPrediction, PosePrediction)


@dataclass(frozen=True, slots=True)
class Form(Generic[Part]):
    """What a task shows of a detection: read from one of `fields`, put in order from the top down.

    `read` takes a record, its class and the size of the photo.
    """

    fields: tuple[str, ...]
    read: Callable[[Mapping[str, Any], str, Size], Part]
    place: Callable[[Part], tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class ObjectForm(Form[P]):
    """Boxes or masks: `true` makes one of a true mask; `score` takes true ones and crowd, too."""

    true: Callable[[str, masks.Rle], P]
    area: Callable[[P], float]
    score: Callable[[Sequence[P], Sequence[P], Sequence[P]], Scored]

    def against(self, true: Sequence[P], crowd: Sequence[P]) -> Callable[[Sequence[P]], Scored]:
        """The score of predictions on a photo with these true objects and crowd regions."""
        return lambda predicted: self.score(predicted, true, crowd)


def _true_box(label: str, rle: masks.Rle) -> BoxPrediction:
    x, y, width, height = masks.box(rle)
    return BoxPrediction(label, (x, y, x + width, y + height))


def _box_area(one: BoxPrediction) -> float:
    x1, y1, x2, y2 = one.box
    return (x2 - x1) * (y2 - y1)


BOXES = ObjectForm(
    fields=("bbox", "segmentation"),
    read=results_records.box,
    place=lambda one: (one.box[1], one.box[0], one.label, one.box),
    true=_true_box,
    area=_box_area,
    score=box_score,
)
MASKS = ObjectForm(
    fields=("segmentation",),
    read=results_records.mask,
    place=lambda one: (*masks.box(one.rle)[1::-1], one.label, one.rle.counts),
    true=MaskPrediction,
    area=lambda one: float(masks.area(one.rle)),
    score=instance_score,
)
POSES = Form(
    fields=("keypoints",),
    read=lambda record, label, size: results_records.pose(record),
    place=lambda one: min((y, x) for x, y, v in one.joints if v),
)
