"""Pictures of masks: what the legend says is what is drawn, and nothing else is."""

import re
from typing import Any

import numpy as np
import pytest
from encoding_cases import PIXEL_STEMS, Instances, Shipped, blobs, exhibit, rectangle
from numpy.typing import NDArray

from gen import masks
from gen.judge.encodings import Encoded
from gen.predictions.annotation import MaskPrediction
from gen.render import palette

MASK_STEMS = [stem for stem in PIXEL_STEMS if "ss1" in stem]
BARE = {"labels": False, "boxes": "none"}
ENTRY = re.compile(r"([^:;]+): [a-z ]+ \(#([0-9A-F]{6})\)")


def legend_colors(legend: str | None) -> dict[str, tuple[int, ...]]:
    entries = ENTRY.findall((legend or "").removeprefix("Legend: "))
    return {label.strip(): tuple(bytes.fromhex(code)) for label, code in entries}


def apart() -> Instances:
    """Three instances of two classes that do not touch, one with a hole."""
    ring = masks.decode(rectangle(60, 20, 100, 60))
    ring[35:45, 75:85] = 0
    return (
        MaskPrediction("dog", rectangle(10, 40, 50, 80)),
        MaskPrediction("cat", masks.encode(ring)),
        MaskPrediction("dog", rectangle(110, 60, 150, 110)),
    )


def interior(rle: masks.Rle) -> NDArray[np.bool_]:
    mask = masks.decode(rle).astype(bool)
    for axis in (0, 1):
        for _ in range(4):
            mask = mask & np.roll(mask, 1, axis) & np.roll(mask, -1, axis)
    return mask


def picture(encoded: Encoded, option: int = 0) -> NDArray[np.uint8]:
    found = encoded.options[option].picture
    assert found is not None
    return found


@pytest.mark.parametrize("stem", ["pixel_ss1_m1_o0_l1_c0_b1", "pixel_ss1_m0_o1_l1_c0_b1"])
def test_the_legend_is_the_pixel_where_nothing_is_blended(
    stem: str, shipped: Shipped, photo: NDArray[np.uint8]
) -> None:
    encoded = shipped.encoder(stem, **BARE).encode(exhibit(photo, [apart()], ["cat", "dog"]))
    colors = legend_colors(encoded.options[0].legend)
    assert list(colors) == ["cat", "dog"]
    drawn = picture(encoded)
    for instance in apart():
        inside = masks.decode(instance.rle).astype(bool)
        assert (drawn[inside] == colors[instance.label]).all()


def test_the_legend_is_the_color_before_blending(
    shipped: Shipped, photo: NDArray[np.uint8]
) -> None:
    for opacity in (0.5, 0.3):
        encoder = shipped.encoder("pixel_ss1_m0_o0_l0_c0_b0", opacity=opacity)
        encoded = encoder.encode(exhibit(photo, [apart()], ["cat", "dog"]))
        colors = legend_colors(encoded.options[0].legend)
        drawn = picture(encoded)
        for instance in apart():
            inside = interior(instance.rle)
            color = np.array(colors[instance.label])
            expected = np.floor(photo[inside] * (1 - opacity) + color * opacity + 0.5)
            assert np.abs(drawn[inside] - expected).max() == 0
        outside = ~np.any([masks.decode(one.rle) for one in apart()], axis=0)
        assert (drawn[outside] == photo[outside]).mean() > 0.9


def test_a_class_has_one_color_in_all_options(shipped: Shipped, photo: NDArray[np.uint8]) -> None:
    options = [apart(), apart()[1:], (*apart(), MaskPrediction("ant", rectangle(0, 0, 9, 9)))]
    encoded = shipped.encoder("pixel_ss1_m1_o0_l1_c0_b1").encode(exhibit(photo, options, ["dog"]))
    a, b, c = (legend_colors(option.legend) for option in encoded.options)
    assert list(a) == ["dog", "cat"]
    assert list(c) == ["dog", "ant", "cat"]
    assert a.items() <= c.items() and b.items() <= c.items()
    assert a["dog"] == palette.swatch(0).rgb


