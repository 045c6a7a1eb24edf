import itertools

import numpy as np
import pytest
from skimage.color import deltaE_ciede2000, rgb2lab

from gen.render import colormap
from gen.render.palette import (
    EXTENDED,
    PALETTE,
    hex_code,
    relative_luminance,
    swatch,
    text_colour,
)


def lab(*colours):
    return rgb2lab(np.array(colours, float)[None] / 255)[0]


def test_palette_colours_are_far_apart_and_far_from_black():
    assert len(PALETTE) == 24
    assert len({s.name for s in PALETTE}) == 24
    colours = lab(*(s.rgb for s in PALETTE))
    apart = deltaE_ciede2000(colours[:, None], colours[None])
    for i, j in itertools.combinations(range(24), 2):
        assert apart[i, j] >= 12, (PALETTE[i].name, PALETTE[j].name)
    assert deltaE_ciede2000(colours, lab((0, 0, 0))).min() >= 15


def test_more_colours_are_far_enough_apart_and_named_once():
    assert EXTENDED[:24] == PALETTE
    assert len({s.name for s in EXTENDED}) == len(EXTENDED) == 64
    colours = lab(*(s.rgb for s in EXTENDED))
    apart = deltaE_ciede2000(colours[:, None], colours[None]) + 1e3 * np.eye(64)
    assert apart.min() >= 12
    assert deltaE_ciede2000(colours, lab((0, 0, 0))).min() >= 15


def test_first_colours_are_the_most_distinct():
    colours = lab(*(s.rgb for s in PALETTE))
    apart = deltaE_ciede2000(colours[:, None], colours[None]) + 1e3 * np.eye(24)
    nearest = [apart[:n, :n].min() for n in (4, 8, 12, 24)]
    assert nearest[0] > 35
    assert nearest[1] > 25
    assert nearest[2] > 20


def test_names_fit_the_hue():
    by_name = {s.name: np.array(s.rgb, int) for s in PALETTE}
    for name, channel in (("red", 0), ("maroon", 0), ("green", 1), ("dark green", 1), ("blue", 2)):
        assert by_name[name].argmax() == channel
    assert set(by_name["white"]) == {255}
    assert len(set(by_name["gray"].tolist())) == 1


def test_swatches_repeat_past_the_last():
    assert swatch(0) is swatch(24) is swatch(48) is PALETTE[0]
    assert swatch(23) is PALETTE[23]
    with pytest.raises(ValueError, match="0 or more"):
        swatch(-1)


def test_hex_code():
    assert hex_code((0, 10, 255)) == "#000AFF"


def test_text_colour_has_the_higher_contrast():
    rng = np.random.default_rng(0)
    grounds = [tuple(map(int, c)) for c in rng.integers(0, 256, (300, 3))]
    for ground in grounds + [s.rgb for s in PALETTE]:
        luminance = relative_luminance(ground)
        on_black, on_white = (luminance + 0.05) / 0.05, 1.05 / (luminance + 0.05)
        expected = (0, 0, 0) if on_black > on_white else (255, 255, 255)
        assert text_colour(ground) == expected
        assert max(on_black, on_white) > 4.5


@pytest.mark.parametrize(
    ("lut", "low", "high"),
    [
        (colormap.PLASMA, (13, 8, 135), (240, 249, 33)),
        (colormap.TURBO, (48, 18, 59), (122, 4, 3)),
        (colormap.GRAY, (0, 0, 0), (255, 255, 255)),
    ],
)
def test_colour_maps_run_from_low_to_high_in_rgb(lut, low, high):
    # published end colours: matplotlib's plasma, Google's turbo
    picture = colormap.apply(np.array([[0.0, 1.0]]), lut)
    assert np.abs(picture[0, 0].astype(int) - low).max() <= 1
    assert np.abs(picture[0, 1].astype(int) - high).max() <= 1


def test_plasma_and_gray_get_lighter_and_turbo_redder():
    for lut in (colormap.PLASMA, colormap.GRAY):
        lightness = rgb2lab(lut[None] / 255)[0, :, 0]
        assert (np.diff(lightness[::8]) > 0).all()
    turbo = colormap.TURBO.astype(int)
    assert turbo[50, 2] > turbo[50, 0]
    assert turbo[220, 0] > turbo[220, 2]


def test_each_eight_bit_value_takes_its_own_entry():
    values = np.arange(256).reshape(16, 16) / 255
    for lut in (colormap.PLASMA, colormap.TURBO, colormap.GRAY):
        for dtype in (np.float32, np.float64):
            picture = colormap.apply(values.astype(dtype), lut)
            np.testing.assert_array_equal(picture.reshape(256, 3), lut)


def test_values_past_the_ends_are_clipped_and_holes_refused():
    ends = colormap.apply(np.array([[-3.0, 7.0]]), colormap.GRAY)
    assert ends[0, :, 0].tolist() == [0, 255]
    with pytest.raises(ValueError, match="finite"):
        colormap.apply(np.array([[0.0, np.nan]]), colormap.GRAY)


def test_values_between_entries_are_rounded():
    picture = colormap.apply(np.array([[0.4, 0.6, 7.49, 7.51]]) / 255, colormap.GRAY)
    assert picture[0, :, 0].tolist() == [0, 1, 7, 8]
