"""The sentences on depth maps."""

from typing import Annotated

from gen.fields import Text, template
from gen.wording.base import Words


class DepthColors(Words):
    """Which end of each color map is near and which is far."""

    plasma: Annotated[Text, template()]
    turbo: Annotated[Text, template()]
    gray: Annotated[Text, template()]


class DepthWords(Words):
    """What the pictures of depth maps say of themselves."""

    picture: Annotated[Text, template()]
    colors: DepthColors
    scale: Annotated[Text, template()]
