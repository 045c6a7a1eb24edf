"""A small set of photos that is made in memory."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from gen import masks
from gen.sources.photos import PhotoError
from gen.sources.records import Instance, Photo, Problem, Truth


class Shapes:
    """Photos of noise with ellipses and boxes of three classes on them."""

    def __init__(self, count: int, unreadable: Sequence[str] = (), objects: int = 5) -> None:
        self._objects = objects
        self._unreadable = frozenset(unreadable)
        self._photos = tuple(
            Photo(str(i), Path(f"{i}.png"), 200, 150, "cc0", "https://cc", f"https://x/{i}", "me")
            for i in range(count)
        )

    def photos(self) -> Sequence[Photo]:
        return self._photos

    def categories(self) -> Mapping[str, str]:
        return {"cat": "animal", "cup": "kitchen", "dog": "animal"}

    def truth(self, image_id: str) -> Truth:
        rng = np.random.default_rng(int(image_id))
        instances = []
        for row in range(self._objects):
            mask = np.zeros((150, 200), np.uint8)
            centre = (int(rng.integers(30, 170)), int(rng.integers(30, 120)))
            axes = (int(rng.integers(14, 30)), int(rng.integers(12, 26)))
            cv2.ellipse(mask, centre, axes, float(rng.integers(0, 90)), 0, 360, 1, -1)
            label = ("cat", "dog", "cup")[row % 3]
            instances.append(Instance(f"{image_id}-{row}", label, masks.encode(mask), crowd=False))
        return Truth(self._photos[int(image_id)], tuple(instances))

    def pixels(self, image_id: str) -> NDArray[np.uint8]:
        if image_id in self._unreadable:
            raise PhotoError("cut off after 12 bytes")
        rng = np.random.default_rng(1000 + int(image_id))
        return rng.integers(0, 256, (150, 200, 3), dtype=np.uint8)

    def fingerprint(self) -> str:
        return "shapes"

    def problems(self) -> Sequence[Problem]:
        return ()
