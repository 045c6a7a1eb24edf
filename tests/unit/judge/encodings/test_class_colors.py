"""The colors of classes: the table, its substitutes, and colors by lot."""

import itertools
import json
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from skimage.color import deltaE_ciede2000, rgb2lab

from gen.judge.encodings.masks import class_colors
from gen.judge.encodings.masks.colors import Assignment
from gen.render.palette import EXTENDED
from gen.schema import Settings
from gen.sources.open import open_source

NAMES = ["red", "sea", "cow", "fog 1", "zebra", "wall"]


def least_distance(assignment: Assignment) -> float:
    """CIEDE2000 between the two nearest colors, or from black to the nearest one."""
    colors = [(0, 0, 0), *(swatch.rgb for swatch in assignment.swatches.values())]
    lab = rgb2lab(np.array(colors, float)[None] / 255)[0]
    apart = deltaE_ciede2000(lab[:, None], lab[None]) + 1e3 * np.eye(len(lab))
    return float(apart.min())


def same_color() -> tuple[str, str]:
    """Two classes that the table gives one color."""
    seen: dict[str, str] = {}
    for label in class_colors._table():
        name = class_colors.table_color(label).name
        if name in seen:
            return seen[name], label
        seen[name] = label
    raise AssertionError("no color is used twice")


@pytest.mark.parametrize("count", [1, 12, 24, 64])
def test_colors_shown_together_are_far_apart(count: int) -> None:
    labels = list(class_colors._table())
    for seed in range(20):
        chosen = np.random.default_rng(seed).choice(labels, count, replace=False).tolist()
        for made in (class_colors.standard(chosen), class_colors.by_lot(chosen, str(seed))):
            assert least_distance(made) >= 12
            assert not made.repeats
            assert list(made.swatches) == chosen


def test_a_class_has_its_own_color_in_every_company() -> None:
    for label, other in itertools.permutations(NAMES, 2):
        if class_colors.table_color(label) != class_colors.table_color(other):
            for order in ([label, other], [other, label]):
                made = class_colors.standard(order)
                assert made.swatches[label] == class_colors.table_color(label)


def test_the_later_of_two_equal_colors_takes_a_substitute() -> None:
    first, second = same_color()
    own = class_colors.table_color(first)
    company = ["sea", "cow", first, second]
    made = class_colors.standard(company)
    assert made.swatches[first] == own
    substitute = made.swatches[second]
    by_right = {class_colors.table_color(label) for label in company}
    assert substitute == next(swatch for swatch in EXTENDED if swatch not in by_right)
    assert class_colors.standard([second, first]).swatches[second] == own


def test_unknown_classes_have_a_fixed_color_of_their_own() -> None:
    # The first byte of SHA-256 of the name is 0xbd, and 0xbd modulo 64 is 61.
    assert class_colors.table_color("no such class") == EXTENDED[61]


def test_past_the_last_color_they_repeat() -> None:
    many = [f"class {index}" for index in range(70)]
    for made in (class_colors.standard(many), class_colors.by_lot(many, "")):
        assert made.repeats
        assert len(set(made.swatches.values())) == len(EXTENDED)


def test_colors_by_lot_hang_on_the_lot_alone() -> None:
    a, again, b = (class_colors.by_lot(NAMES, lot) for lot in ("1", "1", "2"))
    assert a == again
    assert a != b


def test_the_table_lists_the_classes_of_the_data_sets(shared_data: Path) -> None:
    table = class_colors._table()
    panoptic = json.loads((shared_data / "panoptic" / "panoptic.json").read_bytes())
    names = [category["name"] for category in panoptic["categories"]]
    ade20k = (shared_data / "panoptic" / "ade20k" / "objectInfo150.txt").read_text().splitlines()
    names += [line.split("\t")[4].split(",")[0].strip() for line in ade20k[1:]]
    assert len(names) == 133 + 150
    assert [name for name in names if name not in table] == []


def test_the_table_lists_the_classes_of_the_photos_that_come_along() -> None:
    content = json.loads((files("gen.sources") / "embedded" / "semantic.json").read_bytes())
    names = [category["name"] for category in content["categories"][1:]]
    assert [name for name in names if name not in class_colors._table()] == []


def photos_of(settings: Callable[..., Settings], *data: str) -> Iterator[list[str]]:
    """The classes of each photo that has classes of pixels."""
    source = open_source(settings("task=semantic_seg", *data).data)
    for photo in source.photos():
        truth = source.semantic(photo.image_id)
        if truth is not None:
            yield [truth.classes[n - 1] for n in np.unique(truth.ids).tolist() if n]


def test_colors_on_photos_that_come_along_are_far_apart(settings: Callable[..., Settings]) -> None:
    photos = list(photos_of(settings, "data=embedded"))
    assert len(photos) == 5
    assert min(least_distance(class_colors.standard(classes)) for classes in photos) >= 12


def test_substitutes_are_rare_on_real_photos(
    settings: Callable[..., Settings], shared_data: Path
) -> None:
    photos = list(photos_of(settings, "data=folder", f"data.root={shared_data}"))
    assert len(photos) >= 20
    replaced = 0
    for classes in photos:
        made = class_colors.standard(classes)
        assert least_distance(made) >= 12
        replaced += sum(made.swatches[one] != class_colors.table_color(one) for one in classes)
    assert replaced <= 0.05 * sum(map(len, photos))
