"""The wheel works from any folder and carries its own settings."""

import json
import os
import site
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the scripts of an environment that has gen as a wheel, not as this checkout."""
    top = tmp_path_factory.mktemp("wheel")
    python = top / "env" / "bin" / "python"
    build = ["build", "--wheel", "--no-isolation", "--outdir", str(top), str(REPOSITORY)]
    subprocess.run([sys.executable, "-m", *build], check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", top / "env"], check=True)
    (wheel,) = top.glob("*.whl")
    pip = ["pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([sys.executable, "-m", *pip, str(wheel)], check=True)
    # A path in a .pth file is not searched for .pth files: the editable gen stays out of sight.
    (packages,) = top.glob("env/lib/python*/site-packages")
    (packages / "others.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")
    return python.parent


def said_by(command: list[str | Path], folder: Path) -> str:
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=folder, env=clean, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_wheel_has_every_option_of_the_checkout(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "config.yaml").write_text("n_items: 99\n", encoding="utf-8")
    where = said_by([installed / "python", "-c", "import gen; print(gen.__file__)"], tmp_path)
    assert Path(where.strip()).is_relative_to(installed.parent)
    for command in (["--cfg", "job"], ["catalog", "--json"]):
        wheel = said_by([installed / "gen", *command], tmp_path)
        checkout = said_by([sys.executable, "-m", "gen", *command], tmp_path)
        assert wheel == checkout


@pytest.mark.slow
def test_the_wheel_makes_the_run_that_the_checkout_makes(installed: Path, tmp_path: Path) -> None:
    typed = ["n_items=2", "executor.workers=1"]
    made = []
    for name, program in (
        ("wheel", [installed / "gen"]),
        ("checkout", [sys.executable, "-m", "gen"]),
    ):
        (tmp_path / name).mkdir()
        run = said_by([*program, *typed], tmp_path / name).splitlines()[-1]
        manifest = json.loads((tmp_path / name / run / "manifest.json").read_text("utf-8"))
        made.append((run, manifest))
    assert made[0] == made[1]


@pytest.mark.slow
def test_the_wheel_sweeps(installed: Path, tmp_path: Path) -> None:
    swept = [installed / "gen", "-m", "encoding=glob(text_*)", "n_items=1", "dry_run=true"]
    assert len(said_by(swept, tmp_path).splitlines()) >= 4
    settings = yaml.safe_load(said_by([installed / "gen", "--cfg", "hydra"], tmp_path))
    assert settings["hydra"]["sweeper"]["_target_"] == "hydra_plugins.gen_sweeper.GenSweeper"
