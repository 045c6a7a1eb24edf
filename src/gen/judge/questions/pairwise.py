"""Pairs: which of the two stands first."""

from gen.rng import stream


def better_is_first(seed: int, task: str, rank: int) -> bool:
    """Whether option A is the better one in the pair of this rank (0, 1, 2, ...).

    Ranks 2k and 2k + 1 are a random permutation of (yes, no), so A is right in half of the pairs,
    give or take one, in any run of pairs that begins at rank 0.
    """
    coin = int(stream(seed, "judge", task, "option order", rank // 2).integers(2))
    return bool(coin ^ (rank % 2))
