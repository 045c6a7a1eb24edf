import numpy as np
import pytest

from gen.render.canvas import black
from gen.render.text import draw_plate_text, draw_text, font_px, line_px, text_size

INK, PLATE = (255, 255, 255), (10, 60, 200)


def test_plate_is_exactly_as_large_as_announced_and_holds_the_text():
    for px in (8, 15, 40):
        for text in ("gjpq", "ÅÉ", "traffic light", "8", ""):
            w, h = text_size(text, px)
            canvas = black(h + 20, w + 20)
            draw_plate_text(canvas, text, (10, 10), px, INK, PLATE)
            inside = canvas[10 : 10 + h, 10 : 10 + w].copy()
            assert (inside == PLATE).all(axis=2).any()
            for row in (inside[0], inside[-1], inside[:, 0], inside[:, -1]):
                assert (row == PLATE).all()
            # plate and ink both have blue, the rest of the canvas has none
            assert inside[..., 2].min() > 0
            canvas[10 : 10 + h, 10 : 10 + w] = 0
            assert not canvas.any()
            if text:
                assert (np.abs(inside.astype(int) - INK).sum(axis=2) < 150).any()


def test_a_frame_runs_along_the_edge_of_the_plate():
    for px, line in ((8, 1), (15, 1), (40, 2)):
        w, h = text_size("gjpq", px)
        plain, framed = black(h, w), black(h, w)
        draw_plate_text(plain, "gjpq", (0, 0), px, INK, PLATE)
        draw_plate_text(framed, "gjpq", (0, 0), px, INK, PLATE, frame=True)
        edge = np.ones((h, w), bool)
        edge[line:-line, line:-line] = False
        assert (framed[edge] == INK).all()
        np.testing.assert_array_equal(framed[~edge], plain[~edge])


def test_height_depends_on_the_size_only():
    for px in (8, 15, 31):
        assert len({text_size(text, px)[1] for text in ("a", "gjpq", "ÅÉ", "|", "")}) == 1
    assert text_size("a", 30)[1] > text_size("a", 15)[1]


def test_capitals_stand_in_the_middle_of_the_plate():
    w, h = text_size("HHH", 20)
    canvas = black(h, w)
    draw_plate_text(canvas, "HHH", (0, 0), 20, INK, PLATE)
    rows = np.flatnonzero((canvas[..., 0] > 200).any(axis=1))
    assert rows[0] == h - 1 - rows[-1]


@pytest.mark.parametrize("xy", [(-7, 3), (3, -6), (70, 3), (3, 35), (-30, -30), (500, 0), (0, 500)])
def test_drawing_past_the_edges_shows_the_part_inside(xy):
    w, h = text_size("person", 15)
    large = black(1200, 1200)
    draw_plate_text(large, "person", (xy[0] + 100, xy[1] + 100), 15, INK, PLATE)
    draw_text(large, "person", (xy[0] + 100, xy[1] + 130), 15, INK)
    canvas = black(40, 80)
    draw_plate_text(canvas, "person", xy, 15, INK, PLATE)
    draw_text(canvas, "person", (xy[0], xy[1] + 30), 15, INK)
    np.testing.assert_array_equal(canvas, large[100:140, 100:180])
    assert w > 40
    assert h < 40


def test_text_without_plate_blends_ink_over_the_ground():
    w, h = text_size("dog", 24)
    canvas = np.full((h, w, 3), 100, np.uint8)
    draw_text(canvas, "dog", (0, 0), 24, (255, 0, 100))
    assert canvas[..., 0].max() == 255
    assert canvas[..., 1].min() == 0
    assert (canvas[..., 2] == 100).all()
    assert (canvas[0] == 100).all()


def test_control_characters_and_line_breaks_become_spaces():
    plain = black(40, 200)
    draw_plate_text(plain, "a b c", (3, 3), 15, INK, PLATE)
    other = black(40, 200)
    draw_plate_text(other, " a\n\tb\x00\x1b\u200b c\r", (3, 3), 15, INK, PLATE)
    np.testing.assert_array_equal(plain, other)


def test_long_text_is_cut_to_the_width_with_an_ellipsis():
    text = "a very long referring expression about the person on the left"
    full = text_size(text, 15)[0]
    assert text_size(text, 15, full) == text_size(text, 15)
    before = 0
    for width in range(1, full, 7):
        w, h = text_size(text, 15, width)
        assert w <= width
        assert w >= before
        canvas = black(h, full)
        draw_plate_text(canvas, text, (0, 0), 15, INK, PLATE, max_width=width)
        assert not canvas[:, w:].any()
        before = w
    assert before > full - 60
    cut, dotted = black(40, 400), black(40, 400)
    w, _ = text_size("a very…", 15)
    draw_plate_text(cut, text, (0, 0), 15, INK, PLATE, max_width=w)
    draw_plate_text(dotted, "a very…", (0, 0), 15, INK, PLATE)
    np.testing.assert_array_equal(cut, dotted)


def test_sizes_follow_the_picture():
    assert font_px(480, 640) == font_px(640, 480) == 15
    assert line_px(480, 640) == 2
    assert 40 <= font_px(3000, 4000) <= 94
    assert 6 <= line_px(3000, 4000) <= 12
    assert 7 <= font_px(32, 32) <= 10
    assert line_px(32, 32) == 1
    sizes = [(font_px(n, n), line_px(n, n)) for n in range(1, 5000, 50)]
    assert sizes == sorted(sizes)


def test_nonsense_is_refused():
    with pytest.raises(ValueError, match="font"):
        text_size("a", 0)
    with pytest.raises(ValueError, match="width"):
        text_size("a", 15, 0)
