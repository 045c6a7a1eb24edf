"""What every task promises of its items, whatever the encoding: balance, twins, quotas, answers."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from blake3 import blake3

from gen import app
from gen.judge import plan
from gen.rundir import manifest
from gen.schema import Settings
from gen.sources.open import open_source

CONF = Path(__file__).resolve().parents[2] / "conf"
FILES = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in sorted((CONF / "task").glob("*.yaml"))
}
TASKS = {name: list(content["encodings"]) for name, content in FILES.items()}
QUESTIONS = ("pairwise", "ranking", "scoring")
# Pictures take their time: of those tasks, one a family is tried in the fast tests.
QUICK = [
    name
    if FILES[name]["category"] == "perception" or name in ("super_resolution", "t2i")
    else pytest.param(name, marks=pytest.mark.slow)
    for name in TASKS
]
CASES = [
    pytest.param(task, question, marks=pytest.mark.slow)
    if (FILES[task]["category"] != "perception" or (task == "depth" and question != "pairwise"))
    and (question, task) not in (("pairwise", "super_resolution"), ("pairwise", "t2i"))
    else (task, question)
    for task in TASKS
    for question in QUESTIONS
]
WITH_STEMS = [
    pytest.param(name, marks=pytest.mark.slow if name == "depth" else [])
    for name, stems in TASKS.items()
    if len(stems) > 1
]
Make = Callable[..., Settings]


def cheapest(task: str) -> str:
    """An encoding of the task that draws nothing, if it has one."""
    return next((stem for stem in TASKS[task] if stem.startswith("text_")), TASKS[task][0])


def rows(run: Path) -> list[dict[str, Any]]:
    shards = sorted(run.glob("*/test-*.parquet"))
    found = [row for shard in shards for row in pq.read_table(shard).to_pylist()]
    return [row | {"metadata": json.loads(row["metadata"])} for row in found]


def check_row(row: dict[str, Any]) -> None:
    """Re-derive a row's answer from the scores in its metadata, and count its pictures."""
    scores = row["metadata"]["final_scores"]
    letters = "ABCDE"[: len(scores)]
    if row["question_type"] == "scoring":
        assert (row["answer"], row["choices"]) == (f"{scores[0]:.1f}", [])
    else:
        best_first = sorted(letters, key=lambda letter: -scores[letters.index(letter)])
        size = 1 if row["question_type"] == "pairwise" else len(letters)
        assert row["answer"] == "".join(best_first[:size])
        assert row["choices"] == list(letters)
        gaps = [abs(a - b) for n, a in enumerate(scores) for b in scores[:n]]
        assert min(gaps) >= 0.005
        assert row["metadata"]["gap"] == pytest.approx(min(gaps))
    assert row["prompt"].count("<image>") == len(row["media"])
    names = [media["path"] for media in row["media"]]
    first = f"original_{row['metadata']['image_id']}.png"
    assert (names[0] == first) == (row["task"] != "generation_t2i")
    assert all(name.startswith(f"{row['id']}_") for name in names if name != first)


@pytest.mark.parametrize(("task", "question"), CASES)
def test_answers_media_and_ids(settings_of: Make, task: str, question: str) -> None:
    stem = cheapest(task)
    overrides = f"task={task}", f"encoding='{stem}'", f"question={question}", "n_items=10"
    run = app.run(settings_of(*overrides))
    found = rows(run)
    head = manifest.read_head(run)
    assert head is not None
    assert len(found) == len({row["id"] for row in found}) == head["counts"]["items"] > 2
    assert (len(found) == 10) != bool(head["plan"]["shortfalls"])
    for row in found:
        check_row(row)
    if question == "pairwise":
        assert abs(Counter(row["answer"] for row in found)["A"] - 5) <= 1


@pytest.mark.parametrize("task", QUICK)
def test_twins_have_their_options_exchanged(settings_of: Make, task: str) -> None:
    overrides = f"task={task}", f"encoding='{cheapest(task)}'", "n_items=8"
    found = rows(app.run(settings_of(*overrides, "question.order=both", "question.min_gap=0.2")))
    pairs: dict[str, list[dict[str, Any]]] = {}
    for row in found:
        pairs.setdefault(row["metadata"]["pair_id"], []).append(row)
    assert len(pairs) == 4
    for one, other in pairs.values():
        assert [one["metadata"]["order"], other["metadata"]["order"]] == ["AB", "BA"]
        ids = one["metadata"]["annotation_ids"]
        assert ids == other["metadata"]["annotation_ids"][::-1]
        assert {one["answer"], other["answer"]} == {"A", "B"}
        assert one["metadata"]["wording"] == other["metadata"]["wording"]
        assert one["metadata"]["gap"] >= 0.2


@pytest.mark.parametrize(
    "question", ["pairwise", *(pytest.param(q, marks=pytest.mark.slow) for q in QUESTIONS[1:])]
)
@pytest.mark.parametrize("task", WITH_STEMS)
def test_one_plan_for_all_encodings(
    settings_of: Make, tmp_path: Path, task: str, question: str
) -> None:
    stems = TASKS[task]
    hashes = set()
    for stem in (stems[0], stems[len(stems) // 2], stems[-1]):
        chosen = settings_of(
            f"task={task}", f"encoding='{stem}'", f"question={question}", "n_items=5"
        )
        path = tmp_path / "plan.jsonl"
        plan.write(chosen, open_source(chosen.data), path)
        hashes.add(blake3(path.read_bytes()).hexdigest())
    assert len(hashes) == 1


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("task", TASKS)
def test_quotas_of_judge_analysis_are_full_or_said(
    settings_of: Make, shared_data: Path, tmp_path: Path, task: str, question: str
) -> None:
    chosen = settings_of(
        f"task={task}",
        f"encoding='{TASKS[task][0]}'",
        "subset=judge_analysis",
        f"question={question}",
        "data=folder",
        f"data.root={shared_data}",
    )
    top = plan.write(chosen, open_source(chosen.data), tmp_path / "plan.jsonl")
    items = plan.read(tmp_path / "plan.jsonl", 0, top.items)
    wanted = {"pairwise": 50, "ranking": 20, "scoring": 100}[question]
    said = " ".join(top.shortfalls)
    few = any(f"of {wanted} {unit}" in said for unit in ("items", "pairs", "groups"))
    assert (top.items == wanted) != few
    assert (top.images == 20) != ("of 20 images" in said)
    assert top.images == len({item.image_id for item in items}) <= 20
    if question == "pairwise":
        first = sum(
            one.annotations[0].final_score > one.annotations[1].final_score for one in items
        )
        assert abs(first - top.items / 2) <= 1
        truths = sum(any(a.severity == 0 for a in one.annotations) for one in items)
        assert truths <= top.items / 5
