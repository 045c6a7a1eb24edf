"""How a run that is not there is made: planned, cut in shards, made, sealed."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from gen import progress
from gen.executors import local
from gen.export.parquet import ShardResult
from gen.judge import plan, plan_file
from gen.progress import say
from gen.rundir import contents, ledger, manifest, seal, shards
from gen.rundir.place import MANIFEST, PLAN, RunDir
from gen.rundir.verify import Fault
from gen.schema import Settings
from gen.sources.records import Source


def produce(
    settings: Settings, source: Source, place: RunDir, faults: Sequence[Fault], locked: bool
) -> None:
    """Make what is missing of a run: all, the rest of an interrupted one, or its damaged files.

    `faults` are those of a run that was complete; `locked` says that no other process works in the
    folder.

    Raises:
        UserError: the data gives no item, or a shard kills its worker again and again.
        OSError: the folder cannot be written, or the disk is full.
    """
    contents.check_kinds(place)
    if faults:
        ledger.mend(place, faults)
    ledger.begin(place, settings, locked)
    header = _plan(settings, source, place)
    for line in header.shortfalls:
        say(f"shortfall: {line}")
    for line in plan.told_problems(header.problems):
        say(f"records skipped or mended, all listed in {MANIFEST}: {line}")
    all_shards = ledger.cut(place, header.items, settings.executor.shard_items)
    todo = ledger.missing(place, all_shards, settings.verify == "full")
    kept = len(all_shards) - len(todo)
    if kept:
        say(f"going on with run {place.id}: {kept} of {len(all_shards)} shards are there")
    hashes: dict[int, str] = {}
    done = header.items - sum(len(shard) for shard in todo)
    with progress.items(f"run {place.id}", header.items, done) as advance:

        def on_done(shard: shards.Shard, result: ShardResult) -> None:
            hashes[shard.index] = result.blake3
            advance(len(shard))

        if todo:
            work = partial(shards.maker, settings, place.path)
            local.run(work, todo, settings.executor, on_done)
    made = seal.seal(place, settings, header, all_shards, hashes)
    for reason, count in sorted(made.rejections.items()):
        say(f"{count} of {header.items} planned items left out: {reason}")
    ledger.log_end(place, made=len(todo), kept=kept)
    say(f"run {place.id}: {made.counts['rows']} items in {len(all_shards)} file(s)")


def _plan(settings: Settings, source: Source, place: RunDir) -> plan_file.Header:
    """The header of the run's plan, which is made unless it is there just as it was made."""
    path = place.path / PLAN
    if path.is_file() and manifest.file_hash(path) == ledger.known_plan(place):
        with suppress(ValueError):
            if plan_file.has_its_pictures(path):
                return plan_file.header(path)
    plan.write(settings, source, path)
    ledger.note_plan(place, manifest.file_hash(path))
    return plan_file.header(path)
