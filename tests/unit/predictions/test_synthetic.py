import json
import os
import subprocess
import sys
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from gen import masks
from gen.predictions.groups import Group, class_groups, with_mistakes
from gen.predictions.metrics.objects import box_score, instance_score
from gen.predictions.perturb import PERTURBATIONS
from gen.predictions.synthetic.objects import BOXES, MASKS, perturbed
from gen.sources.records import Instance

CLASSES = {"cat": "animal", "dog": "animal", "fox": "animal", "tree": "plant", "kiwi": ""}


def as_text(made):
    return json.dumps(
        [
            [a.annotation_id, a.class_of_interest, a.error_type, a.severity, a.final_score,
             dict(a.metrics), [item.to_json() for item in a.prediction]]
            for a in made
        ]
    )  # fmt: skip


def mean_scores(truths, settings, form):
    scores = defaultdict(list)
    for truth in truths:
        for made in perturbed(truth, CLASSES, "any", settings, 42, form):
            scores[made.error_type, made.severity].append(made.final_score)
    return {
        error_type: [float(np.mean(scores[error_type, severity])) for severity in range(6)]
        for error_type in settings.error_types
    }


def assert_falling(means):
    for error_type, values in means.items():
        assert all(a - b > 0.1 for a, b in pairwise(values)), (
            error_type,
            values,
        )
        assert values[0] > 9.6


@pytest.mark.parametrize("form", [MASKS, BOXES], ids=["masks", "boxes"])
def test_mean_score_falls_with_severity_on_drawn_shapes(drawn_truths, settings, form):
    assert sum(len(truth.instances) for truth in drawn_truths) >= 50
    assert_falling(mean_scores(drawn_truths, settings, form))


@pytest.mark.slow
@pytest.mark.parametrize("form", [MASKS, BOXES], ids=["masks", "boxes"])
def test_mean_score_falls_with_severity_on_real_objects(coco_truths, settings, form):
    truths = coco_truths[:4]
    assert sum(len(truth.instances) for truth in truths) >= 50
    assert_falling(mean_scores(truths, settings, form))


@pytest.mark.slow
@pytest.mark.parametrize("form", [MASKS, BOXES], ids=["masks", "boxes"])
def test_mean_score_falls_also_where_a_class_has_few_objects(coco_truths, settings, form):
    made = [
        (item.error_type, item.severity, item.metrics["true"], item.final_score)
        for truth in coco_truths
        for item in perturbed(truth, CLASSES, "any", settings, 42, form)
    ]
    for most in (1, 2, 1000):
        scores = defaultdict(list)
        for error_type, severity, true, score in made:
            if true <= most:
                scores[error_type, severity].append(score)
        assert_falling(
            {
                kind: [float(np.mean(scores[key])) for key in sorted(scores) if key[0] == kind]
                for kind in settings.error_types
            }
        )
    assert {key[1] for key in scores if key[0] != "wrong_class"} == {0, 1, 2, 3, 4, 5}


def test_groups_of_one_photo_have_all_severities_apart(drawn_truths, task, settings):
    made = list(perturbed(drawn_truths[6], CLASSES, task.name, settings, 42, MASKS))
    groups = defaultdict(list)
    for item in made:
        groups[item.class_of_interest, item.error_type].append(item)
    kinds = {error_type for _, error_type in groups}
    assert kinds == set(PERTURBATIONS)
    for (_, error_type), group in groups.items():
        assert [item.severity for item in group] == [0, 1, 2, 3, 4, 5]
        scores = [item.final_score for item in group]
        assert len(set(scores)) == 6
        if error_type not in ("merged", "ragged_boundary"):
            assert scores == sorted(scores, reverse=True)
    assert len({item.annotation_id for item in made}) == len(made)


def test_a_single_object_has_a_second_name_before_it_loses_its_own(drawn_truths, task, settings):
    truth = drawn_truths[0]
    assert len(truth.instances) == 1
    made = list(perturbed(truth, CLASSES, task.name, settings, 42, MASKS))
    made = [one for one in made if one.error_type == "wrong_class"]
    labels = {one.severity: sorted(item.label for item in one.prediction) for one in made}
    assert labels == {0: ["cat"], 1: ["cat", "dog"], 5: ["dog"]}


