"""Coloured areas: one map of layer ids, one blend."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.uint8] | NDArray[np.uint16]
Crop = tuple[int, int, NDArray[np.uint8]]

_BAND_PX = 60_000  # blended at a time: few enough for the copies to stay in cache


def id_map(masks: Sequence[Crop], hw: tuple[int, int]) -> Ids:
    """The topmost mask at each pixel: 0 for none, else 1 + its position in `masks`.

    A mask is (x0, y0, crop): the column and row of its first pixel, and a uint8 array (h, w) that
    is non-zero on the object. Later masks lie on top. What lies outside the picture is cut off.

    Returns:
        (H, W), uint8 for up to 255 masks, else uint16.

    Raises:
        ValueError: more than 65,535 masks.
    """
    if len(masks) > np.iinfo(np.uint16).max:
        raise ValueError(f"at most 65535 masks in a picture, got {len(masks)}")
    h, w = hw
    ids = np.zeros((h, w), np.uint8 if len(masks) <= 255 else np.uint16)
    for layer, (x0, y0, crop) in enumerate(masks, start=1):
        left, top = max(x0, 0), max(y0, 0)
        right, bottom = min(x0 + crop.shape[1], w), min(y0 + crop.shape[0], h)
        if left >= right or top >= bottom:
            continue
        view = ids[top:bottom, left:right]
        inside = crop[top - y0 : bottom - y0, left - x0 : right - x0] != 0
        # ids only grow, so the larger of old and new is the newer
        np.maximum(view, inside * ids.dtype.type(layer), out=view)
    return ids


def fill(
    canvas: NDArray[np.uint8], layer_ids: Ids, colours: NDArray[np.uint8], opacity: float
) -> None:
    """Colour the pixels of `canvas` (H, W, 3) whose id in `layer_ids` (H, W) is not 0.

    Such a pixel becomes floor(photo * (1 - opacity) + colours[id] * opacity + 0.5), computed in
    float64: rounded, halves up. Opacity 1 gives the colour itself. `colours` is uint8 (K, 3) RGB
    with row 0 unused.

    Raises:
        ValueError: opacity outside 0..1, sizes that differ, or an id without a colour.
    """
    if not 0.0 <= opacity <= 1.0:
        raise ValueError(f"opacity lies in 0..1, not {opacity}")
    if layer_ids.shape != canvas.shape[:2]:
        raise ValueError(f"ids {layer_ids.shape} do not fit a canvas {canvas.shape[:2]}")
    if int(layer_ids.max()) >= len(colours):
        raise ValueError(f"id {int(layer_ids.max())} has no colour: there are {len(colours)}")
    left, top, width, height = _extent(layer_ids)
    rows = max(1, _BAND_PX // max(1, width))
    for y in range(top, top + height, rows):
        band = np.s_[y : min(y + rows, top + height), left : left + width]
        ids, ground = layer_ids[band], canvas[band]
        covered = ids != 0
        if covered.any():
            blended = _blend(ground, _paint(ids, colours), opacity)
            cv2.copyTo(blended, covered.view(np.uint8), ground)


def _extent(layer_ids: Ids) -> tuple[int, int, int, int]:
    """x, y, width and height of the part where ids are not 0."""
    covered = layer_ids if layer_ids.dtype == np.uint8 else (layer_ids != 0).view(np.uint8)
    x, y, width, height = cv2.boundingRect(covered)
    return x, y, width, height


def _blend(
    ground: NDArray[np.uint8], paint: NDArray[np.uint8], opacity: float
) -> NDArray[np.uint8]:
    if opacity == 1.0:
        return paint
    if opacity == 0.5:
        # integer form of the rule: the mean of two bytes rounded up, without overflow
        return (ground | paint) - ((ground ^ paint) >> 1)
    return (ground * (1 - opacity) + paint * opacity + 0.5).astype(np.uint8)


def _paint(ids: Ids, colours: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The colour of each pixel's id, as a picture."""
    if len(colours) > 256:
        return colours.take(ids, axis=0)
    # four bytes a colour make one look-up of 32 bits a pixel; the fourth is then dropped
    table = np.zeros((256, 4), np.uint8)
    table[: len(colours), :3] = colours
    words = cv2.LUT(ids.astype(np.uint8, copy=False), table.view(np.int32).reshape(1, 256))
    padded = np.asarray(words).view(np.uint8).reshape(*ids.shape, 4)
    return np.asarray(cv2.cvtColor(padded, cv2.COLOR_BGRA2BGR), np.uint8)
