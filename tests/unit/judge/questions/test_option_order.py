"""The order of options: A right in half of the pairs, rankings never as in the example."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from gen.answers import ranking_of
from gen.judge.questions.pairwise import better_is_first
from gen.judge.questions.ranking import example_letters, option_order
from gen.judge.questions.scoring import spread
from gen.rng import stream


@pytest.mark.parametrize("seed", range(40))
def test_a_is_right_in_half_of_every_beginning(seed: int) -> None:
    first = [better_is_first(seed, "instance_seg", rank) for rank in range(61)]
    for length in range(1, len(first) + 1):
        assert abs(2 * sum(first[:length]) - length) <= length % 2


def test_a_right_does_not_follow_a_pattern() -> None:
    starts = [better_is_first(seed, "instance_seg", 0) for seed in range(200)]
    assert 70 <= sum(starts) <= 130
    blocks = [better_is_first(42, "instance_seg", 2 * block) for block in range(200)]
    assert 70 <= sum(blocks) <= 130


@pytest.mark.parametrize(("count", "example"), [(5, "BCAED"), (4, "BCAD"), (3, "BCA")])
def test_example_keeps_to_the_letters_offered(count: int, example: str) -> None:
    assert example_letters("BCAED", count) == example


@pytest.mark.parametrize("count", [3, 4])
def test_all_rankings_but_the_example_are_equally_frequent(count: int) -> None:
    scores = [9.0, 7.0, 4.0, 1.0][:count]
    answers: Counter[str] = Counter()
    for trial in range(3000):
        order = option_order(scores, "BCAED", stream(trial, "test"))
        assert sorted(order) == list(range(count))
        answers[ranking_of([scores[index] for index in order])] += 1
    example = example_letters("BCAED", count)
    others = {"".join(letters) for letters in permutations("ABCD"[:count])} - {example}
    assert set(answers) == others
    even = 3000 / len(others)
    assert max(abs(found - even) for found in answers.values()) < 5 * np.sqrt(even)


def test_spread_takes_both_ends_and_even_steps_between() -> None:
    scores = [10.0, 9.9, 9.8, 9.7, 7.6, 5.0, 4.9, 2.4, 0.1, 0.0]
    assert spread(scores, 5) == [0, 4, 5, 7, 9]


def test_spread_of_few_is_all_of_them() -> None:
    assert spread([3.0, 1.0], 5) == [0, 1]
    assert spread([], 5) == []


def test_spread_never_takes_one_twice() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        scores = sorted(rng.random(int(rng.integers(1, 12))) ** 4 * 10, reverse=True)
        chosen = spread(scores, int(rng.integers(1, 6)))
        assert chosen == sorted(set(chosen))
