"""Which jobs of a sweep go together, told from the settings files without composing any job."""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from gen.cli.groups import Groups, default
from gen.cli.overrides import split
from gen.errors import UserError
from gen.schema import pair_fault


def fitting(
    jobs: Sequence[list[str]], groups: Groups, choices: Mapping[str, Any]
) -> list[list[str]]:
    """The jobs whose settings go together; says on stderr how many do not and which.

    Args:
        jobs: the overrides of each job, one value each.
        groups: the config groups on the search path.
        choices: what is chosen in a group where a job does not say.

    Raises:
        UserError: a job names an option that there is not, or none goes together.
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
        parts = read("task", task), read("encoding", stem) if stem else {}, read("subset", subset)
        if not _tells(*parts) or pair_fault(*parts, question) is None:
            kept.append(job)
        else:
            where = f"task={task} subset={subset} question={question}"
            stems = lost.setdefault(where, [])
            if stem not in stems:
                stems.append(stem)
    which = [f"{where} encoding={','.join(stems)}" for where, stems in lost.items()]
    what = f"{len(jobs) - len(kept)} of {len(jobs)} jobs are left out"
    why = "their settings do not go together"
    if not kept:
        raise UserError(f"{what}, {why}: {'; '.join(which)}")
    if lost:
        print("\n  ".join([f"gen: {what}, {why}:", *which]), file=sys.stderr)
    return kept


def _tells(task: Mapping[str, Any], encoding: Mapping[str, Any], subset: Mapping[str, Any]) -> bool:
    """Whether the files alone tell if the options fit; else composing the job has to tell."""
    plain = [
        isinstance(name, str) and "${" not in name
        for name in (task.get("name"), encoding.get("name"), subset.get("name"))
    ]
    rows = task.get("encodings")
    return (
        all(plain)
        and isinstance(rows, dict)
        and all(row is None or isinstance(row, dict) for row in rows.values())
        and isinstance(encoding.get("tasks", []), list)
        and {"rows", "questions"} <= subset.keys()
    )
