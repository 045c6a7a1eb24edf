"""The kernel between a sharp picture and its blurred twin."""

import cv2
import numpy as np
import pytest
from skimage.data import astronaut

from gen.predictions.convert import kernel


def test_the_kernel_that_blurred_is_found():
    sharp = np.ascontiguousarray(astronaut()[40:168, 160:320])
    found = kernel.between(sharp, cv2.GaussianBlur(sharp, (0, 0), 2.0))
    assert found is not None and found.sum() == pytest.approx(1.0)
    middle = found.shape[0] // 2
    assert found[middle, middle] == found.max()


@pytest.mark.parametrize("level", [0, 200])
@pytest.mark.filterwarnings("error")
def test_a_plain_picture_tells_of_none(level):
    plain = np.full((96, 128, 3), level, np.uint8)
    assert kernel.between(plain, plain) is None
    assert kernel.between(plain[:2, :3], plain[:2, :3]) is None
