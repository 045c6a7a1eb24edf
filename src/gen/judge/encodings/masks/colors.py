"""Colors of an item: assigned once over all its options, for pixels and legend alike."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gen.judge.encodings.masks.scene import Mark
from gen.render import palette
from gen.render.palette import Swatch


@dataclass(frozen=True, slots=True)
class Assignment:
    """Which color a mark has: that of its label, or of its index.

    `swatches` stand in the order of legends. `available` colors there are to choose from.
    """

    by: Literal["label", "index"]
    swatches: Mapping[str | int, Swatch]
    available: int = len(palette.PALETTE)

    def swatch(self, mark: Mark) -> Swatch:
        """The color of a mark, before any blending."""
        return self.swatches[mark.label if self.by == "label" else mark.index]

    @property
    def repeats(self) -> bool:
        """Whether there are more labels or indices than colors."""
        return len(self.swatches) > self.available


def by_class(classes: Sequence[str], options: Iterable[Iterable[Mark]]) -> Assignment:
    """A color for each class of the marks that the `options` of an item show.

    The `classes` asked for come first, then other labels in alphabetical order, so that a class has
    one color in all options.
    """
    labels = {mark.label for marks in options for mark in marks}
    ordered = dict.fromkeys([*classes, *sorted(labels)])
    return Assignment("label", {label: palette.swatch(i) for i, label in enumerate(ordered)})


def by_index(options: Iterable[Iterable[Mark]]) -> Assignment:
    """A color for each index that any of the `options` shows.

    Indices that none shows need no color, so that none is used twice before all are used.
    """
    indices = sorted({mark.index for marks in options for mark in marks})
    return Assignment("index", {index: palette.swatch(i) for i, index in enumerate(indices)})
