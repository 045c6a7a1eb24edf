"""Boxes as objects to be made wrong."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from gen import masks
from gen.predictions.annotation import BoxPrediction

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

    def relabelled(self, label: str) -> Self:
        return replace(self, label=label)

    def moved(self, dx: float, dy: float) -> Self:
        x1, y1, x2, y2 = self.bounds
        return self._with(x1 + dx, y1 + dy, x2 + dx, y2 + dy)

    def scaled(self, sx: float, sy: float) -> Self:
        x1, y1, x2, y2 = self.bounds
        grow_x, grow_y = (abs(sx) - 1) * (x2 - x1) / 2, (abs(sy) - 1) * (y2 - y1) / 2
        return self._with(x1 - grow_x, y1 - grow_y, x2 + grow_x, y2 + grow_y)

    def joined(self, other: Self) -> Self:
        (a1, b1, a2, b2), (c1, d1, c2, d2) = self.bounds, other.bounds
        return self._with(min(a1, c1), min(b1, d1), max(a2, c2), max(b2, d2))

    def cut(self, angle: float, share: float) -> tuple[Self, Self]:
        x1, y1, x2, y2 = self.bounds
        across = abs(np.cos(angle)) >= abs(np.sin(angle))
        backwards = (np.cos(angle) if across else np.sin(angle)) < 0
        at = 1 - share if backwards else share
        if across:
            x = x1 + at * (x2 - x1)
            low, high = self._with(x1, y1, x, y2), self._with(x, y1, x2, y2)
        else:
            y = y1 + at * (y2 - y1)
            low, high = self._with(x1, y1, x2, y), self._with(x1, y, x2, y2)
        return (high, low) if backwards else (low, high)

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
