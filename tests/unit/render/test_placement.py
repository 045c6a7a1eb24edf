import itertools

import numpy as np
import pytest

from gen.render.placement import pixel_box, place_labels
from gen.render.text import font_px, text_size

HW = (480, 640)


def overlap(a, size_a, b, size_b):
    w = min(a[0] + size_a[0], b[0] + size_b[0]) - max(a[0], b[0])
    h = min(a[1] + size_a[1], b[1] + size_b[1]) - max(a[1], b[1])
    return max(w, 0) * max(h, 0)


def collisions(spots, sizes):
    pairs = itertools.combinations(range(len(spots)), 2)
    return [(i, j) for i, j in pairs if overlap(spots[i], sizes[i], spots[j], sizes[j])]


def on_canvas(spots, sizes, hw):
    return all(
        min(x, y) >= 0 and x + w <= hw[1] and y + h <= hw[0]
        for (x, y), (w, h) in zip(spots, sizes, strict=True)
    )


def scattered(n, hw, seed):
    rng = np.random.default_rng(seed)
    start = rng.uniform(-0.1, 1.0, (n, 2)) * (hw[1], hw[0])
    size = rng.uniform(0.0, 0.4, (n, 2)) * (hw[1], hw[0])
    return [tuple(map(float, row)) for row in np.hstack([start, start + size])]


def test_a_label_alone_takes_the_first_spot_that_fits():
    size = (60, 18)
    cases = {
        (100, 100, 300, 300): (100, 82),  # above
        (100, 5, 300, 300): (100, 5),  # no room above: inside
        (100, 5, 130, 20): (100, 20),  # a small object: below, so as not to hide it
        (600, 100, 640, 300): (580, 82),  # moved in from the right
        (-50, 100, 300, 300): (0, 82),
        (0, 0, 640, 480): (0, 0),
    }
    for box, expected in cases.items():
        assert place_labels([box], [size], HW) == [expected], box


@pytest.mark.parametrize("hw", [(480, 640), (100, 130), (32, 32), (19, 61)])
def test_labels_never_leave_the_canvas(hw):
    h, w = hw
    edges = [
        (x, y, x + dx, y + dy)
        for x, y, dx, dy in itertools.product(
            (-20, -1, 0, w // 2, w - 1, w, w + 30),
            (-20, 0, h // 2, h - 1, h, h + 30),
            (0, 1, 50),
            (0, 1, 50),
        )
    ]
    for px in (8, font_px(*hw)):
        sizes = [text_size("person", px, w)] * len(edges)
        sizes = [(min(a, w), min(b, h)) for a, b in sizes]
        for box, size in zip(edges, sizes, strict=True):
            assert on_canvas(place_labels([box], [size], hw), [size], hw), box
        assert on_canvas(place_labels(edges, sizes, hw), sizes, hw)


@pytest.mark.parametrize("seed", range(20))
def test_labels_do_not_cover_each_other_where_there_is_room(seed):
    boxes = scattered(60, HW, seed)
    names = ("cup", "person", "traffic light")
    sizes = [text_size(names[i % 3], 15) for i in range(60)]
    spots = place_labels(boxes, sizes, HW)
    assert on_canvas(spots, sizes, HW)
    assert collisions(spots, sizes) == []


def test_labels_of_one_box_many_times_do_not_pile_up():
    for box in [(300, 200, 301, 201), (0, 0, 640, 480), (639, 479, 640, 480), (200, 100, 260, 150)]:
        sizes = [(61, 19)] * 40
        spots = place_labels([box] * 40, sizes, HW)
        assert on_canvas(spots, sizes, HW)
        assert collisions(spots, sizes) == []


def test_a_moved_label_stays_near_its_object():
    box = (300.0, 200.0, 340.0, 230.0)
    sizes = [(61, 19)] * 16
    for x, y in place_labels([box] * 16, sizes, HW):
        dx = max(box[0] - (x + 61), x - box[2], 0)
        dy = max(box[1] - (y + 19), y - box[3], 0)
        assert max(dx, dy) <= 61


def test_a_full_canvas_covers_as_little_as_it_can():
    hw = (40, 100)
    spots = place_labels([(10, 10, 20, 20)] * 30, [(50, 20)] * 30, hw)
    assert on_canvas(spots, [(50, 20)] * 30, hw)
    assert len(set(spots[:2])) == 2


def test_a_plate_larger_than_the_canvas_starts_at_its_corner():
    assert place_labels([(5, 5, 9, 9)], [(300, 50)], (32, 32)) == [(0, 0)]


def test_places_do_not_change_from_call_to_call():
    boxes, sizes = scattered(100, HW, 3), [(50, 19)] * 100
    assert place_labels(boxes, sizes, HW) == place_labels(boxes, sizes, HW)
    assert place_labels([], [], HW) == []


def test_pixels_of_a_box():
    assert pixel_box((1.5, 2.4, 5.5, 6.4), (10, 10)) == (2, 2, 6, 6)
    assert pixel_box((3, 3, 3, 3), (10, 10)) == (3, 3, 4, 4)
    assert pixel_box((-5, 20, 50, 30), (10, 10)) == (0, 9, 10, 10)


def test_nonsense_is_refused():
    with pytest.raises(ValueError, match="sizes"):
        place_labels([(0, 0, 1, 1)], [], HW)
    with pytest.raises(ValueError, match="finite"):
        place_labels([(0, float("inf"), 1, 1)], [(5, 5)], HW)
