"""A whole run: its settings, which of them go together, and what of them names the run."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, Field, model_validator

from gen.errors import nearest, unknown
from gen.fields import FolderPath, Whole
from gen.invalid import check
from gen.schema.data import Data
from gen.schema.encodings import Encoding, misfit
from gen.schema.executors import Executor
from gen.schema.model import Model
from gen.schema.predictions import Predictions, SyntheticPredictions
from gen.schema.questions import Question, Subset
from gen.schema.tasks import Task
from gen.wording import Wording


class Settings(Model):
    """Everything that a run of judge questions needs to know."""

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset(
        {"out_root", "executor", "dry_run", "verify"}
    )

    seed: Whole = Field(ge=0, lt=2**63)
    n_items: Whole = Field(ge=1, le=1_000_000_000)
    media: Literal["embedded", "files"]
    out_root: FolderPath
    dry_run: bool
    verify: Literal["quick", "full"]
    wording: Wording
    task: Task
    encoding: Encoding
    question: Question
    subset: Subset
    data: Data
    predictions: Predictions
    executor: Executor

    @model_validator(mode="after")
    def _pairs_fit(self) -> "Settings":
        fault = pair_fault(
            self.task.model_dump(),
            self.encoding.model_dump(),
            self.subset.model_dump(),
            self.question.name,
        )
        fault = fault or self._strange_error()
        if fault is None and self.subset.seed not in (None, self.seed):
            fault = (
                f"subset={self.subset.name} is defined for seed={self.subset.seed}, not {self.seed}"
            )
        if fault:
            raise ValueError(fault)
        return self

    def _strange_error(self) -> str | None:
        if not isinstance(self.predictions, SyntheticPredictions):
            return None
        known = self.task.error_types
        if known and not self.predictions.error_types:
            return "predictions.error_types is empty: expected one or more of " + " ".join(known)
        for kind in self.predictions.error_types:
            if kind not in known:
                return str(unknown(f"error type of task={self.task.name}", kind, known))
        return None


def pair_fault(
    task: Mapping[str, Any], encoding: Mapping[str, Any], subset: Mapping[str, Any], question: str
) -> str | None:
    """Why the options of four groups do not go together, or None where they do.

    Takes what the options' files hold, so that a sweep can ask before it composes anything.
    """
    name, stem, rows = task["name"], encoding["name"], task["encodings"]
    if stem not in rows and name not in encoding.get("tasks", ()):
        near = nearest(stem, rows)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        return f"task={name} has no encoding '{stem}': {hint}it has {' '.join(rows)}"
    if subset["rows"] and not (rows.get(stem) or {}).get(subset["rows"]):
        return f"subset={subset['name']} leaves out task={name} encoding={stem}"
    if subset["questions"] and question not in subset["questions"]:
        has = " and ".join(subset["questions"])
        return f"subset={subset['name']} has no {question} questions: it has {has}"
    return misfit(task["family"], encoding) if "family" in task else None


def validate(resolved: Mapping[str, Any]) -> Settings:
    """Check a resolved configuration, without Hydra's own node, and give it types.

    Raises:
        UserError: one line that names every fault, the value found, and what was expected.
    """
    return check(Settings, resolved)


def identity(model: BaseModel) -> dict[str, Any]:
    """The part of `model` that decides what is made, as plain JSON data, for the name of a run."""
    outside: frozenset[str] = getattr(model, "OUTSIDE_IDENTITY", frozenset())
    content: dict[str, Any] = {}
    for key in sorted(type(model).model_fields):
        if key in outside:
            continue
        value = getattr(model, key)
        content[key] = _plain(value)
    return content


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return identity(value)
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return {key: _plain(part) for key, part in value.items()} if isinstance(value, dict) else value
