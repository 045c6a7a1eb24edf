"""Samples of restoration: degraded pictures, what models made of them, truth or ratings."""

import re
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from gen import rng
from gen.predictions.convert import kernel, register
from gen.predictions.convert.judged import NO_SCORE, Answer, Judged, Report, Rgb
from gen.predictions.convert.samples import Sample
from gen.predictions.degrade.degraded import Degraded
from gen.predictions.metrics.restoration import RestorationTruth
from gen.predictions.restore import (
    deblur,
    derain,
    desnow,
    inpainting_low_level,
    super_resolution,
)
from gen.predictions.restore.restored import Restored
from gen.sources.coco_records import RecordError

_BLURRED = "deblur"
_SCALED = "super_resolution"
_CUT = "inpainting_low_level"
# The classical methods of each task.
_METHODS: Mapping[str, Callable[[Degraded, np.random.Generator], Iterator[Restored]]] = {
    _BLURRED: deblur.restorations,
    "derain": derain.restorations,
    "desnow": desnow.restorations,
    _SCALED: super_resolution.restorations,
    _CUT: inpainting_low_level.restorations,
}
# What the untouched input is worth by the definition of the scale.
_UNTOUCHED = 2.0


def judged(sample: Sample, seed: int, report: Report) -> Iterator[Judged]:
    """The answers to each degraded picture of a sample.

    With a truth they are what models made of it, the input as it is, and classical restorations,
    all measured against it; deconvolutions know the kernel between input and truth. Without one
    they are what has a rating, and the input as it is. `seed` is for methods that draw random
    numbers. Faults that cost an answer go to `report`.

    Raises:
        RecordError: the sample is of no known task, or has nothing that can be judged.
    """
    if sample.task not in _METHODS:
        known = ", ".join(_METHODS)
        raise RecordError("unknown_task", f"task: {sample.task!r} is none of {known}")
    scales = _scales(sample)
    for scale in scales:
        try:
            if one := _one(sample, scale, seed, report):
                yield one
        except RecordError as error:
            if len(scales) == 1:
                raise
            report(error.kind, str(error))


def _one(sample: Sample, scale: int, seed: int, report: Report) -> Judged | None:
    """The answers to one degraded picture; None where none of them has a score."""
    key = f"lq_x{scale}" if scale else "lq"
    given = sample.read(key) if key in sample.pictures else None
    pictures = dict(_outputs(sample, scale, report))
    if given is None or "gt" not in sample.pictures or sample.aligned is False:
        if not sample.outputs(scale):
            raise RecordError("no_output", f"{key}: no truth that goes with it, and no output")
        answers = _rated(sample, key, given, scale, pictures, report)
        if not answers:
            return None
    else:
        given, answers = _measured(sample, given, scale, pictures, seed, report)
    image_id = f"{sample.sample_id}_x{scale}" if scale else sample.sample_id
    return Judged(image_id, sample.task, None, given, answers, sample.credits)


def _scales(sample: Sample) -> list[int]:
    """The scales of a sample's small pictures; 0 alone for tasks that keep the size.

    Raises:
        RecordError: a small picture is not named by its scale.
    """
    if sample.task != _SCALED:
        return [0]
    found = sorted(int(key[4:]) for key in sample.pictures if re.fullmatch(r"lq_x\d", key))
    if not found:
        raise RecordError("bad_sample", "lq_x2 to lq_x8: expected at least one of them")
    return found


def _outputs(sample: Sample, scale: int, report: Report) -> Iterator[tuple[str, Rgb]]:
    for key in sample.outputs(scale):
        try:
            yield key, sample.read(key)
        except RecordError as error:
            report(error.kind, str(error))


def _measured(
    sample: Sample,
    given: Rgb,
    scale: int,
    pictures: Mapping[str, Rgb],
    seed: int,
    report: Report,
) -> tuple[Rgb, list[Answer]]:
    """The input as it is shown, and all answers with their scores against the truth."""
    clean, given, pictures = _fitted(sample, given, scale, pictures, report)
    untouched = given
    if scale:
        untouched = given.repeat(scale, axis=0).repeat(scale, axis=1)
    hole = sample.read("mask").max(axis=2) > 127 if sample.task == _CUT else None
    blur = kernel.between(clean, given) if sample.task == _BLURRED else None
    degraded = Degraded(clean, given, untouched, {}, blur, max(1, scale), hole)
    try:
        truth = RestorationTruth(clean, untouched, scale, hole)
    except (ValueError, IndexError) as error:
        raise RecordError("bad_sample", f"gt, mask: {error}") from None
    if truth.intact:
        raise RecordError("bad_sample", "gt: is as good as equal to the input")
    for key in sample.ratings:
        report("unused_rating", f"{key}: a rating; it is measured against gt")
    random = rng.stream(seed, "convert", sample.task, sample.sample_id, scale)
    made = [(sample.source(key), picture) for key, picture in pictures.items()]
    made += [(one.method, one.picture) for one in _METHODS[sample.task](degraded, random)]
    return given, [Answer(source, picture, *truth.score(picture)) for source, picture in made]


def _fitted(
    sample: Sample, given: Rgb, scale: int, pictures: Mapping[str, Rgb], report: Report
) -> tuple[Rgb, Rgb, dict[str, Rgb]]:
    """Truth, input and outputs, cut to the part that all show and brought onto the same pixels.

    Raises:
        RecordError: truth and input do not go together.
    """
    clean = sample.read("gt")
    size = tuple(side * max(1, scale) for side in given.shape[:2])
    excess = [have - want for have, want in zip(clean.shape, size, strict=False)]
    # Benchmarks cut off the last rows and columns that are no multiple of the scale.
    if not all(0 <= part < max(1, scale) for part in excess):
        found, wanted = (f"{width} x {height}" for height, width in (clean.shape[:2], size))
        raise RecordError("bad_sample", f"gt: is {found} pixels; its input means {wanted}")
    clean = np.ascontiguousarray(clean[: size[0], : size[1]])
    fitting = {}
    for key, picture in pictures.items():
        if picture.shape == clean.shape:
            fitting[key] = picture
        else:
            report("wrong_size", f"{key}: has another size than gt")
    if sample.aligned is not None or scale:
        return clean, given, fitting
    try:
        by = register.shift(clean, given)
    except ValueError as error:
        raise RecordError("bad_sample", f"gt: {error}") from None
    cut = {key: register.without_border(picture, by) for key, picture in fitting.items()}
    moved = register.shifted(clean, by)
    return register.without_border(moved, by), register.without_border(given, by), cut


def _rated(
    sample: Sample,
    key: str,
    given: Rgb | None,
    scale: int,
    pictures: Mapping[str, Rgb],
    report: Report,
) -> list[Answer]:
    """The outputs that people rated; then the input, worth 2 unless they rated it, too."""
    found = []
    for name, picture in pictures.items():
        if name in sample.ratings:
            found.append(Answer(sample.source(name), picture, sample.ratings[name]))
        else:
            why = "no gt" if "gt" not in sample.pictures else f"no {key} that gt goes with"
            report(NO_SCORE, f"{name}: {why} to measure it by, and no rating")
    if found and given is not None:
        whole = given.repeat(scale, axis=0).repeat(scale, axis=1) if scale else given
        found.append(Answer("untouched", whole, sample.ratings.get(key, _UNTOUCHED)))
    return found
