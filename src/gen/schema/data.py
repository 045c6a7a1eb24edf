"""Where photos and true labels come from."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from gen.fields import LicenceName, Name, Real, Whole
from gen.schema.model import Model


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


class Ade20kData(Model):
    """Photos with semantic label maps in ADE20K's layout. Paths are relative to `root`.

    A label map is a PNG named as its photo; its values are the line numbers of `names`, 0 none.
    """

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset({"root", "images", "labels", "names"})

    name: Literal["ade20k"]
    root: str = Field(min_length=1)
    images: str = Field(min_length=1)
    labels: str = Field(min_length=1)
    names: str = Field(min_length=1)
    licenses: tuple[LicenceName, ...]


class DepthSet(Model):
    """One set of photos with measured depth: patterns with one `*`, which is the photo's name.

    Metres are value / `scale`, which null takes from the calibration file; values in `invalid` are
    no measurement.
    """

    photos: str = Field(min_length=1)
    depth: str = Field(min_length=1)
    scale: Real | None = Field(gt=0)
    invalid: tuple[Whole, ...]


class DepthData(Model):
    """Photos with measured depth, as 16-bit PNG. Paths are relative to `root`.

    `calibration` is a JSON file: for the name of each set an object with its `depth_scale`.
    """

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset({"root", "calibration"})

    name: Literal["depth"]
    root: str = Field(min_length=1)
    calibration: str | None
    sets: dict[Name, DepthSet] = Field(min_length=1)
    licenses: tuple[LicenceName, ...]


class FolderData(Model):
    """Several data sets as one: those of the parts that are there. A part that is null is left out.

    `root` is the folder that holds them, which has no part in identity.
    """

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset({"root"})

    name: Literal["folder"]
    root: str = Field(min_length=1)
    coco: CocoData | None
    ade20k: Ade20kData | None
    depth: DepthData | None


class IndexData(Model):
    """Photos without labels, named by index files: `image_id` -> file or address.

    Paths are relative to `root`. Where the files are has no part in identity: what is in them does.
    """

    OUTSIDE_IDENTITY: ClassVar[frozenset[str]] = frozenset(
        {"root", "images", "download", "cache_dir", "download_timeout", "download_retries"}
    )

    name: Literal["index"]
    root: str = Field(min_length=1)
    images: tuple[str, ...] = Field(min_length=1)
    licenses: tuple[LicenceName, ...]
    download: bool
    cache_dir: str = Field(min_length=1)
    download_timeout: Real = Field(gt=0)
    download_retries: Whole = Field(ge=0, le=20)


Data = Annotated[
    EmbeddedData | CocoData | Ade20kData | DepthData | FolderData | IndexData,
    Field(discriminator="name"),
]
