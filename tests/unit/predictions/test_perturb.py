from functools import cache
from typing import get_args

import numpy as np
import pytest

from gen import masks
from gen.predictions.perturb import PERTURBATIONS, SEVERITIES
from gen.predictions.perturb.box_region import BoxRegion
from gen.predictions.perturb.mask_region import MaskRegion
from gen.predictions.perturb.region import centre, size
from gen.predictions.perturb.scene import Scene, order_of_victims, shares
from gen.schema import SyntheticPredictions

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


def test_settings_know_every_kind_of_error_and_no_other():
    literal = get_args(SyntheticPredictions.model_fields["error_types"].annotation)[0]
    assert get_args(literal) == tuple(PERTURBATIONS)


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


def test_missed_drops_whole_objects_and_part_of_one(kind):
    objects = row_of_discs(kind, 5)
    counts = [len(run("missed", objects, severity)) for severity in SEVERITIES]
    assert counts == [4, 4, 3, 2, 1]
    single = [run("missed", objects[:1], severity)[0].area for severity in SEVERITIES]
    expected = objects[0].area * np.array([0.8, 0.65, 0.5, 0.3, 0.1])
    assert single == pytest.approx(expected, rel=0.1)


def test_wrong_class_renames_and_leaves_other_classes_alone(kind):
    objects = [*row_of_discs(kind, 5), disc(kind, 150, 180, 30, "dog")]
    for severity, expected in zip(SEVERITIES, (1, 2, 3, 4, 5), strict=True):
        result = run("wrong_class", objects, severity, wrong={"cat": "fox"})
        assert [item.label for item in result].count("fox") == expected
        assert [item.label for item in result].count("dog") == 1
        assert len(result) == 6
    part, rest = sorted(
        run("wrong_class", objects[:1], 2, wrong={"cat": "fox"}),
        key=lambda item: item.label,
        reverse=True,
    )
    assert (part.label, rest.label) == ("fox", "cat")
    assert part.area / objects[0].area == pytest.approx(0.4, abs=0.05)


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
        assert len(added) == 5
        for item in added:
            assert item.label == "cat"
            assert item.covered_by([*objects, crowd]) < 0.03
            assert item.area >= 0.004 * FRAME[0] * FRAME[1]


def test_false_positive_needs_room(kind):
    everything = kind.of("cat", masks.encode(np.ones(FRAME, np.uint8)))
    assert run("background_false_positive", [everything], 5) == [everything]


def test_localisation_shifts_by_its_share_of_the_size(kind):
    objects = row_of_discs(kind, 5)
    for severity, share in zip(SEVERITIES, (0.06, 0.13, 0.22, 0.34, 0.5), strict=True):
        for before, after in zip(objects, run("localisation", objects, severity), strict=True):
            shift = np.hypot(*np.subtract(centre(after), centre(before)))
            assert shift == pytest.approx(share * size(before), abs=0.25 * share * size(before) + 1)


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
    (item,) = row_of_discs(kind, 1)
    for severity, pieces in zip(SEVERITIES, (2, 2, 3, 4, 5), strict=True):
        result = run("split", [item], severity)
        assert len(result) == pieces
        covered = sum(piece.area for piece in result) / item.area
        assert 0.65 < covered < 0.97
        for index, piece in enumerate(result):
            assert piece.covered_by(result[:index]) == 0


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
        assert len(masks.to_rings(added.prediction().rle)) == 1
