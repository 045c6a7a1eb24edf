"""Labels on the parts of a region: inside where they fit, else beside."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.item import free_text
from gen.judge.encodings.masks.colors import Assignment
from gen.judge.encodings.masks.scene import Box, Scene, Shape
from gen.render.fill import Crop
from gen.render.labels import draw_labels
from gen.render.palette import Colour
from gen.render.text import font_px, text_size

# Besides the largest part of a region those get a label that have so much of the picture and of the
# largest one, but no more than so many.
_LARGE, _OF_LARGEST, _MOST = 0.02, 0.2, 3
# A plate goes inside a part that it hides no more of than this.
_HIDES = 0.25
_ROOMY = 5


@dataclass(frozen=True, slots=True)
class PartLabels:
    """The label of each thing on its largest connected part and on others that are large, too."""

    sentence: str

    def paint(self, canvas: NDArray[np.uint8], scene: Scene, colors: Assignment) -> None:
        width = scene.size[1]
        names: list[str] = []
        boxes: list[Box] = []
        plates: list[Colour] = []
        small: list[Crop] = []
        parts = [(mark, part) for mark in scene.visible for part in _parts(mark.shape, scene.size)]
        # Small parts first, since they have fewest places.
        for mark, (x0, y0, crop) in sorted(parts, key=lambda one: int(np.count_nonzero(one[1][2]))):
            name = free_text(mark.label)
            plate = text_size(name, font_px(*scene.size), width)
            names.append(name)
            plates.append(colors.swatch(mark).rgb)
            inside = _place_inside(crop, plate)
            if inside is None:
                small.append((x0, y0, crop))
                boxes.append((x0, y0, x0 + crop.shape[1], y0 + crop.shape[0]))
            else:
                # Labels stand above their box if they can, so it begins where the plate shall end;
                # it is so large that letters are not made smaller for it.
                x, y = x0 + inside[0], y0 + inside[1] + plate[1]
                boxes.append((x, y, x + plate[0], y + _ROOMY * plate[1]))
        draw_labels(canvas, names, boxes, plates, small, every=False)

    def phrase(self, size: tuple[int, int]) -> str:
        return self.sentence


def _parts(shape: Shape, size: tuple[int, int]) -> list[Crop]:
    """The parts of a shape that get a label, the largest first."""
    _, ids, stats, _ = cv2.connectedComponentsWithStats(shape.crop, connectivity=8)
    areas = stats[1:, cv2.CC_STAT_AREA].astype(np.int64)
    order = np.argsort(-areas, kind="stable")[:_MOST]
    least = max(_LARGE * size[0] * size[1], _OF_LARGEST * float(areas[order[0]]))
    found: list[Crop] = []
    for number in order.tolist():
        if found and areas[number] < least:
            break
        x, y, w, h = stats[number + 1, :4].tolist()
        crop = (ids[y : y + h, x : x + w] == number + 1).view(np.uint8)
        found.append((shape.x0 + x, shape.y0 + y, crop))
    return found


def _place_inside(crop: NDArray[np.uint8], plate: tuple[int, int]) -> tuple[int, int] | None:
    """Where in a part the top left of a plate lies best, as column and row of the crop.

    That is where its middle is farthest from the edge of the part. None if the plate would leave
    the part or hide too much of it.
    """
    width, height = plate
    if height > crop.shape[0] or width > crop.shape[1]:
        return None
    if width * height > _HIDES * np.count_nonzero(crop):
        return None
    # A grid of four points to the height of the plate is fine enough.
    step = max(1, height // 4)
    coarse = np.pad(crop[::step, ::step], 1)
    rows, columns = -(-height // step), -(-width // step)
    fits = cv2.erode(coarse, np.ones((rows, columns), np.uint8), anchor=(0, 0), borderValue=0)
    depth = cv2.distanceTransform(coarse, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    middle = depth[rows // 2 :, columns // 2 :]
    inside = np.where(fits[: middle.shape[0], : middle.shape[1]] != 0, middle, 0.0)
    row, column = divmod(int(inside.argmax()), inside.shape[1])
    if not inside[row, column]:
        return None
    return (column - 1) * step, (row - 1) * step
