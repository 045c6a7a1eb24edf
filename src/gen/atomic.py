"""Files that are there whole or not at all, whatever kills the process that writes them."""

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TEMPORARY_PREFIX = ".tmp-"
_TEMPORARY = re.compile(re.escape(TEMPORARY_PREFIX) + r"(.+)\.\d+\.[0-9a-f]+")


@contextmanager
def replacing(path: Path, durable: bool = True) -> Iterator[Path]:
    """Give a temporary path beside `path` to write to; rename it to `path` when all went well.

    With `durable`, file and folder are flushed to the disk, so that the name cannot outlive its
    content in a power cut. When the body raises, the temporary file is removed and `path` stays as
    it was.

    Raises:
        OSError: the folder cannot be written, or the disk is full.
    """
    temporary = path.with_name(
        f"{TEMPORARY_PREFIX}{path.name}.{os.getpid()}.{secrets.token_hex(4)}"
    )
    try:
        yield temporary
        if durable:
            _flush(temporary)
        temporary.replace(path)
        if durable:
            _flush(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def write(path: Path, content: bytes, durable: bool = True) -> None:
    """Write a whole file at once (see `replacing`)."""
    with replacing(path, durable) as temporary:
        temporary.write_bytes(content)


def target_name(temporary: str) -> str | None:
    """The name that a temporary file of ours would get; None for any other file."""
    match = _TEMPORARY.fullmatch(temporary)
    return match[1] if match else None


def remove_temporaries(folder: Path) -> int:
    """Remove what killed processes left behind in `folder`; the number of files removed.

    Only for one who holds the lock on the folder: a living writer's file looks the same.
    """
    stale = [
        path
        for path in folder.glob(TEMPORARY_PREFIX + "*")
        if target_name(path.name) and not path.is_dir()
    ]
    for path in stale:
        path.unlink(missing_ok=True)
    return len(stale)


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
