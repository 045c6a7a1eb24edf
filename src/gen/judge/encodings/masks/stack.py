"""The layers of a picture of masks, as its knobs say, each with its sentence."""

from gen.judge.encodings.masks.layers import (
    CellGrid,
    Contour,
    DashedBoxes,
    Fill,
    MaskLayer,
    opacity_in_words,
)
from gen.schema import GridEncoding, MaskEncoding
from gen.wording.masks import LayerWords, Opacity


def layers(
    knobs: MaskEncoding | GridEncoding, labels: MaskLayer, words: LayerWords, opacity: Opacity
) -> tuple[MaskLayer, ...]:
    """The layers from the bottom to the top; `labels` is the one that names the things."""
    if isinstance(knobs, GridEncoding):
        return (CellGrid(knobs.grid, knobs.opacity, words.cells, opacity),)
    solid = knobs.opacity in (None, 1.0)
    outlined = knobs.mask_style in ("contour", "both")
    found: list[MaskLayer] = []
    if knobs.mask_style in ("filled", "both"):
        rim = solid and outlined
        said = words.fill.solid
        if knobs.opacity is not None:
            said = words.fill.blended.format(
                opacity=knobs.opacity, opacity_words=opacity_in_words(knobs.opacity, opacity)
            )
        found.append(Fill(knobs.opacity, rim, f"{said} {words.outline.black}" if rim else said))
    if outlined and not (solid and knobs.mask_style == "both"):
        filled = knobs.mask_style == "both"
        found.append(Contour(words.outline.own_color, filled))
    if knobs.boxes == "dashed":
        found.append(DashedBoxes(words.dashed_boxes))
    if knobs.labels:
        found.append(labels)
    return tuple(found)
