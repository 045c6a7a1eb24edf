import numpy as np
import pytest

from gen import masks
from gen.predictions.perturb.box_region import BoxRegion
from gen.predictions.perturb.mask_region import MaskRegion
from gen.predictions.perturb.region import centre, size

FRAME = (120, 160)


def rectangle(x, y, w, h):
    mask = np.zeros(FRAME, np.uint8)
    mask[y : y + h, x : x + w] = 1
    return masks.encode(mask)


@pytest.fixture(params=[MaskRegion, BoxRegion], ids=["mask", "box"])
def kind(request):
    return request.param


def test_region_of_a_mask(kind):
    item = kind.of("cat", rectangle(30, 20, 40, 10))
    assert item.bounds == (30, 20, 70, 30)
    assert item.area == 400
    assert size(item) == 20
    assert centre(item) == (50, 25)
    assert kind.of("cat", masks.encode(np.zeros(FRAME, np.uint8))) is None


def test_moved_scaled_and_joined(kind):
    item = kind.of("cat", rectangle(30, 20, 40, 10))
    assert item.moved(5, -3).bounds == (35, 17, 75, 27)
    assert item.moved(120, 0).bounds == (150, 20, 160, 30)
    assert item.scaled(1.5, 2).bounds == (20, 15, 80, 35)
    assert item.scaled(-1, 1).bounds == item.bounds
    other = kind.of("dog", rectangle(80, 50, 10, 10))
    joined = item.joined(other)
    assert joined.label == "cat"
    assert joined.bounds == (30, 20, 90, 60)


def test_mirroring_turns_a_mask_round():
    mask = np.zeros(FRAME, np.uint8)
    mask[10:20, 10:15] = 1
    mask[18:20, 10:40] = 1
    item = MaskRegion.of("cat", masks.encode(mask)).scaled(-1, -1)
    expected = mask.copy()
    expected[10:20, 10:40] = mask[10:20, 10:40][::-1, ::-1]
    assert np.array_equal(masks.decode(item.prediction().rle), expected)


@pytest.mark.parametrize("turn", range(4))
def test_cut_takes_the_first_share_in_the_direction(kind, turn):
    item = kind.of("cat", rectangle(20, 20, 60, 60))
    angle = turn * np.pi / 2
    part, rest = item.cut(angle, 0.25, np.random.default_rng(turn))
    assert part.area == pytest.approx(900, rel=0.03)
    assert part.area + rest.area == 3600
    assert part.covered_by([rest]) == 0
    step = np.subtract(centre(rest), centre(part))
    assert step @ [np.cos(angle), np.sin(angle)] > 20


def test_covered_by_is_the_share_of_area(kind):
    item = kind.of("cat", rectangle(20, 20, 20, 20))
    assert item.covered_by([kind.of("cat", rectangle(30, 20, 20, 20))]) == 0.5
    assert item.covered_by([kind.of("cat", rectangle(40, 20, 20, 20))]) == 0
    assert item.covered_by([]) == 0
    assert item.covered_by([item, item]) == 1


@pytest.mark.parametrize(
    "spot", [(0, 0, 160, 120), (0, 0, 1, 1), (159, 119, 1, 1), (5, 0, 30, 1), (40, 40, 2, 2)]
)
def test_nothing_leaves_the_photo_or_vanishes(kind, spot):
    item = kind.of("cat", rectangle(*spot))
    rng = np.random.default_rng(1)
    results = [
        item.moved(500, 500),
        item.moved(-500, 3),
        item.scaled(0.001, 0.001),
        item.scaled(3, 3),
        *item.cut(0.3, 0.0, rng),
        *item.cut(0.3, 0.5, rng),
        *item.cut(0.3, 1.0, rng),
        item.roughened(50, rng),
        item.roughened(0.1, rng),
        item.settled(rng),
    ]
    for result in results:
        x1, y1, x2, y2 = result.bounds
        assert 0 <= x1 < x2 <= 160
        assert 0 <= y1 < y2 <= 120
        assert result.area >= 1 - 1e-9
        stored = result.prediction()
        if kind is MaskRegion:
            assert masks.area(stored.rle) == result.area


def test_settled_mask_is_the_same_object_but_not_the_same_pixels():
    rng = np.random.default_rng(2)
    truth = rectangle(30, 20, 60, 50)
    item = MaskRegion.of("cat", truth)
    copies = [item.settled(rng).prediction().rle for _ in range(20)]
    ious = masks.iou(copies, [truth])[:, 0]
    assert ious.min() > 0.95
    assert (ious < 1).mean() > 0.5
    assert len(set(copies)) > 2


