"""Masks cut down to a grid of cells: which thing covers most of each cell."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.judge.encodings.masks.scene import Mark, Scene
from gen.render import grid

Counts = NDArray[np.int32]


def owners(scene: Scene, longer: int) -> NDArray[np.int32]:
    """The index of the mark that covers most of each cell, int32 (rows, columns); 0: background.

    The grid has `longer` cells on the longer side of the photo. Marks may overlap: each is counted
    with all its own pixels, and the background with the pixels that no mark covers. Ties go to the
    lowest index. The result is kept with the scene.
    """
    if longer not in scene.owners:
        scene.owners[longer] = _owners(scene, longer)
    return scene.owners[longer]


def _owners(scene: Scene, longer: int) -> NDArray[np.int32]:
    height, width = scene.size
    rows, columns = grid.grid_shape(height, width, longer)
    edges = grid.cell_edges(height, rows), grid.cell_edges(width, columns)
    covered = np.zeros((height, width), np.uint8)
    counts: list[Counts] = []
    for mark in scene.marks:
        shape = mark.shape
        counts.append(_count(shape.crop, shape.x0, shape.y0, edges))
        part = covered[shape.y0 :, shape.x0 :][: shape.crop.shape[0], : shape.crop.shape[1]]
        part |= shape.crop
    sizes = np.outer(np.diff(edges[0]), np.diff(edges[1])).astype(np.int32)
    return _largest(sizes - _count(covered, 0, 0, edges), [m.index for m in scene.marks], counts)


def _largest(
    background: Counts, indices: Sequence[int], counts: Sequence[Counts]
) -> NDArray[np.int32]:
    best = background
    owner = np.zeros(background.shape, np.int32)
    for index, count in zip(indices, counts, strict=True):
        better = count > best
        owner[better] = index
        best = np.maximum(best, count)
    return owner


def _count(
    crop: NDArray[np.uint8], x0: int, y0: int, edges: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> Counts:
    """Pixels set in each cell, by an integral image of the crop read at the edges of the cells."""
    rows, columns = crop.shape
    if not crop.size:
        return np.zeros((len(edges[0]) - 1, len(edges[1]) - 1), np.int32)
    integral = cv2.integral(crop)
    ys = np.clip(edges[0] - y0, 0, rows)
    xs = np.clip(edges[1] - x0, 0, columns)
    counts: Counts = np.diff(np.diff(integral[np.ix_(ys, xs)], axis=0), axis=1)
    return counts


def shown(scene: Scene, grid_owners: NDArray[np.int32]) -> list[Mark]:
    """The marks that own at least one cell, in the order of their indices."""
    present = np.unique(grid_owners)
    return [mark for mark in scene.marks if mark.index in present]
