"""What the errors need to know of an object, be it a box or a mask."""

from collections.abc import Sequence
from typing import Protocol, Self

import numpy as np

# The greatest share of a part that a gap beside it may take.
MOST_OF_GAP = 0.4


class Region(Protocol):
    """A labelled object in a photo. Never empty, never outside the photo, never changed.

    A change that would leave nothing of the object gives the object back as it was.
    """

    @property
    def label(self) -> str: ...

    @property
    def frame(self) -> tuple[int, int]:
        """Height and width of the photo in pixels."""
        ...

    @property
    def area(self) -> float:
        """Pixels covered."""
        ...

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """The tight box x1, y1, x2, y2 in pixels."""
        ...

    @property
    def outline(self) -> str:
        """What it covers, in a few characters: equal for equal regions, whatever their label."""
        ...

    def relabelled(self, label: str) -> Self: ...

    def moved(self, dx: float, dy: float) -> Self:
        """Shifted by pixels to the right and down; whole pixels for masks."""
        ...

    def scaled(self, sx: float, sy: float) -> Self:
        """Stretched about the middle of its box; a negative factor mirrors."""
        ...

    def strayed(self, sx: float, sy: float, dx: float, dy: float) -> Self:
        """Stretched, then shifted; on sides where the photo cuts it off, it still goes on to there.

        It is seen as a part of a larger thing, so that a shift must not bare a straight edge.
        """
        ...

    def joined(self, other: Self) -> Self:
        """Both as one object, with the label of this one."""
        ...

    def cut(
        self, angle: float, share: float, rng: np.random.Generator, gap: float = 0.0
    ) -> tuple[Self, Self]:
        """Its first `share` of area (0 to 1) in direction `angle` (radians), and the rest.

        Masks part along a bent, slightly rough line, as at the border of something in front; boxes
        along the side that lies nearer to the direction. The first part then loses `gap` pixels at
        the line, but no more than `MOST_OF_GAP` of its area.
        """
        ...

    def roughened(self, amplitude: float, rng: np.random.Generator) -> Self:
        """With a boundary that strays by about `amplitude` pixels (one standard deviation)."""
        ...

    def covered_by(self, others: Sequence[Self]) -> float:
        """The share of its area, 0 to 1, that lies in the others; twice where they overlap."""
        ...

    def settled(self, rng: np.random.Generator) -> Self:
        """Drawn afresh, a part of a pixel off: every prediction goes this way, true or not.

        A hand-made outline or a whole number would tell the truth from its copies with errors.
        """
        ...


def size(region: Region) -> float:
    """The unit of all errors: the square root of the object's area, in pixels."""
    return float(np.sqrt(region.area))


def centre(region: Region) -> tuple[float, float]:
    """The middle of the box, x and y."""
    x1, y1, x2, y2 = region.bounds
    return (x1 + x2) / 2, (y1 + y2) / 2
