"""The end of a run: its card, and the manifest that says it is complete."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from gen import atomic
from gen.export import card, parquet
from gen.judge.plan_file import Header
from gen.rundir import manifest
from gen.rundir.place import PLAN, README, SPLIT, RunDir
from gen.rundir.shards import Shard
from gen.schema import Settings


def seal(
    place: RunDir,
    settings: Settings,
    header: Header,
    all_shards: Sequence[Shard],
    hashes: Mapping[int, str],
) -> int:
    """Write `README.md` and, last of all, `manifest.json`; the number of rows.

    `hashes` are the SHA-256 of shard files, by shard index, where known from writing them. One
    shard's footer is held at a time.

    Raises:
        OSError: the folder cannot be written, or the disk is full.
        ValueError: a shard is not whole.
    """
    total: Counter[str] = Counter()
    rejections: Counter[str] = Counter()
    for shard in all_shards:
        path = place.shard_folder / str(shard)
        footer = parquet.footer(path)
        total.update(rows=footer.rows, pictures=footer.pictures, num_bytes=footer.num_bytes)
        total["file_bytes"] += path.stat().st_size
        rejections.update(footer.rejections)
    split = card.Split(SPLIT, total["rows"], total["num_bytes"], total["file_bytes"])
    facts = {
        "task": settings.task.row_name,
        "encoding": settings.encoding.name,
        "question": settings.question.name,
        "subset": settings.subset.name,
        "data": settings.data.name,
        "items": f"{total['rows']}, over {header.images} photos",
    }
    text = card.render(place.id, place.config, facts, split)
    atomic.write(place.path / README, text.encode())
    head = {
        **place.key,
        "run": place.id,
        "versions": manifest.versions(),
        "counts": {
            "items": total["rows"],
            "pictures": total["pictures"],
            "images": header.images,
            "file_bytes": total["file_bytes"],
        },
        "plan": {name: value for name, value in asdict(header).items() if name != "index"},
        "rejections": dict(sorted(rejections.items())),
    }
    manifest.write(place.path, head, _files(place, all_shards, hashes))
    return total["rows"]


def _files(
    place: RunDir, all_shards: Sequence[Shard], hashes: Mapping[int, str]
) -> Iterator[dict[str, Any]]:
    for name in (README, PLAN):
        yield manifest.file_record(place.path, name)
    for shard in all_shards:
        name = f"{place.config}/{shard}"
        yield manifest.shard_record(place.path, name, hashes.get(shard.index))
