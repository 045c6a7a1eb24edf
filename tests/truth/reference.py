"""Truth read from the data files, and scores computed from it, without any code of the package."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from pycocotools import mask as coco
from scipy.optimize import linear_sum_assignment

Mask = NDArray[np.bool_]

# Constants of COCO's keypoint evaluation, one for each of the 17 joints.
SIGMAS = (
    np.array([26, 25, 25, 35, 35, 79, 79, 72, 72, 62, 62, 107, 107, 87, 87, 89, 89], np.float64)
    / 1000
)


@dataclass(frozen=True)
class Thing:
    """A true object: class, mask, whether it is a crowd, and its joints if they are labelled."""

    label: str
    mask: Mask
    crowd: bool
    joints: NDArray[np.float64] | None


class Data:
    """What the annotation files under a folder say, photo by photo."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._files = {
            name: json.loads((root / "coco/annotations" / f"{name}.json").read_text())
            for name in ("instances", "keypoints")
        }
        self.panoptic = json.loads((root / "panoptic/panoptic.json").read_text())
        self.refs = json.loads((root / "refcoco/refs.json").read_text())

    def labelled(self, image_id: str) -> bool:
        """Whether a file of objects lists the photo (others have panoptic segments only)."""
        return any(str(one["id"]) == image_id for one in self._files["instances"]["images"])

    def things(self, image_id: str) -> list[Thing]:
        """The objects of a photo, those of both files joined by their ids."""
        found: dict[int, Thing] = {}
        for file in self._files.values():
            names = {one["id"]: one["name"] for one in file["categories"]}
            sizes = {str(one["id"]): (one["height"], one["width"]) for one in file["images"]}
            for one in file["annotations"]:
                if str(one["image_id"]) != image_id:
                    continue
                joints = one.get("keypoints")
                found[one["id"]] = Thing(
                    names[one["category_id"]],
                    decoded(one["segmentation"], sizes[image_id]),
                    bool(one["iscrowd"]),
                    None if joints is None else np.array(joints, np.float64).reshape(17, 3),
                )
        return list(found.values())

    def referred(self, image_id: str, sentence: str) -> list[Mask]:
        """The masks of the objects that a sentence means."""
        found = []
        for ref in self.refs:
            if str(ref["image_id"]) != image_id:
                continue
            if sentence not in [one["sent"] for one in ref["sentences"]] + [
                one["raw"] for one in ref["sentences"]
            ]:
                continue
            if ref["ann_id"] is None:
                found.append(self.segments(image_id) == ref["segment_id"])
                continue
            file = self._files["instances"]
            sizes = {str(one["id"]): (one["height"], one["width"]) for one in file["images"]}
            (target,) = (one for one in file["annotations"] if one["id"] == ref["ann_id"])
            found.append(decoded(target["segmentation"], sizes[image_id]))
        return found

    def segments(self, image_id: str) -> NDArray[np.int64]:
        """The panoptic segment of each pixel."""
        path = self.root / "panoptic/masks" / f"{int(image_id):012d}.png"
        rgb = np.asarray(Image.open(path).convert("RGB")).astype(np.int64)
        return rgb[..., 0] + 256 * rgb[..., 1] + 65536 * rgb[..., 2]

    def classes(self, image_id: str) -> dict[str, Mask]:
        """Which pixels each class of a label map has."""
        if image_id.startswith("ADE"):
            folder = self.root / "panoptic/ade20k"
            ids = np.asarray(Image.open(folder / "annotations" / f"{image_id}.png"))
            lines = (folder / "objectInfo150.txt").read_text().splitlines()[1:]
            names = {int(x.split("\t")[0]): x.split("\t")[4].split(",")[0].strip() for x in lines}
            return {names[int(n)]: ids == n for n in np.unique(ids) if n}
        names = {one["id"]: one["name"] for one in self.panoptic["categories"]}
        (record,) = (
            one for one in self.panoptic["annotations"] if str(one["image_id"]) == image_id
        )
        found: dict[str, Mask] = {}
        for segment in record["segments_info"]:
            name = names[segment["category_id"]]
            mask = self.segments(image_id) == segment["id"]
            found[name] = found[name] | mask if name in found else mask
        return found

    def disparity(self, image_id: str) -> NDArray[np.float64]:
        """1 / metres, 0 where nothing was measured."""
        folder, _, name = image_id.partition("_")
        calibration = json.loads((self.root / "depth/calibration.json").read_text())
        path = {
            "nyu": f"nyu/sync_depth_{name}.png",
            "kitti": f"kitti/depth_{name}.png",
            "7scenes": f"7scenes/frame-{name}.depth.png",
        }[folder]
        values = np.asarray(Image.open(self.root / "depth" / path)).astype(np.float64)
        told = (values > 0) & (values < 65535)
        depth = values / calibration[folder]["depth_scale"]
        return np.divide(1.0, depth, out=np.zeros_like(depth), where=told)


