"""A run cut into shards, and how a worker makes one of them."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from blake3 import blake3

from gen import atomic
from gen.export import tells
from gen.export.parquet import ShardResult, ShardWriter
from gen.item import JudgeItem
from gen.judge import plan_file
from gen.judge.items import Maker
from gen.rundir.contents import shard_name
from gen.rundir.place import MEDIA, PLAN
from gen.schema import Settings
from gen.sources.open import open_source


@dataclass(frozen=True, slots=True)
class Shard:
    """The items `start` to `stop` (exclusive) of the plan: number `index` of `count` files."""

    index: int
    count: int
    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start

    def __str__(self) -> str:
        return shard_name(self.index, self.count)


def partition(n_items: int, count: int) -> list[Shard]:
    """Cut `n_items` into `count` shards of equal size, give or take one item."""
    edges = [index * n_items // count for index in range(count + 1)]
    return [Shard(i, count, edges[i], edges[i + 1]) for i in range(count)]


def maker(settings: Settings, run: Path) -> Callable[[Shard], ShardResult]:
    """The function that makes a shard of the run in the folder `run`; opens the source once."""
    pictures = plan_file.open_pictures(run / PLAN)
    items = Maker(settings, open_source(settings.data), pictures)
    folder = run / settings.task.name

    def make(shard: Shard) -> ShardResult:
        rejections: Counter[str] = Counter()
        told: Counter[str] = Counter()
        files: dict[str, tuple[int, str]] = {}
        planned = plan_file.read(run / PLAN, shard.start, shard.stop)
        with (
            atomic.replacing(folder / str(shard)) as temporary,
            temporary.open("wb") as sink,
            ShardWriter(sink) as writer,
        ):
            for made in items.make(planned):
                if not isinstance(made, JudgeItem):
                    rejections[made.reason] += 1
                    continue
                writer.add(made)
                told.update(tells.count(made, settings.question.option))
                if settings.media == "files":
                    files.update(_write_media(run / MEDIA, made))
            return writer.close(files, dict(rejections), dict(told))

    return make


def _write_media(folder: Path, item: JudgeItem) -> Iterator[tuple[str, tuple[int, str]]]:
    for picture in item.media:
        # Not flushed one by one: a resumed run compares sizes before it trusts the shard.
        atomic.write(folder / picture.name, picture.png, durable=False)
        yield picture.name, (len(picture.png), blake3(picture.png).hexdigest())
