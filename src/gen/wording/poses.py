"""The sentences on the joints of persons."""

from typing import Annotated

from gen.fields import Text, template
from gen.wording.base import Noun, TextForm, Words


class Drawn(Words):
    """How persons are drawn: their joints alone, or with the links between them."""

    points: Annotated[Text, template("one")]
    skeleton: Annotated[Text, template("one")]


class Plain(Words):
    """What colors mean, by how persons are drawn."""

    points: Annotated[Text, template()]
    skeleton: Annotated[Text, template()]


class Counted(Words):
    """The same, for colors of which there are `count`."""

    points: Annotated[Text, template("count")]
    skeleton: Annotated[Text, template("count")]


class Colors(Words):
    """What colors mean, by what they go by."""

    single: Plain
    person: Counted
    part: Plain


class PoseTextForms(Words):
    """What each text form says of itself; `order` and `missing` follow each of them."""

    flat_list: TextForm
    part_keyed_json: TextForm
    coco_style: TextForm
    order: Annotated[Text, template("names")]
    missing: Text


class PoseWords(Words):
    """What the pictures and texts of poses say of themselves.

    `sides` tells how joints of the left and the right side differ where colors do not say it.
    """

    noun: Noun
    drawn: Drawn
    sides: Annotated[Text, template()]
    colors: Colors
    text: PoseTextForms
    combo: Annotated[Text, template("many", "text", "picture")]
