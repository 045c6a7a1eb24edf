"""Scenes: where things stand, and how they look in the picture."""

from itertools import combinations

import cv2
import numpy as np
import pytest
from skimage.color import deltaE_ciede2000, rgb2lab

from gen import rng
from gen.predictions.scenes.backdrops import from_photo, studio
from gen.predictions.scenes.description import COLORS, LARGE, SHAPES, SMALL, TEXTURES, Thing
from gen.predictions.scenes.drawing import PAINTS, draw, silhouette
from gen.predictions.scenes.layout import (
    GAP,
    Kind,
    arrange,
    fits,
    free_place,
    random_extent,
    random_kind,
    random_turn,
)
from gen.predictions.scenes.shapes import bounds

SIZE = (144, 192)
TURNS = {"cube": 40.0, "ring": 8.0}


def thing(shape="ball", color="red", texture="plain", x=0.5, y=0.75, extent=0.24):
    return Thing(shape, color, texture, x, y, extent, TURNS.get(shape, 0.0))


def grey(level=128, size=SIZE):
    return np.full((*size, 3), level, np.uint8)


def lab_of(picture):
    return rgb2lab(picture / 255.0)


def chroma_of(picture):
    lab = lab_of(picture)
    return np.hypot(lab[..., 1], lab[..., 2])


def inside(mask, pixels=2):
    return cv2.erode(mask.astype(np.uint8), np.ones((2 * pixels + 1,) * 2)).astype(bool)


def kinds(random, count, size=None):
    drawn = [random_kind(random) for _ in range(count)]
    return drawn if size is None else [kind._replace(size=size) for kind in drawn]


# Layout.


@pytest.mark.parametrize("seed", range(12))
def test_silhouettes_are_whole_and_apart(seed):
    random = rng.stream(seed, "layout")
    things = arrange(random, kinds(random, 2 + seed % 5), SIZE)
    masks = [silhouette(one, SIZE) for one in things]
    for mask in masks:
        assert mask.any()
        assert not (mask[0].any() or mask[-1].any() or mask[:, 0].any() or mask[:, -1].any())
    for one, other in combinations(masks, 2):
        away = cv2.distanceTransform((~one).astype(np.uint8), cv2.DIST_L2, 5)
        assert away[other].min() >= GAP * SIZE[1] - 2


def test_arrange_keeps_order_and_sizes():
    random = rng.stream(1, "order")
    asked = kinds(random, 6)
    placed = arrange(random, asked, SIZE)
    assert [Kind(one.shape, one.color, one.texture, one.size) for one in placed] == asked


@pytest.mark.parametrize("size", [(144, 192), (192, 144), (128, 192), (192, 192)])
def test_six_large_things_have_room(size):
    for seed in range(5):
        random = rng.stream(seed, "large")
        assert len(arrange(random, kinds(random, 6, LARGE), size)) == 6


def test_four_things_have_room_in_a_wide_picture():
    for seed in range(20):
        random = rng.stream(seed, "wide")
        asked = kinds(random, 2, LARGE) + kinds(random, 2, SMALL)
        assert len(arrange(random, asked, (96, 192))) == 4


def test_arrange_says_what_has_no_room():
    random = rng.stream(0, "none")
    with pytest.raises(ValueError, match="7 things, expected at most 6"):
        arrange(random, kinds(random, 7), SIZE)
    with pytest.raises(ValueError, match="no room for 6 things in 192 x 40 pixels"):
        arrange(random, kinds(random, 6, LARGE), (40, 192))


def test_equal_streams_give_equal_layouts():
    one, two = (arrange(s, kinds(s, 5), SIZE) for s in (rng.stream(3, "a"), rng.stream(3, "a")))
    assert one == two


def test_free_place_is_free():
    random = rng.stream(5, "free")
    things = arrange(random, kinds(random, 3), SIZE)
    x, y = free_place(things, 0.12, random, SIZE, "cone")
    more = thing("cone", x=x, y=y, extent=0.12)
    assert fits(more, things, SIZE)
    assert not fits(things[0], things, SIZE)


def test_no_place_is_free_in_a_full_picture():
    full = [thing("cube", x=x, y=y, extent=0.3) for x in (0.1, 0.4, 0.7, 1.0) for y in (0.5, 0.9)]
    assert free_place(full, 0.2, rng.stream(0, "full"), SIZE) is None


