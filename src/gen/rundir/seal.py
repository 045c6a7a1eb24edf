"""The end of a run: its card, and the manifest that says it is complete."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from gen import atomic
from gen.export import card, parquet, tells
from gen.judge.plan_file import Header
from gen.rundir import manifest
from gen.rundir.place import PICTURES, PLAN, README, SPLIT, RunDir
from gen.rundir.shards import Shard
from gen.schema import Settings


class Totals(NamedTuple):
    """Sums over shards: `counts` of rows, pictures, num_bytes and file_bytes; drops by reason; and
    the counts of `gen.export.tells`.
    """

    counts: Counter[str]
    rejections: Counter[str]
    tells: Counter[str]


def seal(
    place: RunDir,
    settings: Settings,
    header: Header,
    all_shards: Sequence[Shard],
    hashes: Mapping[int, str],
) -> Totals:
    """Write `README.md` and, last of all, `manifest.json`; the totals over all shards.

    `hashes` are the BLAKE3 of shard files, by shard index, where known from writing them. One
    shard's footer is held at a time.

    Raises:
        OSError: the folder cannot be written, or the disk is full.
        ValueError: a shard is not whole.
    """
    totals = add_up(place, [f"{place.config}/{shard}" for shard in all_shards])
    total = totals.counts
    split = card.Split(SPLIT, total["rows"], total["num_bytes"], total["file_bytes"])
    facts = {
        "task": settings.task.row_name,
        "encoding": settings.encoding.name,
        "question": settings.question.name,
        "subset": settings.subset.name,
        "data": settings.data.name,
        "items": f"{total['rows']}, over {header.images} photos",
    }
    text = card.render(
        place.id, place.config, facts, split, tells.sentence(tells.shares(totals.tells))
    )
    atomic.write(place.path / README, text.encode())
    top = head(place, header, totals, manifest.versions())
    manifest.write(place.path, top, _files(place, all_shards, hashes))
    # All of them are in the shards now; a plan that is needed again makes them again.
    (place.path / PICTURES).unlink(missing_ok=True)
    return totals


def add_up(place: RunDir, shards: Iterable[str]) -> Totals:
    """The totals over shards, given by their names in the run's folder.

    Raises:
        FileNotFoundError: a shard is not there.
        ValueError: a shard is not whole.
    """
    counts: Counter[str] = Counter()
    rejections: Counter[str] = Counter()
    told: Counter[str] = Counter()
    for name in shards:
        footer = parquet.footer(place.path / name)
        counts.update(rows=footer.rows, pictures=footer.pictures, num_bytes=footer.num_bytes)
        counts["file_bytes"] += (place.path / name).stat().st_size
        rejections.update(footer.rejections)
        told.update(footer.tells)
    return Totals(counts, rejections, told)


def head(
    place: RunDir, header: Header, totals: Totals, versions: Mapping[str, Any]
) -> dict[str, Any]:
    """All of the manifest but its files, for a run made by these `versions`."""
    counts = totals.counts
    return {
        **place.key,
        "run": place.id,
        "versions": versions,
        "counts": {
            "items": counts["rows"],
            "pictures": counts["pictures"],
            "images": header.images,
            "file_bytes": counts["file_bytes"],
            "problems": dict(sorted(Counter(one.kind for one in header.problems).items())),
        },
        "plan": {name: value for name, value in asdict(header).items() if name != "index"},
        "rejections": dict(sorted(totals.rejections.items())),
        "tells": tells.shares(totals.tells),
    }


def _files(
    place: RunDir, all_shards: Sequence[Shard], hashes: Mapping[int, str]
) -> Iterator[dict[str, Any]]:
    for name in (README, PLAN):
        yield manifest.file_record(place.path, name)
    for shard in all_shards:
        name = f"{place.config}/{shard}"
        yield manifest.shard_record(place.path, name, hashes.get(shard.index))
