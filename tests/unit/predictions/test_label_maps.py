import dataclasses
import time
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml

from gen import masks
from gen.predictions.metrics.semantic import confusion_matrix, semantic_score
from gen.predictions.perturb import label_map
from gen.predictions.perturb.semantic import LABEL_ERRORS
from gen.predictions.synthetic.semantic import perturbed
from gen.schema import Ade20kData, CocoData, SyntheticPredictions
from gen.sources.open import open_source
from gen.sources.records import Semantic

ROOT = Path(__file__).parents[3]
KINDS = ("class_swap", "boundary", "lost_region", "leak")


@pytest.fixture(scope="module")
def label_settings():
    record = yaml.safe_load((ROOT / "conf/predictions/synthetic.yaml").read_text())
    return SyntheticPredictions.model_validate(record | {"error_types": KINDS})


def drawn(seed=0, size=(240, 320), classes=("cat", "dog", "grass", "sky")):
    """A photo with a ground of two classes, lobed things on it, and a corner that is not told."""
    rng = np.random.default_rng(seed)
    height, width = size
    ids = np.full(size, 4, np.uint8)
    ids[height // 2 :] = 3
    for turn in range(5):
        centre = tuple(int(v) for v in rng.uniform((0, 0), (width, height)))
        axes = tuple(int(v) for v in rng.uniform(0.05, 0.15, 2) * width + 2)
        cv2.ellipse(ids, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1 + turn % 2, -1)
    ids[: height // 6, : width // 6] = 0
    return Semantic(tuple(classes), ids)


def as_map(annotation, names):
    """The label map of a stored prediction; every pixel has just one class."""
    height, width = annotation.prediction[0].rle.size
    labels = np.zeros((height, width), np.uint16)
    covered = np.zeros((height, width), np.uint16)
    for part in annotation.prediction:
        mask = masks.decode(part.rle)
        covered += mask
        labels[mask != 0] = names.index(part.label) + 1
    assert (covered == 1).all()
    return labels


def reference(predicted, truth, count):
    """Mean IoU over the classes in either map, class by class, on pixels that are told."""
    told = truth != 0
    ious = []
    for number in range(1, count + 1):
        own, true = (predicted == number) & told, (truth == number) & told
        if own.any() or true.any():
            ious.append((own & true).sum() / (own | true).sum())
    return 10 * np.mean(ious), (predicted == truth)[told].mean(), len(ious)


def test_score_is_the_mean_iou_of_a_plain_count():
    rng = np.random.default_rng(3)
    for count in (1, 4, 300):
        dtype = np.uint8 if count < 256 else np.uint16
        truth = rng.integers(0, count + 1, (40, 50)).astype(dtype)
        predicted = np.where(rng.random(truth.shape) < 0.6, truth, rng.integers(1, count + 1))
        score, metrics = semantic_score(predicted.astype(dtype), truth, count)
        expected = reference(predicted, truth, count)
        assert (score, metrics["pixel_accuracy"], metrics["classes"]) == pytest.approx(expected)
        assert metrics["miou"] == pytest.approx(score / 10)


def test_confusion_is_that_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(4)
    truth, predicted = rng.integers(0, 6, (2, 30, 30)).astype(np.uint8)
    told = truth != 0
    ours = confusion_matrix(predicted, truth, 5)
    theirs = metrics.confusion_matrix(truth[told], predicted[told], labels=range(6))
    assert ours.tolist() == theirs.tolist()
    jaccard = metrics.jaccard_score(
        truth[told], predicted[told], labels=range(1, 6), average="macro"
    )
    assert semantic_score(predicted, truth, 5)[0] == pytest.approx(10 * jaccard)


def test_score_at_its_ends():
    truth = np.array([[1, 1, 2], [2, 0, 0]], np.uint8)
    assert semantic_score(truth, truth, 3)[0] == 10
    assert semantic_score(np.where(truth == 0, 3, truth), truth, 3)[1]["classes"] == 2
    assert semantic_score(np.full_like(truth, 3), truth, 3)[0] == 0
    assert semantic_score(truth, np.zeros_like(truth), 3)[0] == 10


def test_all_masks_of_a_map_at_once():
    rng = np.random.default_rng(5)
    for shape in ((1, 1), (7, 1), (1, 9), (30, 41)):
        labels = rng.integers(0, 4, shape).astype(np.uint8)
        found = masks.encode_labels(labels)
        assert list(found) == [int(n) for n in np.unique(labels) if n]
        for number, rle in found.items():
            assert rle == masks.encode(labels == number)


def test_nearest_label_goes_on():
    labels = np.zeros((3, 9), np.uint8)
    labels[:, 0], labels[:, 8] = 1, 2
    assert label_map.filled(labels, labels != 0).tolist() == [[1, 1, 1, 1, 1, 2, 2, 2, 2]] * 3


def test_parts_are_connected_and_cover_the_map():
    truth = drawn(2)
    again = np.zeros_like(truth.ids)
    found = label_map.parts(truth.ids)
    for part in found:
        window = again[part.window]
        assert not window[part.crop != 0].any()
        window[part.crop != 0] = part.number
        assert cv2.connectedComponents(part.crop, connectivity=8)[0] == 2
        assert part.area == part.crop.sum()
    assert (again == truth.ids).all()
    assert [part.area for part in found] == sorted((part.area for part in found), reverse=True)


def test_redrawn_map_is_near_the_truth_and_not_the_truth():
    truth = drawn(1)
    whole = label_map.filled(truth.ids, truth.ids != 0)
    redrawn = label_map.settled(whole, np.random.default_rng(1))
    assert redrawn.all()
    assert 0 < (redrawn != whole).mean() < 0.02
    speck = np.ones((20, 20), np.uint8)
    speck[9, 9] = 2
    assert (label_map.settled(speck, np.random.default_rng(1)) == speck).all()


@pytest.mark.parametrize("kind", ["class_swap", "leak"])
def test_a_greater_severity_is_the_same_error_and_more(kind):
    truth = drawn(3)
    whole = label_map.filled(truth.ids, truth.ids != 0)
    wrong = {1: 2, 2: 1, 3: 4, 4: 3}
    made = list(LABEL_ERRORS[kind](whole, wrong, np.random.default_rng(2)))
    changed = [labels != whole for labels in made]
    assert len(made) == 5
    for less, more in pairwise(changed):
        assert not (less & ~more).any()
        assert more.sum() > less.sum()


def test_what_is_lost_takes_the_class_beside_it():
    labels = np.full((100, 100), 2, np.uint8)
    labels[40:60, 40:60] = 1
    labels[45:55, 10:20] = 3
    made = list(LABEL_ERRORS["lost_region"](labels, {}, np.random.default_rng(1)))
    left = [(one != 2).sum() for one in made]
    assert left == sorted(left, reverse=True)
    assert left[-1] < 0.5 * (labels != 2).sum()
    for one in made:
        assert ((one == labels) | (one == 2)).all()


def test_swapped_parts_take_the_name_of_a_class_of_the_photo(label_settings):
    truth = drawn(4, classes=("cat", "dog", "grass", "sky"))
    foreign = Semantic((*truth.classes, "zebra"), truth.ids)
    for made in perturbed(foreign, "x", "t", label_settings, 1):
        assert made.class_of_interest == ("cat", "dog", "grass", "sky")
        assert {part.label for part in made.prediction} <= set(truth.classes)


def test_predictions_are_whole_maps_with_the_score_of_what_is_stored(label_settings):
    truth = drawn(5)
    groups = {}
    for made in perturbed(truth, "x", "semantic_seg", label_settings, 42):
        labels = as_map(made, truth.classes)
        assert [part.label for part in made.prediction] == sorted(
            part.label for part in made.prediction
        )
        score, metrics = semantic_score(labels, truth.ids, 4)
        assert made.final_score == pytest.approx(score, abs=1e-6)
        assert dict(made.metrics) == pytest.approx(metrics, abs=1e-6)
        groups.setdefault(made.error_type, []).append(made)
    assert list(groups) == list(KINDS)
    for group in groups.values():
        assert [made.severity for made in group] == [0, 1, 2, 3, 4, 5]
        assert group[0].prediction == groups["boundary"][0].prediction
    assert len({made.annotation_id for group in groups.values() for made in group}) == 24


def test_equal_arguments_give_equal_predictions_and_kinds_do_not_mix(label_settings):
    truth = drawn(6)
    whole = list(perturbed(truth, "x", "t", label_settings, 1))
    assert list(perturbed(truth, "x", "t", label_settings, 1)) == whole
    alone = label_settings.model_copy(update={"error_types": ("leak",)})
    assert list(perturbed(truth, "x", "t", alone, 1)) == [
        made for made in whole if made.error_type == "leak"
    ]
    other = list(perturbed(truth, "x", "t", label_settings, 2))
    assert not {made.prediction for made in whole} & {made.prediction for made in other}


def test_the_numbers_of_the_classes_do_not_matter(label_settings):
    truth = drawn(7)
    turned = Semantic(truth.classes[::-1], np.where(truth.ids, 5 - truth.ids, 0).astype(np.uint16))
    first, second = (list(perturbed(one, "x", "t", label_settings, 1)) for one in (truth, turned))
    assert first == second


def test_small_classes_are_not_asked_for_nor_scored(label_settings):
    truth = drawn(8)
    ids = truth.ids.copy()
    ids[ids == 1] = 3
    ids[100:110, 100:110] = 1
    for made in perturbed(dataclasses.replace(truth, ids=ids), "x", "t", label_settings, 1):
        assert "cat" not in made.class_of_interest
        assert "cat" not in {part.label for part in made.prediction}


def test_a_photo_of_one_class(label_settings):
    truth = Semantic(("sky", "sea"), np.ones((100, 100), np.uint8))
    made = list(perturbed(truth, "x", "t", label_settings, 1))
    swapped = [one for one in made if one.error_type == "class_swap"]
    assert {one.class_of_interest for one in swapped} == {("sea", "sky")}
    assert [one.severity for one in swapped] == [0, 1, 2, 3, 4, 5]
    # There is no border that could move, and nothing that could close over what is lost.
    assert {one.severity for one in made if one.error_type != "class_swap"} == {0}
    lonely = Semantic(("sky",), truth.ids)
    assert {one.severity for one in perturbed(lonely, "x", "t", label_settings, 1)} == {0}
    untold = Semantic(("sky",), np.zeros((100, 100), np.uint8))
    assert list(perturbed(untold, "x", "t", label_settings, 1)) == []


def test_more_classes_than_colours(label_settings):
    rng = np.random.default_rng(1)
    names = tuple(f"class {n:03}" for n in range(300))
    ids = np.kron(rng.permutation(300).reshape(15, 20) + 1, np.ones((21, 21))).astype(np.uint16)
    made = list(perturbed(Semantic(names, ids), "x", "t", label_settings, 1))
    assert len(made) == 24
    assert len(made[0].class_of_interest) == 300
    assert len(made[0].prediction) == 300


@pytest.mark.parametrize(
    "size", [(32, 32), (1, 400), pytest.param((3000, 4000), marks=pytest.mark.slow)]
)
def test_sizes_of_photos(label_settings, size):
    lenient = label_settings.model_copy(update={"min_area": 1.0})
    begin = time.perf_counter()
    made = list(perturbed(drawn(9, size), "x", "t", lenient, 1))
    assert time.perf_counter() - begin < 120  # about 10 on an idle machine
    assert len(made) > 10
    for one in made:
        as_map(one, ("cat", "dog", "grass", "sky"))


@pytest.fixture(scope="module")
def real_maps(shared_data):
    def data(name, root):
        return yaml.safe_load((ROOT / f"conf/data/{name}.yaml").read_text()) | {"root": str(root)}

    sources = (
        open_source(CocoData.model_validate(data("coco", shared_data / "coco"))),
        open_source(Ade20kData.model_validate(data("ade20k", shared_data / "panoptic/ade20k"))),
    )
    found = {
        photo.image_id: source.semantic(photo.image_id)
        for source in sources
        for photo in source.photos()
    }
    return {image: truth for image, truth in found.items() if truth is not None}


@pytest.mark.slow
def test_mean_score_falls_with_severity_on_real_photos(real_maps, label_settings):
    assert len(real_maps) >= 22
    assert sum(len(label_map.parts(truth.ids)) for truth in real_maps.values()) >= 50
    scores = {}
    seconds = []
    for image, truth in real_maps.items():
        begin = time.perf_counter()
        for made in perturbed(truth, image, "semantic_seg", label_settings, 42):
            scores.setdefault((made.error_type, made.severity), []).append(made.final_score)
        seconds.append((time.perf_counter() - begin) / len(KINDS))
    for kind in KINDS:
        means = [float(np.mean(scores[kind, severity])) for severity in range(6)]
        assert all(less - more > 0.3 for less, more in pairwise(means)), (kind, means)
        assert means[0] > 9.7
    assert np.median(seconds) < 0.5  # about 0.05 on an idle machine
