"""Rows of parts as the shards of a collection: linked where nothing changes, else rewritten."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import orjson
import pyarrow.parquet as pq

from gen import atomic
from gen.collection import links
from gen.collection.parts import Part, by_items
from gen.collection.place import BuildDir
from gen.export import parquet
from gen.item import JudgeItem
from gen.rundir.contents import SHARD_NAME, shard_name
from gen.rundir.place import MEDIA

Subsets = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A shard of the collection: the rows of one shard of a part.

    `labels` gives the subsets of each row that is kept, by item id; None leaves all as it is.
    """

    part: Part
    source: Path
    task: str
    labels: Mapping[str, Subsets] | None
    rows: int

    def __str__(self) -> str:
        return f"{self.source.name} of {self.part}"


@dataclass(frozen=True, slots=True)
class Gathering:
    """A piece and the name, relative to the build's folder, of the shard that it becomes."""

    piece: Piece
    target: str

    def __str__(self) -> str:
        return f"{self.target}, {self.piece}"


def arrange(parts: Sequence[Part]) -> list[Gathering]:
    """What becomes of every shard of every part, in the order of `parts` in each task.

    An item that several subsets have is kept in the first of them, and is labelled with all.
    """
    pieces: dict[str, list[Piece]] = {}
    for siblings in by_items(parts).values():
        for piece in _pieces(siblings):
            pieces.setdefault(piece.task, []).append(piece)
    return [
        Gathering(piece, f"{task}/{shard_name(index, len(found))}")
        for task, found in pieces.items()
        for index, piece in enumerate(found)
    ]


def maker(place: BuildDir) -> Callable[[Gathering], str | None]:
    """The function that brings a piece into the build's folder.

    It gives the shard's BLAKE3 where it was written anew, else None.
    """

    def make(work: Gathering) -> str | None:
        target = place.path / work.target
        if work.piece.labels is None:
            links.place(work.piece.source, target)
            names: Sequence[str] = list(parquet.footer(target).media)
            digest = None
        else:
            result = _rewritten(work.piece.source, target, work.piece.labels)
            names, digest = list(result.footer.media), result.blake3
        for name in names:
            links.place(work.piece.part.run.path / MEDIA / name, place.path / MEDIA / name)
        return digest

    return make


def is_there(place: BuildDir, work: Gathering) -> bool:
    """Whether the shard is the build's already, whole."""
    target = place.path / work.target
    try:
        if work.piece.labels is None:
            return target.samefile(work.piece.source)
        parquet.footer(target)
        return _labels(target) == dict(work.piece.labels)
    except (OSError, ValueError):
        return False


def _pieces(siblings: Sequence[Part]) -> Iterator[Piece]:
    shards = [(part, [(path, _ids(path)) for path in _shards(part)]) for part in siblings]
    holders: dict[str, Subsets] = {}
    for part, found in shards:
        for _, ids in found:
            for name in ids:
                holders[name] = (*holders.get(name, ()), part.plan_key.subset)
    for part, found in shards:
        own = part.plan_key.subset
        for path, ids in found:
            labels = {name: holders[name] for name in ids if holders[name][0] == own}
            alone = all(label == (own,) for label in labels.values())
            unchanged = alone and len(labels) == len(ids)
            if labels:
                yield Piece(
                    part, path, part.plan_key.task, None if unchanged else labels, len(labels)
                )


def _shards(part: Part) -> list[Path]:
    return sorted(
        path for path in part.run.shard_folder.iterdir() if SHARD_NAME.fullmatch(path.name)
    )


def _ids(shard: Path) -> list[str]:
    names: list[str] = pq.read_table(shard, columns=["id"])["id"].to_pylist()
    return names


def _labels(shard: Path) -> dict[str, Subsets]:
    table = pq.read_table(shard, columns=["id", "metadata"])
    told = (orjson.loads(text)["subsets"] for text in table["metadata"].to_pylist())
    return {name: tuple(own) for name, own in zip(table["id"].to_pylist(), told, strict=True)}


def _rewritten(source: Path, target: Path, labels: Mapping[str, Subsets]) -> parquet.ShardResult:
    beside = parquet.footer(source).media
    kept: dict[str, tuple[int, str]] = {}
    with (
        atomic.replacing(target) as temporary,
        temporary.open("wb") as sink,
        parquet.ShardWriter(sink) as writer,
    ):
        for item in parquet.read_items(source):
            if item.id in labels:
                writer.add(_labelled(item, labels[item.id]))
                kept |= {one.name: beside[one.name] for one in item.media if one.name in beside}
        return writer.close(kept, {})


def _labelled(item: JudgeItem, subsets: Subsets) -> JudgeItem:
    return replace(item, subset=subsets[0], metadata=item.metadata | {"subsets": list(subsets)})
