"""Which of the files in a run's folder are the run's own: nothing else is ever removed."""

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from gen import atomic
from gen.errors import UserError
from gen.rundir.place import CONFIG, MANIFEST, MEDIA, PICTURES, PLAN, README, RUN_LOG, SPLIT, RunDir

FILES = (CONFIG, MANIFEST, PICTURES, PLAN, README, RUN_LOG)
SHARD_NAME = re.compile(rf"{SPLIT}-(\d{{5,}})-of-(\d{{5,}})\.parquet")
_PICTURE_NAME = re.compile(r"(?:original_[A-Za-z0-9_][A-Za-z0-9._-]*|[0-9a-f]{16}_[a-z])\.png")


def shard_name(index: int, count: int) -> str:
    """The name of the shard `index`, from 0, of `count`."""
    return f"{SPLIT}-{index:05d}-of-{count:05d}.parquet"


def is_own(run: RunDir, name: str) -> bool:
    """Whether `name`, relative to the run's folder, is that of a file which a run writes."""
    path = PurePosixPath(name)
    folder = path.parent.as_posix()
    if folder == ".":
        return name in FILES
    if folder == run.config:
        return bool(SHARD_NAME.fullmatch(path.name))
    return folder == MEDIA and bool(_PICTURE_NAME.fullmatch(path.name))


def check_kinds(run: RunDir) -> None:
    """Make sure that no folder stands where the run keeps a file, and no file or link for a folder.

    Raises:
        UserError: the name of the first one that does.
    """
    folders = [run.path, run.shard_folder, run.path / MEDIA]
    for path in folders:
        is_link = path.is_symlink() and path != run.path
        if os.path.lexists(path) and (is_link or not path.is_dir()):
            raise _in_the_way(path, "a run keeps a folder there")
    files = [run.path / name for name in FILES]
    for folder in folders[1:]:
        if folder.is_dir():
            with os.scandir(folder) as entries:
                names = [e.name for e in entries if e.is_dir(follow_symlinks=False)]
            shown = folder.relative_to(run.path).as_posix()
            files += [folder / name for name in sorted(names) if is_own(run, f"{shown}/{name}")]
    for path in files:
        if path.is_dir() and not path.is_symlink():
            raise _in_the_way(path, "a run keeps a file there")


def clear(run: RunDir) -> None:
    """Remove all that the run has written; its folder stays.

    Raises:
        UserError: something is there that no run writes; then nothing has been removed.
        OSError: a file cannot be removed.
    """
    own = []
    for path in _walk(run.path):
        name = path.relative_to(run.path).as_posix()
        if not is_own(run, _without_suffix(name)):
            raise UserError(
                f"{path}: no file of a run, in the folder of a run that has to be made again; "
                f"move it out of {run.path}, then run the same again"
            )
        own.append(path)
    for path in own:
        path.unlink(missing_ok=True)


def clear_items(run: RunDir) -> int:
    """Remove the run's own shards and the pictures beside them; the number of files removed.

    Raises:
        OSError: a file cannot be removed.
    """
    own = [
        path
        for folder in (run.shard_folder, run.path / MEDIA)
        for path in _walk(folder)
        if is_own(run, path.relative_to(run.path).as_posix())
    ]
    for path in own:
        path.unlink(missing_ok=True)
    return len(own)


def _walk(folder: Path) -> Iterator[Path]:
    """All files and links below `folder`, those to folders included."""
    for parent, folders, files in os.walk(folder):
        here = Path(parent)
        yield from (here / name for name in sorted(files))
        yield from (here / name for name in sorted(folders) if (here / name).is_symlink())


def _without_suffix(name: str) -> str:
    """The name of the file that a temporary file is for; other names as they are."""
    path = PurePosixPath(name)
    return path.with_name(atomic.target_name(path.name) or path.name).as_posix()


def _in_the_way(path: Path, why: str) -> UserError:
    return UserError(f"{path}: {why}; move this one elsewhere, then run the same again")
