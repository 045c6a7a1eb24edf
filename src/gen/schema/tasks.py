"""Judge tasks and their rows of the registry."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from gen.fields import EachOnce, FolderName, Name, Text, Whole, template
from gen.schema.model import Model

Family = Literal["boxes", "instances", "semantic", "referring", "keypoints", "depth"]


class Row(Model):
    """One (task, encoding) row of the registry and the subsets that use it."""

    is_final: bool
    is_base_ablation: bool


class Task(Model):
    """A judge task: what is judged and how the prompt speaks of it.

    `context_alone` stands in the place of `context` where a prediction names nothing that fills its
    gaps; null leaves the sentence out. `error_types` are the kinds of error that its family can be
    given on purpose; `predictions.error_types` chooses among them.
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
    encodings: dict[str, Row | None]
