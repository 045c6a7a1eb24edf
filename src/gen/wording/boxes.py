"""The sentences on boxes."""

from typing import Annotated

from gen.fields import Text, template
from gen.wording.base import Noun, TextForm, Words


class BoxTextForms(Words):
    """What each text form says of itself."""

    xyxy: TextForm
    xywh: TextForm


class BoxWords(Words):
    """What the pictures and texts of boxes say of themselves."""

    noun: Noun
    frames: Annotated[Text, template("one", "many")]
    labels: Annotated[Text, template("one")]
    colors: Annotated[Text, template("one")]
    text: BoxTextForms
    combo: Annotated[Text, template("many", "text", "picture")]
