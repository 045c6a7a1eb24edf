"""What a run promises: whole or resumable, equal wherever it is made, true to its manifest."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow.parquet as pq
import pytest
from blake3 import blake3

from gen import app
from gen.errors import UserError
from gen.export import parquet
from gen.rundir import manifest, place, verify
from gen.schema import Settings

Make = Callable[..., Settings]


def read_manifest(run: Path) -> dict[str, Any]:
    content: dict[str, Any] = orjson.loads((run / "manifest.json").read_bytes())
    return content


def row_hashes(run: Path) -> list[str]:
    files = read_manifest(run)["files"]
    return [digest for file in files for digest in file.get("row_hashes", [])]


def shard_files(run: Path) -> list[Path]:
    return sorted((run / "instance_seg").iterdir())


def times(paths: list[Path]) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in paths}


def tree(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*"))


def test_a_run_holds_what_it_should_and_nothing_else(settings_for: Make) -> None:
    run = app.run(settings_for("executor.shard_items=5"))
    assert tree(run.parent) == sorted(
        [
            ".locks",
            run.name,
            f"{run.name}/README.md",
            f"{run.name}/config.yaml",
            f"{run.name}/manifest.json",
            f"{run.name}/plan.jsonl",
            f"{run.name}/run_log.json",
            f"{run.name}/instance_seg",
            *(f"{run.name}/instance_seg/test-0000{n}-of-00003.parquet" for n in range(3)),
        ]
    )


def test_the_manifest_is_true(settings_for: Make) -> None:
    run = app.run(settings_for("executor.shard_items=5"))
    content = read_manifest(run)
    assert content["run"] == run.name
    for file in content["files"]:
        data = (run / file["path"]).read_bytes()
        assert (file["size"], file["blake3"]) == (len(data), blake3(data).hexdigest())
    rows = [row for path in shard_files(run) for row in pq.read_table(path).to_pylist()]
    assert content["counts"]["items"] == len(rows) == len(row_hashes(run)) == 12
    assert content["counts"]["pictures"] == sum(len(row["media"]) for row in rows)
    assert content["counts"]["images"] == len({json.loads(r["metadata"])["image_id"] for r in rows})
    assert content["counts"]["file_bytes"] == sum(p.stat().st_size for p in shard_files(run))
    assert manifest.read_head(run) == {k: v for k, v in content.items() if k != "files"}


def test_the_manifest_tells_nothing_of_place_and_time(settings_for: Make, coco_root: Path) -> None:
    run = app.run(settings_for())
    text = (run / "manifest.json").read_text()
    for word in (str(run.parent), str(coco_root), os.uname().nodename, "workers", "started"):
        assert word not in text
    assert str(run.parent) in (run / "run_log.json").read_text()


def test_datasets_loads_the_folder_with_types(settings_for: Make, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    run = app.run(settings_for("executor.shard_items=5"))
    for streaming in (False, True):
        rows = datasets.load_dataset(
            str(run), split="test", streaming=streaming, cache_dir=str(tmp_path / "cache")
        )
        found = list(rows)
        assert len(found) == 12
        assert np.asarray(found[0]["media"][0]).shape == (120, 160, 3)
        assert found[0]["prompt"].count("<image>") == len(found[0]["media"]) == 3
        assert found[0]["answer"] in found[0]["choices"]


@pytest.mark.parametrize(
    "override", ["executor.workers=2", "executor.workers=4", "executor.shard_items=7"]
)
def test_workers_and_shards_do_not_change_rows(
    settings_for: Make, tmp_path: Path, override: str
) -> None:
    one = app.run(settings_for("executor.shard_items=3"))
    other = app.run(settings_for("executor.shard_items=3", override, f"out_root={tmp_path}/b"))
    assert one.name == other.name
    assert row_hashes(one) == row_hashes(other)
    if "workers" in override:
        assert (one / "manifest.json").read_bytes() == (other / "manifest.json").read_bytes()


def test_the_name_is_of_the_content_alone(
    settings_for: Make, coco_root: Path, tmp_path: Path
) -> None:
    def name(*overrides: str) -> str:
        return place.locate(settings_for(*overrides), "f").id

    shutil.copytree(coco_root, tmp_path / "moved")
    same = [
        name(),
        name("executor.workers=3", "executor.shard_items=9", "verify=full", "dry_run=true"),
        name(f"out_root={tmp_path}", f"data.root={tmp_path / 'moved'}"),
        name("seed=42", "question.min_gap=0"),
        name("question.min_gap=0.0", "seed=42"),
    ]
    assert len(set(same)) == 1
    others = [name("seed=43"), name("encoding.opacity=0.4"), name("media=files"), name("n_items=9")]
    assert len({same[0], *others}) == 5
    assert place.locate(settings_for(), "g").id != same[0]
    # A subset has a size of its own.
    assert name("subset=judge_analysis") == name("subset=judge_analysis", "n_items=9")


def test_moved_data_gives_the_same_run(settings_for: Make, coco_root: Path, tmp_path: Path) -> None:
    shutil.copytree(coco_root, tmp_path / "moved")
    one = app.run(settings_for())
    two = app.run(settings_for(f"data.root={tmp_path / 'moved'}", f"out_root={tmp_path}/b"))
    assert (one / "manifest.json").read_bytes() == (two / "manifest.json").read_bytes()


def test_a_run_that_is_there_is_not_touched(
    settings_for: Make, capfd: pytest.CaptureFixture[str]
) -> None:
    run = app.run(settings_for())
    before = times(list(run.rglob("*")))
    capfd.readouterr()
    assert app.run(settings_for("verify=full", "executor.shard_items=1")) == run
    assert times(list(run.rglob("*"))) == before
    assert capfd.readouterr() == ("", f"gen: run {run.name} is complete: nothing to make\n")


def interrupt(run: Path, lost: list[int]) -> None:
    """Make a complete run what a killed process leaves."""
    (run / "manifest.json").unlink()
    for index in lost:
        shard_files(run)[index].unlink()


def test_an_interrupted_run_goes_on_where_it_was(settings_for: Make) -> None:
    run = app.run(settings_for("executor.shard_items=3"))
    sealed = (run / "manifest.json").read_bytes()
    plan = times([run / "plan.jsonl"])
    interrupt(run, lost=[1])
    (run / "instance_seg" / ".tmp-test-00001-of-00004.parquet.9.ab").write_bytes(b"half")
    (run / ".tmp-plan.jsonl.9.ab").write_bytes(b"half")
    kept = times(shard_files(run)[1:])
    # As the run was cut, so it goes on, whatever the shard size is now.
    app.run(settings_for("executor.shard_items=9"))
    assert (run / "manifest.json").read_bytes() == sealed
    assert times([run / "plan.jsonl"]) == plan
    assert kept.items() <= times(shard_files(run)).items()
    assert not list(run.rglob(".tmp-*"))
    sessions = json.loads((run / "run_log.json").read_text())["sessions"]
    assert [one["resumed"] for one in sessions] == [False, True]
    assert (sessions[1]["shards_made"], sessions[1]["shards_kept"]) == (1, 3)


def test_shards_cut_in_two_ways_are_made_again(settings_for: Make) -> None:
    run = app.run(settings_for("executor.shard_items=3"))
    rows = row_hashes(run)
    interrupt(run, lost=[])
    shutil.copy(shard_files(run)[0], run / "instance_seg" / "test-00000-of-00002.parquet")
    app.run(settings_for("executor.shard_items=6"))
    assert [path.name for path in shard_files(run)] == [
        "test-00000-of-00002.parquet",
        "test-00001-of-00002.parquet",
    ]
    assert row_hashes(run) == rows


def test_what_other_versions_began_is_not_gone_on_with(
    settings_for: Make, capfd: pytest.CaptureFixture[str]
) -> None:
    run = app.run(settings_for("executor.shard_items=3"))
    interrupt(run, lost=[1])
    log = json.loads((run / "run_log.json").read_text())
    log["versions"]["packages"]["numpy"] = "1.0"
    (run / "run_log.json").write_text(json.dumps(log))
    before = times(shard_files(run)[1:])
    app.run(settings_for("executor.shard_items=3"))
    assert "was begun with other versions: making all of it again" in capfd.readouterr().err
    assert not before.items() & times(shard_files(run)).items()


@pytest.mark.parametrize("log", ["other versions", "gone", "broken", "not an object"])
def test_what_no_run_writes_is_never_removed(
    settings_for: Make, capfd: pytest.CaptureFixture[str], log: str
) -> None:
    settings = settings_for("media=files", "executor.shard_items=3")
    run = app.run(settings)
    interrupt(run, lost=[1])
    if log == "gone":
        (run / "run_log.json").unlink()
    else:
        texts = {"other versions": '{"versions": 1}', "broken": "\udcff{", "not an object": "[1]"}
        (run / "run_log.json").write_text(texts[log], errors="surrogateescape")
    for name in ("notes.txt", "instance_seg/mine.parquet", "media/cat.png", "a/b.csv", ".tmp-todo"):
        foreign = run / name
        foreign.parent.mkdir(exist_ok=True)
        foreign.write_text("mine")
        before = {path: path.stat().st_mtime_ns for path in run.rglob("*")}
        with pytest.raises(UserError) as caught:
            app.run(settings)
        assert str(caught.value).startswith(f"{foreign}: no file of a run")
        assert before == {path: path.stat().st_mtime_ns for path in run.rglob("*")}
        foreign.unlink()
    capfd.readouterr()
    assert app.run(settings) == run
    why = "was begun with other versions" if log == "other versions" else "has no run_log.json"
    assert why in capfd.readouterr().err
    assert len(row_hashes(run)) == 12


def test_what_no_run_writes_does_not_keep_a_run_from_going_on(settings_for: Make) -> None:
    run = app.run(settings_for("executor.shard_items=3"))
    interrupt(run, lost=[1])
    (run / "notes.txt").write_text("mine")
    (run / ".tmp-notes").write_text("mine")
    app.run(settings_for("executor.shard_items=3"))
    assert (run / "notes.txt").read_text() == (run / ".tmp-notes").read_text() == "mine"


@pytest.mark.parametrize(
    "name", ["plan.jsonl", "manifest.json", "README.md", "config.yaml", "run_log.json", "shard"]
)
def test_a_folder_where_a_file_should_be_is_one_line(settings_for: Make, name: str) -> None:
    settings = settings_for("executor.shard_items=3")
    run = app.run(settings)
    interrupt(run, lost=[])
    path = shard_files(run)[1] if name == "shard" else run / name
    path.unlink(missing_ok=True)
    path.mkdir()
    (path / "mine").touch()
    with pytest.raises(UserError) as caught:
        app.run(settings)
    assert str(caught.value).startswith(f"{path}: a run keeps a file there; move")
    assert (path / "mine").exists()


def test_links_in_place_of_a_run_and_of_its_files(settings_for: Make, tmp_path: Path) -> None:
    settings = settings_for("executor.shard_items=3", "verify=full")
    run = app.run(settings)
    moved = run.rename(tmp_path / "moved")
    run.symlink_to(moved)
    (moved / "run_log.json").unlink()
    shard = shard_files(run)[1]
    shard.unlink()
    shard.symlink_to(shard.name)
    app.run(settings)
    assert run.is_symlink()
    assert not shard.is_symlink()
    run.unlink()
    run.symlink_to(run.name)
    with pytest.raises(UserError, match="a run keeps a folder there"):
        app.run(settings)


@pytest.mark.parametrize("verify", ["quick", "full"])
@pytest.mark.parametrize(
    "damage", ["gone", "cut", "flipped", "plan", "readme", "manifest", "foreign"]
)
def test_damage_is_found_and_only_the_damaged_file_made_again(
    settings_for: Make, capfd: pytest.CaptureFixture[str], verify: str, damage: str
) -> None:
    settings = settings_for("executor.shard_items=3", f"verify={verify}")
    run = app.run(settings)
    sealed = (run / "manifest.json").read_bytes()
    shard = shard_files(run)[2]
    content = shard.read_bytes()
    others = times([path for path in shard_files(run) if path != shard])
    if damage == "gone":
        shard.unlink()
    elif damage == "cut":
        shard.write_bytes(content[:-9])
    elif damage == "flipped":
        shard.write_bytes(content[:2000] + bytes([content[2000] ^ 1]) + content[2001:])
    elif damage == "plan":
        (run / "plan.jsonl").unlink()
    elif damage == "readme":
        (run / "README.md").write_text("cut")
    elif damage == "manifest":
        (run / "manifest.json").write_bytes(sealed[:-50])
    else:
        wrong = sealed.replace(b'"path":"plan.jsonl"', b'"path":"../../plan.jsonl"')
        (run / "manifest.json").write_bytes(wrong)
    outside = run.parents[1] / "plan.jsonl"
    outside.write_text("not of this run")
    capfd.readouterr()
    app.run(settings)
    err = capfd.readouterr().err
    if damage == "flipped" and verify == "quick":
        assert "nothing to make" in err
        return
    assert "is damaged (" in err
    assert outside.exists()
    assert (run / "manifest.json").read_bytes() == sealed
    assert shard.read_bytes() == content
    assert times([path for path in shard_files(run) if path != shard]) == others


PLAN_EDITS: dict[str, Callable[[bytes], bytes]] = {
    "score": lambda plan: plan.replace(b'"final_score":', b'"final_score":1'),
    "header": lambda plan: plan.replace(b'"items":12', b'"items":11', 1),
    "header cut": lambda plan: plan[:40],
    "lines cut": lambda plan: plan[: len(plan) // 2],
    "empty": lambda _: b"",
    "no JSON": lambda plan: b"\xff" + plan[1:],
    "another index": lambda plan: plan.replace(b'"index":[0', b'"index":[5', 1),
}


@pytest.mark.parametrize("edit", PLAN_EDITS)
def test_a_plan_that_was_edited_is_made_again(settings_for: Make, edit: str) -> None:
    settings = settings_for("executor.shard_items=3")
    run = app.run(settings)
    sealed = (run / "manifest.json").read_bytes()
    plan = (run / "plan.jsonl").read_bytes()
    interrupt(run, lost=[1, 2])
    kept = times(shard_files(run))
    edited = PLAN_EDITS[edit](plan)
    assert edited != plan
    (run / "plan.jsonl").write_bytes(edited)
    app.run(settings)
    assert (run / "plan.jsonl").read_bytes() == plan
    assert (run / "manifest.json").read_bytes() == sealed
    assert kept.items() <= times(shard_files(run)).items()


def test_items_of_another_plan_are_made_again(
    settings_for: Make, capfd: pytest.CaptureFixture[str]
) -> None:
    settings = settings_for("executor.shard_items=3", "media=files")
    run = app.run(settings)
    sealed = (run / "manifest.json").read_bytes()
    interrupt(run, lost=[1])
    log = json.loads((run / "run_log.json").read_text())
    log["plan"] = "0" * 64
    (run / "run_log.json").write_text(json.dumps(log))
    stale = run / "media" / f"{'0' * 16}_a.png"
    stale.touch()
    kept = times(shard_files(run))
    app.run(settings)
    assert "begun with another plan" in capfd.readouterr().err
    assert (run / "manifest.json").read_bytes() == sealed
    assert not kept.items() & times(shard_files(run)).items()
    assert not stale.exists()


FORGERIES: dict[str, Callable[[dict[str, Any]], object]] = {
    "no files": lambda m: m.update(files=[]),
    "no shards": lambda m: m.update(files=m["files"][:2]),
    "a shard less": lambda m: m["files"].pop(),
    "no plan": lambda m: m["files"].pop(1),
    "a shard twice": lambda m: m["files"].append(m["files"][-1]),
    "another order": lambda m: m["files"].reverse(),
    "items": lambda m: m["counts"].update(items=13),
    "bytes": lambda m: m["counts"].update(file_bytes=1),
    "no row hashes": lambda m: m["files"][-1].update(row_hashes=[]),
    "config": lambda m: m["config"].update(seed=7),
    "source": lambda m: m.update(source="0" * 64),
    "pictures": lambda m: m["counts"].update(pictures=0),
    "images": lambda m: m["counts"].update(images=1),
    "plan": lambda m: m["plan"].update(shortfalls=["none"]),
    "rejections": lambda m: m.update(rejections={"none": 3}),
    "versions": lambda m: m["versions"].update(gen="9"),
    "one more": lambda m: m.update(note="all is well"),
}
FULL_ONLY = {"pictures", "images", "plan", "rejections", "versions", "one more"}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_manifest_that_was_edited_is_written_again(
    settings_for: Make, capfd: pytest.CaptureFixture[str], forgery: str
) -> None:
    settings = settings_for("executor.shard_items=3", "verify=full")
    run = app.run(settings)
    sealed = (run / "manifest.json").read_bytes()
    content = orjson.loads(sealed)
    FORGERIES[forgery](content)
    (run / "manifest.json").write_bytes(orjson.dumps(content))
    before = times(shard_files(run))
    if forgery not in FULL_ONLY:
        settings = settings_for("executor.shard_items=3")
    app.run(settings)
    assert "manifest.json is damaged" in capfd.readouterr().err
    assert (run / "manifest.json").read_bytes() == sealed
    assert times(shard_files(run)) == before


@pytest.mark.parametrize(
    ("verify", "text"), [("quick", None), ("full", ""), ("full", "seed: 1"), ("full", "\0")]
)
def test_the_config_of_a_run_is_part_of_it(
    settings_for: Make, capfd: pytest.CaptureFixture[str], verify: str, text: str | None
) -> None:
    settings = settings_for(f"verify={verify}")
    run = app.run(settings)
    config = (run / "config.yaml").read_text()
    if text is None:
        (run / "config.yaml").unlink()
    else:
        (run / "config.yaml").write_text(text and config.replace("seed: 42", text))
        if text == "\0":
            (run / "config.yaml").write_text(text)
    before = times(shard_files(run))
    app.run(settings)
    assert "config.yaml is damaged" in capfd.readouterr().err
    assert (run / "config.yaml").read_text() == config
    assert times(shard_files(run)) == before


def test_full_checks_the_rows_of_an_interrupted_run(settings_for: Make) -> None:
    settings = settings_for("executor.shard_items=3", "verify=full")
    run = app.run(settings)
    rows = row_hashes(run)
    interrupt(run, lost=[])
    shard = shard_files(run)[2]
    content = shard.read_bytes()
    shard.write_bytes(content[:2000] + bytes([content[2000] ^ 1]) + content[2001:])
    app.run(settings)
    assert row_hashes(run) == rows
    assert shard.read_bytes() == content


def test_pictures_stand_beside_the_parquet_and_are_mended(
    settings_for: Make, capfd: pytest.CaptureFixture[str]
) -> None:
    settings = settings_for("media=files", "executor.shard_items=3", "verify=full")
    run = app.run(settings)
    rows = [row for path in shard_files(run) for row in pq.read_table(path).to_pylist()]
    shown = {one["path"]: one["bytes"] for row in rows for one in row["media"]}
    assert {path.name: path.read_bytes() for path in (run / "media").iterdir()} == shown
    assert rows[0]["media"][0]["path"].startswith("original_")
    assert rows[0]["media"][1]["path"] == f"{rows[0]['id']}_a.png"
    sealed = (run / "manifest.json").read_bytes()
    lost, changed = (run / "media" / rows[index]["media"][1]["path"] for index in (0, 11))
    lost.unlink()
    changed.write_bytes(bytes(len(changed.read_bytes())))
    others = times(shard_files(run)[1:3])
    app.run(settings)
    err = capfd.readouterr().err
    assert f"{lost} is damaged (it is missing)" in err
    assert f"{changed} is damaged (its content has changed)" in err
    assert {path.name: path.read_bytes() for path in (run / "media").iterdir()} == shown
    assert (run / "manifest.json").read_bytes() == sealed
    assert others.items() <= times(shard_files(run)).items()


def test_an_interrupted_run_does_not_trust_a_shard_whose_pictures_are_cut(
    settings_for: Make,
) -> None:
    settings = settings_for("media=files", "executor.shard_items=3")
    run = app.run(settings)
    interrupt(run, lost=[3])
    picture = next(
        run / "media" / name for name in parquet.footer(shard_files(run)[1]).media if "_a" in name
    )
    content = picture.read_bytes()
    picture.write_bytes(b"")  # what a power cut may leave
    app.run(settings)
    assert picture.read_bytes() == content


def test_a_dry_run_writes_nothing(
    settings_for: Make, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    place = app.run(settings_for("dry_run=true", "executor.shard_items=3"))
    assert not (tmp_path / "out").exists()
    out, _ = capfd.readouterr()
    assert place.name in out.splitlines()[0]
    assert "items     12, over 6 photos" in out
    assert "pictures  36" in out
    said = next(line for line in out.splitlines() if line.startswith("  bytes"))
    run = app.run(settings_for("executor.shard_items=3"))
    assert run == place
    real = read_manifest(run)["counts"]["file_bytes"]
    assert said.split()[3] == "MB"
    assert float(said.split()[2]) * 1e6 == pytest.approx(real, rel=0.5)


def test_a_dry_run_without_a_temporary_folder_is_one_line(
    settings_for: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(UserError, match=r"^dry_run: no room .* TMPDIR"):
        app.run(settings_for("dry_run=true"))


def test_items_left_out_late_are_said(
    settings_for: Make, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def alike(*_: object) -> bool:
        seen.append(1)
        return len(seen) % 4 == 0

    monkeypatch.setattr("gen.judge.items.alike", alike)
    run = app.run(settings_for())
    assert "gen: 3 of 12 planned items left out: options look the same\n" in capfd.readouterr().err
    assert read_manifest(run)["rejections"] == {"options look the same": 3}


def test_out_root_that_is_a_file_is_one_line(settings_for: Make, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for root in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(UserError) as caught:
            app.run(settings_for(f"out_root={root}"))
        assert str(caught.value).startswith(f"out_root={root}: {tmp_path / 'file'}")
        assert str(caught.value).endswith("; set out_root= to a folder that can be written")


@contextmanager
def not_root() -> Iterator[None]:
    if os.geteuid() != 0:
        yield
        return
    # What is imported late must be there before: Python itself may lie in a folder of root's.
    import_module("gen.rundir.produce")
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_out_root_that_cannot_be_written_is_one_line(
    settings_for: Make, coco_root: Path, tmp_path: Path
) -> None:
    settings = settings_for(f"out_root={tmp_path / 'closed'}")
    (tmp_path / "closed").mkdir(mode=0o555)
    top = Path(tempfile.gettempdir())
    for folder in {coco_root, tmp_path, *coco_root.parents, *tmp_path.parents}:
        if top in folder.parents:
            folder.chmod(0o755)  # pytest makes them for its user only
    expected = (
        f"out_root={tmp_path}/closed: {tmp_path}/closed/.locks: Permission denied; "
        "set out_root= to a folder that can be written"
    )
    with not_root(), pytest.raises(UserError) as caught:
        app.run(settings)
    assert str(caught.value) == expected


def test_broken_records_are_said_and_counted(
    settings_for: Make, coco_root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "coco"
    shutil.copytree(coco_root, root)
    (path,) = root.glob("annotations/*instances*.json")
    content = orjson.loads(path.read_bytes())
    for broken in content["annotations"][:2]:
        broken["segmentation"] = "no mask"
    path.write_bytes(orjson.dumps(content))
    run = app.run(settings_for(f"data.root={root}"))
    head = manifest.read_head(run)
    assert head is not None
    counted = head["counts"]["problems"]
    assert counted == {"bad_rle": 2}
    said = [line for line in capsys.readouterr().err.splitlines() if "records skipped" in line]
    first = content["annotations"][0]["id"]
    assert len(said) == 1
    assert "2 bad_rle; the first: annotations/" in said[0]
    assert f"annotation {first}: segmentation is a str" in said[0]


# From here on: whole processes.


def command(coco_root: Path, out: Path, *overrides: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "gen",
        "data=coco",
        f"data.root={coco_root}",
        f"out_root={out}",
        "n_items=40",
        "executor.shard_items=1",
        "executor.workers=2",
        *overrides,
    ]


def finish(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def start(arguments: list[str], **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
    )


@pytest.mark.slow
def test_kill_9_in_the_middle_and_again_gives_the_same_run(coco_root: Path, tmp_path: Path) -> None:
    whole = finish(start(command(coco_root, tmp_path / "whole")))
    run = tmp_path / "killed" / Path(whole[1].strip()).name
    for least in (1, 12):  # killed twice, at two places
        process = start(command(coco_root, tmp_path / "killed"))
        while len(list(run.glob("instance_seg/test-*"))) < least:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert not (run / "manifest.json").exists()
    status, out, err = finish(start(command(coco_root, tmp_path / "killed")))
    assert (status, out) == (0, f"{run}\n")
    assert f"going on with run {run.name}" in err
    expected = tmp_path / "whole" / run.name
    assert (run / "manifest.json").read_bytes() == (expected / "manifest.json").read_bytes()
    assert tree(run) == tree(expected)


@pytest.mark.slow
def test_equal_runs_started_together_do_no_harm(coco_root: Path, tmp_path: Path) -> None:
    processes = [start(command(coco_root, tmp_path / "out")) for _ in range(4)]
    ends = [finish(process) for process in processes]
    assert {end[0] for end in ends} == {0}
    (last,) = {end[1] for end in ends}
    run = Path(last.strip())
    head = manifest.read_head(run)
    assert head is not None
    key = {name: head[name] for name in ("config", "source", "data_versions")}
    found = place.RunDir(run.parent, run.name, "instance_seg", key)
    assert verify.faults(found, full=True) == []
    assert sum("nothing to make" in end[2] for end in ends) == 3
    assert len(json.loads((run / "run_log.json").read_text())["sessions"]) == 1


@pytest.mark.slow
def test_hash_seed_order_of_overrides_and_workers_give_the_same_manifest(
    coco_root: Path, tmp_path: Path
) -> None:
    manifests = set()
    for seed, workers, overrides in (
        ("0", 1, ["seed=3", "encoding=text_polygon"]),
        ("77", 2, ["encoding=text_polygon", "seed=3"]),
        ("random", 4, ["seed=3", "encoding=text_polygon"]),
    ):
        arguments = command(coco_root, tmp_path / seed, *overrides)
        arguments[arguments.index("executor.workers=2")] = f"executor.workers={workers}"
        status, out, _ = finish(start(arguments, PYTHONHASHSEED=seed))
        assert status == 0
        manifests.add((Path(out.strip()) / "manifest.json").read_bytes())
    assert len(manifests) == 1


@pytest.mark.slow
def test_the_config_of_a_run_makes_it_again_and_leaves_nothing_else(
    coco_root: Path, tmp_path: Path
) -> None:
    first = finish(start(command(coco_root, tmp_path / "a", "encoding.opacity=0.3")))
    run = Path(first[1].strip())
    work = tmp_path / "work"
    work.mkdir()
    arguments = ["--config-path", str(run), "--config-name", "config", f"out_root={tmp_path / 'b'}"]
    again = subprocess.run(
        [sys.executable, "-m", "gen", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=work,
    )
    assert (again.returncode, again.stdout) == (0, f"{tmp_path / 'b' / run.name}\n")
    one, two = (tmp_path / x / run.name / "manifest.json" for x in "ab")
    assert one.read_bytes() == two.read_bytes()
    assert list(work.iterdir()) == []


FULL_DISK = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))
from gen.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
def test_a_full_disk_is_one_line_and_leaves_whole_shards(coco_root: Path, tmp_path: Path) -> None:
    arguments = command(coco_root, tmp_path / "out")[3:]
    arguments[arguments.index("executor.shard_items=1")] = "executor.shard_items=20"
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, *arguments], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(f"gen: out_root={tmp_path / 'out'}: File too")
    assert "Traceback" not in done.stderr
    assert not list((tmp_path / "out").rglob(".tmp-*"))
    assert not list((tmp_path / "out").rglob("manifest.json"))
