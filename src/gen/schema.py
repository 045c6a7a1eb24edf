"""What a resolved configuration may hold: types, bounds and pair rules. Values live in YAML.

`Settings` is the only form in which configuration leaves this module: frozen, typed, complete.
Fields named in a model's `OUTSIDE_IDENTITY` say where or how work is done, not what is made; they
have no part in the name of a run.
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from gen.errors import nearest
from gen.fields import (
    EachOnce,
    FolderName,
    FolderPath,
    Fraction,
    LicenceName,
    Name,
    OptionName,
    Real,
    Text,
    Whole,
    template,
)
from gen.invalid import check
from gen.wording import Wording


class Model(BaseModel):
    """Base of all settings: unknown keys are refused, nothing changes after validation."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False, allow_inf_nan=False)
    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset()


class Row(Model):
    """One (task, encoding) row of the registry and the subsets that use it."""

    is_final: bool
    is_base_ablation: bool


class Task(Model):
    """A judge task: what is judged and how the prompt speaks of it."""

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset({"encodings"})

    name: FolderName
    row_name: Name
    category: Literal["perception", "restoration", "generation"]
    family: Literal["instances"]
    data_version: Whole = Field(ge=1)
    role: Annotated[Text, template("given_image")]
    context: Annotated[Text, template("classes", optional=("expression",))]
    encodings: dict[str, Row | None]


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
    """Masks at the photo's own resolution."""

    form: Literal["mask"]
    labels: bool
    color_by: Literal["class", "instance"]
    boxes: Literal["none", "dashed"]
    mask_style: Literal["filled", "contour", "both"]


class GridEncoding(DrawnEncoding):
    """Masks cut down to a grid of cells; `grid` is the number of cells on the longer side."""

    form: Literal["grid"]
    grid: Whole = Field(ge=2, le=256)


class TextEncoding(Model):
    """A prediction written as text. `grid` is the longer side of the grid formats, else null."""

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset({"tasks"})

    name: Name
    form: Literal["text"]
    format: Literal["polygon", "rle", "matrix", "grid"]
    grid: Whole | None = Field(ge=2, le=256)
    tasks: tuple[OptionName, ...] = ()

    @model_validator(mode="after")
    def _grid_belongs_to_grid_formats(self) -> "TextEncoding":
        if (self.grid is not None) != (self.format in ("matrix", "grid")):
            raise ValueError(
                "grid is a number for the formats matrix and grid, and null for others"
            )
        return self


class ComboEncoding(Model):
    """One text and one picture for each option."""

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset({"tasks"})

    name: Name
    form: Literal["combo"]
    text: TextEncoding
    picture: Annotated[MaskEncoding | GridEncoding, Field(discriminator="form")]
    tasks: tuple[OptionName, ...] = ()


Encoding = Annotated[
    MaskEncoding | GridEncoding | TextEncoding | ComboEncoding, Field(discriminator="form")
]


class Question(Model):
    """A question type: its sentences and its sampling rules.

    A group gives `group_least` to `group_most` annotations at a time: the two of a pair, the
    options of a ranking, or the predictions that are scored one by one. `min_gap` is the least
    difference of their final scores, on 0 to 10. `order=both` emits each pair a second time with A
    and B exchanged. `example` lists all five letters in the order that a ranking prompt shows.
    """

    name: Literal["pairwise", "ranking", "scoring"]
    format: Annotated[Text, template("format")]
    heading: Text | None
    option: Annotated[Text, template("content", optional=("letter",))]
    option_format: Annotated[Text, template("format")]
    text: Annotated[Text, template("text")]
    picture: Annotated[Text, template("picture")]
    picture_alone: Annotated[Text, template("picture")]
    ask: Annotated[tuple[Text, ...], Field(min_length=1), EachOnce]
    final: Annotated[Text, template("ask", optional=("example",))]
    example: str | None
    group_by: Annotated[tuple[Literal["class_of_interest", "error_type", "prompt"], ...], EachOnce]
    min_gap: Real = Field(ge=0.0, le=10.0)
    order: Literal["random", "both"]
    group_least: Whole = Field(ge=1, le=5)
    group_most: Whole = Field(ge=1, le=5)

    @model_validator(mode="after")
    def _example_has_its_gap(self) -> "Question":
        if ("{example}" in self.final) != (self.example is not None):
            raise ValueError("example belongs to the gap {example} in final")
        if self.example is not None and sorted(self.example) != list("ABCDE"):
            raise ValueError(f"example must be the letters A to E, each once: {self.example!r}")
        return self

    @model_validator(mode="after")
    def _sizes_fit(self) -> "Question":
        if self.order == "both" and self.name != "pairwise":
            raise ValueError("order=both needs question=pairwise")
        if self.group_least > self.group_most:
            raise ValueError("group_least is above group_most")
        if self.name == "pairwise" and (self.group_least, self.group_most) != (2, 2):
            raise ValueError("a pair has two options: group_least and group_most are 2")
        if self.name == "ranking" and self.group_least < 3:
            raise ValueError("a ranking has three to five options: group_least is below 3")
        return self


class Subset(Model):
    """A published selection: how many photos, pairs and groups, and which encoding rows.

    It is defined for one `seed`; null stands for any.
    """

    name: Literal["encoding_analysis", "judge_analysis", "none"]
    seed: Whole | None = Field(ge=0, lt=2**63)
    rows: Literal["is_final", "is_base_ablation"] | None
    questions: tuple[Literal["pairwise", "ranking", "scoring"], ...]
    images: Whole | None = Field(ge=1)
    pairs: Whole | None = Field(ge=1)
    groups: Whole | None = Field(ge=1)


