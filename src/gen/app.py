"""The whole story of a run: name it, plan it, make its shards, seal it."""

import errno
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from gen import atomic, estimate, lock, manifest, progress, rundir, shards
from gen.errors import UserError
from gen.executors import local
from gen.export import card, parquet
from gen.judge import plan
from gen.progress import say
from gen.rundir import RunDir
from gen.schema import Settings
from gen.sources.open import open_source
from gen.sources.records import Source

_FULL_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_NOT_WRITABLE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST, errno.ENOENT}


def run(settings: Settings) -> Path:
    """Make the data set that `settings` describe, or find it made; the folder that holds it.

    A run that is complete is returned at once; one that was interrupted goes on where it was; one
    with damaged files has those made again. With `dry_run`, says what would be made and writes
    nothing.

    Raises:
        UserError: the settings do not go with the data, or the folder cannot be written.
    """
    source = open_source(settings.data)
    place = rundir.place(settings, source.fingerprint())
    if settings.dry_run:
        estimate.report(settings, source, place)
    elif not _is_sealed(place, settings):
        with _storage_errors(place), lock.exclusive(place.out_root, place.id) as locked:
            faults = manifest.faults(place.path, settings.verify == "full")
            if faults:
                rundir.mend(place, faults)
            if faults != []:
                _make(settings, source, place, locked)
    return place.path


def _is_sealed(place: RunDir, settings: Settings) -> bool:
    with _storage_errors(place):
        sealed = manifest.faults(place.path, settings.verify == "full") == []
    if sealed:
        say(f"run {place.id} is complete already: nothing to make")
    return sealed


def _make(settings: Settings, source: Source, place: RunDir, locked: bool) -> None:
    rundir.begin(place, settings, locked)
    header = _plan(settings, source, place.path / shards.PLAN)
    for line in header.shortfalls:
        say(f"the data does not fill the quota: {line}")
    all_shards = rundir.cut(place, header.items, settings.executor.shard_items)
    todo = rundir.missing(place, all_shards)
    kept = len(all_shards) - len(todo)
    if kept:
        say(f"going on with run {place.id}: {kept} of {len(all_shards)} shards are there")
    hashes: dict[int, str] = {}
    done = header.items - sum(shard.stop - shard.start for shard in todo)
    with progress.items(f"run {place.id}", header.items, done) as advance:

        def on_done(shard: shards.Shard, result: parquet.ShardResult) -> None:
            hashes[shard.index] = result.sha256
            advance(shard.stop - shard.start)

        if todo:
            work = partial(shards.maker, settings, place.path)
            local.run(work, todo, settings.executor, on_done)
    rows = _seal(settings, source, place, header, all_shards, hashes)
    rundir.log_end(place, made=len(todo), kept=kept)
    say(f"run {place.id}: {rows} items in {len(all_shards)} files")


def _plan(settings: Settings, source: Source, path: Path) -> plan.Header:
    if not path.is_file():
        with atomic.replacing(path) as temporary:
            plan.write(settings, source, temporary)
    return plan.header(path)


def _seal(
    settings: Settings,
    source: Source,
    place: RunDir,
    header: plan.Header,
    all_shards: list[shards.Shard],
    hashes: dict[int, str],
) -> int:
    """Write the card and, last of all, the manifest; the number of rows."""
    total: Counter[str] = Counter()
    rejections: Counter[str] = Counter()
    for shard in all_shards:
        path = place.shard_folder / str(shard)
        footer = parquet.read_footer(path)
        if footer is None:
            raise RuntimeError(f"{path} was whole a moment ago and is not any more")
        total["rows"] += footer.rows
        total["pictures"] += footer.pictures
        total["num_bytes"] += footer.num_bytes
        total["file_bytes"] += path.stat().st_size
        rejections.update(footer.rejections)
    split = card.Split(shards.SPLIT, total["rows"], total["num_bytes"], total["file_bytes"])
    facts = {
        "task": settings.task.row_name,
        "encoding": settings.encoding.name,
        "question": settings.question.name,
        "subset": settings.subset.name,
        "data": settings.data.name,
        "items": f"{total['rows']}, over {header.images} photos",
    }
    text = card.render(place.id, place.config, facts, split)
    atomic.write(place.path / rundir.README, text.encode())
    key = rundir.content_key(settings, source.fingerprint())
    counts = {"items": total["rows"], "pictures": total["pictures"], "images": header.images}
    planned = {name: value for name, value in asdict(header).items() if name != "index"}
    head = key | {
        "run": place.id,
        "versions": manifest.versions(),
        "counts": counts | {"file_bytes": total["file_bytes"]},
        "plan": planned,
        "rejections": dict(sorted(rejections.items())),
    }
    manifest.write(place.path, head, _files(place, all_shards, hashes))
    return total["rows"]


def _files(
    place: RunDir, all_shards: list[shards.Shard], hashes: dict[int, str]
) -> Iterator[dict[str, Any]]:
    for name in (rundir.README, shards.PLAN):
        yield manifest.file_record(place.path, name)
    for shard in all_shards:
        yield manifest.shard_record(place.path, f"{place.config}/{shard}", hashes.get(shard.index))


@contextmanager
def _storage_errors(place: RunDir) -> Iterator[None]:
    """Turn what the disk refuses into one line for the user."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno in _FULL_DISK:
            raise UserError(
                f"{place.path} cannot be written: {reason}; whole shards stay: make room and run "
                "the same again to go on, or set out_root= to another disk"
            ) from error
        if error.errno in _NOT_WRITABLE and _is_under(error.filename, place.out_root):
            raise UserError(
                f"out_root={place.out_root}: {error.filename}: {reason}; set out_root= to a folder "
                "that can be written"
            ) from error
        raise


def _is_under(name: Any, folder: Path) -> bool:
    if not isinstance(name, str):
        return False
    path, top = Path(name).absolute(), folder.absolute()
    return path.is_relative_to(top) or top.is_relative_to(path)
