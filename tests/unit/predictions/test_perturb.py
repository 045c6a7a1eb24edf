from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import yaml

from gen import masks
from gen.predictions.perturb import PERTURBATIONS, SEVERITIES
from gen.predictions.perturb.box_region import BoxRegion
from gen.predictions.perturb.mask_region import MaskRegion
from gen.predictions.perturb.region import centre, size
from gen.predictions.perturb.scene import Scene, order_of_victims, shares

ROOT = Path(__file__).parents[3]
FRAME = (240, 320)


@pytest.fixture(params=[MaskRegion, BoxRegion], ids=["mask", "box"])
def kind(request):
    return request.param


@cache
def disc_rle(x, y, radius):
    rows, columns = np.mgrid[: FRAME[0], : FRAME[1]]
    return masks.encode((rows - y) ** 2 + (columns - x) ** 2 <= radius**2)


def disc(kind, x, y, radius, label="cat"):
    return kind.of(label, disc_rle(x, y, radius))


def row_of_discs(kind, count, label="cat"):
    return [disc(kind, 30 + 60 * i, 60, 20, label) for i in range(count)]


def run(error_type, objects, severity, seed=0, **scene):
    rng = np.random.default_rng([seed, severity])
    return PERTURBATIONS[error_type](objects, severity, rng, Scene(FRAME, **scene))


@pytest.mark.parametrize("name", ["instance_seg", "object_detection"])
def test_tasks_name_every_kind_of_error_and_no_other(name):
    record = yaml.safe_load((ROOT / f"conf/task/{name}.yaml").read_text())
    assert tuple(record["error_types"]) == tuple(PERTURBATIONS)


@pytest.mark.parametrize("error_type", PERTURBATIONS)
def test_input_is_not_changed_and_no_object_gives_no_object(kind, error_type):
    objects = row_of_discs(kind, 3)
    before = [item.prediction() for item in objects]
    run(error_type, objects, 5, wrong={"cat": "dog"})
    assert [item.prediction() for item in objects] == before
    assert run(error_type, [], 5) == []


def test_shares_split_an_amount():
    assert shares(0) == []
    assert shares(0.3) == [0.3]
    assert shares(2.5) == [1, 1, 0.5]
    assert shares(2.98) == [1, 1, 1]
    assert shares(3.0) == [1, 1, 1]


def test_every_object_can_be_a_victim_and_large_ones_are_sooner():
    objects = [disc(MaskRegion, 60, 60, 40), *[disc(MaskRegion, 200, 60, 8) for _ in range(3)]]
    rng = np.random.default_rng(0)
    orders = [order_of_victims(objects, rng) for _ in range(300)]
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders)
    first = np.bincount([order[0] for order in orders], minlength=4)
    assert first.min() > 0
    assert first[0] > 1.5 * first[1:].max()


def test_missed_drops_whole_objects_and_of_a_few_also_parts(kind):
    objects = [disc(kind, 20 + 38 * i, 60, 16) for i in range(8)]
    for severity, kept in zip(SEVERITIES, (6, 5, 4, 2, 1), strict=True):
        result = run("missed", objects, severity)
        assert len(result) == kept
        assert all(item in objects for item in result)
    single = [run("missed", objects[:1], severity)[0].area for severity in SEVERITIES]
    expected = objects[0].area * np.array([5, 4, 3, 2, 1]) / 6
    assert single == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("count", range(1, 12))
def test_missed_is_different_at_every_severity_and_never_all(kind, count):
    objects = [disc(kind, 15 + 26 * i, 60, 12) for i in range(count)]
    areas = [sum(item.area for item in run("missed", objects, s)) for s in (1, 2, 3, 4, 5)]
    assert all(a > b > 0 for a, b in pairwise(areas))


