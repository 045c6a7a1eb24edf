"""The sentences that prompts are made of: which there are, and which gaps each of them has.

The sentences themselves are in the config group `wording`. A gap is a name in braces; a template
must have just the gaps that its field names, so that no sentence can lose a number in silence.
"""

import string
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict


def _gaps(*names: str) -> AfterValidator:
    expected = set(names)

    def check(template: str) -> str:
        try:
            found = {gap for _, gap, _, _ in string.Formatter().parse(template) if gap is not None}
        except ValueError as error:
            raise ValueError(f"not a template: {error}") from None
        if found != expected:
            wanted = ", ".join(f"{{{name}}}" for name in names)
            got = ", ".join(f"{{{name}}}" for name in sorted(found)) or "none"
            raise ValueError(f"the gaps must be {wanted or 'none'}, not {got}")
        return template

    return AfterValidator(check)


class Words(BaseModel):
    """Base of all wording: unknown keys are refused, nothing changes after validation."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Noun(Words):
    """What one prediction is made of, as a singular and a plural."""

    one: str
    many: str


class Nouns(Words):
    """The noun of each task family."""

    instances: Noun


class Canvas(Words):
    """On what a picture is drawn."""

    overlay: Annotated[str, _gaps("many")]
    separate: Annotated[str, _gaps("many")]


class Opacity(Words):
    """An opacity between 0 and 1 in words."""

    none: str
    mostly_transparent: str
    half: str
    mostly_opaque: str
    full: str


class Fill(Words):
    """Filled masks: blended with what is below them, or in the full color."""

    blended: Annotated[str, _gaps("one", "opacity", "opacity_words")]
    solid: Annotated[str, _gaps("one")]


class Outline(Words):
    """Outlined masks: a cased line in the mask's own color, or a black rim around a solid fill."""

    own_color: Annotated[str, _gaps("one")]
    black: Annotated[str, _gaps("one")]


class LabelWords(Words):
    """Labels at every mask, or at those where there is room."""

    every: Annotated[str, _gaps("one")]
    with_room: Annotated[str, _gaps("one")]


class Cells(Words):
    """Masks cut down to a grid of cells; `fill_*` and `rest_*` follow `grid`."""

    grid: Annotated[str, _gaps("one", "many", "rows", "columns")]
    fill_blended: Annotated[str, _gaps("one", "opacity", "opacity_words")]
    fill_solid: Annotated[str, _gaps("one")]
    rest_overlay: Annotated[str, _gaps()]
    rest_separate: Annotated[str, _gaps()]


class Colors(Words):
    """What a color means."""

    by_class: Annotated[str, _gaps("one")]
    by_instance: Annotated[str, _gaps("one", "many", "count")]
    by_index: Annotated[str, _gaps("many")]


class Legend(Words):
    """The legend of one option: its frame, its entries, and what it says in special cases."""

    frame: Annotated[str, _gaps("entries")]
    separator: Annotated[str, _gaps()]
    class_color: Annotated[str, _gaps("label", "color", "code")]
    index_class: Annotated[str, _gaps("index", "label")]
    index_class_color: Annotated[str, _gaps("index", "label", "color", "code")]
    empty: Annotated[str, _gaps("many")]
    repeats: Annotated[str, _gaps("count")]


class TextForm(Words):
    """How a text that has one entry for each thing is laid out; `schema_line` is shown as it is."""

    sentence: Annotated[str, _gaps("one", "schema_line")]
    schema_line: str


class TextForms(Words):
    """What each text form says of itself."""

    polygon: TextForm
    rle: TextForm
    matrix: Annotated[str, _gaps("one", "many", "rows", "columns")]
    grid: Annotated[str, _gaps("one", "many", "rows", "columns")]


class EncodingWords(Words):
    """The sentences of the format block and of the legends."""

    nouns: Nouns
    canvas: Canvas
    opacity: Opacity
    fill: Fill
    outline: Outline
    dashed_boxes: Annotated[str, _gaps("one")]
    labels: LabelWords
    cells: Cells
    colors: Colors
    legend: Legend
    text: TextForms
    combo: Annotated[str, _gaps("many", "text", "picture")]


class Wording(Words):
    """All sentences that do not belong to one task or one question type.

    `given_image` is what the role sentence adds where the original image is shown.
    """

    given_image: str
    encoding: EncodingWords