def test_extents_are_called_by_their_size():
    random = rng.stream(2, "extent")
    for size in (SMALL, LARGE):
        assert {thing(extent=random_extent(size, random)).size for _ in range(50)} == {size}


# Silhouettes.


@pytest.mark.parametrize("shape", SHAPES)
def test_bounds_and_extent_are_those_of_the_silhouette(shape):
    random = rng.stream(0, "turn", shape)
    size = (288, 384)
    for _ in range(4):
        one = Thing(shape, "red", "plain", 0.45, 0.7, 0.2, random_turn(shape, random))
        mask = silhouette(one, size)
        rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        found = columns[0], rows[0], columns[-1] + 1, rows[-1] + 1
        assert bounds(one, size) == pytest.approx(found, abs=1.5)
        assert found[2] - found[0] == pytest.approx(0.2 * 384, abs=2)


def filled(mask):
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    assert len(contours) == 1
    return contours[0], cv2.drawContours(np.zeros(mask.shape, np.uint8), contours, 0, 1, -1) > 0


def test_shapes_have_telling_silhouettes():
    masks = {shape: silhouette(thing(shape), (288, 384)) for shape in SHAPES}
    outlines = {shape: filled(mask) for shape, mask in masks.items()}
    for shape, (outline, whole) in outlines.items():
        hole = (whole & ~masks[shape]).sum() / whole.sum()
        assert hole > 0.15 if shape == "ring" else hole == 0
        _, radius = cv2.minEnclosingCircle(outline)
        roundness = whole.sum() / (np.pi * radius * radius)
        assert (roundness > 0.96) == (shape == "ball"), (shape, roundness)
    widths = {shape: mask.sum(axis=1) for shape, mask in masks.items()}
    for shape, narrow in (("cone", True), ("cylinder", False)):
        rows = np.flatnonzero(widths[shape])
        upper, lower = (widths[shape][rows[int(k * len(rows))]] for k in (0.25, 0.75))
        assert (upper < 0.5 * lower) == narrow


def test_a_thing_outside_of_the_picture_is_cut():
    mask = silhouette(thing(x=0.0), SIZE)
    assert 0 < mask.sum() < 0.6 * silhouette(thing(), SIZE).sum()
    gone = thing(x=3.0, y=3.0)
    assert not silhouette(gone, SIZE).any()
    assert (draw([gone, thing(y=-2.0)], grey()) == grey()).all()
    draw(
        [thing(shape, x=x, y=y) for shape in SHAPES for x in (0.0, 1.0) for y in (0.1, 1.0)], grey()
    )


# Pictures.


def test_a_picture_without_things_is_its_backdrop():
    every = np.arange(256, dtype=np.uint8).repeat(3).reshape(16, 16, 3)
    assert (draw([], every) == every).all()


