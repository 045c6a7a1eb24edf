"""Depth maps as pictures: near and far right on all three color maps."""

from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml

from gen.judge.encodings import Exhibit
from gen.judge.encodings.depth.maps import DEPTH, levels
from gen.masks import Rle
from gen.predictions.annotation import DepthPrediction, MaskPrediction
from gen.predictions.metrics.depth import DepthTruth
from gen.predictions.synthetic.depth import prediction
from gen.schema import DepthData, DepthEncoding
from gen.sources.depth import open_depth
from gen.sources.records import Depth
from gen.wording import Wording

CONF = Path(__file__).parents[4] / "conf"
STEMS = ("plasma", "turbo", "gray")


@pytest.fixture(scope="module")
def words():
    text = (CONF / "wording/standard.yaml").read_text(encoding="utf-8")
    return Wording.model_validate(yaml.safe_load(text)).encoding


def encoder(stem, words):
    record = yaml.safe_load((CONF / f"encoding/{stem}.yaml").read_text(encoding="utf-8"))
    return DEPTH.picture(DepthEncoding.model_validate(record), words)


def drawn(stem, words, *predictions):
    size = cv2.imdecode(np.frombuffer(predictions[0].png, np.uint8), -1).shape
    return encoder(stem, words).encode(Exhibit(size, [(one,) for one in predictions]))


def nearness(stem, picture):
    """How near a color says that a pixel is, by what the format block promises of the map."""
    red, green, blue = (picture[..., channel].astype(float) for channel in range(3))
    return {"plasma": red + green - blue, "turbo": red - blue, "gray": red}[stem]


def two_planes():
    disparity = np.full((48, 64), 1 / 8, np.float32)
    disparity[:, 32:] = 1 / 2
    return Depth(disparity, True)


@pytest.mark.parametrize("stem", STEMS)
def test_two_planes_have_near_and_far_right(stem, words):
    depth = two_planes()
    shown = prediction(depth.disparity, DepthTruth(depth).shown)
    (option,) = drawn(stem, words, shown).options
    assert option.picture.shape == (48, 64, 3)
    assert option.legend is None
    near = nearness(stem, option.picture)
    assert near[:, 32:].min() > near[:, :32].max() + 60
    red, green, blue = option.picture[0, 63].tolist()
    far_red, far_green, far_blue = option.picture[0, 0].tolist()
    if stem == "plasma":
        assert red > 200 and green > 200 and blue < 100
        assert far_blue > far_red > far_green
    elif stem == "turbo":
        assert red > 100 and red > 4 * max(green, blue)
        assert far_blue >= far_red and far_blue > far_green
    else:
        assert (red, far_red) == (255, 0)


@pytest.mark.parametrize("stem", STEMS)
def test_near_pixels_of_real_photos_look_near(stem, words, shared_data):
    record = yaml.safe_load((CONF / "data/depth.yaml").read_text(encoding="utf-8"))
    source = open_depth(DepthData.model_validate({**record, "root": str(shared_data / "depth")}))
    for photo in source.photos():
        depth = source.depth(photo.image_id)
        true = depth.disparity[depth.valid]
        shown = prediction(depth.disparity, DepthTruth(depth).shown)
        (option,) = drawn(stem, words, shown).options
        near = nearness(stem, option.picture)[depth.valid]
        if stem == "turbo":
            # Both of its ends are darkened, so the outermost pixels are left out.
            inner = (true > np.quantile(true, 0.06)) & (true < np.quantile(true, 0.94))
            true, near = true[inner], near[inner]
        low, high = np.quantile(true, [0.2, 0.8])
        assert np.median(near[true >= high]) > np.median(near[true <= low]) + 25


def test_options_share_one_scale_and_the_format_says_which_end_is_near(words):
    one = prediction(np.linspace(0, 1, 64).reshape(8, 8), (0.0, 1.0))
    two = prediction(np.linspace(0, 0.5, 64).reshape(8, 8), (0.0, 1.0))
    for stem, near, far in (
        ("plasma", "bright yellow is closest", "dark blue are farthest"),
        ("turbo", "red is closest", "blue is farthest"),
        ("gray", "white is closest", "black is farthest"),
    ):
        encoded = drawn(stem, words, one, two)
        assert near in encoded.format
        assert far in encoded.format
        first, second = (option.picture for option in encoded.options)
        middle = np.argwhere(levels((one,), (8, 8)) == levels((two,), (8, 8))[-1, -1])
        assert not np.array_equal(first, second)
        for row, column in middle:
            assert np.array_equal(first[row, column], second[-1, -1])


def test_maps_that_differ_by_one_level_look_different_everywhere(words):
    base = np.arange(256, dtype=np.uint8).reshape(16, 16)
    for level in range(255):
        other = base.copy()
        other[level // 16, level % 16] += 1
        a, b = ((DepthPrediction(cv2.imencode(".png", one)[1].tobytes()),) for one in (base, other))
        assert DEPTH.appearances(a, (16, 16)) != DEPTH.appearances(b, (16, 16))
        for stem in STEMS:
            first, second = drawn(stem, words, a[0], b[0]).options
            assert not np.array_equal(first.picture, second.picture)


def test_equal_levels_look_equal_however_they_were_packed():
    base = np.arange(256, dtype=np.uint8).reshape(16, 16)
    a, b = (
        (
            DepthPrediction(
                cv2.imencode(".png", base, [cv2.IMWRITE_PNG_COMPRESSION, level])[1].tobytes()
            ),
        )
        for level in (0, 9)
    )
    assert a != b
    assert DEPTH.appearances(a, (16, 16)) == DEPTH.appearances(b, (16, 16))
    assert DEPTH.weight(a, (16, 16)) == DEPTH.weight(b, (16, 16)) > 0
    assert set(DEPTH.appearances(a, (16, 16))) == {"plasma turbo gray"}


def test_what_is_no_depth_map_of_the_photo():
    color = DepthPrediction(cv2.imencode(".png", np.zeros((4, 4, 3), np.uint8))[1].tobytes())
    with pytest.raises(ValueError, match="not grey"):
        levels((color,), (4, 4))
    grey = DepthPrediction(cv2.imencode(".png", np.zeros((4, 4), np.uint8))[1].tobytes())
    with pytest.raises(ValueError, match="not grey of"):
        levels((grey,), (4, 5))
    with pytest.raises(ValueError, match="PNG"):
        levels((DepthPrediction(b"GIF89a"),), (4, 4))
    with pytest.raises(TypeError, match="one depth map"):
        levels((MaskPrediction("cat", Rle((4, 4), "0")),), (4, 4))
    with pytest.raises(TypeError, match="one depth map"):
        levels((), (4, 4))
