"""Whether two predictions can be told apart under every encoding of their task.

Pairs are chosen once, before any encoding, so what the lossy encodings make equal must be known
without drawing. Colors, canvas and opacity do not matter to that.
"""

import hashlib

from gen.judge.encodings.masks import cells, text
from gen.judge.encodings.masks.scene import instance_masks, scenes
from gen.predictions.annotation import Prediction

# The rows that show the same of a prediction, and the grid that they share, if any. The keys are
# for people: they name what a pair was dropped for.
GRIDS = {"pixel_ss0_m0 pixel_ss0_m1 text_ss0": 16, "text_matrix": 32}
_POLYGONS = "text_polygon 1742"
_MASKS = "pixel_ss1_* text_rle"


def appearances(prediction: Prediction, size: tuple[int, int]) -> dict[str, str]:
    """The digests of masks on a photo of `size` (height, width), as `Family` has them."""
    instances = instance_masks(prediction, size)
    (scene,) = scenes([prediction], size)
    digests = {}
    for stems, longer in GRIDS.items():
        owners = cells.owners(scene, longer)
        labels = [f"{mark.index} {mark.label}" for mark in cells.shown(scene, owners)]
        digests[stems] = _digest(owners.tobytes(), *labels)
    digests[_POLYGONS] = _digest(text.encode_polygon(instances))
    # An exact copy of an instance lies hidden under it, so only distinct masks count.
    distinct = sorted({(one.label, one.rle.counts) for one in instances})
    digests[_MASKS] = _digest(*(part for one in distinct for part in one))
    return digests


def weight(prediction: Prediction, size: tuple[int, int]) -> float:
    """The length of the polygons of a prediction as text."""
    return float(len(text.encode_polygon(instance_masks(prediction, size))))


def _digest(*parts: str | bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()[:32]
