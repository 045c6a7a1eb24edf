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


def filled(box):
    """The whole box as an object."""
    x0, y0, x1, y1 = pixel_box(box, HW)
    return x0, y0, np.ones((y1 - y0, x1 - x0), np.uint8)


def share_hidden(thing, spots, sizes):
    x0, y0, crop = thing
    plates = np.zeros(HW, bool)
    for (x, y), (w, h) in zip(spots, sizes, strict=True):
        plates[y : y + h, x : x + w] = True
    seen = plates[y0 : y0 + crop.shape[0], x0 : x0 + crop.shape[1]]
    return (seen & (crop != 0)).sum() / np.count_nonzero(crop)


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
        assert place_labels([box], [size], HW, [filled(box)]) == [expected], box


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


def test_a_label_keeps_off_what_it_would_hide():
    box, size = (300.0, 200.0, 340.0, 240.0), (60, 18)
    assert place_labels([box], [size], HW) == [(300, 182)]
    neighbour = (290, 150, np.ones((50, 80), np.uint8))  # all that is above the box
    ((x, y),) = place_labels([box], [size], HW, [filled(box), neighbour])
    assert (x, y) == (300, 240)
    # a hole in the neighbour just there is room enough
    neighbour[2][30:, 10:] = 0
    assert place_labels([box], [size], HW, [filled(box), neighbour]) == [(300, 182)]


def test_a_small_thing_weighs_as_much_as_a_large_one():
    box, size = (300.0, 200.0, 320.0, 240.0), (20, 20)
    bee, barn = (305, 185, np.ones((9, 9), np.uint8)), (0, 240, np.ones((200, 640), np.uint8))
    # above it would hide the bee; below a trifle of the barn, though more pixels
    sides = [(280, 200, np.ones((40, 20), np.uint8)), (320, 200, np.ones((40, 20), np.uint8))]
    for things in ([filled(box), bee, barn, *sides], [barn, *sides, bee, filled(box)]):
        assert place_labels([box], [size], HW, things) == [(300, 240)]


@pytest.mark.parametrize("seed", range(10))
def test_labels_of_a_crowd_leave_the_crowd_in_sight(seed):
    rng = np.random.default_rng(seed)
    corners = rng.integers((200, 150), (420, 300), (50, 2))
    boxes = [(float(x), float(y), float(x + 14), float(y + 20)) for x, y in corners]
    crowd = [filled(box) for box in boxes]
    sizes = [(40, 13)] * 50
    blind = [share_hidden(one, place_labels(boxes, sizes, HW), sizes) for one in crowd]
    spots = place_labels(boxes, sizes, HW, crowd)
    assert None not in spots
    assert collisions(spots, sizes) == []
    hidden = [share_hidden(one, spots, sizes) for one in crowd]
    assert sum(share > 0.5 for share in hidden) <= 8
    assert sum(share > 0.5 for share in blind) >= 16
    for (x, y), box in zip(spots, boxes, strict=True):
        off = max(box[0] - x - 40, x - box[2], 0), max(box[1] - y - 13, y - box[3], 0)
        assert sum(off) <= 6 * 13


def test_a_label_is_left_out_only_where_another_one_nearby_says_the_same():
    tile = 12  # things side by side without a gap between them
    boxes = [
        (float(x), float(y), float(x + tile), float(y + tile))
        for x, y in itertools.product(range(200, 440, tile), range(150, 330, tile))
    ]
    crowd, sizes = [filled(box) for box in boxes], [(60, 18)] * len(boxes)
    every = place_labels(boxes, sizes, HW, crowd)
    assert None not in every
    one_class = place_labels(boxes, sizes, HW, crowd, ["cow"] * len(boxes))
    told = [box for box, spot in zip(boxes, one_class, strict=True) if spot is not None]
    assert 10 < len(told) < len(boxes)
    for box in boxes:
        assert any(abs(box[0] - a[0]) + abs(box[1] - a[1]) < 8 * 18 for a in told)
    inside = [spot for spot in one_class if spot and 200 < spot[0] < 380 and 150 < spot[1] < 312]
    assert len(inside) <= 1
    names = [f"cow {i}" for i in range(len(boxes))]
    assert None not in place_labels(boxes, sizes, HW, crowd, names)
    far = [(10.0, 10.0, 22.0, 22.0), (600.0, 440.0, 612.0, 452.0)]
    assert None not in place_labels(far, sizes[:2], HW, [filled(box) for box in far], ["cow"] * 2)


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
    with pytest.raises(ValueError, match="groups"):
        place_labels([(0, 0, 1, 1)], [(5, 5)], HW, groups=[])
    with pytest.raises(ValueError, match="finite"):
        place_labels([(0, float("inf"), 1, 1)], [(5, 5)], HW)
