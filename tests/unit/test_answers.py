"""Answers: letters by score, one decimal, strict reading."""

import pytest

from gen import answers


@pytest.mark.parametrize(
    ("scores", "expected"),
    [([2.0, 9.0, 5.0], "BCA"), ([0.0, 0.01], "BA"), ([9.9, 1, 5, 7, 3], "ADCEB"), ([4.0], "A")],
)
def test_ranking_is_by_descending_score(scores: list[float], expected: str) -> None:
    assert answers.ranking_of(scores) == expected


@pytest.mark.parametrize("scores", [[3.0, 3.0], [], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]])
def test_what_has_no_order_is_refused(scores: list[float]) -> None:
    with pytest.raises(ValueError, match=r"options"):
        answers.ranking_of(scores)


@pytest.mark.parametrize(
    ("score", "text"),
    [(0, "0.0"), (10, "10.0"), (9.95, "10.0"), (2.25, "2.3"), (0.15, "0.2"), (7.649999, "7.6")],
)
def test_scores_have_one_decimal_and_halves_go_up(score: float, text: str) -> None:
    assert answers.score_of(score) == text


def test_answer_by_question_type() -> None:
    assert answers.answer_of("pairwise", [1.0, 2.0]) == "B"
    assert answers.answer_of("ranking", [1.0, 3.0, 2.0]) == "BCA"
    assert answers.answer_of("scoring", [6.66]) == "6.7"


@pytest.mark.parametrize(
    ("question", "reply", "value"),
    [
        ("pairwise", " B\n", "B"),
        ("ranking", "CAB", "CAB"),
        ("scoring", "7", 7.0),
        ("scoring", "10.0", 10.0),
        ("scoring", "0.5", 0.5),
    ],
)
def test_replies_are_read(question: answers.QuestionType, reply: str, value: str | float) -> None:
    assert (
        answers.parse(question, reply, {"pairwise": "AB", "ranking": "ABC"}.get(question, ""))
        == value
    )


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("pairwise", "C"),
        ("pairwise", "A."),
        ("pairwise", "AB"),
        ("pairwise", "a"),
        ("pairwise", ""),
        ("ranking", "AB"),
        ("ranking", "ABB"),
        ("ranking", "ABCD"),
        ("ranking", "A, B, C"),
        ("scoring", "10.1"),
        ("scoring", "-1"),
        ("scoring", "1e1"),
        ("scoring", "nan"),
        ("scoring", "8/10"),
        ("scoring", "07"),
        ("scoring", "٣"),
    ],
)
def test_other_replies_are_refused(question: answers.QuestionType, reply: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        answers.parse(question, reply, {"pairwise": "AB", "ranking": "ABC"}.get(question, ""))