def test_instances_have_colors_of_their_own_and_no_legend(shipped: Shipped) -> None:
    knobs: dict[str, Any] = {"canvas": "separate", **BARE}
    encoded = shipped.encoder("pixel_ss1_m0_o0_l1_c1_b1", **knobs).encode(
        exhibit(None, [apart()], ["dog"], (120, 160))
    )
    assert encoded.options[0].legend is None
    drawn = picture(encoded)
    for index, instance in enumerate(apart()):
        inside = masks.decode(instance.rle).astype(bool)
        assert (drawn[inside] == palette.swatch(index).rgb).all()


def test_instances_at_one_place_have_one_color_in_all_options(shipped: Shipped) -> None:
    """Whatever else an option has, and in whatever order."""
    knobs: dict[str, Any] = {"canvas": "separate", **BARE}
    encoder = shipped.encoder("pixel_ss1_m0_o0_l1_c1_b1", **knobs)
    first, *others = apart()
    options = [tuple(apart()), (*others[::-1], first), tuple(others)]
    for order in ((0, 1, 2), (2, 1, 0)):
        shown = encoder.encode(exhibit(None, [options[i] for i in order], ["dog"], (120, 160)))
        for instance in others:
            inside = masks.decode(instance.rle).astype(bool)
            colors = {tuple(np.asarray(one.picture)[inside][0]) for one in shown.options}
            assert len(colors) == 1


@pytest.mark.parametrize("stem", [stem for stem in PIXEL_STEMS if "_m1" in stem])
def test_a_separate_canvas_shows_nothing_of_the_photo(
    stem: str, shipped: Shipped, photo: NDArray[np.uint8]
) -> None:
    encoder = shipped.encoder(stem)
    assert not encoder.needs_photo
    drawn = picture(encoder.encode(exhibit(photo, [apart()], ["cat"])))
    assert (drawn == picture(encoder.encode(exhibit(255 - photo, [apart()], ["cat"])))).all()
    assert (drawn == picture(encoder.encode(exhibit(None, [apart()], ["cat"], (120, 160))))).all()
    assert not picture(encoder.encode(exhibit(photo, [()], [])))[::8, ::8].any() or "ss0" in stem


@pytest.mark.parametrize("stem", MASK_STEMS)
def test_class_names_are_drawn_only_where_the_stem_says_so(
    stem: str, shipped: Shipped, photo: NDArray[np.uint8]
) -> None:
    renamed = tuple(MaskPrediction(f"{one.label}fish", one.rle) for one in apart())
    encoder = shipped.encoder(stem)
    before = encoder.encode(exhibit(photo, [apart()], ["cat", "dog"]))
    after = encoder.encode(exhibit(photo, [renamed], ["catfish", "dogfish"]))
    assert (picture(before) == picture(after)).all() == ("_l0_" in stem)
    assert ("names its class" in (before.format or "")) == ("_l1_" in stem)


@pytest.mark.parametrize("stem", MASK_STEMS)
def test_boxes_are_drawn_only_where_the_stem_says_so(
    stem: str, shipped: Shipped, photo: NDArray[np.uint8]
) -> None:
    with_knob = shipped.encoder(stem, labels=False)
    without = shipped.encoder(stem, labels=False, boxes="none")
    a, b = (one.encode(exhibit(photo, [apart()], ["cat"])) for one in (with_knob, without))
    corner = picture(a)[40, 10].tolist()
    assert (picture(a) != picture(b)).any() == ("_b1" in stem)
    assert ("dashed box" in (a.format or "")) == ("_b1" in stem)
    if "_b1" in stem:
        assert corner == list(palette.swatch(0 if "_c1" in stem else 1).rgb)


def test_small_things_get_small_letters(shipped: Shipped) -> None:
    encoder = shipped.encoder("pixel_ss1_m0_o0_l1_c0_b0", canvas="separate", mask_style="contour")

    def plate(side: int) -> int:
        """Height of the label of a square: rows with ink above it."""
        square = MaskPrediction("person", rectangle(200, 200, 200 + side, 200 + side, (480, 640)))
        drawn = picture(encoder.encode(exhibit(None, [(square,)], [], (480, 640))))
        return int(drawn[:199].any(axis=(1, 2)).sum())

    assert 9 <= plate(2) < 0.75 * plate(100)
    assert plate(2) <= plate(35) <= plate(100) == plate(200)


