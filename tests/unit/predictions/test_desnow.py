"""Snow before photos, and what takes it out."""

import time
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml

from gen import rng
from gen.predictions.degrade import snow
from gen.predictions.metrics.restoration import RestorationTruth
from gen.predictions.picture_store import PictureStore
from gen.predictions.restore import desnow
from gen.predictions.synthetic import restoration
from gen.schema import EmbeddedData, Task
from gen.sources.open import open_source

CONF = Path(__file__).parents[3] / "conf"


@pytest.fixture(scope="module")
def settings():
    record = yaml.safe_load((CONF / "task/desnow.yaml").read_text(encoding="utf-8"))
    del record["defaults"]
    return Task.model_validate(record).degradation


@pytest.fixture(scope="module")
def photo():
    """A real photo, small."""
    pixels = open_source(EmbeddedData(name="embedded", licenses=())).pixels("5")
    return np.asarray(cv2.resize(pixels, (256, 192), interpolation=cv2.INTER_AREA))


@pytest.fixture(scope="module")
def snowy(photo, settings):
    return snow.degrade(photo, settings, rng.stream(3, "snow"))


def only(settings, **knobs):
    """The settings with spans of one value."""
    return settings.model_copy(update={name: (value, value) for name, value in knobs.items()})


def flat(level=60, shape=(200, 260)):
    return np.full((*shape, 3), level, np.uint8)


def flakes_of(picture):
    """Width, height and area in pixels of each bright spot of a picture on flat ground of 60."""
    bright = (picture.min(axis=2) > 90).astype(np.uint8)
    return cv2.connectedComponentsWithStats(bright)[2][1:, 2:]


def test_strengths_are_drawn_from_the_spans_and_told(snowy, settings, photo):
    for name in ("density", "speed", "angle", "opacity", "haze"):
        low, high = getattr(settings, name)
        assert low <= snowy.details[name] <= high
    low, high = (max(photo.shape) * share for share in settings.size)
    assert low - 0.01 <= snowy.details["size"] <= high + 0.01
    assert snowy.details["kind"] == "snow"
    assert snowy.clean is photo
    assert np.array_equal(snowy.picture, snowy.untouched)
    assert snowy.picture.shape == photo.shape


def test_equal_streams_give_equal_snow(snowy, settings, photo):
    again = snow.degrade(photo, settings, rng.stream(3, "snow"))
    other = snow.degrade(photo, settings, rng.stream(4, "snow"))
    assert np.array_equal(again.picture, snowy.picture)
    assert not np.array_equal(other.picture, snowy.picture)


def test_without_flakes_and_haze_the_photo_stays(photo, settings):
    dry = snow.degrade(photo, only(settings, density=0.0, haze=0.0), rng.stream(1, "dry"))
    assert np.abs(dry.picture.astype(int) - photo).max() <= 1


def test_flakes_are_of_many_sizes_brighter_and_nearly_white(settings):
    knobs = only(settings, density=40.0, size=0.03, haze=0.0, opacity=0.9)
    seen = snow.degrade(flat(), knobs, rng.stream(5, "sizes")).picture
    areas = np.sort(flakes_of(seen)[:, 2])
    assert len(areas) > 40
    assert areas[-1] > 8 * np.median(areas)
    assert seen.min() >= 59
    assert np.ptp(seen.astype(int), axis=2).max() <= 12


def test_fast_flakes_are_drawn_out_along_the_wind(settings):
    def length(speed, angle):
        knobs = only(settings, density=10.0, size=0.03, haze=0.0, speed=speed, angle=angle)
        found = flakes_of(snow.degrade(flat(), knobs, rng.stream(6, "speed")).picture)
        large = found[found[:, 2] > 25]
        return np.median(large[:, 1] / large[:, 0])

    assert 0.7 < length(0.0, 0.0) < 1.4
    assert length(4.0, 0.0) > 1.8
    assert length(4.0, 80.0) < 0.75


