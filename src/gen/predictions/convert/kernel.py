"""The blur between two pictures of one scene, a sharp one and a blurred one."""

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.convert.judged import Rgb
from gen.predictions.degrade.light import to_linear

Plane = NDArray[np.float32]

# How far light may be spread: as a share of the shorter side, and in pixels.
_REACH, _FARTHEST = 0.06, 32
# What keeps faint frequencies from deciding: as a share of the mean power.
_STEADY = 0.01
# Values below this share of the greatest are noise.
_FAINT = 0.1
# How much of the difference a kernel must explain to be taken for the blur.
_EXPLAINED = 0.5
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722], np.float32)  # ITU-R BT.709


def between(clean: Rgb, blurred: Rgb) -> Plane | None:
    """The kernel (float32, odd sides, sum 1) that blurs one into the other; None if none does.

    Least squares on gradients of luminance in linear light with a penalty on the kernel's energy,
    solved by Fourier transforms, as in the kernel step of Cho and Lee (Fast motion deblurring, ACM
    TOG 28(5), 2009); but the sharp picture is known here.

    Raises:
        ValueError: the sizes differ.
    """
    if clean.shape != blurred.shape:
        raise ValueError("sharp and blurred picture differ in size")
    sharp, soft = (np.asarray(to_linear(one) @ _LUMINANCE, np.float32) for one in (clean, blurred))
    height, width = sharp.shape
    # Faded to the frame: transforms take a picture to go on at its other side.
    fade = np.outer(np.hanning(height), np.hanning(width))
    one, other = (
        np.fft.rfft2([np.gradient(plane, axis=axis) * fade for axis in (0, 1)])
        for plane in (sharp, soft)
    )
    power = (np.abs(one) ** 2).sum(axis=0)
    if not power.any():
        return None
    common = (np.conj(one) * other).sum(axis=0)
    spread = np.fft.irfft2(common / (power + _STEADY * power.mean()), s=(height, width))
    reach = max(1, min(_FARTHEST, round(_REACH * min(height, width))))
    found = np.roll(spread, (reach, reach), (0, 1))[: 2 * reach + 1, : 2 * reach + 1]
    found = np.where(found < _FAINT * found.max(), 0.0, found)
    if found.sum() <= 0.0:
        return None
    kernel = np.asarray(found / found.sum(), np.float32)
    # OpenCV correlates; turned about, that is convolution.
    again = cv2.filter2D(sharp, -1, kernel[::-1, ::-1], borderType=cv2.BORDER_REFLECT_101)
    left, before = (float(((one - soft) ** 2).mean()) for one in (again, sharp))
    return kernel if left < (1.0 - _EXPLAINED) * before else None
