"""The plan of a run: which predictions meet in which item, settled before anything is drawn.

A plan depends on data, seed, task and question, never on the encoding, so every encoding of a task
shows the same items in the same words and order.
"""

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import IO

from gen import atomic
from gen.errors import UserError
from gen.judge.balance import Balance
from gen.judge.candidates import Candidates, group_key
from gen.judge.plan_file import (
    INDEX_STEP,
    Header,
    PlannedItem,
    header,
    header_line,
    picture_hash,
    pictures_beside,
    read,
    to_line,
)
from gen.judge.questions import pairwise, ranking
from gen.judge.sampling import LEAST_GAP, Pool, round_robin, truth_allowed, wanted_third
from gen.predictions.annotation import Annotation, PicturePrediction
from gen.predictions.picture_store import PictureStore
from gen.rng import opaque_id, stream
from gen.schema import Settings
from gen.sources.records import Problem, Source

__all__ = ["Header", "PlannedItem", "header", "read", "write"]

Options = tuple[Annotation, ...]


@dataclass(frozen=True, slots=True)
class Quota:
    """How much a run asks for: None where nothing is asked. `ranks` counts pairs or groups."""

    items: int | None
    ranks: int | None
    images: int | None
    unit: str

    def shortfalls(self, items: int, ranks: int, images: int) -> tuple[str, ...]:
        """One sentence for each quota that was not reached."""
        wanted = (
            (self.images, images, "images"),
            (self.ranks, ranks, self.unit),
            (self.items, items, "items"),
        )
        return tuple(
            f"the data gives {have} of {want} {name}, {want - have} too few"
            for want, have, name in wanted
            if want is not None and have < want
        )


def quota(settings: Settings) -> Quota:
    """What the subset asks for, or the `n_items` of a free run."""
    question, subset = settings.question, settings.subset
    unit = "pairs" if question.name == "pairwise" else "groups"
    if subset.name == "none":
        return Quota(settings.n_items, None, None, unit)
    ranks = subset.pairs if question.name == "pairwise" else subset.groups
    scored = question.name == "scoring" and ranks is not None
    items = ranks * question.group_most if scored and ranks is not None else None
    return Quota(items, ranks, subset.images, unit)


def write(settings: Settings, source: Source, path: Path) -> Header:
    """Plan a run and write it to `path`, and the pictures that it speaks of beside it.

    Equal data and settings give equal bytes. The file is there whole or not at all.

    Memory does not grow with the number of items, but for 8 bytes for each `INDEX_STEP` of them
    and what is remembered of each photo that has been used.

    Raises:
        UserError: the data gives not a single item; the message says what is missing.
        OSError: the folder of `path` cannot be written, or the disk is full.
    """
    archive = pictures_beside(path)
    archive.unlink(missing_ok=True)
    with (
        tempfile.TemporaryFile(dir=path.parent) as made,
        tempfile.TemporaryFile(dir=path.parent) as body,
        PictureStore(made) as pictures,
    ):
        candidates = Candidates(settings, source, pictures)
        with atomic.replacing(archive) as kept:
            with PictureStore(kept) as used:
                top = _write_items(settings, candidates, body, used)
            if len(used):
                top = replace(top, pictures=picture_hash(kept))
        if not len(used):
            archive.unlink()
        body.seek(0)
        with atomic.replacing(path) as temporary, temporary.open("wb") as file:
            file.write(header_line(top))
            shutil.copyfileobj(body, file, 1 << 20)
    return top


def _write_items(
    settings: Settings, candidates: Candidates, body: IO[bytes], used: PictureStore
) -> Header:
    want = quota(settings)
    index: list[int] = []
    images: set[str] = set()
    error_types: Counter[str] = Counter()
    items = ranks = 0
    for item in islice(planned_items(settings, candidates), want.items):
        if items % INDEX_STEP == 0:
            index.append(body.tell())
        body.write(to_line(item))
        used.take(candidates.pictures, _pictures(item))
        images.add(item.image_id)
        error_types[item.annotations[0].error_type or "none"] += 1
        items, ranks = items + 1, item.rank + 1
    if not items:
        raise _nothing(settings, candidates)
    return Header(
        items=items,
        images=len(images),
        drops=dict(sorted(candidates.drops.items())),
        shortfalls=(
            *want.shortfalls(items, ranks, len(images)),
            *_single(settings.question.order, items),
        ),
        problems=candidates.problems(),
        error_types=dict(sorted(error_types.items())),
        index=tuple(index),
    )


