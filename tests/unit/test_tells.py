"""What a run publishes of the sizes of its options: shares among the pairs that differ."""

from collections import Counter

import pytest

from gen.export import tells
from gen.item import JudgeItem, Media

OPTION = "{letter}. {content}"


def pair(answer: str, texts: tuple[str, str], sizes: tuple[int, ...] = ()) -> JudgeItem:
    blocks = [f"{letter}. {text}" for letter, text in zip("AB", texts, strict=True)]
    media = [Media("original_1.png", b"-", "0")]
    media += [Media(f"{n}.png", b"-" * size, str(n)) for n, size in enumerate(sizes)]
    return JudgeItem(
        id="0",
        task="t",
        encoding="e",
        question_type="pairwise",
        subset="none",
        prompt="\n\n".join(["<image>", "Options:", *blocks, "Which is better? A. or B."]),
        media=tuple(media),
        answer=answer,
        choices=("A", "B"),
    )


def test_shares_are_among_the_pairs_that_differ() -> None:
    pairs = [
        pair("A", ("long text", "short"), (5, 9)),
        pair("B", ("long text", "short"), (5, 5)),
        pair("B", ("same", "same"), (5, 9)),
        pair("B", ("short", "long text"), (9, 5)),
    ]
    counts: Counter[str] = Counter()
    for one in pairs:
        counts.update(tells.count(one, OPTION))
    shares = tells.shares(counts)
    assert shares == {
        "pairs": 4,
        "a_is_right": 0.25,
        "longer_text_is_better": {"pairs": 3, "share": 0.6667},
        "larger_picture_is_better": {"pairs": 3, "share": 0.3333},
    }
    words = tells.sentence(shares)
    assert "25.0% of 4 pairs" in words
    assert "66.7% of the 3 that differ" in words


@pytest.mark.parametrize("option", ["{letter}. {content}", "({letter}) {content}"])
def test_texts_are_found_by_the_template_of_an_option(option: str) -> None:
    one = pair("A", ("longer", "short"))
    if option.startswith("("):
        text = one.prompt.replace("\n\nA. ", "\n\n(A) ").replace("\n\nB. ", "\n\n(B) ")
        one = JudgeItem(**{name: getattr(one, name) for name in one.__slots__} | {"prompt": text})
    assert tells.count(one, option)["text_is_right"] == 1
    assert tells.count(one, option)["picture_differs"] == 0


def test_sizes_that_never_differ_are_said() -> None:
    shares = tells.shares(tells.count(pair("A", ("same", "same"), (5, 5)), OPTION))
    assert shares["larger_picture_is_better"] == {"pairs": 0, "share": None}
    assert "the picture files are of one size in every pair" in tells.sentence(shares)
    assert "larger_picture_is_better" not in tells.shares(tells.count(pair("A", ("", "x")), OPTION))


def test_what_is_no_pair_tells_nothing() -> None:
    one = pair("A", ("longer", "short"))
    scored = JudgeItem(
        **{name: getattr(one, name) for name in one.__slots__} | {"question_type": "scoring"}
    )
    assert tells.count(scored, OPTION) == {}
    assert tells.shares({}) == {}
    assert tells.sentence({}) == ""
