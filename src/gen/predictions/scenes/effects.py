"""Edits of photos by colour science: what each makes of every pixel, in CIELAB.

A Lab picture is float32 (height, width, 3): L* from 0 to 100, a* and b* about -128 to 127 (CIE
1976, D65). An effect is worked out over the whole photo; where it shows is up to a mask.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.scenes.case import Rgb

Lab = NDArray[np.float32]
Mask = NDArray[np.bool_]


class Paint(NamedTuple):
    """A colour as people name it: its hue in CIELAB in degrees, and for which L* the name holds."""

    hue: float
    lightness: tuple[float, float]


# Hues are those of the sRGB colours that the English colour terms are most often given to in colour
# naming surveys; dark orange is called brown, dark yellow olive, light red pink.
PAINTS: dict[str, Paint] = {
    "red": Paint(33.0, (22, 58)),
    "orange": Paint(62.0, (56, 80)),
    "yellow": Paint(97.0, (68, 92)),
    "green": Paint(142.0, (25, 85)),
    "cyan": Paint(208.0, (55, 88)),
    "blue": Paint(282.0, (20, 72)),
    "purple": Paint(317.0, (20, 70)),
    "pink": Paint(355.0, (58, 85)),
}

_CHROMA = 54.0
# What part of a thing's median chroma a pixel has where it begins to be paint, and where it is all.
_UNPAINTED, _PAINTED = 0.30, 0.65
COLORFUL = 16.0
"""The median chroma from which a thing has a colour of its own."""
# Below and above these L*, surfaces look less and less coloured.
_DARK, _BRIGHT = 30.0, 80.0


def to_lab(picture: Rgb) -> Lab:
    """The Lab picture of sRGB."""
    unit = picture.astype(np.float32) / np.float32(255)
    return np.asarray(cv2.cvtColor(unit, cv2.COLOR_RGB2Lab), np.float32)


def to_rgb(lab: Lab) -> Rgb:
    """sRGB, uint8, of a Lab picture; what lies outside of sRGB is clipped."""
    unit = cv2.cvtColor(np.ascontiguousarray(lab, np.float32), cv2.COLOR_Lab2RGB)
    return np.asarray(np.clip(np.rint(unit * 255), 0, 255), np.uint8)


def chroma(lab: Lab) -> NDArray[np.float32]:
    """C*ab of each pixel."""
    return np.asarray(np.hypot(lab[..., 1], lab[..., 2]), np.float32)


def distance(one: Lab, other: Lab) -> NDArray[np.float32]:
    """The CIE76 difference of each pixel of two Lab pictures."""
    light, a, b = cv2.split(one - other)
    return np.asarray(np.sqrt(light * light + a * a + b * b), np.float32)


def turned(lab: Lab, degrees: float, where: Mask) -> Lab:
    """`lab` with all hues turned, in such chroma as sRGB has of the mean hue `where`."""
    angle = np.deg2rad(degrees)
    cos, sin = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    a, b = lab[..., 1] * cos - lab[..., 2] * sin, lab[..., 1] * sin + lab[..., 2] * cos
    hue = float(np.rad2deg(np.arctan2(b[where].mean(), a[where].mean())))
    bound = np.interp(lab[..., 0], np.arange(101), _most_chroma(round(hue * 2) % 720))
    less = np.minimum(1, bound / np.maximum(np.hypot(a, b), 1e-3)).astype(np.float32)
    return np.dstack([lab[..., 0], a * less, b * less])


class Effect(Protocol):
    """Something that can be done to a photo. `amount` 1 is all of it, 0 nothing."""

    def apply(self, lab: Lab, kept: Mask, amount: float = 1.0) -> Lab:
        """`lab` (not changed) with the effect on every pixel; `kept` is not to bleed into it."""
        ...

    def miscolored(self, error: float, direction: float) -> "Effect":
        """The same with its colour `error` off: degrees of hue, or the a*b* length of a cast.

        `direction` from 0 to 360 chooses which way.
        """
        ...

    def to_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Recolor:
    """Another hue, with the shading, the highlights and the uncoloured parts of the thing left.

    `own_chroma` is the median chroma of the thing.
    """

    hue: float
    own_chroma: float

    def apply(self, lab: Lab, kept: Mask, amount: float = 1.0) -> Lab:
        light = lab[..., 0]
        shade = np.clip(light / _DARK, 0, 1) * np.clip((100 - light) / (100 - _BRIGHT), 0, 1)
        own = cv2.GaussianBlur(chroma(lab), (0, 0), 1.0)
        weight = np.ones_like(light)
        strength = np.float32(_CHROMA) * shade
        if self.own_chroma >= COLORFUL:
            share = own / np.float32(self.own_chroma)
            weight = np.clip((share - _UNPAINTED) / (_PAINTED - _UNPAINTED), 0, 1)
            strength = strength * (0.75 + 0.25 * np.clip(share, 0, 1.4))
        bound = _most_chroma(round(self.hue * 2) % 720)
        strength = np.minimum(strength, np.interp(light, np.arange(bound.size), bound))
        angle = np.deg2rad(self.hue)
        painted = np.dstack([light, np.cos(angle) * strength, np.sin(angle) * strength])
        return _mixed(lab, painted, np.float32(amount) * weight)

    def miscolored(self, error: float, direction: float) -> "Recolor":
        return replace(self, hue=(self.hue + (error if direction < 180 else -error)) % 360)

    def to_json(self) -> dict[str, Any]:
        return {"kind": "recolor", "hue": self.hue, "own_chroma": self.own_chroma}


@dataclass(frozen=True, slots=True)
class _Uncolored:
    """An effect that leaves hues alone, but for a colour cast in a*, b*."""

    cast: tuple[float, float] = (0.0, 0.0)

    def _tinted(self, lab: Lab) -> Lab:
        return lab + np.array((0, *self.cast), np.float32)


def cast(error: float, direction: float) -> tuple[float, float]:
    """a*, b* of a colour cast of length `error`, greenish for a `direction` below 180, or pink."""
    # Towards green or magenta: no light that photos are taken in is so.
    angle = np.deg2rad(150.0 if direction < 180 else 330.0)
    return float(error * np.cos(angle)), float(error * np.sin(angle))


@dataclass(frozen=True, slots=True)
class Grey(_Uncolored):
    """Black and white."""

    def apply(self, lab: Lab, kept: Mask, amount: float = 1.0) -> Lab:
        grey = lab * np.array((1, 0, 0), np.float32)
        return _mixed(lab, self._tinted(grey), amount)

    def miscolored(self, error: float, direction: float) -> "Grey":
        return replace(self, cast=cast(error, direction))

    def to_json(self) -> dict[str, Any]:
        return {"kind": "grey"}


@dataclass(frozen=True, slots=True)
class Exposure(_Uncolored):
    """Lighter (`power` below 1) or darker (above 1): L*/100 to the power, chroma in proportion."""

    power: float = 1.0

    def apply(self, lab: Lab, kept: Mask, amount: float = 1.0) -> Lab:
        light = np.maximum(lab[..., :1], 1) / 100
        gain = np.clip(light ** np.float32(self.power - 1), 0.25, 2.5)
        lit = lab * np.concatenate([gain, gain**0.7, gain**0.7], axis=2)
        return _mixed(lab, self._tinted(lit), amount)

    def miscolored(self, error: float, direction: float) -> "Exposure":
        return replace(self, cast=cast(error, direction))

    def to_json(self) -> dict[str, Any]:
        return {"kind": "exposure", "power": self.power}


@dataclass(frozen=True, slots=True)
class Defocus(_Uncolored):
    """Out of focus: a Gaussian of `sigma`, a share of the longer side; `kept` casts no glow."""

    sigma: float = 0.0

    def apply(self, lab: Lab, kept: Mask, amount: float = 1.0) -> Lab:
        if amount <= 0:
            return self._tinted(lab)
        sigma = self.sigma * max(kept.shape) * amount
        weight = (~kept).astype(np.float32)[..., None]
        seen = _soft(lab * weight, sigma)
        total = _soft(weight[..., 0], sigma)[..., None]
        blurred = np.where(total > 0.02, seen / np.maximum(total, 0.02), _soft(lab, sigma))
        return self._tinted(blurred.astype(np.float32))

    def miscolored(self, error: float, direction: float) -> "Defocus":
        return replace(self, cast=cast(error, direction))

    def to_json(self) -> dict[str, Any]:
        return {"kind": "defocus", "sigma": self.sigma}


def everywhere(effect: Effect, lab: Lab, target: Mask) -> Lab:
    """What `effect` makes of `target` alone, and, on all other pixels, what it would of all."""
    nothing = np.zeros(target.shape, np.bool_)
    return np.where(target[..., None], effect.apply(lab, ~target), effect.apply(lab, nothing))


def from_json(record: Mapping[str, Any]) -> Effect:
    """The effect that `to_json` gave as `record`. Raises KeyError for an unknown kind."""
    fields = {name: value for name, value in record.items() if name != "kind"}
    return _KINDS[record["kind"]](**fields)


_KINDS: Mapping[str, Callable[..., Effect]] = {
    "recolor": Recolor,
    "grey": Grey,
    "exposure": Exposure,
    "defocus": Defocus,
}


def _soft(field: NDArray[np.float32], sigma: float) -> NDArray[np.float32]:
    return np.asarray(
        cv2.GaussianBlur(field, (0, 0), max(sigma, 0.3), borderType=cv2.BORDER_REFLECT), np.float32
    )


def _mixed(lab: Lab, other: Lab, weight: float | NDArray[np.float32]) -> Lab:
    share = np.asarray(weight, np.float32)
    if share.ndim == 2:
        share = share[..., None]
    return np.asarray(lab + share * (other - lab), np.float32)


@lru_cache(maxsize=720)
def _most_chroma(half_degrees: int) -> NDArray[np.float64]:
    """The greatest chroma that sRGB has of a hue at L* 0, 1, ... 100."""
    angle = np.deg2rad(half_degrees / 2)
    levels, steps = np.arange(101.0)[:, None], np.arange(0, 132, 2.0)
    f = (levels + 16) / 116
    f = np.stack(
        [f + steps * np.cos(angle) / 500, f + 0 * steps, f - steps * np.sin(angle) / 200], axis=-1
    )
    # CIE 15:2004, inverse of the CIELAB formula; IEC 61966-2-1 for sRGB, white D65.
    xyz = np.where(f > 6 / 29, f**3, 3 * (6 / 29) ** 2 * (f - 4 / 29)) * (0.95047, 1.0, 1.08883)
    matrix = np.array(
        [[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]]
    )
    linear = xyz @ matrix.T
    inside = ((linear >= -0.002) & (linear <= 1.002)).all(axis=-1)
    found: NDArray[np.float64] = np.where(inside, steps, 0.0).max(axis=1) * 0.97
    return found
