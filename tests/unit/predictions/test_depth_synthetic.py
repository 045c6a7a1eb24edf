"""Depth maps made wrong on purpose."""

from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml

from gen.predictions.metrics.depth import DepthTruth
from gen.predictions.perturb.depth import DEPTH_PERTURBATIONS
from gen.predictions.perturb.depth_fill import filled, working_size
from gen.predictions.synthetic.depth import annotations, prediction
from gen.render.png import decode_png
from gen.schema import DepthData, EmbeddedData, SyntheticPredictions, Task
from gen.sources.depth import open_depth
from gen.sources.open import open_source
from gen.sources.photos import PhotoError
from gen.sources.records import Depth

CONF = Path(__file__).parents[3] / "conf"


class OnePhoto:
    """A source of one photo."""

    def __init__(self, depth, photo=None):
        self._depth = depth
        self._photo = photo

    def depth(self, image_id):
        return self._depth

    def pixels(self, image_id):
        if self._photo is None:
            raise PhotoError("no such file", "missing_photo")
        return self._photo


def receding(height, width, holes=0.1, seed=0):
    """A floor with a box on it, and a photo of it with noise."""
    rng = np.random.default_rng(seed)
    distance = np.linspace(8.0, 1.5, height)[:, None] + np.zeros((height, width))
    top, left = height // 3, width // 3
    distance[top : 2 * top, left : 2 * left] = 2.0
    disparity = (1 / distance).astype(np.float32)
    disparity[rng.random(disparity.shape) < holes] = 0
    shade = cv2.convertScaleAbs(distance, alpha=25)
    return OnePhoto(Depth(disparity, True), np.repeat(shade[..., None], 3, axis=2))


@pytest.fixture(scope="module")
def task():
    record = yaml.safe_load((CONF / "task/depth.yaml").read_text(encoding="utf-8"))
    del record["defaults"]
    return Task.model_validate(record)


@pytest.fixture(scope="module")
def chosen(task):
    record = yaml.safe_load((CONF / "predictions/synthetic.yaml").read_text(encoding="utf-8"))
    return SyntheticPredictions.model_validate({**record, "error_types": task.error_types})


def means(source, photos, task, chosen, seeds):
    scores = defaultdict(list)
    for image_id in photos:
        for seed in seeds:
            for one in annotations(source, image_id, task, chosen, seed):
                scores[one.error_type, one.severity].append(one.final_score)
    return {
        kind: [float(np.mean(scores[kind, severity])) for severity in range(6)]
        for kind in chosen.error_types
    }


def assert_falling(found):
    assert set(found) == set(DEPTH_PERTURBATIONS)
    for kind, values in found.items():
        assert all(a - b > 0.1 for a, b in pairwise(values)), (kind, values)
        assert values[0] > 9.5
    assert found["inverted"][5] == 0.0


@pytest.mark.slow
def test_mean_score_falls_with_severity_on_the_embedded_scenes(task, chosen):
    source = open_source(EmbeddedData(name="embedded", licenses=()))
    assert_falling(means(source, ["5", "6"], task, chosen, (1, 2)))


@pytest.mark.slow
def test_mean_score_falls_with_severity_on_measured_depth(shared_data, task, chosen):
    record = yaml.safe_load((CONF / "data/depth.yaml").read_text(encoding="utf-8"))
    record["root"] = str(shared_data / "depth")
    source = open_depth(DepthData.model_validate(record))
    ids = [photo.image_id for photo in source.photos()]
    assert len(ids) == 6
    assert_falling(means(source, ids, task, chosen, (1,)))


def test_each_group_has_six_different_maps_of_the_photos_size(task, chosen):
    made = list(annotations(receding(120, 160), "a", task, chosen, 42))
    assert [(one.error_type, one.severity) for one in made] == [
        (kind, severity) for kind in chosen.error_types for severity in range(6)
    ]
    assert len({one.annotation_id for one in made}) == 36
    for one in made:
        assert one.class_of_interest is None
        assert one.prompt is None
        assert decode_png(one.prediction[0].png).shape == (120, 160)
        assert 0 <= one.final_score <= 10


def test_equal_arguments_give_equal_maps_and_kinds_do_not_depend_on_each_other(task, chosen):
    source = receding(120, 160)
    first, again = (list(annotations(source, "a", task, chosen, 7)) for _ in range(2))
    assert first == again
    alone = chosen.model_copy(update={"error_types": ("patches",)})
    part = list(annotations(source, "a", task, alone, 7))
    assert part == [one for one in first if one.error_type == "patches"]
    other = list(annotations(source, "a", task, alone, 8))
    assert [one.prediction for one in part] != [one.prediction for one in other]


