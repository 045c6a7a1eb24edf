"""Boxes as pictures: lines, labels, colors and legends, and what looks the same."""

import re
import time
from fnmatch import fnmatchcase

import numpy as np
import pytest
import yaml
from boxes_cases import BOX_STEMS, Boxes, at_random, shipped_boxes
from encoding_cases import CONF
from numpy.typing import NDArray

from gen.judge import encodings
from gen.judge.encodings import Exhibit
from gen.predictions.annotation import BoxPrediction
from gen.render import palette
from gen.schema import BoxEncoding, ComboEncoding

HW = (240, 320)
RED, LIME = (palette.PALETTE[index].rgb for index in (0, 1))
PIXELS = ["pixel_s0_m0", "pixel_s1_m0", "pixel_s1_m1"]


def draw(stem: str, *options: Boxes, classes: tuple[str, ...] = ("cow",)) -> list[encodings.Shown]:
    photo = np.full((*HW, 3), 90, np.uint8)
    return list(shipped_boxes().encoder(stem).encode(Exhibit(HW, options, classes, photo)).options)


def box(x1: float, y1: float, x2: float, y2: float, label: str = "cow") -> BoxPrediction:
    return BoxPrediction(label, (x1, y1, x2, y2))


def pixels_of(picture: NDArray[np.uint8] | None, color: tuple[int, int, int]) -> NDArray[np.bool_]:
    assert picture is not None
    return np.asarray((picture == color).all(axis=2))


def test_rows_letters_and_words_agree() -> None:
    shipped = shipped_boxes()
    assert sorted(shipped.task.encodings) == BOX_STEMS
    for stem in PIXELS:
        encoding = shipped.encodings[stem]
        assert isinstance(encoding, BoxEncoding)
        words = yaml.safe_load((CONF / "encoding" / f"{stem}.yaml").read_text(encoding="utf-8"))
        labels, canvas = re.fullmatch(r"pixel_s([01])_m([01])", stem).groups()  # type: ignore[union-attr]
        assert words["name"] == stem
        assert words["labels"] is (labels == "1")
        assert words["canvas"] == ("separate" if canvas == "1" else "overlay")
    combo = shipped.encodings["0305"]
    assert isinstance(combo, ComboEncoding)
    assert combo.text == shipped.encodings["text_xyxy"]
    assert combo.picture == shipped.encodings["pixel_s1_m0"]


@pytest.mark.parametrize(
    ("one", "sides"),
    [
        (box(0, 0, 320, 240), (0, 0, 319, 239)),
        (box(-50, 30, 20, 90), (0, 30, 19, 89)),
        (box(300, 200, 999, 999), (300, 200, 319, 239)),
        (box(50.4, 60.5, 120.2, 130.7), (50, 61, 119, 130)),
        (box(7, 9, 8, 10), (7, 9, 7, 9)),
        (box(319, 239, 320, 240), (319, 239, 319, 239)),
    ],
)
def test_the_outer_edge_of_the_line_is_that_of_the_box(
    one: BoxPrediction, sides: tuple[int, int, int, int]
) -> None:
    (shown,) = draw("pixel_s0_m0", (one,))
    ys, xs = np.nonzero(pixels_of(shown.picture, RED))
    assert (xs.min(), ys.min(), xs.max(), ys.max()) == sides


def test_a_line_is_seen_on_its_own_color() -> None:
    photo = np.full((*HW, 3), RED, np.uint8)
    encoder = shipped_boxes().encoder("pixel_s0_m0")
    for one in (box(40, 40, 90, 100), box(60, 60, 61, 61)):
        (shown,) = encoder.encode(Exhibit(HW, [(one,)], ["cow"], photo)).options
        assert (~pixels_of(shown.picture, RED)).sum() >= 8


