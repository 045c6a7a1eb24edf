from itertools import permutations

import numpy as np
import pytest
from pycocotools import mask as coco

from gen import masks
from gen.predictions.annotation import BoxPrediction, MaskPrediction
from gen.predictions.metrics.objects import box_iou, box_score, f1_50_95, instance_score


def square(x, y, side, label="cat", frame=(60, 80)):
    mask = np.zeros(frame, np.uint8)
    mask[y : y + side, x : x + side] = 1
    return MaskPrediction(label, masks.encode(mask))


def naive_score(predicted, truth, iou):
    """All matchings tried, one class at a time."""
    total = 0.0
    for label in {item.label for item in truth}:
        p = [item for item in predicted if item.label == label]
        g = [item for item in truth if item.label == label]
        short, long = (p, g) if len(p) <= len(g) else (g, p)
        total += max(
            sum(iou(a, b) for a, b in zip(short, order, strict=True))
            for order in permutations(long, len(short))
        )
    return 20 * total / (len(predicted) + len(truth))


def naive_mask_iou(a, b):
    first, second = masks.decode(a.rle) > 0, masks.decode(b.rle) > 0
    return (first & second).sum() / (first | second).sum()


def naive_box_iou(a, b):
    width = min(a.box[2], b.box[2]) - max(a.box[0], b.box[0])
    height = min(a.box[3], b.box[3]) - max(a.box[1], b.box[1])
    inter = max(width, 0) * max(height, 0)
    areas = [(c.box[2] - c.box[0]) * (c.box[3] - c.box[1]) for c in (a, b)]
    return inter / (sum(areas) - inter)


def random_scene(rng, n):
    return [
        square(
            *rng.integers(0, 40, 2).tolist(), int(rng.integers(3, 20)), str(rng.choice(["a", "b"]))
        )
        for _ in range(n)
    ]


def to_box(item):
    x, y, w, h = masks.box(item.rle)
    return BoxPrediction(item.label, (x, y, x + w, y + h))


def test_score_equals_that_of_all_matchings_tried():
    rng = np.random.default_rng(1)
    for _ in range(60):
        predicted = random_scene(rng, int(rng.integers(1, 5)))
        truth = random_scene(rng, int(rng.integers(1, 5)))
        assert instance_score(predicted, truth)[0] == pytest.approx(
            naive_score(predicted, truth, naive_mask_iou), abs=1e-6
        )
        boxes = [to_box(item) for item in predicted], [to_box(item) for item in truth]
        assert box_score(*boxes)[0] == pytest.approx(naive_score(*boxes, naive_box_iou), abs=1e-6)


def test_box_iou_agrees_with_pycocotools():
    rng = np.random.default_rng(2)
    corners = np.sort(rng.uniform(0, 50, (2, 30, 2, 2)), axis=2)
    first, second = corners.reshape(2, 30, 4)
    crowd = (rng.random(30) < 0.4).tolist()
    as_xywh = [np.hstack([c[:, :2], c[:, 2:] - c[:, :2]]) for c in (first, second)]
    expected = coco.iou(*as_xywh, [int(flag) for flag in crowd])
    assert np.abs(box_iou(first.tolist(), second.tolist(), crowd) - expected).max() < 1e-6


def test_perfect_absent_and_wrong_class():
    truth = [square(0, 0, 10), square(30, 30, 10)]
    assert instance_score(truth, truth)[0] == 10.0
    assert instance_score([], truth)[0] == 0.0
    assert instance_score(truth, [])[0] == 0.0
    assert instance_score([], [])[0] == 10.0
    assert instance_score([square(0, 0, 10, "dog"), square(30, 30, 10, "dog")], truth)[0] == 0.0


def test_metrics_hold_what_the_score_is_made_of():
    truth = [square(0, 0, 10), square(30, 30, 10)]
    predicted = [square(0, 0, 10), square(30, 35, 10), square(60, 0, 5)]
    score, metrics = instance_score(predicted, truth)
    assert metrics["predicted"] == 3
    assert metrics["true"] == 2
    assert metrics["matched"] == 2
    assert metrics["sum_iou"] == pytest.approx(1 + 1 / 3)
    assert score == pytest.approx(20 * (1 + 1 / 3) / 5)
    assert metrics["f1_50_95"] == pytest.approx(2 / 5)


def test_f1_counts_each_threshold():
    assert f1_50_95(np.array([1.0, 0.72]), 2, 2) == pytest.approx((5 * 1.0 + 5 * 0.5) / 10)
    assert f1_50_95(np.array([0.5]), 1, 1) == pytest.approx(0.1)
    assert f1_50_95(np.zeros(0), 0, 0) == 1.0


def test_prediction_in_a_crowd_is_neither_counted_nor_punished():
    truth = [square(0, 0, 10)]
    crowd = [square(30, 20, 30)]
    in_crowd, half_out = square(35, 25, 10), square(24, 25, 10)
    assert instance_score([truth[0], in_crowd], truth, crowd)[0] == 10.0
    assert instance_score([truth[0], half_out], truth, crowd)[0] == pytest.approx(20 / 3)
    other = [MaskPrediction("dog", crowd[0].rle)]
    assert instance_score([truth[0], in_crowd], truth, other)[0] == pytest.approx(20 / 3)


def test_true_object_inside_a_crowd_still_counts():
    truth, crowd = [square(35, 25, 10)], [square(30, 20, 30)]
    assert instance_score(truth, truth, crowd)[0] == 10.0
    assert instance_score([], truth, crowd)[0] == 0.0
