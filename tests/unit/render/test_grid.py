import itertools

import numpy as np
import pytest

from gen.render.canvas import black, paper
from gen.render.grid import LINE_COLOUR, cell_edges, draw_grid, grid_shape, majority
from gen.render.palette import swatch

COLOURS = np.array([(0, 0, 0), *(swatch(i).rgb for i in range(24))], np.uint8)


def reference_majority(ids, n_ids, rows, cols):
    h, w = ids.shape
    out = np.zeros((rows, cols), int)
    for r, c in itertools.product(range(rows), range(cols)):
        cell = ids[r * h // rows : (r + 1) * h // rows, c * w // cols : (c + 1) * w // cols]
        counts = [int((cell == k).sum()) for k in range(n_ids)]
        out[r, c] = counts.index(max(counts))
    return out


def test_shapes_of_common_pictures():
    assert grid_shape(480, 640, 16) == (12, 16)
    assert grid_shape(640, 480, 16) == (16, 12)
    assert grid_shape(480, 640, 32) == (24, 32)
    assert grid_shape(512, 512, 16) == (16, 16)
    assert grid_shape(1, 1000, 16) == (1, 16)
    assert grid_shape(8, 8, 16) == (8, 8)
    assert grid_shape(427, 640, 16) == (11, 16)


def test_cells_are_as_square_as_the_size_allows():
    rng = np.random.default_rng(0)
    for h, w in rng.integers(32, 900, (300, 2)).tolist():
        rows, cols = grid_shape(h, w, 16)
        assert max(rows, cols) == 16
        assert (rows if h >= w else cols) == 16

        def stretch(r, c, h=h, w=w):
            ratio = (h / r) / (w / c)
            return max(ratio, 1 / ratio)

        best = min(stretch(n, 16) if w >= h else stretch(16, n) for n in range(1, 17))
        assert stretch(rows, cols) == pytest.approx(best)


def test_edges_cover_every_pixel_once():
    for n_px, n_cells in itertools.product((1, 2, 15, 16, 17, 31, 480, 641), (1, 2, 7, 16)):
        if n_cells > n_px:
            with pytest.raises(ValueError, match="cells"):
                cell_edges(n_px, n_cells)
            continue
        edges = cell_edges(n_px, n_cells)
        assert edges[0] == 0
        assert edges[-1] == n_px
        widths = np.diff(edges)
        assert widths.min() >= 1
        assert widths.max() - widths.min() <= 1


@pytest.mark.parametrize("n_ids", [1, 2, 7, 256, 300])
@pytest.mark.parametrize(("h", "w"), [(16, 16), (48, 64), (37, 53), (64, 17), (101, 130)])
def test_majority_against_counting_by_hand(h, w, n_ids):
    rng = np.random.default_rng(h + n_ids)
    rows, cols = grid_shape(h, w, 16)
    ids = rng.integers(0, n_ids, (h, w)).astype(np.uint8 if n_ids <= 256 else np.uint16)
    result = majority(ids, n_ids, rows, cols)
    np.testing.assert_array_equal(result, reference_majority(ids, n_ids, rows, cols))
    few = (ids % 3).astype(np.uint8)
    if n_ids >= 3:
        result = majority(few, n_ids, rows, cols)
        np.testing.assert_array_equal(result, reference_majority(few, n_ids, rows, cols))


def test_ties_go_to_the_lowest_id_and_background_counts():
    ids = np.array([[5, 5, 2, 2], [0, 0, 7, 7], [3, 3, 3, 0], [0, 0, 0, 3]], np.uint8)
    assert majority(ids, 8, 1, 2).tolist() == [[0, 0]]
    assert majority(ids, 8, 2, 1).tolist() == [[0], [0]]
    assert majority(ids, 300, 2, 2).tolist() == majority(ids, 8, 2, 2).tolist() == [[0, 2], [0, 0]]


def test_majority_refuses_unknown_ids():
    with pytest.raises(ValueError, match="out of range"):
        majority(np.full((4, 4), 3, np.uint8), 3, 2, 2)


def test_grids_as_large_as_the_picture_and_wider_than_a_byte():
    rng = np.random.default_rng(1)
    ids = rng.integers(0, 4, (3, 700)).astype(np.uint8)
    np.testing.assert_array_equal(majority(ids, 4, 3, 700), ids)


def test_cells_have_their_colour_and_a_readable_number():
    ids = np.arange(192).reshape(12, 16) % 25
    canvas = black(480, 640)
    draw_grid(canvas, ids, COLOURS, 1.0, 15)
    ys, xs = cell_edges(480, 12), cell_edges(640, 16)
    for r, c in itertools.product(range(12), range(16)):
        cell = canvas[ys[r] + 1 : ys[r + 1], xs[c] + 1 : xs[c + 1]]
        exact = (cell == COLOURS[ids[r, c]]).all(axis=2)
        assert (exact[:3].all(), exact[-3:].all()) == (True, True)
        assert exact.all() == (ids[r, c] == 0)
    assert (canvas[0, 40] == LINE_COLOUR).all()
    assert (canvas[40, 1] == LINE_COLOUR).all()


def test_numbers_differ_and_stand_on_the_full_colour():
    photo = np.random.default_rng(0).integers(0, 256, (120, 160, 3), dtype=np.uint8)
    pictures = []
    for index in (1, 7, 24):
        canvas = paper(photo)
        draw_grid(canvas, np.full((3, 4), index), COLOURS, 0.5, 15)
        assert (canvas[3:37, 3:37] == COLOURS[index]).all(axis=2).any()
        pictures.append(canvas)
    same = np.tile(COLOURS[1], (25, 1))
    one, two = (paper(photo) for _ in range(2))
    draw_grid(one, np.full((3, 4), 1), same, 0.5, 15)
    draw_grid(two, np.full((3, 4), 2), same, 0.5, 15)
    assert (one != two).any()


def test_background_cells_are_left_alone_unless_zeros_are_asked_for():
    photo = np.random.default_rng(0).integers(0, 256, (120, 160, 3), dtype=np.uint8)
    canvas = paper(photo)
    draw_grid(canvas, np.zeros((3, 4), int), COLOURS, 0.5, 15)
    np.testing.assert_array_equal(canvas[2:39, 2:39], photo[2:39, 2:39])
    canvas = black(120, 160)
    draw_grid(canvas, np.zeros((3, 4), int), COLOURS, 0.5, 15, zeros=True)
    assert canvas[5:35, 5:35].any()


def test_no_numbers_in_tiny_cells_and_none_without_a_size():
    ids = np.full((16, 16), 12)
    for side, px in ((32, 15), (480, None), (100, 15)):
        canvas = black(side, side)
        draw_grid(canvas, ids, COLOURS, 1.0, px)
        colours = {tuple(c) for c in canvas.reshape(-1, 3).tolist()}
        assert colours <= {tuple(COLOURS[12].tolist()), LINE_COLOUR}
    canvas = black(32, 32)
    draw_grid(canvas, ids, COLOURS, 1.0, 15)
    assert (canvas == COLOURS[12]).all()


def test_drawing_refuses_what_does_not_fit():
    with pytest.raises(ValueError, match="ids"):
        draw_grid(black(32, 32), np.full((2, 2), 25), COLOURS, 1.0, 9)
    with pytest.raises(ValueError, match="ids"):
        draw_grid(black(32, 32), np.full((2, 2), -1), COLOURS, 1.0, 9)
    with pytest.raises(ValueError, match="cells"):
        draw_grid(black(3, 3), np.ones((4, 4), int), COLOURS, 1.0, 9)
