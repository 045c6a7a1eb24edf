"""The records of annotation files: what each field may hold, and its JSON Schema.

Pixels are those of the original photo, x to the right and y down from its top left corner.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from gen.schema import Family, Task


def _whole(text: str) -> str:
    # JSON can escape half of a character, which no file of ours can hold.
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("holds half of a surrogate pair")
    return text


Words = Annotated[str, AfterValidator(_whole)]
Score = Annotated[float, Field(ge=0, le=10)]
Label = Annotated[Words, Field(min_length=1)]
Joint = Annotated[list[float], Field(min_length=3, max_length=3)]
Point = Annotated[list[float], Field(min_length=2, max_length=2)]
Ring = Annotated[list[Point], Field(min_length=3)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True, allow_inf_nan=False)


class BoxPart(_Part):
    """A box x1, y1, x2, y2; x2 = x1 + width, so the whole photo is 0, 0, width, height."""

    label: Label
    bbox: Annotated[list[float], Field(min_length=4, max_length=4)]


class RlePart(_Part):
    """COCO's run-length encoding: `size` is height, width; `counts` compressed, or a list."""

    size: Annotated[list[int], Field(min_length=2, max_length=2)]
    counts: str | list[int]


class MaskPart(_Part):
    """A mask as `rle`, or as `polygon`: one ring of points [x, y], or a list of such rings.

    A pixel belongs to the mask if it lies in an odd number of the rings.
    """

    label: Label
    rle: RlePart | None = None
    polygon: Ring | list[Ring] | None = None

    @model_validator(mode="after")
    def _one_form(self) -> "MaskPart":
        if (self.rle is None) == (self.polygon is None):
            raise ValueError("expected either rle or polygon")
        return self


class PosePart(_Part):
    """COCO's 17 joints in its order, each x, y, v; v = 0 for one that was not detected."""

    keypoints: Annotated[list[Joint], Field(min_length=17, max_length=17)]


class DepthPart(_Part):
    """A depth map as the path of a grey PNG, below the root of the annotation files.

    The PNG has 8 or 16 bits and the size of the photo: 0 is farthest, white nearest, in equal steps
    of disparity (1 / depth) after the map was aligned to the truth, over a range that all
    predictions on the photo share.
    """

    depth_png: Label


class PicturePart(_Part):
    """A picture that a model made: its path below the root of the annotation files, or its address.

    PNG, JPEG, WebP or TIFF; all pictures of one question should have one size. An address begins
    with http:// or https://.
    """

    picture: Label


class _Record(_Part):
    """One prediction with its score, from 0 (random or worst) to 10 (perfect).

    `width` and `height` are those of the photo, needed only where neither the prediction nor the
    data tells them. `severity` is 0 for the truth itself, and 1 to 5 for errors made on purpose.
    """

    annotation_id: Label
    image_id: str | int
    class_of_interest: list[Label] | None = None
    error_type: Words | None = None
    severity: Annotated[int, Field(ge=0, le=5)] | None = None
    prompt: Words | None = None
    source: Label
    final_score: Score
    metrics: dict[Words, float] = {}
    width: Annotated[int, Field(ge=1, le=65535)] | None = None
    height: Annotated[int, Field(ge=1, le=65535)] | None = None


class BoxRecord(_Record):
    task: Literal["object_detection"]
    prediction: list[BoxPart]


class InstanceRecord(_Record):
    task: Literal["instance_seg", "instance_segmentation"]
    prediction: list[MaskPart]


class SemanticRecord(_Record):
    """One mask for each class; no two overlap."""

    task: Literal["semantic_seg", "semantic_segmentation"]
    prediction: list[MaskPart]


class ReferringRecord(_Record):
    """The mask of what the prompt, a referring expression, means; it is also the mask's label."""

    task: Literal["referring_seg", "referring_segmentation"]
    prompt: Label
    prediction: Annotated[list[MaskPart], Field(min_length=1, max_length=1)]


class PoseRecord(_Record):
    task: Literal["keypoint"]
    prediction: list[PosePart]


class DepthRecord(_Record):
    task: Literal["depth", "depth_estimation"]
    prediction: Annotated[list[DepthPart], Field(min_length=1, max_length=1)]


class _PictureRecord(_Record):
    """`prompt` is the instruction or the description that the model was given; null without one."""

    prediction: Annotated[list[PicturePart], Field(min_length=1, max_length=1)]


class RestorationRecord(_PictureRecord):
    """A restored picture; `metrics` may hold its `psnr` in dB and its `ssim`.

    The photo of its `image_id` is the degraded input.
    """

    task: Literal[
        "deblur",
        "lowlevel-deblur",
        "derain",
        "lowlevel-derain",
        "desnow",
        "lowlevel-desnow",
        "super_resolution",
        "lowlevel-super-resolution",
        "inpainting_low_level",
        "generation_inpainting_low_level",
    ]


class GenerationRecord(_PictureRecord):
    """A generated picture.

    The photo of its `image_id` is what was given with the prompt: the picture to be edited, the
    control map, or the picture with a part cut out.
    """

    task: Literal[
        "t2i",
        "generation_t2i",
        "editing",
        "generation_editing",
        "controllable",
        "generation_controllable",
        "inpainting_high_level",
        "generation_inpainting_high_level",
    ]


RECORDS: Mapping[Family, type[_Record]] = {
    "boxes": BoxRecord,
    "instances": InstanceRecord,
    "semantic": SemanticRecord,
    "referring": ReferringRecord,
    "keypoints": PoseRecord,
    "depth": DepthRecord,
    "restoration": RestorationRecord,
    "scenes": GenerationRecord,
}
AnyRecord = Annotated[
    BoxRecord
    | InstanceRecord
    | SemanticRecord
    | ReferringRecord
    | PoseRecord
    | DepthRecord
    | RestorationRecord
    | GenerationRecord,
    Field(discriminator="task"),
]
TASK_NAMES: Mapping[Family, tuple[str, ...]] = {
    family: get_args(model.model_fields["task"].annotation) for family, model in RECORDS.items()
}


def names(task: Task) -> tuple[str, ...]:
    """What the records of a task may call it: all names of its family, where that has one task.

    A family of pictures has several, each with a short name and one of rows, in turn.
    """
    known = TASK_NAMES[task.family]
    if not issubclass(RECORDS[task.family], _PictureRecord):
        return known
    tasks = zip(known[::2], known[1::2], strict=True)
    return next((both for both in tasks if {task.name, task.row_name} & {*both}), ())


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a whole annotation file: a list of records."""
    body = TypeAdapter(list[AnyRecord]).json_schema()
    about = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Predictions with scores",
        "description": "A file *_annotations.json. Fields that are not named here are passed over.",
    }
    return {**about, **body}
