"""Rankings: the order of the options, and the example in the prompt."""

from collections.abc import Sequence
from itertools import permutations

from numpy.random import Generator

from gen.answers import LETTERS, ranking_of


def example_letters(example: str, count: int) -> str:
    """The example cut to the first `count` letters: "BCAED" is "BCAD" for 4 and "BCA" for 3."""
    return "".join(letter for letter in example if letter in LETTERS[:count])


def option_order(scores: Sequence[float], example: str, rng: Generator) -> tuple[int, ...]:
    """A random order of options, as indices into `scores`.

    All orders are equally likely but the one that would make the example the right answer: a judge
    that copies the example is always wrong, and no other answer is more frequent than the rest.
    """
    shown = example_letters(example, len(scores))
    orders = [
        order
        for order in permutations(range(len(scores)))
        if ranking_of([scores[index] for index in order]) != shown
    ]
    return orders[int(rng.integers(len(orders)))]