def test_settled_mask_stays_at_the_edge_of_the_photo():
    item = MaskRegion.of("cat", rectangle(0, 0, 160, 120)).settled(np.random.default_rng(3))
    assert item.area == 160 * 120
    corner = MaskRegion.of("cat", rectangle(0, 0, 40, 120)).settled(np.random.default_rng(3))
    assert corner.bounds[:2] == (0, 0)
    assert corner.bounds[3] == 120


def test_settled_box_has_one_decimal_and_hardly_moves():
    rng = np.random.default_rng(4)
    item = BoxRegion.of("cat", rectangle(30, 20, 60, 50))
    stored = np.array([item.settled(rng).prediction().box for _ in range(50)])
    assert np.abs(stored - [30, 20, 90, 70]).max() <= 0.35
    assert np.allclose(stored, stored.round(1), atol=1e-12)
    assert (stored % 1 != 0).mean() > 0.5


def test_roughened_mask_has_no_islands_and_no_new_holes():
    rng = np.random.default_rng(5)
    item = MaskRegion.of("cat", rectangle(40, 30, 70, 60))
    for amplitude in (1, 4, 10):
        rings = masks.to_rings(item.roughened(amplitude, rng).prediction().rle)
        assert len(rings) == 1
        assert rings[0].holes == ()


def test_holes_outlive_every_change_of_a_mask():
    mask = np.zeros(FRAME, np.uint8)
    mask[20:80, 20:80] = 1
    mask[40:60, 40:60] = 0
    item = MaskRegion.of("cat", masks.encode(mask))
    rng = np.random.default_rng(6)
    for changed in (
        item.moved(9, 9),
        item.scaled(1.2, 0.9),
        item.settled(rng),
        item.roughened(2, rng),
    ):
        assert [len(part.holes) for part in masks.to_rings(changed.prediction().rle)] == [1]


def straightness(points):
    """How far, in pixels, the points stray from the straight line that fits them best."""
    spread = points - points.mean(axis=0)
    return float(np.linalg.svd(spread, compute_uv=False)[-1] / np.sqrt(len(points)))


@pytest.mark.parametrize("seed", range(8))
def test_masks_are_not_cut_along_a_straight_line(seed):
    item = MaskRegion.of("cat", rectangle(10, 10, 140, 100))
    part, rest = item.cut(0.3, 0.5, np.random.default_rng(seed))
    first, second = (masks.decode(one.prediction().rle) for one in (part, rest))
    border = np.argwhere((first[:, :-1] == 1) & (second[:, 1:] == 1)).astype(float)
    assert len(border) > 50
    assert straightness(border) > 2.5
    assert [len(masks.to_rings(mask)) for mask in (first, second)] == [1, 1]


def test_gap_is_taken_off_the_first_part_only(kind):
    item = kind.of("cat", rectangle(20, 20, 100, 60))
    part, rest = item.cut(0.0, 0.5, np.random.default_rng(1), 6.0)
    whole, same = item.cut(0.0, 0.5, np.random.default_rng(1))
    assert rest.outline == same.outline
    assert whole.area - part.area == pytest.approx(6 * 60, rel=0.35)
    slight, _ = item.cut(0.0, 0.02, np.random.default_rng(1), 50.0)
    assert slight.area >= 0.5 * 0.02 * item.area


def test_large_masks_are_cut_as_small_ones_are():
    mask = np.ones((900, 1400), np.uint8)
    item = MaskRegion.of("cat", masks.encode(mask))
    for share in (0.1, 0.5, 0.8):
        part, rest = item.cut(1.0, share, np.random.default_rng(2))
        assert part.area / item.area == pytest.approx(share, abs=0.01)
        assert part.area + rest.area == item.area


def test_strayed_objects_stay_at_the_border_that_cuts_them_off(kind):
    item = kind.of("cat", rectangle(0, 30, 50, 40))
    assert item.strayed(1, 1, 12, 5).bounds == (0, 35, 62, 75)
    assert item.strayed(0.5, 1, 0, 0).bounds[0] == 0
    free = kind.of("cat", rectangle(30, 30, 50, 40))
    assert free.strayed(1, 1, 12, 5).bounds == (42, 35, 92, 75)
    everything = kind.of("cat", rectangle(0, 0, 160, 120))
    assert everything.strayed(0.7, 0.8, 20, -30).bounds == everything.bounds


def test_outline_tells_regions_apart_but_not_their_labels(kind):
    item = kind.of("cat", rectangle(30, 20, 40, 10))
    assert item.outline == kind.of("dog", rectangle(30, 20, 40, 10)).outline
    assert item.outline != item.moved(1, 0).outline
    assert item.outline != kind.of("cat", rectangle(30, 20, 40, 11)).outline
    assert item.outline != item.roughened(3, np.random.default_rng(0)).outline
