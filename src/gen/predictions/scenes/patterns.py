"""Textures told apart by light and dark on a thing."""

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.scenes.description import Shape, Texture

Mask = NDArray[np.bool_]
Values = NDArray[np.float32]

# Things are brought to this width in pixels, so that patterns are of one scale.
_SIDE = 64
# Of the Gaussians that tell a pattern from shading: about a third of a pattern's period.
_FINE, _COARSE = 6.0, 7.0
# How much darker than around it, as a difference of logarithms, a mark is at least.
_DARK = 0.1
# Share of marks times contrast: shading and edges of plain things stay below.
_LEAST_PATTERN = 0.0125
# The largest bright piece by all that is bright: the ground about spots hangs together, stripes
# part it; a ring's more often, and there highlights part the ground about spots as well.
_GROUND, _TOGETHER, _RING_TOGETHER = -0.02, 0.65, 0.36
# A highlight is less pure than most of a thing by this factor.
_PURE = 0.75


def nearest_texture(lab: Values, mask: Mask, shape: Shape) -> Texture:
    """The texture of a thing of `shape`, given CIELAB and the thing's pixels in its box."""
    height, width = mask.shape
    size = (_SIDE, max(8, round(_SIDE * height / width)))
    way = cv2.INTER_AREA if width > _SIDE else cv2.INTER_LINEAR
    scaled = np.asarray(cv2.resize(lab, size, interpolation=way), np.float32)
    solid = cv2.resize(mask.astype(np.float32), size, interpolation=way) > 0.5
    # Light and shade move L* + 16 and the chroma by one factor.
    strength = scaled[..., 0] + 16
    purity = np.hypot(scaled[..., 1], scaled[..., 2]) / strength
    pure = purity > _PURE * np.median(purity[solid])
    inner, outer = pure & _shrunk(solid, 2), pure & _shrunk(solid, 1)
    if not inner.any():
        return "plain"
    light = np.log(strength)
    relief = _relief(light, inner, _FINE)[inner]
    if float(np.mean(relief < -_DARK)) * float(relief.std()) < _LEAST_PATTERN:
        return "plain"
    bright = outer & (_relief(light, outer, _COARSE) > _GROUND)
    _, _, stats, _ = cv2.connectedComponentsWithStats(bright.astype(np.uint8), connectivity=8)
    pieces = stats[1:, cv2.CC_STAT_AREA]
    together = _RING_TOGETHER if shape == "ring" else _TOGETHER
    return "spotted" if pieces.max(initial=0) >= together * pieces.sum() else "striped"


def _shrunk(mask: Mask, by: int) -> Mask:
    framed = cv2.copyMakeBorder(mask.astype(np.uint8), by, by, by, by, cv2.BORDER_CONSTANT, value=0)
    kernel = np.ones((2 * by + 1, 2 * by + 1), np.uint8)
    return np.asarray(cv2.erode(framed, kernel)[by:-by, by:-by] > 0)


def _relief(values: Values, valid: Mask, sigma: float) -> Values:
    """What is left of `values` without their means around each pixel over `valid` ones."""
    weight = valid.astype(np.float32)
    around = cv2.GaussianBlur(values * weight, (0, 0), sigma)
    counted = cv2.GaussianBlur(weight, (0, 0), sigma)
    return np.asarray(values - around / np.maximum(counted, 1e-3), np.float32)
