"""Label maps as things to be made wrong: their parts, their borders, and how they are redrawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.unsignedinteger[Any]]
Bitmap = NDArray[np.uint8]
Field = NDArray[np.float32]
V = TypeVar("V", bound=np.generic)

# Smoothing of borders: standard deviation in pixels, how far the kernel reaches, and how far the
# map is moved at most. Less than half a pixel would give straight borders back as they were.
_SIGMA, _REACH, _JITTER = 0.9, 2, 0.5


@dataclass(frozen=True, slots=True)
class Part:
    """A connected part of a class: `crop` is its tight cut, uint8 of 0 and 1, at `x0`, `y0`."""

    number: int
    x0: int
    y0: int
    crop: Bitmap
    area: int

    @property
    def size(self) -> float:
        """The square root of its area, in pixels."""
        return float(np.sqrt(self.area))

    @property
    def window(self) -> tuple[slice, slice]:
        """Where in the map its crop lies."""
        rows, columns = self.crop.shape
        return slice(self.y0, self.y0 + rows), slice(self.x0, self.x0 + columns)


def parts(labels: Labels) -> list[Part]:
    """The 8-connected parts of each number but 0, the largest first, then from the top left."""
    found = []
    for number, x0, y0, crop in _classes(labels, 0):
        _, components, stats, _ = cv2.connectedComponentsWithStats(crop, connectivity=8)
        for index, (x, y, width, height, area) in enumerate(stats[1:].tolist(), 1):
            own = components[y : y + height, x : x + width] == index
            found.append(Part(number, x0 + x, y0 + y, own.view(np.uint8), area))
    return sorted(found, key=lambda part: (-part.area, part.y0, part.x0, part.number))


def filled(labels: Labels, known: Bitmap | NDArray[np.bool_]) -> Labels:
    """`labels` where `known` (somewhere at least), elsewhere those of the nearest such pixel."""
    if known.all():
        return labels
    return carried(labels, known != 0)[0]


def carried(values: NDArray[V], source: NDArray[np.bool_]) -> tuple[NDArray[V], Field]:
    """For each pixel the value of the nearest one in `source`, and how many pixels off that is."""
    distance, nearest = cv2.distanceTransformWithLabels(
        1 - source.view(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    table = np.zeros(int(nearest.max()) + 1, values.dtype)
    table[nearest[source]] = values[source]
    return table[nearest], distance.astype(np.float32, copy=False)


def settled(labels: Labels, rng: np.random.Generator) -> Labels:
    """`labels` drawn afresh, a part of a pixel off and with smooth borders.

    Every prediction goes this way, true or not: hand-made borders would tell the truth from its
    copies with errors. A class of which nothing would be left keeps its pixels.
    """
    steps = np.arange(-_REACH, _REACH + 1)
    kernels = [
        np.exp(-((steps - shift) ** 2) / (2 * _SIGMA**2))
        for shift in rng.uniform(-_JITTER, _JITTER, 2)
    ]
    across, down = (kernel / kernel.sum() for kernel in kernels)
    result = np.zeros_like(labels)
    best = np.zeros(labels.shape, np.uint8)
    present = []
    for number, x0, y0, crop in _classes(labels, _REACH + 1):
        # At the photo's edge the map goes on as it is.
        soft = cv2.sepFilter2D(
            crop * np.uint8(255), -1, across, down, borderType=cv2.BORDER_REPLICATE
        )
        rows, columns = crop.shape
        window = slice(y0, y0 + rows), slice(x0, x0 + columns)
        wins = soft > best[window]
        best[window][wins] = soft[wins]
        result[window][wins] = number
        present.append(number)
    left = np.bincount(result.ravel(), minlength=max(present, default=0) + 1)
    for number in present:
        if not left[number]:
            result[labels == number] = number
    return result


def noise(shape: tuple[int, int], wave: float, rng: np.random.Generator) -> Field:
    """Smooth noise of variance about 1, float32 (rows, columns), with waves of `wave` pixels."""
    rows, columns = shape
    wave = max(wave, 1.0)
    coarse = rng.standard_normal((int(rows / wave) + 3, int(columns / wave) + 3))
    field: Field = np.empty(shape, np.float32)
    cv2.resize(coarse.astype(np.float32), (columns, rows), field, interpolation=cv2.INTER_CUBIC)
    return field


def looked_up(labels: Labels, dx: Field, dy: Field) -> Labels:
    """For each pixel the label that lies `dx`, `dy` pixels to the right and down of it.

    The fields may be coarser than the map; beyond the photo's edge the map goes on as it is.
    """
    height, width = labels.shape
    x = np.arange(width, dtype=np.float32) + cv2.resize(dx, (width, height))
    y = np.arange(height, dtype=np.float32)[:, None] + cv2.resize(dy, (width, height))
    found = cv2.remap(labels, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
    return found.astype(labels.dtype, copy=False)


def order_of_victims(found: Sequence[Part], rng: np.random.Generator) -> list[Part]:
    """All parts in random order, large ones sooner (Efraimidis and Spirakis 2006)."""
    keys = rng.standard_exponential(len(found)) / np.array([part.size for part in found])
    return [found[index] for index in np.argsort(keys, kind="stable")]


def _classes(labels: Labels, margin: int) -> list[tuple[int, int, int, Bitmap]]:
    """Each number but 0 with its cut, up to `margin` pixels around it: number, x0, y0, crop."""
    height, width = labels.shape
    found = []
    for number in np.flatnonzero(np.bincount(labels.ravel())).tolist():
        if number == 0:
            continue
        mask = (labels == number).view(np.uint8)
        x, y, columns, rows = cv2.boundingRect(mask)
        x0, y0 = max(0, x - margin), max(0, y - margin)
        x1, y1 = min(width, x + columns + margin), min(height, y + rows + margin)
        found.append((number, x0, y0, np.ascontiguousarray(mask[y0:y1, x0:x1])))
    return found
