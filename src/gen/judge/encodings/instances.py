"""Recipes for predictions that are made of separate masks, each with a class."""

from gen.judge.encodings.layers import CellGrid, Contour, DashedBoxes, Fill, Labels, Layer
from gen.judge.encodings.picture import Recipe
from gen.schema import GridEncoding, MaskEncoding


def recipe(knobs: MaskEncoding | GridEncoding) -> Recipe:
    """The canvas and layers for the knobs of an encoding."""
    opacity = knobs.opacity
    if isinstance(knobs, GridEncoding):
        return Recipe(knobs.canvas, (CellGrid(knobs.grid, opacity),), "instance", knobs.grid)
    solid = opacity in (None, 1.0)
    outlined = knobs.mask_style in ("contour", "both")
    layers: list[Layer] = []
    if knobs.mask_style in ("filled", "both"):
        layers.append(Fill(opacity, rim=solid and outlined))
    if outlined and not (solid and knobs.mask_style == "both"):
        layers.append(Contour())
    if knobs.boxes == "dashed":
        layers.append(DashedBoxes())
    if knobs.labels:
        layers.append(Labels(every=knobs.color_by == "instance"))
    return Recipe(knobs.canvas, tuple(layers), knobs.color_by)
