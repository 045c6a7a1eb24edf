from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest
from pycocotools import mask as coco_mask

from gen import masks
from gen.predictions.metrics.referring import referring_score
from gen.predictions.perturb.mask_region import MaskRegion
from gen.predictions.perturb.referring import PERTURBATIONS
from gen.predictions.synthetic import referring
from gen.schema import CocoData
from gen.sources.open import open_source
from gen.sources.records import Instance, Photo, Referring, Truth

KINDS = tuple(PERTURBATIONS)
HW = (240, 320)


class OnePhoto:
    """A source of which only the truth of one photo is asked for."""

    def __init__(self, truth):
        self._truth = truth

    def truth(self, image_id):
        return self._truth


@pytest.fixture(scope="module")
def referring_task(task):
    return task.model_copy(update={"name": "referring_seg", "family": "referring"})


@pytest.fixture(scope="module")
def kinds(settings):
    return settings.model_copy(update={"error_types": KINDS})


def disc(x, y, radius, hw=HW):
    mask = np.zeros(hw, np.uint8)
    cv2.circle(mask, (x, y), radius, 1, -1)
    return masks.encode(mask)


def truth_of(references, instances=()):
    photo = Photo("7", None, HW[1], HW[0], "", "", "", "")
    return Truth(
        photo,
        tuple(Instance(str(i), name, rle, False) for i, (name, rle) in enumerate(instances)),
        (),
        tuple(Referring(str(i), *reference) for i, reference in enumerate(references)),
    )


LEFT, RIGHT, LOW = disc(90, 100, 40), disc(200, 110, 35), disc(150, 200, 25)
CATS = truth_of(
    [(LEFT, "cat", ("the left cat", "a cat on the left")), (RIGHT, "cat", ("the right cat",))],
    [("cat", LEFT), ("cat", RIGHT), ("dog", LOW)],
)


def made(truth, task, settings, seed=42):
    return list(referring.annotations(OnePhoto(truth), "7", task, settings, seed))


def test_score_is_ten_times_the_iou_of_pycocotools():
    rng = np.random.default_rng(0)
    for _ in range(50):
        a, b = (
            disc(*(int(v) for v in rng.integers(40, 200, 2)), int(rng.integers(5, 60)))
            for _ in range(2)
        )
        coded = [{"size": list(one.size), "counts": one.counts.encode()} for one in (a, b)]
        iou = float(coco_mask.iou(coded[:1], coded[1:], [0])[0, 0])
        score, metrics = referring_score(a, b)
        assert metrics["iou"] == pytest.approx(iou, abs=1e-6)
        assert score == pytest.approx(10 * iou, abs=1e-6)


def test_scores_at_the_ends():
    empty = masks.encode(np.zeros(HW, np.uint8))
    assert referring_score(LEFT, LEFT)[0] == 10.0
    assert referring_score(empty, LEFT)[0] == 0.0
    assert referring_score(LOW, LEFT)[0] == 0.0
    assert referring_score(empty, empty) == (10.0, {"iou": 1.0})
    with pytest.raises(ValueError, match="size"):
        referring_score(disc(9, 9, 3, (20, 20)), LEFT)


def test_records(referring_task, kinds):
    for one in made(CATS, referring_task, kinds):
        (mask,) = one.prediction
        assert one.class_of_interest is None
        assert one.prompt == mask.label
        target = RIGHT if one.prompt == "the right cat" else LEFT
        assert one.final_score == pytest.approx(referring_score(mask.rle, target)[0], abs=1e-6)
        assert one.final_score == pytest.approx(10 * one.metrics["iou"], abs=1e-5)


def test_all_severities_of_a_group_fall(referring_task, kinds):
    groups = defaultdict(list)
    for one in made(CATS, referring_task, kinds):
        groups[one.prompt, one.error_type].append(one)
    assert {kind for _, kind in groups} == set(KINDS)
    for group in groups.values():
        assert [one.severity for one in group] == [0, 1, 2, 3, 4, 5]
        assert all(a.final_score - b.final_score > 0.1 for a, b in pairwise(group))
    ids = {one.annotation_id for group in groups.values() for one in group}
    assert len(ids) == sum(map(len, groups.values()))


@pytest.mark.slow
def test_mean_score_falls_on_real_references(shared_data, referring_task, kinds):
    scores = defaultdict(list)
    source = open_source(coco(shared_data))
    for photo in source.photos():
        for one in referring.annotations(source, photo.image_id, referring_task, kinds, 42):
            scores[one.error_type, one.severity].append(one.final_score)
    for kind in KINDS:
        assert len(scores[kind, 5]) >= 20
        means = [float(np.mean(scores[kind, severity])) for severity in range(6)]
        assert all(a - b > 0.3 for a, b in pairwise(means)), (kind, means)
        assert means[0] > 9.6


def coco(folder):
    return CocoData(
        name="coco",
        root=str(folder / "coco"),
        images=("images",),
        instances=("annotations/instances.json",),
        keypoints=(),
        captions=(),
        panoptic=("../panoptic/panoptic.json",),
        panoptic_masks=("../panoptic/masks*",),
        referring=("../refcoco/refs.json",),
        licenses=(),
        download=False,
        cache_dir="none",
        download_timeout=1.0,
        download_retries=0,
    )


