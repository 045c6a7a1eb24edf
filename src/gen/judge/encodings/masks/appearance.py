"""Whether two predictions can be told apart under every encoding of their task.

Pairs are chosen once, before any encoding, so what the lossy encodings make equal must be known
without drawing. Colors, canvas and opacity do not matter to that.
"""

import hashlib

import numpy as np

from gen.judge.encodings.masks import cells, text
from gen.judge.encodings.masks.scene import (
    class_masks,
    class_scenes,
    instance_scenes,
    mask_parts,
)
from gen.predictions.annotation import Prediction

Size = tuple[int, int]

# The rows that show the same of a prediction, and the grid that they share, if any. The keys are
# for people: they name what a pair was dropped for.
GRIDS = {"pixel_ss0_m0 pixel_ss0_m1 text_ss0": 16, "text_matrix": 32}


def of_instances(prediction: Prediction, size: Size) -> dict[str, str]:
    """The digests of instances on a photo of `size` (height, width), as `Family` has them."""
    instances = mask_parts(prediction, size)
    (scene,) = instance_scenes([prediction], size)
    digests = {}
    for stems, longer in GRIDS.items():
        owners = cells.owners(scene, longer)
        labels = [f"{mark.index} {mark.label}" for mark in cells.shown(scene, owners)]
        digests[stems] = _digest(owners.tobytes(), *labels)
    digests["text_polygon 1742"] = _digest(text.encode_polygon(instances))
    # An exact copy of an instance lies hidden under it, so only distinct masks count.
    distinct = sorted({(one.label, one.rle.counts) for one in instances})
    digests["pixel_ss1_* text_rle"] = _digest(*(part for one in distinct for part in one))
    return digests


def of_regions(prediction: Prediction, size: Size) -> dict[str, str]:
    """The digests of masks of classes, or of an expression, as `Family` has them.

    The index of a class hangs on the other option, so that only the order of those shown counts.
    """
    (scene,) = class_scenes([prediction], (), size)
    digests = {}
    for stems, longer in GRIDS.items():
        owners = cells.owners(scene, longer)
        _, places = np.unique(owners, return_inverse=True)
        labels = [mark.label for mark in cells.shown(scene, owners)]
        digests[stems] = _digest(places.astype(np.int32).tobytes(), *labels)
    regions = class_masks(prediction, size)
    digests["text_polygon"] = _digest(text.encode_class_polygon(regions))
    seen = sorted((one.label, one.rle.counts) for one in regions)
    digests["pixel_ss1_* 4649 7080"] = _digest(*(part for one in seen for part in one))
    return digests


def instance_weight(prediction: Prediction, size: Size) -> float:
    """The length of the polygons of a prediction as text."""
    return float(len(text.encode_polygon(mask_parts(prediction, size))))


def region_weight(prediction: Prediction, size: Size) -> float:
    """The length of the polygons of a prediction as text."""
    return float(len(text.encode_class_polygon(class_masks(prediction, size))))


def _digest(*parts: str | bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()[:32]