def test_lines_grow_with_the_photo() -> None:
    widths = []
    for scale in (1, 4, 8):
        size = (HW[0] * scale, HW[1] * scale)
        boxes = (box(10 * scale, 10 * scale, 200 * scale, 200 * scale),)
        photo = np.full((*size, 3), 90, np.uint8)
        encoder = shipped_boxes().encoder("pixel_s0_m0")
        (shown,) = encoder.encode(Exhibit(size, [boxes], ["cow"], photo)).options
        widths.append(int(pixels_of(shown.picture, RED)[100 * scale].sum()) // 2)
    assert widths[0] >= 2
    assert widths == sorted(set(widths))


def test_boxes_that_overlap_are_told_apart() -> None:
    for dx, dy in ((5, 0), (5, 5), (-7, 9), (0, 4)):
        one, two = box(40, 40, 140, 160), box(40 + dx, 40 + dy, 140 + dx, 160 + dy)
        both, first = draw("pixel_s0_m0", (one, two), (one,))
        red, alone = (pixels_of(shown.picture, RED) for shown in (both, first))
        assert (red & ~alone).sum() > 50


def test_one_class_has_one_color_in_all_options_and_the_legend_tells_it() -> None:
    first = (box(10, 10, 90, 90), box(100, 100, 200, 200, "ant"))
    second = (box(150, 20, 250, 90, "ant"),)
    for stem in PIXELS:
        a, b, empty = draw(stem, first, second, ())
        assert a.legend == "Legend: cow: red (#E61923); ant: lime (#82F01E)"
        assert b.legend == "Legend: ant: lime (#82F01E)"
        assert empty.legend == "Legend: no boxes"
        assert pixels_of(a.picture, RED).any()
        assert pixels_of(b.picture, LIME).any()
        assert not pixels_of(b.picture, RED).any()


def test_more_classes_than_colors_are_said() -> None:
    (shown,) = draw("pixel_s1_m0", at_random(80, [f"kind {i}" for i in range(80)], HW))
    assert shown.legend is not None
    assert f"there are only {len(palette.PALETTE)} colors" in shown.legend


def test_a_box_out_of_sight_is_not_drawn() -> None:
    away = (box(-40, 10, -10, 30, "ant"), box(321, 10, 330, 30, "ant"), box(5, -9, 9, 0, "ant"))
    nothing, none = draw("pixel_s1_m0", away, ())
    assert np.array_equal(nothing.picture, none.picture)  # type: ignore[arg-type]
    assert nothing.legend == none.legend == "Legend: no boxes"


@pytest.mark.parametrize("corner", [(0, 0), (310, 0), (0, 230), (310, 230), (150, 110)])
def test_a_label_stands_whole_on_the_canvas(corner: tuple[int, int]) -> None:
    x, y = corner
    one = (box(x, y, x + 10, y + 10, "refrigerator"),)
    (bare,), (labelled,) = (draw(stem, one, classes=()) for stem in PIXELS[:2])
    changed = (bare.picture != labelled.picture).any(axis=2)  # type: ignore[union-attr]
    ys, xs = np.nonzero(changed)
    assert xs.max() - xs.min() > 40
    assert ys.max() - ys.min() > 6
    # A plate that was cut off would lack a side of its frame, which is black or white.
    region = labelled.picture[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]  # type: ignore[index]
    sides = (region[0, 5:-5], region[-1, 5:-5])
    assert all(len(np.unique(side.reshape(-1, 3), axis=0)) <= 2 for side in sides)


def test_separate_pictures_are_black_where_nothing_is() -> None:
    encoder = shipped_boxes().encoder("pixel_s1_m1")
    assert not encoder.needs_photo
    (shown,) = encoder.encode(Exhibit(HW, [(box(10, 30, 60, 80),)], ["cow"])).options
    assert shown.picture is not None
    assert not shown.picture[120:, 120:].any()


def test_five_hundred_boxes() -> None:
    boxes = at_random(500, ["cow", "ox", "ant"], (480, 640), 3)
    photo = np.full((480, 640, 3), 90, np.uint8)
    started = time.perf_counter()
    for stem in BOX_STEMS:
        exhibit = Exhibit((480, 640), [boxes, boxes[:-1]], ["cow"], photo)
        a, b = shipped_boxes().encoder(stem).encode(exhibit).options
        assert a.text != b.text or not np.array_equal(a.picture, b.picture)  # type: ignore[arg-type]
    assert time.perf_counter() - started < 20


PAIRS: dict[str, tuple[Boxes, Boxes]] = {
    "equal": ((box(10, 10, 90, 90),), (box(10, 10, 90, 90),)),
    "off by a pixel": ((box(10, 10, 90, 90),), (box(11, 10, 90, 90),)),
    "off by a tenth": ((box(10, 10, 90, 90),), (box(10.1, 10, 90, 90),)),
    "another class": ((box(10, 10, 90, 90),), (box(10, 10, 90, 90, "ant"),)),
    "a copy more": ((box(10, 10, 90, 90),), (box(10, 10, 90, 90),) * 2),
    "a hidden class": (
        (box(10, 10, 90, 90),),
        (box(10, 10, 90, 90), box(10, 10, 90, 90, "ant")),
    ),
    "empty": ((), (box(10, 10, 90, 90),)),
    "out of sight": ((), (box(-90, 10, -10, 90),)),
    "another order": (at_random(6, ["cow", "ant"], HW), at_random(6, ["cow", "ant"], HW)[::-1]),
    "many": (at_random(9, ["cow", "ant"], HW, 1), at_random(9, ["cow", "ant"], HW, 2)),
}


@pytest.mark.parametrize("name", PAIRS)
def test_equal_digests_mean_equal_options(name: str) -> None:
    pair = PAIRS[name]
    task = shipped_boxes().task
    a, b = (encodings.appearances(task, one, HW) for one in pair)
    for stem in BOX_STEMS:
        (key,) = [key for key in a if any(fnmatchcase(stem, part) for part in key.split())]
        one, two = draw(stem, *pair, classes=("cow", "ant"))
        same = (
            one.text == two.text
            and one.legend == two.legend
            and (one.picture is None or np.array_equal(one.picture, two.picture))  # type: ignore[arg-type]
        )
        assert same == (a[key] == b[key]), stem


def test_weight_is_the_length_of_the_text() -> None:
    task = shipped_boxes().task
    few, many = (encodings.weight(task, at_random(n, ["cow"], HW), HW) for n in (2, 9))
    assert 0 < few < many
    assert encodings.weight(task, (), HW) == 2


def test_combo_shows_text_picture_and_legend() -> None:
    (shown,) = draw("0305", (box(10, 10, 90, 90),))
    assert shown.text == '[{"label":"cow","bbox":[10.0,10.0,90.0,90.0]}]'
    assert shown.picture is not None
    assert shown.legend == "Legend: cow: red (#E61923)"
    assert shown.format is not None
    assert "both show the same boxes" in shown.format
