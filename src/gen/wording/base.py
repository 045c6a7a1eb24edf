"""Wording that several families of encodings share."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict

from gen.fields import Text, template


class Words(BaseModel):
    """Base of all wording: unknown keys are refused, nothing changes after validation."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Noun(Words):
    """What one prediction is made of, as a singular and a plural."""

    one: Text
    many: Text


class Canvas(Words):
    """On what a picture is drawn."""

    overlay: Annotated[Text, template("many")]
    separate: Annotated[Text, template("many")]


class Legend(Words):
    """The legend of one option: its frame, its entries, and what it says in special cases."""

    frame: Annotated[Text, template("entries")]
    separator: Annotated[Text, template()]
    class_color: Annotated[Text, template("label", "color", "code")]
    index_class: Annotated[Text, template("index", "label")]
    index_class_color: Annotated[Text, template("index", "label", "color", "code")]
    empty: Annotated[Text, template("many")]
    repeats: Annotated[Text, template("count")]


class TextForm(Words):
    """How a text that has one entry for each thing is laid out; `schema_line` is shown as it is."""

    sentence: Annotated[Text, template("one", "schema_line")]
    schema_line: Text
