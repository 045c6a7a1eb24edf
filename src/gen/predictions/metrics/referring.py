"""The score of the mask that an expression refers to."""

from gen import masks
from gen.masks import Rle


def referring_score(predicted: Rle, truth: Rle) -> tuple[float, dict[str, float]]:
    """The final score, 0 to 10, of a mask: 10 * IoU with the true one.

    IoU on one mask is what the mean IoU of referring segmentation averages (Hu et al., ECCV 2016).
    Two empty masks agree: IoU 1. Metrics: `iou`, 0 to 1.

    Raises:
        ValueError: masks of different sizes.
    """
    if predicted.size != truth.size:
        raise ValueError(f"a mask is of size {predicted.size}, the truth of {truth.size}")
    if not masks.area(predicted) and not masks.area(truth):
        return 10.0, {"iou": 1.0}
    iou = float(masks.iou([predicted], [truth])[0, 0])
    return 10.0 * iou, {"iou": iou}
