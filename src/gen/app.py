"""The whole story of a run: name it, plan it, make its shards, seal it."""

from functools import partial
from pathlib import Path

from gen import atomic, estimate, lock, manifest, progress, rundir, seal, shards, storage
from gen.executors import local
from gen.export.parquet import ShardResult
from gen.judge import plan, plan_file
from gen.progress import say
from gen.rundir import RunDir
from gen.schema import Settings
from gen.sources.open import open_source
from gen.sources.records import Source


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
        return place.path
    with storage.explained(place.out_root):
        if _is_complete(place, settings):
            return place.path
        with lock.exclusive(place.out_root, place.id) as locked:
            # Another process may have made the run while this one waited.
            if not _is_complete(place, settings):
                _make(settings, source, place, locked)
    return place.path


def _is_complete(place: RunDir, settings: Settings) -> bool:
    complete = manifest.faults(place.path, settings.verify == "full") == []
    if complete:
        say(f"run {place.id} is complete: nothing to make")
    return complete


def _make(settings: Settings, source: Source, place: RunDir, locked: bool) -> None:
    faults = manifest.faults(place.path, settings.verify == "full")
    if faults:
        rundir.mend(place, faults)
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
    done = header.items - sum(len(shard) for shard in todo)
    with progress.items(f"run {place.id}", header.items, done) as advance:

        def on_done(shard: shards.Shard, result: ShardResult) -> None:
            hashes[shard.index] = result.sha256
            advance(len(shard))

        if todo:
            work = partial(shards.maker, settings, place.path)
            local.run(work, todo, settings.executor, on_done)
    rows = seal.seal(place, settings, header, all_shards, hashes)
    rundir.log_end(place, made=len(todo), kept=kept)
    say(f"run {place.id}: {rows} items in {len(all_shards)} file(s)")


def _plan(settings: Settings, source: Source, path: Path) -> plan_file.Header:
    if not path.is_file():
        with atomic.replacing(path) as temporary:
            plan.write(settings, source, temporary)
    return plan_file.header(path)
