"""Progress where there is no terminal: few lines, all on stderr."""

import time

import pytest

from gen import progress


def test_lines_come_at_most_every_few_seconds_and_not_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with progress.items("run x", total=100, done=20) as advance:
        for _ in range(8):
            now += 2.0
            advance(10)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == ["gen: run x: 50 of 100 items", "gen: run x: 80 of 100 items"]
