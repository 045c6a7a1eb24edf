"""A COCO folder in which every photo is odd in one way, with objects on each but one."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from gen import masks

NAMES = (
    'say "hi"',
    "a<image>b",
    "two\nlines",
    "🐶 hound",
    "كلب كبير",
    "back\\slash",
    "{classes} {0}",
    "A. cat",
    "person",
)
MODES = ("1", "L", "LA", "P", "RGBA", "CMYK", "I;16")
JOINTS = 17
EXPRESSIONS = (
    "the <image> on\nthe left",
    'the "big" one 🐶',
    "الكلب على اليسار",
    "{expression} B. yes",
)


class Folder(NamedTuple):
    """The folder, the photos that can be asked about, name -> id, and those that cannot."""

    root: Path
    asked: dict[str, str]
    left_out: dict[str, str]


class _Builder:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.images: list[dict[str, Any]] = []
        self.annotations: list[dict[str, Any]] = []
        self.segments: list[dict[str, Any]] = []
        self.refs: list[dict[str, Any]] = []
        self.ids: dict[str, str] = {}
        (root / "images").mkdir(parents=True)
        (root / "annotations" / "panoptic").mkdir(parents=True)
        (root / "refcoco").mkdir()

    def photo(self, name: str, width: int = 96, height: int = 72, mode: str = "RGB") -> int:
        number = len(self.images) + 1
        suffix = "tif" if mode in ("CMYK", "I;16") else "png"
        file = f"{number:012d}.{suffix if name != 'turned' else 'jpg'}"
        picture = _picture(width, height, mode, number)
        if name == "turned":
            exif = Image.Exif()
            exif[0x0112] = 6  # to be turned by 90 degrees
            picture.transpose(Image.Transpose.ROTATE_90).save(
                self.root / "images" / file, exif=exif, quality=95
            )
        else:
            picture.save(self.root / "images" / file)
        record = {"id": number, "file_name": file, "width": width, "height": height}
        self.images.append(record)
        self.ids[name] = f"{number}"
        return number

    def thing(self, image: int, category: int, segmentation: Any, **more: Any) -> None:
        number = len(self.annotations) + 1
        self.annotations.append(
            {
                "id": number,
                "image_id": image,
                "category_id": category,
                "segmentation": segmentation,
                "bbox": [0, 0, 1, 1],
                "area": 1,
                "iscrowd": 0,
            }
            | more
        )

    def two_things(self, image: int, width: int, height: int) -> None:
        """Two plain objects of different classes, one of them a person with joints.

        Expressions mean one of them, and its pixels have a class.
        """
        regions = np.zeros((height, width, 3), np.uint8)
        for category, left in ((1, 0.1), (9, 0.55)):
            x0, x1 = left * width, (left + 0.35) * width
            y0, y1 = 0.2 * height, 0.8 * height
            ring = [x0, y0, x1, y0, x1, y1, (x0 + x1) / 2, y1 - 2, x0, y1]
            joints = np.linspace((x0, y0, 2), (x1, y1, 2), JOINTS).ravel().tolist()
            person = {"keypoints": joints, "num_keypoints": JOINTS} if category == 9 else {}
            self.thing(image, category, [ring], **person)
            regions[int(y0) : int(y1), int(x0) : int(x1), 0] = category
        expression = EXPRESSIONS[image % len(EXPRESSIONS)]
        self.refs.append(
            {
                "ref_id": image,
                "ann_id": len(self.annotations),
                "image_id": image,
                "category_id": 9,
                "sentences": [{"sent_id": image, "raw": expression, "sent": expression}],
            }
        )
        file = f"{image:012d}.png"
        Image.fromarray(regions).save(self.root / "annotations" / "panoptic" / file)
        info = [{"id": one, "category_id": one, "iscrowd": 0} for one in (1, 9)]
        self.segments.append({"image_id": image, "file_name": file, "segments_info": info})


def _picture(width: int, height: int, mode: str, seed: int) -> Image.Image:
    rng = np.random.default_rng(seed)
    noise = rng.integers(0, 256, (9, 12, 3), dtype=np.uint8)
    rgb = Image.fromarray(noise).resize((width, height), Image.Resampling.BICUBIC)
    if mode == "I;16":
        return Image.fromarray(np.asarray(rgb.convert("L")).astype(np.uint16) * 257)
    if mode == "RGBA":
        rgb.putalpha(Image.fromarray(np.asarray(rgb.convert("L"))))
        return rgb
    return rgb.convert(mode)


def _rle(mask: NDArray[np.uint8]) -> dict[str, Any]:
    rle = masks.encode(mask)
    return {"size": list(rle.size), "counts": rle.counts}


def build(root: Path, large: bool) -> Folder:
    """Make the folder; with `large`, also a photo of 4000 x 3000 and one with 500 objects."""
    made = _Builder(root)
    for mode in MODES:
        made.two_things(made.photo(f"mode {mode}", mode=mode), 96, 72)
    made.two_things(made.photo("turned"), 96, 72)
    made.two_things(made.photo("tiny", 32, 32), 32, 32)
    if large:
        made.two_things(made.photo("large", 4000, 3000), 4000, 3000)
        _many(made, made.photo("five hundred", 640, 480))
    named = made.photo("names", 240, 160)
    for category in range(1, len(NAMES) + 1):
        x = 8.0 + 25 * (category - 1)
        made.thing(named, category, [[x, 20, x + 20, 24, x + 22, 100, x + 1, 110]])
    made.photo("nothing")
    _shapes(made)
    names_of = [{"id": n, "name": name, "isthing": 1} for n, name in enumerate(NAMES, start=1)]
    objects = {"images": made.images, "annotations": made.annotations, "categories": names_of}
    for file, content in (
        ("annotations/instances.json", objects),
        ("annotations/panoptic.json", objects | {"annotations": made.segments}),
        ("refcoco/refs.json", made.refs),
    ):
        (root / file).write_text(json.dumps(content), encoding="utf-8")
    left_out = {name: made.ids.pop(name) for name in ("nothing",)}
    return Folder(root, made.ids, left_out)


def _many(made: _Builder, photo: int) -> None:
    for row in range(20):
        for column in range(25):
            x, y = 4.0 + 25 * column, 4.0 + 23 * row
            ring = [x, y, x + 18, y + 2, x + 20, y + 16, x + 2, y + 18]
            made.thing(photo, 1 + (row + column) % 3, [ring])


def _shapes(made: _Builder) -> None:
    """Masks that are easily lost, each beside a plain object."""
    full = np.ones((72, 96), np.uint8)
    pixel, donut, parts = (np.zeros((72, 96), np.uint8) for _ in range(3))
    pixel[3, 4] = 1
    donut[10:60, 10:80] = 1
    donut[25:45, 30:60] = 0
    parts[5:30, 5:30] = parts[40:70, 50:90] = 1
    for name, mask in (("pixel", pixel), ("full", full), ("donut", donut), ("parts", parts)):
        photo = made.photo(name)
        made.thing(photo, 2, _rle(mask))
        made.two_things(photo, 96, 72)
    photo = made.photo("past the edge")
    made.thing(photo, 2, [[60.0, 40, 130, 40, 130, 100, 60, 100]], bbox=[60, 40, 70, 60])
    made.two_things(photo, 96, 72)
    photo = made.photo("four numbers")
    made.thing(photo, 2, [[10.0, 10, 50, 50]])
    made.two_things(photo, 96, 72)
    photo = made.photo("no joint")
    body = [[10.0, 10, 40, 10, 40, 60, 10, 60]]
    made.thing(photo, 9, body, keypoints=[0] * 3 * JOINTS, num_keypoints=0)
    made.two_things(photo, 96, 72)
