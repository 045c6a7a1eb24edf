import json

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from pycocotools import mask as coco

from gen import masks
from gen.masks import Rle


def donut(size=40):
    mask = np.zeros((size, size), np.uint8)
    mask[5:35, 5:35] = 1
    mask[12:28, 12:28] = 0
    return mask


def shape(name):
    mask = np.zeros((30, 41), np.uint8)
    regions = {
        "empty": [],
        "pixel": [(7, 9, 1, 1)],
        "corner pixels": [(0, 0, 1, 1), (40, 29, 1, 1)],
        "2 x 2": [(3, 4, 2, 2)],
        "top edge": [(5, 0, 10, 3)],
        "right edge": [(38, 5, 3, 10)],
        "all": [(0, 0, 41, 30)],
        "full columns": [(4, 0, 3, 30)],
        "row": [(2, 11, 30, 1)],
        "two parts": [(2, 2, 5, 5), (20, 10, 8, 12)],
    }
    for x, y, w, h in regions[name]:
        mask[y : y + h, x : x + w] = 1
    return mask


NAMES = [
    "empty",
    "pixel",
    "corner pixels",
    "2 x 2",
    "top edge",
    "right edge",
    "all",
    "full columns",
    "row",
    "two parts",
]


def from_rings(rings, shape):
    """An independent way back: fill the outline, then clear what the holes enclose."""
    mask = np.zeros(shape, np.uint8)
    for part in rings:
        layer = np.zeros(shape, np.uint8)
        cv2.fillPoly(layer, [part.outer], 1)
        for hole in part.holes:
            inside = np.zeros(shape, np.uint8)
            cv2.fillPoly(inside, [hole], 1)
            cv2.polylines(inside, [hole], True, 0)
            layer[inside == 1] = 0
        mask |= layer
    return mask


@pytest.mark.parametrize("name", NAMES)
def test_codec_agrees_with_pycocotools_on_hard_shapes(name):
    mask = shape(name)
    rle = masks.encode(mask)
    reference = coco.encode(np.asfortranarray(mask))
    assert rle == Rle((30, 41), reference["counts"].decode())
    assert np.array_equal(masks.decode(rle), mask)
    assert masks.decode(rle).flags.c_contiguous
    assert masks.area(rle) == mask.sum()
    assert list(masks.box(rle)) == coco.toBbox(reference).tolist()


@given(
    arrays(np.uint8, st.tuples(st.integers(1, 12), st.integers(1, 12)), elements=st.integers(0, 1))
)
def test_codec_agrees_with_pycocotools_on_any_mask(mask):
    rle = masks.encode(mask)
    reference = coco.encode(np.asfortranarray(mask))
    assert rle.counts == reference["counts"].decode()
    assert np.array_equal(masks.decode(rle), mask)
    assert list(masks.box(rle)) == coco.toBbox(reference).tolist()
    x0, y0, crop = masks.decode_crop(rle)
    assert masks.encode_crop(x0, y0, crop, rle.size) == rle
    assert np.array_equal(from_rings(masks.to_rings(rle), mask.shape), mask)


def test_crop_is_tight_and_empty_mask_has_none():
    mask = np.zeros((50, 60), np.uint8)
    mask[10:20, 30:45] = 1
    x0, y0, crop = masks.decode_crop(masks.encode(mask))
    assert (x0, y0, crop.shape) == (30, 10, (10, 15))
    assert masks.decode_crop(masks.encode(np.zeros((5, 6), bool)))[2].shape == (0, 0)


@pytest.mark.parametrize(("x0", "y0"), [(-3, -2), (38, 27), (-100, 0), (0, 100), (5, 5)])
def test_crop_that_leaves_the_frame_is_cut_off(x0, y0):
    crop = np.ones((6, 7), np.uint8)
    big = np.zeros((300, 300), np.uint8)
    big[100 + y0 : 106 + y0, 100 + x0 : 107 + x0] = 1
    expected = big[100:130, 100:141]
    assert np.array_equal(masks.decode(masks.encode_crop(x0, y0, crop, (30, 41))), expected)


def test_square_polygon_from_0_to_9_covers_81_pixels():
    rle = masks.from_polygons([[0, 0, 9, 0, 9, 9, 0, 9]], 20, 20)
    assert masks.area(rle) == 81
    assert masks.box(rle) == (0.0, 0.0, 9.0, 9.0)


def test_polygons_are_rasterised_as_coco_does(shared_data):
    record = json.loads((shared_data / "coco/annotations/instances.json").read_text())
    sizes = {image["id"]: (image["height"], image["width"]) for image in record["images"]}
    checked = 0
    for annotation in record["annotations"]:
        height, width = sizes[annotation["image_id"]]
        rle = masks.from_coco(annotation["segmentation"], height, width)
        parts = coco.frPyObjects(annotation["segmentation"], height, width)
        reference = coco.merge(parts) if isinstance(parts, list) else parts
        assert rle.counts.encode() == reference["counts"]
        assert np.array_equal(masks.decode(rle), coco.decode(reference))
        checked += annotation["iscrowd"]
    assert checked > 0, "no uncompressed RLE was met"


def test_union_of_polygons_keeps_both_parts():
    rle = masks.from_polygons([[1, 1, 5, 1, 5, 5, 1, 5], [10, 10, 18, 10, 18, 12, 10, 12]], 20, 20)
    assert masks.area(rle) == 16 + 16
    assert len(masks.to_rings(rle)) == 2


