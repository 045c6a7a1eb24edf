"""How predictions are shown: the knobs of every form of encoding."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from gen.fields import Fraction, Name, OptionName, Whole
from gen.schema.model import Model


class DrawnEncoding(Model):
    """What is drawn over the photo or on a separate black canvas.

    `opacity` blends with the photo. On black all keeps the full color of the legend, so that a
    separate canvas has no opacity: whatever is given becomes None, and two runs that would be equal
    have one name.
    """

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset({"tasks"})

    name: Name
    canvas: Literal["overlay", "separate"]
    opacity: Fraction | None
    tasks: tuple[OptionName, ...] = ()

    @field_validator("opacity")
    @classmethod
    def _opacity_belongs_to_overlays(
        cls, value: float | None, info: ValidationInfo
    ) -> float | None:
        if info.data.get("canvas") == "separate":
            return None
        if value is None:
            raise ValueError("Input should be a number from 0 to 1 on an overlay (got null)")
        return value


class MaskEncoding(DrawnEncoding):
    """Masks at the photo's own resolution.

    Colors are by class, by instance, or one for all (`single`); by class they follow the order of
    the question's classes (`class`), one table for all photos (`standard`), or luck (`random`).
    """

    form: Literal["mask"]
    labels: bool
    color_by: Literal["class", "instance", "standard", "random", "single"]
    boxes: Literal["none", "dashed"]
    mask_style: Literal["filled", "contour", "both"]


class GridEncoding(DrawnEncoding):
    """Masks cut down to a grid of cells; `grid` is the number of cells on the longer side."""

    form: Literal["grid"]
    grid: Whole = Field(ge=2, le=256)


class BoxEncoding(Model):
    """Boxes, with or without the name of their class, over the photo or on black."""

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset({"tasks"})

    name: Name
    form: Literal["box"]
    canvas: Literal["overlay", "separate"]
    labels: bool
    tasks: tuple[OptionName, ...] = ()


class PoseEncoding(Model):
    """The joints of persons, alone or linked as a skeleton, over the photo or on black."""

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset({"tasks"})

    name: Name
    form: Literal["pose"]
    canvas: Literal["overlay", "separate"]
    style: Literal["points", "skeleton"]
    color_by: Literal["single", "person", "part"]
    tasks: tuple[OptionName, ...] = ()


class DepthEncoding(Model):
    """A depth map in the colors of a map from far to near."""

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset({"tasks"})

    name: Name
    form: Literal["depth"]
    colormap: Literal["plasma", "turbo", "gray"]
    tasks: tuple[OptionName, ...] = ()


class NaturalEncoding(Model):
    """The picture that a model put out, as it is."""

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset({"tasks"})

    name: Name
    form: Literal["natural"]
    tasks: tuple[OptionName, ...] = ()


class TextEncoding(Model):
    """A prediction written as text. `grid` is the longer side of the grid formats, else null."""

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset({"tasks"})

    name: Name
    form: Literal["text"]
    format: Literal[
        "polygon",
        "rle",
        "matrix",
        "grid",
        "xyxy",
        "xywh",
        "flat_list",
        "part_keyed_json",
        "coco_style",
    ]
    grid: Whole | None = Field(ge=2, le=256)
    tasks: tuple[OptionName, ...] = ()

    @model_validator(mode="after")
    def _grid_belongs_to_grid_formats(self) -> "TextEncoding":
        if (self.grid is not None) != (self.format in ("matrix", "grid")):
            raise ValueError(
                "grid is a number for the formats matrix and grid, and null for others"
            )
        return self


PictureEncoding = (
    MaskEncoding | GridEncoding | BoxEncoding | PoseEncoding | DepthEncoding | NaturalEncoding
)


class ComboEncoding(Model):
    """One text and one picture for each option."""

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset({"tasks"})

    name: Name
    form: Literal["combo"]
    text: TextEncoding
    picture: Annotated[PictureEncoding, Field(discriminator="form")]
    tasks: tuple[OptionName, ...] = ()


Encoding = Annotated[PictureEncoding | TextEncoding | ComboEncoding, Field(discriminator="form")]

_REGIONS = frozenset({"mask", "grid", "text polygon", "text matrix", "text grid"})
_FITTING: Mapping[str, frozenset[str]] = {
    "boxes": frozenset({"box", "text xyxy", "text xywh"}),
    "instances": _REGIONS | {"text rle"},
    "semantic": _REGIONS,
    "referring": _REGIONS,
    "keypoints": frozenset({"pose", "text flat_list", "text part_keyed_json", "text coco_style"}),
    "depth": frozenset({"depth"}),
    "restoration": frozenset({"natural"}),
    "scenes": frozenset({"natural"}),
}
_COLORS: Mapping[str, frozenset[str]] = {
    "instances": frozenset({"class", "instance"}),
    "semantic": frozenset({"standard", "random"}),
    "referring": frozenset({"single"}),
}


def misfit(family: str, encoding: Mapping[str, Any]) -> str | None:
    """Why predictions of a task's `family` cannot be shown by `encoding`, or None if they can.

    Takes what the encoding's file holds; knobs that it does not tell are taken to fit.
    """
    parts = [encoding[name] for name in ("text", "picture") if encoding.get(name)]
    if parts:
        return next(filter(None, (misfit(family, part) for part in parts)), None)
    form, colors = encoding.get("form"), encoding.get("color_by")
    shown = f"text {encoding.get('format')}" if form == "text" else form
    if form is not None and form != "combo" and shown not in _FITTING[family]:
        fitting = ", ".join(sorted(_FITTING[family]))
        return f"form {shown} does not show {family}: it takes {fitting}"
    if form == "mask" and colors is not None and colors not in _COLORS[family]:
        fitting = " or ".join(sorted(_COLORS[family]))
        return f"encoding.color_by={colors} does not go with {family}: it takes {fitting}"
    return None