def test_holes_have_an_outline_too(shipped: Shipped) -> None:
    grey = np.full((120, 160, 3), 90, np.uint8)
    encoded = shipped.encoder("pixel_ss1_m0_o0_l0_c0_b0").encode(exhibit(grey, [apart()], ["cat"]))
    assert tuple(picture(encoded)[40, 74]) == palette.swatch(0).rgb
    assert tuple(picture(encoded)[40, 60]) == palette.swatch(0).rgb
    assert picture(encoded)[40, 80].tolist() == [90, 90, 90]


def test_outlines_show_on_ground_of_their_own_color(shipped: Shipped) -> None:
    square = MaskPrediction("dog", rectangle(30, 30, 90, 90))
    for index, swatch in enumerate(palette.PALETTE):
        ground = np.full((120, 160, 3), swatch.rgb, np.uint8)
        classes = [f"class {i}" for i in range(index)]
        encoder = shipped.encoder("pixel_ss1_m0_o0_l0_c0_b0")
        encoded = encoder.encode(exhibit(ground, [(square,)], [*classes, "dog"]))
        assert legend_colors(encoded.options[0].legend)["dog"] == swatch.rgb
        row = picture(encoded)[60, 20:45]
        line = np.flatnonzero((row != swatch.rgb).any(axis=1))
        assert line.tolist() == [9, 12]  # around a line of two pixels from column 30 on
        assert (row[line] == palette.text_colour(swatch.rgb)).all()
    assert "between two thin lines in black or white" in (encoded.format or "")


