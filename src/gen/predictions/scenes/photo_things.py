"""Things on a photo, and parts of it, that an instruction can name without doubt."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gen import masks
from gen.item import free_text
from gen.predictions.scenes.effects import Mask
from gen.predictions.scenes.words import plural
from gen.sources.records import Instance

# Shares of the photo: of what an instruction may name, and of each of several things.
_LEAST, _MOST, _LEAST_EACH = 0.045, 0.60, 0.006
_MANY = 5
# Outlines of tables hold all that stands on them.
_NEVER = frozenset({"dining table"})
_IRREGULAR = {
    "person": "people",
    "sheep": "sheep",
    "mouse": "mice",
    "knife": "knives",
    "skis": "skis",
    "scissors": "scissors",
}


class Named(NamedTuple):
    """All things of one class on a photo, `words` such as "the cat" or "both cats".

    A part of the photo, such as "the left half of the photo", has no `category`.
    """

    category: str
    words: str
    many: bool
    mask: Mask


def named_things(instances: Sequence[Instance], size: tuple[int, int]) -> list[Named]:
    """The classes that can be named without doubt, in the order of their first instance.

    Classes with a crowd, with many instances or with one that is too small to be seen are left out.
    """
    groups: dict[str, list[Instance]] = {}
    for instance in instances:
        groups.setdefault(instance.category, []).append(instance)
    total = size[0] * size[1]
    found = []
    for category, members in groups.items():
        if category in _NEVER or len(members) > _MANY or any(one.crowd for one in members):
            continue
        if len(members) > 1 and min(masks.area(m.rle) for m in members) < _LEAST_EACH * total:
            continue
        mask = masks.decode(masks.union([member.rle for member in members])).astype(np.bool_)
        if _LEAST * total <= mask.sum() <= _MOST * total:
            many = len(members) > 1
            found.append(Named(category, _words(category, len(members)), many, mask))
    return found


def parts(size: tuple[int, int]) -> list[Named]:
    """Halves of a photo of `size` (height, width), and its outer thirds."""
    height, width = size
    y, x = np.indices(size)
    masks_by_name = {
        "left half": x < width // 2,
        "right half": x >= width // 2,
        "upper half": y < height // 2,
        "lower half": y >= height // 2,
        "left third": x < width // 3,
        "right third": x >= width - width // 3,
    }
    return [
        Named("", f"the {name} of the photo", True, np.asarray(mask))
        for name, mask in masks_by_name.items()
    ]


def _words(category: str, count: int) -> str:
    noun = free_text(category)
    if count == 1:
        return f"the {noun}"
    nouns = _IRREGULAR.get(noun, plural(noun))
    return f"both {nouns}" if count == 2 else f"all the {nouns}"
