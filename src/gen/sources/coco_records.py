"""Single records of COCO annotation files, checked and turned into typed values.

Files come from anywhere, so nothing of a record is taken for granted. A record that cannot be used
raises `RecordError`; one that can be mended is, and `report` is told.
"""

import contextlib
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gen import masks
from gen.masks import Rle
from gen.sources.licences import UNKNOWN, Licence, recognise
from gen.sources.records import Instance

Report = Callable[[str, str], None]

_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")
# JSON can escape half of a surrogate pair, which no file name, parquet or UTF-8 text can hold.
_SURROGATE = re.compile("[\ud800-\udfff]")
_MAX_SIDE = 65_535
# Boxes in COCO itself are rounded, and may overshoot the frame by a fraction of a pixel.
_BOX_SLACK = 1.0
_JOINTS = 17


class RecordError(Exception):
    """A record that cannot be used. `kind` is the word by which such faults are counted."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class ImageRecord:
    """An entry of `images`. `width` and `height` are in pixels."""

    image_id: str
    file_name: str
    width: int
    height: int
    licence: Licence
    coco_url: str
    url: str
    author: str

    def is_same_photo(self, other: "ImageRecord") -> bool:
        """Whether both mean one photo, whatever else they say of it."""
        mine = (self.file_name, self.width, self.height)
        return mine == (other.file_name, other.width, other.height)


def identifier(value: object) -> str | None:
    """An id as text that is safe in file names, or None where `value` is no id."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) is int and value >= 0:
        return str(value)
    if isinstance(value, str) and _ID.fullmatch(value):
        return value
    return None


def numeric_order(text: str) -> tuple[int, str]:
    """A sort key that puts ids of digits in the order of their numbers."""
    return len(text), text


def image(raw: Mapping[str, Any], licences: Mapping[str, Licence]) -> ImageRecord:
    """An entry of `images`; `licences` are those of the file by their id there.

    Raises:
        RecordError: "bad_image".
    """
    image_id = identifier(raw.get("id"))
    if image_id is None:
        raise RecordError("bad_image", f"id is {raw.get('id')!r}")
    name = raw.get("file_name")
    # Also where a download is kept and what a report says, so it may not lead elsewhere.
    if not isinstance(name, str) or not _is_inner_path(name):
        raise RecordError("bad_image", f"file_name is {name!r}")
    for side in ("width", "height"):
        value = raw.get(side)
        if type(value) is not int or not 1 <= value <= _MAX_SIDE:
            raise RecordError("bad_image", f"{side} is {value!r}; expected 1 to {_MAX_SIDE}")
    flickr, coco = _text(raw, "flickr_url"), _text(raw, "coco_url")
    return ImageRecord(
        image_id=image_id,
        file_name=name,
        width=raw["width"],
        height=raw["height"],
        licence=licences.get(identifier(raw.get("license")) or "", UNKNOWN),
        coco_url=coco,
        url=_text(raw, "source_url") or coco or flickr,
        author=_text(raw, "author") or (f"owner of {flickr}" if flickr else ""),
    )


def licence(raw: Mapping[str, Any]) -> tuple[str, Licence]:
    """An entry of `licenses` and its id.

    Raises:
        RecordError: "bad_licence".
    """
    licence_id = identifier(raw.get("id"))
    if licence_id is None:
        raise RecordError("bad_licence", f"id is {raw.get('id')!r}")
    return licence_id, recognise(_text(raw, "name"), _text(raw, "url"))


def category(raw: Mapping[str, Any]) -> tuple[int, str, str]:
    """The id, the name and the supercategory ("" for none) of an entry of `categories`.

    Raises:
        RecordError: "bad_category".
    """
    number, name = raw.get("id"), _text(raw, "name")
    if type(number) is not int or not name:
        raise RecordError("bad_category", f"id is {number!r}, name is {raw.get('name')!r}")
    return number, name, _text(raw, "supercategory")


def instance(
    raw: Mapping[str, Any],
    instance_id: str,
    categories: Mapping[int, str],
    size: tuple[int, int],
    report: Report,
) -> Instance:
    """An object of `annotations` on a photo of `size` (height, width), without its keypoints.

    Its box is that of its mask: one in the record that lies outside the photo is only reported.

    Raises:
        RecordError: "unknown_category", "bad_annotation", "bad_polygon", "bad_rle", "empty_mask".
    """
    number = raw.get("category_id")
    name = categories.get(number) if type(number) is int else None
    if name is None:
        raise RecordError("unknown_category", f"category_id is {number!r}")
    crowd = raw.get("iscrowd", 0)
    if crowd not in (0, 1):
        raise RecordError("bad_annotation", f"iscrowd is {crowd!r}; expected 0 or 1")
    rle = _mask(raw.get("segmentation"), size, report)
    _check_box(raw.get("bbox"), size, report)
    return Instance(instance_id, name, rle, bool(crowd))


