"""`python -m gen build`: a whole collection as one data set."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from hydra import compose
from hydra.core.hydra_config import HydraConfig
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from gen.cli import faults
from gen.cli.groups import PRIMARY, Groups
from gen.cli.overrides import quote, split
from gen.errors import UserError, unknown
from gen.invalid import check
from gen.schema import BuildSettings, Settings, Subset
from gen.verbs import checked, tables

# What parts take over from the command line of the build.
_SHARED = ("data", "predictions", "wording", "executor", "seed", "media", "out_root", "verify")


def main(cfg: Mapping[str, Any]) -> int:
    """Make the collection that `cfg` names; its folder is the last line on stdout. Returns 0.

    Raises:
        UserError: a setting is wrong, or the data has no item for any part.
    """
    own = {name: cfg[name] for name in BuildSettings.model_fields if name in cfg}
    settings = check(BuildSettings, own)
    parts = list(_parts(settings))
    from gen.collection import build
    from gen.collection import parts as located
    from gen.collection.counts import Counts

    def tell(counts: Counts) -> None:
        print(_table(counts.table()), file=sys.stderr)

    found = located.locate(parts)
    if settings.dry_run:
        from gen.collection import estimate

        estimate.report(settings, found, tell)
    else:
        print(build.build(settings, found, tell), flush=True)
    return 0


def _parts(settings: BuildSettings) -> Iterator[Settings]:
    """The settings of every part, in the order of subsets, tasks, rows and question types."""
    hydra = HydraConfig.get()
    groups = Groups.on_search_path(hydra.runtime.config_sources)
    shared = [one for one in hydra.overrides.task if split(one)[0].split(".")[0] in _SHARED]
    shared += [one for one in hydra.overrides.hydra if split(one)[0] == "hydra.searchpath"]
    subsets = [
        Subset.model_validate(groups.read("subset", name)) for name in settings.collection.subsets
    ]
    tasks = _chosen("task", settings.tasks, groups.options("task"))
    questions = _chosen("question", settings.questions, groups.options("question"))
    known = [stem for task in tasks for stem in groups.read("task", task)["encodings"]]
    stems = set(_chosen("encoding", settings.encodings, known))
    composed = {
        task: _composed(task, settings, [*shared, *_options(groups, task, subsets, questions)])
        for task in tasks
    }
    found = [
        checked.settings(
            composed[task]["common"]
            | {
                "encoding": composed[task]["encodings"][f"_{stem}"],
                "question": composed[task]["questions"][question],
                "subset": subset.model_dump(),
            }
        )
        for subset in subsets
        for task in tasks
        for stem in _stems(groups, task, [subset])
        if stem in stems
        for question in subset.questions
        if question in questions
    ]
    if not found:
        chosen = ", ".join(
            f"{name}=[{','.join(getattr(settings, name))}]"
            for name in ("tasks", "encodings", "questions")
        )
        raise UserError(f"collection={settings.collection.name} has no part with {chosen}")
    yield from found


def _composed(task: str, settings: BuildSettings, overrides: Sequence[str]) -> dict[str, Any]:
    """The settings of a task: its encodings, its question types, and what all of them share."""
    try:
        cfg = compose(PRIMARY, [f"task={quote(task)}", *overrides])
        content: Any = OmegaConf.to_container(cfg, resolve=True, throw_on_missing=True)
    except OmegaConfBaseException as error:
        raise faults.explain(error) from error
    encodings, questions = content.pop("encodings"), content.pop("questions")
    for name, question in questions.items():
        question["min_gap"] = settings.question.min_gap
        if name == "pairwise":
            question["order"] = settings.question.order
    return {"common": content, "encodings": encodings, "questions": questions}


def _options(
    groups: Groups, task: str, subsets: Sequence[Subset], questions: Sequence[str]
) -> Iterator[str]:
    """Overrides that put all encodings and question types of a task beside its own settings."""
    for stem in _stems(groups, task, subsets):
        # No package of Hydra's may begin with a digit.
        yield f"+encoding@encodings._{stem}={quote(stem)}"
    for question in questions:
        yield f"+question@questions.{question}={quote(question)}"


def _stems(groups: Groups, task: str, subsets: Sequence[Subset]) -> list[str]:
    """The encodings of a task that the subsets use, as its rows say."""
    rows = groups.read("task", task)["encodings"]
    return [
        stem
        for stem, row in rows.items()
        if any((row or {}).get(subset.rows) for subset in subsets)
    ]


def _chosen(what: str, patterns: Sequence[str], known: Sequence[str]) -> list[str]:
    """Those of `known` that match a pattern.

    Raises:
        UserError: a pattern matches none.
    """
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in known):
            raise unknown(what, pattern, known)
    return [
        name for name in dict.fromkeys(known) if any(fnmatchcase(name, one) for one in patterns)
    ]


def _table(rows: Sequence[Sequence[str]]) -> str:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD)
    for column in rows[0]:
        table.add_column(column, justify="left" if column in ("task", "encoding") else "right")
    for cells in rows[1:]:
        table.add_row(*cells, end_section=cells[1] == "all")
    return tables.text(table)
