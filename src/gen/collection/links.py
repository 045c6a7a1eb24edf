"""One file in two folders without a second copy of its bytes, where the disk can do that."""

import errno
import os
import shutil
from pathlib import Path

from gen import atomic

_NO_LINKS = {errno.EXDEV, errno.EPERM, errno.EMLINK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}


def place(source: Path, target: Path) -> None:
    """Let `target` be the file `source` too: a hard link, else a copy.

    Files of runs and builds are only ever replaced as a whole, so what is done to one name does
    nothing to the other.

    Raises:
        OSError: `source` is not there, the folder cannot be written, or the disk is full.
    """
    if target.is_file() and target.samefile(source):
        return
    with atomic.replacing(target, durable=False) as temporary:
        try:
            os.link(source, temporary)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            shutil.copyfile(source, temporary)
