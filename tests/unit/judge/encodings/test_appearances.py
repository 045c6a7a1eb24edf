"""The digests that say whether two predictions look equal, against what is really shown."""

from fnmatch import fnmatchcase

import numpy as np
import pytest
from encoding_cases import Instances, Shipped, blobs, exhibit, rectangle

from gen import masks
from gen.judge import encodings
from gen.predictions.annotation import MaskPrediction

HW = (120, 160)
COW = MaskPrediction("cow", rectangle(20, 20, 120, 100))
SHIFTED = MaskPrediction("cow", rectangle(21, 20, 121, 100))
SPECK = MaskPrediction("cow", rectangle(140, 5, 143, 8))

PAIRS = {
    "equal": ((COW,), (COW,)),
    "shifted by a pixel": ((COW,), (SHIFTED,)),
    "a speck more": ((COW,), (COW, SPECK)),
    "another class": ((COW,), (MaskPrediction("ox", COW.rle),)),
    "an exact copy more": ((COW,), (COW, COW)),
    "empty": ((), (COW,)),
    "blobs": (blobs(5, ["cow", "ox"], HW, 1), blobs(5, ["cow", "ox"], HW, 2)),
}


def goes_for(key: str, stem: str) -> bool:
    return any(fnmatchcase(stem, pattern) for pattern in key.split())


@pytest.mark.parametrize("name", PAIRS)
def test_equal_digests_mean_equal_options(name: str, shipped: Shipped) -> None:
    pair = PAIRS[name]
    a, b = (encodings.appearances(shipped.task, one, HW) for one in pair)
    photo = np.full((*HW, 3), 90, np.uint8)
    for stem in shipped.encodings:
        views = [key for key in a if goes_for(key, stem)]
        assert len(views) == 1, stem
        shown = shipped.encoder(stem).encode(exhibit(photo, pair, ["cow", "ox"])).options
        same = (
            shown[0].text == shown[1].text
            and shown[0].legend == shown[1].legend
            and np.array_equal(shown[0].picture, shown[1].picture)  # type: ignore[arg-type]
        )
        if same:
            assert a[views[0]] == b[views[0]], f"{stem} shows both alike"
        elif name != "an exact copy more":
            assert a[views[0]] != b[views[0]], f"{stem} shows a difference"


def test_every_row_of_the_task_is_looked_at(shipped: Shipped) -> None:
    keys = encodings.appearances(shipped.task, (COW,), HW)
    for stem in shipped.encodings:
        assert sum(goes_for(key, stem) for key in keys) == 1, stem


def test_digests_do_not_depend_on_how_a_mask_was_made(shipped: Shipped) -> None:
    again: Instances = (MaskPrediction("cow", masks.encode(masks.decode(COW.rle))),)
    assert encodings.appearances(shipped.task, again, HW) == encodings.appearances(
        shipped.task, (COW,), HW
    )


def test_grids_that_differ_in_indices_alone_are_alike(shipped: Shipped) -> None:
    """An index tells nothing beyond its prediction, so such a question could not be answered."""
    other = MaskPrediction("cow", rectangle(125, 20, 150, 100))
    one, two, renamed = (
        encodings.appearances(shipped.task, prediction, HW)
        for prediction in (
            (COW, other),
            (SPECK, other, COW),
            (COW, MaskPrediction("ox", other.rle)),
        )
    )
    grids = [key for key in one if "ss0" in key or "matrix" in key]
    assert len(grids) == 2
    for key in grids:
        assert one[key] == two[key] != renamed[key]
    assert one["text_polygon 1742"] != two["text_polygon 1742"]
