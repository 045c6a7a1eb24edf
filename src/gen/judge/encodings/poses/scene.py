"""What is to be drawn for one option: the persons of a prediction, in whole pixels."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gen.judge.encodings import correspondence
from gen.predictions.annotation import PosePrediction, Prediction
from gen.predictions.skeleton import JOINTS, LINKS
from gen.render.palette import PALETTE
from gen.render.text import line_px

Joint = tuple[float, float, int]
Point = tuple[int, int]

MISSING: Joint = (0.0, 0.0, 0)

# Radius of a joint in line widths of the photo; in extents of the person it is no larger than
_RADIUS, _LARGEST = 2.0, 1 / 35
# but at least so many px, or it could not be seen.
_SMALLEST = 2


@dataclass(frozen=True, slots=True)
class Figure:
    """A person: `points` holds x and y of the joints that there are, by their number, from 0.

    `index` counts the persons of a prediction from 0; `usual` is the radius of a joint in px that
    goes with the size of the photo; `number` is equal for persons at one place in all predictions.
    """

    index: int
    points: dict[int, Point]
    usual: int
    number: int = 0

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The box around the joints and their discs x1, y1, x2, y2, px."""
        (x1, x2), (y1, y2) = (
            (min(side), max(side)) for side in zip(*self.points.values(), strict=True)
        )
        return x1 - self.usual, y1 - self.usual, x2 + self.usual, y2 + self.usual

    @property
    def extent(self) -> int:
        """The longer side of the box around the points, px."""
        xs, ys = ([point[axis] for point in self.points.values()] for axis in (0, 1))
        return max(max(xs) - min(xs), max(ys) - min(ys))

    @property
    def radius(self) -> int:
        """Radius of its joints, px: smaller on small persons."""
        return min(self.usual, max(_SMALLEST, round(_LARGEST * self.extent)))

    @property
    def links(self) -> list[tuple[int, int]]:
        """The links that have both of their joints."""
        return [(a, b) for a, b in LINKS if a in self.points and b in self.points]


@dataclass(frozen=True, slots=True)
class Scene:
    """The persons of one prediction that have a joint."""

    figures: tuple[Figure, ...]

    @property
    def painted(self) -> list[Figure]:
        """The persons in the order in which to paint them: large ones first, below small ones."""
        return sorted(self.figures, key=lambda figure: (-figure.extent, figure.index))


def scenes(predictions: Sequence[Prediction], size: tuple[int, int]) -> list[Scene]:
    """The scene of each prediction on a photo of `size` (height, width).

    Raises:
        ValueError: a person without 17 joints, or one whose joints are not finite.
        TypeError: a prediction holds something else than poses.
    """
    height, width = size
    usual = max(_SMALLEST, round(_RADIUS * line_px(height, width)))
    found = []
    for prediction in predictions:
        figures = []
        for index, joints in enumerate(poses(prediction)):
            points = {
                joint: (math.floor(x + 0.5), math.floor(y + 0.5))
                for joint, (x, y, v) in enumerate(joints)
                if v
            }
            if points:
                figures.append(Figure(index, _inside(points, size), usual))
        found.append(figures)
    numbered = correspondence.numbers(
        [[figure.box for figure in figures] for figures in found], len(PALETTE)
    )
    return [
        Scene(tuple(map(_numbered, figures, own)))
        for figures, own in zip(found, numbered, strict=True)
    ]


def poses(prediction: Prediction) -> list[tuple[Joint, ...]]:
    """The joints of each person; one that is missing, or at 0, 0, which means that, is `MISSING`.

    Raises:
        ValueError: a person without 17 joints, or one whose joints are not finite.
        TypeError: the prediction holds something else than poses.
    """
    found = []
    for part in prediction:
        if not isinstance(part, PosePrediction):
            raise TypeError(f"expected poses, not a {type(part).__name__}")
        if len(part.joints) != len(JOINTS):
            raise ValueError(f"a person has {len(JOINTS)} joints, not {len(part.joints)}")
        if not all(math.isfinite(x) and math.isfinite(y) for x, y, _ in part.joints):
            raise ValueError("a joint has finite coordinates")
        found.append(tuple(_joint(*joint) for joint in part.joints))
    return found


def _numbered(figure: Figure, number: int) -> Figure:
    return replace(figure, number=number)


def _joint(x: float, y: float, v: int) -> Joint:
    x, y = round(float(x), 1), round(float(y), 1)
    return (x + 0.0, y + 0.0, v) if v and (x or y) else MISSING


def _inside(points: dict[int, Point], size: tuple[int, int]) -> dict[int, Point]:
    """Points up to a pixel beyond the border on the pixels at it, where they can be seen."""
    height, width = size
    return {joint: (x - (x == width), y - (y == height)) for joint, (x, y) in points.items()}
