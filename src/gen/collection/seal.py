"""The end of a build: its card and settings, and the manifest that says it is complete."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson
import pyarrow.parquet as pq
import yaml

from gen import atomic
from gen.collection import card, counts
from gen.collection.gather import Gathering
from gen.collection.parts import Part
from gen.collection.place import PLANS, BuildDir
from gen.export import parquet
from gen.export.card import Split
from gen.rundir import manifest
from gen.rundir.place import CONFIG, MANIFEST, README, SPLIT


def seal(
    place: BuildDir,
    parts: Sequence[Part],
    work: Sequence[Gathering],
    told: counts.Counts,
    hashes: Mapping[str, str],
) -> None:
    """Write `README.md`, and last of all `manifest.json`.

    `hashes` are the BLAKE3 of shards, by name, where known from writing them.

    Raises:
        OSError: the folder cannot be written, or the disk is full.
        ValueError: a shard is not whole.
    """
    total: Counter[str] = Counter()
    splits = {}
    for task in dict.fromkeys(one.piece.task for one in work):
        own = _add_up(place, [one.target for one in work if one.piece.task == task])
        splits[task] = Split(SPLIT, own["rows"], own["num_bytes"], own["file_bytes"])
        total.update(own)
    text = card.render(place.id, place.key["config"]["collection"]["name"], splits, told)
    atomic.write(place.path / README, text.encode())
    head = {
        **place.key,
        "run": place.id,
        "versions": manifest.versions(),
        "counts": {
            "items": total["rows"],
            "pictures": total["pictures"],
            "images": _images(place, work),
            "file_bytes": total["file_bytes"],
            "problems": told.problems,
        },
        "table": told.rows(),
        "shortfalls": counts.as_json(told.shortfalls),
        "rejections": told.rejections,
        "runs": [_of_part(part) for part in parts],
    }
    known = _hashes_of_parts(work) | dict(hashes)
    manifest.write(place.path, head, _files(place, work, known))


def write_config(place: BuildDir) -> None:
    """Write the settings of the build as YAML."""
    text = yaml.safe_dump(orjson.loads(orjson.dumps(place.key["config"])), sort_keys=False)
    atomic.write(place.path / CONFIG, text.encode())


def _of_part(part: Part) -> dict[str, Any]:
    subset, task, question = part.plan_key
    names = {"subset": subset, "task": task, "encoding": part.encoding, "question": question}
    head = manifest.read_head(part.run.path) or {}
    told = {name: head[name] for name in ("tells", "rejections") if head.get(name)}
    return {"run": part.run.id, **names, **told}


def _images(place: BuildDir, work: Sequence[Gathering]) -> int:
    """How many photos all rows are of."""
    found: set[str] = set()
    for one in work:
        told = pq.read_table(place.path / one.target, columns=["metadata"])["metadata"]
        found.update(orjson.loads(text)["image_id"] for text in told.to_pylist())
    return len(found)


def _add_up(place: BuildDir, shards: Sequence[str]) -> Counter[str]:
    total: Counter[str] = Counter()
    for name in shards:
        footer = parquet.footer(place.path / name)
        total.update(rows=footer.rows, pictures=footer.pictures, num_bytes=footer.num_bytes)
        total["file_bytes"] += (place.path / name).stat().st_size
    return total


def _hashes_of_parts(work: Sequence[Gathering]) -> dict[str, str]:
    """The hash of every shard that is also a part's, as the part's own manifest has it."""
    found: dict[str, str] = {}
    read: dict[str, dict[str, str]] = {}
    for one in work:
        run = one.piece.part.run
        if one.piece.labels is not None:
            continue
        if run.id not in read:
            files = orjson.loads((run.path / MANIFEST).read_bytes())["files"]
            read[run.id] = {file["path"]: file["blake3"] for file in files}
        found[one.target] = read[run.id][f"{run.config}/{one.piece.source.name}"]
    return found


def _files(
    place: BuildDir, work: Sequence[Gathering], known: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    yield manifest.file_record(place.path, README)
    for path in sorted((place.path / PLANS).glob("*.jsonl")):
        yield manifest.file_record(place.path, f"{PLANS}/{path.name}")
    for one in work:
        yield manifest.shard_record(place.path, one.target, known.get(one.target))
