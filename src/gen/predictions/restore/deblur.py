"""Deconvolution: Wiener, Richardson-Lucy, total variation, unsharp masks.

The kernel is known, as in non-blind deblurring; some methods are given one that is a little wrong,
as blind ones would have found it. All work on the luminance of linear light.
"""

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.degrade.degraded import Degraded, Rgb
from gen.predictions.degrade.light import to_linear, to_srgb
from gen.predictions.restore.restored import Restored

_UNSHARP = ((1.5, 1.0), (3.0, 4.0), (4.0, 8.0))
_WIENER = (0.1, 0.02, 0.004, 0.0001)
_SLIGHT = 0.02
_FLAT = np.pad(np.ones((1, 1), np.float32), 1)  # all frequencies alike
_ITERATIONS = (4, 12, 30)
# Richardson-Lucy divides by its guess, blurred; less light than this is none, or rounding errors in
# corners that the kernel does not reach would grow without bound.
_DARK = 1e-3
# A Wiener filter of this balance, then smoothing by total variation of these weights.
_DENOISED, _SMOOTHING = 0.003, (0.02, 0.12)
# Kernels that are off: by a turn in degrees, and by a factor in size.
_WRONG = ((25.0, 1.0), (0.0, 0.6), (0.0, 1.5))
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722], np.float32)  # ITU-R BT.709


def restorations(degraded: Degraded, rng: np.random.Generator) -> Iterator[Restored]:
    """Restorations of a blurred picture; those that need a kernel only where it is known."""
    yield Restored("untouched", degraded.picture)
    yield from _sharpened(degraded.picture)
    if degraded.kernel is not None:
        yield from _deconvolved(degraded.picture, degraded.kernel, rng)


def _sharpened(picture: Rgb) -> Iterator[Restored]:
    exact = picture.astype(np.float32)
    for radius, amount in _UNSHARP:
        difference = exact - cv2.GaussianBlur(exact, (0, 0), radius)
        values = np.clip(exact + np.float32(amount) * difference + 0.5, 0.0, 255.0)
        yield Restored(f"unsharp radius={radius:g} amount={amount:g}", values.astype(np.uint8))


def _deconvolved(
    picture: Rgb, kernel: NDArray[np.float32], rng: np.random.Generator
) -> Iterator[Restored]:
    from skimage import restoration

    skimage: Any = restoration  # its functions have no types
    light = to_linear(picture)
    plane = np.asarray(light @ _LUMINANCE, np.float32)
    # Mirrored beyond the border, or what is cut off there would ring through the picture.
    margin = 2 * kernel.shape[0]
    wide = np.pad(plane, margin, mode="reflect")

    def made(method: str, solved: NDArray[np.floating]) -> Restored:
        found = np.asarray(solved, np.float32)[margin:-margin, margin:-margin]
        return Restored(method, to_srgb(light + (found - plane)[..., None]))

    for balance in _WIENER:
        solved = skimage.wiener(wide, kernel, balance, _FLAT, clip=False)
        yield made(f"wiener balance={balance:g}", solved)
    for turn, size in _WRONG:
        known = _wrong(kernel, turn, size)
        method = f"wiener balance={_SLIGHT:g} kernel turned={turn:g} scaled={size:g}"
        yield made(method, skimage.wiener(wide, known, _SLIGHT, _FLAT, clip=False))
    sharp = skimage.wiener(wide, kernel, _DENOISED, _FLAT, clip=False)
    for weight in _SMOOTHING:
        solved = skimage.denoise_tv_chambolle(sharp, weight, max_num_iter=40)
        yield made(f"wiener balance={_DENOISED:g} total variation={weight:g}", solved)
    for count in _ITERATIONS:
        solved = skimage.richardson_lucy(wide, kernel, count, clip=False, filter_epsilon=_DARK)
        yield made(f"richardson-lucy iterations={count}", solved)
    solved, _ = skimage.unsupervised_wiener(wide, kernel, clip=False, rng=rng)
    yield made("unsupervised wiener", solved)


def _wrong(kernel: NDArray[np.float32], turn: float, size: float) -> NDArray[np.float32]:
    """A kernel turned by degrees and scaled about its middle, sum 1."""
    side = int(np.ceil(kernel.shape[0] * max(1.0, size))) // 2 * 2 + 1
    move = cv2.getRotationMatrix2D(
        ((kernel.shape[1] - 1) / 2, (kernel.shape[0] - 1) / 2), turn, size
    )
    move[:, 2] += (side - kernel.shape[0]) / 2
    found = cv2.warpAffine(kernel, move, (side, side), flags=cv2.INTER_LINEAR)
    total = float(found.sum())
    return np.asarray(found / total, np.float32) if total > 0 else kernel