class EmbeddedData(Model):
    """The photos of scikit-image's wheel with the ground truth that the package ships."""

    name: Literal["embedded"]
    licenses: tuple[LicenceName, ...]


class CocoData(Model):
    """A folder of COCO photos and annotation files. Paths are relative to `root`.

    Where the files are has no part in identity: what is in them does, through their fingerprint.
    """

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset(
        {
            "root",
            "images",
            "instances",
            "keypoints",
            "captions",
            "panoptic",
            "panoptic_masks",
            "referring",
            "download",
            "cache_dir",
            "download_timeout",
            "download_retries",
        }
    )

    name: Literal["coco"]
    root: str = Field(min_length=1)
    images: tuple[str, ...]
    instances: tuple[str, ...]
    keypoints: tuple[str, ...]
    captions: tuple[str, ...]
    panoptic: tuple[str, ...]
    panoptic_masks: tuple[str, ...]
    referring: tuple[str, ...]
    licenses: tuple[LicenceName, ...]
    download: bool
    cache_dir: str = Field(min_length=1)
    download_timeout: Real = Field(gt=0)
    download_retries: Whole = Field(ge=0, le=20)


Data = Annotated[EmbeddedData | CocoData, Field(discriminator="name")]


class SyntheticPredictions(Model):
    """Truth made wrong on purpose, by kind of error and severity.

    `lookalikes` are lines of classes that are taken for each other; `min_area` is in pixels.
    """

    name: Literal["synthetic"]
    error_types: Annotated[
        tuple[
            Literal[
                "localisation",
                "wrong_class",
                "duplicate",
                "missed",
                "background_false_positive",
                "merged",
                "split",
                "ragged_boundary",
            ],
            ...,
        ],
        Field(min_length=1),
        EachOnce,
    ]
    classes: Annotated[tuple[Literal["each", "all"], ...], Field(min_length=1), EachOnce]
    max_classes: Whole = Field(ge=1)
    min_area: Real = Field(ge=0)
    lookalikes: tuple[Annotated[tuple[Annotated[Text, Field(min_length=1)], ...], EachOnce], ...]


Predictions = SyntheticPredictions


class LocalExecutor(Model):
    """Worker processes on this machine; null workers means one for each core it may use."""

    name: Literal["local"]
    workers: Whole | None = Field(ge=1, le=1024)
    shard_items: Whole = Field(ge=1, le=100)


Executor = LocalExecutor


class Settings(Model):
    """Everything that a run of judge questions needs to know."""

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset(
        {"out_root", "executor", "dry_run", "verify"}
    )

    seed: Whole = Field(ge=0, lt=2**63)
    n_items: Whole = Field(ge=1, le=1_000_000_000)
    media: Literal["embedded", "files"]
    out_root: FolderPath
    dry_run: bool
    verify: Literal["quick", "full"]
    wording: Wording
    task: Task
    encoding: Encoding
    question: Question
    subset: Subset
    data: Data
    predictions: Predictions
    executor: Executor

    @model_validator(mode="after")
    def _pairs_fit(self) -> "Settings":
        fault = pair_fault(
            self.task.model_dump(),
            self.encoding.model_dump(),
            self.subset.model_dump(),
            self.question.name,
        )
        if fault is None and self.subset.seed not in (None, self.seed):
            fault = (
                f"subset={self.subset.name} is defined for seed={self.subset.seed}, not {self.seed}"
            )
        if fault:
            raise ValueError(fault)
        return self


def pair_fault(
    task: Mapping[str, Any], encoding: Mapping[str, Any], subset: Mapping[str, Any], question: str
) -> str | None:
    """Why the options of four groups do not go together, or None where they do.

    Takes what the options' files hold, so that a sweep can ask before it composes anything.
    """
    name, stem, rows = task["name"], encoding["name"], task["encodings"]
    if stem not in rows and name not in encoding.get("tasks", ()):
        near = nearest(stem, rows)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        return f"task={name} has no encoding '{stem}': {hint}it has {' '.join(rows)}"
    if subset["rows"] and not (rows.get(stem) or {}).get(subset["rows"]):
        return f"subset={subset['name']} leaves out task={name} encoding={stem}"
    if subset["questions"] and question not in subset["questions"]:
        has = " and ".join(subset["questions"])
        return f"subset={subset['name']} has no {question} questions: it has {has}"
    return None


def validate(resolved: Mapping[str, Any]) -> Settings:
    """Check a resolved configuration, without Hydra's own node, and give it types.

    Raises:
        UserError: one line that names every fault, the value found, and what was expected.
    """
    return check(Settings, resolved)


def identity(model: BaseModel) -> dict[str, Any]:
    """The part of `model` that decides what is made, as plain JSON data, for the name of a run."""
    outside: frozenset[str] = getattr(model, "OUTSIDE_IDENTITY", frozenset())
    content: dict[str, Any] = {}
    for key in sorted(type(model).model_fields):
        if key in outside:
            continue
        value = getattr(model, key)
        content[key] = (
            identity(value)
            if isinstance(value, BaseModel)
            else (list(value) if isinstance(value, tuple) else value)
        )
    return content
