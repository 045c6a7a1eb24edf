"""How far real detectors and our spoilt truth are off, in one figure: docs/figures/residuals.png.

    python -m benchmarks.residuals DATA [key=value ...]

DATA is a folder with coco/ (photos, annotations) and results/ (COCO results files). Every predicted
object of confidence 0.5 and more is matched to a true one of its class, one to one and for the
greatest sum of IoU; pairs below IoU 0.1 count as misses and are not shown. Offsets are between the
middles of the boxes, in units of the object's size, the square root of the area of its true box. Of
our errors those are shown that move an outline. COCO's demo results are "fake" by their own word.
Needs the `bench` extra.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.settings import settings as compose
from gen import masks
from gen.errors import UserError
from gen.predictions.annotation import Annotation, BoxPrediction
from gen.predictions.assignment import best_matching
from gen.predictions.metrics.objects import box_iou
from gen.predictions.picture_store import PictureStore
from gen.predictions.supply import open_supply
from gen.sources.open import open_source
from gen.sources.records import Source

TARGET = Path("docs/figures/residuals.png")
LEAST_IOU = 0.1
KINDS = ("localisation", "ragged_boundary")
DEMO = "cocoapi_fake"
# The demo's masks come from the same detections as its boxes.
DEMO_MASKS = "cocoapi_fakesegm"
FEW = 30  # so few values are shown one by one
REAL, FAKE, OURS = "real models", 'COCO\'s demo results ("fake")', "ours, severity 1 to 5"
COLORS = {REAL: "#d95f02", FAKE: "#7570b3", OURS: "#1b9e77"}

Box = tuple[float, float, float, float]
Residual = tuple[float, float]
"""IoU, and offset in units of the object's size."""


def residuals(source: Source, one: Annotation) -> Iterator[Residual]:
    """The residuals of the matched objects of a prediction on one class."""
    (label,) = one.class_of_interest or ("",)
    true = [
        instance.rle
        for instance in source.truth(one.image_id).instances
        if instance.category == label and not instance.crowd and masks.area(instance.rle)
    ]
    target = [_corners(rle) for rle in true]
    boxes = [part for part in one.prediction if isinstance(part, BoxPrediction)]
    if boxes:
        found = [part.box for part in boxes]
        iou = box_iou(found, target)
    else:
        rles: list[masks.Rle] = [part.rle for part in one.prediction]  # type: ignore[union-attr]
        found, iou = [_corners(rle) for rle in rles], masks.iou(rles, true)
    for row, column in zip(*best_matching(iou), strict=True):
        if iou[row, column] >= LEAST_IOU:
            yield float(iou[row, column]), _offset(found[row], target[column])


def collect(data: str, task: str, overrides: Sequence[str]) -> dict[str, list[Residual]]:
    """The residuals by who made them."""
    shared = [f"task={task}", "data=coco", f"data.root={data}/coco", "predictions.classes=[each]"]
    real = ["predictions=coco_results", f"predictions.root={data}/results"]
    found: dict[str, list[Residual]] = {REAL: [], FAKE: [], OURS: []}
    for extra in (real, [f"predictions.error_types=[{','.join(KINDS)}]"]):
        settings = compose([*shared, *extra, *overrides])
        source = open_source(settings.data)
        supply = open_supply(settings, source, PictureStore.in_memory())
        for photo in source.photos():
            for one in supply.annotations(photo.image_id, supply.kinds):
                if one.severity == 0 or (task == "object_detection" and one.source == DEMO_MASKS):
                    continue
                series = OURS if one.severity else FAKE if DEMO in one.source else REAL
                found[series].extend(residuals(source, one))
    return found


def draw(boxes: dict[str, list[Residual]], outlines: dict[str, list[Residual]]) -> None:
    """Write the figure."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(13, 3.8), layout="constrained")
    _histogram(axes[0], boxes, 0, np.linspace(LEAST_IOU, 1, 19), "IoU of matched boxes")
    _histogram(axes[1], boxes, 1, np.linspace(0, 0.6, 19), "offset of box / size of object")
    _histogram(axes[2], outlines, 0, np.linspace(LEAST_IOU, 1, 19), "IoU of matched masks")
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(TARGET, dpi=110, metadata={"Software": None})


def _histogram(
    axes: Any, series: dict[str, list[Residual]], which: int, edges: Any, title: str
) -> None:
    for name, rows in series.items():
        if not rows:
            continue
        values = np.clip([row[which] for row in rows], edges[0], edges[-1])
        weights = np.full(len(values), 1 / len(values))
        label = f"{name} (n = {len(values)})"
        if len(values) < FEW:
            axes.plot(values, [0.004] * len(values), "^", color=COLORS[name], label=label)
            continue
        style = {"histtype": "step", "linewidth": 2, "color": COLORS[name], "label": label}
        axes.hist(values, edges, weights=weights, **style)
    axes.set_xlabel(title)
    axes.set_ylabel("share of matched objects")
    axes.legend(loc="upper right" if which else "upper left", fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)


def _corners(rle: masks.Rle) -> Box:
    x, y, width, height = masks.box(rle)
    return x, y, x + width, y + height


def _offset(found: Box, true: Box) -> float:
    dx = (found[0] + found[2] - true[0] - true[2]) / 2
    dy = (found[1] + found[3] - true[1] - true[3]) / 2
    return float(np.hypot(dx, dy) / np.sqrt((true[2] - true[0]) * (true[3] - true[1])))


def main(arguments: Sequence[str]) -> int:
    """Make the figure and print what it shows; the exit status."""
    if not arguments or "=" in arguments[0]:
        print("usage: python -m benchmarks.residuals DATA [key=value ...]", file=sys.stderr)
        return 2
    boxes, outlines = (
        collect(arguments[0], task, arguments[1:]) for task in ("object_detection", "instance_seg")
    )
    for what, series in (("boxes", boxes), ("masks", outlines)):
        for name, rows in series.items():
            iou, offset = np.median(rows, axis=0) if rows else (np.nan, np.nan)
            print(f"{what}: {name}: n = {len(rows)}, median IoU {iou:.3f}, offset {offset:.3f}")
    draw(boxes, outlines)
    print(TARGET)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except UserError as error:
        sys.exit(f"residuals: {error}")