def test_a_wrong_instance_is_one_of_the_same_class_if_there_is_any(referring_task, kinds):
    def last(truth):
        found = [
            one
            for one in made(truth, referring_task, kinds)
            if one.error_type == "wrong_instance" and one.severity == 5
        ]
        return {one.prompt: one.prediction[0].rle for one in found}

    def same(a, b):
        return masks.iou([a], [b])[0, 0] > 0.9

    (left,) = (rle for prompt, rle in last(CATS).items() if "left" in prompt)
    assert same(left, RIGHT)
    alone = truth_of([(LEFT, "cat", ("the cat",))], [("cat", LEFT), ("dog", LOW)])
    assert same(last(alone)["the cat"], LOW)
    assert last(truth_of([(LEFT, "cat", ("the cat",))], [("cat", LEFT)])) == {}


def test_no_mask_is_the_truth_to_the_pixel_by_rule(referring_task, kinds):
    slanted = np.zeros(HW, np.uint8)
    cv2.fillPoly(slanted, [np.array([[40, 40], [160, 70], [120, 180], [60, 150]])], 1)
    truth = truth_of([(masks.encode(slanted), "kite", ("the kite",))])
    for seed in range(5):
        (mask,) = made(truth, referring_task, kinds, seed)[0].prediction
        assert mask.rle != truth.referring[0].rle


def test_kinds_take_the_expressions_in_turn(referring_task, kinds):
    words = tuple(f"the cat, told in {n} words" for n in range(4))
    groups = {
        (one.error_type, one.prompt)
        for one in made(truth_of([(LEFT, "cat", words)], [("cat", RIGHT)]), referring_task, kinds)
    }
    assert len(groups) == 4
    assert {prompt for _, prompt in groups} == set(words)


def test_references_to_one_object_are_one_and_ambiguous_words_are_none():
    truth = truth_of(
        [
            (LEFT, "cat", ("The left cat", "the cat", "the  left cat.")),
            (RIGHT, "cat", ("the right cat", "The cat.")),
            (disc(91, 100, 40), "cat", ("the left CAT", "the grey cat")),
            (LOW, "dog", ("", " . ")),
        ]
    )
    found = referring.targets(truth)
    assert [one.expressions for one in found] == [
        ("The left cat", "the grey cat"),
        ("the right cat",),
    ]


def test_an_object_without_words_of_its_own_has_no_group(referring_task, kinds):
    truth = truth_of([(LEFT, "cat", ("the cat",)), (RIGHT, "cat", ("the cat",))])
    assert made(truth, referring_task, kinds) == []


def test_equal_arguments_give_equal_predictions(referring_task, kinds):
    first, again, other = (made(CATS, referring_task, kinds, seed) for seed in (1, 1, 2))
    assert first == again
    assert [one.prediction for one in first] != [one.prediction for one in other]
    alone = kinds.model_copy(update={"error_types": ("leak",)})
    assert [one for one in first if one.error_type == "leak"] == made(
        CATS, referring_task, alone, 1
    )


@pytest.mark.parametrize("kind", KINDS)
def test_extreme_masks(kind):
    whole = MaskRegion.of("all", masks.encode(np.ones((40, 60), np.uint8)))
    speck = MaskRegion.of("dot", disc(59, 39, 0, (40, 60)))
    line = np.zeros((40, 60), np.uint8)
    line[20] = 1
    thin = MaskRegion.of("line", masks.encode(line))
    for target in (whole, speck, thin):
        others = [one for one in (whole, speck, thin) if one is not target]
        for severity in range(1, 6):
            rng = np.random.default_rng(1)
            result = PERTURBATIONS[kind](target, severity, rng, [], others)
            if result is not None:
                assert result.label == target.label
                assert result.area > 0


def test_a_leak_goes_on_into_the_neighbour_and_keeps_the_object():
    target = MaskRegion.of("cat", disc(120, 120, 40))
    beside = MaskRegion.of("dog", disc(195, 120, 36))
    shares = []
    before = target
    for severity in range(1, 6):
        leaked = PERTURBATIONS["leak"](target, severity, np.random.default_rng(3), [], [beside])
        assert before.covered_by([leaked]) == 1.0
        added = leaked.area - target.area
        inside = leaked.covered_by([beside]) * leaked.area - target.covered_by([beside])
        shares.append(inside / added)
        before = leaked
    # Of a disc that spreads alike on all sides, it would be 0.5 to 0.7.
    assert min(shares[1:4]) > 0.75


def test_a_crowd_is_not_taken_for_the_object(referring_task, kinds):
    crowd = replace(truth_of([], [("cat", RIGHT)]).instances[0], crowd=True)
    truth = replace(truth_of([(LEFT, "cat", ("the cat",))]), instances=(crowd,))
    assert {one.error_type for one in made(truth, referring_task, kinds)} == set(KINDS) - {
        "wrong_instance"
    }
