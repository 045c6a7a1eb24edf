"""Scenes: prompts against the stored checks, and each verdict found again in the pixels.

Both come from the rows alone, by a parser and a reader that share no code with the package.
"""

import io
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from PIL import Image
from scene_reader import Rgb, met, things
from scene_words import agree, claims

pytestmark = pytest.mark.slow
Row = dict[str, Any]
# In so many of the cases both readers must agree; of those with blur they may differ more.
SHARE, BLURRED = 0.98, 0.85


def run(out: Path, task: str, *overrides: str) -> list[Row]:
    """The rows of a run, on the photos that come with the package."""
    command = [sys.executable, "-m", "gen", f"task={task}", "executor.workers=1", *overrides]
    done = subprocess.run(
        [*command, f"out_root={out}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (path,) = Path(done.stdout.strip().splitlines()[-1]).glob(f"{task}/*.parquet")
    found = pq.read_table(path).to_pylist()
    return [row | {"metadata": json.loads(row["metadata"])} for row in found]


def pictures(row: Row) -> list[Rgb]:
    """All pictures of a row: first what is given, if anything is."""
    return [np.asarray(Image.open(io.BytesIO(one["bytes"])).convert("RGB")) for one in row["media"]]


def scores_follow(rows: list[Row]) -> None:
    """Scores from verdicts and damage, and answers from scores."""
    for row in rows:
        told = row["metadata"]
        for metrics, score in zip(told["metrics"], told["final_scores"], strict=True):
            good = [value for name, value in metrics.items() if name.startswith("check_")]
            assert set(good) <= {0.0, 1.0}
            assert {name.removeprefix("check_") for name in metrics} - {"damage"}
            share = sum(good) / len(good) - metrics["damage"]
            assert score == pytest.approx(10 * max(0.0, share), abs=1e-5)
        first, second = told["final_scores"]
        assert first != second
        assert row["answer"] == ("A" if first > second else "B")


class Tally:
    """How often verdicts agree, by kind of check."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.agreed: Counter[str] = Counter()
        self.differ: list[Any] = []

    def add(self, kind: str, found: bool, stored: float, where: Any) -> None:
        self.asked[kind] += 1
        self.agreed[kind] += found == bool(stored)
        if found != bool(stored):
            self.differ.append((kind, *where))

    def expect(self, share: float) -> None:
        """Of each kind at least this share agrees."""
        print({kind: f"{self.agreed[kind]}/{number}" for kind, number in self.asked.items()})
        for kind, number in self.asked.items():
            assert self.agreed[kind] >= share * number, (kind, self.differ)


@pytest.fixture(scope="module", params=["t2i", "controllable"])
def rows(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    out = tmp_path_factory.mktemp(request.param)
    return run(out, request.param, "n_items=24", "task.staging.longest=384")


def test_prompts_say_what_the_checks_ask(rows: list[Row]) -> None:
    for row in rows:
        told = row["metadata"]
        assert f"The prompt is '{told['prompt']}'" in row["prompt"]
        listing, places, alone = claims(told["prompt"])
        checks = told["given"]["checks"]
        assert alone == ("nothing_else" in checks)
        assert agree(listing, checks) == places, told["prompt"]
        control = told["given"].get("control")
        if control:
            noun = {"edges": "edge map", "boxes": "labelled boxes", "depth": "depth map"}[control]
            assert noun.split()[0] in told["prompt"]
            boxes = {tuple(check["box"]) for check in checks.values() if check["kind"] == "box"}
            assert len(boxes) == sum(one.number for one in listing)


def test_verdicts_are_found_again_in_the_pictures(rows: list[Row]) -> None:
    sharp, blurred = Tally(), Tally()
    for row in rows:
        told = row["metadata"]
        checks = told["given"]["checks"]
        assert all(
            {*metrics} == {f"check_{name}" for name in checks} | {"damage"}
            for metrics in told["metrics"]
        )
        options = pictures(row)[-len(told["metrics"]) :]
        graded = zip(options, told["metrics"], told["error_types"], told["severities"], strict=True)
        for picture, metrics, error, severity in graded:
            seen = things(picture)
            tally = blurred if error == "blur" and severity else sharp
            for name, check in checks.items():
                textured = "texture" in check.get("look", {})
                if textured and tally is blurred:
                    continue
                kind = f"{check['kind']} {'of textures' if textured else ''}"
                where = (row["id"], error, severity, name)
                tally.add(kind, met(check, seen), metrics[f"check_{name}"], where)
    assert sharp.asked.total() > 600
    sharp.expect(SHARE)
    blurred.expect(BLURRED)


def test_severity_none_meets_all(rows: list[Row]) -> None:
    for row in rows:
        told = row["metadata"]
        for severity, metrics in zip(told["severities"], told["metrics"], strict=True):
            if severity == 0:
                assert all(value for name, value in metrics.items() if name != "damage")


def test_scores_and_answers_follow_from_the_verdicts(rows: list[Row]) -> None:
    scores_follow(rows)
    for row in rows:
        given = row["task"] != "generation_t2i"
        assert len(row["media"]) == 2 + given
        assert row["prompt"].startswith("<image>\n\nYou are" if given else "You are")
