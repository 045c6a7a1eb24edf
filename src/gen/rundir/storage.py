"""What the disk refuses, told in one line."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gen.errors import UserError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_REFUSED = {
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.EEXIST,
    errno.ENOENT,
    errno.ELOOP,
    errno.ENAMETOOLONG,
}


@contextmanager
def explained(out_root: Path) -> Iterator[None]:
    """Let errors of writing at `out_root` come out as a `UserError`; any other error stays."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        where = error.filename if isinstance(error.filename, str) else None
        if error.errno in _FULL:
            raise UserError(
                f"out_root={out_root}: {reason}; whole shards stay: make room and run the same "
                "again to go on, or set out_root= to another disk"
            ) from error
        if error.errno in _REFUSED and where and _on_one_branch(Path(where), out_root):
            raise UserError(
                f"out_root={out_root}: {where}: {reason}; set out_root= to a folder that can be "
                "written"
            ) from error
        raise


def _on_one_branch(path: Path, folder: Path) -> bool:
    path, folder = path.absolute(), folder.absolute()
    return path.is_relative_to(folder) or folder.is_relative_to(path)
