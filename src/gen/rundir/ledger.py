"""The state of a run on disk: begun, partly made, damaged. Whole shards are the only ledger."""

import platform
import socket
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from gen import atomic
from gen.export import parquet
from gen.progress import say
from gen.rundir import contents, manifest, run_log
from gen.rundir.place import CONFIG, MANIFEST, MEDIA, RUN_LOG, RunDir, config_yaml
from gen.rundir.shards import Shard, partition
from gen.rundir.verify import Fault, first_changed_row, media_faults
from gen.schema import Settings


def begin(run: RunDir, settings: Settings, locked: bool) -> None:
    """Make the folder ready for work: its own config and log, nothing stale or foreign in it.

    What another version of gen or of its packages has begun is not gone on with: one run holds
    the work of one version. Nor is what has no log, for nobody knows what has made it.

    Raises:
        UserError: something that no run writes stands in the way of that.
        OSError: the folder cannot be written.
    """
    now = manifest.versions()
    log = run_log.read(run.path)
    if run.path.is_dir() and log.get("versions") != now:
        is_begun = any(run.path.iterdir())
        contents.clear(run)
        if is_begun:
            why = "was begun with other versions" if log else f"has no {RUN_LOG} that can be read"
            say(f"run {run.id} {why}: making all of it again")
        log = {}
    run.shard_folder.mkdir(parents=True, exist_ok=True)
    if settings.media == "files":
        (run.path / MEDIA).mkdir(exist_ok=True)
    if locked:
        for folder in (run.path, run.shard_folder, run.path / MEDIA):
            atomic.remove_temporaries(folder)
    session = {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "host": socket.gethostname(),
        "platform": platform.platform(),
        "out_root": str(run.out_root.resolve()),
        "executor": settings.executor.model_dump(mode="json"),
        "resumed": bool(log),
    }
    log |= {"versions": now, "sessions": [*log.get("sessions", []), session]}
    run_log.write(run.path, log)
    atomic.write(run.path / CONFIG, config_yaml(settings).encode())


def known_plan(run: RunDir) -> str | None:
    """The hash (BLAKE3) of the plan from which the shards of the run are made."""
    return run_log.read(run.path).get("plan")


def note_plan(run: RunDir, digest: str) -> None:
    """Take the plan with this hash for that of the run; shards made from another one are removed.

    Raises:
        OSError: the folder cannot be written.
    """
    if digest != known_plan(run):
        if contents.clear_items(run):
            say(f"run {run.id} was begun with another plan: making all of its items again")
        run_log.write(run.path, run_log.read(run.path) | {"plan": digest})


def log_end(run: RunDir, made: int, kept: int) -> None:
    """Note in the run's log when its last session ended and how many shards it made and found."""
    log = run_log.read(run.path)
    if log.get("sessions"):
        ended = datetime.now(UTC).isoformat(timespec="seconds")
        log["sessions"][-1] |= {"ended": ended, "shards_made": made, "shards_kept": kept}
        run_log.write(run.path, log)


def cut(run: RunDir, n_items: int, shard_items: int) -> list[Shard]:
    """The shards of the run: as those cut that are there already, else of `shard_items` or less.

    Files of a run that do not belong to one way of cutting are removed.
    """
    found = [
        (path, int(match[2]))
        for path in sorted(run.shard_folder.iterdir())
        if (match := contents.SHARD_NAME.fullmatch(path.name))
    ]
    counts = {count for _, count in found}
    if len(counts) == 1 and n_items and max(counts) <= n_items:
        return partition(n_items, counts.pop())
    for path, _ in found:
        path.unlink()
    return partition(n_items, max(1, -(-n_items // shard_items)))


def missing(run: RunDir, all_shards: Sequence[Shard], full: bool) -> list[Shard]:
    """Those shards that are not whole on disk, pictures beside them included.

    With `full`, the content of every row and picture is compared with its hash.
    """
    media_sizes = manifest.sizes(run.path / MEDIA)
    return [shard for shard in all_shards if not _is_whole(run, shard, media_sizes, full)]


def mend(run: RunDir, faults: Sequence[Fault]) -> None:
    """Take the damaged files and the seal off a run, so that it is an interrupted one."""
    (run.path / MANIFEST).unlink(missing_ok=True)
    for owner in dict.fromkeys(fault.owner for fault in faults):
        (run.path / owner).unlink(missing_ok=True)
    for fault in faults[:10]:
        say(f"{run.path / fault.path} is damaged ({fault.reason}): making it again")
    if len(faults) > 10:
        say(f"and {len(faults) - 10} more damaged files of run {run.id}")


def _is_whole(run: RunDir, shard: Shard, media_sizes: Mapping[str, int], full: bool) -> bool:
    path = run.shard_folder / str(shard)
    try:
        footer = parquet.footer(path)
        if full and first_changed_row(path, footer.row_hashes) is not None:
            return False
    except (OSError, ValueError):
        return False
    planned = footer.rows + sum(footer.rejections.values())
    return planned == len(shard) and not media_faults(run.path, footer.media, media_sizes, full)
