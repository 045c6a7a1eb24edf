"""One prediction with its score: the record that pairs, rankings and scorings are made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gen.masks import Rle


@dataclass(frozen=True, slots=True)
class BoxPrediction:
    """A labelled box: x1, y1, x2, y2 in pixels of the original photo, one decimal, x2 = x1 + w."""

    label: str
    box: tuple[float, float, float, float]

    def to_json(self) -> dict[str, Any]:
        return {"label": self.label, "box": list(self.box)}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "BoxPrediction":
        x1, y1, x2, y2 = record["box"]
        return cls(record["label"], (x1, y1, x2, y2))


@dataclass(frozen=True, slots=True)
class MaskPrediction:
    """A labelled mask, as COCO compressed RLE in the size of the original photo."""

    label: str
    rle: Rle

    def to_json(self) -> dict[str, Any]:
        return {"label": self.label, "size": list(self.rle.size), "counts": self.rle.counts}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "MaskPrediction":
        height, width = record["size"]
        return cls(record["label"], Rle((height, width), record["counts"]))


Prediction = tuple[BoxPrediction, ...] | tuple[MaskPrediction, ...]


@dataclass(frozen=True, slots=True)
class Annotation:
    """One prediction of one method for one question about one photo.

    `final_score` runs from 0 (random or worst) to 10 (perfect). `severity` is 0 for truth that went
    through the same path as every other prediction, 1 to 5 for synthetic errors, None for real
    models. `metrics` keeps the raw values that the score was made of.
    """

    annotation_id: str
    image_id: str
    task: str
    class_of_interest: tuple[str, ...] | None
    error_type: str | None
    severity: int | None
    prompt: str | None
    source: str
    prediction: Prediction
    final_score: float
    metrics: Mapping[str, float] = field(default_factory=dict)
