"""Masks as polygons along the edges of their pixels, and back."""

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from gen import masks
from gen.masks import Rle

Ring = NDArray[np.int32]

# A smaller mask keeps every corner: one of its pixels is more than 0.25 % of it.
_EXACT_BELOW = 400
_LEAST_IOU = 0.98
# Deviation allowed at first: a share of the square root of the area, but at least a pixel. Steps
# of a slanted edge stand out by up to 0.71 px, so that much finer tolerances simplify nothing.
_TOLERANCE = 0.01
_COARSEST, _FINER, _FINEST = 1.0, 0.75, 0.5


@lru_cache(maxsize=4096)
def rings(rle: Rle) -> tuple[Ring, ...]:
    """Polygons of a mask: int32 (n, 2) of x, y in pixels of the photo, the largest first.

    They run along the edges of pixels: the pixel in row 0 and column 0 is the square from (0, 0)
    to (1, 1). A point belongs to the mask if an odd number of rings encloses it. Masks of 400 px
    or more are simplified (Douglas and Peucker 1973) as far as IoU with the mask stays at 0.98 or
    above; smaller ones keep every pixel. An empty mask has no ring.
    """
    x0, y0, crop = masks.decode_crop(rle)
    if not crop.size:
        return ()
    exact = [ring + np.array([x0, y0], np.int32) for ring in edges(crop)]
    area = int(np.count_nonzero(crop))
    tolerance = max(_COARSEST, _TOLERANCE * float(area) ** 0.5)
    while area >= _EXACT_BELOW and tolerance >= _FINEST:
        simple = [simple for ring in exact if len(simple := _simplified(ring, tolerance)) > 2]
        if masks.iou([fill(simple, rle.size)], [rle])[0, 0] >= _LEAST_IOU:
            return tuple(simple)
        tolerance *= _FINER
    return tuple(exact)


def fill(polygons: Sequence[Ring | Sequence[Sequence[float]]], size: tuple[int, int]) -> Rle:
    """The mask of the pixels that an odd number of `polygons` encloses.

    Args:
        polygons: points x, y in pixels of the photo.
        size: (height, width) of the photo.

    Raises:
        ValueError: a polygon with fewer than three points, or one far off the photo.
    """
    flat = [np.asarray(polygon, np.float64).ravel().tolist() for polygon in polygons]
    if len(flat) == 1:
        return masks.from_polygons(flat, *size)
    mask = np.zeros(size, np.uint8)
    for polygon in flat:
        x0, y0, crop = masks.decode_crop(masks.from_polygons([polygon], *size))
        part = mask[y0 : y0 + crop.shape[0], x0 : x0 + crop.shape[1]]
        part ^= crop
    return masks.encode(mask)


def edges(crop: NDArray[np.uint8]) -> list[Ring]:
    """The rings along the edges of the pixels of a mask, without loss."""
    # OpenCV runs through the centres of pixels. In a mask of twice the size each pixel has a
    # centre of its own by each of its edges: 2 k lies by the edge k, and 2 k + 1 by k + 1.
    double = cv2.resize(crop, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
    contours, _ = cv2.findContours(double, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    found = [_corners(np.asarray(contour, np.int32).reshape(-1, 2)) for contour in contours]
    return sorted(found, key=lambda ring: (-cv2.contourArea(ring), *ring.min(axis=0).tolist()))


def _corners(ring: Ring) -> Ring:
    """A ring around centres in the double mask as one around pixels, without idle points."""
    ring = (ring + 1) >> 1
    ring = ring[(ring != _turned(ring)).any(axis=1)]
    arriving = ring - _turned(ring)
    leaving = np.concatenate((arriving[1:], arriving[:1]))
    turns = arriving[:, 0] * leaving[:, 1] != arriving[:, 1] * leaving[:, 0]
    return np.ascontiguousarray(ring[turns], np.int32)


def _turned(ring: Ring) -> Ring:
    """For each point of a ring, the one before."""
    return np.concatenate((ring[-1:], ring[:-1]))


def _simplified(ring: Ring, tolerance: float) -> Ring:
    return np.asarray(cv2.approxPolyDP(ring, tolerance, True), np.int32).reshape(-1, 2)
