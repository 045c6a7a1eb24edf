"""`gen runs` over folders as they are found."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gen import app
from gen.errors import UserError
from gen.rundir import lock
from gen.schema import Settings
from gen.verbs import runs

Make = Callable[..., Settings]


def listed(out_root: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capsys.readouterr()
    assert runs.main({"out_root": str(out_root), "json": True}) == 0
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    return content


def test_states_sizes_and_differing_settings(
    settings_for: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    whole = app.run(settings_for())
    other = app.run(settings_for("encoding=text_rle", "n_items=6"))
    begun = app.run(settings_for("encoding.opacity=0.25"))
    (begun / "manifest.json").unlink()
    working = app.run(settings_for("seed=1"))
    (working / "manifest.json").unlink()
    broken = app.run(settings_for("seed=2"))
    (broken / "manifest.json").write_text('{"config"')
    (out / "notes").mkdir()
    (out / "a.txt").touch()
    with lock.exclusive(out, working.name):
        content = listed(out, capsys)
    assert content["foreign"] == ["a.txt", "notes"]
    found = {run["id"]: run for run in content["runs"]}
    assert {name: run["state"] for name, run in found.items()} == {
        whole.name: "complete",
        other.name: "complete",
        begun.name: "interrupted",
        working.name: "in progress",
        broken.name: "broken",
    }
    assert (found[whole.name]["items"], found[other.name]["items"]) == (12, 6)
    size = sum(path.stat().st_size for path in whole.glob("*/*.parquet"))
    assert found[whole.name]["bytes"] == size
    assert found[begun.name]["items"] is None
    assert found[broken.name]["note"] == "manifest.json is cut off or not one of ours"
    # text_rle has no opacity; that follows from its name. Of two with one name it is a difference.
    assert set(found[whole.name]["settings"]) == {
        "encoding.name",
        "encoding.opacity",
        "n_items",
        "seed",
    }
    assert found[begun.name]["settings"]["encoding.opacity"] == 0.25
    assert found[working.name]["settings"]["seed"] == 1
    capsys.readouterr()
    runs.main({"out_root": str(out), "json": False})
    table = capsys.readouterr().out
    assert all(word in table for word in (whole.name, "complete", "text_rle", "0.25", "broken"))
    assert "not runs: a.txt, notes" in table


def test_equal_settings_are_not_shown(
    settings_for: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app.run(settings_for())
    assert listed(tmp_path / "out", capsys)["runs"][0]["settings"] == {}


def test_listing_changes_nothing_and_does_not_disturb_a_writer(
    settings_for: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = app.run(settings_for())
    (run / "manifest.json").unlink()
    stop = threading.Event()

    def look() -> None:
        while not stop.is_set():
            lock.is_held(tmp_path / "out", run.name)

    watcher = threading.Thread(target=look)
    watcher.start()
    app.run(settings_for())
    stop.set()
    watcher.join()
    assert [one["state"] for one in listed(tmp_path / "out", capsys)["runs"]] == ["complete"]


def test_no_folder_is_no_runs_and_a_file_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert listed(tmp_path / "none", capsys) == {"runs": [], "foreign": []}
    assert not (tmp_path / "none").exists()
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="file: Not a directory"):
        runs.main({"out_root": str(tmp_path / "file"), "json": False})


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ([], []),
        ([{"seed": 1}], []),
        ([{"seed": 1}, {"seed": 2}], ["seed"]),
        ([{"seed": 1}, {}], ["seed"]),
        ([{"e.name": "a", "e.x": 1}, {"e.name": "b", "e.x": 2}], ["e.name"]),
        ([{"e.name": "a", "e.x": 1}, {"e.name": "b"}], ["e.name"]),
        ([{"e.name": "a", "e.x": 1}, {"e.name": "a", "e.x": 2}], ["e.x"]),
        ([{"w.x": [1, 2]}, {"w.x": [2, 1]}], ["w.x"]),
    ],
)
def test_differences(settings: list[dict[str, Any]], expected: list[str]) -> None:
    assert runs.differences(settings) == expected
