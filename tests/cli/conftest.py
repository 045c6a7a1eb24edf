"""The command line, run in this process: much quicker than a process each, and as real."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gen.__main__ import main


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str


Run = Callable[[str], Outcome]


@pytest.fixture
def gen(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`gen("key=value ...")` as typed in a shell, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HYDRA_FULL_ERROR", raising=False)

    def run(line: str) -> Outcome:
        capsys.readouterr()
        status = main(shlex.split(line))
        return Outcome(status, *capsys.readouterr())

    return run
