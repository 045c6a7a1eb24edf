"""The region that is to be filled, how it is shown, and whether all else was left alone."""

from collections.abc import Mapping

import cv2
import numpy as np

from gen.predictions.scenes.attempts import VISIBLE_LEVELS
from gen.predictions.scenes.case import Rgb
from gen.predictions.scenes.edit_checks import CHANGED, OUTSIDE
from gen.predictions.scenes.edit_regions import Alpha, band, grown, shrunk, soft, spread
from gen.predictions.scenes.effects import Lab, Mask, distance, to_lab, to_rgb

GREY = 128
"""What is to be filled is shown in this grey."""
# Shares of the longer side: half of what may lie between things and be in the region, the margin
# around it, its roundness and its outline.
_BETWEEN, _MARGIN, _ROUND, _OUTLINE = 0.09, 0.025, 0.015, 0.004
# The share of a picture that a part of it must have to be left out of a region that cuts it off.
_GAP = 0.03
# What was painted over by mistake: out of focus by this share of the longer side, and so much
# darker or lighter (L*).
_SMEAR, _TONE = 0.012, 13.0


def region_of(asked: Rgb, photo: Rgb) -> Mask:
    """The region of a photo to be filled: what `asked` changes of it, and what lies between."""
    longest = max(photo.shape)
    differs = cv2.absdiff(asked, photo).max(axis=2) > VISIBLE_LEVELS // 2
    between = round(_BETWEEN * longest)
    # Beyond the frame, nothing is to be between.
    wide = np.pad(grown(np.pad(differs, between), between), between)
    closed = shrunk(wide, between)[2 * between : -2 * between, 2 * between : -2 * between]
    whole = grown(closed, round(_MARGIN * longest)).astype(np.float32)
    return _without_gaps(np.asarray(cv2.GaussianBlur(whole, (0, 0), _ROUND * longest) > 0.5))


def shown(photo: Rgb, region: Mask) -> Rgb:
    """`photo` with the region in flat grey, in a thin outline that is seen on any ground."""
    picture = np.where(region[..., None], np.uint8(GREY), photo)
    lines, _ = cv2.findContours(region.astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    width = max(1, round(_OUTLINE * max(photo.shape)))
    cv2.drawContours(picture, lines, -1, (255, 255, 255), width + 2)
    cv2.drawContours(picture, lines, -1, (0, 0, 0), max(1, width // 2))
    return picture


def filled(photo: Rgb, drawn: Rgb, region: Mask) -> Rgb:
    """`photo` with the region as in `drawn`, without a hard step at its rim."""
    return _mixed(photo, to_lab(drawn), soft(region) * region)


def spilled(picture: Rgb, region: Mask, share: float, rng: np.random.Generator) -> Rgb:
    """`picture` painted over on that `share` of what lies outside of the region, next to it.

    What is painted over loses its detail and has another tone.
    """
    lab = to_lab(picture)
    reached = spread(region, ~_near(region), share, lab, rng) & ~region
    smear = np.asarray(cv2.GaussianBlur(lab, (0, 0), _SMEAR * max(region.shape)), np.float32)
    smear[..., 0] += np.where(smear[..., 0] > 50, -np.float32(_TONE), np.float32(_TONE))
    return _mixed(picture, smear, soft(reached) * ~region)


def outside_checks() -> dict[str, str]:
    """In words, by name, what is asked of all that is not to be filled."""
    return {
        f"outside_{100 * most:.0f}": f"at most {100 * most:.0f} % of the rest is changed"
        for most in OUTSIDE
    }


def outside_verdicts(picture: Rgb, photo: Rgb, region: Mask) -> Mapping[str, bool]:
    """Whether each of `outside_checks` is met.

    A pixel is changed if its CIE76 difference after a Gaussian of one pixel is `CHANGED` or more;
    those next to the region do not count.
    """
    before, after = (cv2.GaussianBlur(to_lab(one), (0, 0), 1.0) for one in (photo, picture))
    changed = distance(np.asarray(after, np.float32), np.asarray(before, np.float32)) >= CHANGED
    rest = ~_near(region)
    share = float(changed[rest].mean()) if rest.any() else 0.0
    return {name: share <= most for name, most in zip(outside_checks(), OUTSIDE, strict=True)}


def _without_gaps(region: Mask) -> Mask:
    """`region` and what little it cuts off from the rest."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats((~region).astype(np.uint8))
    small = stats[:, cv2.CC_STAT_AREA] < _GAP * region.size
    return np.asarray(region | small[labels])


def _near(region: Mask) -> Mask:
    """What a seam may reach."""
    return grown(region, 2 * band(region.shape))


def _mixed(picture: Rgb, lab: Lab, alpha: Alpha) -> Rgb:
    """Pixels that do not change keep their bytes, whatever rounding of colours does."""
    before = to_lab(picture)
    mixed = before + alpha[..., None] * (lab - before)
    touched = (alpha > 0) & (distance(lab, before) > 0)
    return np.where(touched[..., None], to_rgb(mixed), picture)
