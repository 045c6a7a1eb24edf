"""Things in words."""

import pytest

from gen.predictions.scenes import words
from gen.predictions.scenes.description import EXTENTS, LARGE, SMALL, Thing


def thing(shape="ball", color="red", texture="plain", extent=0.2):
    return Thing(shape, color, texture, 0.5, 0.7, extent)


def test_name_has_size_color_texture_and_shape_in_english_order():
    assert words.name(thing(texture="striped")) == "large red striped ball"
    assert words.name(thing("cone", "cyan", "spotted", 0.12)) == "small cyan spotted cone"


def test_plain_goes_without_saying_and_size_may():
    assert words.name(thing()) == "large red ball"
    assert words.name(thing(), size=False) == "red ball"


def test_phrase_names_an_unknown_shape_object():
    assert words.phrase(color="blue") == "blue object"
    assert words.phrase(size=SMALL) == "small object"
    assert words.phrase() == "object"


def test_every_extent_of_a_size_is_called_so():
    for size, span in EXTENTS.items():
        assert {thing(extent=extent).size for extent in span} == {size}
    assert set(EXTENTS) == {SMALL, LARGE}


@pytest.mark.parametrize(
    ("noun", "several"),
    [("red ball", "red balls"), ("box", "boxes"), ("brush", "brushes"), ("bus", "buses")],
)
def test_plural(noun, several):
    assert words.plural(noun) == several


def test_articles_follow_the_next_word():
    assert words.with_article("orange ball") == "an orange ball"
    assert words.with_article("large orange ball") == "a large orange ball"


def test_counts():
    assert words.counted(1, "red ball") == "a red ball"
    assert words.counted(3, "red ball") == "three red balls"
    assert words.counted(0, "red ball") == "no red balls"
    assert words.number(12) == "twelve"
    assert words.number(13) == "13"


def test_joined():
    assert words.joined([]) == ""
    assert words.joined(["one"]) == "one"
    assert words.joined(["one", "two"]) == "one and two"
    assert words.joined(["one", "two", "three"]) == "one, two and three"


def test_listing_counts_equal_things():
    cube = thing("cube", "blue", "striped", 0.11)
    things = [thing(), cube, thing("cone", "orange"), cube]
    assert words.listing(things) == (
        "a large red ball, two small blue striped cubes and a large orange cone"
    )
    assert words.listing([thing("ring", "orange")], size=False) == "an orange ring"


def test_a_thing_comes_back_from_json():
    one = Thing("ring", "pink", "spotted", 0.25, 0.75, 0.12, 10.5)
    assert Thing.from_json(one.to_json()) == one
