"""The order of severities, found again from nothing but who wins in pairs.

Bradley and Terry, Rank analysis of incomplete block designs, Biometrika 39, 1952; fitted by the
iteration of Hunter, MM algorithms for generalized Bradley-Terry models, Annals of Statistics
32(1), 2004, equation (3).
"""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import yaml

from gen.judge import plan
from gen.schema import Settings
from gen.sources.open import open_source

CONF = Path(__file__).resolve().parents[2] / "conf"
FILES = {path.stem: yaml.safe_load(path.read_text()) for path in sorted(CONF.glob("task/*.yaml"))}
STAGED = [name for name, content in FILES.items() if content.get("staging")]
SEVERITIES = range(6)


def strengths(wins: Counter[tuple[int, int]]) -> list[float]:
    """The strength of each severity; `wins` counts (winner, loser).

    A twentieth of a game each way is added: one who never loses would have no finite strength.
    """
    table = np.array([[wins[a, b] + 0.05 * (a != b) for b in SEVERITIES] for a in SEVERITIES])
    games, found = table + table.T, np.ones(len(SEVERITIES))
    for _ in range(500):
        found = table.sum(axis=1) / (games / (found[:, None] + found)).sum(axis=1)
        found /= found.sum()
    return list(found)


def test_the_fit_finds_known_strengths() -> None:
    true, rng, wins = 2.0 ** -np.arange(6), np.random.default_rng(0), Counter[tuple[int, int]]()
    for _ in range(20_000):
        a, b = (int(n) for n in rng.choice(6, 2, replace=False))
        wins[(a, b) if rng.random() < true[a] / (true[a] + true[b]) else (b, a)] += 1
    assert strengths(wins) == pytest.approx(list(true / true.sum()), rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("task", STAGED)
def test_pairs_put_severities_in_order(
    settings_of: Callable[..., Settings], tmp_path: Path, task: str
) -> None:
    chosen = settings_of(f"task={task}", "n_items=100")
    top = plan.write(chosen, open_source(chosen.data), tmp_path / "plan.jsonl")
    assert top.items == 100
    wins: Counter[tuple[int, int]] = Counter()
    for item in plan.read(tmp_path / "plan.jsonl", 0, top.items):
        best, worst = sorted(item.annotations, key=lambda one: -one.final_score)
        assert best.severity is not None and worst.severity is not None
        wins[best.severity, worst.severity] += 1
    found = strengths(wins)
    # The truth is in at most one pair of five; among so few it may not meet what is next to it.
    first = 0 if wins[0, 1] + wins[1, 0] else 1
    assert found[first:] == sorted(found[first:], reverse=True), (task, found, wins)
    assert not any(wins[level, 0] for level in SEVERITIES)
