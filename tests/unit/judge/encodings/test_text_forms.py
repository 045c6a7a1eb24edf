"""Text forms: what is written gives the masks back, and is strict JSON whatever the labels are."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from encoding_cases import Shipped, blank, blobs, exhibit, rectangle
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocotools import mask as coco

from gen import masks
from gen.judge.encodings.masks import outline, text
from gen.masks import Rle
from gen.predictions.annotation import MaskPrediction


def donut() -> Rle:
    mask = blank()
    mask[20:100, 20:120] = 1
    mask[40:80, 40:100] = 0
    mask[55:65, 60:80] = 1
    return masks.encode(mask)


def two_parts() -> Rle:
    return masks.union([rectangle(5, 5, 40, 60), rectangle(70, 20, 110, 90)])


SHAPES = {
    "one pixel": rectangle(7, 9, 8, 10),
    "2 x 2": rectangle(0, 0, 2, 2),
    "0..9 square": rectangle(0, 0, 10, 10),
    "row": rectangle(0, 119, 160, 120),
    "column": rectangle(159, 0, 160, 120),
    "full": rectangle(0, 0, 160, 120),
    "donut": donut(),
    "two parts": two_parts(),
    "touching corners": masks.union([rectangle(5, 5, 6, 6), rectangle(6, 6, 7, 7)]),
    "empty": masks.encode(blank()),
}


def same_masks(a: Rle, b: Rle) -> bool:
    return bool((masks.decode(a) == masks.decode(b)).all())


@pytest.mark.parametrize("name", SHAPES)
def test_polygons_give_simple_shapes_back(name: str) -> None:
    written = text.encode_polygon([MaskPrediction("thing", SHAPES[name])])
    (read,) = text.decode_polygon(written, (120, 160))
    assert read.label == "thing"
    assert same_masks(read.rle, SHAPES[name])


def test_polygons_run_along_the_edges_of_pixels() -> None:
    def polygon(rle: Rle) -> object:
        return json.loads(text.encode_polygon([MaskPrediction("a", rle)]))[0]["polygon"]

    assert sorted(polygon(SHAPES["full"])) == [[0, 0], [0, 120], [160, 0], [160, 120]]  # type: ignore[call-overload]
    assert sorted(polygon(SHAPES["one pixel"])) == [[7, 9], [7, 10], [8, 9], [8, 10]]  # type: ignore[call-overload]
    assert polygon(SHAPES["empty"]) == []


def test_an_ordinary_polygon_is_one_that_coco_reads_alike() -> None:
    for instance in blobs(20, ["a"], (120, 160), seed=4):
        (ring,) = (json.loads(text.encode_polygon([instance]))[0]["polygon"],)
        flat = np.array(ring, float).ravel().tolist()
        read = coco.decode(coco.frPyObjects([flat], 120, 160))[..., 0]
        truth = masks.decode(instance.rle)
        assert (read & truth).sum() / (read | truth).sum() >= 0.97


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32), st.floats(0.1, 0.9))
def test_small_masks_come_back_to_the_pixel(h: int, w: int, seed: int, density: float) -> None:
    mask = (np.random.default_rng(seed).random((h, w)) < density).astype(np.uint8)
    edges = outline.edges(mask) if mask.any() else []
    assert (masks.decode(outline.fill(edges, (h, w))) == mask).all()
    if mask.sum() < 400:
        rings = outline.rings(masks.encode(mask))
        assert (masks.decode(outline.fill(rings, (h, w))) == mask).all()


def test_smooth_masks_are_simplified_only_from_400_px_on() -> None:
    def disc(radius: int) -> Rle:
        mask = blank()
        cv2.circle(mask, (60, 60), radius, 1, -1)
        return masks.encode(mask)

    small, large = disc(10), disc(40)
    assert masks.area(small) < 400
    assert same_masks(outline.fill(outline.rings(small), small.size), small)
    assert len(outline.rings(large)[0]) < 40 < len(outline.edges(masks.decode(large))[0])


def polygon_iou(instance: MaskPrediction) -> float:
    (read,) = text.decode_polygon(text.encode_polygon([instance]), instance.rle.size)
    return float(masks.iou([read.rle], [instance.rle])[0, 0])


@pytest.mark.parametrize("seed", range(6))
def test_ragged_masks_keep_97_percent(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mask = rng.random((120, 160)) < 0.2 + 0.1 * seed
    assert polygon_iou(MaskPrediction("a", masks.encode(mask))) >= 0.97


def test_real_masks_keep_97_percent(shared_data: Path) -> None:
    content = json.loads((shared_data / "coco" / "annotations" / "instances.json").read_bytes())
    sizes = {image["id"]: (image["height"], image["width"]) for image in content["images"]}
    points, worst = 0, 1.0
    checked = 0
    for record in content["annotations"][:: max(1, len(content["annotations"]) // 300)]:
        rle = masks.from_coco(record["segmentation"], *sizes[record["image_id"]])
        if masks.area(rle):
            worst = min(worst, polygon_iou(MaskPrediction("a", rle)))
            points += sum(len(ring) for ring in outline.rings(rle))
            checked += 1
    assert checked > 200
    assert worst >= 0.97
    assert points / checked < 50


def test_rle_is_bit_for_bit() -> None:
    prediction = (*blobs(20, ["a", "b"], (120, 160)), MaskPrediction("c", donut()))
    written = text.encode_rle(prediction)
    assert text.decode_rle(written) == prediction
    for entry, instance in zip(json.loads(written), prediction, strict=True):
        assert (coco.decode(entry["rle"]) == masks.decode(instance.rle)).all()


@pytest.mark.parametrize("write", [text.encode_polygon, text.encode_rle])
def test_one_object_a_line_with_the_keys_in_order(write) -> None:  # type: ignore[no-untyped-def]
    prediction = blobs(3, ["cat", "dog"], (120, 160))
    written = write(prediction)
    lines = written.removeprefix("[").removesuffix("]").split(",\n")
    assert [list(json.loads(line))[:2] for line in lines] == [["instance_id", "label"]] * 3
    assert [json.loads(line)["instance_id"] for line in lines] == [1, 2, 3]
    assert write(()) == "[]"


def test_matrix_round_trip() -> None:
    owners = np.random.default_rng(0).integers(0, 500, (24, 32)).astype(np.int32)
    assert (text.decode_matrix(text.encode_matrix(owners)) == owners).all()
    assert (text.decode_grid(text.encode_grid(owners)) == owners).all()
    assert json.loads(text.encode_matrix(owners)) == owners.tolist()


HOSTILE = [
    'a "quoted" \\ name',
    "<image>",
    "<video> and <audio>",
    "two\nlines\ttab\x00nul",
    "🐈‍⬛ cat",
    "قطة \u202eabc",
    "{one} {0} %s ${seed}",
    "a; b: c, d",
]


@pytest.mark.parametrize("label", HOSTILE)
def test_hostile_labels_stay_labels(label: str, shipped: Shipped) -> None:
    photo = np.zeros((120, 160, 3), np.uint8)
    prediction = (MaskPrediction(label, rectangle(30, 30, 90, 90)), *blobs(2, [label], (120, 160)))
    for stem in shipped.encodings:
        encoded = shipped.encoder(stem).encode(exhibit(photo, [prediction, ()], [label]))
        for part in (encoded.format, *(x for o in encoded.options for x in (o.text, o.legend))):
            said = part or ""
            assert not any(word in said for word in ("<image>", "<video>", "<audio>"))
            assert all(c.isprintable() or c == "\n" for c in said)
        if stem in ("text_polygon", "text_rle", "1742"):
            entries = json.loads(encoded.options[0].text or "")
            assert len(entries) == 3


def test_a_placeholder_spelt_by_run_lengths_is_escaped() -> None:
    class Spelt:
        label = "a"
        rle = Rle((4, 4), "0<image>0")

    written = text.encode_rle([Spelt()])  # type: ignore[list-item]
    assert "<image>" not in written
    assert json.loads(written)[0]["rle"]["counts"] == "0<image>0"


def test_masks_of_another_size_are_refused(shipped: Shipped) -> None:
    prediction = blobs(1, ["a"], (10, 10))
    for stem in shipped.encodings:
        with pytest.raises(ValueError, match="size"):
            shipped.encoder(stem).encode(
                exhibit(np.zeros((120, 160, 3), np.uint8), [prediction], [])
            )
