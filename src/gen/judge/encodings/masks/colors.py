"""Colors of an item: assigned once over all its options, for pixels and legend alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gen.judge.encodings.masks.scene import Mark
from gen.render import palette
from gen.render.palette import Swatch


@dataclass(frozen=True, slots=True)
class Assignment:
    """Which color a mark has.

    `labels` is the order of all labels of the item, `indices` that of the marks that are told apart
    by color.
    """

    by: Literal["class", "instance"]
    labels: tuple[str, ...]
    indices: tuple[int, ...]

    def swatch(self, mark: Mark) -> Swatch:
        """The color of a mark, before any blending."""
        if self.by == "instance":
            return palette.swatch(self.indices.index(mark.index))
        return palette.swatch(self.labels.index(mark.label))

    @property
    def repeats(self) -> bool:
        """Whether there are more classes or instances than colors."""
        told_apart = self.labels if self.by == "class" else self.indices
        return len(told_apart) > len(palette.PALETTE)


def assign(
    by: Literal["class", "instance"], classes: Sequence[str], options: Sequence[Sequence[Mark]]
) -> Assignment:
    """Colors for the marks that the `options` of an item show.

    By class: the `classes` asked for come first, then other labels in alphabetical order, so that
    a class has one color in all options. By instance: in the order of the indices that any option
    shows, so that no color is used twice before all are used.
    """
    labels = {mark.label for marks in options for mark in marks}
    indices = {mark.index for marks in options for mark in marks}
    return Assignment(by, tuple(dict.fromkeys([*classes, *sorted(labels)])), tuple(sorted(indices)))
