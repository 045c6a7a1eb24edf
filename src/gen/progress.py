"""How far the work is, on stderr: a bar on a terminal, now and then a line elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

SECONDS_BETWEEN_LINES = 5.0

_MUTED = ContextVar("muted", default=False)


def say(message: str) -> None:
    """Tell the user one thing, on one line of stderr."""
    if not _MUTED.get():
        print(f"gen: {message}", file=sys.stderr, flush=True)


@contextmanager
def muted() -> Iterator[None]:
    """Let what is done inside tell nothing: it is a small part of something that tells itself."""
    before = _MUTED.set(True)
    try:
        yield
    finally:
        _MUTED.reset(before)


@contextmanager
def items(
    title: str, total: int, done: int, unit: str = "items"
) -> Iterator[Callable[[int], None]]:
    """Show progress over `total` items, or what `unit` says, of which `done` were there before.

    Gives a function to call with the number of those that have just been made.
    """
    if _MUTED.get() or not sys.stderr.isatty():
        yield _lines(title, total, done, unit)
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task(title, total=total, completed=done)
        yield lambda count: bar.advance(task, count)


def _lines(title: str, total: int, done: int, unit: str) -> Callable[[int], None]:
    last = time.monotonic()

    def advance(count: int) -> None:
        nonlocal done, last
        done += count
        now = time.monotonic()
        if now - last >= SECONDS_BETWEEN_LINES and done < total:
            last = now
            say(f"{title}: {done} of {total} {unit}")

    return advance
