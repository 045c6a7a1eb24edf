"""The sentences on masks, whole or cut down to cells."""

from typing import Annotated

from gen.fields import Text, template
from gen.wording.base import Noun, TextForm, Words


class Nouns(Words):
    """The noun of each task family."""

    instances: Noun


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


class TextForms(Words):
    """What each text form says of itself."""

    polygon: TextForm
    rle: TextForm
    matrix: Annotated[Text, template("one", "many", "rows", "columns")]
    grid: Annotated[Text, template("one", "many", "rows", "columns")]


class MaskWords(Words):
    """What the pictures and texts of masks say of themselves."""

    nouns: Nouns
    opacity: Opacity
    fill: Fill
    outline: Outline
    dashed_boxes: Annotated[Text, template("one")]
    labels: LabelWords
    cells: Cells
    colors: Colors
    text: TextForms
    combo: Annotated[Text, template("many", "text", "picture")]
