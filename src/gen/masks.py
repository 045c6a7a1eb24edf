"""Binary masks as COCO run-length encodings: the one form in which masks are kept and compared.

COCO counts pixels down the columns: runs of 0 and 1 alternate, the first is of 0. The compressed
string holds each run (from the fourth on: its difference to the run two before) in base 32, lowest
digit first, six bits a character from "0" on: 0x20 says that more follow, 0x10 is the sign.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from pycocotools import _mask

# The rasteriser walks every outline pixel by pixel, so a wild coordinate would eat all memory.
_FAR = 4.0


@dataclass(frozen=True, slots=True)
class Rle:
    """A mask: `size` is (height, width) in pixels, `counts` the compressed COCO string."""

    size: tuple[int, int]
    counts: str


@dataclass(frozen=True, slots=True)
class Rings:
    """One connected part of a mask: pixel centres (x, y) of its outline, int32 (n, 2).

    Both the outline and the rings of `holes` run over pixels that belong to the mask: fill `outer`,
    border included, then clear each hole without its border.
    """

    outer: NDArray[np.int32]
    holes: tuple[NDArray[np.int32], ...]


def encode(mask: NDArray[np.bool_] | NDArray[np.uint8]) -> Rle:
    """The RLE of a mask (height, width), set where it is not 0."""
    height, width = mask.shape
    return encode_crop(0, 0, mask, (height, width))


def encode_crop(
    x0: int, y0: int, crop: NDArray[np.bool_] | NDArray[np.uint8], size: tuple[int, int]
) -> Rle:
    """The RLE of a mask of `size` (height, width) that is 0 outside `crop` (rows, columns).

    `x0`, `y0` is the pixel where the top left of `crop` lies; what lies outside `size` is cut off.
    """
    height, width = size
    top, left = max(0, -y0), max(0, -x0)
    crop = crop[top : max(0, height - y0), left : max(0, width - x0)]
    x0, y0 = x0 + left, y0 + top
    rows, columns = crop.shape
    if rows == 0 or columns == 0:
        return _from_edges(np.zeros(0, np.int64), size)
    padded = np.zeros((columns, rows + 2), np.bool_)
    padded[:, 1:-1] = crop.T != 0
    column, row = np.divmod(np.flatnonzero(padded[:, 1:] != padded[:, :-1]), rows + 1)
    return _from_edges((x0 + column) * height + y0 + row, size)


def encode_labels(labels: NDArray[np.integer[Any]]) -> dict[int, Rle]:
    """The RLE of each number but 0 that occurs in `labels` (height, width), in rising order.

    All masks come of one look at the picture, however many there are.
    """
    height, width = labels.shape
    columns = labels.T.ravel()
    starts = np.flatnonzero(np.concatenate(([columns.size > 0], columns[1:] != columns[:-1])))
    ends = np.append(starts[1:], columns.size)
    numbers = columns[starts]
    order = np.argsort(numbers, kind="stable")
    edges = np.stack([starts, ends], axis=1)[order]
    found, firsts = np.unique(numbers[order], return_index=True)
    runs = np.split(edges, firsts[1:])
    return {
        int(number): _from_edges(own.ravel(), (height, width))
        for number, own in zip(found, runs, strict=True)
        if number != 0
    }


def decode(rle: Rle) -> NDArray[np.uint8]:
    """The mask as uint8 (height, width), C-contiguous, of 0 and 1."""
    x0, y0, crop = decode_crop(rle)
    mask = np.zeros(rle.size, np.uint8)
    mask[y0 : y0 + crop.shape[0], x0 : x0 + crop.shape[1]] = crop
    return mask


def decode_crop(rle: Rle) -> tuple[int, int, NDArray[np.uint8]]:
    """The tight crop of a mask: x0, y0 of its top left and uint8 (rows, columns) of 0 and 1.

    An empty mask gives (0, 0, array of shape (0, 0)).
    """
    edges = _edges(rle)
    if not edges.size:
        return 0, 0, np.zeros((0, 0), np.uint8)
    x0, y0, columns, rows = _extent(edges, rle.size[0])
    column, row = np.divmod(edges, rle.size[0])
    # An end may lie on row 0 of the next column, which in the crop is the end of this one.
    ends = slice(1, None, 2)
    at_top = row[ends] == 0
    column[ends] -= at_top
    row[ends] += at_top * rle.size[0]
    flat = np.concatenate(([0], (column - x0) * rows + row - y0, [columns * rows]))
    values = np.zeros(flat.size - 1, np.uint8)
    values[1::2] = 1
    crop = np.empty((rows, columns), np.uint8)
    cv2.transpose(np.repeat(values, np.diff(flat)).reshape(columns, rows), crop)
    return x0, y0, crop


def from_polygons(polygons: Sequence[Sequence[float]], height: int, width: int) -> Rle:
    """The union of rings of x, y, x, y, ... in pixels, rasterised as COCO does.

    What lies outside the frame is cut off; a ring thinner than a pixel may cover none.

    Raises:
        ValueError: there is no ring, or one has an odd count of numbers or fewer than 6 (COCO's own
            code takes 4 numbers for a box), or a number that is not finite or is far off the frame.
    """
    if not polygons:
        raise ValueError("the polygon list is empty")
    rings = [_ring(index, ring, height, width) for index, ring in enumerate(polygons)]
    return _rle(_mask.merge(_mask.frPyObjects(rings, height, width)))


def _ring(index: int, ring: Sequence[float], height: int, width: int) -> list[float]:
    try:
        numbers = np.asarray(ring, np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"polygon {index} holds something that is not a number") from None
    if numbers.ndim != 1:
        raise ValueError(f"polygon {index} is not a flat list of numbers")
    if numbers.size < 6 or numbers.size % 2:
        raise ValueError(
            f"polygon {index} has {numbers.size} numbers; expected an even count of 6 or more"
        )
    if not np.isfinite(numbers).all():
        raise ValueError(f"polygon {index} has a number that is not finite")
    if np.abs(numbers).max() > _FAR * max(height, width):
        raise ValueError(f"polygon {index} lies far outside the {width} x {height} frame")
    flat: list[float] = numbers.tolist()
    return flat


def from_coco(segmentation: object, height: int, width: int) -> Rle:
    """The mask of a COCO `segmentation`: polygons, compressed RLE or uncompressed RLE.

    Runs of no length are taken out, so that equal masks have equal RLE.

    Raises:
        ValueError: it is none of these, or does not fit a frame of `height` x `width`.
    """
    if isinstance(segmentation, list):
        return from_polygons(segmentation, height, width)
    if not isinstance(segmentation, Mapping):
        raise ValueError(f"segmentation is a {type(segmentation).__name__}, not polygons or RLE")
    size, counts = segmentation.get("size"), segmentation.get("counts")
    if not isinstance(size, (list, tuple)) or list(size) != [height, width]:
        raise ValueError(f"RLE is of size {size}, the photo of [{height}, {width}]")
    if isinstance(counts, bytes):
        counts = counts.decode("latin-1")
    if isinstance(counts, str):
        runs = _runs(counts)
    elif isinstance(counts, list) and all(type(run) is int and 0 <= run < 2**32 for run in counts):
        runs = np.array(counts, np.int64)
    else:
        raise ValueError("RLE counts are neither a string nor a list of whole numbers from 0 on")
    return _from_edges(_to_edges(runs, (height, width)), (height, width))


def area(rle: Rle) -> int:
    """The number of pixels that are set."""
    return int(_mask.area(_coco([rle]))[0])


def box(rle: Rle) -> tuple[float, float, float, float]:
    """The tight box x, y, width, height in pixels; all 0 for an empty mask."""
    edges = _edges(rle)
    if not edges.size:
        return 0.0, 0.0, 0.0, 0.0
    x0, y0, width, height = _extent(edges, rle.size[0])
    return float(x0), float(y0), float(width), float(height)


def iou(
    a: Sequence[Rle], b: Sequence[Rle], crowd: Sequence[bool] | None = None
) -> NDArray[np.float64]:
    """Intersection over union of each of `a` with each of `b`: float64 (len(a), len(b)), 0 to 1.

    Where `crowd` says so of a mask of `b`, the union is the area of the mask of `a` (COCO's rule).
    By pycocotools.
    """
    if not a or not b:
        return np.zeros((len(a), len(b)))
    flags = [0] * len(b) if crowd is None else [int(flag) for flag in crowd]
    matrix: NDArray[np.float64] = _mask.iou(_coco(a), _coco(b), flags)
    return matrix


def union(rles: Sequence[Rle]) -> Rle:
    """The mask of all pixels that are set in any of `rles` (one or more, of one size)."""
    if not rles:
        raise ValueError("the union of no masks has no size")
    return _rle(_mask.merge(_coco(rles)))


def to_rings(mask: NDArray[np.bool_] | NDArray[np.uint8] | Rle) -> list[Rings]:
    """The outlines of the 8-connected parts of a mask, the largest first, then by top left.

    Points on a straight run are left out; nothing else is simplified, so that the rings hold the
    mask to the pixel. Size of a part: the pixels within its outline, holes included.
    """
    x0, y0, crop = (
        decode_crop(mask)
        if isinstance(mask, Rle)
        else (0, 0, np.ascontiguousarray(mask).view(np.uint8))
    )
    if not crop.size:
        return []
    contours, tree = cv2.findContours(
        crop, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE, offset=(x0, y0)
    )
    if not contours:
        return []
    points = [contour.reshape(-1, 2).astype(np.int32, copy=False) for contour in contours]
    parents: list[int] = tree[0, :, 3].tolist()
    parts = [
        Rings(outer, tuple(points[hole] for hole, parent in enumerate(parents) if parent == index))
        for index, outer in enumerate(points)
        if parents[index] < 0
    ]
    return sorted(parts, key=_largest_first)


def _largest_first(part: Rings) -> tuple[float, int, int]:
    # Pick's theorem: pixels on and in an outline = area + half of the border + 1.
    ring = part.outer
    border = np.abs(ring - np.roll(ring, 1, axis=0)).max(axis=1).sum()
    x, y = ring.min(axis=0).tolist()
    return -(cv2.contourArea(ring) + border / 2 + 1), y, x


def _coco(rles: Sequence[Rle]) -> list[dict[str, Any]]:
    return [{"size": list(rle.size), "counts": rle.counts} for rle in rles]


def _rle(record: Mapping[str, Any]) -> Rle:
    height, width = record["size"]
    return Rle((int(height), int(width)), record["counts"].decode("ascii"))


def _runs(counts: str) -> NDArray[np.int64]:
    """The lengths of the runs that a compressed string says."""
    try:
        digits = np.frombuffer(counts.encode("ascii"), np.uint8).astype(np.int64) - 48
    except UnicodeEncodeError:
        digits = np.full(1, -1, np.int64)
    if not digits.size:
        return digits
    last = (digits & 0x20) == 0
    if digits.min() < 0 or digits.max() > 63 or not last[-1]:
        raise ValueError("RLE counts are not a COCO string")
    ends = np.flatnonzero(last)
    starts = np.concatenate(([0], ends[:-1] + 1))
    place = np.arange(digits.size) - np.repeat(starts, ends - starts + 1)
    if place.max() > 7:
        raise ValueError("RLE counts hold a run that is too long")
    runs = np.add.reduceat((digits & 0x1F) << (5 * place), starts)
    runs -= ((digits[ends] & 0x10) != 0) * (1 << (5 * (place[ends] + 1)))
    runs[1::2] = np.cumsum(runs[1::2])
    runs[2::2] = np.cumsum(runs[2::2])
    return runs


def _edges(rle: Rle) -> NDArray[np.int64]:
    """Where, counted down the columns, each run of 1 starts and ends, in turn."""
    return _to_edges(_runs(rle.counts), rle.size)


def _to_edges(runs: NDArray[np.int64], size: tuple[int, int]) -> NDArray[np.int64]:
    total = size[0] * size[1]
    if runs.size and runs.min() < 0:
        raise ValueError("RLE counts hold a run of negative length")
    if int(runs.sum()) != total:
        raise ValueError(f"RLE runs add up to {int(runs.sum())} pixels, the frame has {total}")
    return _without_empty_runs(np.cumsum(runs)[: runs.size // 2 * 2])


def _without_empty_runs(edges: NDArray[np.int64]) -> NDArray[np.int64]:
    if not (edges[1:] == edges[:-1]).any():
        return edges
    # An edge that meets its neighbour is no edge; three or more alike cancel in pairs.
    values, repeats = np.unique(edges, return_counts=True)
    kept: NDArray[np.int64] = values[repeats % 2 == 1]
    return kept


def _from_edges(edges: NDArray[np.int64], size: tuple[int, int]) -> Rle:
    """The RLE of runs of 1 given as start, end, start, end, ...; touching runs become one."""
    edges = _without_empty_runs(edges)
    total = size[0] * size[1]
    bounds = np.concatenate(([0], edges, [total] if not edges.size or edges[-1] < total else []))
    record = {"size": list(size), "counts": np.diff(bounds).astype(np.int64).tolist()}
    return _rle(_mask.frUncompressedRLE([record], size[0], size[1])[0])


def _extent(edges: NDArray[np.int64], height: int) -> tuple[int, int, int, int]:
    """The tight x, y, width, height of runs that are not empty."""
    starts, ends = edges[::2], edges[1::2]
    x0, x1 = int(starts[0]) // height, int(ends[-1] - 1) // height
    if ((starts // height) != (ends - 1) // height).any():
        return x0, 0, x1 - x0 + 1, height
    y0, y1 = int((starts % height).min()), int(((ends - 1) % height).max())
    return x0, y0, x1 - x0 + 1, y1 - y0 + 1
