import cv2
import numpy as np
import pytest

from gen.render import palette
from gen.render.canvas import black
from gen.render.palette import text_colour
from gen.render.shapes import (
    draw_box,
    draw_contours,
    draw_dashed_box,
    draw_disc,
    draw_line,
)

RED = (230, 25, 35)
GROUNDS = [(0, 0, 0), (255, 255, 255), RED, (90, 120, 60)]
# (box, its pixels) on a canvas of 60 x 80: inside, at every edge, across and all over
BOXES = [
    ((10, 12, 50, 40), (10, 12, 50, 40)),
    ((0, 0, 80, 60), (0, 0, 80, 60)),
    ((-20, 10, 30, 50), (0, 10, 30, 50)),
    ((60, 10, 99, 50), (60, 10, 80, 50)),
    ((20, -9, 60, 20), (20, 0, 60, 20)),
    ((20, 40, 60, 77.7), (20, 40, 60, 60)),
    ((-5, -5, 500, 500), (0, 0, 80, 60)),
    ((9.5, 11.4, 49.6, 40.5), (10, 11, 50, 41)),
]


def canvas_of(colour):
    canvas = black(60, 80)
    canvas[:] = colour
    return canvas


def sides(x0, y0, x1, y1):
    yield np.s_[y0, x0:x1]
    yield np.s_[y1 - 1, x0:x1]
    yield np.s_[y0:y1, x0]
    yield np.s_[y0:y1, x1 - 1]


@pytest.mark.parametrize(("box", "pixels"), BOXES)
@pytest.mark.parametrize("thickness", [1, 2, 3])
def test_frame_lies_just_inside_the_box(box, pixels, thickness):
    canvas = canvas_of((1, 2, 3))
    draw_box(canvas, box, RED, thickness)
    drawn = (canvas == RED).all(axis=2)
    x0, y0, x1, y1 = pixels
    expected = np.zeros((60, 80), bool)
    expected[y0:y1, x0:x1] = True
    expected[y0 + thickness : y1 - thickness, x0 + thickness : x1 - thickness] = False
    np.testing.assert_array_equal(drawn, expected)
    assert (canvas[~drawn] == (1, 2, 3)).all()


@pytest.mark.parametrize(("box", "pixels"), BOXES)
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("thickness", [1, 2, 3])
def test_dashes_on_all_four_sides_of_any_ground(box, pixels, ground, thickness):
    canvas = canvas_of(ground)
    draw_dashed_box(canvas, box, RED, thickness)
    x0, y0, x1, y1 = pixels
    for side in sides(*pixels):
        line = canvas[side]
        red = (line == RED).all(axis=1)
        gaps = (line == text_colour(RED)).all(axis=1)
        assert (red | gaps).all()
        assert red.any()
        assert gaps.any()
        runs = np.diff(np.flatnonzero(np.diff(np.r_[False, red, False].astype(int))))[::2]
        # whole dashes, but for those that meet another side or are cut by the corner
        inner = runs[1:-1]
        assert (inner == 4 * thickness).all()
    inside = canvas[y0 + thickness : y1 - thickness, x0 + thickness : x1 - thickness]
    assert (inside == ground).all()
    outside = canvas.copy()
    outside[y0:y1, x0:x1] = ground
    assert (outside == ground).all()


def test_gaps_stand_out_from_the_dashes_in_every_colour():
    for swatch in palette.PALETTE:
        canvas = canvas_of((90, 120, 60))
        draw_dashed_box(canvas, (10, 10, 60, 50), swatch.rgb, 2)
        inks = np.unique(canvas[10, 10:60], axis=0).tolist()
        assert len(inks) == 2
        dark, light = sorted(palette.relative_luminance(tuple(ink)) for ink in inks)
        assert (light + 0.05) / (dark + 0.05) >= 4


def test_small_boxes_have_dashes_on_every_side():
    for side in range(5, 12):
        canvas = canvas_of((90, 120, 60))
        draw_dashed_box(canvas, (10, 10, 10 + side, 10 + side), RED, 2)
        for edge in sides(10, 10, 10 + side, 10 + side):
            red = (canvas[edge] == RED).all(axis=1)
            gaps = (canvas[edge] == text_colour(RED)).all(axis=1)
            assert (red | gaps).all()
            assert red.sum() >= 2
            assert gaps.sum() >= 1


@pytest.mark.parametrize("draw", [draw_box, draw_dashed_box])
def test_tiny_boxes_show_in_their_colour(draw):
    for box in [(5, 5, 6, 6), (5, 5, 5, 5), (0, 0, 1, 1), (79, 59, 80, 60), (79.8, 59.8, 80, 60)]:
        canvas = black(60, 80)
        draw(canvas, box, RED, 3)
        drawn = np.argwhere(canvas.any(axis=2))
        assert len(drawn) == 1
        assert (canvas[tuple(drawn[0])] == RED).all()
    for box in [(3, 3, 5, 30), (3, 3, 30, 4), (2, 2, 5, 5)]:
        canvas = black(60, 80)
        draw(canvas, box, RED, 3)
        x0, y0, x1, y1 = box
        assert (canvas[y0, x0] == RED).all()
        assert (canvas[y0:y1, x0:x1] == RED).any()
        canvas[y0:y1, x0:x1] = 0
        assert not canvas.any()


