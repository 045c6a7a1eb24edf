"""A mask cut in cells: each cell's majority, and its picture."""

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.render.fill import Ids, fill
from gen.render.palette import text_colour
from gen.render.text import draw_plate_text, line_px, text_size

LINE_COLOUR = (96, 96, 96)
ZERO_INK = (160, 160, 160)
_SMALLEST_PX = 8
_EXACT_FLOAT32 = 1 << 24  # integers up to here are exact in cv2.calcHist's float32 counts


def grid_shape(h: int, w: int, longer: int) -> tuple[int, int]:
    """Rows and columns for a picture of h x w px: `longer` cells on its longer side.

    The other side has the number of cells, at least 1, for which they are nearest to square: the
    ratio of their sides is nearest to 1. No side has more cells than pixels.

    Raises:
        ValueError: a side or `longer` below 1.
    """
    if min(h, w, longer) < 1:
        raise ValueError(f"expected at least 1 px and 1 cell, got {h} x {w} px, {longer} cells")
    long, short = max(h, w), min(h, w)
    many = min(longer, long)
    fewer = short * many // long
    # n cells fit as well as n + 1 where the ideal number is sqrt(n (n + 1)); in integers
    few = fewer + ((short * many) ** 2 > fewer * (fewer + 1) * long**2)
    few = min(max(few, 1), short)
    return (many, few) if h > w else (few, many)


def cell_edges(n_px: int, n_cells: int) -> NDArray[np.int64]:
    """First pixel of each cell and, last, n_px: floor(i * n_px / n_cells), (n_cells + 1,).

    Raises:
        ValueError: no cells, or more cells than pixels.
    """
    if not 1 <= n_cells <= n_px:
        raise ValueError(f"{n_px} px cannot be cut in {n_cells} cells")
    return np.arange(n_cells + 1, dtype=np.int64) * n_px // n_cells


def majority(ids: Ids, n_ids: int, rows: int, cols: int) -> NDArray[np.int64]:
    """The id that covers most pixels of each cell, (rows, cols); ties go to the lowest id.

    `ids` is (H, W) with values 0 to n_ids - 1, and 0 (background) counts like any other.

    Raises:
        ValueError: an id out of range, or more cells than pixels on a side.
    """
    if int(ids.max()) >= n_ids:
        raise ValueError(f"id {int(ids.max())} is out of range: there are {n_ids}")
    h, w = ids.shape
    row_edges, col_edges = cell_edges(h, rows), cell_edges(w, cols)
    column = np.repeat(np.arange(cols), np.diff(col_edges))
    strips = [ids[a:b] for a, b in pairwise(row_edges.tolist())]
    if n_ids <= 256 and cols <= 256 and h * w < _EXACT_FLOAT32:
        tallest = max(len(strip) for strip in strips)
        columns = np.tile(column.astype(np.uint8), (tallest, 1))
        return np.stack([_histogram(strip, columns, n_ids, cols).argmax(1) for strip in strips])
    key = column * n_ids
    size = cols * n_ids
    return np.stack(
        [
            np.bincount((key + strip).ravel(), minlength=size).reshape(cols, n_ids).argmax(1)
            for strip in strips
        ]
    )


def _histogram(
    strip: Ids, columns: NDArray[np.uint8], n_ids: int, cols: int
) -> NDArray[np.float32]:
    """Pixels of each id in each column of cells of a strip, (cols, n_ids)."""
    planes = [columns[: len(strip)], strip.astype(np.uint8, copy=False)]
    counts = cv2.calcHist(planes, [0, 1], None, [cols, n_ids], [0, cols, 0, n_ids])
    return np.asarray(counts, np.float32)


def draw_grid(
    canvas: NDArray[np.uint8],
    grid: NDArray[np.integer],
    colours: NDArray[np.uint8],
    opacity: float,
    px: int | None,
    *,
    zeros: bool = False,
) -> None:
    """Cells of `grid` (rows, cols), filled with colours[id], thin lines between, ids as numbers.

    Cells of id 0 stay as they are: background. A number stands on a small plate of the cell's full
    colour, in font size `px` or the largest below it that fits the cells; where not even 8 px fit,
    or `px` is None, there are no numbers.

    Args:
        canvas: RGB (H, W, 3).
        grid: ids, 0 to K - 1.
        colours: uint8 (K, 3); row 0 is the plate of zeros, else unused.
        opacity: of the fill, 0 to 1.
        px: font size in px, or None for no numbers.
        zeros: number the cells of id 0 too, in grey: readable on black, clutter over a photo.

    Raises:
        ValueError: an id without a colour, an opacity outside 0..1, more cells than pixels.
    """
    h, w = canvas.shape[:2]
    rows, cols = grid.shape
    ys, xs = cell_edges(h, rows), cell_edges(w, cols)
    if int(grid.min()) < 0 or int(grid.max()) >= len(colours):
        raise ValueError(f"ids of a grid lie in 0..{len(colours) - 1}")
    cells = grid.astype(np.uint16).repeat(np.diff(ys), axis=0).repeat(np.diff(xs), axis=1)
    fill(canvas, cells, colours, opacity)
    _draw_lines(canvas, ys, xs)
    size = (
        None
        if px is None
        else _fitting_px(grid, px, int(np.diff(ys).min()), int(np.diff(xs).min()))
    )
    if size is None:
        return
    for row, col in np.argwhere((grid != 0) | zeros).tolist():
        index = int(grid[row, col])
        red, green, blue = colours[index].tolist()
        text_w, text_h = text_size(str(index), size)
        xy = (
            int(xs[col] + xs[col + 1] - text_w + 1) // 2,
            int(ys[row] + ys[row + 1] - text_h + 1) // 2,
        )
        colour = (red, green, blue)
        ink = text_colour(colour) if index else ZERO_INK
        draw_plate_text(canvas, str(index), xy, size, ink, colour)


def _draw_lines(canvas: NDArray[np.uint8], ys: NDArray[np.int64], xs: NDArray[np.int64]) -> None:
    """Lines in the first pixels of each cell but the first; none where cells are tiny."""
    t = max(1, line_px(*canvas.shape[:2]) // 2)
    if min(int(np.diff(ys).min()), int(np.diff(xs).min())) < 4 * t:
        return
    for y in ys[1:-1].tolist():
        canvas[y : y + t] = LINE_COLOUR
    for x in xs[1:-1].tolist():
        canvas[:, x : x + t] = LINE_COLOUR


def _fitting_px(grid: NDArray[np.integer], px: int, cell_h: int, cell_w: int) -> int | None:
    """The largest font size up to `px` in which the grid's widest number fits a cell."""
    widest = "8" * len(str(int(grid.max())))
    for size in range(px, _SMALLEST_PX - 1, -1):
        w, h = text_size(widest, size)
        if w < cell_w and h < cell_h:
            return size
    return None
