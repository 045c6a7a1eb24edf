"""Pictures of predictions: a canvas and layers on it, as a recipe says."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gen.judge.encodings import cells, legends
from gen.judge.encodings.colors import Assignment, assign
from gen.judge.encodings.layers import Layer
from gen.judge.encodings.scene import Mark, Scene, scenes
from gen.judge.encodings.shown import Encoded, Picture, Shown, photo_size
from gen.predictions.annotation import Prediction
from gen.render import canvas, palette
from gen.wording import EncodingWords, Noun


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a prediction becomes a picture.

    `layers` are painted in order. `cells` is the number of grid cells on the longer side where
    each color stands for an index in a grid, else None.
    """

    canvas: Literal["overlay", "separate"]
    layers: tuple[Layer, ...]
    color_by: Literal["class", "instance"]
    cells: int | None = None


@dataclass(frozen=True, slots=True)
class PictureEncoder:
    """Draws each option by one recipe, in colors that all options share."""

    recipe: Recipe
    words: EncodingWords
    noun: Noun

    @property
    def needs_photo(self) -> bool:
        return self.recipe.canvas == "overlay"

    def encode(
        self,
        photo: Picture | None,
        predictions: Sequence[Prediction],
        classes: Sequence[str],
        size: tuple[int, int] | None = None,
    ) -> Encoded:
        """See `Encoder.encode`."""
        size = photo_size(photo, size)
        drawn = scenes(predictions, size)
        colors = assign(self.recipe.color_by, classes, [self._shown(scene) for scene in drawn])
        options = tuple(
            Shown(
                picture=self._paint(photo, scene, colors),
                legend=self._legend(scene, colors),
            )
            for scene in drawn
        )
        return Encoded(self._format(size), options)

    def _paint(self, photo: Picture | None, scene: Scene, colors: Assignment) -> Picture:
        if not self.needs_photo:
            picture = canvas.black(*scene.size)
        elif photo is not None:
            picture = canvas.paper(photo)
        else:
            raise ValueError("this encoding draws on the photo, which is not given")
        for layer in self.recipe.layers:
            layer.paint(picture, scene, colors)
        return picture

    def _shown(self, scene: Scene) -> list[Mark]:
        if self.recipe.cells is None:
            return scene.visible
        return cells.shown(scene, cells.owners(scene, self.recipe.cells))

    def _legend(self, scene: Scene, colors: Assignment) -> str | None:
        if self.recipe.cells is not None:
            return legends.of_indices(self._shown(scene), colors, self.words, self.noun)
        if self.recipe.color_by == "class":
            return legends.of_classes(scene, colors, self.words, self.noun)
        return None

    def _format(self, size: tuple[int, int]) -> str:
        ground = getattr(self.words.canvas, self.recipe.canvas).format(many=self.noun.many)
        phrases = [layer.phrase(self.words, self.noun, size) for layer in self.recipe.layers]
        if self.recipe.cells is not None:
            meaning = self.words.colors.by_index.format(many=self.noun.many)
        elif self.recipe.color_by == "class":
            meaning = self.words.colors.by_class.format(one=self.noun.one)
        else:
            meaning = self.words.colors.by_instance.format(
                one=self.noun.one, many=self.noun.many, count=len(palette.PALETTE)
            )
        return " ".join([ground, *phrases, meaning])
