"""Question types and published subsets."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from gen.fields import EachOnce, Real, Text, Whole, template
from gen.schema.model import Model


class Question(Model):
    """A question type: its sentences and its sampling rules.

    A group gives `group_least` to `group_most` annotations at a time: the two of a pair, the
    options of a ranking, or the predictions that are scored one by one. `min_gap` is the least
    difference of their final scores, on 0 to 10. `order=both` emits each pair a second time with A
    and B exchanged. `example` lists all five letters in the order that a ranking prompt shows.
    """

    name: Literal["pairwise", "ranking", "scoring"]
    format: Annotated[Text, template("format")]
    heading: Text | None
    option: Annotated[Text, template("content", optional=("letter",))]
    option_format: Annotated[Text, template("format")]
    text: Annotated[Text, template("text")]
    picture: Annotated[Text, template("picture")]
    picture_alone: Annotated[Text, template("picture")]
    ask: Annotated[tuple[Text, ...], Field(min_length=1), EachOnce]
    final: Annotated[Text, template("ask", optional=("example",))]
    example: str | None
    group_by: Annotated[tuple[Literal["class_of_interest", "error_type", "prompt"], ...], EachOnce]
    min_gap: Real = Field(ge=0.0, le=10.0)
    order: Literal["random", "both"]
    group_least: Whole = Field(ge=1, le=5)
    group_most: Whole = Field(ge=1, le=5)

    @model_validator(mode="after")
    def _example_has_its_gap(self) -> "Question":
        if ("{example}" in self.final) != (self.example is not None):
            raise ValueError("example belongs to the gap {example} in final")
        if self.example is not None and sorted(self.example) != list("ABCDE"):
            raise ValueError(f"example must be the letters A to E, each once: {self.example!r}")
        return self

    @model_validator(mode="after")
    def _sizes_fit(self) -> "Question":
        if self.order == "both" and self.name != "pairwise":
            raise ValueError("order=both needs question=pairwise")
        if self.group_least > self.group_most:
            raise ValueError("group_least is above group_most")
        if self.name == "pairwise" and (self.group_least, self.group_most) != (2, 2):
            raise ValueError("a pair has two options: group_least and group_most are 2")
        if self.name == "ranking" and self.group_least < 3:
            raise ValueError("a ranking has three to five options: group_least is below 3")
        return self


class Subset(Model):
    """A published selection: how many photos, pairs and groups, and which encoding rows.

    It is defined for one `seed`; null stands for any.
    """

    name: Literal["encoding_analysis", "judge_analysis", "none"]
    seed: Whole | None = Field(ge=0, lt=2**63)
    rows: Literal["is_final", "is_base_ablation"] | None
    questions: tuple[Literal["pairwise", "ranking", "scoring"], ...]
    images: Whole | None = Field(ge=1)
    pairs: Whole | None = Field(ge=1)
    groups: Whole | None = Field(ge=1)
