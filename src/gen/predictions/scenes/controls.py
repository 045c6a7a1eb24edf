"""Pictures that tell a generator where things are to be, as the field knows them.

See Zhang et al. 2023, "Adding Conditional Control to Text-to-Image Diffusion Models" (edges, depth)
and Li et al. 2023, "GLIGEN: Open-Set Grounded Text-to-Image Generation" (boxes with words).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.scenes.case import Rgb
from gen.predictions.scenes.checks import Size
from gen.predictions.scenes.description import Thing
from gen.predictions.scenes.drawing import draw, silhouette
from gen.predictions.scenes.shapes import bounds
from gen.render.text import draw_plate_text, font_px, line_px, text_size

Control = Literal["edges", "boxes", "depth"]
CONTROLS: tuple[Control, ...] = get_args(Control)

NOUNS: Mapping[Control, str] = {
    "edges": "edge map",
    "boxes": "layout of labelled boxes",
    "depth": "depth map",
}
"""What a prompt calls each of them."""

_GROUND_LEVEL = 128
# Thresholds of Canny's detector that generators of edge maps take, and its usual blur.
_CANNY, _CANNY_BLUR = (50, 120), 1.0
_CANVAS, _INK = 24, 235
# The ground begins where the eye is level with it; what is nearer is lighter.
_HORIZON, _WALL, _NEAR, _FAR = 0.36, 28.0, 225.0, 48.0
_BULGE, _LIFT = 0.5, 14.0


def control(kind: Control, things: Sequence[Thing], labels: Sequence[str], size: Size) -> Rgb:
    """A map of `things`, RGB uint8 in `size` (height, width), without a trace of their colours.

    edges: white lines where a drawing of them has edges, on black.
    boxes: an outline around each of them, with one of `labels`, in their order.
    depth: near is light, far is dark; relative, as from one photo.
    """
    return _KINDS[kind](things, labels, size)


def _edges(things: Sequence[Thing], labels: Sequence[str], size: Size) -> Rgb:
    """Of outlines, and of the edges that lightness shows within them."""
    edges = np.zeros(size, np.uint8)
    ground = np.full((*size, 3), _GROUND_LEVEL, np.uint8)
    for thing in sorted(things, key=lambda one: one.y):
        mask = silhouette(thing, size).astype(np.uint8)
        drawn = cv2.cvtColor(draw([thing], ground), cv2.COLOR_RGB2LAB)[..., 0]
        inner = cv2.Canny(cv2.GaussianBlur(drawn, (0, 0), _CANNY_BLUR), *_CANNY)
        within = cv2.erode(mask, np.ones((3, 3), np.uint8), iterations=2)
        edges[mask > 0] = 0
        edges[(within > 0) & (inner > 0)] = 255
        outlines, _ = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(edges, outlines, -1, 255, 1)
    return _grey(edges)


def _boxes(things: Sequence[Thing], labels: Sequence[str], size: Size) -> Rgb:
    height, width = size
    canvas = np.full((height, width, 3), _CANVAS, np.uint8)
    line, px = line_px(height, width), font_px(height, width)
    for thing, label in zip(things, labels, strict=True):
        x1, y1, x2, y2 = (round(side) for side in bounds(thing, size))
        cv2.rectangle(canvas, (x1, y1), (x2, y2), (_INK,) * 3, line)
        wide, high = text_size(label, px)
        # Within the box where it is wide enough, else above its middle.
        left = x1 if wide <= x2 - x1 else min(max((x1 + x2 - wide) // 2, 0), width - wide)
        top = y1 if wide <= x2 - x1 else max(y1 - high, 0)
        draw_plate_text(canvas, label, (left, top), px, (0, 0, 0), (_INK,) * 3)
    return canvas


def _depth(things: Sequence[Thing], labels: Sequence[str], size: Size) -> Rgb:
    """Disparity, which on flat ground grows linearly from the horizon down."""
    height, width = size
    rows = (np.arange(height, dtype=np.float32) / height - _HORIZON) / (1 - _HORIZON)
    ground = np.where(rows < 0, _WALL, _FAR + (_NEAR - _FAR) * rows)
    near = np.repeat(ground[:, None], width, axis=1)
    for thing in sorted(things, key=lambda one: one.y):
        mask = silhouette(thing, size)
        inside = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 5)
        inner = inside / max(float(inside.max()), 1.0)
        foot = _FAR + (_NEAR - _FAR) * (thing.y - _HORIZON) / (1 - _HORIZON)
        # What bulges to the viewer does so by about half its width; all stand out from the wall.
        deep = (_NEAR - _FAR) * _BULGE * thing.extent
        round_off = np.sqrt(np.maximum(1 - (1 - inner) ** 2, 0))
        near[mask] = (foot + _LIFT + deep * round_off)[mask]
    return _grey(np.clip(near + 0.5, 0, 255).astype(np.uint8))


def _grey(levels: NDArray[np.uint8]) -> Rgb:
    return np.repeat(levels[..., None], 3, axis=2)


_KINDS: dict[Control, Callable[[Sequence[Thing], Sequence[str], Size], Rgb]] = {
    "edges": _edges,
    "boxes": _boxes,
    "depth": _depth,
}
