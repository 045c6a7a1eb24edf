"""What the command line does when all is well."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hydra.core.config_store import ConfigStore

import gen as package

GEN = [sys.executable, "-m", "gen"]
# Nothing to draw: the quickest job there is.
QUICK = "encoding=text_rle n_items=1"


def test_help_says_all_that_a_newcomer_needs(gen: Callable[[str], Any]) -> None:
    outcome = gen("--help")
    assert (outcome.status, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert len(lines) <= 64
    assert max(map(len, lines)) <= 100
    for words in (
        "python -m gen task=instance_seg encoding=pixel_ss1_m0_o0_l1_c0_b1",
        "  question     pairwise, ranking, scoring",
        "  encoding     0305, 1742,",
        "  task         controllable, deblur, depth,",
        "  build ",
        "  catalog ",
        "n_items=20",
        'eval "$(gen -sc install=bash)"',
    ):
        assert words in outcome.out
    assert "hydra/" not in outcome.out


def test_help_says_the_real_defaults(gen: Callable[[str], Any]) -> None:
    settings = yaml.safe_load(gen("--cfg job").out)
    section = gen("--help").out.split("Settings (")[1].split("Result")[0]
    said = dict(line.split()[0].split("=") for line in section.splitlines()[1:] if "=" in line)
    assert len(said) >= 9
    for key, text in said.items():
        value: Any = settings
        if key == "subset":
            value = settings["subset"]["name"]
        else:
            for part in key.split("."):
                value = value[part]
        assert str(yaml.safe_load(text)) == str(value), key


@pytest.mark.parametrize("verb", ["build", "catalog", "convert", "runs"])
def test_help_of_a_verb(gen: Callable[[str], Any], verb: str) -> None:
    outcome = gen(f"{verb} --help")
    assert outcome.status == 0
    assert f"python -m gen {verb}" in outcome.out


def test_help_lists_options_of_a_folder_of_your_own(
    gen: Callable[[str], Any], own_encoding: Path
) -> None:
    assert "faint," in gen(f"--help --config-dir {own_encoding}").out


def test_version(gen: Callable[[str], Any]) -> None:
    assert gen("--version").out == f"gen {package.__version__}\n"


def test_the_settings_of_the_default_run(gen: Callable[[str], Any]) -> None:
    settings = yaml.safe_load(gen("--cfg job").out)
    said = gen("--cfg job task=instance_seg encoding=pixel_ss1_m0_o0_l1_c0_b1")
    assert yaml.safe_load(said.out) == settings
    assert settings["encoding"]["name"] == "pixel_ss1_m0_o0_l1_c0_b1"
    names = {group: settings[group]["name"] for group in ("task", "question", "subset", "data")}
    assert names == {
        "task": "instance_seg",
        "question": "pairwise",
        "subset": "none",
        "data": "embedded",
    }
    assert (settings["n_items"], settings["seed"]) == (20, 42)


def test_where_the_settings_come_from(gen: Callable[[str], Any]) -> None:
    outcome = gen("--info defaults")
    assert outcome.status == 0
    assert "encoding/pixel_ss1_m0_o0_l1_c0_b1" in outcome.out


@pytest.mark.parametrize(
    ("typed", "group", "name"),
    [
        ("encoding=1742", "encoding", "1742"),
        ("encoding='\"1742\"'", "encoding", "1742"),
        ("task=instance_segmentation", "task", "instance_seg"),
        ("'task=\"instance_segmentation\"'", "task", "instance_seg"),
    ],
)
def test_names_that_hydra_would_not_take(
    gen: Callable[[str], Any], typed: str, group: str, name: str
) -> None:
    assert yaml.safe_load(gen(f"--cfg job {typed}").out)[group]["name"] == name


def test_a_run_ends_with_its_folder_on_stdout(gen: Callable[[str], Any], tmp_path: Path) -> None:
    outcome = gen(QUICK)
    assert outcome.status == 0
    folder = outcome.out.splitlines()[-1]
    assert (tmp_path / folder / "manifest.json").is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["outputs"]
    assert gen("n_items=1 encoding=text_rle").out == outcome.out


def test_a_dry_run_writes_nothing(gen: Callable[[str], Any], tmp_path: Path) -> None:
    assert gen(f"{QUICK} dry_run=true").status == 0
    assert gen("-m encoding=text_rle,text_matrix n_items=1 dry_run=true").status == 0
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def own_encoding(tmp_path: Path) -> Path:
    """A folder with an encoding of the user's own, `faint`."""
    folder = tmp_path / "mine"
    (folder / "encoding").mkdir(parents=True)
    (folder / "encoding" / "faint.yaml").write_text(
        "# Masks that one hardly sees.\n"
        "defaults: [pixel_ss1_m0_o0_l1_c0_b1, _self_]\n"
        "name: faint\nopacity: 0.1\ntasks: [instance_seg]\n",
        encoding="utf-8",
    )
    return folder


def test_an_encoding_of_your_own(gen: Callable[[str], Any], own_encoding: Path) -> None:
    outcome = gen(f"--config-dir {own_encoding} encoding=faint n_items=1")
    assert outcome.status == 0, outcome.err
    listed = json.loads(gen(f"catalog kind=encodings --json --config-dir {own_encoding}").out)
    faint = next(entry for entry in listed["encodings"] if entry["name"] == "faint")
    assert faint["about"] == "Masks that one hardly sees."
    assert [row["name"] for row in faint["tasks"]] == ["instance_seg"]


