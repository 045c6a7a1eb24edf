"""What can be told of a pair without looking at its pictures or reading what its texts mean."""

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from gen.item import JudgeItem
from gen.render.png import decode_png

Features = Mapping[str, float]

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_COUNTS: Mapping[str, Callable[[str], int]] = {
    "length": len,
    "lines": lambda text: text.count("\n"),
    "words": lambda text: len(text.split()),
    "numbers": lambda text: len(_NUMBER.findall(text)),
    "digits": lambda text: sum(map(str.isdigit, text)),
    "decimals": lambda text: len(re.findall(r"\d\.\d", text)),
    "whole": lambda text: len(re.findall(r"\d\.0\b", text)),
    "zeros": lambda text: len(re.findall(r"(?<![\d.])0(?:\.0)?(?![\d.])", text)),
    "vertices": lambda text: text.count("],["),
    "lists": lambda text: text.count("["),
    "entries": lambda text: text.count("{") + text.count(";"),
    "hashes": lambda text: text.count("#"),
    "names": lambda text: len(set(re.findall(r"[a-z]{3,}", text))),
    "letters": lambda text: sum(map(str.isalpha, text)),
}


def table(items: Sequence[JudgeItem]) -> tuple[list[str], NDArray[np.float64]]:
    """The names of the features, and float64 (items, features), of pairwise items.

    Of each pair: what both options have in common, and for each measure the difference and the
    share of A. All is in the row of a data set, but scores, severities and kinds of error are not.
    """
    rows = [_pair(item) for item in items]
    names = list(rows[0])
    return names, np.array([[row[name] for name in names] for row in rows])


def _pair(item: JudgeItem) -> Features:
    one, two = (_option(item, position) for position in (0, 1))
    found: dict[str, float] = _common(item)
    for name in one:
        found[f"{name}: A - B"] = one[name] - two[name]
        total = abs(one[name]) + abs(two[name])
        found[f"{name}: share of A"] = abs(one[name]) / total if total else 0.5
    return found


def _common(item: JudgeItem) -> dict[str, float]:
    original = item.media[0]
    known = item.metadata
    return {
        "photo: bytes": len(original.png),
        "photo: id": _as_number(original.name),
        "prompt: length": len(item.prompt),
        "row: id": _as_number(item.id),
        "row: number": known["rank"],
        "row: wording": known["wording"],
        "row: group": _as_number(known["group"]),
        "row: pair": _as_number(known["pair_id"]),
        "row: classes": len(known["class_of_interest"] or ()),
    }


def _option(item: JudgeItem, position: int) -> Features:
    letter = "AB"[position]
    (block,) = (block for block in item.prompt.split("\n\n") if block.startswith(f"{letter}."))
    found = {f"text {name}": float(count(block)) for name, count in _COUNTS.items()}
    found["id"] = _as_number(item.metadata["annotation_ids"][position])
    if len(item.media) > 1:
        picture = item.media[1 + position]
        height, width = decode_png(picture.png).shape[:2]
        found |= {
            "picture: bytes": float(len(picture.png)),
            "picture: width": float(width),
            "picture: height": float(height),
            "picture: name": _as_number(picture.name.rpartition("_")[2]),
        }
    return found


def _as_number(name: str) -> float:
    """A number whose order is that of names, for their first six letters."""
    return float(int.from_bytes(name.encode()[:6].ljust(6, b"\0"), "big"))