def test_compressed_and_uncompressed_rle_are_read_alike():
    mask = donut()
    compressed = coco.encode(np.asfortranarray(mask))
    flat = mask.T.ravel()
    bounds = np.flatnonzero(np.diff(flat)) + 1
    runs = np.diff(np.concatenate(([0], bounds, [flat.size]))).tolist()
    as_text = {"size": [40, 40], "counts": compressed["counts"].decode()}
    as_runs = {"size": [40, 40], "counts": runs}
    assert masks.from_coco(as_text, 40, 40) == masks.encode(mask)
    assert masks.from_coco(as_runs, 40, 40) == masks.encode(mask)


def test_runs_of_no_length_do_not_make_equal_masks_differ():
    plain = masks.from_coco({"size": [4, 4], "counts": [3, 4, 9]}, 4, 4)
    assert masks.from_coco({"size": [4, 4], "counts": [3, 2, 0, 2, 9]}, 4, 4) == plain
    assert masks.from_coco({"size": [4, 4], "counts": [1, 0, 2, 4, 9, 0]}, 4, 4) == plain


@pytest.mark.parametrize(
    ("segmentation", "reason"),
    [
        ([], "empty"),
        ([[1, 2, 3, 4]], "4 numbers"),
        ([[1, 2, 3, 4, 5, 6, 7]], "7 numbers"),
        ([[1, 2, 3, 4, 5, float("nan")]], "finite"),
        ([[1, 2, 3, 4, 5, 1e12]], "far outside"),
        ([[1, 2, 3, "x", 5, 6]], "not a number"),
        ([[1, 2, 3, None, 5, 6]], "finite"),
        ([[[1, 2], [3, 4], [5, 6]]], "flat"),
        ([1, 2, 3, 4, 5, 6], "flat"),
        (None, "NoneType"),
        ("abc", "str"),
        ({"counts": [100]}, "size None"),
        ({"size": [5, 20], "counts": [100]}, "size"),
        ({"size": [10, 10], "counts": [99]}, "99 pixels"),
        ({"size": [10, 10], "counts": [-1, 101]}, "whole numbers"),
        ({"size": [10, 10], "counts": [100.0]}, "whole numbers"),
        ({"size": [10, 10], "counts": None}, "whole numbers"),
        ({"size": [10, 10], "counts": "é"}, "not a COCO string"),
        ({"size": [10, 10], "counts": "\x00\x01"}, "not a COCO string"),
        ({"size": [10, 10], "counts": "P"}, "not a COCO string"),
        ({"size": [10, 10], "counts": "PPPPPPPPPPPPPPP1"}, "too long"),
        ({"size": [10, 10], "counts": ""}, "0 pixels"),
    ],
)
def test_broken_segmentation_is_refused_with_the_reason(segmentation, reason):
    with pytest.raises(ValueError, match=reason):
        masks.from_coco(segmentation, 10, 10)


@given(st.text(st.characters(min_codepoint=48, max_codepoint=111), max_size=12))
def test_any_string_of_counts_is_read_or_refused(counts):
    try:
        rle = masks.from_coco({"size": [6, 7], "counts": counts}, 6, 7)
    except ValueError:
        return
    assert masks.encode(masks.decode(rle)) == rle
    assert masks.decode(rle).shape == (6, 7)


def test_iou_agrees_with_plain_counting():
    rng = np.random.default_rng(3)
    stack = rng.random((5, 20, 30)) < rng.random((5, 1, 1))
    encoded = [masks.encode(mask) for mask in stack]
    matrix = masks.iou(encoded[:2], encoded, crowd=[False, False, False, False, True])
    for i in range(2):
        for j in range(5):
            inter = (stack[i] & stack[j]).sum()
            union = stack[i].sum() if j == 4 else (stack[i] | stack[j]).sum()
            assert matrix[i, j] == pytest.approx(inter / union, abs=1e-12)
    assert masks.iou([], encoded).shape == (0, 5)
    assert masks.iou(encoded, []).shape == (5, 0)


def test_union_is_the_pixelwise_or():
    rng = np.random.default_rng(4)
    stack = rng.random((3, 17, 23)) < 0.3
    joined = masks.union([masks.encode(mask) for mask in stack])
    assert np.array_equal(masks.decode(joined), stack.any(axis=0))
    with pytest.raises(ValueError, match="no size"):
        masks.union([])


@pytest.mark.parametrize("name", NAMES)
def test_rings_hold_the_mask_to_the_pixel(name):
    mask = shape(name)
    assert np.array_equal(from_rings(masks.to_rings(mask), mask.shape), mask)
    assert np.array_equal(from_rings(masks.to_rings(masks.encode(mask)), mask.shape), mask)


def test_rings_keep_holes_parts_and_islands_in_holes():
    mask = donut(60)
    mask[18:22, 18:22] = 1
    mask[45:55, 2:12] = 1
    rings = masks.to_rings(mask)
    assert [len(part.holes) for part in rings] == [1, 0, 0]
    assert [tuple(part.outer.min(axis=0)) for part in rings] == [(5, 5), (2, 45), (18, 18)]
    assert all(part.outer.dtype == np.int32 for part in rings)
    assert np.array_equal(from_rings(rings, mask.shape), mask)