def test_catalog_lists_every_option(gen: Callable[[str], Any]) -> None:
    content = json.loads(gen("catalog --json").out)
    kinds = ["tasks", "encodings", "questions", "subsets", "collections", "data", "predictions"]
    assert sorted(content) == sorted([*kinds, "executors"])
    used = {row["name"] for task in content["tasks"] for row in task["encodings"]}
    assert used == {encoding["name"] for encoding in content["encodings"]}
    combo = next(entry for entry in content["encodings"] if entry["name"] == "1742")
    assert combo["settings"]["text"] == "text_polygon"
    assert all(entry["about"] for entries in content.values() for entry in entries)


def test_catalog_in_a_pipe_is_plain_and_whole(gen: Callable[[str], Any]) -> None:
    outcome = gen("catalog kind=encodings")
    assert "\x1b" not in outcome.out
    assert "…" not in outcome.out
    row = next(line for line in outcome.out.splitlines() if "pixel_ss1_m0_o0_l1_c0_b1" in line)
    assert "opacity=0.5" in row
    assert "instance_seg (final, base ablation)" in row


def test_completion(gen: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["__main__.py"])
    assert gen("-sc install=bash").out.rstrip().endswith("hydra_bash_completion gen")
    monkeypatch.setenv("COMP_LINE", "gen encoding=text_")
    found = gen("-sc query=bash").out.split()
    assert {"encoding=text_matrix", "encoding=text_rle", "encoding=text_ss0"} < set(found)
    assert all(option.startswith("encoding=text_") for option in found)


def test_the_sweeper_is_a_plugin(gen: Callable[[str], Any]) -> None:
    gen("--help")
    assert "gen.yaml" in ConfigStore.instance().list("hydra/sweeper")


def test_a_conf_of_your_own_in_the_way_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "config.yaml").write_text("n_items: 99\n", encoding="utf-8")
    done = subprocess.run(
        [*GEN, "--cfg", "job", "encoding=1742"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert yaml.safe_load(done.stdout)["n_items"] == 20
    assert done.stderr == ""


def test_wrong_input_in_a_process(tmp_path: Path) -> None:
    done = subprocess.run(
        [*GEN, "n_items=ten"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "gen: n_items: Input should be a valid integer (got 'ten')\n"


@pytest.mark.parametrize("typed", [["--help"], ["catalog", "--json"]])
def test_a_reader_that_goes_away_is_no_error(typed: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*GEN, *typed],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


def test_ctrl_c_is_one_line(tmp_path: Path) -> None:
    command = [*GEN, "-m", "n_items=range(1,1000)", "dry_run=true"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(6.0)  # on a busy machine it takes seconds until the command is at work
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert said.splitlines()[-1] == "gen: stopped; the same command goes on from what is whole"
    assert "Traceback" not in said


def test_licences_name_one_run_however_they_are_named(gen: Callable[[str], Any]) -> None:
    forms = ("[cc0-1.0]", "[CC0 1.0]", "[cc0-1.0,cc0-1.0]", "[CC0_1.0]")
    said = [gen(f"{QUICK} dry_run=true 'data.licenses={form}'") for form in forms]
    assert said[0].status == 0, said[0].err
    assert len({outcome.out.splitlines()[-1] for outcome in said}) == 1


def test_a_tilde_is_the_home_folder(
    gen: Callable[[str], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    outcome = gen(f"{QUICK} \"out_root='~/zz'\"")
    assert outcome.status == 0, outcome.err
    assert Path(outcome.out.strip()).parent == tmp_path / "home" / "zz"
    listed = json.loads(gen("runs \"out_root='~/zz'\" --json").out)
    assert [run["state"] for run in listed["runs"]] == ["complete"]
    assert gen(f"{QUICK} \"out_root='./~zz'\"").status == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "~zz"]


def test_a_closed_or_full_stdout_costs_no_work(tmp_path: Path) -> None:
    def shell(line: str) -> tuple[int, str]:
        done = subprocess.run(
            ["bash", "-c", line.replace("GEN", f"{sys.executable} -m gen")],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stderr

    assert shell(f"GEN {QUICK} >&-")[0] == 0
    full = "gen: stdout: No space left on device\n"
    for line in (QUICK, "catalog", "--cfg job", "--help"):
        status, said = shell(f"GEN {line} >/dev/full")
        assert (status, said.endswith(full), "Traceback" in said) == (2, True, False), line
    status, said = shell(f"(GEN -m {QUICK} seed=1,2; exit $?) | true; exit ${{PIPESTATUS[0]}}")
    assert (status, "2 done" in said) == (141, True)
    assert shell("GEN catalog | true; exit ${PIPESTATUS[0]}")[0] == 141
    plain = "LC_ALL=POSIX PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 PYTHONIOENCODING=ascii"
    assert shell(f"{plain} GEN --cfg job")[0] == 0
    gone = "the folder that you are in is gone: cd to another one"
    assert shell("mkdir x; cd x; rmdir ../x; GEN --cfg job") == (2, f"gen: {gone}\n")
