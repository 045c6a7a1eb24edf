"""Answers of judge questions: what they are made of, how they are written, how they are read."""

import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

LETTERS = "ABCDE"
QuestionType = Literal["pairwise", "ranking", "scoring"]

_SCORE = re.compile(r"(?:10(?:\.0+)?|[0-9](?:\.[0-9]+)?)")


def ranking_of(scores: Sequence[float]) -> str:
    """The option letters by descending score, best first: `ranking_of([2, 9, 5])` is "BCA".

    Raises:
        ValueError: two scores are equal, so that no order is right, or there are no or more than
            five of them.
    """
    if not 1 <= len(scores) <= len(LETTERS):
        raise ValueError(f"an item has 1 to {len(LETTERS)} options, not {len(scores)}")
    if len(set(scores)) < len(scores):
        raise ValueError(f"options with equal scores have no order: {list(scores)}")
    order = sorted(range(len(scores)), key=lambda index: -scores[index])
    return "".join(LETTERS[index] for index in order)


def score_of(score: float) -> str:
    """A score from 0 to 10 with one decimal, halves rounded up: 2.25 is "2.3"."""
    return str(Decimal(repr(float(score))).quantize(Decimal("0.1"), ROUND_HALF_UP))


def answer_of(question: QuestionType, scores: Sequence[float]) -> str:
    """The right answer to a question on options with these final scores, in option order."""
    if question == "scoring":
        (score,) = scores
        return score_of(score)
    ranking = ranking_of(scores)
    return ranking[0] if question == "pairwise" else ranking


def parse(question: QuestionType, text: str, choices: Sequence[str]) -> str | float:
    """Read a reply: a letter, a ranking of all `choices`, or a number from 0 to 10.

    Only white space around the reply is forgiven: words before or after it are not.

    Raises:
        ValueError: the reply is not of the form that the prompt asks for.
    """
    reply = text.strip()
    if question == "scoring":
        if not _SCORE.fullmatch(reply):
            raise ValueError(f"expected a number from 0 to 10, got {reply!r}")
        return float(reply)
    if question == "pairwise" and reply not in list(choices):
        raise ValueError(f"expected one of {', '.join(choices)}, got {reply!r}")
    if question == "ranking" and sorted(reply) != sorted(choices):
        raise ValueError(f"expected each of {', '.join(choices)} once, got {reply!r}")
    return reply