def decoded(segmentation: Any, size: tuple[int, int]) -> Mask:
    """A COCO segmentation of any form as pixels."""
    if isinstance(segmentation, list):
        rle = coco.merge(coco.frPyObjects(segmentation, *size))
    elif isinstance(segmentation["counts"], list):
        rle = coco.frPyObjects(segmentation, *size)
    else:
        rle = segmentation
    return np.asarray(coco.decode(rle), bool)


def iou(one: Mask, other: Mask) -> float:
    union = np.logical_or(one, other).sum()
    return float(np.logical_and(one, other).sum() / union) if union else 0.0


def box_of(mask: Mask) -> tuple[float, float, float, float]:
    """x1, y1, x2, y2 around the pixels of a mask."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return float(columns[0]), float(rows[0]), float(columns[-1] + 1), float(rows[-1] + 1)


def box_iou(a: Any, b: Any) -> float:
    inter = max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(
        0.0, min(a[3], b[3]) - max(a[1], b[1])
    )
    joint = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - inter
    return inter / joint if joint else 0.0


def best_sum(values: NDArray[np.float64]) -> float:
    """The greatest sum over one-to-one matchings."""
    return float(values[linear_sum_assignment(values, maximize=True)].sum()) if values.size else 0.0


def objects_score(
    predicted: list[tuple[str, Any]], true: list[tuple[str, Any]], overlap: Any
) -> float:
    """10 * 2 * sum of IoU / (predicted + true), matched within each class."""
    total = 0.0
    for label in {label for label, _ in predicted}:
        own = [shape for name, shape in predicted if name == label]
        theirs = [shape for name, shape in true if name == label]
        total += best_sum(
            np.array([[overlap(a, b) for b in theirs] for a in own]).reshape(len(own), len(theirs))
        )
    count = len(predicted) + len(true)
    return 20.0 * total / count if count else 10.0


def poses_score(predicted: list[NDArray[np.float64]], true: list[Thing]) -> float:
    """10 * sum of OKS / max(predicted, true)."""
    table = np.zeros((len(predicted), len(true)))
    for column, person in enumerate(true):
        joints = person.joints
        assert joints is not None
        there = joints[:, 2] > 0
        for row, pose in enumerate(predicted):
            squared = ((pose[:, :2] - joints[:, :2]) ** 2).sum(axis=1)
            alike = np.exp(-squared / (2 * (2 * SIGMAS) ** 2 * person.mask.sum()))
            table[row, column] = np.where(pose[:, 2] > 0, alike, 0.0)[there].mean()
    most = max(len(predicted), len(true))
    return 10.0 * best_sum(table) / most if most else 10.0


RATIOS = (1.05, 1.1, 1.25, 1.25**2, 1.25**3)


def depth_share(found: NDArray[np.float64], true: NDArray[np.float64]) -> float:
    """The mean over five ratios of the share of pixels within them."""
    ratio = np.maximum(found / true, true / np.maximum(found, 1e-12))
    ratio[found <= 0] = np.inf
    return float(np.mean([(ratio <= r).mean() for r in RATIOS]))


def depth_shares(
    levels: NDArray[np.uint8], true: NDArray[np.float64], ends: tuple[float, float]
) -> tuple[float, float]:
    """The least and the greatest share of a map of which only `levels` between `ends` are seen.

    A pixel is known to half a level; one at an end may lie any distance beyond it.
    """
    step = (ends[1] - ends[0]) / 255
    low = np.where(levels == 0, -np.inf, ends[0] + (levels - 0.5) * step)
    high = np.where(levels == 255, np.inf, ends[0] + (levels + 0.5) * step)
    sure = [((low >= true / r) & (high <= true * r)).mean() for r in RATIOS]
    possible = [((low <= true * r) & (high >= true / r)).mean() for r in RATIOS]
    return float(np.mean(sure)), float(np.mean(possible))
