"""What a source tells of a photo: the picture, its rights, and the true labels on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gen.masks import Rle


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo on disk. `width` and `height` are those that the annotations refer to, in pixels."""

    image_id: str
    path: Path
    width: int
    height: int
    license: str
    license_url: str
    url: str
    author: str


@dataclass(frozen=True, slots=True)
class Instance:
    """A true object. `keypoints` is float64 (17, 3) of x, y, v, or None where none is labelled.

    A joint that is not labelled is 0, 0, 0; v is 1 for a hidden one, 2 for one that can be seen.
    """

    instance_id: str
    category: str
    rle: Rle
    crowd: bool
    keypoints: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True)
class Referring:
    """Expressions that all mean one object."""

    ref_id: str
    rle: Rle
    category: str
    expressions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """All true labels of objects on a photo that the source has; a kind that it lacks is empty."""

    photo: Photo
    instances: tuple[Instance, ...] = ()
    captions: tuple[str, ...] = ()
    referring: tuple[Referring, ...] = ()


@dataclass(frozen=True, slots=True)
class Semantic:
    """The class of each pixel: `ids` is uint8 or uint16 (height, width), 0 where it is not told.

    The class of the number n >= 1 is `classes[n - 1]`; no two are equal, and some may not occur.
    """

    classes: tuple[str, ...]
    ids: NDArray[np.uint8] | NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Depth:
    """Measured depth: `disparity` is float32 (height, width), 1 / distance, greater is nearer.

    Its unit is 1 / metre where `metric`, else any. It is 0 where nothing was measured.
    """

    disparity: NDArray[np.float32]
    metric: bool

    @property
    def valid(self) -> NDArray[np.bool_]:
        """Where there is a measurement: bool (height, width)."""
        return np.asarray(self.disparity > 0)


@dataclass(frozen=True, slots=True)
class Problem:
    """A record that was skipped or mended, so that the manifest can count it.

    `kind` is a short fixed word such as "corrupt_photo" or "bad_polygon"; `file` is a name relative
    to the data root, so that a manifest holds no path of the machine.
    """

    kind: str
    file: str
    record: str
    reason: str


class Source(Protocol):
    """A set of photos with labels. Cheap to open; pixels and masks are made when asked for."""

    def photos(self) -> Sequence[Photo]:
        """All photos that can be used, in a fixed order that does not depend on the machine."""
        ...

    def categories(self) -> Mapping[str, str]:
        """The classes that objects can have, on any photo: what kind each is of, by its name.

        The kind (COCO's supercategory) is "" where it is not told.
        """
        ...

    def truth(self, image_id: str) -> Truth:
        """The labels of objects on one photo."""
        ...

    def semantic(self, image_id: str) -> Semantic | None:
        """The class of each pixel of one photo, if the source has it."""
        ...

    def depth(self, image_id: str) -> Depth | None:
        """The measured depth of one photo, if the source has it."""
        ...

    def pixels(self, image_id: str) -> NDArray[np.uint8]:
        """The photo as RGB, uint8 (height, width, 3).

        Raises:
            PhotoError: the file is missing, corrupt or of another size than its annotations say.
        """
        ...

    def fingerprint(self) -> str:
        """A SHA-256 hex digest of what the photos and labels are, free of paths."""
        ...

    def problems(self) -> Sequence[Problem]:
        """What was found broken so far, in a fixed order, without repeats."""
        ...