@pytest.mark.slow
def test_a_wrong_name_is_one_of_the_data_set(coco_truths, task, settings):
    for classes in ({"person": "person", "bench": "outdoor"}, CLASSES):
        for truth in coco_truths[:12]:
            known = {*classes, *(item.category for item in truth.instances)}
            for made in list(perturbed(truth, classes, task.name, settings, 42, MASKS)):
                assert set(made.class_of_interest) <= known


def test_scores_are_those_of_the_stored_prediction(drawn_truths, settings):
    truth = drawn_truths[6]
    for form, score in ((MASKS, instance_score), (BOXES, box_score)):
        for made in perturbed(truth, CLASSES, "any", settings, 1, form):
            true = [
                form.prediction(form.region(item.category, item.rle))
                for item in truth.instances
                if item.category in made.class_of_interest
            ]
            assert made.final_score == pytest.approx(score(made.prediction, true)[0], abs=1e-6)
            assert {item.label for item in made.prediction} <= set(made.class_of_interest)


def test_equal_arguments_give_equal_predictions_and_seeds_differ(drawn_truths, task, settings):
    first, again, other = (
        list(perturbed(drawn_truths[4], CLASSES, task.name, settings, seed, MASKS))
        for seed in (1, 1, 2)
    )
    assert as_text(first) == as_text(again)
    same = [a.prediction == b.prediction for a, b in zip(first, other, strict=False)]
    assert np.mean(same) < 0.05


def test_one_kind_of_error_does_not_depend_on_the_others(drawn_truths, task, settings):
    alone = settings.model_copy(update={"error_types": ("split",)})
    whole = [
        item
        for item in list(perturbed(drawn_truths[4], CLASSES, task.name, settings, 1, MASKS))
        if item.error_type == "split"
    ]
    assert as_text(
        list(perturbed(drawn_truths[4], CLASSES, task.name, alone, 1, MASKS))
    ) == as_text(whole)


