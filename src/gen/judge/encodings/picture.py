"""Pictures of predictions: a canvas and layers on it, as a recipe says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from gen.judge.encodings.shown import Encoded, Exhibit, Picture, Shown, Size
from gen.render import canvas

S = TypeVar("S")
C = TypeVar("C")
S_contra = TypeVar("S_contra", contravariant=True)
C_contra = TypeVar("C_contra", contravariant=True)


class Layer(Protocol[S_contra, C_contra]):
    """A part of a picture. `paint` draws in place on RGB uint8 (height, width, 3)."""

    def paint(self, canvas: Picture, scene: S_contra, colors: C_contra, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Recipe(Generic[S, C]):
    """How predictions become pictures.

    `scenes` makes of each option what is to be drawn; `colors` assigns colors once for all options;
    `layers` are painted in order; `legend` tells what the colors of one option mean; `format`
    describes all of it for a photo of a size.
    """

    canvas: Literal["overlay", "separate"]
    scenes: Callable[[Exhibit], Sequence[S]]
    colors: Callable[[Exhibit, Sequence[S]], C]
    layers: tuple[Layer[S, C], ...]
    legend: Callable[[S, C], str | None]
    format: Callable[[Size], str]


@dataclass(frozen=True, slots=True)
class PictureEncoder(Generic[S, C]):
    """Draws each option by one recipe, in colors that all options share."""

    recipe: Recipe[S, C]

    @property
    def needs_photo(self) -> bool:
        return self.recipe.canvas == "overlay"

    def encode(self, exhibit: Exhibit) -> Encoded:
        """See `Encoder.encode`."""
        drawn = self.recipe.scenes(exhibit)
        colors = self.recipe.colors(exhibit, drawn)
        options = tuple(
            Shown(
                picture=self._paint(exhibit, scene, colors),
                legend=self.recipe.legend(scene, colors),
            )
            for scene in drawn
        )
        return Encoded(self.recipe.format(exhibit.size), options)

    def _paint(self, exhibit: Exhibit, scene: S, colors: C) -> Picture:
        if not self.needs_photo:
            picture = canvas.black(*exhibit.size)
        elif exhibit.photo is not None:
            picture = canvas.paper(exhibit.photo)
        else:
            raise ValueError("this encoding draws on the photo, which is not given")
        for layer in self.recipe.layers:
            layer.paint(picture, scene, colors)
        return picture
