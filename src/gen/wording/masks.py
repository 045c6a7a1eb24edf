"""The sentences on masks, whole or cut down to cells."""

from typing import Annotated

from gen.fields import Text, template
from gen.wording.base import Noun, Words


class Opacity(Words):
    """An opacity between 0 and 1 in words."""

    none: Text
    mostly_transparent: Text
    half: Text
    mostly_opaque: Text
    full: Text


class Fill(Words):
    """Filled masks: blended with what is below them, or in the full color."""

    blended: Annotated[Text, template("opacity", "opacity_words")]
    solid: Annotated[Text, template()]


class Outline(Words):
    """Outlined masks: a cased line in the mask's own color, or a black rim around a solid fill."""

    own_color: Annotated[Text, template()]
    black: Annotated[Text, template()]


class InstanceLabels(Words):
    """Labels at every mask, or at those where there is room."""

    every: Annotated[Text, template()]
    with_room: Annotated[Text, template()]


class Cells(Words):
    """Masks cut down to a grid of cells; `fill_*` and `rest_*` follow `grid`."""

    grid: Annotated[Text, template("rows", "columns")]
    fill_blended: Annotated[Text, template("opacity", "opacity_words")]
    fill_solid: Annotated[Text, template()]
    rest_overlay: Annotated[Text, template()]
    rest_separate: Annotated[Text, template()]


class LayerWords(Words):
    """What the layers of a picture say of themselves."""

    fill: Fill
    outline: Outline
    dashed_boxes: Annotated[Text, template()]
    cells: Cells


class JsonForm(Words):
    """How a text with one entry a line is laid out; `schema_line` is shown as it is."""

    sentence: Annotated[Text, template("schema_line")]
    schema_line: Text


class TextForms(Words):
    """What each text form says of itself."""

    polygon: JsonForm
    matrix: Annotated[Text, template("rows", "columns")]
    grid: Annotated[Text, template("rows", "columns")]


class InstanceTextForms(TextForms):
    """Instances have a form more."""

    rle: JsonForm


class InstanceColors(Words):
    """What the color of an instance means."""

    by_class: Annotated[Text, template()]
    by_instance: Annotated[Text, template("count")]
    by_index: Annotated[Text, template()]


class RegionColors(Words):
    """What the color of a region means, in a picture and in a grid."""

    whole: Annotated[Text, template(optional=("color", "code"))]
    by_index: Annotated[Text, template()]


class InstanceWords(LayerWords):
    """Instances: any number of masks of each class."""

    noun: Noun
    labels: InstanceLabels
    colors: InstanceColors
    text: InstanceTextForms
    combo: Annotated[Text, template("text", "picture")]


class RegionWords(LayerWords):
    """One mask for each class, or one for the expression that a prediction answers to."""

    noun: Noun
    labels: Annotated[Text, template()]
    colors: RegionColors
    text: TextForms
    combo: Annotated[Text, template("text", "picture")]


class MaskWords(Words):
    """What the pictures and texts of masks say of themselves, by task family."""

    opacity: Opacity
    instances: InstanceWords
    semantic: RegionWords
    referring: RegionWords
