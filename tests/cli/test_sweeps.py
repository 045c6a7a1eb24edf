"""`-m`: only what goes together is run, and no job hides what became of another."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FORMS = ["text_matrix", "text_polygon", "text_rle", "text_ss0"]
FORMED = [f"encoding={form}" for form in FORMS]


def table(err: str) -> list[list[str]]:
    """State, job and detail of each line under the last summary."""
    lines = err.rsplit(" jobs: ", maxsplit=1)[-1].splitlines()[1:]
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in lines]


def test_what_does_not_go_together_is_left_out_and_said(gen: Callable[[str], Any]) -> None:
    outcome = gen(f"-m encoding={','.join(FORMS)},text_xyxy subset=encoding_analysis dry_run=true")
    assert outcome.status == 0, outcome.err
    assert outcome.err.splitlines()[:2] == [
        "gen: 2 of 5 jobs are left out, their settings do not go together:",
        "  task=instance_seg subset=encoding_analysis question=pairwise "
        "encoding=text_ss0,text_xyxy",
    ]
    assert [row[:2] for row in table(outcome.err)] == [
        ["planned", f"encoding={form}"] for form in FORMS[:3]
    ]


def test_one_failure_neither_hides_nor_ends_the_others(gen: Callable[[str], Any]) -> None:
    first = gen("encoding=text_rle n_items=1")
    outcome = gen("-m encoding=text_rle n_items=1,none,2")
    assert outcome.status == 1
    rows = table(outcome.err)
    assert [row[0] for row in rows] == ["already there", "failed", "done"]
    assert [row[1] for row in rows] == ["n_items=1", "n_items=none", "n_items=2"]
    assert rows[0][2] == first.out.splitlines()[-1]
    assert rows[1][2] == "n_items: Input should be a valid integer (got 'none')"
    assert "gen: 3 jobs: 1 already there, 1 failed, 1 done\n" in outcome.err


def test_a_bug_in_one_job_shows_its_trace(
    gen: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(settings: Any) -> Path:
        if settings.n_items == 1:
            raise ZeroDivisionError("a bug")
        return Path("outputs")

    monkeypatch.setattr("gen.app.run", broken)
    outcome = gen("-m n_items=1,2")
    assert outcome.status == 1
    assert "Traceback" in outcome.err
    assert [row[::2] for row in table(outcome.err)] == [
        ["failed", "ZeroDivisionError: a bug"],
        ["planned", "outputs"],
    ]


def test_a_knob_that_one_encoding_lacks_fails_that_job_only(gen: Callable[[str], Any]) -> None:
    outcome = gen("-m encoding=text_rle,pixel_ss0_m0 encoding.opacity=0.2 n_items=1 dry_run=true")
    assert outcome.status == 1
    assert [row[0] for row in table(outcome.err)] == ["failed", "planned"]


@pytest.mark.parametrize(
    ("typed", "jobs"),
    [
        ("encoding=1742,text_rle", ["encoding='1742'", "encoding=text_rle"]),
        ("'encoding=choice(1742,text_rle)'", ["encoding='1742'", "encoding=text_rle"]),
        ("'encoding=glob([17*,text_r*])'", ["encoding='1742'", "encoding=text_rle"]),
        ("'encoding=glob(text_*,exclude=[*_ss0,*_xy*,*_list,*_json,*_style])'", FORMED[:3]),
        ("task=instance_segmentation,instance_seg", ["task=instance_seg"] * 2),
    ],
)
def test_lists_and_globs(gen: Callable[[str], Any], typed: str, jobs: list[str]) -> None:
    outcome = gen(f"-m {typed} question=pairwise,scoring n_items=1 dry_run=true")
    assert outcome.status == 0, outcome.err
    seen = [row[1].removesuffix("pairwise") for row in table(outcome.err)[::2]]
    if typed.startswith("task"):
        jobs = [""]
    assert seen == [f"{job} question=".lstrip() for job in jobs]


@pytest.fixture
def more_tasks(tmp_path: Path) -> Path:
    """A folder with tasks in a folder of their own and one with other encodings."""
    folder = tmp_path / "mine"
    (folder / "task" / "odd").mkdir(parents=True)
    text = (
        "defaults: [/encoding@_global_.encoding: {stem}, _self_]\n"
        "name: {name}\nrow_name: long_{row}\ncategory: perception\nfamily: instances\n"
        "data_version: 1\nrole: 'A{{given_image}}.'\ncontext: 'B {{classes}}.'\n"
        "context_alone: null\nerror_types: [missed, split]\n"
        "encodings: {{{stem}: {{is_final: true, is_base_ablation: true}}}}\n"
    )
    for name, stem in (("odd/one", "text_rle"), ("odd/two", "text_ss0"), ("other", "text_ss0")):
        row = name.replace("/", "_")
        (folder / "task" / f"{name}.yaml").write_text(
            text.format(name=row, row=row, stem=stem), encoding="utf-8"
        )
    return folder


def test_globs_reach_into_folders_of_a_group(gen: Callable[[str], Any], more_tasks: Path) -> None:
    outcome = gen(f"-m 'task=glob(odd/*)' n_items=1 dry_run=true --config-dir {more_tasks}")
    assert outcome.status == 0, outcome.err
    assert [row[1] for row in table(outcome.err)] == ["task=odd/one", "task=odd/two"]


def test_globs_know_aliases_and_stop_at_a_slash(
    gen: Callable[[str], Any], more_tasks: Path
) -> None:
    def swept(pattern: str) -> list[str]:
        outcome = gen(
            f"-m 'task=glob({pattern})' n_items=1,2 dry_run=true --config-dir {more_tasks}"
        )
        return [row[1].split(" n_items")[0] for row in table(outcome.err)[::2]]

    assert swept("[instance_*,other]") == ["task=instance_seg", "task=other"]
    assert swept("[odd/t*,long_ot*]") == ["task=odd/two", "task=other"]


def test_each_task_brings_its_own_encoding_and_rows(
    gen: Callable[[str], Any], more_tasks: Path
) -> None:
    swept = "-m task=instance_seg,other encoding=text_rle,text_ss0 n_items=1 dry_run=true"
    outcome = gen(f"{swept} --config-dir {more_tasks}")
    assert outcome.err.splitlines()[:2] == [
        "gen: 1 of 4 jobs are left out, their settings do not go together:",
        "  task=other subset=none question=pairwise encoding=text_rle",
    ]
    assert len(table(outcome.err)) == 3


def test_sweeps_of_quoted_patterns_sorted_repeated_and_oddly_named(
    gen: Callable[[str], Any], tmp_path: Path
) -> None:
    folder = tmp_path / "mine" / "encoding"
    (folder / "folder.yaml").mkdir(parents=True)
    for name in ("é", "a=b"):
        (folder / f"{name}.yaml").write_text("defaults: [text_rle, _self_]\nname: text_rle\n")
    for typed, jobs in (
        ("'encoding=glob([text_matrix,\"17*\"])'", 2),
        ("'encoding=sort(text_rle,text_matrix,reverse=true)'", 2),
        ("seed=1,1", 1),
        (f"--config-dir {folder.parent} 'encoding=glob([é,a*])'", 2),
    ):
        said = gen(f"-m n_items=1 dry_run=true {typed}").err
        assert said.count("\n  planned") == jobs, said


def test_an_encoding_of_your_own_that_cannot_show_a_task_is_left_out(
    gen: Callable[[str], Any], tmp_path: Path
) -> None:
    folder = tmp_path / "mine" / "encoding"
    folder.mkdir(parents=True)
    (folder / "sketch.yaml").write_text(
        "name: sketch\nform: box\ncanvas: overlay\nlabels: false\n"
        "tasks: [instance_seg, object_detection]\n"
    )
    own = f"--config-dir {folder.parent} n_items=1 dry_run=true encoding=sketch"
    swept = gen(f"-m task=instance_seg,object_detection {own}")
    assert swept.status == 0
    assert "1 of 2 jobs are left out" in swept.err
    assert "  task=instance_seg subset=none question=pairwise encoding=sketch" in swept.err
    alone = gen(f"task=instance_seg {own}")
    assert alone.err.startswith("gen: form box does not show instances: it takes grid, mask, ")
