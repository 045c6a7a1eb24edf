"""Classes of pixels and referred regions: what is said is what is drawn, in every form."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from encoding_cases import CONF, Instances, Shipped, blank, exhibit, rectangle
from numpy.typing import NDArray

from gen import masks
from gen.judge import encodings
from gen.judge.encodings.masks import regions, text
from gen.predictions.annotation import MaskPrediction
from gen.render import palette
from gen.render.grid import cell_edges
from gen.schema import GridEncoding, MaskEncoding, Settings
from gen.sources.open import open_source

HW = (120, 160)
LETTERS: dict[str, dict[str, dict[str, Any]]] = {
    "semantic": {
        "m": {"0": {"canvas": "overlay"}, "1": {"canvas": "separate"}},
        "o": {"0": {"opacity": 0.5}, "1": {"opacity": 1.0}},
        "l": {"0": {"labels": False}, "1": {"labels": True}},
        "c": {"0": {"color_by": "standard"}, "1": {"color_by": "random"}},
    },
    "referring": {
        "m": {"0": {"canvas": "overlay"}, "1": {"canvas": "separate"}},
        "o": {"0": {"opacity": 0.5}, "1": {"opacity": 1.0}},
        "n": {
            style: {"mask_style": words}
            for style, words in zip("012", ("filled", "contour", "both"), strict=True)
        },
    },
}
EXPRESSION = "the cow on the left"


def classes() -> Instances:
    """Sky above grass with a donut of a cow on it, and pixels without a class at the right."""
    ring = masks.decode(rectangle(20, 30, 70, 90))
    ring[50:70, 35:55] = 0
    sky, grass = blank(), blank()
    sky[:60, :130] = 1
    grass[60:, :130] = 1
    return tuple(
        MaskPrediction(label, masks.encode(mask))
        for label, mask in (("cow", ring), ("grass", grass & ~ring), ("sky", sky & ~ring))
    )


def other_classes() -> Instances:
    """The cow is taken for a bear, in two parts, and the sky is lost."""
    parts = masks.union([rectangle(20, 30, 40, 90), rectangle(90, 80, 110, 100)])
    return (MaskPrediction("bear", parts), MaskPrediction("grass", rectangle(0, 100, 130, 120)))


def region(rle: masks.Rle | None = None, expression: str = EXPRESSION) -> Instances:
    return (MaskPrediction(expression, rle or rectangle(30, 30, 90, 90)),)


def colors_of(legend: str | None) -> dict[str, tuple[int, ...]]:
    found = re.findall(
        r"([^:;]+): [a-z ]+ \(#([0-9A-F]{6})\)", (legend or "").removeprefix("Legend: ")
    )
    return {label.strip(): tuple(bytes.fromhex(code)) for label, code in found}


def four_times(prediction: Instances) -> Instances:
    """The prediction on a photo four times as large."""
    large = np.ones((4, 4), np.uint8)
    return tuple(
        MaskPrediction(one.label, masks.encode(np.kron(masks.decode(one.rle), large)))
        for one in prediction
    )


@pytest.mark.parametrize("family", ["semantic", "referring"])
def test_stems_and_knobs_agree(family: str, request: pytest.FixtureRequest) -> None:
    shipped: Shipped = request.getfixturevalue(family)
    assert len(shipped.encodings) == 11
    for stem, encoding in shipped.encodings.items():
        assert encoding.name == stem
        if not stem.startswith("pixel"):
            continue
        assert isinstance(encoding, GridEncoding if "ss0" in stem else MaskEncoding)
        # Referring uses m twice: by position, the last one is the style.
        parts = stem.split("_")[2:]
        if family == "referring" and "ss1" in stem:
            parts[-1] = f"n{parts[-1][1]}"
        words = yaml.safe_load((CONF / "encoding" / f"{stem}.yaml").read_text(encoding="utf-8"))
        for letter, digit in parts:
            assert LETTERS[family][letter][digit].items() <= words.items(), stem


@pytest.mark.parametrize("stem", ["pixel_ss1_m1_o0_l1_c0", "pixel_ss1_m0_o1_l1_c0"])
@pytest.mark.parametrize("color_by", ["standard", "random"])
def test_the_legend_is_the_pixel_where_nothing_is_blended(
    stem: str, color_by: str, semantic: Shipped, photo: NDArray[np.uint8]
) -> None:
    encoder = semantic.encoder(stem, labels=False, color_by=color_by)
    encoded = encoder.encode(exhibit(photo, [classes(), other_classes()], ["cow", "grass", "sky"]))
    seen: dict[str, tuple[int, ...]] = {}
    for option, prediction in zip(encoded.options, (classes(), other_classes()), strict=True):
        legend = colors_of(option.legend)
        assert sorted(legend) == sorted(one.label for one in prediction)
        assert option.picture is not None
        for one in prediction:
            assert (option.picture[masks.decode(one.rle) == 1] == legend[one.label]).all()
            assert seen.setdefault(one.label, legend[one.label]) == legend[one.label]
        assert (option.picture[:, 130:] == (0 if "_m1" in stem else photo[:, 130:])).all()


def test_half_of_the_color_and_half_of_the_photo(
    semantic: Shipped, referring: Shipped, photo: NDArray[np.uint8]
) -> None:
    for shipped, stem, prediction in (
        (semantic, "pixel_ss1_m0_o0_l0_c0", classes()),
        (referring, "pixel_ss1_m0_o0_m0", region()),
    ):
        encoded = shipped.encoder(stem).encode(exhibit(photo, [prediction], []))
        option = encoded.options[0]
        legend = colors_of(option.legend) or {EXPRESSION: regions.SINGLE.rgb}
        drawn = photo.copy()
        for one in prediction:
            inside = masks.decode(one.rle) == 1
            drawn[inside] = (photo[inside] + np.array(legend[one.label]) + 1) // 2
        assert option.picture is not None
        assert (option.picture == drawn).all()


def test_an_index_means_one_class_in_all_options(semantic: Shipped) -> None:
    encoded = semantic.encoder("text_ss0").encode(
        exhibit(None, [classes(), other_classes()], ["grass", "sky"], HW)
    )
    # Classes of interest, then the others in alphabetical order: grass, sky, bear, cow.
    a, b = (option.legend for option in encoded.options)
    assert a == "Legend: 1: grass; 2: sky; 4: cow"
    assert b == "Legend: 1: grass; 3: bear"
    said = [text.decode_grid(option.text or "") for option in encoded.options]
    assert set(said[0].ravel().tolist()) == {0, 1, 2, 4}
    assert set(said[1].ravel().tolist()) == {0, 1, 3}


@pytest.mark.parametrize("stem", ["pixel_ss0_m0", "pixel_ss0_m1"])
@pytest.mark.parametrize("family", ["semantic", "referring"])
def test_text_and_picture_of_a_grid_say_the_same(
    family: str, stem: str, request: pytest.FixtureRequest
) -> None:
    shipped: Shipped = request.getfixturevalue(family)
    options = (
        [classes(), other_classes()]
        if family == "semantic"
        else [region(), region(rectangle(0, 0, 160, 120))]
    )
    options = [four_times(one) for one in options]  # so that numbers leave cells' corners free
    grey = np.full((480, 640, 3), 100, np.uint8)
    written = shipped.encoder("text_ss0").encode(exhibit(grey, options, ["cow"])).options
    drawn = shipped.encoder(stem).encode(exhibit(grey, options, ["cow"])).options
    for texted, painted in zip(written, drawn, strict=True):
        said = text.decode_grid(texted.text or "")
        ground = 100 if stem.endswith("m0") else 0
        means = {(ground,) * 3: 0}
        for index, code in re.findall(r"(\d+): [^;]*\(#([0-9A-F]{6})\)", painted.legend or ""):
            color = bytes.fromhex(code)
            means[tuple((v + 101) // 2 if ground else v for v in color)] = int(index)  # type: ignore[index]
        ys, xs = cell_edges(480, said.shape[0]), cell_edges(640, said.shape[1])
        assert painted.picture is not None
        corners = painted.picture[np.ix_(ys[1:] - 1, xs[1:] - 1)].reshape(-1, 3).tolist()
        assert [means[tuple(pixel)] for pixel in corners] == said.ravel().tolist()  # type: ignore[index]
        assert re.sub(r", [a-z ]+ \(#\w{6}\)", "", painted.legend or "") == texted.legend


SHAPES = {
    "one pixel": rectangle(7, 9, 8, 10),
    "full": rectangle(0, 0, 160, 120),
    "donut": classes()[0].rle,
    "two parts": other_classes()[0].rle,
    "empty": masks.encode(blank()),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_polygons_give_labels_and_masks_back(
    shape: str, semantic: Shipped, referring: Shipped
) -> None:
    for shipped in (semantic, referring):
        prediction = region(SHAPES[shape])
        encoded = shipped.encoder("text_polygon").encode(exhibit(None, [prediction], [], HW))
        written = encoded.options[0].text or ""
        assert [list(entry) for entry in json.loads(written)] == [["label", "polygon"]]
        (read,) = text.decode_polygon(written, HW)
        assert read.label == EXPRESSION
        assert (masks.decode(read.rle) == masks.decode(SHAPES[shape])).all()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("family", ["semantic", "referring"])
def test_every_row_takes_every_shape(
    shape: str, family: str, request: pytest.FixtureRequest, photo: NDArray[np.uint8]
) -> None:
    shipped: Shipped = request.getfixturevalue(family)
    options = [region(SHAPES[shape]), region()]
    if family == "semantic":
        options.append(())
    for stem in shipped.encodings:
        encoded = shipped.encoder(stem).encode(exhibit(photo, options, [EXPRESSION]))
        for option in encoded.options:
            assert option.picture is not None or option.text is not None
            assert option.picture is None or option.picture.shape == photo.shape


def test_one_object_a_class(semantic: Shipped) -> None:
    """A class that comes in pieces is one entry and one color."""
    pieces = (
        MaskPrediction("cow", rectangle(0, 0, 50, 50)),
        MaskPrediction("cow", rectangle(90, 0, 130, 50)),
    )
    option = semantic.encoder("text_polygon").encode(exhibit(None, [pieces], [], HW)).options[0]
    (entry,) = json.loads(option.text or "")
    assert len(entry["polygon"]) == 2


def test_random_colors_hang_on_the_item_and_not_on_the_order(
    semantic: Shipped, photo: NDArray[np.uint8]
) -> None:
    encoder = semantic.encoder("pixel_ss1_m0_o0_l1_c1")
    pair = [classes(), other_classes()]
    shown = [
        colors_of(encoder.encode(exhibit(photo, options, ["cow"], lot=lot)).options[place].legend)
        for options, lot, place in ((pair, "1", 0), (pair[::-1], "1", 1), (pair, "2", 0))
    ]
    assert shown[0] == shown[1]
    assert shown[0] != shown[2]
    again = semantic.encoder("pixel_ss1_m0_o0_l1_c0")
    standard = [
        again.encode(exhibit(photo, pair, ["cow"], lot=lot)).options[0].legend for lot in "12"
    ]
    assert standard[0] == standard[1]


@pytest.mark.parametrize("thick", range(1, 12))
def test_long_thin_parts_get_their_label_beside_them(semantic: Shipped, thick: int) -> None:
    for box, hw in (((0, 50, 640, 50 + thick), (100, 640)), ((50, 0, 50 + thick, 640), (640, 100))):
        strip = (MaskPrediction("fence", rectangle(*box, hw)),)
        encoder = semantic.encoder("pixel_ss1_m1_o0_l1_c0")
        plain = semantic.encoder("pixel_ss1_m1_o0_l1_c0", labels=False)
        drawn, bare = (
            one.encode(exhibit(None, [strip], ["fence"], hw)) for one in (encoder, plain)
        )
        assert not np.array_equal(drawn.options[0].picture, bare.options[0].picture)


def test_labels_stand_on_their_class(semantic: Shipped) -> None:
    """A plate lies inside the part that it names where that is large enough."""
    hw = (480, 640)
    halves = tuple(
        MaskPrediction(label, rectangle(x, 0, x + 320, 480, hw))
        for label, x in (("cow", 0), ("sky", 320))
    )
    named, bare = (
        semantic.encoder("pixel_ss1_m1_o0_l1_c0", labels=on)
        .encode(exhibit(None, [halves], [], hw))
        .options[0]
        .picture
        for on in (True, False)
    )
    assert named is not None and bare is not None
    columns = np.flatnonzero((named != bare).any(axis=(0, 2)))
    assert columns[0] > 100 and columns[-1] < 540
    assert not ((columns > 220) & (columns < 420)).any()
    assert (columns < 320).any() and (columns > 320).any()


@pytest.mark.parametrize("swatch", palette.PALETTE, ids=lambda swatch: swatch.name)
def test_the_outline_of_a_region_shows_on_any_ground(
    swatch: palette.Swatch, referring: Shipped
) -> None:
    ground = np.full((*HW, 3), swatch.rgb, np.uint8)
    for stem in ("pixel_ss1_m0_o0_m1", "pixel_ss1_m0_o0_m2"):
        option = referring.encoder(stem).encode(exhibit(ground, [region()], [])).options[0]
        assert option.picture is not None
        row = option.picture[60, 20:60].tolist()
        assert list(regions.SINGLE.rgb) in row
        assert list(palette.text_colour(regions.SINGLE.rgb)) in row
        filled = row[-1] != list(swatch.rgb)
        assert filled == (stem.endswith("m2") and swatch != regions.SINGLE)


def test_styles_say_what_is_drawn(referring: Shipped, photo: NDArray[np.uint8]) -> None:
    for stem in referring.encodings:
        encoded = referring.encoder(stem).encode(exhibit(photo, [region(), region()], []))
        said = encoded.format or encoded.options[0].format or ""
        whole = "ss1" in stem or stem == "7080"
        assert ("magenta (#F01EE6)" in said) == whole
        assert ("runs along its edge" in said) == (
            stem.endswith(("o0_m1", "o0_m2")) or stem == "7080"
        )
        assert ("filled" in said) == (
            ("pixel" in stem and not stem.endswith("o0_m1")) or stem == "7080"
        )
        assert "according to the prediction" in said
        assert encoded.options[0].legend is None or "ss" in stem or "matrix" in stem


def test_grids_name_the_expression(referring: Shipped) -> None:
    for stem in ("text_matrix", "text_ss0"):
        options = [region(), region(rectangle(0, 0, 1, 1))]
        encoded = referring.encoder(stem).encode(exhibit(None, options, [], HW)).options
        assert encoded[0].legend == f"Legend: 1: {EXPRESSION}"
        assert encoded[1].legend == "Legend: no regions"


def test_combos_give_each_legend_beside_its_part(
    semantic: Shipped, photo: NDArray[np.uint8]
) -> None:
    option = semantic.encoder("4649").encode(exhibit(photo, [classes()], ["cow"])).options[0]
    grid, _, legend = (option.text or "").partition("\nLegend: ")
    assert legend == "1: cow; 2: grass; 3: sky"
    assert text.decode_grid(grid).shape == (12, 16)
    assert list(colors_of(option.legend)) == ["cow", "grass", "sky"]
    assert "reduced to a grid" in (option.format or "")


HOSTILE = [
    'the "left" \\ one',
    "<image>",
    "two\nlines",
    "قطة \u202eabc",
    "{one} {0} %s",
    "🐈‍⬛ cat",
]


@pytest.mark.parametrize("label", HOSTILE)
@pytest.mark.parametrize("family", ["semantic", "referring"])
def test_hostile_labels_stay_labels(
    label: str, family: str, request: pytest.FixtureRequest, photo: NDArray[np.uint8]
) -> None:
    shipped: Shipped = request.getfixturevalue(family)
    for stem in shipped.encodings:
        encoded = shipped.encoder(stem).encode(exhibit(photo, [region(expression=label)], [label]))
        option = encoded.options[0]
        for said in (encoded.format, option.text, option.legend, option.format):
            assert "<image>" not in (said or "")
            assert all(c.isprintable() or c == "\n" for c in said or "")
        if stem in ("text_polygon", "7080"):
            assert len(json.loads(option.text or "")) == 1


PAIRS = {
    "equal": (classes(), classes()),
    "another class": (classes(), (*classes()[:2], MaskPrediction("sea", classes()[2].rle))),
    "a speck": (classes(), (*classes(), MaskPrediction("fly", rectangle(150, 0, 152, 2)))),
    "fewer": (classes(), classes()[1:]),
    "empty": ((), classes()),
    "nothing of it in a grid": ((), (MaskPrediction("fly", rectangle(150, 0, 152, 2)),)),
}


@pytest.mark.parametrize("name", PAIRS)
def test_equal_digests_mean_equal_options(
    name: str, semantic: Shipped, photo: NDArray[np.uint8]
) -> None:
    a, b = (encodings.appearances(semantic.task, one, HW) for one in PAIRS[name])
    for stem in semantic.encodings:
        (key,) = (
            key for key in a if any(re.fullmatch(p.replace("*", ".*"), stem) for p in key.split())
        )
        one, other = semantic.encoder(stem).encode(exhibit(photo, PAIRS[name], [])).options
        same = (one.text, one.legend) == (other.text, other.legend) and (
            one.picture is None or np.array_equal(one.picture, other.picture)  # type: ignore[arg-type]
        )
        assert same == (a[key] == b[key]), stem


def test_every_row_of_referring_is_looked_at(referring: Shipped) -> None:
    keys = encodings.appearances(referring.task, region(), HW)
    for stem in referring.encodings:
        assert (
            sum(any(re.fullmatch(p.replace("*", ".*"), stem) for p in key.split()) for key in keys)
            == 1
        )


def test_the_format_tells_nothing_of_the_options(
    semantic: Shipped, photo: NDArray[np.uint8]
) -> None:
    for stem in semantic.encodings:
        encoder = semantic.encoder(stem)
        formats = {
            (encoded.format, encoded.options[0].format)
            for options in ([classes()], [()], [other_classes()])
            for encoded in [encoder.encode(exhibit(photo, options, ["cow"]))]
        }
        assert len(formats) == 1


def test_real_classes_keep_97_percent(settings: Callable[..., Settings], shared_data: Path) -> None:
    source = open_source(
        settings("task=semantic_seg", "data=folder", f"data.root={shared_data}").data
    )
    checked = 0
    for photo in source.photos():
        truth = source.semantic(photo.image_id)
        for number in np.unique(truth.ids).tolist() if truth else ():
            mask = MaskPrediction("a", masks.encode(truth.ids == number))  # type: ignore[union-attr]
            if masks.area(mask.rle) < 400:
                continue
            (read,) = text.decode_polygon(text.encode_class_polygon([mask]), mask.rle.size)
            assert masks.iou([read.rle], [mask.rle])[0, 0] >= 0.97
            checked += 1
    assert checked > 150
