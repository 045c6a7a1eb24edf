"""What is to be drawn for one option: the things in a prediction, decoded once for all layers."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from cachetools import LRUCache, cached
from numpy.typing import NDArray

from gen import masks
from gen.judge.encodings import correspondence
from gen.masks import Rings, Rle
from gen.predictions.annotation import MaskPrediction, Prediction

Box = tuple[float, float, float, float]

SHAPE_BYTES_KEPT = 64 * 2**20


class Shape:
    """A decoded mask: `crop` is uint8 (rows, columns) of 0 and 1, its top left at `x0`, `y0`."""

    def __init__(self, rle: Rle) -> None:
        self.x0, self.y0, self.crop = masks.decode_crop(rle)

    def kept_bytes(self) -> int:
        """About the memory that the shape takes, its outline included."""
        return 2 * self.crop.nbytes + 2000

    @cached_property
    def area(self) -> int:
        """Pixels set."""
        return int(np.count_nonzero(self.crop))

    @cached_property
    def rings(self) -> list[Rings]:
        """Outlines in pixels of the photo."""
        parts = masks.to_rings(self.crop) if self.crop.size else []
        shift = np.array([self.x0, self.y0], np.int32)
        return [
            Rings(part.outer + shift, tuple(hole + shift for hole in part.holes)) for part in parts
        ]

    @property
    def box(self) -> Box:
        """The tight box x1, y1, x2, y2 in pixels, x2 = x1 + width."""
        rows, columns = self.crop.shape
        return float(self.x0), float(self.y0), float(self.x0 + columns), float(self.y0 + rows)


# The predictions on a photo share most of their masks, within an item and from item to item.
_shape = cached(LRUCache(SHAPE_BYTES_KEPT, Shape.kept_bytes))(Shape)


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing of a prediction, by which `index` (from 1) grids and legends call it."""

    index: int
    label: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class Scene:
    """All things of one prediction on a photo of `size` (height, width), by ascending index.

    `owners` keeps the grids that were made of it, by the number of cells on the longer side.
    """

    size: tuple[int, int]
    marks: tuple[Mark, ...]
    owners: dict[int, NDArray[np.int32]] = field(default_factory=dict, compare=False)

    @property
    def visible(self) -> list[Mark]:
        """The marks that have a pixel, in the order in which to paint them.

        Large ones come first, so that a small thing stays visible on top of a large one.
        """
        shown = [mark for mark in self.marks if mark.shape.area]
        return sorted(shown, key=lambda mark: (-mark.shape.area, mark.index))


def instance_scenes(predictions: Sequence[Prediction], size: tuple[int, int]) -> list[Scene]:
    """The scene of each prediction; indices count its masks in their order.

    Raises:
        ValueError: a mask is not of `size` (height, width).
        TypeError: a prediction holds something else than masks.
    """
    return [
        Scene(
            size,
            tuple(
                Mark(index, mask.label, _shape(mask.rle))
                for index, mask in enumerate(mask_parts(prediction, size), start=1)
            ),
        )
        for prediction in predictions
    ]


def matched(scenes: Sequence[Scene], available: int) -> list[Scene]:
    """The scenes with indices, from 1, that are equal for things at one place, if in view.

    Up to `available` indices; where that is not enough each scene counts its own things.
    """
    boxes = [[mark.shape.box for mark in _in_view(scene)] for scene in scenes]
    return [
        Scene(
            scene.size,
            tuple(
                replace(mark, index=number + 1)
                for mark, number in zip(_in_view(scene), own, strict=True)
            ),
        )
        for scene, own in zip(scenes, correspondence.numbers(boxes, available), strict=True)
    ]


def _in_view(scene: Scene) -> list[Mark]:
    return [mark for mark in scene.marks if mark.shape.area]


def class_list(predictions: Sequence[Prediction], classes: Sequence[str]) -> tuple[str, ...]:
    """The classes of an item: those of interest first, then other labels in alphabetical order."""
    labels = {part.label for one in predictions for part in one if isinstance(part, MaskPrediction)}
    return tuple(dict.fromkeys([*classes, *sorted(labels)]))


def class_scenes(
    predictions: Sequence[Prediction], classes: Sequence[str], size: tuple[int, int]
) -> list[Scene]:
    """The scene of each prediction, with one mark a class.

    Indices count the `class_list`, and so mean the same class in all predictions.

    Raises:
        ValueError: a mask is not of `size` (height, width).
        TypeError: a prediction holds something else than masks.
    """
    index = {label: i for i, label in enumerate(class_list(predictions, classes), start=1)}
    return [
        Scene(
            size,
            tuple(
                Mark(index[one.label], one.label, _shape(one.rle))
                for one in sorted(class_masks(prediction, size), key=lambda one: index[one.label])
            ),
        )
        for prediction in predictions
    ]


def class_masks(prediction: Prediction, size: tuple[int, int]) -> list[MaskPrediction]:
    """The masks of a prediction, those of one label as one.

    Raises:
        ValueError: a mask is not of `size` (height, width).
        TypeError: the prediction holds something else than masks.
    """
    by_label: dict[str, list[Rle]] = {}
    for part in mask_parts(prediction, size):
        by_label.setdefault(part.label, []).append(part.rle)
    return [
        MaskPrediction(label, rles[0] if len(rles) == 1 else masks.union(rles))
        for label, rles in by_label.items()
    ]


def mask_parts(prediction: Prediction, size: tuple[int, int]) -> list[MaskPrediction]:
    """The masks of a prediction, after a check of their kind and `size` (height, width).

    Raises:
        ValueError: a mask is not of `size`.
        TypeError: the prediction holds something else than masks.
    """
    found: list[MaskPrediction] = []
    for part in prediction:
        if not isinstance(part, MaskPrediction):
            raise TypeError(f"expected masks, not a {type(part).__name__}")
        if part.rle.size != size:
            raise ValueError(f"a mask is of size {part.rle.size}, the photo of {size}")
        found.append(part)
    return found
