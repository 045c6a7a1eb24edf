"""What is typed wrong gets one line that says what, where and what is near, and status 2."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

CASES = yaml.safe_load((Path(__file__).parent / "wrong_inputs.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("typed", "says"), CASES, ids=[typed for typed, _ in CASES])
def test_wrong_input(gen: Callable[[str], Any], tmp_path: Path, typed: str, says: str) -> None:
    outcome = gen(typed)
    assert outcome.err == f"gen: {says}\n"
    assert (outcome.status, outcome.out) == (2, "")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_not_yaml_is_named_with_its_line(
    gen: Callable[[str], Any], tmp_path: Path
) -> None:
    file = tmp_path / "encoding" / "mine.yaml"
    file.parent.mkdir()
    file.write_text("name: mine\nform: [mask\n", encoding="utf-8")
    outcome = gen("--config-dir . encoding=mine")
    assert outcome.status == 2
    assert outcome.err.startswith(f"gen: {file}, line 3: not YAML: ")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("encoding/text_matrix", b"name: x", "has the name of a shipped option; rename it"),
        ("config", b"seed: 1", "has the name of a shipped option; rename it"),
        ("encoding/z", b"name: \xff", "is not UTF-8: byte 6: invalid start byte"),
        ("encoding/z", b"defaults: foo", "defaults must be a list: defaults: [option, _self_]"),
        ("encoding/z", b"- 1", "must hold settings as key: value"),
    ],
)
def test_a_file_of_your_own_that_cannot_be_an_option(
    gen: Callable[[str], Any], tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    file = tmp_path / f"{name}.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(content)
    for typed in ("--config-dir .", "'hydra.searchpath=[.]'", "-m seed=1,2 --config-dir ."):
        outcome = gen(typed)
        assert (outcome.status, outcome.out) == (2, "")
        assert outcome.err in (f"gen: {file} {says}\n", f"gen: {file}: {says}\n")


def test_verbose_brings_the_trace_back(gen: Callable[[str], Any]) -> None:
    outcome = gen("n_items=ten hydra.verbose=true")
    assert outcome.status == 2
    assert "Traceback" in outcome.err
    assert outcome.err.endswith("\ngen: n_items: Input should be a valid integer (got 'ten')\n")


def test_a_fault_of_ours_is_not_swallowed(
    gen: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(settings: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("gen.app.run", broken)
    with pytest.raises(ZeroDivisionError):
        gen("n_items=1")


def test_an_unknown_licence_gets_the_list_of_licences(gen: Callable[[str], Any]) -> None:
    outcome = gen("data.licenses=[zzz] dry_run=true")
    assert outcome.status == 2
    assert outcome.err.startswith("gen: no licence is named 'zzz': known: 1, 2, ")
    assert all(code in outcome.err for code in ("cc0-1.0", "cc-by-sa-4.0", "us-government"))
