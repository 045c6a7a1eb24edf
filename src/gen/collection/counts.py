"""What a build holds, by task, encoding and question type, and what fell short of its quota."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gen.collection.gather import Gathering
from gen.collection.parts import Part, PlanKey
from gen.judge import plan
from gen.judge.plan_file import Header
from gen.rundir import manifest

QUESTIONS = ("pairwise", "ranking", "scoring")


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A quota that was not reached, for all encodings of a task alike, and why."""

    subset: str
    task: str
    question: str
    what: str
    why: str

    def __str__(self) -> str:
        return f"{self.task}, {self.question}, {self.subset}: {self.what} ({self.why})"


@dataclass(frozen=True, slots=True)
class Counts:
    """`items` counts by (subset, task, encoding, question); each in the order of the parts.

    `rejections` counts items that were planned and then left out, by reason.
    """

    items: Mapping[tuple[str, str, str, str], int]
    shortfalls: Sequence[Shortfall]
    rejections: Mapping[str, int]
    problems: Mapping[str, int]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each part, as plain JSON data."""
        names = ("subset", "task", "encoding", "question", "items")
        return [dict(zip(names, (*key, count), strict=True)) for key, count in self.items.items()]

    def table(self) -> list[tuple[str, ...]]:
        """Rows of cells: a header, a row for each task and encoding, and sums."""
        cells: dict[tuple[str, str], Counter[str]] = {}
        for (_, task, encoding, question), count in self.items.items():
            for key in ((task, encoding), (task, "all"), ("all", "all")):
                cells.setdefault(key, Counter())[question] += count
        ordered = [
            *sorted(cells, key=lambda key: (key[0] == "all", key[0], key[1] == "all")),
        ]
        body = [
            (*key, *(str(cells[key][name]) for name in QUESTIONS), str(cells[key].total()))
            for key in ordered
        ]
        return [("task", "encoding", *QUESTIONS, "items"), *body]


def shortfalls(
    headers: Mapping[PlanKey, Header], nothing: Mapping[PlanKey, str], keys: Iterable[PlanKey]
) -> list[Shortfall]:
    """What the plans fell short of, in the order of `keys`; `nothing` says why a plan has no item.

    All encodings of a task share a plan, and so what it lacks.
    """
    found = []
    for key in keys:
        if key in nothing:
            found.append(Shortfall(*key, "not a single item", nothing[key]))
        elif key in headers:
            why = _why(headers[key])
            found += [Shortfall(*key, line, why) for line in headers[key].shortfalls]
    return found


def total(
    work: Sequence[Gathering],
    parts: Sequence[Part],
    headers: Mapping[PlanKey, Header],
    lacking: Sequence[Shortfall],
) -> Counts:
    """The counts of a build, from what was gathered and what its parts say of themselves."""
    items = {_key(part): 0 for part in parts}
    for one in work:
        items[_key(one.piece.part)] += one.piece.rows
    rejections: Counter[str] = Counter()
    for part in parts:
        rejections.update((manifest.read_head(part.run.path) or {}).get("rejections", {}))
    # Every plan tells all problems of its data: the same ones, many times.
    problems = {
        (problem.kind, problem.file, problem.record)
        for header in headers.values()
        for problem in header.problems
    }
    return Counts(
        items=items,
        shortfalls=lacking,
        rejections=dict(sorted(rejections.items())),
        problems=dict(sorted(Counter(kind for kind, _, _ in problems).items())),
    )


def planned(
    parts: Sequence[Part], headers: Mapping[PlanKey, Header], lacking: Sequence[Shortfall]
) -> Counts:
    """The counts of a build that is only planned."""
    items = {
        _key(part): headers[part.plan_key].items if part.plan_key in headers else 0
        for part in parts
    }
    return Counts(items, lacking, {}, {})


def as_json(lacking: Sequence[Shortfall]) -> list[dict[str, str]]:
    """Shortfalls as plain JSON data."""
    return [asdict(one) for one in lacking]


def _key(part: Part) -> tuple[str, str, str, str]:
    subset, task, question = part.plan_key
    return subset, task, part.encoding, question


def _why(header: Header) -> str:
    reasons = []
    if header.drops:
        dropped = ", ".join(f"{view}: {count}" for view, count in header.drops.items())
        reasons.append(f"choices left out since options would look alike in {dropped}")
    reasons += [
        f"records skipped or mended: {told}" for told in plan.told_problems(header.problems)
    ]
    return "; ".join(reasons) or "the photos give no more predictions that may meet"
