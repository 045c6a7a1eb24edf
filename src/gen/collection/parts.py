"""The parts of a collection: one run for each subset, task, encoding and question type."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gen.rundir import place
from gen.rundir.place import RunDir
from gen.schema import Settings
from gen.sources.open import open_source


class PlanKey(NamedTuple):
    """What the plan of a part depends on, within one collection: everything but the encoding."""

    subset: str
    task: str
    question: str

    def __str__(self) -> str:
        return f"task={self.task} question={self.question} subset={self.subset}"


@dataclass(frozen=True, slots=True)
class Part:
    """The run of one subset, task, encoding and question type, and its place."""

    settings: Settings
    run: RunDir

    def __str__(self) -> str:
        return f"encoding={self.encoding} {self.plan_key}"

    @property
    def encoding(self) -> str:
        return self.settings.encoding.name

    @property
    def plan_key(self) -> PlanKey:
        chosen = self.settings
        return PlanKey(chosen.subset.name, chosen.task.name, chosen.question.name)


def locate(settings: Sequence[Settings]) -> list[Part]:
    """Each of `settings`, which are on the same data, with the place of its run.

    Raises:
        UserError: the data or the predictions that they name are not there.
    """
    source = open_source(settings[0].data)
    fingerprint = source.fingerprint()
    return [Part(one, place.locate(one, fingerprint)) for one in settings]


def by_plan(parts: Iterable[Part]) -> dict[PlanKey, list[Part]]:
    """The parts that share a plan, in their order."""
    found: dict[PlanKey, list[Part]] = {}
    for part in parts:
        found.setdefault(part.plan_key, []).append(part)
    return found


def by_items(parts: Iterable[Part]) -> Mapping[tuple[str, str, str], list[Part]]:
    """The parts that may hold the same items: equal but for their subset, in its order."""
    found: dict[tuple[str, str, str], list[Part]] = {}
    for part in parts:
        key = part.plan_key.task, part.encoding, part.plan_key.question
        found.setdefault(key, []).append(part)
    return found
