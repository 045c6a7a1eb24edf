"""Seeing through bad weather: haze lifted, and what fell before the scene painted over."""

import cv2
import numpy as np
from numpy.typing import NDArray

Rgb = NDArray[np.uint8]
Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]

# He, Sun and Tang: the patch of the dark channel, and the least transmission that is trusted. The
# guided filter's window and regularisation are theirs as well, for pictures of this size.
_PATCH, _THINNEST = 15, 0.1
_RADIUS, _SMOOTHNESS = 20, 1e-3
_INPAINT_RADIUS = 3
# Thicker haze than takes a fifth of the contrast would be told by its depth as well.
_MOST_CONTRAST = 1.25
_INPAINTING = {"telea": cv2.INPAINT_TELEA, "ns": cv2.INPAINT_NS}


def dehazed(picture: Rgb, strength: float) -> Rgb:
    """`picture` without the share `strength` (0 to 1) of the haze that is found in it.

    The dark channel prior (He, Sun and Tang, IEEE TPAMI 2011): where there is no haze, some color
    of some pixel near by is dark. The light of the air is that of the haziest thousandth.
    """
    values = picture.astype(np.float32) / 255
    patch = np.ones((_PATCH, _PATCH), np.uint8)
    dark = cv2.erode(values.min(axis=2), patch)
    most = dark >= np.quantile(dark, 0.999)
    sky = np.maximum(np.median(values[most], axis=0), np.float32(0.3))
    haze = cv2.erode((values / sky).min(axis=2), patch)
    passed = 1 - np.float32(strength) * haze
    guide = np.asarray(cv2.cvtColor(values, cv2.COLOR_RGB2GRAY), np.float32)
    passed = np.clip(guided(guide, passed, _RADIUS, _SMOOTHNESS), _THINNEST, 1.0)[..., None]
    return to_bytes(((values - sky) / passed + sky) * 255)


def stretched(picture: Rgb, share: float) -> Rgb:
    """The contrast of all colors together stretched until `share` of the values is clipped.

    Or until it has grown by `_MOST_CONTRAST`: a scene without black or white stays so.
    """
    low, high = np.quantile(picture, (share, 1 - share))
    free = 255 - (high - low)
    part = min(1.0, (255 - 255 / _MOST_CONTRAST) / free) if free > 0 else 1.0
    start, gain = part * low, 255 / (255 - part * free)
    return to_bytes((picture.astype(np.float32) - np.float32(start)) * np.float32(gain))


def guided(guide: Plane, values: Plane, radius: int, smoothness: float) -> Plane:
    """`values` smoothed but for the edges of `guide`, both (height, width), of 0 to 1.

    The guided filter (He, Sun and Tang, IEEE TPAMI 2013): a linear function of the guide in each
    window of `2 radius + 1`; `smoothness` is the variance below which the guide counts as flat.
    """

    def mean(plane: Plane) -> Plane:
        side = 2 * radius + 1
        return np.asarray(cv2.blur(plane, (side, side)), np.float32)

    middle, level = mean(guide), mean(values)
    spread = mean(guide * guide) - middle * middle
    shared = mean(guide * values) - middle * level
    slope = np.asarray(shared / (spread + smoothness), np.float32)
    offset = level - slope * middle
    return mean(slope) * guide + mean(offset)


def painted_over(picture: Rgb, mask: Mask, method: str) -> Rgb:
    """`picture` filled in where `mask` is, by "telea" or "ns" (Navier-Stokes)."""
    filled = cv2.inpaint(picture, mask.astype(np.uint8), _INPAINT_RADIUS, _INPAINTING[method])
    return np.asarray(filled, np.uint8)


def subtracted(picture: Rgb, brighter: Plane, share: float) -> Rgb:
    """`picture` darker by a share of `brighter`, (height, width, 3) of 255."""
    return to_bytes(picture - np.float32(share) * brighter)


def median(picture: Rgb, side: int) -> Rgb:
    """The median of each color in a square."""
    return np.asarray(cv2.medianBlur(picture, side), np.uint8)


def bilateral(picture: Rgb, tone: float) -> Rgb:
    """The mean over a window of 7, of pixels that differ by about `tone` at most, of 255."""
    return np.asarray(cv2.bilateralFilter(picture, 7, tone, 5), np.uint8)


def opened(picture: Rgb, element: NDArray[np.uint8]) -> Rgb:
    """`picture` without what is brighter than around and too small for `element`."""
    return np.asarray(cv2.morphologyEx(picture, cv2.MORPH_OPEN, element), np.uint8)


def grown(mask: Mask) -> Mask:
    """`mask` and the pixels next to it."""
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def line(length: float, angle: float) -> NDArray[np.uint8]:
    """A structuring element: a line of so many pixels, `angle` degrees from the vertical."""
    half = max(int(np.ceil(length / 2)), 1)
    turn = np.radians(angle)
    element = np.zeros((2 * half + 1, 2 * half + 1), np.uint8)
    tip = (round(length / 2 * float(np.sin(turn))), round(length / 2 * float(np.cos(turn))))
    cv2.line(element, (half - tip[0], half - tip[1]), (half + tip[0], half + tip[1]), 1)
    return element


def to_bytes(values: NDArray[np.floating]) -> Rgb:
    """Values of 0 to 255, clipped and rounded."""
    return np.asarray(np.clip(values + 0.5, 0, 255), np.uint8)
