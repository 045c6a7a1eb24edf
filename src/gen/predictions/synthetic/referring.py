"""Masks that expressions refer to, made from the truth."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gen import masks, rng
from gen.item import free_text
from gen.masks import Rle
from gen.predictions.annotation import Annotation, Prediction
from gen.predictions.metrics.referring import referring_score
from gen.predictions.perturb import SEVERITIES
from gen.predictions.perturb.mask_region import MaskRegion
from gen.predictions.perturb.referring import PERTURBATIONS
from gen.schema import SyntheticPredictions, Task
from gen.sources.records import Source, Truth

_SOURCE = "synthetic"
# Masks that overlap by more than this IoU are of one object, told by two files.
_SAME = 0.5


@dataclass(frozen=True, slots=True)
class Target:
    """An object that is referred to, and all expressions that mean it and no other one."""

    rle: Rle
    category: str
    expressions: tuple[str, ...]


def annotations(
    source: Source, image_id: str, task: Task, settings: SyntheticPredictions, seed: int
) -> Iterator[Annotation]:
    """All predictions for one photo: each object referred to, kind of error and severity 0 to 5.

    A group is an expression and a kind of error. The kinds take the expressions of an object in
    turn, from a random one on, so that words repeat only where there are fewer of them than kinds.
    Objects under `min_area` pixels are left out. Severity 0 is the truth, drawn afresh as all
    predictions are; a prediction equal to an earlier one of its group is left out, and a kind that
    finds nothing to do has no group.

    Equal arguments give equal predictions: each group has a random stream of its own.
    """
    truth = source.truth(image_id)
    for error_type in settings.error_types:
        for target in targets(truth):
            if masks.area(target.rle) >= settings.min_area:
                yield from _group(truth, target, error_type, task.name, seed)


def targets(truth: Truth) -> list[Target]:
    """The objects of a photo that some expression means, in the order of the references.

    References to one object are one. An expression that means several objects is none of any;
    case, punctuation at the end and white space make no difference between expressions.
    """
    found: list[tuple[Rle, str, dict[str, str]]] = []
    meant: dict[str, list[int]] = {}
    for reference in truth.referring:
        if not masks.area(reference.rle):
            continue
        known = masks.iou([reference.rle], [rle for rle, _, _ in found])[0] if found else ()
        index = next((i for i, iou in enumerate(known) if iou > _SAME), len(found))
        if index == len(found):
            found.append((reference.rle, reference.category, {}))
        for expression in reference.expressions:
            words = free_text(expression)
            key = words.casefold().rstrip(".!? ")
            if key:
                found[index][2].setdefault(key, words)
                meant.setdefault(key, []).append(index)
    own = [
        tuple(text for key, text in expressions.items() if set(meant[key]) == {i})
        for i, (_, _, expressions) in enumerate(found)
    ]
    return [
        Target(rle, category, told)
        for (rle, category, _), told in zip(found, own, strict=True)
        if told
    ]


def _group(
    truth: Truth, target: Target, error_type: str, task: str, seed: int
) -> Iterator[Annotation]:
    image = truth.photo.image_id
    expression = _expression(target, error_type, image, seed)
    region = MaskRegion.of(expression, target.rle)
    if region is None:
        return
    alike, others = _others(truth, target)
    drawn = [region]
    for severity in SEVERITIES:
        # One stream for all severities: with another error, the worse could score higher.
        random = rng.stream(seed, "perturb", image, expression, error_type)
        wrong = PERTURBATIONS[error_type](region, severity, random, alike, others)
        if wrong is None:
            return
        drawn.append(wrong)
    seen: list[Prediction] = []
    for severity, one in enumerate(drawn):
        # All a like part of a pixel off: on a thin object, luck would else outweigh the error.
        settled = one.settled(rng.stream(seed, "settle", image, region.outline))
        predicted = (settled.prediction(),)
        if predicted in seen:
            continue
        seen.append(predicted)
        score, metrics = referring_score(predicted[0].rle, target.rle)
        yield Annotation(
            rng.opaque_id(seed, task, image, expression, error_type, severity),
            image,
            task,
            None,
            error_type,
            severity,
            expression,
            _SOURCE,
            predicted,
            round(score, 6),
            {name: round(value, 6) for name, value in metrics.items()},
        )


def _expression(target: Target, error_type: str, image: str, seed: int) -> str:
    order = rng.stream(seed, "expressions", image, *target.expressions).permutation(
        len(target.expressions)
    )
    return target.expressions[int(order[list(PERTURBATIONS).index(error_type) % len(order)])]


def _others(truth: Truth, target: Target) -> tuple[list[MaskRegion], list[MaskRegion]]:
    """The other objects of the class, and all others; those that are referred to count, too."""
    known = [(item.category, item.rle) for item in truth.instances if not item.crowd]
    known += [(reference.category, reference.rle) for reference in truth.referring]
    distinct: list[tuple[str, Rle]] = [(target.category, target.rle)]
    for category, rle in known:
        if masks.area(rle) and masks.iou([rle], [one for _, one in distinct]).max() <= _SAME:
            distinct.append((category, rle))
    regions = _regions(distinct[1:])
    return [item for item in regions if item.label == target.category], regions


def _regions(objects: Sequence[tuple[str, Rle]]) -> list[MaskRegion]:
    found = (MaskRegion.of(category, rle) for category, rle in objects)
    return [item for item in found if item is not None]
