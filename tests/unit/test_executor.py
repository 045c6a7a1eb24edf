"""Shards in worker processes: all made, whatever dies."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gen.errors import UserError
from gen.executors import local
from gen.schema import LocalExecutor


def settings(workers: int | None) -> LocalExecutor:
    return LocalExecutor(name="local", workers=workers, shard_items=1)


def square(folder: Path, shard: int) -> tuple[int, int]:
    return shard * shard, os.getpid()


def kill_once(folder: Path, shard: int) -> int:
    mark = folder / f"killed-{shard}"
    if shard in (3, 7) and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return shard


def kill_always(folder: Path, shard: int) -> int:
    tries = folder / "tries"
    if shard == 3:
        with tries.open("a") as file:
            file.write("x")
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGKILL)
    if shard == 2:
        # An innocent neighbour that is at work whenever 3 is tried beside it.
        before = tries.stat().st_size if tries.exists() else 0
        deadline = time.monotonic() + 2
        while time.monotonic() < deadline:
            time.sleep(0.01)
            if tries.exists() and tries.stat().st_size > before:
                time.sleep(1)
    return shard


def refuse(folder: Path, shard: int) -> int:
    if shard == 2:
        raise UserError("shard 2 has no photos")
    return shard


def stumble(folder: Path, shard: int) -> int:
    if shard == 2:
        raise ZeroDivisionError
    return shard


def setup(work, folder: Path):  # type: ignore[no-untyped-def]
    (folder / f"setup-{os.getpid()}").touch(exist_ok=False)
    return partial(work, folder)


def make(work, folder: Path, n: int, workers: int | None):  # type: ignore[no-untyped-def]
    done: dict[int, Any] = {}
    local.run(partial(setup, work, folder), range(n), settings(workers), done.__setitem__)
    return done


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_every_shard_is_made_once_by_workers_that_are_set_up_once(
    tmp_path: Path, workers: int
) -> None:
    done = make(square, tmp_path, 12, workers)
    assert {shard: value[0] for shard, value in done.items()} == {n: n * n for n in range(12)}
    pids = {value[1] for value in done.values()}
    assert len(pids) <= workers
    assert (pids == {os.getpid()}) == (workers == 1)


def test_one_shard_is_made_in_this_process(tmp_path: Path) -> None:
    assert make(square, tmp_path, 1, 4) == {0: (0, os.getpid())}


def test_shards_of_killed_workers_are_made_again(tmp_path: Path) -> None:
    assert sorted(make(kill_once, tmp_path, 12, 2)) == list(range(12))


def test_a_shard_that_always_kills_is_named_and_the_others_are_made(tmp_path: Path) -> None:
    done: dict[int, object] = {}
    with pytest.raises(UserError, match=r"killed 3 times while making 3 \("):
        local.run(partial(setup, kill_always, tmp_path), range(5), settings(2), done.__setitem__)
    assert sorted(done) == [0, 1, 2, 4]
    assert (tmp_path / "tries").read_text() == "xxx"


@pytest.mark.parametrize("workers", [1, 2])
def test_a_fault_of_the_user_comes_out_as_it_is(tmp_path: Path, workers: int) -> None:
    with pytest.raises(UserError, match=r"^shard 2 has no photos$"):
        make(refuse, tmp_path, 50, workers)


def test_a_bug_comes_out_with_the_shard_and_ends_the_run_early(tmp_path: Path) -> None:
    done: dict[int, object] = {}
    with pytest.raises(ZeroDivisionError) as caught:
        local.run(partial(setup, stumble, tmp_path), range(200), settings(2), done.__setitem__)
    assert caught.value.__notes__ == ["while making 2"]
    assert len(done) < 100


SLOW = """
import sys, time
from functools import partial
from pathlib import Path
from gen.executors import local
from gen.schema import LocalExecutor

def work(folder, shard):
    (folder / f"begun-{shard}").touch()
    time.sleep(0.5)
    (folder / f"ended-{shard}").touch()
    return shard

def setup(folder):
    return partial(work, folder)

if __name__ == "__main__":
    settings = LocalExecutor(name="local", workers=2, shard_items=1)
    told = lambda shard, result: print(f"told-{shard}", flush=True)
    local.run(partial(setup, Path(sys.argv[1])), range(100), settings, told)
"""


def start_slow(folder: Path) -> subprocess.Popen[str]:
    script = folder / "slow.py"
    script.write_text(textwrap.dedent(SLOW))
    process = subprocess.Popen(
        [sys.executable, str(script), str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not list(folder.glob("ended-*")):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.05)
    return process


@pytest.mark.slow
def test_ctrl_c_finishes_the_shards_that_run_and_tells_of_them(tmp_path: Path) -> None:
    process = start_slow(tmp_path)
    os.killpg(process.pid, signal.SIGINT)  # what a terminal does: to all processes
    out, err = process.communicate(timeout=30)
    begun = {path.name.split("-")[1] for path in tmp_path.glob("begun-*")}
    ended = {path.name.split("-")[1] for path in tmp_path.glob("ended-*")}
    assert begun == ended == {line.split("-")[1] for line in out.split()}
    assert len(ended) < 20
    assert err.strip().endswith("KeyboardInterrupt")
    assert "Process ForkServerProcess" not in err


@pytest.mark.slow
def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    process = start_slow(tmp_path)
    process.kill()
    process.wait(timeout=10)
    time.sleep(1.5)
    begun = len(list(tmp_path.glob("begun-*")))
    time.sleep(1.5)
    assert len(list(tmp_path.glob("begun-*"))) == begun
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
