"""Masks as objects to be made wrong: all work is done in the crop, none in the whole photo."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from gen import masks
from gen.predictions.annotation import MaskPrediction
from gen.predictions.perturb import fronts
from gen.predictions.perturb.region import MOST_OF_GAP

Bitmap = NDArray[np.uint8]

# Smoothing of an outline: standard deviation as a share of the object's size, its bounds in pixels,
# and how far the kernel reaches.
_SMOOTH, _SMOOTH_LEAST, _SMOOTH_MOST = 0.02, 0.5, 1.0
_REACH = 2
# Less than half a pixel would give straight outlines back as they were.
_JITTER = 0.5
# Length of a wave of a ragged boundary beyond its amplitude, as a share of the object's size, and
# its least in pixels.
_WAVE, _WAVE_LEAST = 0.08, 3.0


@dataclass(frozen=True, slots=True)
class MaskRegion:
    """A labelled mask: `crop` is its tight cut, uint8 of 0 and 1, its top left at `x0`, `y0`."""

    label: str
    frame: tuple[int, int]
    x0: int
    y0: int
    crop: Bitmap
    area: float

    @classmethod
    def of(cls, label: str, rle: masks.Rle) -> "MaskRegion | None":
        """The region of a mask, or None where it is empty."""
        x0, y0, crop = masks.decode_crop(rle)
        return _place(label, rle.size, x0, y0, crop)

    def prediction(self) -> MaskPrediction:
        """The mask as it is stored."""
        return MaskPrediction(
            self.label, masks.encode_crop(self.x0, self.y0, self.crop, self.frame)
        )

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        rows, columns = self.crop.shape
        return float(self.x0), float(self.y0), float(self.x0 + columns), float(self.y0 + rows)

    @property
    def outline(self) -> str:
        digest = hashlib.blake2b(np.packbits(self.crop).data, digest_size=16).hexdigest()
        rows, columns = self.crop.shape
        return f"{self.x0},{self.y0},{columns},{rows},{digest}"

    def relabelled(self, label: str) -> "MaskRegion":
        return replace(self, label=label)

    def moved(self, dx: float, dy: float) -> "MaskRegion":
        return self.covering(self.x0 + round(dx), self.y0 + round(dy), self.crop)

    def scaled(self, sx: float, sy: float) -> "MaskRegion":
        rows, columns = self.crop.shape
        width, height = max(1, round(columns * abs(sx))), max(1, round(rows * abs(sy)))
        crop = self.crop[:: -1 if sy < 0 else 1, :: -1 if sx < 0 else 1]
        crop = _resize(crop, width, height)
        return self.covering(
            self.x0 + round((columns - width) / 2), self.y0 + round((rows - height) / 2), crop
        )

    def strayed(self, sx: float, sy: float, dx: float, dy: float) -> "MaskRegion":
        height, width = self.frame
        x1, y1, x2, y2 = (int(value) for value in self.bounds)
        strayed = self.scaled(sx, sy).moved(dx, dy)
        a1, b1, a2, b2 = (int(value) for value in strayed.bounds)
        left, top = (a1 if x1 == 0 else 0), (b1 if y1 == 0 else 0)
        right, bottom = (width - a2 if x2 == width else 0), (height - b2 if y2 == height else 0)
        crop = cv2.copyMakeBorder(strayed.crop, top, bottom, left, right, cv2.BORDER_REPLICATE)
        return self.covering(a1 - left, b1 - top, crop.astype(np.uint8, copy=False))

    def joined(self, other: "MaskRegion") -> "MaskRegion":
        x1, y1, x2, y2 = _hull(self, other)
        canvas = np.zeros((y2 - y1, x2 - x1), np.uint8)
        for part in (self, other):
            top, left = part.y0 - y1, part.x0 - x1
            rows, columns = part.crop.shape
            canvas[top : top + rows, left : left + columns] |= part.crop
        return self.covering(x1, y1, canvas)

    def cut(
        self, angle: float, share: float, rng: np.random.Generator, gap: float = 0.0
    ) -> tuple["MaskRegion", "MaskRegion"]:
        rows, columns = self.crop.shape
        step = fronts.step(self.crop)
        sample = self.crop[step // 2 :: step, step // 2 :: step] != 0
        front = fronts.advance(sample.shape, angle, rng)
        inside = np.sort(front[sample])
        front = fronts.enlarged(front, columns, rows)
        last = inside.size - 1
        line = inside[min(round(share * inside.size), last)]
        rest = self.crop * (front >= line)
        if gap:
            least = inside[min(round((1 - MOST_OF_GAP) * share * inside.size), last)]
            line = max(line - gap / step, least)
        part = self.crop * (front < line)
        return self.covering(self.x0, self.y0, part), self.covering(self.x0, self.y0, rest)

    def roughened(self, amplitude: float, rng: np.random.Generator) -> "MaskRegion":
        x0, y0, crop = self._padded(int(np.ceil(2.5 * amplitude)) + 1)
        wave = max(_WAVE_LEAST, _WAVE * self.area**0.5 + amplitude)
        return self.covering(x0, y0, fronts.ragged(crop, amplitude, wave, rng))

    def covered_by(self, others: Sequence["MaskRegion"]) -> float:
        shared = sum(_intersection(self, other) for other in others)
        return min(1.0, shared / self.area)

    def settled(self, rng: np.random.Generator) -> "MaskRegion":
        sigma = float(np.clip(_SMOOTH * self.area**0.5, _SMOOTH_LEAST, _SMOOTH_MOST))
        kernels = [
            np.exp(-((np.arange(-_REACH, _REACH + 1) - shift) ** 2) / (2 * sigma**2))
            for shift in rng.uniform(-_JITTER, _JITTER, 2)
        ]
        across, down = (kernel / kernel.sum() for kernel in kernels)
        x0, y0, crop = self._padded(_REACH + 1)
        # At the photo's edge the mask goes on as it is, or objects would shrink away from it.
        soft = cv2.sepFilter2D(
            crop * np.uint8(255), -1, across, down, borderType=cv2.BORDER_REPLICATE
        )
        return self.covering(x0, y0, (soft > 127).astype(np.uint8))

    def covering(self, x0: int, y0: int, crop: Bitmap) -> "MaskRegion":
        """The part in the photo of `crop`, 0 and 1 from `x0`, `y0` on; if none, all as it was."""
        return _place(self.label, self.frame, x0, y0, crop) or self

    def _padded(self, margin: int) -> tuple[int, int, Bitmap]:
        """The crop with up to `margin` empty pixels around it, as far as the photo goes."""
        height, width = self.frame
        rows, columns = self.crop.shape
        left, top = min(margin, self.x0), min(margin, self.y0)
        right = min(margin, width - self.x0 - columns)
        bottom = min(margin, height - self.y0 - rows)
        return self.x0 - left, self.y0 - top, _bordered(self.crop, top, bottom, left, right)


def _place(label: str, frame: tuple[int, int], x0: int, y0: int, crop: Bitmap) -> MaskRegion | None:
    """The region of what of `crop`, laid at `x0`, `y0`, is set and within the photo."""
    height, width = frame
    left, top = max(0, -x0), max(0, -y0)
    crop = np.ascontiguousarray(crop[top : max(0, height - y0), left : max(0, width - x0)])
    if not crop.size:
        return None
    x, y, columns, rows = cv2.boundingRect(crop)
    if not columns:
        return None
    crop = crop[y : y + rows, x : x + columns]
    return MaskRegion(
        label, frame, x0 + left + x, y0 + top + y, crop, float(np.count_nonzero(crop))
    )


def _bordered(crop: Bitmap, top: int, bottom: int, left: int, right: int) -> Bitmap:
    rows, columns = crop.shape
    canvas = np.zeros((top + rows + bottom, left + columns + right), np.uint8)
    canvas[top : top + rows, left : left + columns] = crop
    return canvas


def _resize(crop: Bitmap, width: int, height: int) -> Bitmap:
    rows, columns = crop.shape
    # Points alone are enough for a shape made much smaller: what is stored is smoothed anyway.
    crop = np.ascontiguousarray(crop[:: max(1, rows // height), :: max(1, columns // width)])
    soft = cv2.resize(crop * np.uint8(255), (width, height), interpolation=cv2.INTER_LINEAR)
    return (soft > 127).astype(np.uint8)


def _hull(a: MaskRegion, b: MaskRegion) -> tuple[int, int, int, int]:
    return (
        min(a.x0, b.x0),
        min(a.y0, b.y0),
        max(a.x0 + a.crop.shape[1], b.x0 + b.crop.shape[1]),
        max(a.y0 + a.crop.shape[0], b.y0 + b.crop.shape[0]),
    )


def _intersection(a: MaskRegion, b: MaskRegion) -> int:
    left, top = max(a.x0, b.x0), max(a.y0, b.y0)
    right = min(a.x0 + a.crop.shape[1], b.x0 + b.crop.shape[1])
    bottom = min(a.y0 + a.crop.shape[0], b.y0 + b.crop.shape[0])
    if right <= left or bottom <= top:
        return 0
    views = [
        part.crop[top - part.y0 : bottom - part.y0, left - part.x0 : right - part.x0]
        for part in (a, b)
    ]
    return int(np.count_nonzero(views[0] & views[1]))
