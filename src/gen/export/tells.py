"""What the sizes of the options of pairs say of the answers: published, so that it is known."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from gen.answers import LETTERS
from gen.item import JudgeItem

_MEASURES = ("text", "picture")


def count(item: JudgeItem, option: str) -> Counter[str]:
    """The counts for one item; nothing for one that is no pair.

    `option` is the template of an option's block in the prompt, with the gap `letter`. A text is as
    long as its block, a picture as large as its PNG file.
    """
    if item.question_type != "pairwise":
        return Counter()
    a_is_right = item.answer == LETTERS[0]
    found = Counter(pairs=1, a_is_right=int(a_is_right))
    for measure, sizes in zip(_MEASURES, (_texts(item, option), _pictures(item)), strict=True):
        if len(sizes) == 2:
            found[f"{measure}_is_there"] = 1
            found[f"{measure}_differs"] = int(sizes[0] != sizes[1])
            found[f"{measure}_is_right"] = int(
                sizes[0] != sizes[1] and (sizes[0] > sizes[1]) == a_is_right
            )
    return found


def shares(counts: Mapping[str, int]) -> dict[str, Any]:
    """The counts of a run as shares for its manifest; empty where it has no pairs.

    `longer_text` and `larger_picture` say in what share of the `pairs` in which they differ the
    option that has it is the better one: null where they never differ.
    """
    pairs = counts.get("pairs", 0)
    if not pairs:
        return {}
    found: dict[str, Any] = {"pairs": pairs, "a_is_right": _share(counts["a_is_right"], pairs)}
    for measure, name in zip(_MEASURES, ("longer_text", "larger_picture"), strict=True):
        if counts.get(f"{measure}_is_there"):
            differs, right = counts[f"{measure}_differs"], counts[f"{measure}_is_right"]
            share = _share(right, differs) if differs else None
            found[f"{name}_is_better"] = {"pairs": differs, "share": share}
    return found


def sentence(found: Mapping[str, Any]) -> str:
    """What `shares` says, in words; "" where it says nothing."""
    if not found:
        return ""
    parts = [f"A is right in {found['a_is_right']:.1%} of {found['pairs']} pairs"]
    for name, things, one in (
        ("longer_text", "texts are equally long", "the longer text"),
        ("larger_picture", "picture files are of one size", "the larger picture file"),
    ):
        told = found.get(f"{name}_is_better")
        if told and not told["pairs"]:
            parts.append(f"the {things} in every pair")
        elif told:
            share, pairs = told["share"], told["pairs"]
            parts.append(f"{one} is the better one's in {share:.1%} of the {pairs} that differ")
    return "; ".join(parts) + "."


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4)


def _texts(item: JudgeItem, option: str) -> list[int]:
    blocks = item.prompt.split("\n\n")
    starts = [option.partition("{content}")[0].format(letter=one).rstrip() for one in item.choices]
    return [len(block) for start in starts for block in blocks if start and block.startswith(start)]


def _pictures(item: JudgeItem) -> list[int]:
    return [len(picture.png) for picture in item.media[-2:]] if len(item.media) > 2 else []