def test_the_wind_blows_to_the_same_side_as_in_rain(settings):
    """A positive angle leads down and to the right."""
    knobs = only(settings, density=12.0, size=0.03, haze=0.0, speed=5.0, angle=35.0)
    seen = snow.degrade(flat(), knobs, rng.stream(7, "side")).picture[..., 0].astype(np.float32)
    across, down = cv2.Sobel(seen, cv2.CV_32F, 1, 0), cv2.Sobel(seen, cv2.CV_32F, 0, 1)
    turn = 0.5 * np.arctan2(2 * (across * down).sum(), (across**2 - down**2).sum())
    assert -np.degrees(turn) == pytest.approx(35.0, abs=10)


def test_haze_takes_contrast_most_where_it_is_far(settings):
    stripes = flat()
    stripes[:, ::2] = 140
    seen = snow.degrade(stripes, only(settings, density=0.0, haze=1.0), rng.stream(1, "haze"))
    contrast = np.ptp(seen.picture[..., 0].astype(int), axis=1)
    assert contrast[0] < 0.75 * contrast[-1]
    assert (np.diff(contrast) >= -1).all()


def test_restorations_differ_in_score_and_the_best_is_much_better(snowy):
    truth = RestorationTruth(snowy.clean, snowy.untouched)
    found = list(desnow.restorations(snowy, rng.stream(1, "restore")))
    assert len({one.method for one in found}) == len(found)
    for one in found:
        assert one.picture.shape == snowy.clean.shape
        assert one.picture.dtype == np.uint8
    scores = {one.method: truth.score(one.picture)[0] for one in found}
    assert scores["untouched"] == pytest.approx(2.0)
    assert len({round(score, 1) for score in scores.values()}) >= 8
    assert max(scores.values()) > 2.6
    assert min(scores.values()) < 1.5


def test_flakes_on_a_plain_wall_are_taken_away_and_its_lines_are_kept(settings):
    wall = flat()
    wall[:, 120:128] = 150
    knobs = only(settings, density=30.0, haze=0.0)
    seen = snow.degrade(wall, knobs, rng.stream(8, "wall"))
    found = {one.method: one.picture for one in desnow.restorations(seen, rng.stream(1, "w"))}
    before = np.abs(seen.picture.astype(float) - wall).mean()
    after = found["cautious"].astype(float) - wall
    assert np.abs(after).mean() < 0.4 * before
    assert np.abs(after[:, 122:126]).mean() < 12


def test_restorations_see_nothing_but_the_picture(snowy):
    blind = replace(snowy, clean=np.zeros_like(snowy.clean), details={})
    for one, other in zip(
        desnow.restorations(snowy, rng.stream(1, "a")),
        desnow.restorations(blind, rng.stream(2, "b")),
        strict=True,
    ):
        assert one.method == other.method
        assert np.array_equal(one.picture, other.picture)


@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (30, 3)])
@pytest.mark.parametrize("level", [0, 255])
def test_photos_of_any_size(shape, level, settings):
    small = snow.degrade(flat(level, shape), settings, rng.stream(1, "small"))
    for one in desnow.restorations(small, rng.stream(1, "small")):
        assert one.picture.shape == (*shape, 3)


def test_the_greatest_snow_is_made_in_little_time(settings, photo):
    small = np.ascontiguousarray(photo[:96, :128])
    gross = only(settings, density=200.0, size=0.2, speed=10.0, opacity=1.0)
    started = time.process_time()
    found = snow.degrade(small, gross, rng.stream(1, "gross"))
    assert time.process_time() - started < 10
    assert found.picture.mean() > small.mean()


def test_snow_that_does_not_show_asks_nothing(settings):
    record = yaml.safe_load((CONF / "task/desnow.yaml").read_text(encoding="utf-8"))
    del record["defaults"]
    task = Task.model_validate(record)
    source = open_source(EmbeddedData(name="embedded", licenses=()))
    none = only(settings, density=0.0, haze=0.0).model_copy(update={"longest": 128})
    clear = task.model_copy(update={"degradation": none})
    image = restoration.images(clear, source)[0]["5-1"]
    with PictureStore(BytesIO()) as pictures:
        assert not list(restoration.annotations(clear, source, 1, pictures, image))
