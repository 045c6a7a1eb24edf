"""One writer a run: an advisory lock on a file beside the runs."""

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gen.progress import say

FOLDER = ".locks"
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL}
_PATIENCE_S = 1.0
_POLL_S = 0.1


@contextmanager
def exclusive(out_root: Path, name: str) -> Iterator[bool]:
    """Hold the lock called `name` under `out_root`; wait for it, and say so after a second.

    Gives False where the file system has no locks: writers are then kept apart by atomic renames
    alone, and equal runs may do the same work twice.

    Raises:
        OSError: the lock file cannot be made.
    """
    folder = out_root / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = _acquire(folder / name, name)
    try:
        yield descriptor is not None
    finally:
        if descriptor is not None:
            # Removed before it is let go: who waits for it sees that the name is gone, and begins
            # again with a new file.
            (folder / name).unlink(missing_ok=True)
            os.close(descriptor)


def is_held(out_root: Path, name: str) -> bool:
    """Whether some process holds the lock at this moment; takes and writes nothing."""
    try:
        descriptor = os.open(out_root / FOLDER / name, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False


def _acquire(path: Path, name: str) -> int | None:
    began = time.monotonic()
    said = False
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(path, descriptor):
                return descriptor
            os.close(descriptor)
        except BlockingIOError:
            os.close(descriptor)
            if not said and time.monotonic() - began >= _PATIENCE_S:
                say(f"run {name} is being made by another process: waiting for it")
                said = True
            time.sleep(_POLL_S)
        except OSError as error:
            os.close(descriptor)
            if error.errno in _NO_LOCKS:
                say("this file system has no locks: going on without")
                return None
            raise


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    held = os.fstat(descriptor)
    return (found.st_dev, found.st_ino) == (held.st_dev, held.st_ino)
