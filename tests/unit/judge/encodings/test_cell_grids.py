"""Grids of cells: the owners of cells against a plain count, and text against picture."""

import re

import numpy as np
import pytest
from encoding_cases import Instances, Shipped, blobs, exhibit, rectangle
from numpy.typing import NDArray

from gen import masks
from gen.judge.encodings.masks import cells, text
from gen.judge.encodings.masks.scene import instance_scenes
from gen.predictions.annotation import MaskPrediction
from gen.render.grid import cell_edges, grid_shape


def owners_by_counting(prediction: Instances, hw: tuple[int, int], longer: int) -> list[list[int]]:
    rows, columns = grid_shape(*hw, longer)
    ys, xs = cell_edges(hw[0], rows), cell_edges(hw[1], columns)
    decoded = [masks.decode(one.rle) for one in prediction]
    anything = np.any(decoded, axis=0) if decoded else np.zeros(hw, bool)
    found = []
    for row in range(rows):
        line = []
        for column in range(columns):
            cell = np.s_[ys[row] : ys[row + 1], xs[column] : xs[column + 1]]
            counts = [int((~anything[cell]).sum()), *(int(mask[cell].sum()) for mask in decoded)]
            line.append(counts.index(max(counts)))
        found.append(line)
    return found


@pytest.mark.parametrize("hw", [(120, 160), (161, 97), (32, 32), (1, 1), (3, 200)])
@pytest.mark.parametrize("longer", [2, 16, 32])
@pytest.mark.parametrize("count", [0, 1, 12])
def test_owners_agree_with_a_plain_count(hw: tuple[int, int], longer: int, count: int) -> None:
    prediction = blobs(count, ["a", "b"], hw, seed=longer)
    (scene,) = instance_scenes([prediction], hw)
    assert cells.owners(scene, longer).tolist() == owners_by_counting(prediction, hw, longer)


def test_ties_go_to_the_lowest_index() -> None:
    half = rectangle(0, 0, 5, 10, (160, 160))
    other = rectangle(5, 0, 10, 10, (160, 160))
    whole = rectangle(0, 0, 10, 10, (160, 160))

    def corner(*rles: masks.Rle) -> int:
        (scene,) = instance_scenes([tuple(MaskPrediction("a", rle) for rle in rles)], (160, 160))
        return int(cells.owners(scene, 16)[0, 0])

    assert corner(half) == 0
    assert corner(half, other) == 1
    assert corner(whole, whole) == 1
    assert corner(half, whole) == 2


@pytest.mark.parametrize("stem", ["pixel_ss0_m0", "pixel_ss0_m1"])
@pytest.mark.parametrize("hw", [(480, 640), (640, 427), (32, 32)])
def test_text_and_picture_of_a_grid_say_the_same(
    stem: str, hw: tuple[int, int], shipped: Shipped
) -> None:
    prediction = blobs(9, ["cat", "dog", "cup"], hw, seed=5)
    grey = np.full((*hw, 3), 100, np.uint8)
    written = shipped.encoder("text_ss0").encode(exhibit(None, [prediction], ["cat"], size=hw))
    drawn = shipped.encoder(stem).encode(exhibit(grey, [prediction], ["cat"]))
    said = text.decode_grid(written.options[0].text or "")
    picture = drawn.options[0].picture
    assert picture is not None
    legend = drawn.options[0].legend or ""
    seen = read_cells(picture, said.shape, legend, overlay=stem.endswith("m0"))
    assert seen.tolist() == said.tolist()
    # Both legends list the same indices with the same classes.
    legends = [
        (option.legend or "").removeprefix("Legend: ")
        for option in (written.options[0], drawn.options[0])
    ]
    without_colors = [[entry.split(",")[0] for entry in legend.split("; ")] for legend in legends]
    assert without_colors[0] == without_colors[1]
    assert [int(entry.split(":")[0]) for entry in without_colors[0]] == sorted(
        set(said.ravel().tolist()) - {0}
    )


def read_cells(
    picture: NDArray[np.uint8], shape: tuple[int, ...], legend: str, *, overlay: bool
) -> NDArray[np.int64]:
    """The index in each cell, by the color at its lower right, where neither line nor text is.

    What a color means is read from the legend alone.
    """
    rows, columns = shape
    ys, xs = cell_edges(picture.shape[0], rows), cell_edges(picture.shape[1], columns)
    ground = np.array([100, 100, 100] if overlay else [0, 0, 0])
    blend = {tuple(ground.tolist()): 0}
    for index, code in re.findall(r"(\d+): [^;]*\(#([0-9A-F]{6})\)", legend):
        color = np.frombuffer(bytes.fromhex(code), np.uint8)
        seen = np.floor(ground * 0.5 + color * 0.5 + 0.5).astype(int) if overlay else color
        blend[tuple(seen.tolist())] = int(index)
    corner = [[picture[y - 1, x - 1].tolist() for x in xs[1:]] for y in ys[1:]]
    return np.array([[blend[tuple(pixel)] for pixel in line] for line in corner])


def test_an_instance_without_a_cell_is_in_neither_grid_nor_legend(shipped: Shipped) -> None:
    speck = MaskPrediction("fly", rectangle(3, 3, 5, 5))
    cow = MaskPrediction("cow", rectangle(40, 40, 120, 100))
    encoded = shipped.encoder("text_ss0").encode(
        exhibit(None, [(speck, cow), ()], ["cow"], (120, 160))
    )
    assert encoded.options[0].legend == "Legend: 2: cow"
    assert set(text.decode_grid(encoded.options[0].text or "").ravel().tolist()) == {0, 2}
    assert encoded.options[1].legend == "Legend: no instances"
    assert not text.decode_grid(encoded.options[1].text or "").any()


def test_no_color_is_used_twice_before_all_are_used(shipped: Shipped) -> None:
    """Indices far apart own cells; those between them own none and so need no color."""
    specks = tuple(MaskPrediction("fly", rectangle(3, 3, 5, 5)) for _ in range(47))
    cow = MaskPrediction("cow", rectangle(40, 40, 120, 100))
    pig = MaskPrediction("pig", rectangle(0, 40, 40, 100))
    photo = np.zeros((120, 160, 3), np.uint8)
    for stem in ("pixel_ss0_m0", "pixel_ss0_m1"):
        options = (
            shipped.encoder(stem).encode(exhibit(photo, [(cow, *specks, pig), ()], ["cow"])).options
        )
        codes = re.findall(r"#[0-9A-F]{6}", options[0].legend or "")
        assert len(codes) == 2
        assert len(set(codes)) == 2
        assert "only 24 colors" not in (options[0].legend or "")


def test_the_format_says_the_shape_of_the_grid(shipped: Shipped) -> None:
    for stem, phrase in [
        ("text_ss0", "16 lines with 11 whole numbers each"),
        ("text_matrix", "32 rows with 21 whole numbers each"),
        ("pixel_ss0_m1", "16 rows and 11 columns"),
    ]:
        encoded = shipped.encoder(stem).encode(exhibit(None, [()], [], size=(640, 427)))
        assert encoded.format is not None and phrase in encoded.format
