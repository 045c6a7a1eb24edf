"""Scenes read back from their pixels."""

from itertools import product

import cv2
import numpy as np
import pytest

from gen.predictions.scenes.backdrops import studio
from gen.predictions.scenes.checks import Count, Look, NothingElse, Relation, facts, iou, verdicts
from gen.predictions.scenes.description import COLORS, SHAPES, TEXTURES, Thing
from gen.predictions.scenes.drawing import draw, silhouette
from gen.predictions.scenes.layout import arrange, random_kind
from gen.predictions.scenes.reading import color_name, masks, read

SIZE = (216, 288)


def rng(seed):
    return np.random.default_rng(seed)


def by_construction(things, size=SIZE):
    found = facts(things, [silhouette(thing, size) for thing in things])
    return sorted(found, key=lambda one: one.box)


def assert_same(seen, expected):
    assert [(one.shape, one.color, one.texture) for one in seen] == [
        (one.shape, one.color, one.texture) for one in expected
    ]
    for one, other in zip(seen, expected, strict=True):
        assert iou(one.box, other.box) > 0.85
        assert one.area == pytest.approx(other.area, rel=0.15)


@pytest.mark.parametrize(("shape", "texture"), list(product(SHAPES, TEXTURES)))
def test_every_kind_of_thing_is_read(shape, texture):
    first, second = rng(hash_of(shape, texture)).choice(len(COLORS), 2, replace=False)
    turn = 40.0 if shape == "cube" else 12.0
    things = (
        Thing(shape, COLORS[first], texture, 0.25, 0.75, 0.22, turn),
        Thing(shape, COLORS[second], "plain", 0.75, 0.8, 0.18, -turn),
    )
    picture = draw(things, studio(SIZE, rng(3)))
    assert_same(read(picture), by_construction(things))


def hash_of(shape, texture):
    return 10 * SHAPES.index(shape) + TEXTURES.index(texture)


@pytest.mark.parametrize("light", [-0.6, 0.0, 0.6])
def test_every_colour_is_read_in_any_light(light):
    for four in (COLORS[:4], COLORS[4:]):
        things = tuple(
            Thing("ball", color, "plain", 0.16 + 0.22 * k, 0.8, 0.16)
            for k, color in enumerate(four)
        )
        assert_same(read(draw(things, studio(SIZE, rng(1)), light)), by_construction(things))


def test_things_that_touch_are_told_apart_by_colour():
    things = (
        Thing("cube", "red", "plain", 0.35, 0.8, 0.2, 45.0),
        Thing("cube", "cyan", "plain", 0.55, 0.8, 0.2, 45.0),
    )
    seen = read(draw(things, studio(SIZE, rng(4))))
    assert [one.color for one in seen] == ["red", "cyan"]


def test_a_backdrop_alone_shows_nothing():
    for seed in range(6):
        assert read(studio(SIZE, rng(seed))) == []


def test_what_is_added_to_a_colourful_picture_is_read():
    photo = np.zeros((*SIZE, 3), np.uint8)
    photo[..., 0] = np.linspace(60, 220, SIZE[1])
    photo[..., 1], photo[..., 2] = 90, 40
    cv2.circle(photo, (60, 60), 30, (40, 60, 200), -1)
    things = (Thing("ball", "green", "striped", 0.7, 0.8, 0.22),)
    picture = draw(things, photo)
    assert len(read(picture)) != 1
    assert_same(read(picture, photo), by_construction(things))
    assert read(photo, photo) == []


def test_pictures_of_other_sizes_are_refused():
    with pytest.raises(ValueError, match="sizes"):
        read(np.zeros((8, 9, 3), np.uint8), np.zeros((9, 8, 3), np.uint8))


def test_masks_are_those_of_the_things():
    things = (
        Thing("cone", "blue", "plain", 0.3, 0.8, 0.2),
        Thing("ring", "pink", "plain", 0.7, 0.8, 0.2),
    )
    found = masks(draw(things, studio(SIZE, rng(5))))
    for mask, thing in zip(found, things, strict=True):
        shown = silhouette(thing, SIZE)
        assert (mask & shown).sum() / (mask | shown).sum() > 0.85


def test_hues_have_names():
    assert color_name(80, 67) == "red"
    assert color_name(-86, 83) == "green"
    assert color_name(79, -108) == "blue"


def test_another_description_reads_differently():
    right = (
        Thing("ball", "red", "plain", 0.3, 0.8, 0.2),
        Thing("cone", "cyan", "plain", 0.7, 0.8, 0.2),
    )
    wrong = (Thing("cube", "red", "plain", 0.7, 0.8, 0.2, 45.0),)
    checks = {
        "ball": Count(Look("ball"), 1),
        "red": Count(Look(color="red"), 1),
        "left": Relation(Look("ball"), "left of", Look("cone")),
        "all": NothingElse(2),
    }
    pictures = [draw(things, studio(SIZE, rng(6))) for things in (right, wrong)]
    assert list(verdicts(checks, read(pictures[0]), SIZE).values()) == [True] * 4
    assert list(verdicts(checks, read(pictures[1]), SIZE).values()) == [False, True, False, False]


@pytest.mark.slow
def test_verdicts_agree_with_the_descriptions():
    size, asked, agreed = (384, 512), 0, 0
    for seed in range(300):
        random = rng(seed)
        kinds = [random_kind(random) for _ in range(random.integers(2, 7))]
        things = arrange(random, kinds, size)
        picture = draw(things, studio(size, random), float(random.uniform(-0.6, 0.6)))
        checks = {
            f"{one} {thing}": check
            for thing in things
            for one, check in enumerate(
                [Count(look, 1) for look in looks(thing)]
                + [Relation(Look.of(thing), "left of", Look.of(other)) for other in things]
                + [NothingElse(len(things))]
            )
        }
        shown = verdicts(checks, by_construction(things, size), size)
        seen = verdicts(checks, read(picture), size)
        asked += len(checks)
        agreed += sum(shown[name] == seen[name] for name in checks)
    assert agreed / asked >= 0.99


def looks(thing):
    return (
        Look(thing.shape),
        Look(color=thing.color),
        Look(texture=thing.texture),
        Look.of(thing),
    )
