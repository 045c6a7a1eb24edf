"""How well an edit was done, by the pixels of the result, of the original and of what was asked.

What was asked is a picture too: the effect of the edit on each pixel. It shows on pixels that it
changes by at least `LIVE` in CIELAB, and only those of the target count. Pixels too near to the
outline of the target do not count either, as labels are not exact there.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.scenes.case import Rgb
from gen.predictions.scenes.edit_regions import band, grown, shrunk
from gen.predictions.scenes.effects import Lab, Mask, distance, to_lab

LIVE = 8.0
CHANGED = 4.0
"""The CIE76 difference from which a pixel (after a Gaussian of one pixel) counts as changed."""
DONE = 0.46
"""The progress from the original to what was asked from which a pixel counts as edited as asked."""

LEAST = (0.86, 0.63, 0.46, 0.30, 0.15)
"""Thresholds of coverage, strength, overlap and edge."""
OUTSIDE = (0.01, 0.05, 0.11, 0.20, 0.36)
HUE = (10.0, 19.0, 32.0, 58.0, 90.0)
CAST = (6.0, 10.0, 14.0, 19.0, 26.0)
DETAIL = (0.9, 0.6)
# The ring in which the edge is looked for, as a share of the longer side.
_RING = 0.025


@dataclass(frozen=True, slots=True)
class Measured:
    """What an edited picture shows; shares are from 0 to 1.

    Of the target: `coverage` is the share of pixels that were edited as asked, `strength` the mean
    progress towards what was asked, `overlap` the intersection over union of the pixels as asked
    with the target and all changed ones. `edge` is the progress just inside of the outline less
    the changed share just outside, `outside` the changed share of the rest, `color` how far the
    mean colour of what was edited is off (in degrees of hue, or in a*b*; infinite where nothing
    was edited), `detail` the correlation of fine lightness with that of what was asked.

    The progress of a pixel is 1 less its distance from what was asked, in units of the distance
    from there to the original.
    """

    coverage: float
    strength: float
    overlap: float
    edge: float
    outside: float
    color: float
    detail: float


class EditTruth:
    """What was asked for: `asked` on the pixels of `target`, and the original on all others."""

    def __init__(
        self, original: Rgb, asked: Lab, target: Mask, *, by_hue: bool, everywhere: bool
    ) -> None:
        """Compare later pictures with `original`, RGB of one size with `asked` and `target`.

        `by_hue` tells that colours are judged by their hue. Where `asked` tells the effect
        `everywhere`, only those pixels of the rest count on which it would show.
        """
        lab = to_lab(original)
        self.by_hue = by_hue
        self.wanted = np.where(target[..., None], asked, lab)
        """The Lab picture that was asked for."""
        self._before, self._goal = _smooth(lab), _smooth(asked)
        self._length = distance(self._goal, self._before)
        width = band(target.shape)
        live = self._length >= LIVE
        core, rest = shrunk(target, width), ~grown(target, width)
        self.inside = core & live
        self.outside = rest & live if everywhere else rest
        """The pixels of the target and of the rest that count."""
        ring = width + max(2, round(_RING * max(target.shape)))
        self._near = self.inside & ~shrunk(target, ring)
        self._beyond = self.outside & grown(target, ring)
        self._counted = core | rest
        self._fine = _high_pass(self.wanted)[self._counted]
        self.visible = float(np.median(self._length[core])) if core.any() else 0.0
        """The median change of the target that was asked for (CIE76)."""

    def measure(self, picture: Rgb) -> Measured:
        """What `picture` (RGB of the original's size) shows."""
        lab = to_lab(picture)
        after = _smooth(lab)
        changed = distance(after, self._before) >= CHANGED
        progress = 1 - distance(after, self._goal) / np.maximum(self._length, LIVE)
        unit = np.clip(progress, 0, 1)
        done = self.inside & (progress >= DONE)
        union = int(self.inside.sum() + (changed & self.outside).sum())
        return Measured(
            coverage=int(done.sum()) / max(1, int(self.inside.sum())),
            strength=_mean(unit, self.inside),
            overlap=int(done.sum()) / max(1, union),
            edge=_mean(unit, self._near) - _mean(changed, self._beyond),
            outside=_mean(changed, self.outside),
            color=self._color(after, changed & self.inside),
            detail=_correlation(_high_pass(lab)[self._counted], self._fine),
        )

    def _color(self, after: Lab, touched: Mask) -> float:
        if touched.sum() < 0.05 * self.inside.sum():
            return float("inf")
        own = after[touched][:, 1:].mean(axis=0)
        asked = self._goal[touched][:, 1:].mean(axis=0)
        if not self.by_hue:
            return float(np.linalg.norm(own - asked))
        off = np.rad2deg(np.arctan2(own[1], own[0]) - np.arctan2(asked[1], asked[0]))
        return float(abs((off + 180) % 360 - 180))


def verdicts(measured: Measured, by_hue: bool) -> dict[str, bool]:
    """Whether each check of `checks` is met."""
    found: dict[str, bool] = {}
    for name in ("coverage", "strength", "overlap", "edge"):
        value = getattr(measured, name)
        found |= {f"{name}_{100 * least:.0f}": value >= least for least in LEAST}
    found |= {f"outside_{100 * most:.0f}": measured.outside <= most for most in OUTSIDE}
    found |= {f"color_{most:.0f}": measured.color <= most for most in (HUE if by_hue else CAST)}
    found |= {
        f"detail_{100 * least:.0f}": measured.detail >= least and measured.coverage >= LEAST[-1]
        for least in DETAIL
    }
    return found


def checks(by_hue: bool, what: str) -> dict[str, str]:
    """The checks in words, by name; `what` names what is to be edited."""
    unit = "degrees of hue" if by_hue else "units of a*b*"
    words = {
        "coverage": f"at least {{}} % of {what} is edited as asked",
        "strength": f"{what} is on average edited by at least {{}} % of what was asked",
        "overlap": f"IoU of the change as asked and {what} is at least {{}} %",
        "edge": f"the edit drops by at least {{}} % across the outline of {what}",
        "outside": "at most {} % of the rest is changed",
        "color": f"the mean colour of the edit is off by at most {{}} {unit}",
        "detail": f"{what} is edited and fine detail correlates by at least {{}} %",
    }
    nothing = Measured(0, 0, 0, 0, 0, 0, 0)
    return {
        name: words[name.rpartition("_")[0]].format(name.rpartition("_")[2])
        for name in verdicts(nothing, by_hue)
    }


def failed(met: Mapping[str, bool], family: str) -> int:
    """How many of the checks of one family are not met."""
    return sum(not good for name, good in met.items() if name.startswith(f"{family}_"))


def _mean(field: NDArray[np.floating] | Mask, where: Mask) -> float:
    return float(field[where].mean()) if where.any() else 0.0


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