def test_outlines_of_small_things_leave_them_in_sight(shipped: Shipped) -> None:
    ground = np.full((120, 160, 3), 90, np.uint8)
    encoder = shipped.encoder("pixel_ss1_m0_o0_l0_c0_b0")

    def inked(side: int) -> int:
        square = MaskPrediction("dog", rectangle(30, 30, 30 + side, 30 + side))
        drawn = picture(encoder.encode(exhibit(ground, [(square,)], ["dog"])))
        return int((drawn[30 + side // 2, 20:30] != 90).any(axis=1).sum())

    assert [inked(side) for side in (6, 12, 60)] == [0, 0, 1]
    for side in (3, 6, 12):
        square = MaskPrediction("dog", rectangle(30, 30, 30 + side, 30 + side))
        drawn = picture(encoder.encode(exhibit(ground, [(square,)], ["dog"])))[
            30 : 30 + side, 30 : 30 + side
        ]
        edge = (drawn == palette.swatch(0).rgb).all(axis=2)
        assert (~edge).sum() > 0


def test_lines_of_filled_things_leave_most_of_them_in_sight(shipped: Shipped) -> None:
    ground = np.full((120, 160, 3), 90, np.uint8)
    encoder = shipped.encoder("pixel_ss1_m0_o0_l0_c0_b1")
    for side in (16, 30, 60):
        square = MaskPrediction("dog", rectangle(30, 30, 30 + side, 30 + side))
        drawn = picture(encoder.encode(exhibit(ground, [(square,)], ["dog"])))
        inside = drawn[30 : 30 + side, 30 : 30 + side]
        fill = (inside == inside[side // 2, side // 2]).all(axis=2)
        assert fill.mean() > 0.75


def test_plates_on_a_fill_of_their_color_have_an_edge(shipped: Shipped) -> None:
    everywhere = MaskPrediction("dog", rectangle(0, 0, 160, 120))
    for stem in ("pixel_ss1_m1_o0_l1_c0_b1", "pixel_ss1_m0_o1_l1_c0_b1"):
        ground = np.full((120, 160, 3), 90, np.uint8)
        with_label = shipped.encoder(stem, boxes="none").encode(
            exhibit(ground, [(everywhere,)], ["dog"])
        )
        without = shipped.encoder(stem, **BARE).encode(exhibit(ground, [(everywhere,)], ["dog"]))
        changed = np.argwhere((picture(with_label) != picture(without)).any(axis=2))
        (top, left), (bottom, right) = changed.min(axis=0), changed.max(axis=0)
        plate = picture(with_label)[top : bottom + 1, left : right + 1]
        ink = palette.text_colour(palette.swatch(0).rgb)
        for edge in (plate[0], plate[-1], plate[:, 0], plate[:, -1]):
            assert (edge == ink).all()


def test_only_classes_are_named_once_for_many(shipped: Shipped) -> None:
    """By class a crowd shares labels; by instance each thing has its own."""
    crowd = tuple(
        MaskPrediction("bee", rectangle(x, y, x + 8, y + 8, (240, 320)))
        for x in range(80, 240, 8)
        for y in range(60, 180, 8)
    )
    ground = np.full((240, 320, 3), 90, np.uint8)

    def labels(stem: str) -> tuple[int, str]:
        named, bare = (
            shipped.encoder(stem, boxes="none", labels=on).encode(exhibit(ground, [crowd], ["bee"]))
            for on in (True, False)
        )
        plates = (picture(named) != picture(bare)).any(axis=2)
        return int(plates[60:180, 80:240].sum()), named.format or ""

    by_class, said = labels("pixel_ss1_m0_o0_l1_c0_b1")
    assert "Where there is room, a label" in said
    by_instance, said = labels("pixel_ss1_m0_o0_l1_c1_b1")
    assert "Where there is room" not in said
    assert by_class < 0.1 * 120 * 160 < 0.5 * by_instance


def test_touching_masks_of_one_class_stay_apart(shipped: Shipped) -> None:
    pair = (
        MaskPrediction("cow", rectangle(20, 20, 80, 100)),
        MaskPrediction("cow", rectangle(80, 20, 130, 100)),
    )
    for stem in ("pixel_ss1_m1_o0_l1_c0_b1", "pixel_ss1_m0_o1_l1_c0_b1"):
        grey = np.full((120, 160, 3), 90, np.uint8)
        encoded = shipped.encoder(stem, **BARE).encode(exhibit(grey, [pair], ["cow"]))
        assert (picture(encoded)[60, 70:90] == 0).all(axis=1).any()
        assert "black line" in (encoded.format or "")


def test_a_small_mask_is_not_lost_under_a_large_one(shipped: Shipped) -> None:
    small = MaskPrediction("bee", rectangle(50, 50, 51, 51))
    large = MaskPrediction("cow", rectangle(20, 20, 120, 100))
    for order in ((small, large), (large, small)):
        encoder = shipped.encoder("pixel_ss1_m1_o0_l1_c0_b1", **BARE)
        encoded = encoder.encode(exhibit(None, [order], ["bee", "cow"], (120, 160)))
        assert tuple(picture(encoded)[50, 50]) == palette.swatch(0).rgb


@pytest.mark.parametrize("stem", PIXEL_STEMS)
@pytest.mark.parametrize("hw", [(32, 32), (1, 1), (200, 3)])
@pytest.mark.parametrize("count", [0, 500])
def test_any_number_of_instances_on_any_size(
    stem: str, hw: tuple[int, int], count: int, shipped: Shipped
) -> None:
    ground = np.full((*hw, 3), 90, np.uint8)
    many = blobs(count, [f"class {index}" for index in range(40)], hw)
    encoded = shipped.encoder(stem).encode(exhibit(ground, [many, ()], ["class 1"]))
    assert picture(encoded).shape == (*hw, 3)
    assert picture(encoded).dtype == np.uint8
    assert (ground == 90).all()
    if "_c1_" not in stem:
        assert encoded.options[1].legend == "Legend: no instances"


@pytest.mark.slow
@pytest.mark.parametrize("stem", PIXEL_STEMS)
def test_large_photos(stem: str, shipped: Shipped) -> None:
    ground = np.full((3000, 4000, 3), 90, np.uint8)
    encoded = shipped.encoder(stem).encode(
        exhibit(ground, [blobs(20, ["a", "b"], (3000, 4000))], ["a"])
    )
    assert picture(encoded).shape == ground.shape


def test_with_more_classes_than_colors_the_legend_says_so(shipped: Shipped) -> None:
    labels = [f"class {index:02}" for index in range(30)]
    many = tuple(
        MaskPrediction(label, rectangle(x, y, x + 10, y + 10))  # each fills a cell of the grid
        for index, label in enumerate(labels)
        for x, y in [(index % 16 * 10, index // 16 * 10)]
    )
    for stem in ("pixel_ss1_m0_o0_l0_c0_b0", "pixel_ss0_m0"):
        encoder = shipped.encoder(stem)
        ground = np.full((120, 160, 3), 90, np.uint8)
        few, full = encoder.encode(exhibit(ground, [many[:24], many], labels[:24])).options
        assert (full.legend or "").endswith("only 24 colors, so some are used more than once")
        # What one option says of colors goes for all, or a class could seem to change its color.
        assert (few.legend or "").endswith("only 24 colors, so some are used more than once")
        alone = encoder.encode(exhibit(ground, [many[:24]], labels[:24])).options[0]
        assert "only 24 colors" not in (alone.legend or "")


@pytest.mark.parametrize("style", ["filled", "contour", "both"])
@pytest.mark.parametrize("canvas", ["overlay", "separate"])
def test_mask_styles(style: str, canvas: str, shipped: Shipped) -> None:
    ground = np.full((120, 160, 3), 90, np.uint8)
    encoder = shipped.encoder(
        "pixel_ss1_m0_o0_l0_c0_b0", mask_style=style, canvas=canvas, color_by="class"
    )
    encoded = encoder.encode(exhibit(ground, [apart()], ["dog"]))
    said = encoded.format or ""
    middle, edge = picture(encoded)[60, 30], picture(encoded)[60, 10]
    bare = [90] * 3 if canvas == "overlay" else [0] * 3
    assert (middle.tolist() == bare) == (style == "contour")
    assert ("is filled" in said) == (style != "contour")
    if style == "contour":
        assert tuple(edge) == palette.swatch(0).rgb
    assert ("line" in said) == (style != "filled")


def test_the_format_tells_what_is_drawn_and_nothing_of_the_options(shipped: Shipped) -> None:
    ground = np.full((120, 160, 3), 90, np.uint8)
    for stem in PIXEL_STEMS:
        encoder = shipped.encoder(stem)
        said = encoder.encode(exhibit(ground, [apart(), ()], ["cat"])).format or ""
        other = encoder.encode(exhibit(ground, [blobs(70, ["x", "y"], (120, 160))], ["x"])).format
        assert said == other
        assert ("over the original image" in said) == ("_m0" in stem)
        assert ("black canvas" in said) == ("_m1" in stem)
        assert ("opacity 0.5 (half transparent)" in said) == ("_m0" in stem and "_o1" not in stem)
        assert ("opacity 1.0 (opaque)" in said) == ("_o1" in stem)
        assert not re.search(r"[{}]|  |\bcat\b", said)


def test_indices_and_colors_hold_within_one_prediction(shipped: Shipped) -> None:
    """A thing that owns no cell has no entry, and prompts say that indices may be skipped."""
    small = (MaskPrediction("bee", rectangle(0, 0, 3, 3)), *apart())
    ground = np.full((120, 160, 3), 90, np.uint8)
    for stem in shipped.encodings:
        encoded = shipped.encoder(stem).encode(exhibit(ground, [small, apart()], ["dog"]))
        said = encoded.format or encoded.options[0].format or ""
        counted = "ss0" in stem or "matrix" in stem
        assert ("Indices may be skipped, since instances that own no cell" in said) == counted
        assert ("largest part" in said) == counted
        by_instance = "_c1" in stem or stem == "1742"
        assert ("not carry over to another prediction" in said) == counted
        assert ("mostly agree on its color" in said) == by_instance
        if counted:
            assert (encoded.options[0].legend or "").startswith("Legend: 2: dog")


def test_a_combo_says_that_its_two_parts_are_one_prediction(shipped: Shipped) -> None:
    said = (
        shipped.encoder("1742")
        .encode(exhibit(np.zeros((120, 160, 3), np.uint8), [apart()], []))
        .options
    )
    assert "both show the same instances" in (said[0].format or "")
    assert "instance_id of the text is not drawn in the image" in (said[0].format or "")


def test_order_of_options_does_not_change_how_each_is_drawn(
    shipped: Shipped, photo: NDArray[np.uint8]
) -> None:
    other = blobs(5, ["cat", "eel"], (120, 160))
    for stem in shipped.encodings:
        encoder = shipped.encoder(stem)
        ab = encoder.encode(exhibit(photo, [apart(), other], ["dog"])).options
        ba = encoder.encode(exhibit(photo, [other, apart()], ["dog"])).options
        for one, same in zip(ab, reversed(ba), strict=True):
            assert (one.text, one.legend, one.format) == (same.text, same.legend, same.format)
            assert one.picture is None or np.array_equal(one.picture, same.picture)  # type: ignore[arg-type]