def test_far_pixels_stay_and_the_backdrop_is_not_written_to():
    backdrop = studio(SIZE, rng.stream(0, "backdrop"))
    before = backdrop.copy()
    one = thing(x=0.25)
    picture = draw([one], backdrop)
    assert (backdrop == before).all()
    changed = (picture != before).any(axis=2)
    assert changed[silhouette(one, SIZE)].mean() > 0.99
    assert not changed[:, SIZE[1] * 3 // 4 :].any()


def test_equal_scenes_are_equal_pictures_in_any_order():
    random = rng.stream(7, "scene")
    things = arrange(random, kinds(random, 5), SIZE)
    one = draw(things, grey(), 0.3)
    assert (one == draw(things[::-1], grey(), 0.3)).all()
    assert (one != draw(things, grey(), -0.3)).any()


def test_paints_are_far_apart_and_strong():
    lab = {color: lab_of(np.array(paint)) for color, paint in PAINTS.items()}
    assert set(lab) == set(COLORS)
    for one, other in combinations(COLORS, 2):
        assert deltaE_ciede2000(lab[one], lab[other]) >= 20, (one, other)
    assert min(np.hypot(*value[1:]) for value in lab.values()) >= 45


@pytest.mark.parametrize("color", COLORS)
def test_things_are_seen_in_their_color(color):
    hues = {name: np.arctan2(*lab_of(np.array(paint))[[2, 1]]) for name, paint in PAINTS.items()}
    for shape in SHAPES:
        for light in (-0.6, 0.0, 0.6):
            one = thing(shape, color)
            picture = draw([one], grey(), light)
            part = inside(silhouette(one, SIZE), 1)
            lab, strong = lab_of(picture)[part], chroma_of(picture)[part]
            hue = np.arctan2(lab[:, 2], lab[:, 1])
            off = {name: np.abs(np.angle(np.exp(1j * (hue - at)))) for name, at in hues.items()}
            nearest = np.array(COLORS)[np.argmin([off[name] for name in COLORS], axis=0)]
            assert (nearest == color).mean() > 0.97, (shape, light)
            assert (strong > 25).mean() > 0.9, (shape, light)
            assert np.median(strong) > 35


@pytest.mark.parametrize("shape", SHAPES)
def test_textures_show_in_lightness_only(shape):
    spread, hues = {}, {}
    for texture in TEXTURES:
        one = thing(shape, "green", texture)
        picture = lab_of(draw([one], grey()))
        part = inside(silhouette(one, SIZE))
        # What is left when the shading of whole sides is gone.
        detail = picture[..., 0] - cv2.GaussianBlur(picture[..., 0], (0, 0), 4)
        lab, spread[texture] = picture[part], detail[part].std()
        hues[texture] = np.median(np.degrees(np.arctan2(lab[:, 2], lab[:, 1])))
    assert spread["striped"] > spread["plain"] + 3
    assert spread["spotted"] > spread["plain"] + 3
    assert max(hues.values()) - min(hues.values()) < 5


@pytest.mark.parametrize("shape", SHAPES)
def test_the_shadow_falls_away_from_the_lamp(shape):
    one = thing(shape)
    aside = ~cv2.dilate(silhouette(one, SIZE).astype(np.uint8), np.ones((3, 3))).astype(bool)
    dark = {}
    for light in (-0.6, 0.6):
        lost = (128 - draw([one], grey(), light).astype(float)).mean(axis=2) * aside
        middle = SIZE[1] // 2
        dark[light] = lost[:, :middle].sum(), lost[:, middle:].sum()
        assert lost.max() > 25
    assert dark[-0.6][1] > 1.5 * dark[-0.6][0]
    assert dark[0.6][0] > 1.5 * dark[0.6][1]


def test_the_lit_side_faces_the_lamp():
    one = thing("cylinder", "blue")
    mask = inside(silhouette(one, SIZE), 3)
    lightness = lab_of(draw([one], grey(), -0.6))[..., 0]
    halves = zip(*(np.array_split(part, 2, axis=1) for part in (lightness, mask)), strict=True)
    left, right = (light[part] for light, part in halves)
    assert np.median(left) > np.median(right) + 5


def test_the_backdrop_is_seen_through_a_ring():
    one = thing("ring", extent=0.3)
    _, whole = filled(silhouette(one, SIZE))
    hole = inside(whole & ~silhouette(one, SIZE), 2)
    assert hole.sum() > 100
    assert chroma_of(draw([one], grey()))[hole].max() < 15


def test_near_things_cover_far_ones():
    near, far = thing(color="red", y=0.8), thing(color="blue", y=0.7)
    both = silhouette(near, SIZE) & silhouette(far, SIZE)
    for order in ([near, far], [far, near]):
        pixels = draw(order, grey())[inside(both)].mean(axis=0)
        assert pixels[0] > pixels[2]


# Backdrops.


@pytest.mark.parametrize("seed", range(8))
def test_a_studio_has_almost_no_color_and_is_not_flat(seed):
    picture = studio(SIZE, rng.stream(seed, "studio"))
    assert picture.shape == (*SIZE, 3)
    assert chroma_of(picture).max() < 15
    assert picture.std() > 5
    assert (picture == studio(SIZE, rng.stream(seed, "studio"))).all()


def test_a_photo_becomes_a_backdrop_without_color():
    random = np.random.default_rng(0)
    coarse = random.choice([0, 255], (4, 5, 3)).astype(np.uint8)
    photo = cv2.resize(coarse, SIZE[::-1], interpolation=cv2.INTER_NEAREST)
    backdrop = from_photo(photo, rng.stream(0, "photo"))
    assert backdrop.shape == photo.shape
    assert chroma_of(photo).max() > 80
    assert chroma_of(backdrop).max() < 15
    other = from_photo(np.zeros_like(photo), rng.stream(0, "photo"))
    assert np.abs(backdrop.astype(int) - other)[: SIZE[0] // 5].mean() > 10
