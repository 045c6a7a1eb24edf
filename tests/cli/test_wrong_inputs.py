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
    assert (
        outcome.err
        == f"gen: {file}, line 3: not YAML: expected ',' or ']', but got '<stream end>'\n"
    )


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
