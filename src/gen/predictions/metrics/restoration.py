"""How near a restored picture comes to the hidden one: PSNR and SSIM of its luminance.

SSIM: Wang, Bovik, Sheikh and Simoncelli, Image quality assessment: from error visibility to
structural similarity, IEEE TIP 13(4), 2004, with the paper's window (Gaussian, sigma 1.5, 11 x 11)
and constants (K1 = 0.01, K2 = 0.03, L = 255), over the places where the window fits.
"""

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

Rgb = NDArray[np.uint8]
Plane = NDArray[np.float64]
S = TypeVar("S", bound=np.generic)

# ITU-R BT.601 in the scaling of MATLAB's rgb2ycbcr, 16 to 235, as papers on super-resolution do.
_WEIGHTS = np.array([65.481, 128.553, 24.966]) / 255.0
_OFFSET = 16.0
_PEAK = 255.0

_SIGMA, _RADIUS = 1.5, 5
_C1, _C2 = (0.01 * _PEAK) ** 2, (0.03 * _PEAK) ** 2

# What a PSNR of so many decibels counts: 0 for the first, 1 for the second.
_WORST, _BEST = 10.0, 40.0
_EQUAL = 100.0
"""The PSNR that equal pictures get, which have none."""

_UNTOUCHED, _PERFECT = 2.0, 10.0
# An input with a greater m is as good as perfect: what is left to mend, hardly anybody sees.
_INTACT = 0.98


@dataclass(frozen=True, slots=True)
class _Measured:
    psnr: float
    ssim: float

    @property
    def mean(self) -> float:
        """The mean of SSIM and of PSNR as a share, 0 to 1."""
        share = min(1.0, max(0.0, (self.psnr - _WORST) / (_BEST - _WORST)))
        return (share + min(1.0, max(0.0, self.ssim))) / 2.0


class RestorationTruth:
    """The hidden picture, with which restorations are compared."""

    def __init__(
        self,
        clean: Rgb,
        untouched: Rgb,
        crop: int = 0,
        region: NDArray[np.bool_] | None = None,
    ) -> None:
        """`clean` is the hidden picture, `untouched` the input in its size, RGB uint8.

        `crop` pixels along the border do not count, nor does what lies outside `region` (bool,
        height, width), if one is given.

        Raises:
            ValueError: the pictures differ in size, are too small for the window, or the region
                is empty.
        """
        self._crop = crop
        self._region = None if region is None else self._inner(region)
        if self._region is not None and not self._region.any():
            raise ValueError("the region holds no pixel")
        self._shape = clean.shape
        self._clean = self._luminance(clean)
        if min(self._clean.shape) <= 2 * _RADIUS:
            raise ValueError(f"a picture of {clean.shape[:2]} is too small for the window of SSIM")
        self._mean = _blurred(self._clean)
        self._variance = _blurred(self._clean**2) - self._mean**2
        self._floor = self._measure(untouched).mean

    @property
    def intact(self) -> bool:
        """Whether the untouched input is so near to the hidden picture that scores mean nothing."""
        return self._floor > _INTACT

    def score(self, picture: Rgb) -> tuple[float, dict[str, float]]:
        """The final score from 0 to 10 of a restoration, and `psnr` (dB), `ssim` and `m`.

        m is the mean of SSIM and (PSNR - 10) / 30, each cut to 0 to 1. The untouched input has 2
        and the hidden picture 10; between them the score is linear in m, and so it is below, down
        to 0 at m = 0.

        Raises:
            ValueError: the picture has another size than the hidden one.
        """
        found = self._measure(picture)
        m, floor = found.mean, self._floor
        if m >= floor:
            gained = (m - floor) / (1.0 - floor) if floor < 1.0 else 1.0
            score = _UNTOUCHED + (_PERFECT - _UNTOUCHED) * gained
        else:
            score = _UNTOUCHED * m / floor
        return score, {"psnr": found.psnr, "ssim": found.ssim, "m": m}

    def _measure(self, picture: Rgb) -> _Measured:
        if picture.shape != self._shape:
            raise ValueError(f"a picture of {picture.shape}, the hidden one has {self._shape}")
        plane = self._luminance(picture)
        error = (plane - self._clean) ** 2
        mse = float(error.mean() if self._region is None else error[self._region].mean())
        psnr = _EQUAL if mse == 0.0 else min(_EQUAL, 10.0 * np.log10(_PEAK**2 / mse))
        return _Measured(float(psnr), self._ssim(plane))

    def _ssim(self, plane: Plane) -> float:
        mean = _blurred(plane)
        variance = _blurred(plane**2) - mean**2
        shared = _blurred(plane * self._clean) - mean * self._mean
        similar = ((2.0 * mean * self._mean + _C1) * (2.0 * shared + _C2)) / (
            (mean**2 + self._mean**2 + _C1) * (variance + self._variance + _C2)
        )
        region = None if self._region is None else _fitting(self._region)
        if region is None or not region.any():
            return float(_fitting(similar).mean())
        return float(_fitting(similar)[region].mean())

    def _luminance(self, picture: Rgb) -> Plane:
        return np.asarray(self._inner(picture) @ _WEIGHTS + _OFFSET, np.float64)

    def _inner(self, picture: NDArray[S]) -> NDArray[S]:
        cut = self._crop
        return picture[cut : picture.shape[0] - cut, cut : picture.shape[1] - cut]


def _blurred(plane: Plane) -> Plane:
    size = 2 * _RADIUS + 1
    found = cv2.GaussianBlur(plane, (size, size), _SIGMA, borderType=cv2.BORDER_REFLECT)
    return np.asarray(found, np.float64)


def _fitting(plane: NDArray[S]) -> NDArray[S]:
    """Where the whole window lies in the picture."""
    return plane[_RADIUS:-_RADIUS, _RADIUS:-_RADIUS]