@pytest.mark.parametrize("count", range(1, 9))
def test_wrong_class_takes_whole_objects_only(kind, count):
    objects = [disc(kind, 20 + 38 * i, 60, 16) for i in range(count)]
    other = disc(kind, 150, 180, 30, "dog")
    wrong = []
    for severity in SEVERITIES:
        result = run("wrong_class", [*objects, other], severity, wrong={"cat": "fox"})
        assert [item for item in result if item.label == "dog"] == [other]
        foxes = [item for item in result if item.label == "fox"]
        cats = [item for item in result if item.label == "cat"]
        assert all(item in objects for item in cats)
        assert all(item.area > 0.6 * objects[0].area for item in foxes)
        assert len(foxes) + len(cats) - count in ((0, 1) if count < 5 else (0,))
        wrong.append((count - len(cats)) * 2 + len(foxes) + len(cats) - count)
    assert wrong == [
        max(1, 2 * count * s // 5) if count < 5 else 2 * (count * s // 5) for s in SEVERITIES
    ]


def test_second_name_is_smaller_and_lies_on_its_object(kind):
    item = disc(kind, 100, 100, 40)
    for seed in range(10):
        _, second = run("wrong_class", [item], 1, seed, wrong={"cat": "fox"})
        assert second.label == "fox"
        assert 0.6 < second.area / item.area < 0.9
        assert second.covered_by([item]) > 0.93


def test_duplicates_lie_on_their_objects(kind):
    objects = row_of_discs(kind, 3)
    for severity in SEVERITIES:
        result = run("duplicate", objects, severity)
        assert len(result) == 3 + max(severity, round(0.2 * severity * 3))
        for copy in result[3:]:
            shifts = [np.hypot(*np.subtract(centre(copy), centre(item))) for item in objects]
            assert 1 <= min(shifts) <= 0.2 * size(objects[0])


def test_false_positives_lie_off_the_true_and_crowd_regions(kind):
    objects = row_of_discs(kind, 3)
    crowd = disc(kind, 80, 190, 40)
    other = disc(kind, 250, 180, 30, "dog")
    for seed in range(10):
        result = run("background_false_positive", objects, 5, seed, others=(other,), crowd=(crowd,))
        added = result[3:]
        assert 3 <= len(added) <= 5
        for item in added:
            assert item.label == "cat"
            assert item.covered_by([*objects, crowd]) < 0.03
            assert item.area >= 0.001 * FRAME[0] * FRAME[1]


def test_false_positives_are_like_the_true_objects_near_their_height(kind):
    far = [disc(kind, 30 + 60 * i, 40, 12) for i in range(5)]
    near = [disc(kind, 60 + 200 * i, 200, 32) for i in range(2)]
    kite = disc(kind, 300, 8, 7, "kite")
    high, low = [], []
    for seed in range(40):
        for item in run("background_false_positive", far + near, 3, seed, others=(kite,))[7:]:
            (high if centre(item)[1] < 100 else low).append(size(item))
    assert len(high) > 15 < len(low)
    assert np.median(low) > 1.5 * np.median(high)
    assert max(high) < size(near[0])


def test_false_positives_keep_to_the_height_of_their_class(kind):
    objects = [disc(kind, 60 + 90 * i, 190, 20) for i in range(2)]
    kite = disc(kind, 300, 20, 12, "kite")
    for seed in range(20):
        for item in run("background_false_positive", objects, 2, seed, others=(kite,))[2:]:
            assert centre(item)[1] > 120


def test_false_positives_have_the_shape_of_their_own_class():
    cat = disc(MaskRegion, 60, 100, 25)
    mask = np.zeros(FRAME, np.uint8)
    mask[90:130, 200:260] = 1
    mask[95:125, 205:255] = 0
    frame = MaskRegion.of("frame", masks.encode(mask))
    for seed in range(20):
        (added,) = run("background_false_positive", [cat], 1, seed, others=(frame,))[1:]
        x1, y1, x2, y2 = added.bounds
        assert added.area > 0.6 * (x2 - x1) * (y2 - y1)


def test_false_positive_needs_room(kind):
    everything = kind.of("cat", masks.encode(np.ones(FRAME, np.uint8)))
    assert run("background_false_positive", [everything], 5) == [everything]


def test_localisation_shifts_by_its_share_of_the_size(kind):
    objects = row_of_discs(kind, 5)
    for severity, share in zip(SEVERITIES, (0.06, 0.13, 0.22, 0.34, 0.5), strict=True):
        for before, after in zip(objects, run("localisation", objects, severity), strict=True):
            shift = np.hypot(*np.subtract(centre(after), centre(before)))
            assert shift == pytest.approx(share * size(before), abs=0.25 * share * size(before) + 1)


def test_localisation_does_not_push_objects_out_of_the_photo(kind):
    corner = disc(kind, 22, 22, 20)
    for seed in range(40):
        (after,) = run("localisation", [corner], 5, seed)
        assert after.area > 0.75 * np.exp(-0.4) * corner.area


def test_localisation_bares_no_straight_edge_at_the_border_of_the_photo(kind):
    mask = np.zeros(FRAME, np.uint8)
    mask[40:200, :150] = 1
    item = kind.of("cat", masks.encode(mask))
    for seed in range(20):
        for error_type in ("localisation", "duplicate"):
            for after in run(error_type, [item], 4, seed):
                assert after.bounds[0] == 0


@pytest.mark.parametrize("error_type", sorted(set(PERTURBATIONS) - {"ragged_boundary"}))
def test_greater_severity_is_the_same_error_and_more(kind, error_type):
    """With one stream of numbers: the share of the truth that is still there only falls."""
    objects = [disc(kind, 20 + 38 * i, 60 + 40 * (i % 3), 14 + i) for i in range(7)]
    made = []
    for severity in SEVERITIES:
        scene, rng = Scene(FRAME, wrong={"cat": "dog"}), np.random.default_rng(4)
        result = PERTURBATIONS[error_type](objects, severity, rng, scene)
        made.append([(item.label, item.outline) for item in result])
    if error_type in ("duplicate", "background_false_positive"):
        assert all(more[: len(less)] == less for less, more in pairwise(made))
    else:
        whole = [sum((item.label, item.outline) in result for item in objects) for result in made]
        assert whole == sorted(whole, reverse=True)


def test_merged_takes_the_near_part_of_the_nearest_object(kind):
    left, right = disc(kind, 100, 100, 25), disc(kind, 155, 100, 24)
    rest_area = []
    for severity in (1, 2, 3, 4):
        result = sorted(run("merged", [left, right], severity), key=lambda item: -item.area)
        assert len(result) == 2
        assert result[0].bounds[2] - result[0].bounds[0] > 55
        rest_area.append(result[1].area)
    assert rest_area == sorted(rest_area, reverse=True)
    (whole,) = run("merged", [left, right], 5)
    assert whole.bounds == left.joined(right).bounds


def test_merged_single_object_takes_a_neighbour_of_another_class(kind):
    cat, dog = disc(kind, 100, 100, 25), disc(kind, 155, 100, 25, "dog")
    (result,) = run("merged", [cat], 5, others=(dog,))
    assert result.label == "cat"
    assert result.covered_by([dog]) > 0.3
    both = sorted(run("merged", [cat, dog], 5), key=lambda item: item.area)
    assert both[0] in (cat, dog)
    assert both[1].covered_by([both[0]]) > 0.3


def test_merged_lonely_object_takes_background(kind):
    areas = [run("merged", [disc(kind, 100, 100, 25)], severity)[0].area for severity in SEVERITIES]
    assert areas == sorted(areas)
    assert areas[-1] > 1.7 * areas[0] / 1.2


def test_split_leaves_gaps_and_loses_little(kind):
    item = disc(kind, 100, 100, 30)
    for severity, pieces in zip(SEVERITIES, (2, 2, 3, 4, 5), strict=True):
        result = run("split", [item], severity)
        assert len(result) == pieces
        covered = sum(piece.area for piece in result) / item.area
        assert 0.65 < covered < 0.98
        for index, piece in enumerate(result):
            assert piece.covered_by(result[:index]) == 0


@pytest.mark.parametrize("radius", [4, 7, 9, 12, 15, 19])
def test_split_makes_no_crumbs(kind, radius):
    item = disc(kind, 100, 100, radius)
    largest = []
    for severity in SEVERITIES:
        result = run("split", [item], severity)
        if item.area < 400:
            assert result == [item]
            continue
        assert len(result) > 1
        assert min(piece.area for piece in result) > 100
        largest.append(max(piece.area for piece in result))
    assert all(later < 1.2 * sooner for sooner, later in pairwise(largest))


def test_ragged_boundary_keeps_number_and_place(kind):
    objects = row_of_discs(kind, 4)
    for severity in SEVERITIES:
        result = run("ragged_boundary", objects, severity)
        assert len(result) == 4
        for before, after in zip(objects, result, strict=True):
            assert np.hypot(*np.subtract(centre(after), centre(before))) < size(before)
            assert after.prediction() != before.prediction()


@pytest.mark.parametrize("error_type", PERTURBATIONS)
@pytest.mark.parametrize(
    "spots",
    [[(5, 5, 1, 1)], [(0, 0, 320, 240)], [(0, 0, 1, 240)], [(319, 239, 1, 1), (3, 3, 2, 1)]],
)
def test_hostile_shapes_give_objects_within_the_photo(kind, error_type, spots):
    objects = []
    for x, y, w, h in spots:
        mask = np.zeros(FRAME, np.uint8)
        mask[y : y + h, x : x + w] = 1
        objects.append(kind.of("cat", masks.encode(mask)))
    for severity in SEVERITIES:
        result = run(error_type, objects, severity, wrong={"cat": "dog"})
        assert result
        for item in result:
            x1, y1, x2, y2 = item.bounds
            assert 0 <= x1 < x2 <= 320
            assert 0 <= y1 < y2 <= 240


@pytest.mark.parametrize("error_type", PERTURBATIONS)
def test_five_hundred_objects(kind, error_type):
    objects = [disc(kind, 8 + 16 * (i % 20), 5 + 9 * (i // 20), 5) for i in range(500)]
    result = run(error_type, objects, 5, wrong={"cat": "dog"})
    assert len(result) >= 50


def test_false_positive_lies_on_another_class_where_the_classes_fill_the_photo(kind):
    table = kind.of("table", masks.encode(np.ones(FRAME, np.uint8)))
    cup = disc(kind, 100, 100, 30, "cup")
    added = [run("background_false_positive", [table, cup], 1, seed)[2:] for seed in range(10)]
    assert {item.label for items in added for item in items} == {"cup"}
    assert all(item.covered_by([cup]) < 0.03 for items in added for item in items)


def test_thin_and_scattered_shapes_are_not_borrowed():
    compact = disc(MaskRegion, 60, 60, 30)
    dust = np.zeros(FRAME, np.uint8)
    dust[100:200:9, 150:300:9] = 1
    other = MaskRegion.of("dust", masks.encode(dust))
    for seed in range(10):
        (added,) = run("background_false_positive", [compact], 1, seed, others=(other,))[1:]
        assert len(masks.to_rings(added.prediction().rle)) <= 3
