"""Holes filled by classical inpainting, from careless settings to careful ones."""

from collections.abc import Iterator, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.degrade.degraded import Degraded
from gen.predictions.restore.patch_fill import patch_filled
from gen.predictions.restore.restored import Restored

Rgb = NDArray[np.uint8]
Mask = NDArray[np.bool_]

_INPAINTING: Mapping[str, int] = {"telea": cv2.INPAINT_TELEA, "ns": cv2.INPAINT_NS}
# Biharmonic filling solves one system of all missing pixels: at full size up to so many, else on a
# smaller picture.
_MOST_UNKNOWNS = 2500


def restorations(degraded: Degraded, rng: np.random.Generator) -> Iterator[Restored]:
    """The picture as it is, and its hole filled in some twenty ways, if anything around is known.

    Raises:
        ValueError: the hole is not known.
    """
    picture, hole = degraded.untouched, degraded.hole
    if hole is None:
        raise ValueError("inpainting needs to know the hole")
    yield Restored("untouched", picture)
    if not hole.any() or hole.all():
        return
    mean = picture[~hole].mean(axis=0)
    yield Restored("mean", _filled(picture, hole, np.broadcast_to(mean, picture.shape)))
    yield Restored("mean of rim", _rim_mean(picture, hole))
    yield Restored("nearest", _nearest(picture, hole))
    for sigma in (0.004, 0.03):
        yield Restored(f"blur sigma={sigma:g}", _blurred(picture, hole, sigma))
    for name in _INPAINTING:
        for radius in (2, 5, 10):
            painted = _painted(picture, hole, name, radius)
            yield Restored(f"{name} radius={radius}", painted)
    for share in (0.25, 0.5, 0.75):
        stopped = np.where(_deepest(hole, 1 - share)[..., None], picture, painted)
        yield Restored(f"{name} stopped at={share:g}", stopped)
    yield Restored("biharmonic", _biharmonic(picture, hole))
    for size, rounds in ((5, 1), (5, 3), (7, 2)):
        light = picture.astype(np.float32)
        copied = patch_filled(light, hole, size, rounds, rng)
        yield Restored(f"patches size={size} rounds={rounds}", _filled(picture, hole, copied))


def _filled(picture: Rgb, hole: Mask, values: NDArray[np.floating]) -> Rgb:
    bytes_ = np.clip(values + 0.5, 0, 255).astype(np.uint8)
    return np.where(hole[..., None], bytes_, picture)


def _painted(picture: Rgb, hole: Mask, name: str, radius: float) -> Rgb:
    """Telea (J. Graphics Tools 2004), or after Bertalmio, Bertozzi and Sapiro (CVPR 2001)."""
    painted = cv2.inpaint(picture, hole.astype(np.uint8), radius, _INPAINTING[name])
    return np.asarray(painted, np.uint8)


def _rim_mean(picture: Rgb, hole: Mask) -> Rgb:
    """Each connected hole in the mean colour of what touches it."""
    count, labels = cv2.connectedComponents(hole.astype(np.uint8))
    grown = cv2.dilate(labels.astype(np.uint16), np.ones((5, 5), np.uint8))
    values = np.zeros(picture.shape, np.float64)
    for label in range(1, count):
        rim = (grown == label) & ~hole
        if rim.any():
            values[labels == label] = picture[rim].mean(axis=0)
    return _filled(picture, hole, values)


def _nearest(picture: Rgb, hole: Mask) -> Rgb:
    """Each pixel a copy of the nearest known one."""
    from scipy.ndimage import distance_transform_edt

    places = distance_transform_edt(hole, return_distances=False, return_indices=True)
    return np.asarray(picture[tuple(places)])


def _blurred(picture: Rgb, hole: Mask, sigma: float) -> Rgb:
    """The mean of known pixels, weighted by a Gaussian; `sigma` of the longer side.

    Normalized convolution (Knutsson and Westin, CVPR 1993); where no known pixel is near enough,
    the Gaussian is made twice as wide.
    """
    known = (~hole).astype(np.float32)
    width = sigma * max(hole.shape)
    values = picture.astype(np.float32)
    left = hole.copy()
    while left.any() and width < max(hole.shape):
        weight = cv2.GaussianBlur(known, (0, 0), width)
        total = cv2.GaussianBlur(picture * known[..., None], (0, 0), width)
        reached = left & (weight > 1e-3)
        values[reached] = total[reached] / weight[reached][:, None]
        left &= ~reached
        width *= 2
    return _filled(picture, hole, values)


def _deepest(hole: Mask, share: float) -> Mask:
    """That share of the hole which is farthest from its rim."""
    depth = cv2.distanceTransform(hole.astype(np.uint8), cv2.DIST_L2, 5)
    places = np.flatnonzero(hole)
    order = np.argsort(depth.ravel()[places], kind="stable")
    deepest = np.zeros(hole.size, np.bool_)
    deepest[places[order[round(len(places) * (1 - share)) :]]] = True
    return deepest.reshape(hole.shape)


def _biharmonic(picture: Rgb, hole: Mask) -> Rgb:
    """Thin plates through what is known (Damelin and Hoang, 2018); large holes smaller."""
    from skimage.restoration import inpaint_biharmonic

    scale = min(1.0, float(np.sqrt(_MOST_UNKNOWNS / hole.sum())))
    size = round(hole.shape[1] * scale), round(hole.shape[0] * scale)
    start = _painted(picture, hole, "telea", 3)
    small = cv2.resize(start, size, interpolation=cv2.INTER_AREA)
    missing = cv2.resize(hole.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0.01
    plate = inpaint_biharmonic(small.astype(np.float64) / 255, missing, channel_axis=-1)
    large = cv2.resize(plate * 255, hole.shape[::-1], interpolation=cv2.INTER_CUBIC)
    return _filled(picture, hole, large)
