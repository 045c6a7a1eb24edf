"""Judge tasks and their rows of the registry."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from gen.fields import EachOnce, FolderName, Name, Text, Whole, template
from gen.schema.degradations import Degradation, Staging
from gen.schema.model import Model

Family = Literal[
    "boxes",
    "instances",
    "semantic",
    "referring",
    "keypoints",
    "depth",
    "restoration",
    "scenes",
]


class Row(Model):
    """One (task, encoding) row of the registry and the subsets that use it."""

    is_final: bool
    is_base_ablation: bool


class Task(Model):
    """A judge task: what is judged and how the prompt speaks of it.

    `context_alone` stands in the place of `context` where a prediction names nothing that fills its
    gaps; null leaves the sentence out. `error_types` are the kinds of error that its family can be
    given on purpose; `predictions.error_types` chooses among them. `degradation` says what the
    pictures of a restoration task suffer from, `staging` on what a generation task is asked; both
    are null for other tasks.
    """

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset({"encodings", "error_types"})

    name: FolderName
    row_name: Name
    category: Literal["perception", "restoration", "generation"]
    family: Family
    data_version: Whole = Field(ge=1)
    role: Annotated[Text, template("given_image")]
    context: Annotated[Text, template(optional=("classes", "expression"))]
    context_alone: Text | None
    error_types: Annotated[tuple[Name, ...], EachOnce]
    degradation: Degradation | None = None
    staging: Staging | None = None
    encodings: dict[str, Row | None]

    @model_validator(mode="after")
    def _has_what_its_family_needs(self) -> "Task":
        for family, name in (("restoration", "degradation"), ("scenes", "staging")):
            if (self.family == family) != (getattr(self, name) is not None):
                raise ValueError(f"{name} belongs to tasks of family {family}, and to no other")
        return self
