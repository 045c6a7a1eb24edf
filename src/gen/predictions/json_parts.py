"""Payloads of annotation records as predictions, and back."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import cv2
import numpy as np

from gen import masks
from gen.predictions.annotation import (
    BoxPrediction,
    DepthPrediction,
    MaskPrediction,
    PicturePrediction,
    PosePrediction,
    Prediction,
)
from gen.predictions.json_records import BoxPart, DepthPart, MaskPart, PosePart
from gen.predictions.picture_store import PictureStore
from gen.render.png import encode_png
from gen.sources.coco_records import RecordError

Size = tuple[int, int]
"""Height and width of a photo in pixels."""


def boxes(parts: Sequence[BoxPart]) -> tuple[BoxPrediction, ...]:
    """Boxes with one decimal.

    Raises:
        RecordError: one of no width or height.
    """
    found = []
    for place, part in enumerate(parts):
        x1, y1, x2, y2 = part.bbox
        if x2 <= x1 or y2 <= y1:
            raise _fault(place, "bbox", f"{part.bbox}; expected x1 < x2 and y1 < y2")
        found.append(
            BoxPrediction(part.label, (round(x1, 1), round(y1, 1), round(x2, 1), round(y2, 1)))
        )
    return tuple(found)


def mask_parts(parts: Sequence[MaskPart], size: Size | None) -> tuple[MaskPrediction, ...]:
    """Masks on a photo of `size`, which the first RLE tells where it is None.

    Raises:
        RecordError: one that is no mask, is empty, or does not fit the size; or no size is told.
    """
    size = size or size_of(parts)
    if parts and size is None:
        raise RecordError("bad_prediction", "width, height: needed, since polygons tell no size")
    found = []
    for place, part in enumerate(parts):
        field = "rle" if part.rle else "polygon"
        try:
            rle = _rle(part, size or (1, 1))
        except ValueError as error:
            raise _fault(place, field, str(error)) from None
        if not masks.area(rle):
            raise _fault(place, field, "covers no pixel of the photo")
        found.append(MaskPrediction(part.label, rle))
    return tuple(found)


def size_of(parts: Sequence[MaskPart]) -> Size | None:
    """The size that the first RLE tells."""
    for part in parts:
        if part.rle:
            height, width = part.rle.size
            return height, width
    return None


def apart(found: tuple[MaskPrediction, ...]) -> tuple[MaskPrediction, ...]:
    """Masks of classes, sorted by class.

    Raises:
        RecordError: a class is there twice, or two masks overlap.
    """
    labels = [one.label for one in found]
    for place, label in enumerate(labels):
        if label in labels[:place]:
            raise _fault(place, "label", f"{label!r} is there twice; expected one mask a class")
    rles = [one.rle for one in found]
    if rles and masks.area(masks.union(rles)) != sum(map(masks.area, rles)):
        raise RecordError("bad_prediction", "prediction: masks overlap; each pixel has one class")
    return tuple(sorted(found, key=lambda one: one.label))


def poses(parts: Sequence[PosePart]) -> tuple[PosePrediction, ...]:
    """Joints with one decimal; v = 0 is a missing one, 1 a hidden one, any other a seen one.

    Raises:
        RecordError: a person without any joint.
    """
    found = []
    for place, part in enumerate(parts):
        joints = tuple(
            (round(x, 1), round(y, 1), 1 if v == 1 else 2) if v > 0 else (0.0, 0.0, 0)
            for x, y, v in part.keypoints
        )
        if not any(v for _, _, v in joints):
            raise _fault(place, "keypoints", "no joint has v above 0")
        found.append(PosePrediction(joints))
    return tuple(found)


def depth(
    part: DepthPart, size: Size | None, load: Callable[[str], bytes]
) -> tuple[DepthPrediction, ...]:
    """A depth map of 256 levels; `load` reads the file of a name.

    Raises:
        RecordError: the file is missing, no grey PNG of 8 or 16 bits, or of another size.
    """
    content = np.frombuffer(load(part.depth_png), np.uint8)
    grey = cv2.imdecode(content, cv2.IMREAD_UNCHANGED) if content.size else None
    if grey is None or grey.ndim != 2 or grey.dtype not in (np.uint8, np.uint16):
        raise _fault(0, "depth_png", f"{part.depth_png!r} is no grey PNG of 8 or 16 bits")
    if size and grey.shape != size:
        shape = f"{grey.shape[1]} x {grey.shape[0]}"
        raise _fault(0, "depth_png", f"{shape} pixels, the photo has {size[1]} x {size[0]}")
    if grey.dtype == np.uint16:
        grey = np.round(grey / 257).astype(np.uint8)
    return (DepthPrediction(encode_png(np.ascontiguousarray(grey, np.uint8))),)


def to_parts(
    prediction: Prediction, save: Callable[[str, bytes], str], pictures: PictureStore | None
) -> list[dict[str, Any]]:
    """What an annotation file holds of a prediction.

    `save` writes a PNG among those of its kind, "depth" or "pictures", and gives its path;
    `pictures` has the pictures that predictions name.

    Raises:
        KeyError: a picture is not in `pictures`.
    """
    return [_to_part(part, save, pictures) for part in prediction]


def _to_part(
    part: Any, save: Callable[[str, bytes], str], pictures: PictureStore | None
) -> dict[str, Any]:
    if isinstance(part, BoxPrediction):
        return {"label": part.label, "bbox": list(part.box)}
    if isinstance(part, MaskPrediction):
        rle: Mapping[str, Any] = {"size": list(part.rle.size), "counts": part.rle.counts}
        return {"label": part.label, "rle": rle}
    if isinstance(part, PosePrediction):
        return {"keypoints": [list(joint) for joint in part.joints]}
    if isinstance(part, PicturePrediction):
        if pictures is None:
            raise KeyError(f"picture {part.digest}: no store of pictures was given")
        return {"picture": save("pictures", pictures.png(part))}
    return {"depth_png": save("depth", part.png)}


def _rle(part: MaskPart, size: Size) -> masks.Rle:
    if part.rle:
        return masks.from_coco({"size": part.rle.size, "counts": part.rle.counts}, *size)
    polygon: Any = part.polygon
    if not polygon:
        raise ValueError("there is no ring")
    rings = polygon if isinstance(polygon[0][0], list) else [polygon]
    odd = np.zeros(size, np.uint8)
    for ring in rings:
        flat = [value for point in ring for value in point]
        odd ^= masks.decode(masks.from_polygons([flat], *size))
    return masks.encode(odd)


def _fault(place: int, field: str, reason: str) -> RecordError:
    return RecordError("bad_prediction", f"prediction[{place}].{field}: {reason}")
