"""Shards in worker processes on this machine."""

import multiprocessing
import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import cv2

from gen.errors import UserError
from gen.schema import LocalExecutor

Shard = TypeVar("Shard")
Result = TypeVar("Result")
Setup = Callable[[], Callable[[Shard], Result]]
OnDone = Callable[[Shard, Result], None]

MAX_STRIKES = 3
# One thread a worker: threads of BLAS and OpenCV would fight the other workers for the cores.
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def run(
    setup: Setup[Shard, Result],
    shards: Sequence[Shard],
    settings: LocalExecutor,
    on_done: OnDone[Shard, Result],
) -> None:
    """Make all `shards`; one worker or one shard runs in this process.

    After an error or Ctrl-C no new shard is begun; those that run are finished and handed to
    `on_done`, then the error is raised. A worker that is killed costs no more than the shards that
    ran at that moment, and they are tried again.

    Raises:
        UserError: what a shard raised, or shards that killed their worker `MAX_STRIKES` times.
        Exception: any other error of a shard, with the shard's name as a note.
    """
    workers = min(settings.workers or usable_cores(), len(shards))
    with _one_thread():
        if workers <= 1:
            _run_here(setup, shards, on_done)
        else:
            _run_pools(setup, shards, workers, on_done)


def usable_cores() -> int:
    """The cores that this process may use: by CPU affinity, and by the container's quota."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        return max(1, min(cores or 1, round(int(quota) / int(period))))
    except (OSError, ValueError):  # no such file, or "max" for no quota
        return cores or 1


def _run_here(
    setup: Setup[Shard, Result], shards: Sequence[Shard], on_done: OnDone[Shard, Result]
) -> None:
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        make = setup()
        for shard in shards:
            on_done(shard, make(shard))
    finally:
        cv2.setNumThreads(threads)


def _run_pools(
    setup: Setup[Shard, Result],
    shards: Sequence[Shard],
    workers: int,
    on_done: OnDone[Shard, Result],
) -> None:
    waiting = deque(range(len(shards)))
    suspects: deque[int] = deque()
    strikes: Counter[int] = Counter()
    given_up: list[str] = []
    while (waiting or suspects) and len(given_up) < MAX_STRIKES:
        # When a worker dies, the pool does not say which shard it had: all that ran are suspects.
        # Each then runs alone, so that the next strike falls on the guilty one only.
        if suspects:
            lost = _run_pool(setup, shards, suspects, 1, on_done)
        else:
            lost = _run_pool(setup, shards, waiting, workers, on_done)
        for number in lost:
            strikes[number] += 1
            if strikes[number] < MAX_STRIKES:
                suspects.append(number)
            else:
                given_up.append(str(shards[number]))
    if given_up:
        raise UserError(
            f"the worker was killed {MAX_STRIKES} times while making {', '.join(given_up)} "
            "(out of memory?); whole shards stay: run the same again to try only what is missing"
        )


def _run_pool(
    setup: Setup[Shard, Result],
    shards: Sequence[Shard],
    queue: deque[int],
    workers: int,
    on_done: OnDone[Shard, Result],
) -> list[int]:
    """Take shards from `queue` until it is empty or the pool breaks; those lost in the break."""
    pool = ProcessPoolExecutor(workers, _forkserver(setup), _start_worker, (setup,))
    running: dict[Future[Any], int] = {}
    lost: list[int] = []

    def settle(futures: Iterable[Future[Any]]) -> None:
        for future in futures:
            number = running.pop(future)
            error = future.exception()
            if isinstance(error, BrokenProcessPool):
                lost.append(number)
            elif error is not None:
                if not isinstance(error, UserError):
                    error.add_note(f"while making {shards[number]}")
                raise error
            else:
                on_done(shards[number], future.result())

    try:
        while (queue or running) and not lost:
            # No more are handed over than there are workers: what is handed over is running.
            while queue and len(running) < workers and not lost:
                number = queue.popleft()
                try:
                    running[pool.submit(_work, shards[number])] = number
                except BrokenProcessPool:
                    lost.append(number)
            settle(list(wait(running, return_when=FIRST_COMPLETED).done))
        settle(list(wait(running).done))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        settle([future for future in running if _is_good(future)])
    return lost


def _is_good(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _forkserver(setup: Setup[Shard, Result]) -> multiprocessing.context.ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    # Imported once by the process that all workers are forked from.
    work = getattr(setup, "func", setup).__module__
    context.set_forkserver_preload(["cv2", "orjson", "pyarrow.parquet", work])
    return context


class _Worker:
    """What a worker process keeps between shards."""

    setup: Callable[[], Callable[[Any], Any]]
    make: Callable[[Any], Any] | None = None


def _start_worker(setup: Callable[[], Callable[[Any], Any]]) -> None:
    # Ctrl-C goes to all processes of the terminal; the parent decides, and whole shards stay.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    cv2.setNumThreads(1)
    _Worker.setup = staticmethod(setup)


def _end_with_parent() -> None:
    """End a worker whose parent was killed; it would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(shard: Any) -> Any:
    # Set up here and not in `_start_worker`: an error there breaks the pool and its text is lost.
    if _Worker.make is None:
        _Worker.make = staticmethod(_Worker.setup())
    return _Worker.make(shard)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let processes that start inside use one thread for linear algebra."""
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
