"""Samples of generation: what was asked of a generator, what it put out, and ratings."""

from collections.abc import Callable, Iterator, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.convert.judged import NO_SCORE, Answer, Judged, Report, Rgb
from gen.predictions.convert.samples import Sample
from gen.predictions.degrade.holes import GREY
from gen.sources.coco_records import RecordError

_HIGH, _LOW = "inpainting_high_level", "inpainting_low_level"
# By how much the form of two answers may differ that are brought to one size.
_SAME_FORM = 0.05
_INPUT = "image"


def judged(sample: Sample, report: Report) -> Iterator[Judged]:
    """The rated answers to one sample; the input counts as one where it is rated.

    Faults that cost an answer go to `report`. Answers of another size than the first are brought
    to its size, if they have its form.

    Raises:
        RecordError: the sample is of no known kind, or has nothing that can be judged.
    """
    if sample.kind not in _KINDS:
        known = ", ".join(_KINDS)
        raise RecordError("unknown_task", f"kind: {sample.kind!r} is none of {known}")
    if not sample.outputs():
        raise RecordError("no_output", "result: the sample has none")
    task, given = _KINDS[sample.kind](sample, report)
    if answers := list(_answers(sample, given is not None, report)):
        yield Judged(sample.sample_id, task, sample.prompt, given, answers, sample.credits)


def _answers(sample: Sample, with_input: bool, report: Report) -> Iterator[Answer]:
    size: tuple[int, int] | None = None
    keys = [*sample.outputs(), *([_INPUT] if with_input and _INPUT in sample.ratings else [])]
    for key in keys:
        try:
            if key not in sample.ratings:
                raise RecordError(NO_SCORE, f"{key}: no rating, and nothing to measure it by")
            picture = sample.read(key)
            size = size or (picture.shape[0], picture.shape[1])
            picture = _of_size(key, picture, size)
        except RecordError as error:
            report(error.kind, str(error))
            continue
        source = "untouched" if key == _INPUT else sample.source(key)
        yield Answer(source, picture, sample.ratings[key])


def _of_size(key: str, picture: Rgb, size: tuple[int, int]) -> Rgb:
    """The picture in `size` (height, width): by areas where it shrinks, else by Lanczos."""
    height, width = picture.shape[:2]
    if (height, width) == size:
        return picture
    if abs((height * size[1]) / (width * size[0]) - 1.0) > _SAME_FORM:
        raise RecordError("wrong_size", f"{key}: has another form than the first answer")
    how = cv2.INTER_AREA if height > size[0] else cv2.INTER_LANCZOS4
    return np.asarray(cv2.resize(picture, size[::-1], interpolation=how), np.uint8)


def _drawn(sample: Sample, report: Report) -> tuple[str, Rgb | None]:
    return "t2i", None


def _edited(sample: Sample, report: Report) -> tuple[str, Rgb | None]:
    return "editing", sample.read(_INPUT)


def _controlled(sample: Sample, report: Report) -> tuple[str, Rgb | None]:
    return "controllable", sample.read("control")


def _filled(sample: Sample, report: Report) -> tuple[str, Rgb | None]:
    """What is to be filled in the picture is shown as an overlay, or cut out and grey."""
    task = _HIGH if sample.prompt else _LOW
    if "mask_overlay" in sample.pictures:
        return task, sample.read("mask_overlay")
    image, mask = sample.read(_INPUT), sample.read("mask")
    if image.shape != mask.shape:
        raise RecordError("bad_sample", "mask: has another size than image")
    hole = mask.max(axis=2) > 127
    if _keeps(sample, image, hole):
        report("inverted_mask", "mask: white is what the outputs keep; the rest is to be filled")
        hole = ~hole
    return task, np.where(hole[..., None], np.uint8(GREY), image)


def _keeps(sample: Sample, image: Rgb, part: NDArray[np.bool_]) -> bool:
    """Whether the first output keeps a part of the image better than the rest of it.

    Masks are white where something is missing by one custom, and where something is kept by the
    other; only what was done with one tells which of them it follows.
    """
    for key in sample.outputs():
        try:
            output = sample.read(key)
        except RecordError:
            continue
        size = image.shape[1::-1]
        change = cv2.absdiff(cv2.resize(output, size, interpolation=cv2.INTER_AREA), image)
        means = [float(change[where].mean()) for where in (part, ~part) if where.any()]
        return len(means) == 2 and means[0] < means[1]
    return False


_KINDS: Mapping[str, Callable[[Sample, Report], tuple[str, Rgb | None]]] = {
    "t2i": _drawn,
    "editing": _edited,
    "control": _controlled,
    "inpainting": _filled,
    "removal": _filled,
}
