"""What a build would hold and cost, told without writing anything that stays."""

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from gen.collection import counts, place
from gen.collection.parts import Part, PlanKey, by_plan
from gen.errors import UserError
from gen.executors.local import usable_cores
from gen.item import JudgeItem
from gen.judge import plan, plan_file
from gen.judge.items import make_items
from gen.progress import say
from gen.schema import BuildSettings
from gen.sources.open import open_source
from gen.sources.records import Source


def report(
    settings: BuildSettings, parts: Sequence[Part], tell: Callable[[counts.Counts], None]
) -> None:
    """Plan all parts, make the first item of each in memory, and print counts, bytes and time.

    The counts take no item to be in two subsets. Parts that are there already are counted as well.

    Raises:
        UserError: the data gives no item to any part.
    """
    say("planning all parts to count their items; nothing will be written")
    found = place.locate(settings, parts)
    source = open_source(parts[0].settings.data)
    shared = by_plan(parts)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        paths = {key: Path(folder, str(number)) for number, key in enumerate(shared)}
        nothing = _planned(shared, paths, source)
        headers = {key: plan_file.header(path) for key, path in paths.items() if path.exists()}
        if not headers:
            reasons = "; ".join(dict.fromkeys(nothing.values()))
            raise UserError(f"no part of the collection has an item: {reasons}")
        seconds, size = time.perf_counter() - began, 0.0
        for part in parts:
            if part.plan_key in headers:
                cost = _first(part, paths[part.plan_key], source)
                seconds += cost[0] * headers[part.plan_key].items
                size += cost[1] * headers[part.plan_key].items
    lacking = counts.shortfalls(headers, nothing, shared)
    told = counts.planned(parts, headers, lacking)
    tell(told)
    for one in lacking:
        say(f"shortfall: {one}")
    workers = parts[0].settings.executor.workers or usable_cores()
    print(
        f"build {found.id} would hold about {sum(told.items.values())} items in {len(parts)} runs"
    )
    print(f"  bytes     about {size / 1e9:.2f} GB")
    print(f"  time      about {seconds / workers / 60:.1f} min on {workers} worker(s)")
    print("nothing was written; the folder would be")
    print(found.path, flush=True)


def _planned(
    shared: dict[PlanKey, list[Part]], paths: dict[PlanKey, Path], source: Source
) -> dict[PlanKey, str]:
    nothing = {}
    for key, parts in shared.items():
        try:
            plan.write(parts[0].settings, source, paths[key])
        except UserError as error:
            nothing[key] = str(error)
    return nothing


def _first(part: Part, path: Path, source: Source) -> tuple[float, float]:
    """Seconds and bytes of the first item of a part."""
    began = time.perf_counter()
    first, pictures = plan_file.read(path, 0, 1), plan_file.open_pictures(path)
    (made,) = make_items(part.settings, source, first, pictures)
    seconds = time.perf_counter() - began
    if not isinstance(made, JudgeItem):
        return seconds, 0.0
    return seconds, len(made.prompt) + sum(len(one.png) for one in made.media)