@pytest.mark.parametrize("draw", [draw_box, draw_dashed_box])
def test_boxes_outside_draw_nothing_and_nonsense_is_refused(draw):
    canvas = black(60, 80)
    for box in [(80, 5, 99, 20), (5, 60, 20, 99), (-30, 5, -1, 20), (5, -30, 20, -1)]:
        draw(canvas, box, RED, 2)
    assert not canvas.any()
    with pytest.raises(ValueError, match="finite"):
        draw(canvas, (0, 0, float("nan"), 5), RED, 2)
    with pytest.raises(ValueError, match="thick"):
        draw(canvas, (0, 0, 5, 5), RED, 0)


@pytest.mark.parametrize("thickness", [1, 2, 3, 4, 7])
def test_contours_follow_the_mask_in_the_exact_colour(thickness):
    mask = np.zeros((60, 80), np.uint8)
    cv2.circle(mask, (40, 30), 22, 1, -1)
    cv2.circle(mask, (40, 30), 9, 0, -1)
    found, _ = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    canvas = canvas_of((1, 2, 3))
    draw_contours(canvas, found, RED, thickness)
    drawn = (canvas == RED).all(axis=2)
    assert (canvas[~drawn] == (1, 2, 3)).all()
    edge = (mask - cv2.erode(mask, np.ones((3, 3), np.uint8))).astype(bool)
    outline = np.zeros_like(mask)
    cv2.drawContours(outline, found, -1, 1, 1)
    assert drawn[outline.astype(bool)].all()
    near = cv2.dilate(edge.astype(np.uint8), np.ones((2 * thickness + 1,) * 2, np.uint8))
    assert not (drawn & ~near.astype(bool)).any()
    assert len(found) == 2
    assert not drawn[30, 40]


@pytest.mark.parametrize("thickness", [1, 2, 3, 4, 9])
def test_a_casing_runs_along_both_sides_of_a_contour(thickness):
    turns = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    ring = np.stack([40 + 20 * np.cos(turns), 30 + 20 * np.sin(turns)], axis=1).astype(np.int32)
    bare, cased = canvas_of((1, 2, 3)), canvas_of((1, 2, 3))
    draw_contours(bare, [ring], RED, thickness)
    draw_contours(cased, [ring], RED, thickness, casing=(255, 255, 255))
    line = (bare == RED).all(axis=2)
    casing = (cased == 255).all(axis=2)
    np.testing.assert_array_equal((cased == RED).all(axis=2), line)
    assert (cased[~line & ~casing] == (1, 2, 3)).all()
    # whoever walks off the line to the middle or away from it meets the casing first
    others = np.where(line | casing, 0, 1).astype(np.uint8)
    _, parts = cv2.connectedComponents(others, connectivity=4)
    inner, outer = parts[30, 40], parts[0, 0]
    assert inner != outer
    for part in (inner, outer):
        beside = cv2.dilate((parts == part).astype(np.uint8), np.ones((3, 1), np.uint8))
        beside |= cv2.dilate((parts == part).astype(np.uint8), np.ones((1, 3), np.uint8))
        assert (beside & casing).sum() > 0.9 * (beside & (line | casing)).sum()


def test_contour_thickness_grows_and_lists_of_points_do():
    square = np.array([(10, 10), (50, 10), (50, 40), (10, 40)])
    areas = []
    for thickness in range(1, 7):
        canvas = black(60, 80)
        draw_contours(canvas, [square.astype(np.float64) + 0.2], RED, thickness)
        assert canvas[10, 30].any()
        areas.append(int(canvas.any(axis=2).sum()))
    assert areas == sorted(areas)
    assert len(set(areas[::2])) == 3
    canvas = black(60, 80)
    draw_contours(canvas, [], RED, 2)
    draw_contours(canvas, [np.zeros((0, 2), np.int32)], RED, 2)
    assert not canvas.any()
    with pytest.raises(ValueError, match="thick"):
        draw_contours(canvas, [square.astype(np.int32)], RED, -1)
    with pytest.raises(ValueError, match="finite"):
        draw_contours(canvas, [square * np.nan], RED, 1)


def test_lines_and_discs_are_where_they_are_told():
    for thickness, rows in ((1, 1), (2, 3), (3, 3), (4, 5), (5, 5), (9, 9)):
        canvas = black(60, 80)
        draw_line(canvas, (10, 20), (70, 20), RED, thickness)
        drawn = (canvas == RED).all(axis=2)
        assert drawn[20, 10:71].all()
        first = 20 - rows // 2
        assert np.flatnonzero(drawn.any(axis=1)).tolist() == list(range(first, first + rows))
    canvas = black(60, 80)
    draw_disc(canvas, (40, 30), 5, RED, edge=(255, 255, 255))
    rows, columns = np.mgrid[:60, :80]
    distance = np.hypot(rows - 30, columns - 40)
    assert (canvas[distance <= 4.4] == RED).all()
    assert (canvas[(distance > 5.4) & (distance < 5.6)] == 255).all()
    assert not canvas[distance > 7].any()
    draw_disc(canvas, (-3, 70), 5, RED)
    draw_line(canvas, (-500, -500), (500, 500), RED, 1)
    assert (canvas[10, 10] == RED).all()


def test_lines_and_discs_refuse_nonsense():
    canvas = black(60, 80)
    with pytest.raises(ValueError, match="finite"):
        draw_line(canvas, (0, 0), (float("inf"), 3), RED, 1)
    with pytest.raises(ValueError, match="thick"):
        draw_line(canvas, (0, 0), (3, 3), RED, 0)
    with pytest.raises(ValueError, match="radius"):
        draw_disc(canvas, (3, 3), -1, RED)
    with pytest.raises(ValueError, match="finite"):
        draw_disc(canvas, (float("nan"), 3), 1, RED)
