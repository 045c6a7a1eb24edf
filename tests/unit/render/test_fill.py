import itertools

import numpy as np
import pytest

from gen.render.canvas import black, paper
from gen.render.fill import fill, id_map
from gen.render.palette import swatch


def reference_fill(canvas, ids, colours, opacity):
    out = canvas.copy()
    for y, x in itertools.product(range(ids.shape[0]), range(ids.shape[1])):
        for channel in range(3):
            if ids[y, x]:
                before, colour = float(canvas[y, x, channel]), float(colours[ids[y, x], channel])
                value = before * (1 - opacity) + colour * opacity
                out[y, x, channel] = int(np.floor(value + 0.5))
    return out


@pytest.mark.parametrize("opacity", [0.0, 0.1, 0.3, 0.5, 0.7, 0.85, 1.0])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_fill_follows_its_rule_exactly(opacity, dtype):
    rng = np.random.default_rng(5)
    canvas = rng.integers(0, 256, (37, 53, 3), dtype=np.uint8)
    ids = rng.integers(0, 9, (37, 53)).astype(dtype)
    colours = rng.integers(0, 256, (9, 3), dtype=np.uint8)
    expected = reference_fill(canvas, ids, colours, opacity)
    fill(canvas, ids, colours, opacity)
    np.testing.assert_array_equal(canvas, expected)


def test_every_pair_of_bytes_at_half_opacity():
    canvas = np.repeat(np.arange(256, dtype=np.uint8)[:, None, None], 256, axis=1).repeat(3, axis=2)
    colours = np.zeros((257, 3), np.uint8)
    colours[1:] = np.arange(256)[:, None]
    ids = np.tile(np.arange(1, 257, dtype=np.uint16), (256, 1))
    rows, columns = np.mgrid[:256, :256]
    fill(canvas, ids, colours, 0.5)
    np.testing.assert_array_equal(canvas[..., 0], (rows + columns + 1) // 2)


def test_wide_and_many_coloured_pictures_leave_no_band_out():
    rng = np.random.default_rng(2)
    for h, w, n in ((3, 30_000, 300), (700, 90, 300), (700, 90, 8)):
        canvas = rng.integers(0, 256, (h, w, 3), dtype=np.uint8)
        photo = canvas.copy()
        ids = rng.integers(0, n, (h, w)).astype(np.uint16)
        colours = rng.integers(0, 256, (n, 3), dtype=np.uint8)
        fill(canvas, ids, colours, 1.0)
        np.testing.assert_array_equal(canvas, np.where(ids[..., None] > 0, colours[ids], photo))


def test_legend_colours_are_the_pixels_on_black_and_at_full_opacity():
    photo = np.random.default_rng(0).integers(0, 256, (48, 24, 3), dtype=np.uint8)
    ids = np.repeat(np.arange(24, dtype=np.uint8)[:, None], 24, axis=1).repeat(2, axis=0) + 1
    colours = np.array([(0, 0, 0), *(swatch(i).rgb for i in range(24))], np.uint8)
    for canvas in (black(48, 24), paper(photo)):
        fill(canvas, ids, colours, 1.0)
        for i in range(24):
            assert (canvas[2 * i : 2 * i + 2] == swatch(i).rgb).all()


def test_fill_refuses_what_does_not_fit():
    canvas = black(4, 4)
    ids = np.ones((4, 4), np.uint8)
    colours = np.zeros((2, 3), np.uint8)
    for bad in (1.1, -0.1, float("nan")):
        with pytest.raises(ValueError, match="opacity"):
            fill(canvas, ids, colours, bad)
    with pytest.raises(ValueError, match="do not fit"):
        fill(canvas, ids[:3], colours, 0.5)
    with pytest.raises(ValueError, match="no colour"):
        fill(canvas, ids * 2, colours, 0.5)


def reference_ids(masks, hw):
    out = np.zeros(hw, int)
    for index, (x0, y0, crop) in enumerate(masks, start=1):
        for dy, dx in itertools.product(range(crop.shape[0]), range(crop.shape[1])):
            y, x = y0 + dy, x0 + dx
            if crop[dy, dx] and 0 <= y < hw[0] and 0 <= x < hw[1]:
                out[y, x] = index
    return out


@pytest.mark.parametrize("on", [1, 255])
def test_later_masks_lie_on_top_and_are_cut_at_the_border(on):
    rng = np.random.default_rng(7)
    for _ in range(20):
        masks = []
        for _ in range(12):
            h, w = rng.integers(1, 15, 2)
            crop = (rng.random((h, w)) < 0.6).astype(np.uint8) * on
            masks.append((int(rng.integers(-8, 30)), int(rng.integers(-8, 20)), crop))
        ids = id_map(masks, (18, 27))
        assert ids.dtype == np.uint8
        np.testing.assert_array_equal(ids, reference_ids(masks, (18, 27)))


def test_more_than_255_masks():
    masks = [(i % 40, i // 40, np.ones((1, 1), np.uint8)) for i in range(400)]
    ids = id_map(masks, (10, 40))
    assert ids.dtype == np.uint16
    np.testing.assert_array_equal(ids.ravel(), np.arange(1, 401))
    assert id_map([], (3, 4)).sum() == 0


def test_canvases():
    photo = np.random.default_rng(0).integers(0, 256, (6, 8, 3), dtype=np.uint8)
    copy = paper(photo[:, ::-1])
    assert copy.flags.c_contiguous
    copy[:] = 0
    assert photo.any()
    assert black(2, 3).shape == (2, 3, 3)
    with pytest.raises(ValueError, match="pixel"):
        black(0, 3)
    with pytest.raises(ValueError, match="expected"):
        paper(photo[..., 0])