def test_truth_is_not_known_by_its_gaps_or_its_neatness(task, chosen):
    source = receding(120, 160, holes=0.5)
    truth = DepthTruth(source.depth("a"))
    (neat,) = (prediction(source.depth("a").disparity, truth.shown),)
    zero = next(iter(annotations(source, "a", task, chosen, 1)))
    shown = decode_png(zero.prediction[0].png)
    assert zero.severity == 0
    assert zero.prediction[0] != neat
    # Half of the pixels were never measured; none of them is a hole.
    rough = np.abs(np.diff(shown.astype(int), axis=0))
    assert np.quantile(rough, 0.9) <= 12


def test_levels_are_equal_steps_of_disparity_over_the_shown_range():
    ramp = np.linspace(0.0, 1.0, 101)[None, :]
    levels = decode_png(prediction(ramp, (0.2, 0.8)).png)[0]
    assert levels[:21].max() == 0
    assert levels[80:].min() == 255
    assert abs(int(levels[50]) - 128) <= 1
    assert np.ptp(np.diff(levels[20:81].astype(int))) <= 1


@pytest.mark.parametrize(
    "shape",
    [(32, 32), (1, 1), (3, 200), pytest.param((3000, 4000), marks=pytest.mark.slow)],
)
def test_photos_of_any_size(shape, task, chosen):
    alone = chosen.model_copy(update={"error_types": ("blur",)})
    made = list(annotations(receding(*shape, holes=0.0), "a", task, alone, 1))
    assert bool(made) == (shape != (1, 1))
    for one in made:
        assert decode_png(one.prediction[0].png).shape == shape


def test_a_few_measured_pixels_are_enough(task, chosen):
    source = receding(60, 80, holes=0.0)
    disparity = np.zeros((60, 80), np.float32)
    disparity[::20, ::20] = source.depth("a").disparity[::20, ::20]
    source = OnePhoto(Depth(disparity, True), source.pixels("a"))
    for one in annotations(source, "a", task, chosen, 1):
        assert np.isfinite(one.final_score)


def test_photos_that_have_nothing_to_tell(task, chosen):
    photo = receding(40, 40).pixels("a")
    flat = Depth(np.full((40, 40), 0.5, np.float32), True)
    empty = Depth(np.zeros((40, 40), np.float32), True)
    for depth in (None, flat, empty):
        assert list(annotations(OnePhoto(depth, photo), "a", task, chosen, 1)) == []
    unreadable = OnePhoto(receding(40, 40).depth("a"))
    assert list(annotations(unreadable, "a", task, chosen, 1)) == []


def test_gaps_take_over_what_is_around_them_up_to_the_edges_of_the_photo():
    photo = np.zeros((80, 120, 3), np.uint8)
    photo[:, 60:] = 200
    disparity = np.zeros((80, 120), np.float32)
    disparity[40:, :60], disparity[40:, 60:] = 0.2, 0.8
    whole = filled(Depth(disparity, True), photo)
    assert whole.shape == working_size(80, 120) == (80, 120)
    assert np.allclose(whole[:, :45], 0.2, atol=0.02)
    assert np.allclose(whole[:, 75:], 0.8, atol=0.02)


@pytest.mark.parametrize("horizontal", [True, False])
def test_a_plain_frame_carries_no_depth_along_the_edges(horizontal):
    # The left half of the scene is near, the right one far; a measurement of the near half ends
    # inside the frame, as where the color and the depth camera do not look quite the same way.
    rng = np.random.default_rng(3)
    photo = rng.integers(0, 256, (120, 160, 3)).astype(np.uint8)
    photo[:, :80] //= 3
    disparity = np.full((120, 160), 0.2, np.float32)
    disparity[:, :80] = 0.9
    frame = np.ones((120, 160), bool)
    frame[6:-6, 6:-6] = False
    photo[frame] = 250
    disparity[frame] = 0
    disparity[:4, 20:60] = 0.9
    if not horizontal:
        photo, disparity = np.ascontiguousarray(photo.swapaxes(0, 1)), disparity.T.copy()
    whole = filled(Depth(disparity, True), photo)
    if not horizontal:
        whole = whole.T
    assert whole[:, 95:].max() < 0.3
    assert whole[:, :65].min() > 0.8
