"""Milliseconds and memory it takes to pack an item with a 450 kB picture, next to `datasets`.

Each way runs in a process of its own, so that its peak memory is its own. Ours also hashes the file
and each row.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.judge import Row
from benchmarks.memory import peak_mib
from gen.item import JudgeItem

ITEMS = 400
PICTURES = 8
STAGE = "pack an item of 450 kB"


def items() -> Iterator[JudgeItem]:
    """Items over a few pictures: 450 kB when encoded, as a photo of 640 x 480 is."""
    from gen.judge.items import picture

    rng = np.random.default_rng(0)
    blank = np.zeros((1, 1, 3), dtype=np.uint8)
    photo = picture("original_1.png", blank)  # stands for one that many items share
    options = []
    for _ in range(PICTURES):
        # Noise of so many levels that it packs to the wanted size.
        rgb = rng.integers(0, 10, (480, 640, 3), dtype=np.uint8)
        options.append(picture("a.png", rgb))
    for number in range(ITEMS):
        name = f"{number:016x}"
        yield JudgeItem(
            id=name,
            task="instance_segmentation",
            encoding="pixel_ss1_m0_o0_l1_c0_b1",
            question_type="scoring",
            subset="none",
            prompt="<image><image> " + "word " * 200,
            media=(
                photo,
                replace(options[number % PICTURES], name=f"{name}_a.png"),
            ),
            answer="5.0",
            choices=(),
            metadata={"number": number, "scores": [1.5, 2.5]},
        )


def ours(folder: Path, made: list[JudgeItem]) -> None:
    from gen.export.parquet import write_shard

    for start in range(0, len(made), 100):
        write_shard(folder / f"{start}.parquet", made[start : start + 100])


def by_datasets(folder: Path, made: list[JudgeItem]) -> None:
    import datasets

    from gen.export.parquet import to_row

    datasets.disable_progress_bars()
    features = datasets.Features(
        {name: datasets.Value("string") for name in to_row(made[0])}
        | {
            "media": datasets.List(datasets.Image()),
            "choices": datasets.List(datasets.Value("string")),
        }
    )

    def rows() -> Iterator[dict[str, Any]]:
        yield from map(to_row, made)

    table = datasets.Dataset.from_generator(rows, features=features, cache_dir=str(folder))
    table.to_parquet(str(folder / "x.parquet"))


WAYS: dict[str, Callable[[Path, list[JudgeItem]], None]] = {
    "gen": ours,
    "datasets.from_generator": by_datasets,
}


def rows(overrides: list[str]) -> list[Row]:
    """Every way; `overrides` change nothing here."""
    found = []
    for way in WAYS:
        command = [sys.executable, "-m", "benchmarks.parquet", way]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        ms, mib = map(float, done.stdout.split())
        found.append(Row(STAGE, way, ms, "ms", f"peak memory {mib:.0f} MiB"))
    return found


def _measure(way: str) -> None:
    made = list(items())
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        WAYS[way](Path(folder), made)
        took = time.perf_counter() - start
    print(1000 * took / ITEMS, peak_mib())


if __name__ == "__main__":
    _measure(sys.argv[1])
