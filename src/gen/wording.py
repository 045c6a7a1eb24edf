"""The sentences that prompts are made of: which there are, and which gaps each of them has.

The sentences themselves are in the config group `wording`.
"""

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


class Nouns(Words):
    """The noun of each task family."""

    instances: Noun


class Canvas(Words):
    """On what a picture is drawn."""

    overlay: Annotated[Text, template("many")]
    separate: Annotated[Text, template("many")]


class Opacity(Words):
    """An opacity between 0 and 1 in words."""

    none: Text
    mostly_transparent: Text
    half: Text
    mostly_opaque: Text
    full: Text


class Fill(Words):
    """Filled masks: blended with what is below them, or in the full color."""

    blended: Annotated[Text, template("one", "opacity", "opacity_words")]
    solid: Annotated[Text, template("one")]


class Outline(Words):
    """Outlined masks: a cased line in the mask's own color, or a black rim around a solid fill."""

    own_color: Annotated[Text, template("one")]
    black: Annotated[Text, template("one")]


class LabelWords(Words):
    """Labels at every mask, or at those where there is room."""

    every: Annotated[Text, template("one")]
    with_room: Annotated[Text, template("one")]


class Cells(Words):
    """Masks cut down to a grid of cells; `fill_*` and `rest_*` follow `grid`."""

    grid: Annotated[Text, template("one", "many", "rows", "columns")]
    fill_blended: Annotated[Text, template("one", "opacity", "opacity_words")]
    fill_solid: Annotated[Text, template("one")]
    rest_overlay: Annotated[Text, template()]
    rest_separate: Annotated[Text, template()]


class Colors(Words):
    """What a color means."""

    by_class: Annotated[Text, template("one")]
    by_instance: Annotated[Text, template("one", "many", "count")]
    by_index: Annotated[Text, template("many")]


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


class TextForms(Words):
    """What each text form says of itself."""

    polygon: TextForm
    rle: TextForm
    matrix: Annotated[Text, template("one", "many", "rows", "columns")]
    grid: Annotated[Text, template("one", "many", "rows", "columns")]


class EncodingWords(Words):
    """The sentences of the format block and of the legends."""

    nouns: Nouns
    canvas: Canvas
    opacity: Opacity
    fill: Fill
    outline: Outline
    dashed_boxes: Annotated[Text, template("one")]
    labels: LabelWords
    cells: Cells
    colors: Colors
    legend: Legend
    text: TextForms
    combo: Annotated[Text, template("many", "text", "picture")]


class Wording(Words):
    """All sentences that do not belong to one task or one question type.

    `given_image` is what the role sentence adds where the original image is shown.
    """

    given_image: Text
    encoding: EncodingWords
