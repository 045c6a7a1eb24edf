"""One prediction with its score: the record that pairs, rankings and scorings are made of."""

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
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


@dataclass(frozen=True, slots=True)
class PosePrediction:
    """The 17 joints of a person in COCO's order, each x, y, v in pixels of the original photo.

    x and y have one decimal. A joint that was not detected is 0, 0, 0; v is 1 for one that is
    hidden, 2 for one that can be seen.
    """

    joints: tuple[tuple[float, float, int], ...]

    def to_json(self) -> dict[str, Any]:
        return {"joints": [list(joint) for joint in self.joints]}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "PosePrediction":
        return cls(tuple((x, y, v) for x, y, v in record["joints"]))


@dataclass(frozen=True, slots=True)
class DepthPrediction:
    """A depth map as it is shown: a grey 8-bit PNG from 0, farthest, to 255, nearest.

    Levels are equal steps of disparity (1 / depth), after the map was aligned to the truth, over
    the range that all predictions on the photo share.
    """

    png: bytes

    def to_json(self) -> dict[str, Any]:
        return {"depth_png": b64encode(self.png).decode()}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "DepthPrediction":
        return cls(b64decode(record["depth_png"], validate=True))


@dataclass(frozen=True, slots=True)
class PicturePrediction:
    """A picture that a model put out, by name; the picture itself is in a `PictureStore`.

    `digest` is the hash of its pixels, `size` its height and width, `length` the bytes of its PNG.
    """

    digest: str
    size: tuple[int, int]
    length: int

    def to_json(self) -> dict[str, Any]:
        return {"picture": self.digest, "size": list(self.size), "length": self.length}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "PicturePrediction":
        height, width = record["size"]
        return cls(record["picture"], (height, width), record["length"])


@dataclass(frozen=True, slots=True)
class Given:
    """What a picture answers to, where that is not just the photo of the annotation's image.

    `picture` is shown first; where it is None no picture is. `photo_id` names the photo that it or
    the answers were made from, if any. `details` is plain JSON data: how it was made, and what the
    scores were measured by.
    """

    picture: PicturePrediction | None
    photo_id: str | None
    details: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        picture = self.picture and self.picture.to_json()
        return {"picture": picture, "photo_id": self.photo_id, "details": dict(self.details)}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Given":
        picture = record["picture"] and PicturePrediction.from_json(record["picture"])
        return cls(picture, record["photo_id"], record["details"])


Prediction = (
    tuple[BoxPrediction, ...]
    | tuple[MaskPrediction, ...]
    | tuple[PosePrediction, ...]
    | tuple[DepthPrediction, ...]
    | tuple[PicturePrediction, ...]
)

_PARTS: Mapping[str, Any] = {
    "box": BoxPrediction,
    "counts": MaskPrediction,
    "joints": PosePrediction,
    "depth_png": DepthPrediction,
    "picture": PicturePrediction,
}


def prediction_from_json(records: Sequence[Mapping[str, Any]]) -> Prediction:
    """The prediction whose parts wrote `records` by `to_json`; all are of one kind.

    Raises:
        KeyError: a record of no known kind, or one that lacks a field.
    """
    if not records:
        return ()
    (part,) = (part for key, part in _PARTS.items() if key in records[0])
    return tuple(part.from_json(record) for record in records)


@dataclass(frozen=True, slots=True)
class Annotation:
    """One prediction of one method for one question about one photo.

    Boxes, masks and poses are one part for each object; masks of semantic segmentation one for each
    class, none overlapping; of referring segmentation one, labelled with the expression; depth and
    pictures one.

    `final_score` runs from 0 (random or worst) to 10 (perfect). `severity` is 0 for truth that went
    through the same path as every other prediction, 1 to 5 for synthetic errors, None for real
    models. `metrics` keeps the raw values that the score was made of. `size` is the height and
    width of a photo that the data has not; None where the data has it. `given` is None where the
    photo of this image, if there is one, is what is shown first.
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
    size: tuple[int, int] | None = None
    given: Given | None = None
