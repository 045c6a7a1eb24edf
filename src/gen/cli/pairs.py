"""Which jobs of a sweep go together, told from the settings files without composing any job."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from gen.cli.groups import Groups, default
from gen.cli.overrides import split
from gen.schema import pair_fault


def fitting(
    jobs: Sequence[list[str]], groups: Groups, choices: Mapping[str, Any]
) -> tuple[list[list[str]], list[str]]:
    """The jobs that go together, and lines that say how many do not and which.

    Args:
        jobs: the overrides of each job, one value each.
        groups: the config groups on the search path.
        choices: what is chosen in a group where a job does not say.

    Raises:
        UserError: a job names an option that there is not.
    """
    read = cache(groups.read)
    kept: list[list[str]] = []
    lost: dict[str, list[str]] = {}
    for job in jobs:
        own = {key: (value or "").strip("'\"") for key, value in map(split, job)}
        task = own.get("task", choices["task"])
        subset = own.get("subset", choices["subset"])
        question = own.get("question", choices["question"])
        stem = own.get("encoding") or default(read("task", task), "encoding") or ""
        fault = pair_fault(
            read("task", task), read("encoding", stem), read("subset", subset), question
        )
        if fault is None:
            kept.append(job)
        else:
            where = f"task={task} subset={subset} question={question}"
            stems = lost.setdefault(where, [])
            if stem not in stems:
                stems.append(stem)
    return kept, _lines(len(jobs), len(kept), lost)


def _lines(asked: int, kept: int, lost: Mapping[str, Sequence[str]]) -> list[str]:
    if not lost:
        return []
    head = f"gen: {asked - kept} of {asked} jobs are left out: their settings do not go together"
    return [head, *(f"  {where} encoding={','.join(stems)}" for where, stems in lost.items())]