def _pictures(item: PlannedItem) -> Iterator[PicturePrediction]:
    for one in item.annotations:
        if one.given and one.given.picture:
            yield one.given.picture
        yield from (part for part in one.prediction if isinstance(part, PicturePrediction))


def _single(order: str, items: int) -> tuple[str, ...]:
    if order == "random" or items % 2 == 0:
        return ()
    return (f"question.order=both, but the last of {items} items has no twin: the number is odd",)


def _nothing(settings: Settings, candidates: Candidates) -> UserError:
    question = settings.question
    gap = max(LEAST_GAP, question.min_gap)
    least = question.group_least
    return UserError(
        f"data={settings.data.name} gives no {question.name} item: {candidates.census()}; it takes "
        f"{least} prediction{'s' if least > 1 else ''} of one group (question.group_by)"
        + (f" with final scores at least {gap:g} apart" if least > 1 else "")
        + "".join(f"; problems: {told}" for told in told_problems(candidates.problems()))
    )


def told_problems(problems: Sequence[Problem]) -> list[str]:
    """One line, or none: how many problems of each kind there are, and the first of them."""
    if not problems:
        return []
    kinds = Counter(problem.kind for problem in problems)
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    first = problems[0]
    return [f"{counts}; the first: {first.file}, {first.record}: {first.reason}"]


def planned_items(settings: Settings, candidates: Candidates) -> Iterator[PlannedItem]:
    """All items that the data gives within the subset's photos and groups, in order."""
    question, want = settings.question, quota(settings)
    task, seed = settings.task.name, settings.seed
    balance = Balance()

    # Pixels are read last: a photo that has nothing to deal may not even be on this disk.
    def deal_pair(pool: Pool, rank: int) -> Options | None:
        third, truth = wanted_third(seed, task, rank), truth_allowed(rank)
        pair = pool.deal_pair(question.min_gap, third, truth, balance)
        if pair is None or not candidates.readable(pool.image_id):
            return None
        balance.add(pair.contrast)
        return pair.options

    def deal_group(pool: Pool, rank: int) -> Options | None:
        least, most, truth = question.group_least, question.group_most, truth_allowed(rank)
        options = pool.deal_group(least, most, question.min_gap, truth)
        return options if options and candidates.readable(pool.image_id) else None

    deal = deal_pair if question.name == "pairwise" else deal_group

    dealt = round_robin(candidates.pools(), want.images, deal)
    for rank, options in enumerate(islice(dealt, want.ranks)):
        yield from arrange(settings, rank, options)


def arrange(settings: Settings, rank: int, options: Options) -> Iterator[PlannedItem]:
    """The items of the pair or group of this rank; `options` are given from best to worst."""
    question = settings.question
    rng = stream(settings.seed, "judge", settings.task.name, question.name, rank)
    wording = int(rng.integers(len(question.ask)))
    if question.name == "pairwise":
        ordered = options
        if not pairwise.better_is_first(settings.seed, settings.task.name, rank):
            ordered = options[::-1]
        pair_id = opaque_id("pair", *(option.annotation_id for option in options))
        yield _item(settings, rank, wording, ordered, pair_id=pair_id, order="AB")
        if question.order == "both":
            yield _item(settings, rank, wording, ordered[::-1], pair_id=pair_id, order="BA")
    elif question.name == "ranking":
        scores = [option.final_score for option in options]
        order = ranking.option_order(scores, question.example or "", rng)
        yield _item(settings, rank, wording, tuple(options[index] for index in order))
    else:
        for index in rng.permutation(len(options)).tolist():
            yield _item(settings, rank, wording, (options[index],))


def _item(
    settings: Settings,
    rank: int,
    wording: int,
    annotations: Options,
    *,
    pair_id: str | None = None,
    order: str | None = None,
) -> PlannedItem:
    one = annotations[0]
    return PlannedItem(
        rank=rank,
        image_id=one.image_id,
        question=settings.question.name,
        annotations=annotations,
        classes=_classes(annotations),
        prompt=one.prompt,
        group=opaque_id("group", one.image_id, *group_key(one, settings.question.group_by)),
        wording=wording,
        pair_id=pair_id,
        order=order,
    )


def _classes(annotations: Sequence[Annotation]) -> tuple[str, ...]:
    # In the order of ids, so that classes that differ do not tell which option is which.
    ordered = sorted(annotations, key=lambda one: one.annotation_id)
    return tuple(dict.fromkeys(name for one in ordered for name in one.class_of_interest or ()))
