"""Label maps: pictures whose values are numbers of classes, not colours."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from gen.sources.coco_records import RecordError
from gen.sources.photos import PhotoError, opened
from gen.sources.records import Semantic

LabelValues = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.int32]
# What a report calls the fault of a label map that `PhotoError` would call a photo's.
_KINDS = {
    "missing_photo": "missing_label_map",
    "corrupt_photo": "corrupt_label_map",
    "wrong_size": "label_map_of_wrong_size",
}


def read_values(path: Path, size: tuple[int, int]) -> LabelValues:
    """The values of the label map at `path`, of a photo of `size` (height, width) in pixels.

    Grey of 8 or 16 bits, palette (its indices count, not its colours), 1 bit, and colours whose
    three channels are equal.

    Raises:
        RecordError: "missing_label_map", "corrupt_label_map" or "label_map_of_wrong_size".
    """
    try:
        with opened(path) as image:
            check_size(image.size, size)
            values = _values(image)
    except PhotoError as error:
        raise label_map_error(error) from None
    return values


def label_map_error(error: PhotoError) -> RecordError:
    """The error of reading a file as that of a label map."""
    return RecordError(_KINDS.get(error.kind, error.kind), str(error))


def check_size(found: tuple[int, int], size: tuple[int, int]) -> None:
    """Raise RecordError unless a map of `found` (width, height) fits a photo of (height, width)."""
    if found != (size[1], size[0]):
        raise RecordError(
            "label_map_of_wrong_size",
            f"is {found[0]} x {found[1]} pixels, its photo {size[1]} x {size[0]}",
        )


def _values(image: Image.Image) -> LabelValues:
    if image.mode in ("L", "P"):
        return np.asarray(image, np.uint8)
    if image.mode == "1":
        return np.asarray(image).astype(np.uint8)
    if image.mode.startswith("I"):
        return np.asarray(image).astype(np.int32)
    pixels = np.asarray(image)
    if image.mode == "RGB" and (pixels == pixels[..., :1]).all():
        return np.ascontiguousarray(pixels[..., 0])
    raise RecordError(
        "corrupt_label_map", f"is a picture of mode {image.mode}; expected numbers of classes"
    )


def semantic(
    values: LabelValues, names: Mapping[int, str], classes: Iterable[str]
) -> tuple[Semantic, dict[int, int]]:
    """The class of each pixel: `names` of its value in `values` (height, width), one of `classes`.

    Value 0 is not told. Also gives the other values without a name, not told either, each with the
    number of its pixels.
    """
    told = tuple(sorted(set(classes)))
    place = {name: number for number, name in enumerate(told, 1)}
    known = np.array(sorted(names), np.int64)
    numbers = np.array([place[names[value]] for value in sorted(names)], np.int64)
    flat = values.ravel()
    # Neighbours are mostly alike, so only the first pixel of each run is looked up.
    starts = np.flatnonzero(np.concatenate(([True], flat[1:] != flat[:-1])))
    lengths = np.diff(starts, append=flat.size)
    firsts = flat[starts].astype(np.int64)
    spots = np.searchsorted(known, firsts).clip(max=max(known.size - 1, 0))
    hits = known[spots] == firsts if known.size else np.zeros(firsts.size, np.bool_)
    found = np.where(hits, numbers[spots] if known.size else 0, 0)
    strange = ~hits & (firsts != 0)
    unknown = {
        int(value): int(lengths[strange & (firsts == value)].sum())
        for value in np.unique(firsts[strange])
    }
    dtype = np.uint8 if len(told) < 256 else np.uint16
    ids = np.repeat(found.astype(dtype), lengths).reshape(values.shape)
    return Semantic(told, ids), unknown
