"""What a build of a collection promises: whole or resumable, each item once, true to its table."""

import json
import shlex
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
import pytest
import yaml

from gen.__main__ import main
from gen.export import parquet
from gen.export.row_hash import row_hash

# Text alone: nothing to draw, and two encodings of one task are enough for every rule.
SMALL = "tasks=[object_detection] 'encodings=[text_*]' executor.workers=1"
Build = Callable[..., Path]


@pytest.fixture
def build(
    coco_root: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Build:
    monkeypatch.chdir(tmp_path)

    def make(collection: str, *more: str, small: str = SMALL) -> Path:
        capsys.readouterr()
        data = f"data=coco data.root={coco_root}"
        line = " ".join(["build", f"collection={collection}", data, small, *more])
        status = main(shlex.split(line))
        out, err = capsys.readouterr()
        assert status == 0, err
        (tmp_path / "err").write_text(err)
        return tmp_path / out.splitlines()[-1]

    return make


def said(folder: Path) -> str:
    return (folder.parents[1] / "err").read_text()


def read_manifest(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = orjson.loads((folder / "manifest.json").read_bytes())
    return content


def rows(folder: Path) -> list[dict[str, Any]]:
    shards = sorted(folder.glob("*/test-*.parquet"))
    found: list[dict[str, Any]] = [
        row for path in shards for row in pq.read_table(path).to_pylist()
    ]
    return found


def parts(folder: Path) -> list[Path]:
    return [folder.parent / one["run"] for one in read_manifest(folder)["runs"]]


def test_a_build_of_one_subset_is_its_runs_and_costs_no_disk(build: Build) -> None:
    folder = build("judge_analysis")
    own = {path.stat().st_ino for path in folder.glob("*/test-*.parquet")}
    runs = {path.stat().st_ino for run in parts(folder) for path in run.glob("*/test-*.parquet")}
    assert own == runs
    assert len(parts(folder)) == 2 * 3
    per_part = Counter((row["encoding"], row["question_type"]) for row in rows(folder))
    assert per_part == {
        (stem, question): count
        for stem in ("text_xyxy", "text_xywh")
        for question, count in (("pairwise", 50), ("ranking", 20), ("scoring", 100))
    }
    assert len({row["id"] for row in rows(folder)}) == len(rows(folder))


def test_one_plan_for_all_encodings(build: Build) -> None:
    folder = build("judge_analysis")
    plans = Counter((run / "plan.jsonl").stat().st_ino for run in parts(folder))
    assert sorted(plans.values()) == [2, 2, 2]
    assert set(plans) == {path.stat().st_ino for path in (folder / "plans").iterdir()}


@pytest.mark.slow
def test_the_union_has_each_item_once_labelled_by_the_first_subset(build: Build) -> None:
    first = {row["id"] for row in rows(build("encoding_analysis"))}
    second = {row["id"] for row in rows(build("judge_analysis"))}
    folder = build("judge")
    found = rows(folder)
    assert len(first & second) > 0
    assert Counter(row["id"] for row in found) == Counter(first | second)
    for row in found:
        subsets = [
            name
            for name, ids in (("encoding_analysis", first), ("judge_analysis", second))
            if row["id"] in ids
        ]
        assert json.loads(row["metadata"])["subsets"] == subsets
        assert row["subset"] == subsets[0]
    key = [
        (row["encoding"], row["question_type"], *json.loads(row["metadata"])["annotation_ids"])
        for row in found
    ]
    assert len(set(key)) == len(key)


def test_the_manifest_is_true(build: Build) -> None:
    folder = build("judge")
    content = read_manifest(folder)
    found = rows(folder)
    assert content["run"] == folder.name
    table = {
        (row["subset"], row["encoding"], row["question"]): row["items"] for row in content["table"]
    }
    counted = Counter((row["subset"], row["encoding"], row["question_type"]) for row in found)
    assert {key: count for key, count in table.items() if count} == counted
    assert content["counts"]["items"] == len(found)
    assert content["counts"]["pictures"] == sum(len(row["media"]) for row in found)
    images = {json.loads(row["metadata"])["image_id"] for row in found}
    assert content["counts"]["images"] == len(images)
    for file in content["files"]:
        path = folder / file["path"]
        assert path.stat().st_size == file["size"]
        if "rows" in file:
            told = [row_hash(item) for item in parquet.read_items(path)]
            assert told == file["row_hashes"] == list(parquet.footer(path).row_hashes)
    on_disk = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    listed = {file["path"] for file in content["files"]}
    assert on_disk - listed == {"manifest.json", "config.yaml", "run_log.json"}


def test_what_fell_short_and_why_is_told_three_times(build: Build) -> None:
    folder = build("judge_analysis")
    shortfalls = read_manifest(folder)["shortfalls"]
    assert {one["question"] for one in shortfalls} == {"pairwise", "ranking", "scoring"}
    for one in shortfalls:
        assert one["what"].startswith("the data gives 6 of 20 images")
        assert one["why"]
        line = f"{one['task']}, {one['question']}, {one['subset']}: {one['what']} ({one['why']})"
        assert f"gen: shortfall: {line}\n" in said(folder)
        assert f"* {line}\n" in (folder / "README.md").read_text()


@pytest.mark.slow
def test_the_card_gives_a_config_for_each_task_and_all(build: Build, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    small = "'tasks=[object_detection,instance_seg]' 'encodings=[text_xy*,text_rle]'"
    folder = build("encoding_analysis", small=small)
    text = (folder / "README.md").read_text()
    info = yaml.safe_load(text.split("---\n")[1])["dataset_info"]
    sizes = {one["config_name"]: one["splits"][0]["num_examples"] for one in info}
    assert sizes == {"all": 30, "instance_seg": 10, "object_detection": 20}
    assert "| object_detection | text_xyxy | 10 | 0 | 0 | 10 |" in text
    for config, count in sizes.items():
        loaded = datasets.load_dataset(
            str(folder), config, split="test", cache_dir=str(tmp_path / "cache")
        )
        assert len(loaded) == count
        assert loaded[0]["media"][0].size[0] > 0


def test_a_complete_build_is_not_touched_even_without_its_parts(
    build: Build, tmp_path: Path
) -> None:
    folder = build("encoding_analysis")
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    for run in parts(folder):
        run.rename(tmp_path / run.name)
    assert build("encoding_analysis") == folder
    assert said(folder) == f"gen: build {folder.name} is complete: nothing to make\n"
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


@pytest.mark.slow
def test_an_interrupted_build_goes_on_where_it_was(build: Build) -> None:
    folder = build("judge")
    sealed = (folder / "manifest.json").read_bytes()
    (folder / "manifest.json").unlink()
    shards = sorted(folder.glob("*/test-*.parquet"))
    shards[1].unlink()
    kept = {path: path.stat().st_mtime_ns for path in shards if path != shards[1]}
    (folder / "object_detection" / ".tmp-test-00001-of-00004.parquet.9.ab").write_bytes(b"half")
    plans = {path: path.stat().st_mtime_ns for path in (folder / "plans").iterdir()}
    assert build("judge") == folder
    assert (folder / "manifest.json").read_bytes() == sealed
    assert kept == {path: path.stat().st_mtime_ns for path in kept}
    assert plans == {path: path.stat().st_mtime_ns for path in plans}
    assert not list(folder.rglob(".tmp-*"))


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["gone", "flipped", "manifest", "readme", "plan", "row"])
def test_damage_is_found_and_mended(build: Build, damage: str) -> None:
    folder = build("judge")
    sealed = (folder / "manifest.json").read_bytes()
    shard = sorted(folder.glob("*/test-*.parquet"))[0]
    content = shard.read_bytes()
    if damage == "gone":
        shard.unlink()
    elif damage == "flipped":
        shard.write_bytes(content[:2000] + bytes([content[2000] ^ 1]) + content[2001:])
    elif damage == "manifest":
        (folder / "manifest.json").write_bytes(sealed.replace(b'"items":', b'"items":1', 1))
    elif damage == "readme":
        (folder / "README.md").write_text("cut")
    elif damage == "plan":
        next((folder / "plans").iterdir()).unlink()
    else:
        items = list(parquet.read_items(shard))
        parquet.write_shard(shard, items[1:])
    assert build("judge", "verify=full") == folder
    assert "is damaged (" in said(folder)
    assert (folder / "manifest.json").read_bytes() == sealed
    assert shard.read_bytes() == content


@pytest.mark.slow
def test_damage_in_a_file_that_a_run_shares_is_mended_in_both(build: Build) -> None:
    folder = build("encoding_analysis")
    shard = sorted(folder.glob("*/test-*.parquet"))[0]
    content = shard.read_bytes()
    with shard.open("r+b") as file:
        file.seek(2000)
        file.write(bytes([content[2000] ^ 1]))
    build("encoding_analysis", "verify=full")
    assert shard.read_bytes() == content


@pytest.mark.slow
def test_workers_and_order_of_names_change_nothing(build: Build, tmp_path: Path) -> None:
    one = build("judge")
    other = build(
        "judge",
        f"out_root={tmp_path / 'b'}",
        small="executor.workers=2 'encodings=[text_*]' tasks=[object_detection]",
    )
    assert one.name == other.name
    assert (one / "manifest.json").read_bytes() == (other / "manifest.json").read_bytes()


def test_pairs_both_ways_and_pictures_as_files(build: Build) -> None:
    folder = build(
        "judge",
        "question.order=both media=files questions=[pairwise]",
        small="tasks=[object_detection] encodings=[pixel_s0_m0] executor.workers=1",
    )
    found = rows(folder)
    pairs = Counter(json.loads(row["metadata"])["pair_id"] for row in found)
    assert set(pairs.values()) == {2}
    shown = {one["path"] for row in found for one in row["media"]}
    assert {path.name for path in (folder / "media").iterdir()} == shown


def test_a_dry_run_counts_and_writes_nothing(build: Build, tmp_path: Path) -> None:
    folder = build("judge_analysis", "dry_run=true")
    assert {path.name for path in tmp_path.iterdir()} == {"err"}
    table = [line.split() for line in said(tmp_path / "x" / "y").splitlines()]
    assert ["all", "all", "100", "40", "200", "340"] in table
    assert build("judge_analysis") == folder


def test_no_part_at_all_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    line = f"build collection=judge {SMALL} question.min_gap=10 questions=[pairwise,ranking]"
    assert main(shlex.split(line)) == 2
    err = capsys.readouterr().err.splitlines()
    assert err[-1].startswith("gen: no part of the collection has an item: data=embedded gives no ")


def test_builds_are_listed_with_the_runs(build: Build, capsys: pytest.CaptureFixture[str]) -> None:
    folder = build("encoding_analysis")
    capsys.readouterr()
    assert main(["runs", "--json"]) == 0
    listed = {run["id"]: run for run in json.loads(capsys.readouterr().out)["runs"]}
    assert listed[folder.name]["settings"]["collection.name"] == "encoding_analysis"
    assert listed[folder.name]["items"] == 20
    assert all(one["state"] == "complete" for one in listed.values())
    assert listed.keys() == {folder.name, *(run.name for run in parts(folder))}
