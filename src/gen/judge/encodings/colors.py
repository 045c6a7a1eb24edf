"""Colors of an item: assigned once over all its options, for pixels and legend alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from gen.judge.encodings.scene import Mark, Scene
from gen.render import palette
from gen.render.palette import Swatch


@dataclass(frozen=True, slots=True)
class Assignment:
    """Which color a mark has. `labels` is the order of all labels of the item."""

    by: Literal["class", "instance"]
    labels: tuple[str, ...]
    count: int

    def swatch(self, mark: Mark) -> Swatch:
        """The color of a mark, before any blending."""
        if self.by == "instance":
            return palette.swatch(mark.index - 1)
        return palette.swatch(self.labels.index(mark.label))

    @property
    def repeats(self) -> bool:
        """Whether there are more classes or instances than colors."""
        return self.count > len(palette.PALETTE)


def assign(
    by: Literal["class", "instance"], classes: Sequence[str], scenes: Iterable[Scene]
) -> Assignment:
    """Colors for all `scenes` of an item.

    By class: the `classes` asked for come first, then other labels in alphabetical order, so that
    a class has one color in all options. By instance: the order of the prediction.
    """
    options = list(scenes)
    present = {mark.label for scene in options for mark in scene.marks}
    labels = tuple(dict.fromkeys([*classes, *sorted(present)]))
    most = max((len(scene.marks) for scene in options), default=0)
    return Assignment(by, labels, len(labels) if by == "class" else most)
