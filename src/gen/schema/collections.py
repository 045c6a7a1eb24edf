"""Whole collections: what `build` puts together, and of which parts."""

from typing import Annotated, Literal

from pydantic import Field

from gen.fields import EachOnce, FolderPath, Name, Real
from gen.schema.model import Model

Pattern = Annotated[str, Field(min_length=1, coerce_numbers_to_str=True)]
Patterns = Annotated[tuple[Pattern, ...], Field(min_length=1), EachOnce]


class Collection(Model):
    """Subsets that are put together; an item of several is labelled by the first that has it."""

    name: Name
    subsets: Annotated[
        tuple[Literal["encoding_analysis", "judge_analysis"], ...], Field(min_length=1), EachOnce
    ]


class Sampling(Model):
    """What a build can say of its questions (see `Question`); `order` is of pairs only."""

    order: Literal["random", "both"]
    min_gap: Real = Field(ge=0.0, le=10.0)


class BuildSettings(Model):
    """What belongs to a build rather than to its parts.

    `tasks`, `encodings` and `questions` are names or shell patterns that choose among the parts.
    """

    collection: Collection
    tasks: Patterns
    encodings: Patterns
    questions: Patterns
    question: Sampling
    out_root: FolderPath
    dry_run: bool
    verify: Literal["quick", "full"]
