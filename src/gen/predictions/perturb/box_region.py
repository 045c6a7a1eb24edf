"""Boxes as objects to be made wrong."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from gen import masks
from gen.predictions.annotation import BoxPrediction
from gen.predictions.perturb.region import MOST_OF_GAP

# A box keeps at least this width and height, in pixels.
_LEAST = 1.0
# How far a side strays, in pixels, so that no box has whole numbers only.
_JITTER = 0.3


@dataclass(frozen=True, slots=True)
class BoxRegion:
    """A labelled box x1, y1, x2, y2 in pixels of a photo of `frame` (height, width)."""

    label: str
    frame: tuple[int, int]
    bounds: tuple[float, float, float, float]

    @classmethod
    def of(cls, label: str, rle: masks.Rle) -> "BoxRegion | None":
        """The region of a mask's tight box, or None where the mask is empty."""
        x, y, width, height = masks.box(rle)
        return cls(label, rle.size, (x, y, x + width, y + height)) if width else None

    def prediction(self) -> BoxPrediction:
        """The box as it is stored, with one decimal."""
        x1, y1, x2, y2 = (round(value, 1) for value in self.bounds)
        return BoxPrediction(self.label, (x1, y1, x2, y2))

    @property
    def area(self) -> float:
        x1, y1, x2, y2 = self.bounds
        return (x2 - x1) * (y2 - y1)

    @property
    def outline(self) -> str:
        return ",".join(str(value) for value in self.bounds)

    def relabelled(self, label: str) -> Self:
        return replace(self, label=label)

    def moved(self, dx: float, dy: float) -> Self:
        x1, y1, x2, y2 = self.bounds
        return self._with(x1 + dx, y1 + dy, x2 + dx, y2 + dy)

    def scaled(self, sx: float, sy: float) -> Self:
        x1, y1, x2, y2 = self.bounds
        grow_x, grow_y = (abs(sx) - 1) * (x2 - x1) / 2, (abs(sy) - 1) * (y2 - y1) / 2
        return self._with(x1 - grow_x, y1 - grow_y, x2 + grow_x, y2 + grow_y)

    def strayed(self, sx: float, sy: float, dx: float, dy: float) -> Self:
        height, width = self.frame
        (a1, b1, a2, b2), (x1, y1, x2, y2) = self.bounds, self.scaled(sx, sy).moved(dx, dy).bounds
        return self._with(
            x1 if a1 > 0 else 0.0,
            y1 if b1 > 0 else 0.0,
            x2 if a2 < width else float(width),
            y2 if b2 < height else float(height),
        )

    def joined(self, other: Self) -> Self:
        (a1, b1, a2, b2), (c1, d1, c2, d2) = self.bounds, other.bounds
        return self._with(min(a1, c1), min(b1, d1), max(a2, c2), max(b2, d2))

    def cut(
        self, angle: float, share: float, rng: np.random.Generator, gap: float = 0.0
    ) -> tuple[Self, Self]:
        x1, y1, x2, y2 = self.bounds
        across = abs(np.cos(angle)) >= abs(np.sin(angle))
        backwards = (np.cos(angle) if across else np.sin(angle)) < 0
        low, high = (x1, x2) if across else (y1, y2)
        length = high - low
        kept = share * length - min(gap, MOST_OF_GAP * share * length)
        first, rest = (low, low + kept), (low + share * length, high)
        if backwards:
            first, rest = (high - kept, high), (low, high - share * length)
        if across:
            return self._with(first[0], y1, first[1], y2), self._with(rest[0], y1, rest[1], y2)
        return self._with(x1, first[0], x2, first[1]), self._with(x1, rest[0], x2, rest[1])

    def roughened(self, amplitude: float, rng: np.random.Generator) -> Self:
        x1, y1, x2, y2 = self.bounds
        # Four normal draws would often be slight at once, and the severity not be seen.
        a, b, c, d = amplitude * rng.choice([-1.0, 1.0], 4) * rng.uniform(0.5, 1.5, 4)
        left, right = sorted((x1 + a, x2 + c))
        top, bottom = sorted((y1 + b, y2 + d))
        return self._with(left, top, right, bottom)

    def covered_by(self, others: Sequence[Self]) -> float:
        x1, y1, x2, y2 = self.bounds
        shared = 0.0
        for other in others:
            a1, b1, a2, b2 = other.bounds
            shared += max(0.0, min(x2, a2) - max(x1, a1)) * max(0.0, min(y2, b2) - max(y1, b1))
        return min(1.0, shared / self.area)

    def settled(self, rng: np.random.Generator) -> Self:
        x1, y1, x2, y2 = (
            value + shift
            for value, shift in zip(self.bounds, rng.uniform(-_JITTER, _JITTER, 4), strict=True)
        )
        return self._with(x1, y1, x2, y2)

    def _with(self, x1: float, y1: float, x2: float, y2: float) -> Self:
        height, width = self.frame
        if x2 < 0 or y2 < 0 or x1 > width or y1 > height:
            return self
        x1, x2 = _within(x1, x2, width)
        y1, y2 = _within(y1, y2, height)
        return replace(self, bounds=(x1, y1, x2, y2))


def _within(low: float, high: float, limit: int) -> tuple[float, float]:
    """The span cut to 0..limit, and made wide enough."""
    low, high = min(max(low, 0.0), limit), min(max(high, 0.0), limit)
    if high - low < _LEAST:
        middle = min(max((low + high) / 2, _LEAST / 2), limit - _LEAST / 2)
        low, high = middle - _LEAST / 2, middle + _LEAST / 2
    return float(low), float(high)
