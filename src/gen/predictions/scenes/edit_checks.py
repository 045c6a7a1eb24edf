"""How well an edit of a photo was done, by the pixels of the result and of the photo.

The photo, the mask of what was to be edited and the effect tell what was asked of each pixel. The
effect shows on a pixel that it would change by at least `LIVE` in CIELAB; only such pixels count.
Those too near to the outline of the mask do not count either, as labels are not exact there.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.scenes.case import Rgb
from gen.predictions.scenes.edit_regions import band, grown, shrunk
from gen.predictions.scenes.effects import Effect, Lab, Mask, to_lab

LIVE = 8.0
CHANGED = 4.0
"""The CIE76 difference from which a pixel (after a Gaussian of one pixel) counts as changed."""
DONE = 0.46
"""The progress from the photo to what was asked from which a pixel counts as edited as asked."""

LEAST = (0.86, 0.63, 0.46, 0.30, 0.15)
"""Thresholds of coverage, strength, overlap and edge."""
OUTSIDE = (0.01, 0.05, 0.11, 0.20, 0.36)
HUE = (15.0, 30.0, 45.0, 60.0, 90.0)
CAST = (4.0, 8.0, 12.0, 17.0, 24.0)
DETAIL = (0.9, 0.6)
# The ring in which the edge is looked for, as a share of the longer side.
_RING = 0.025


@dataclass(frozen=True, slots=True)
class Measured:
    """What an edited picture shows; shares are from 0 to 1.

    Of the target: `coverage` is the share of pixels that were edited as asked, `strength` the mean
    progress towards what was asked, `overlap` the intersection over union of the pixels as asked
    with the target and all changed ones. `edge` is the progress just inside of the outline less
    that just outside, `outside` the changed share of the rest, `color` the error of
    `Effect.color_error` (infinite where nothing was edited), `detail` the correlation of fine
    lightness with that of the asked picture.
    """

    coverage: float
    strength: float
    overlap: float
    edge: float
    outside: float
    color: float
    detail: float


class EditTruth:
    """What was asked for: `effect` on the pixels of `target` of `photo`, and on no others."""

    def __init__(self, photo: Rgb, target: Mask, effect: Effect) -> None:
        lab = to_lab(photo)
        self.effect = effect
        self.asked = effect.apply(lab, ~target)
        """The Lab picture with the effect everywhere."""
        self._before, self._goal = _smooth(lab), _smooth(self.asked)
        self._way = self._goal - self._before
        self._length = np.linalg.norm(self._way, axis=2)
        width = band(target.shape)
        live = self._length >= LIVE
        core, rest = shrunk(target, width), ~grown(target, width)
        self.inside, self.outside = core & live, rest & live
        """The pixels of the target and of the rest that count."""
        ring = width + max(2, round(_RING * max(target.shape)))
        self._ring = (self.inside & ~shrunk(target, ring), self.outside & grown(target, ring))
        wanted = np.where(target[..., None], self.asked, lab)
        self._counted = core | rest
        self._fine = _high_pass(wanted)[self._counted]
        self.visible = float(np.median(self._length[core])) if core.any() else 0.0
        """The median change of the target that was asked for (CIE76)."""

    def measure(self, picture: Rgb) -> Measured:
        """What `picture` (of the photo's size) shows."""
        lab = to_lab(picture)
        after = _smooth(lab)
        change = after - self._before
        changed = np.linalg.norm(change, axis=2) >= CHANGED
        progress = (change * self._way).sum(axis=2) / np.maximum(self._length, LIVE) ** 2
        done = progress >= DONE
        hits = int((done & self.inside).sum())
        union = int(self.inside.sum() + (changed & self.outside).sum())
        unit = np.clip(progress, 0, 1)
        near, beyond = (float(unit[ring].mean()) if ring.any() else 0.0 for ring in self._ring)
        touched = changed & self.inside
        color = float("inf")
        if touched.sum() >= 0.05 * self.inside.sum():
            color = self.effect.color_error(after[touched], self._goal[touched])
        return Measured(
            coverage=float(done[self.inside].mean()),
            strength=float(unit[self.inside].mean()),
            overlap=hits / union,
            edge=near - beyond,
            outside=float(changed[self.outside].mean()),
            color=color,
            detail=_correlation(_high_pass(lab)[self._counted], self._fine),
        )


def color_limits(effect: Effect) -> tuple[float, ...]:
    """The greatest errors of colour that the five colour checks of `effect` allow."""
    return HUE if effect.to_json()["kind"] == "recolor" else CAST


def verdicts(measured: Measured, effect: Effect) -> dict[str, bool]:
    """Whether each check of `checks` is met."""
    found: dict[str, bool] = {}
    for name in ("coverage", "strength", "overlap", "edge"):
        value = getattr(measured, name)
        found |= {f"{name}_{100 * least:.0f}": value >= least for least in LEAST}
    found |= {f"outside_{100 * most:.0f}": measured.outside <= most for most in OUTSIDE}
    found |= {f"color_{most:.0f}": measured.color <= most for most in color_limits(effect)}
    found |= {
        f"detail_{100 * least:.0f}": measured.detail >= least and measured.coverage >= LEAST[-1]
        for least in DETAIL
    }
    return found


def checks(effect: Effect, what: str) -> Mapping[str, str]:
    """The checks in words, by name; `what` names what is to be edited."""
    words = {
        "coverage": f"at least {{}} % of {what} is edited as asked",
        "strength": f"the edit of {what} is at least {{}} % as strong as asked, on average",
        "overlap": f"IoU of the change as asked and {what} is at least {{}} %",
        "edge": f"the edit drops by at least {{}} % of its strength across the outline of {what}",
        "outside": "at most {} % of the rest is changed",
        "color": "the colour of the edit is off by at most {} "
        + ("degrees of hue" if color_limits(effect) is HUE else "units of CIELAB a*b*"),
        "detail": f"{what} is edited and fine detail correlates by at least {{}} %",
    }
    nothing = Measured(0, 0, 0, 0, 0, 0, 0)
    return {
        name: words[name.rpartition("_")[0]].format(name.rpartition("_")[2])
        for name in verdicts(nothing, effect)
    }


def failed(met: Mapping[str, bool], family: str) -> int:
    """How many of the checks of one family are not met."""
    return sum(not good for name, good in met.items() if name.startswith(f"{family}_"))


def _smooth(lab: Lab) -> Lab:
    return np.asarray(cv2.GaussianBlur(lab, (0, 0), 1.0), np.float32)


def _high_pass(lab: Lab) -> NDArray[np.float32]:
    light = lab[..., 0]
    return np.asarray(light - cv2.GaussianBlur(light, (0, 0), 3.0), np.float32)


def _correlation(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    spread = float(one.std() * other.std())
    if spread < 1e-6:
        return 0.0
    return float(((one - one.mean()) * (other - other.mean())).mean()) / spread
