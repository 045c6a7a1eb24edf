"""Whether two predictions can be told apart under every encoding of their task.

Pairs are chosen once, before any encoding, so what the lossy encodings make equal must be known
without drawing. Colors, canvas and opacity do not matter to that.
"""

import hashlib

import numpy as np
from numpy.typing import NDArray

from gen.judge.encodings.masks import cells, text
from gen.judge.encodings.masks.scene import (
    Scene,
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
    """The digests of instances on a photo of `size` (height, width), as `Family` has them.

    The indices in grids only tell the instances of one prediction apart: two grids that differ in
    nothing else are alike.
    """
    instances = mask_parts(prediction, size)
    (scene,) = instance_scenes([prediction], size)
    digests = {}
    for stems, longer in GRIDS.items():
        digests[stems] = _digest(*_named_cells(scene, cells.owners(scene, longer)))
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


def _named_cells(scene: Scene, owners: NDArray[np.int32]) -> list[str | bytes]:
    """Which cells belong together, and what each thing is, whatever index it has."""
    indices, first, places = np.unique(owners, return_index=True, return_inverse=True)
    order = np.argsort(first)
    labels = {mark.index: f"thing {mark.label}" for mark in scene.marks}
    rank = np.argsort(order).astype(np.int32)
    named = [labels.get(index, "background") for index in indices[order].tolist()]
    return [rank[places.reshape(-1)].tobytes(), *named]


def _digest(*parts: str | bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()[:32]
