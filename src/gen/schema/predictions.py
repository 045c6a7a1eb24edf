"""Where predictions come from."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from gen.fields import EachOnce, Fraction, Name, Real, Text, Whole
from gen.schema.model import Model


class ClassGroups(Model):
    """Which classes a question on boxes or masks is about.

    `each` class of a photo by itself, `all` together, or both; together at most `max_classes`,
    those of the largest area. Classes whose largest object covers fewer than `min_area` pixels are
    left out.
    """

    classes: Annotated[tuple[Literal["each", "all"], ...], Field(min_length=1), EachOnce]
    max_classes: Whole = Field(ge=1)
    min_area: Real = Field(ge=0)


class SyntheticPredictions(ClassGroups):
    """Truth made wrong on purpose, by kind of error and severity.

    Tasks that know kinds of error need at least one of them. `lookalikes` are lines of classes that
    are taken for each other.
    """

    name: Literal["synthetic"]
    error_types: Annotated[tuple[Name, ...], EachOnce]
    lookalikes: tuple[Annotated[tuple[Annotated[Text, Field(min_length=1)], ...], EachOnce], ...]


class CocoResultsPredictions(ClassGroups):
    """COCO results files of real models. Paths are relative to `root`; a pattern may match several.

    Each file is one model. Only detections with a score of `score_threshold` or more count, for
    drawing and scoring alike. Where the files are has no part in identity: what is in them does.
    """

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset({"root", "files"})

    name: Literal["coco_results"]
    root: str = Field(min_length=1)
    files: tuple[str, ...] = Field(min_length=1)
    score_threshold: Fraction


class JsonPredictions(Model):
    """Annotation files of the shipped JSON Schema. Paths as in COCO results.

    Pictures that are named by address are fetched into `cache_dir` if `download` says so.
    """

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset(
        {"root", "annotations", "download", "cache_dir", "download_timeout", "download_retries"}
    )

    name: Literal["json"]
    root: str = Field(min_length=1)
    annotations: tuple[str, ...] = Field(min_length=1)
    download: bool
    cache_dir: str = Field(min_length=1)
    download_timeout: Real = Field(gt=0)
    download_retries: Whole = Field(ge=0, le=20)


Predictions = Annotated[
    SyntheticPredictions | CocoResultsPredictions | JsonPredictions, Field(discriminator="name")
]
