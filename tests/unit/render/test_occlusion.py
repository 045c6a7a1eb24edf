import numpy as np
import pytest

from gen.render.occlusion import Occlusion

HW = (60, 80)


def things(seed):
    rng = np.random.default_rng(seed)
    for _ in range(12):
        h, w = rng.integers(1, 30, 2)
        y, x = rng.integers(0, HW[0] - h + 1), rng.integers(0, HW[1] - w + 1)
        crop = (rng.random((h, w)) < 0.7).astype(np.uint8) * 7
        crop[h // 2, w // 2] = 1
        yield int(x), int(y), crop


def naive(objects, x, y, w, h):
    total = 0.0
    for x0, y0, crop in objects:
        mask = np.zeros(HW, bool)
        mask[y0 : y0 + crop.shape[0], x0 : x0 + crop.shape[1]] = crop != 0
        total += mask[y : y + h, x : x + w].sum() / mask.sum()
    return total


@pytest.mark.parametrize("seed", range(5))
def test_shares_are_exact_where_every_pixel_is_a_sample(seed):
    objects = list(things(seed))
    x, y = np.arange(0, 61, 5), np.arange(0, 49, 4)[:, None]
    found = Occlusion(objects, HW, 1).hidden(x, y, 20, 12)
    expected = [[naive(objects, i, j, 20, 12) for i in x.tolist()] for j in y[:, 0].tolist()]
    np.testing.assert_allclose(found, expected, atol=1e-3)


@pytest.mark.parametrize("step", [1, 2, 3, 5, 7])
def test_each_object_weighs_one_whatever_its_size(step):
    start, whole = np.zeros(1, np.int64), (HW[1], HW[0])
    for objects in ([one] for one in things(3)):
        np.testing.assert_allclose(
            Occlusion(objects, HW, step).hidden(start, start, *whole), 1, atol=1e-3
        )
    many = list(things(4))
    np.testing.assert_allclose(
        Occlusion(many, HW, step).hidden(start, start, *whole), 12, atol=1e-3
    )
    assert Occlusion([], HW, step).hidden(start, start, *whole) == 0
    empty = (0, 0, np.zeros((0, 0), np.uint8))
    assert Occlusion([empty], HW, step).hidden(start, start, *whole) == 0


def test_the_order_of_objects_does_not_matter():
    objects = list(things(5))
    x, y = np.arange(60), np.arange(40)[:, None]
    one = Occlusion(objects, HW, 3).hidden(x, y, 20, 12)
    np.testing.assert_array_equal(one, Occlusion(objects[::-1], HW, 3).hidden(x, y, 20, 12))
