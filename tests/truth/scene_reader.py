"""What pictures of drawn scenes show, found by color and outline; shares no code with the package.

Things are saturated, unlike the ground they stand on. Where they stand on a photo, the photo tells
which pixels are theirs.
"""

from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Rgb = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Lab = NDArray[np.float32]

# Angle of the hue in CIELAB, in degrees.
HUES = {
    "cyan": -165,
    "blue": -75,
    "purple": -45,
    "pink": -5,
    "red": 35,
    "orange": 60,
    "yellow": 95,
    "green": 145,
}
SPANS = {
    "left half": (0, 1 / 2),
    "right half": (1 / 2, 1),
    "left third": (0, 1 / 3),
    "middle third": (1 / 3, 2 / 3),
    "right third": (2 / 3, 1),
}
# From this share of the picture's width on, a thing is large.
LARGE = 0.155
# Chroma and difference in a*b* of what is a thing, chroma of its surface; the least share of the
# picture that one has.
CHROMA, OFF, SURE, LEAST = 16.0, 12.0, 22.0, 0.0012
# A hole, as a share of what is within the outline; how well a circle fits; height to width; width a
# quarter from the top.
HOLE, CIRCLE, TALL, POINTED = 0.1, 0.945, 1.28, 0.6
# Marks: how wide, of a thing's width; how light, next to the rest; the least share of all of them,
# that of stripes for sure, and the least of a part that they cut off.
MARK, DARKER, MARKED, HALF, PART = 0.16, 0.75, 0.14, 0.39, 0.03


class Found(NamedTuple):
    """A thing; its box x1, y1, x2, y2 is in shares of the picture."""

    shape: str
    color: str
    texture: str
    box: tuple[float, float, float, float]


def lab_of(picture: Rgb) -> Lab:
    unit = picture.astype(np.float32) / np.float32(255)
    return np.asarray(cv2.cvtColor(unit, cv2.COLOR_RGB2LAB), np.float32)


def things(picture: Rgb, ground: Rgb | None = None, within: Mask | None = None) -> list[Found]:
    """All things of a picture, which stand on the photo `ground` if there is one."""
    lab = lab_of(picture)
    smooth = cv2.GaussianBlur(lab, (0, 0), 0.7)
    vivid = np.hypot(smooth[..., 1], smooth[..., 2]) > CHROMA
    if ground is not None:
        off = smooth - cv2.GaussianBlur(lab_of(ground), (0, 0), 0.7)
        vivid &= np.hypot(off[..., 1], off[..., 2]) > OFF
    if within is not None:
        vivid &= within
    height, width = vivid.shape
    closed = cv2.morphologyEx(vivid.astype(np.uint8), cv2.MORPH_CLOSE, _disc(round(width / 100)))
    lines, tree = cv2.findContours(closed, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    found = []
    for index, line in enumerate(lines):
        whole = _inside(lines, index, closed.shape)
        if tree[0, index, 3] >= 0 or whole.sum() < LEAST * whole.size:
            continue
        holes = [
            _inside(lines, k, closed.shape) for k in range(len(lines)) if tree[0, k, 3] == index
        ]
        hole = max((float((one & ~vivid).sum()) for one in holes), default=0.0)
        x, y, w, h = cv2.boundingRect(line)
        box = (x / width, y / height, (x + w) / width, (y + h) / height)
        shape = "ring" if hole > HOLE * whole.sum() else _shape(whole[y : y + h, x : x + w])
        own = lab[y : y + h, x : x + w]
        # Where stripes are dark at the rim, there is little color.
        body = whole[y : y + h, x : x + w] & (np.hypot(own[..., 1], own[..., 2]) > SURE)
        found.append(Found(shape, _color(own[body]), _texture(own[..., 0], body), box))
    return found


def met(check: dict[str, Any], seen: list[Found]) -> bool:
    """Whether a check holds for what is seen."""
    kind = check["kind"]
    those = _fitting(check.get("look", {}), seen)
    if kind == "nothing_else":
        return len(seen) == int(check["number"])
    if kind == "count":
        return len(those) == int(check["number"])
    if kind == "zone":
        low, high = SPANS[check["zone"]]
        return any(low <= one.box[0] + one.box[2] < 2 * high and _x(one) >= low for one in those)
    if kind == "size":
        return any(
            (one.box[2] - one.box[0] >= LARGE) == (check["size"] == "large") for one in those
        )
    if kind == "box":
        return any(_iou(one.box, check["box"]) >= check["least_iou"] for one in those)
    assert kind == "relation", kind
    place, sign = {
        "left of": (_x, -1),
        "right of": (_x, 1),
        "behind": (_foot, -1),
        "in front of": (_foot, 1),
    }[check["side"]]
    others = _fitting(check["other"], seen)
    return any(sign * (place(one) - place(two)) > 0 for one in those for two in others)


def _fitting(look: dict[str, str], seen: list[Found]) -> list[Found]:
    return [one for one in seen if all(getattr(one, key) == look[key] for key in look)]


def _x(one: Found) -> float:
    return (one.box[0] + one.box[2]) / 2


def _foot(one: Found) -> float:
    return one.box[3]


def _iou(one: Any, other: Any) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    both = max(0.0, wide) * max(0.0, high)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return float(both / (sum(areas) - both))


def _disc(reach: int) -> NDArray[np.uint8]:
    side = 2 * reach + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def _inside(lines: Any, index: int, shape: tuple[int, ...]) -> Mask:
    return cv2.drawContours(np.zeros(shape, np.uint8), lines, index, 1, cv2.FILLED) > 0


def _shape(whole: Mask) -> str:
    height, width = whole.shape
    if whole[height // 4].sum() < POINTED * width:
        return "cone"
    if height > TALL * width:
        return "cylinder"
    y, x = np.mgrid[:height, :width]
    area = whole.sum()
    ys, xs = np.nonzero(whole)
    circle = (y - ys.mean()) ** 2 + (x - xs.mean()) ** 2 <= area / np.pi
    return "ball" if (circle & whole).sum() > CIRCLE * (circle | whole).sum() else "cube"


def _color(pixels: NDArray[np.float32]) -> str:
    a, b = np.median(pixels[:, 1:], axis=0)
    hue = np.degrees(np.arctan2(b, a))
    return min(HUES, key=lambda name: abs((hue - HUES[name] + 180) % 360 - 180))


def _texture(light: NDArray[np.float32], body: Mask) -> str:
    """Marks are darker than what is about them; stripes cut what is not marked into parts."""
    reach = max(2, round(MARK * min(body.shape)))
    # Highlights would make all that is near them look dark.
    dull = np.minimum(light, np.quantile(light[body], 0.75))
    wide = np.pad(np.where(body, dull, np.float32(0)), 2 * reach)
    base = cv2.morphologyEx(wide, cv2.MORPH_CLOSE, _disc(reach))
    marks = dull < DARKER * base[2 * reach : -2 * reach, 2 * reach : -2 * reach]
    core = cv2.erode(body.astype(np.uint8), _disc(1)) > 0
    share = (marks & core).sum() / core.sum()
    if share < MARKED:
        return "plain"
    free = cv2.morphologyEx((core & ~marks).astype(np.uint8), cv2.MORPH_OPEN, _disc(1))
    _, _, stats, _ = cv2.connectedComponentsWithStats(free, connectivity=4)
    parts = stats[1:, cv2.CC_STAT_AREA] >= PART * core.sum()
    return "striped" if parts.sum() > 1 or share > HALF else "spotted"
