"""Scores of generated pictures."""

from collections.abc import Mapping


def final_score(met: Mapping[str, bool], damage: float) -> float:
    """Ten times the share of checks met, less damage, from 0 to 10.

    `met` tells for each check whether it is met; all count the same. `damage` is the share of the
    picture that is spoilt, from 0 to 1.

    Raises:
        ValueError: there is no check, or `damage` is outside 0 to 1.
    """
    if not met:
        raise ValueError("a score needs at least one check")
    if not 0 <= damage <= 1:
        raise ValueError(f"damage must be from 0 to 1: {damage:g}")
    return 10 * max(0.0, sum(met.values()) / len(met) - damage)
