"""Images that tasks make of the photos of a source, and photos in the size of use."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.predictions.supply import Size
from gen.sources.records import Photo, Source

# A photo whose shorter side has fewer pixels is left out: there is hardly anything to see.
LEAST_SIDE = 48


@dataclass(frozen=True, slots=True)
class View:
    """An image that is made for a task, of `size` (height, width).

    It is the `variant`, from 1, of a photo, or of no photo in particular where `photo_id` is None.
    """

    image_id: str
    photo_id: str | None
    variant: int
    size: Size


def of_photos(source: Source, variant: int, longest: int) -> dict[str, View]:
    """A view of each photo of the source that is large enough, by its own id."""
    views = (_view(photo, variant, longest) for photo in source.photos())
    return {view.image_id: view for view in views if min(view.size) >= LEAST_SIDE}


def drawn(first: int, last: int, size: Size) -> Mapping[str, View]:
    """Views of no photo, of these numbers (`last` exclusive)."""
    views = (View(f"scene-{number:04d}", None, number, size) for number in range(first, last))
    return {view.image_id: view for view in views}


def reduced_size(size: Size, longest: int) -> Size:
    """The height and width of a photo of `size` whose longer side is cut down to `longest`."""
    scale = min(1.0, longest / max(size))
    height, width = (max(1, round(side * scale)) for side in size)
    return height, width


def reduced(photo: NDArray[np.uint8], size: Size) -> NDArray[np.uint8]:
    """A photo, RGB uint8 or any array of (height, width), in a size that is not greater.

    Each pixel is the mean of the area that it covers.
    """
    if photo.shape[:2] == size:
        return photo
    return np.asarray(cv2.resize(photo, size[::-1], interpolation=cv2.INTER_AREA), np.uint8)


def covering(photo: NDArray[np.uint8], size: Size) -> NDArray[np.uint8]:
    """The middle of a photo, as large as it can be in the form of `size`, in that size."""
    height, width = photo.shape[:2]
    scale = max(size[0] / height, size[1] / width)
    rows, columns = round(size[0] / scale), round(size[1] / scale)
    top, left = (height - rows) // 2, (width - columns) // 2
    middle = photo[top : top + rows, left : left + columns]
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(middle, size[::-1], interpolation=way), np.uint8)


def _view(photo: Photo, variant: int, longest: int) -> View:
    size = reduced_size((photo.height, photo.width), longest)
    return View(f"{photo.image_id}-{variant}", photo.image_id, variant, size)
