"""One writer a run."""

import errno
import fcntl
import os
import threading
import time
from pathlib import Path

import pytest

from gen.rundir import lock


def test_a_second_holder_waits_for_the_first(tmp_path: Path) -> None:
    order: list[str] = []

    def second() -> None:
        with lock.exclusive(tmp_path, "run"):
            order.append("second")

    with lock.exclusive(tmp_path, "run") as locked:
        assert locked
        thread = threading.Thread(target=second)
        thread.start()
        time.sleep(0.3)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_many_holders_never_overlap(tmp_path: Path) -> None:
    inside = 0
    most = 0

    def hold() -> None:
        nonlocal inside, most
        with lock.exclusive(tmp_path, "run"):
            inside += 1
            most = max(most, inside)
            time.sleep(0.002)
            inside -= 1

    threads = [threading.Thread(target=hold) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
    assert list((tmp_path / lock.FOLDER).iterdir()) == []


def test_a_lock_on_a_file_that_was_removed_meanwhile_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock = fcntl.flock
    path = tmp_path / lock.FOLDER / "run"
    calls = 0

    def after_the_holder_left(descriptor: int, operation: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            # Between opening and locking: the holder leaves, another makes the file anew.
            path.unlink()
            path.touch()
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", after_the_holder_left)
    with lock.exclusive(tmp_path, "run"):
        assert lock.is_held(tmp_path, "run")


def test_waiting_is_said_after_a_second(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def hold() -> None:
        with lock.exclusive(tmp_path, "run"):
            time.sleep(1.4)

    thread = threading.Thread(target=hold)
    thread.start()
    time.sleep(0.1)
    with lock.exclusive(tmp_path, "run"):
        pass
    thread.join()
    assert capsys.readouterr().err == (
        "gen: run run is being made by another process: waiting for it\n"
    )


def test_is_held_sees_a_living_holder_only(tmp_path: Path) -> None:
    assert not lock.is_held(tmp_path, "run")
    with lock.exclusive(tmp_path, "run"):
        assert lock.is_held(tmp_path, "run")
        assert not lock.is_held(tmp_path, "other")
    assert not lock.is_held(tmp_path, "run")
    (tmp_path / lock.FOLDER / "run").touch()  # left behind by a killed process
    assert not lock.is_held(tmp_path, "run")


def test_a_file_system_without_locks_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with lock.exclusive(tmp_path, "run") as locked:
        assert not locked
    assert "no locks" in capsys.readouterr().err
