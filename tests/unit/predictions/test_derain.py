"""Rain before photos, and what takes it out."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml

from gen import rng
from gen.predictions.degrade import rain
from gen.predictions.metrics.restoration import RestorationTruth
from gen.predictions.restore import derain
from gen.schema import EmbeddedData, Task
from gen.sources.open import open_source

CONF = Path(__file__).parents[3] / "conf"


@pytest.fixture(scope="module")
def settings():
    record = yaml.safe_load((CONF / "task/derain.yaml").read_text(encoding="utf-8"))
    del record["defaults"]
    return Task.model_validate(record).degradation


@pytest.fixture(scope="module")
def photo():
    """A real photo, small."""
    pixels = open_source(EmbeddedData(name="embedded", licenses=())).pixels("5")
    return np.asarray(cv2.resize(pixels, (256, 192), interpolation=cv2.INTER_AREA))


@pytest.fixture(scope="module")
def wet(photo, settings):
    return rain.degrade(photo, settings, rng.stream(3, "rain"))


def only(settings, **knobs):
    """The settings with spans of one value."""
    return settings.model_copy(update={name: (value, value) for name, value in knobs.items()})


def flat(level=60, shape=(200, 260)):
    return np.full((*shape, 3), level, np.uint8)


def test_strengths_are_drawn_from_the_spans_and_told(wet, settings, photo):
    side = max(photo.shape)
    for name in ("density", "angle", "opacity", "haze"):
        low, high = getattr(settings, name)
        assert low <= wet.details[name] <= high
    for name in ("length", "width"):
        low, high = (side * share for share in getattr(settings, name))
        assert low - 0.01 <= wet.details[name] <= high + 0.01
    assert wet.details["kind"] == "rain"
    assert wet.clean is photo
    assert np.array_equal(wet.picture, wet.untouched)
    assert wet.picture.shape == photo.shape


def test_equal_streams_give_equal_rain(wet, settings, photo):
    again = rain.degrade(photo, settings, rng.stream(3, "rain"))
    other = rain.degrade(photo, settings, rng.stream(4, "rain"))
    assert np.array_equal(again.picture, wet.picture)
    assert not np.array_equal(other.picture, wet.picture)


def test_without_drops_and_haze_the_photo_stays(photo, settings):
    dry = rain.degrade(photo, only(settings, density=0.0, haze=0.0), rng.stream(1, "dry"))
    assert np.abs(dry.picture.astype(int) - photo).max() <= 1


def test_haze_takes_contrast_most_where_it_is_far(settings):
    stripes = flat()
    stripes[:, ::2] = 140
    seen = rain.degrade(stripes, only(settings, density=0.0, haze=1.0), rng.stream(1, "haze"))
    contrast = np.ptp(seen.picture[..., 0].astype(int), axis=1)
    assert contrast[0] < 0.75 * contrast[-1]
    assert (np.diff(contrast) >= -1).all()


@pytest.mark.parametrize("angle", [-20.0, 0.0, 20.0])
def test_streaks_lie_along_the_wind_and_are_brighter(settings, angle):
    knobs = only(settings, angle=angle, haze=0.0, density=12.0)
    seen = rain.degrade(flat(), knobs, rng.stream(5, "wind")).picture[..., 0].astype(np.float32)
    assert seen.min() >= 59
    assert 0.03 < (seen > 70).mean() < 0.9
    across, down = cv2.Sobel(seen, cv2.CV_32F, 1, 0), cv2.Sobel(seen, cv2.CV_32F, 0, 1)
    # The gradient of a line is across it: its mean direction by the structure tensor.
    turn = 0.5 * np.arctan2(2 * (across * down).sum(), (across**2 - down**2).sum())
    assert -np.degrees(turn) == pytest.approx(angle, abs=4)


def test_more_rain_covers_more(settings):
    covered = [
        (rain.degrade(flat(), only(settings, haze=0.0, density=d), rng.stream(1, "d")).picture > 65)
        for d in (2.0, 8.0, 32.0)
    ]
    first, second, third = (one.mean() for one in covered)
    assert first < 0.6 * second < 0.6 * third


def test_restorations_differ_in_score_and_the_best_is_much_better(wet):
    truth = RestorationTruth(wet.clean, wet.untouched)
    found = list(derain.restorations(wet, rng.stream(1, "restore")))
    assert len({one.method for one in found}) == len(found)
    for one in found:
        assert one.picture.shape == wet.clean.shape
        assert one.picture.dtype == np.uint8
    scores = {one.method: truth.score(one.picture)[0] for one in found}
    assert scores["untouched"] == pytest.approx(2.0)
    assert len({round(score, 1) for score in scores.values()}) >= 8
    assert max(scores.values()) > 3.0
    assert min(scores.values()) < 2.0
    assert scores["subtracted share=0.3"] < scores["subtracted share=0.6"] < scores["subtracted"]


def test_restorations_see_nothing_but_the_picture(wet):
    blind = replace(wet, clean=np.zeros_like(wet.clean), details={})
    for one, other in zip(
        derain.restorations(wet, rng.stream(1, "a")),
        derain.restorations(blind, rng.stream(2, "b")),
        strict=True,
    ):
        assert one.method == other.method
        assert np.array_equal(one.picture, other.picture)


def test_the_angle_of_rain_is_found(settings):
    for angle in (-20.0, 0.0, 20.0):
        knobs = only(settings, angle=angle, haze=0.0)
        seen = rain.degrade(flat(), knobs, rng.stream(2, "angle"))
        assert derain._angle(seen.picture) == pytest.approx(angle, abs=5)


@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (30, 3)])
@pytest.mark.parametrize("level", [0, 255])
def test_photos_of_any_size(shape, level, settings):
    small = rain.degrade(flat(level, shape), settings, rng.stream(1, "small"))
    for one in derain.restorations(small, rng.stream(1, "small")):
        assert one.picture.shape == (*shape, 3)


def test_spans_that_make_no_sense_are_refused(settings):
    record = settings.model_dump()
    for name, span in (("haze", [-0.1, 1.0]), ("opacity", [0.5, 1.5]), ("angle", [0.0, 90.0])):
        with pytest.raises(ValueError, match="must lie within"):
            type(settings).model_validate({**record, name: tuple(span)})
