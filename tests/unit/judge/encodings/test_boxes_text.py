"""Boxes as text: what is written, and that it reads back."""

import json

import pytest
from boxes_cases import at_random, shipped_boxes
from encoding_cases import rectangle

from gen.judge.encodings import Exhibit
from gen.judge.encodings.boxes.text import decode_xywh, decode_xyxy, encode_xywh, encode_xyxy
from gen.predictions.annotation import BoxPrediction, MaskPrediction

HW = (480, 640)
EDGES = (
    BoxPrediction("cow", (0.0, 0.0, 640.0, 480.0)),
    BoxPrediction("cow", (639.0, 479.0, 640.0, 480.0)),
    BoxPrediction("cow", (-12.3, -0.4, 700.1, 13.7)),
    BoxPrediction('a "quoted"\n<image> cow', (0.1, 0.2, 0.3, 0.4)),
)


@pytest.mark.parametrize("boxes", [(), EDGES, at_random(500, ["cow", "ox"], HW)])
def test_round_trips(boxes: tuple[BoxPrediction, ...]) -> None:
    for encode, decode in ((encode_xyxy, decode_xyxy), (encode_xywh, decode_xywh)):
        assert [one.box for one in decode(encode(boxes))] == [one.box for one in boxes]
    assert decode_xyxy(encode_xyxy(boxes)) == decode_xywh(encode_xywh(boxes))


def test_the_whole_photo_and_a_pixel() -> None:
    whole, pixel = (json.loads(encode_xyxy([one]))[0] for one in EDGES[:2])
    assert list(whole.items()) == [("label", "cow"), ("bbox", [0.0, 0.0, 640.0, 480.0])]
    assert pixel["bbox"] == [639.0, 479.0, 640.0, 480.0]
    whole, pixel = (json.loads(encode_xywh([one]))[0] for one in EDGES[:2])
    assert whole["bbox"] == [0.0, 0.0, 640.0, 480.0]
    assert pixel["bbox"] == [639.0, 479.0, 1.0, 1.0]


def test_sizes_are_differences_to_the_last_digit() -> None:
    boxes = at_random(300, ["cow"], HW, 7)
    corners, sizes = (json.loads(encode(boxes)) for encode in (encode_xyxy, encode_xywh))
    for one, other in zip(corners, sizes, strict=True):
        x1, y1, x2, y2 = one["bbox"]
        assert other["bbox"] == [x1, y1, round(x2 - x1, 1), round(y2 - y1, 1)]


def test_one_object_a_line_one_decimal_and_no_placeholder() -> None:
    for encode in (encode_xyxy, encode_xywh):
        text = encode([*EDGES, BoxPrediction("cow", (1.04, 2.06, 3.14159, 9.99))])
        assert len(text.splitlines()) == 5
        assert "<image>" not in text
        for line in json.loads(text):
            assert all(number == round(number, 1) for number in line["bbox"])
    assert encode_xyxy([]) == encode_xywh([]) == "[]"


@pytest.mark.parametrize("stem", ["text_xyxy", "text_xywh"])
def test_format_shows_the_schema_and_the_conventions(stem: str) -> None:
    encoded = shipped_boxes().encoder(stem).encode(Exhibit(HW, [EDGES, ()]))
    assert encoded.format is not None
    keys = {"text_xyxy": "[x1,y1,x2,y2]", "text_xywh": "[x,y,w,h]"}[stem]
    assert f'{{"label":…,"bbox":{keys}}}' in encoded.format
    assert "pixels of the original image" in encoded.format
    assert [one.text for one in encoded.options][1] == "[]"
    assert [one.picture for one in encoded.options] == [None, None]


def test_masks_are_refused() -> None:
    mask = MaskPrediction("cow", rectangle(1, 1, 9, 9))
    for stem in ("text_xyxy", "pixel_s1_m1"):
        with pytest.raises(TypeError, match="expected boxes, not a MaskPrediction"):
            shipped_boxes().encoder(stem).encode(Exhibit((120, 160), [(mask,)]))
