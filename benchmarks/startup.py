"""Seconds until the command line answers, next to a bare Hydra application."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.judge import Row

REPEATS = 5
BARE_APP = """
import hydra

@hydra.main(version_base="1.3", config_path=None)
def main(config):
    pass

main()
"""


def rows(overrides: list[str]) -> list[Row]:
    """Help, an empty job of a bare Hydra app, and a run that is there already."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bare = folder / "bare.py"
        bare.write_text(BARE_APP, encoding="utf-8")
        gen = [sys.executable, "-m", "gen", f"out_root={folder / 'outputs'}", *overrides]
        bare_help = _seconds([sys.executable, str(bare), "--help"])
        own_help = _seconds([sys.executable, "-m", "gen", "--help"])
        subprocess.run(gen, check=True, capture_output=True)
        again = _seconds(gen)
    return [
        Row("--help", "bare Hydra app", bare_help, "s"),
        Row("--help", "gen", own_help, "s", f"{own_help / bare_help:.2f} x the bare app"),
        Row("a run that is there already", "gen", again, "s"),
    ]


def _seconds(command: list[str]) -> float:
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=os.environ)
        times.append(time.perf_counter() - start)
    return statistics.median(times)
