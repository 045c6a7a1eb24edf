"""How much of the objects on a picture something drawn over them would hide."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from gen.render.fill import Crop

Ints = NDArray[np.int64]

# Weights are whole numbers: their sums are exact, and so the same whatever order a machine adds in.
_ONE = 1 << 20


class Occlusion:
    """Objects on a canvas of (h, w) px, sampled on every `step`-th pixel; each weighs 1 in all.

    Hiding half of a small object so counts as much as hiding half of a large one. An object that
    lies between the samples counts at its centre. The crops must lie on the canvas.
    """

    def __init__(self, objects: Sequence[Crop], hw: tuple[int, int], step: int) -> None:
        self._step = step
        weights = np.zeros((-(-hw[0] // step), -(-hw[1] // step)), np.float32)
        for x0, y0, crop in objects:
            h, w = crop.shape
            sampled = crop[-y0 % step :: step, -x0 % step :: step]
            count = np.count_nonzero(sampled)
            if count:
                part = weights[-(-y0 // step) :, -(-x0 // step) :][: len(sampled)]
                part[:, : sampled.shape[1]] += (sampled != 0) * np.float32(round(_ONE / count))
            elif h and w:
                weights[(y0 + h // 2) // step, (x0 + w // 2) // step] += _ONE
        self._total = np.asarray(cv2.integral(weights), np.float64)

    def hidden(self, x: Ints, y: Ints, w: Ints | int, h: Ints | int) -> NDArray[np.float64]:
        """The sum of the shares of all objects that w x h px with the top left at x, y would hide.

        Arrays are broadcast against each other; the rectangles must lie on the canvas.
        """
        step, total = self._step, self._total
        left, right = -(-x // step), -(-(x + w) // step)
        top, bottom = -(-y // step), -(-(y + h) // step)
        shares: NDArray[np.float64] = (
            total[bottom, right] - total[top, right] - total[bottom, left] + total[top, left]
        ) / _ONE
        return shares
