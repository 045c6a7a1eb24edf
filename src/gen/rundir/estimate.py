"""What a run would cost, told without writing anything."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gen.errors import UserError
from gen.executors.local import usable_cores
from gen.item import JudgeItem
from gen.judge import items, plan, plan_file
from gen.progress import say
from gen.rundir.place import RunDir
from gen.schema import Settings
from gen.sources.records import Source

SAMPLE_ITEMS = 4


def report(settings: Settings, source: Source, place: RunDir) -> None:
    """Plan the whole run, make its first items in memory, and print counts, bytes and time.

    The estimate takes all items to be like the first ones, and all workers to be as fast as this
    process.

    Raises:
        UserError: the data gives not a single item, or the plan has no room on the disk.
    """
    say(f"planning run {place.id}; nothing will be written")
    # The plan of a large run does not fit in memory; this copy is gone before the report is out.
    began = time.perf_counter()
    with _temporary_folder() as folder:
        path = folder / "plan.jsonl"
        header = plan.write(settings, source, path)
        planned = plan_file.read(path, 0, min(SAMPLE_ITEMS, header.items))
        planned_at = time.perf_counter()
        made = items.make_items(settings, source, planned, plan_file.open_pictures(path))
        sample = [item for item in made if isinstance(item, JudgeItem)]
    seconds_each = (time.perf_counter() - planned_at) / len(planned)
    pictures = sum(len(item.media) for item in sample)
    size = sum(len(item.prompt) + sum(len(p.png) for p in item.media) for item in sample)
    copies = 2 if settings.media == "files" else 1
    scale = header.items / max(1, len(sample))
    n_shards = -(-header.items // settings.executor.shard_items)
    workers = min(settings.executor.workers or usable_cores(), n_shards)
    print(f"run {place.id} would hold")
    print(f"  items     {header.items}, over {header.images} photos")
    print(f"  pictures  {round(pictures * scale)}")
    print(f"  bytes     about {_bytes(size * scale * copies)}")
    seconds = planned_at - began + seconds_each * header.items / workers
    print(f"  time      about {_duration(seconds)} on {workers} worker(s)")
    for line in header.shortfalls:
        print(f"  shortfall {line}")
    print("nothing was written; the folder would be", flush=True)


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
    except OSError as error:
        # Without a file name it is a write that failed, and only the plan is written.
        if error.filename is None or str(error.filename).startswith(tempfile.gettempdir()):
            raise UserError(
                f"dry_run: no room for the plan in the temporary folder: {error.strerror}; "
                "set the environment variable TMPDIR to another one"
            ) from None
        raise


def _bytes(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
