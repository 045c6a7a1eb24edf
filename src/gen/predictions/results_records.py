"""Single records of COCO results files, checked and turned into predictions.

Files come from anywhere, so nothing of a record is taken for granted. One that cannot be used
raises `RecordError`, whose text names the field.
"""

import math
from collections.abc import Mapping
from typing import Any

from gen import masks
from gen.predictions.annotation import BoxPrediction, MaskPrediction, PosePrediction
from gen.sources.coco_records import RecordError

_JOINTS = 17
Record = Mapping[str, Any]
Size = tuple[int, int]


def box(record: Record, label: str, size: Size) -> BoxPrediction:
    """The box of a detection on a photo of `size` (height, width): its `bbox`, else its mask's.

    `bbox` is x, y, width, height in pixels. What of it lies outside the photo stays, as in COCO's
    evaluation.

    Raises:
        RecordError: "bad_box", or as for `mask` where there is no `bbox`.
    """
    if record.get("bbox") is None and record.get("segmentation") is not None:
        x, y, width, height = masks.box(mask(record, label, size).rle)
    else:
        x, y, width, height = _numbers(record, "bbox", 4, "bad_box")
    if width <= 0 or height <= 0:
        raise RecordError("bad_box", f"bbox: {width:g} x {height:g} pixels; expected more than 0")
    if x >= size[1] or y >= size[0] or x + width <= 0 or y + height <= 0:
        raise RecordError("bad_box", f"bbox: lies outside the {size[1]} x {size[0]} photo")
    return BoxPrediction(
        label, (round(x, 1), round(y, 1), round(x + width, 1), round(y + height, 1))
    )


def mask(record: Record, label: str, size: Size) -> MaskPrediction:
    """The mask of a detection on a photo of `size` (height, width): RLE or polygons.

    Raises:
        RecordError: "bad_polygon", "bad_rle", "empty_mask".
    """
    segmentation = record.get("segmentation")
    kind = "bad_polygon" if isinstance(segmentation, list) else "bad_rle"
    try:
        rle = masks.from_coco(segmentation, *size)
    except ValueError as error:
        raise RecordError(kind, f"segmentation: {error}") from None
    if not masks.area(rle):
        raise RecordError("empty_mask", "segmentation: covers no pixel of the photo")
    return MaskPrediction(label, rle)


def pose(record: Record) -> PosePrediction:
    """The joints of a detected person: `keypoints` has x, y, v for each of COCO's 17.

    What detectors write as v is a confidence or a fixed number, and COCO's evaluation passes it
    over: here any v above 0 with a position is a detected joint, v = 2, and the others are missing.

    Raises:
        RecordError: "bad_keypoints", "empty_pose".
    """
    flat = _numbers(record, "keypoints", 3 * _JOINTS, "bad_keypoints")
    joints = [
        (round(x, 1), round(y, 1), 2) if v > 0 and (x, y) != (0, 0) else (0.0, 0.0, 0)
        for x, y, v in zip(flat[::3], flat[1::3], flat[2::3], strict=True)
    ]
    if not any(v for _, _, v in joints):
        raise RecordError("empty_pose", "keypoints: no joint has a position and v above 0")
    return PosePrediction(tuple(joints))


def score(record: Record) -> float:
    """The confidence of a detection.

    Raises:
        RecordError: "bad_score".
    """
    (value,) = _numbers({"score": [record.get("score")]}, "score", 1, "bad_score")
    return value


def _numbers(record: Record, field: str, count: int, kind: str) -> list[float]:
    values = record.get(field)
    if not isinstance(values, list) or len(values) != count:
        found = f"{len(values)} entries" if isinstance(values, list) else repr(values)
        raise RecordError(kind, f"{field}: {found[:80]}; expected {count} numbers")
    for value in values:
        if type(value) not in (int, float) or not math.isfinite(value):
            raise RecordError(kind, f"{field}: {str(value)[:80]!r} is no finite number")
    return [float(value) for value in values]
