"""What can be asked of a scene, and whether it holds for the things that are seen."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gen.predictions.scenes.description import LARGE_FROM, Color, Seen, Shape, Texture, Thing
from gen.predictions.scenes.words import counted, phrase

Side = Literal["left of", "right of", "behind", "in front of"]
Zone = Literal["left half", "right half", "left third", "middle third", "right third"]
Box = tuple[float, float, float, float]
Size = tuple[int, int]
"""Height and width in pixels."""

SIDES: tuple[Side, ...] = get_args(Side)
ZONES: tuple[Zone, ...] = get_args(Zone)

# Boxes of one thing overlap at least so much: the threshold that detection benchmarks call loose
# is 0.5; a box that is asked for in words or drawn on a map must be met a little better.
LEAST_IOU = 0.6

_SPANS: dict[Zone, tuple[float, float]] = {
    "left half": (0, 1 / 2),
    "right half": (1 / 2, 1),
    "left third": (0, 1 / 3),
    "middle third": (1 / 3, 2 / 3),
    "right third": (2 / 3, 1),
}


@dataclass(frozen=True, slots=True)
class Look:
    """What a thing must look like; None leaves it open."""

    shape: Shape | None = None
    color: Color | None = None
    texture: Texture | None = None

    @classmethod
    def of(cls, thing: Thing | Seen) -> "Look":
        """The full look of `thing`."""
        return cls(thing.shape, thing.color, thing.texture)

    def fits(self, seen: Seen) -> bool:
        return (
            self.shape in (None, seen.shape)
            and self.color in (None, seen.color)
            and self.texture in (None, seen.texture)
        )

    def text(self) -> str:
        """In words, without an article, such as "red striped ball"."""
        return phrase(self.shape, self.color, self.texture)


@dataclass(frozen=True, slots=True)
class Count:
    """There are `number` things of this look, neither fewer nor more."""

    kind: ClassVar[str] = "count"
    look: Look
    number: int

    def holds(self, seen: Sequence[Seen], size: Size) -> bool:
        return len(_found(self.look, seen)) == self.number

    def text(self) -> str:
        return counted(self.number, self.look.text())


@dataclass(frozen=True, slots=True)
class Relation:
    """A thing of the one look stands on this side of one of the other look.

    Left and right go by the middles of the boxes. What stands on the ground farther back touches it
    higher in the picture, so behind and in front go by the lower edges of the boxes.
    """

    kind: ClassVar[str] = "relation"
    look: Look
    side: Side
    other: Look

    def holds(self, seen: Sequence[Seen], size: Size) -> bool:
        return any(
            _stands(one.box, self.side, another.box)
            for one in _found(self.look, seen)
            for another in _found(self.other, seen)
            if one is not another
        )

    def text(self) -> str:
        return f"{self.look.text()} {self.side} {self.other.text()}"


@dataclass(frozen=True, slots=True)
class InZone:
    """The middle of a thing of this look is in a part of the picture."""

    kind: ClassVar[str] = "zone"
    look: Look
    zone: Zone

    def holds(self, seen: Sequence[Seen], size: Size) -> bool:
        left, right = (share * size[1] for share in _SPANS[self.zone])
        return any(left <= _middle(one.box) < right for one in _found(self.look, seen))

    def text(self) -> str:
        return f"{self.look.text()} in the {self.zone}"


@dataclass(frozen=True, slots=True)
class InBox:
    """A thing of this look fills `box`, which is x1, y1, x2, y2 in shares of width and height."""

    kind: ClassVar[str] = "box"
    look: Look
    box: Box
    least_iou: float = LEAST_IOU

    def holds(self, seen: Sequence[Seen], size: Size) -> bool:
        height, width = size
        x1, y1, x2, y2 = self.box
        asked = (x1 * width, y1 * height, x2 * width, y2 * height)
        return any(iou(one.box, asked) >= self.least_iou for one in _found(self.look, seen))

    def text(self) -> str:
        x1, y1, x2, y2 = self.box
        return (
            f"{self.look.text()} in the box from ({x1:.2f}, {y1:.2f}) to ({x2:.2f}, {y2:.2f}), "
            f"IoU at least {self.least_iou:g}"
        )


@dataclass(frozen=True, slots=True)
class OfSize:
    """A thing of this look is small or large, by the width of its box."""

    kind: ClassVar[str] = "size"
    look: Look
    size: Literal["small", "large"]

    def holds(self, seen: Sequence[Seen], size: Size) -> bool:
        return any(size_of(one, size) == self.size for one in _found(self.look, seen))

    def text(self) -> str:
        return f"{self.look.text()} is {self.size}"


@dataclass(frozen=True, slots=True)
class NothingElse:
    """There are `number` things in all."""

    kind: ClassVar[str] = "nothing_else"
    number: int

    def holds(self, seen: Sequence[Seen], size: Size) -> bool:
        return len(seen) == self.number

    def text(self) -> str:
        return f"{counted(self.number, phrase())} in all"


Check = Count | Relation | InZone | InBox | OfSize | NothingElse
_KINDS: dict[str, type[Check]] = {one.kind: one for one in get_args(Check)}


def holds(check: Check, seen: Sequence[Seen], size: Size) -> bool:
    """Whether `check` is met by the things `seen` in a picture of `size` (height, width)."""
    return check.holds(seen, size)


def verdicts(checks: Mapping[str, Check], seen: Sequence[Seen], size: Size) -> dict[str, bool]:
    """Whether each of the named `checks` is met."""
    return {name: check.holds(seen, size) for name, check in checks.items()}


def text(check: Check) -> str:
    """What `check` asks for, in words."""
    return check.text()


def to_json(check: Check) -> dict[str, Any]:
    """Plain JSON data of `check`: its `kind` and its fields, without what a look leaves open."""
    return {"kind": check.kind, **{name: _plain(value) for name, value in asdict(check).items()}}


def from_json(record: Mapping[str, Any]) -> Check:
    """The check that `to_json` gave as `record`.

    Raises:
        ValueError: `record` has an unknown kind.
        TypeError: a field is missing or unknown.
    """
    fields = {name: value for name, value in record.items() if name != "kind"}
    if record.get("kind") not in _KINDS:
        raise ValueError(f"unknown kind of check: {record.get('kind')!r}")
    for name in ("look", "other"):
        if name in fields:
            fields[name] = Look(**fields[name])
    if "box" in fields:
        fields["box"] = tuple(fields["box"])
    return _KINDS[record["kind"]](**fields)


def facts(things: Iterable[Thing], silhouettes: Iterable[NDArray[np.bool_]]) -> list[Seen]:
    """What a picture of `things` shows by construction.

    `silhouettes` are the masks of the things in their order, (height, width). A thing without a
    pixel inside the picture is not seen.

    Raises:
        ValueError: there are not as many silhouettes as things.
    """
    return [
        Seen(thing.shape, thing.color, thing.texture, box_of(mask), float(mask.sum()))
        for thing, mask in zip(things, silhouettes, strict=True)
        if mask.any()
    ]


def box_of(mask: NDArray[np.bool_]) -> Box:
    """The box x1, y1, x2, y2 around the true pixels of `mask`, in pixels; x2 and y2 lie outside.

    Raises:
        ValueError: no pixel is true.
    """
    columns, rows = np.flatnonzero(mask.any(axis=0)), np.flatnonzero(mask.any(axis=1))
    if not columns.size:
        raise ValueError("an empty mask has no box")
    return float(columns[0]), float(rows[0]), float(columns[-1] + 1), float(rows[-1] + 1)


def size_of(seen: Seen, size: Size) -> Literal["small", "large"]:
    """Whether a thing is small or large in a picture of `size` (height, width)."""
    return "large" if seen.box[2] - seen.box[0] >= LARGE_FROM * size[1] else "small"


def iou(one: Box, other: Box) -> float:
    """Intersection over union of two boxes x1, y1, x2, y2, from 0 to 1."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    common = max(0.0, width) * max(0.0, height)
    union = _area(one) + _area(other) - common
    return common / union if union > 0 else 0.0


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: word for name, word in value.items() if word is not None}
    return list(value) if isinstance(value, tuple) else value


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _found(look: Look, seen: Sequence[Seen]) -> list[Seen]:
    return [one for one in seen if look.fits(one)]


def _middle(box: Box) -> float:
    return (box[0] + box[2]) / 2


def _stands(one: Box, side: Side, other: Box) -> bool:
    match side:
        case "left of":
            return _middle(one) < _middle(other)
        case "right of":
            return _middle(one) > _middle(other)
        case "behind":
            return one[3] < other[3]
        case "in front of":
            return one[3] > other[3]
