import io
import sys
import zlib

import cv2
import numpy as np
import pytest
from blake3 import blake3
from PIL import Image

from gen.render.png import decode_png, encode_png, of_one_size, pixels_hash

SIZES = [
    (1, 1),
    (1, 2),
    (1, 700),
    (700, 1),
    (2, 2),
    (3, 5),
    (17, 16),
    (16, 17),
    (64, 64),
    (97, 131),
]


def pictures(h, w, channels):
    rng = np.random.default_rng(h * 1000 + w)
    shape = (h, w) if channels == 1 else (h, w, channels)
    ramp = np.broadcast_to(np.arange(w).reshape((1, w) + (1,) * (len(shape) - 2)), shape)
    drawn = np.zeros(shape, np.uint8)
    drawn[h // 3 : h // 2 + 1, w // 4 : w // 2 + 1] = 200
    return {
        "noise": rng.integers(0, 256, shape, dtype=np.uint8),
        "flat": np.full(shape, 77, np.uint8),
        "ramp": np.ascontiguousarray(ramp.astype(np.uint8)),
        "drawn": drawn,
    }


def chunks(png):
    at, found = 8, []
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        crc = int.from_bytes(png[at + 8 + length : at + 12 + length], "big")
        assert crc == zlib.crc32(kind + data)
        found.append((kind, data))
        at += 12 + length
    return found


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize(("h", "w"), SIZES)
def test_every_reader_gives_the_pixels_back(h, w, channels):
    for name, picture in pictures(h, w, channels).items():
        png = encode_png(picture)
        by_pillow = np.array(Image.open(io.BytesIO(png)))
        raw = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
        by_cv2 = raw[..., ::-1] if channels == 3 else raw
        np.testing.assert_array_equal(by_pillow, picture, err_msg=name)
        np.testing.assert_array_equal(by_cv2, picture, err_msg=name)
        np.testing.assert_array_equal(decode_png(png), picture, err_msg=name)


def test_no_ancillary_chunks_and_both_filters_in_use():
    filters = {}
    for name, picture in pictures(97, 131, 3).items():
        found = chunks(encode_png(picture))
        assert [kind for kind, _ in found] == [b"IHDR", b"IDAT", b"IEND"]
        rows = np.frombuffer(zlib.decompress(found[1][1]), np.uint8).reshape(97, -1)
        filters[name] = set(rows[:, 0].tolist())
    assert filters["noise"] == {2}
    assert filters["drawn"] == {0}


def test_padded_files_are_of_one_size_and_show_the_same():
    shown = [picture for channels in (1, 3) for picture in pictures(40, 50, channels).values()]
    files = of_one_size([encode_png(picture) for picture in shown])
    assert len({len(file) for file in files}) == 1
    for file, picture in zip(files, shown, strict=True):
        kinds = [kind for kind, _ in chunks(file)]
        assert kinds == [b"IHDR", b"IDAT", b"paDd", b"IEND"]
        np.testing.assert_array_equal(decode_png(file), picture)
        np.testing.assert_array_equal(np.array(Image.open(io.BytesIO(file))), picture)
    assert of_one_size([]) == []


def test_views_with_strides_are_encoded_as_they_look():
    picture = np.random.default_rng(0).integers(0, 256, (40, 60, 3), dtype=np.uint8)
    for view in (picture[::2, ::3], picture[::-1], picture[:, :, ::-1], picture[..., 1]):
        np.testing.assert_array_equal(decode_png(encode_png(view)), view)


def test_standard_library_fallback_writes_the_same_pixels(monkeypatch):
    monkeypatch.setitem(sys.modules, "isal.isal_zlib", None)
    monkeypatch.delitem(sys.modules, "gen.render.png")
    import gen.render.png as fallback

    monkeypatch.setitem(sys.modules, "gen.render.png", sys.modules.get("gen.render.png", fallback))
    assert fallback._deflate.func is zlib.compress
    picture = np.random.default_rng(1).integers(0, 256, (30, 31, 3), dtype=np.uint8)
    np.testing.assert_array_equal(decode_png(fallback.encode_png(picture)), picture)


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((4, 4, 3), np.float32),
        np.zeros((0, 4, 3), np.uint8),
        np.zeros(4, np.uint8),
    ],
)
def test_what_is_not_a_picture_is_refused(picture):
    with pytest.raises(ValueError, match="expected"):
        encode_png(picture)


def test_unreadable_files_are_refused():
    alpha, deep = io.BytesIO(), io.BytesIO()
    Image.new("RGBA", (3, 3)).save(alpha, "png")
    Image.new("I;16", (3, 3)).save(deep, "png")
    for png in (b"", b"no picture", alpha.getvalue(), deep.getvalue()):
        with pytest.raises(ValueError, match=r"PNG|expected"):
            decode_png(png)


def test_pixels_are_named_by_shape_and_bytes() -> None:
    rgb = np.arange(24 * 24 * 3, dtype=np.uint8).reshape(24, 24, 3)
    by_hand = blake3(b"(24, 24, 3)" + rgb.tobytes()).hexdigest()
    assert pixels_hash(rgb) == pixels_hash(decode_png(encode_png(rgb))) == by_hand
    assert pixels_hash(np.asfortranarray(rgb)) == by_hand
    assert pixels_hash(rgb.reshape(12, 48, 3)) != by_hand
    changed = rgb.copy()
    changed[5, 5, 2] ^= 1
    assert pixels_hash(changed) != by_hand