def keypoints(
    raw: Mapping[str, Any], size: tuple[int, int], report: Report
) -> NDArray[np.float64] | None:
    """The joints of a record as float64 (17, 3) of x, y, v, or None where none is labelled.

    v is 0 for a joint that is not labelled (x and y are then 0), 1 for a hidden one, 2 for one that
    can be seen. A joint outside the photo of `size` (height, width) becomes one that is not
    labelled.

    Raises:
        RecordError: "bad_keypoints".
    """
    flat = raw.get("keypoints")
    if not isinstance(flat, list) or len(flat) != 3 * _JOINTS or not _are_numbers(flat):
        raise RecordError("bad_keypoints", f"expected {3 * _JOINTS} numbers")
    joints = np.array(flat, np.float64).reshape(_JOINTS, 3)
    x, y, seen = joints.T
    if not np.isin(seen, (0, 1, 2)).all():
        raise RecordError("bad_keypoints", "expected 0, 1 or 2 as the third number of each joint")
    outside = (seen > 0) & ((x < 0) | (y < 0) | (x > size[1]) | (y > size[0]))
    if outside.any():
        report("keypoint_outside", f"{int(outside.sum())} of the joints lie outside the photo")
    joints[outside | (seen == 0)] = 0.0
    return joints if joints[:, 2].any() else None


def expressions(raw: Mapping[str, Any]) -> tuple[str, ...]:
    """The sentences of a referring record, in their order, without repeats.

    Raises:
        RecordError: "bad_reference".
    """
    sentences = raw.get("sentences")
    if not isinstance(sentences, list):
        raise RecordError("bad_reference", "sentences is not a list")
    texts = [
        _text(sentence, "raw") or _text(sentence, "sent")
        for sentence in sentences
        if isinstance(sentence, dict)
    ]
    kept = tuple(dict.fromkeys(text for text in texts if text))
    if not kept:
        raise RecordError("bad_reference", "no sentence has a text")
    return kept


def caption(raw: Mapping[str, Any]) -> str:
    """The text of a caption record on one line.

    Raises:
        RecordError: "bad_caption".
    """
    text = _text(raw, "caption")
    if not text:
        raise RecordError("bad_caption", f"caption is {raw.get('caption')!r}")
    return text


def _mask(segmentation: object, size: tuple[int, int], report: Report) -> Rle:
    height, width = size
    try:
        rle = masks.from_coco(segmentation, height, width)
    except ValueError as error:
        if not isinstance(segmentation, list):
            raise RecordError("bad_rle", str(error)) from None
        good = _good_rings(segmentation, size)
        if not good:
            raise RecordError("bad_polygon", str(error)) from None
        report("bad_polygon", f"{error}; that ring is left out")
        rle = masks.union(good)
    if not masks.area(rle):
        raise RecordError("empty_mask", "the mask covers no pixel of the photo")
    return rle


def _good_rings(rings: Sequence[object], size: tuple[int, int]) -> list[Rle]:
    good = []
    for ring in rings:
        with contextlib.suppress(ValueError):
            good.append(masks.from_coco([ring], *size))
    return good


def _check_box(box: object, size: tuple[int, int], report: Report) -> None:
    if box is None:
        return
    if not isinstance(box, list) or len(box) != 4 or not _are_numbers(box):
        report("bad_box", "bbox is not four numbers; the box of the mask is used")
        return
    x, y, width, height = box
    inside = x >= -_BOX_SLACK and y >= -_BOX_SLACK
    inside &= x + width <= size[1] + _BOX_SLACK and y + height <= size[0] + _BOX_SLACK
    if not inside or width < 0 or height < 0:
        report(
            "box_outside",
            f"bbox {box} leaves the {size[1]} x {size[0]} photo; the box of the mask is used",
        )


def _are_numbers(values: Sequence[object]) -> bool:
    return all(type(value) in (int, float) and math.isfinite(value) for value in values)  # type: ignore[arg-type]


def _is_inner_path(name: str) -> bool:
    if name.startswith("/") or "\\" in name or "\0" in name or _SURROGATE.search(name):
        return False
    return name != "" and ".." not in name.split("/")


def _text(raw: Mapping[str, Any], key: str) -> str:
    value = raw.get(key)
    return _SURROGATE.sub("\ufffd", " ".join(value.split())) if isinstance(value, str) else ""