def test_hash_seed_does_not_matter():
    code = (
        "from gen.predictions.groups import *\n"
        "g = [Group(('cat',)), Group(('bird', 'cat', 'cup', 'dog'))]\n"
        "areas = {'dog': 9.0, 'cat': 9.0, 'bird': 8.0, 'cup': 7.0}\n"
        "kinds = {'fox': 'animal', 'bear': 'animal', 'cat': 'animal', 'vase': ''}\n"
        "lines = [['cat', 'dog', 'fox', 'bear'], ['cup', 'vase', 'bowl']]\n"
        "print(with_mistakes(g, areas, kinds, lines, 3, 'x'))\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(answers) == 1


def test_severity_0_is_the_same_for_all_kinds_and_never_the_truth_itself(
    drawn_truths, task, settings
):
    truth = drawn_truths[6]
    perfect = defaultdict(set)
    for made in list(perturbed(truth, CLASSES, task.name, settings, 1, MASKS)):
        if made.severity == 0:
            perfect[made.class_of_interest].add(made.prediction)
    assert all(len(predictions) == 1 for predictions in perfect.values())
    true = {item.rle for item in truth.instances}
    drawn = [item.rle for group in perfect.values() for made in group for item in made]
    assert np.mean([rle in true for rle in drawn]) < 0.2


def test_order_of_objects_is_that_of_place(drawn_truths, task, settings):
    for made in list(perturbed(drawn_truths[7], CLASSES, task.name, settings, 1, MASKS)):
        corners = [masks.box(item.rle)[1::-1] for item in made.prediction]
        assert corners == sorted(corners)


def test_ids_and_source_tell_nothing(drawn_truths, task, settings):
    made = list(perturbed(drawn_truths[0], CLASSES, task.name, settings, 1, MASKS))
    assert {item.source for item in made} == {"synthetic"}
    assert all(len(item.annotation_id) == 16 for item in made)


def test_crowd_regions_are_not_predicted(drawn_truths, task, settings):
    truth = drawn_truths[3]
    corner = np.zeros((240, 320), np.uint8)
    corner[:60, :60] = 1
    crowd = Instance("crowd", truth.instances[0].category, masks.encode(corner), True)
    with_crowd = replace(truth, instances=(*truth.instances, crowd))
    plain = [
        a for a in list(perturbed(truth, CLASSES, task.name, settings, 1, MASKS)) if a.severity == 0
    ]
    made = [
        a
        for a in list(perturbed(with_crowd, CLASSES, task.name, settings, 1, MASKS))
        if a.severity == 0
    ]
    assert [a.prediction for a in made] == [a.prediction for a in plain]
    assert [a.final_score for a in made] == [a.final_score for a in plain]
    only = replace(truth, instances=(crowd,))
    assert list(perturbed(only, CLASSES, task.name, settings, 1, MASKS)) == []


@pytest.mark.parametrize("region", [None, (0, 0, 320, 240), (7, 7, 1, 1)])
def test_hostile_photos(drawn_truths, task, settings, region):
    mask = np.zeros((240, 320), np.uint8)
    if region:
        x, y, w, h = region
        mask[y : y + h, x : x + w] = 1
    truth = replace(drawn_truths[0], instances=(Instance("1", "cat", masks.encode(mask), False),))
    lenient = settings.model_copy(update={"min_area": 0.0})
    made = list(perturbed(truth, CLASSES, task.name, lenient, 1, MASKS))
    assert bool(made) == bool(region)
    for group in {(a.class_of_interest, a.error_type) for a in made}:
        predictions = [a.prediction for a in made if (a.class_of_interest, a.error_type) == group]
        assert len(set(predictions)) == len(predictions)
    for item in (item for a in made for item in a.prediction):
        assert masks.area(item.rle) > 0
        assert item.rle.size == (240, 320)


def test_class_groups(settings):
    largest = {"cat": 900.0, "dog": 5000.0, "ant": 20.0, "cup": 401.0, "car": 999.0, "bed": 800.0}
    total = {**largest, "cup": 9000.0}
    groups = class_groups(largest, total, settings)
    assert groups == [
        *[Group((name,)) for name in ("bed", "car", "cat", "cup", "dog")],
        Group(("car", "cat", "cup", "dog")),
    ]
    together = settings.model_copy(update={"classes": ("all",)})
    assert class_groups({"cat": 900.0}, {"cat": 900.0}, together) == [Group(("cat",))]
    assert class_groups({"cat": 900.0}, {"cat": 900.0}, settings) == [Group(("cat",))]


LINES = [["cat", "dog", "fox"], ["cup", "vase"]]
KINDS = {
    "cat": "animal",
    "dog": "animal",
    "cow": "animal",
    "cup": "",
    "kiwi": "food",
    "fig": "food",
}


def mistakes(groups, areas, categories=KINDS, seed=3):
    made = with_mistakes([Group(one) for one in groups], areas, categories, LINES, seed, "photo")
    return [(group.classes, dict(group.wrong)) for group in made]


def test_a_class_is_mistaken_for_a_lookalike_first_one_on_the_photo():
    equal = dict.fromkeys(["cat", "cup", "dog"], 900.0)
    assert mistakes([("cat",)], equal) == [(("cat", "dog"), {"cat": "dog"})]
    assert mistakes([("cat",)], {"cat": 900.0, "cup": 900.0}) == [(("cat", "dog"), {"cat": "dog"})]
    assert mistakes([("cat",), ("dog",), ("cat", "dog")], equal) == [
        (("cat", "dog"), {"cat": "dog", "dog": "cat"})
    ]
    ((_, wrong),) = mistakes([("cat", "cup", "dog")], {**equal, "fox": 900.0})
    assert wrong["cat"] == "dog"
    assert wrong["cup"] in {"cat", "dog"}


def test_without_a_lookalike_like_size_comes_before_kind_and_both_before_the_rest():
    def wrong(areas, categories=KINDS):
        return {
            made["kiwi"]
            for seed in range(20)
            for _, made in mistakes([("kiwi",)], areas, categories, seed)
        }

    assert wrong({"kiwi": 900.0, "cup": 1000.0, "cow": 9000.0}) == {"cup"}
    assert wrong({"kiwi": 900.0, "cow": 9000.0}) == {"fig"}
    assert wrong({"kiwi": 900.0, "cow": 9000.0}, {"kiwi": "", "fig": ""}) == {"cow"}
    assert wrong({"kiwi": 900.0}, {"kiwi": "", "fig": "", "cup": ""}) == {"fig", "cup"}
    assert mistakes([("kiwi",)], {"kiwi": 900.0}, {"kiwi": "food"}) == [(("kiwi",), {})]


def test_lines_of_lookalikes_name_two_classes_or_more_each_once(settings):
    assert all(len(set(line)) == len(line) > 1 for line in settings.lookalikes)
