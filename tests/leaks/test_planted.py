"""The learner finds a leak that was put in, and none where there is none."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from attack import Verdict, attack
from features import table

from gen.item import JudgeItem, Media
from gen.render.png import encode_png

PAIRS, PHOTOS = 600, 40
Plant = Callable[[JudgeItem, int], JudgeItem]


def innocent(number: int) -> JudgeItem:
    """A pair whose options differ in size, text and id by chance alone."""
    rng = np.random.default_rng(number)
    photo = number % PHOTOS
    png = encode_png(np.random.default_rng(photo).integers(0, 256, (24, 32, 3), dtype=np.uint8))
    name = rng.bytes(8).hex()
    # What follows the end of a PNG is no part of the picture, but of the file.
    sizes = rng.integers(0, len(png) // 20, 2)
    media = [Media(f"original_{photo}.png", png, "0")]
    media += [
        Media(f"{name}_{letter}.png", png + bytes(int(size)), letter)
        for letter, size in zip("ab", sizes, strict=True)
    ]
    texts = [
        ", ".join(f"{x:.1f}" for x in rng.uniform(0, 640, int(rng.integers(4, 12)))) for _ in "AB"
    ]
    blocks = [f"{letter}. <image> {text}" for letter, text in zip("AB", texts, strict=True)]
    return JudgeItem(
        id=name,
        task="task",
        encoding="stem",
        question_type="pairwise",
        subset="none",
        prompt="\n\n".join(["<image>", *blocks, "Which is better?"]),
        media=tuple(media),
        answer="AB"[int(rng.integers(2))],
        choices=("A", "B"),
        metadata={
            "rank": number,
            "wording": int(rng.integers(5)),
            "group": rng.bytes(8).hex(),
            "pair_id": rng.bytes(8).hex(),
            "class_of_interest": ["cat"],
            "annotation_ids": [rng.bytes(8).hex() for _ in "AB"],
        },
    )


def larger_file(item: JudgeItem, better: int) -> JudgeItem:
    media = list(item.media)
    png = media[1 + better].png
    media[1 + better] = replace(media[1 + better], png=png + bytes(len(png) * 3 // 100))
    return replace(item, media=tuple(media))


def id_sorts_first(item: JudgeItem, better: int) -> JudgeItem:
    ids = sorted(item.metadata["annotation_ids"])
    ordered = ids if better == 0 else ids[::-1]
    return replace(item, metadata=item.metadata | {"annotation_ids": ordered})


def whole_numbers(item: JudgeItem, better: int) -> JudgeItem:
    """A truth that is known by its neat numbers, in every fifth pair."""
    if item.metadata["rank"] % 5:
        return item
    blocks = item.prompt.split("\n\n")
    words = [w[:-2] + "0," if w[-1] == "," else w for w in blocks[1 + better].split(" ")]
    blocks[1 + better] = " ".join(words)
    return replace(item, prompt="\n\n".join(blocks))


def mostly_a(item: JudgeItem, better: int) -> JudgeItem:
    return replace(item, answer="A") if item.metadata["rank"] % 6 == 0 else item


def verdict(plant: Plant | None) -> Verdict:
    items = []
    for number in range(PAIRS):
        item = innocent(number)
        items.append(plant(item, "AB".index(item.answer)) if plant else item)
    _, features = table(items)
    right = np.array([item.answer == "A" for item in items])
    return attack(features, right, [item.media[0].name for item in items])


def test_nothing_is_found_where_nothing_is() -> None:
    found = verdict(None)
    assert found.within_chance, found
    assert found.high - found.low < 0.12


@pytest.mark.parametrize("plant", [larger_file, id_sorts_first, whole_numbers, mostly_a])
def test_a_planted_leak_is_found(plant: Plant) -> None:
    found = verdict(plant)
    assert not found.within_chance, found
