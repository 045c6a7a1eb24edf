"""Whether two predictions can be told apart under every encoding of poses.

Pictures have whole pixels and hide what lies below; they name neither joints nor persons. Text has
one decimal, and only COCO's own form tells hidden joints from visible ones. The order of persons
tells nothing.
"""

import hashlib
from collections.abc import Iterable
from itertools import chain
from typing import Any

from gen.judge.encodings.poses import text
from gen.judge.encodings.poses.scene import Figure, poses, scenes
from gen.predictions.annotation import Prediction
from gen.predictions.skeleton import RIGHT


def appearances(prediction: Prediction, size: tuple[int, int]) -> dict[str, str]:
    """The digests of poses on a photo of `size` (height, width), as `Family` has them."""
    (scene,) = scenes([prediction], size)
    figures = scene.painted
    marks = [sorted(_marks(figure)) for figure in figures]
    lines = [sorted(_lines(figure)) for figure in figures]
    both = [[mark, line] for mark, line in zip(marks, lines, strict=True)]
    persons = poses(prediction)
    places = [[joint[:2] for joint in joints] for joints in persons]
    return {
        "pixel_s0_*": _digest(_distinct(marks)),
        "pixel_s1_c0_*": _digest([_distinct(chain(*marks)), _distinct(chain(*lines))]),
        "pixel_s1_c1_*": _digest(_distinct(both)),
        "pixel_s1_c2_*": _digest(_distinct(_parts(figure) for figure in figures)),
        "text_flat_list text_part_keyed_json": _digest(sorted(places)),
        "text_coco_style": _digest(sorted(persons)),
    }


def weight(prediction: Prediction, size: tuple[int, int]) -> float:
    """The length of a prediction in COCO's own text form."""
    return float(len(text.encode_coco_style(poses(prediction))))


def _marks(figure: Figure) -> list[tuple[int, int, bool]]:
    """The discs that can be seen, and whether they have the dot of the right side."""
    top = {point: joint in RIGHT for joint, point in figure.points.items()}
    return [(x, y, dotted) for (x, y), dotted in top.items()]


def _lines(figure: Figure) -> list[list[tuple[int, int]]]:
    """The links, from one end to the other in either direction."""
    return [sorted((figure.points[a], figure.points[b])) for a, b in figure.links]


def _parts(figure: Figure) -> list[tuple[int, int, int]]:
    """The discs that can be seen, and which joints they are: links follow from that."""
    top = {point: joint for joint, point in figure.points.items()}
    return sorted((joint, x, y) for (x, y), joint in top.items())


def _distinct(things: Iterable[Any]) -> list[Any]:
    """The things in order, each once: an exact copy lies hidden under the other."""
    found: list[Any] = []
    for thing in sorted(things):
        if not found or found[-1] != thing:
            found.append(thing)
    return found


def _digest(content: Any) -> str:
    return hashlib.sha256(repr(content).encode()).hexdigest()[:32]
