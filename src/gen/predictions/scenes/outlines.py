"""Shapes told apart by their outlines."""

import math
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.scenes.description import Shape

Cover = NDArray[np.float32]
Points = NDArray[np.float64]

_SIDE = 64
# Solids are seen from above by angles about this many degrees.
_ELEVATIONS = (20, 25, 30)
# Of cylinders and cones, by the radius of their foot.
_TALL = 2.2
# The hole of a ring, by the ring's width, and heights by width as rings turn.
_HOLES, _RINGS = (0.48, 0.53), (0.93, 1.02)


class _Outline(NamedTuple):
    shape: Shape
    tall: float
    """Height by width."""
    cover: Cover
    """How much of each pixel is covered when its box is stretched to a square."""


def nearest_shape(mask: NDArray[np.bool_]) -> Shape:
    """The shape whose outline is most like `mask`, a thing's pixels in the box around it.

    Both are stretched to a square and overlaid; their IoU counts, and how well the sides of the
    boxes agree.
    """
    height, width = mask.shape
    square = cv2.resize(mask.astype(np.float32), (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    tall = height / width

    def likeness(outline: _Outline) -> float:
        common = float(np.minimum(square, outline.cover).sum())
        overlap = common / (float(square.sum() + outline.cover.sum()) - common)
        return overlap * math.sqrt(min(tall / outline.tall, outline.tall / tall))

    return max(_outlines(), key=likeness).shape


@lru_cache(maxsize=1)
def _outlines() -> tuple[_Outline, ...]:
    circle = np.array([(math.cos(turn), math.sin(turn)) for turn in np.linspace(0, 6.283, 49)])
    disc = _cover(circle, circle)
    found = [_Outline("ball", 1.0, disc)]
    for hole in _HOLES:
        ring = disc - _cover(circle * hole, circle)
        found += [_Outline("ring", tall, ring) for tall in _RINGS]
    for above in _ELEVATIONS:
        level, rise = math.cos(math.radians(above)), math.sin(math.radians(above))
        foot = circle * (1.0, rise)
        found.append(_solid("cylinder", _raised(foot, _TALL * level)))
        found.append(_solid("cone", np.concatenate([foot, [(0.0, _TALL * level)]])))
        for turn in range(0, 90, 15):
            cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
            half = np.array([(cos, rise * sin), (-sin, rise * cos)])
            square = np.concatenate([half, -half])
            found.append(_solid("cube", _raised(square, 2**0.5 * level)))
    return tuple(found)


def _raised(foot: Points, height: float) -> Points:
    return np.concatenate([foot, foot + np.array([0.0, height])])


def _solid(shape: Shape, points: Points) -> _Outline:
    """What a convex solid with these corners covers; x to the right, y upwards."""
    hull = cv2.convexHull(points.astype(np.float32))[:, 0].astype(np.float64)
    width, height = np.ptp(hull, axis=0).tolist()
    return _Outline(shape, height / width, _cover(hull, hull))


def _cover(polygon: Points, box: Points) -> Cover:
    """How much of each pixel `polygon` covers, once the box around `box` is a square."""
    low, high = box.min(axis=0), box.max(axis=0)
    fine = 4 * _SIDE
    places = (polygon - low) / (high - low) * (fine - 1)
    places[:, 1] = fine - 1 - places[:, 1]
    drawn = np.zeros((fine, fine), np.float32)
    cv2.fillPoly(drawn, [np.round(places).astype(np.int32)], 1.0)
    return np.asarray(cv2.resize(drawn, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA))
