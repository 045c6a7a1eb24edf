"""Photo files of every kind become RGB, or say why not."""

import io
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from gen.sources.photos import PhotoError, read_rgb

WIDTH, HEIGHT = 48, 32


def ramp() -> NDArray[np.uint8]:
    """A picture that shows which way up it is: red grows to the right, green downwards."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    return np.dstack([x * 5, y * 7, np.full_like(x, 90)]).astype(np.uint8)


def save(path: Path, image: Image.Image, **options: object) -> Path:
    image.save(path, **options)
    return path


def test_plain_png_is_exact_and_read_only(tmp_path: Path) -> None:
    rgb = read_rgb(save(tmp_path / "a.png", Image.fromarray(ramp())), (WIDTH, HEIGHT))
    assert rgb.dtype == np.uint8
    assert rgb.flags.c_contiguous
    assert not rgb.flags.writeable
    np.testing.assert_array_equal(rgb, ramp())


@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("subsampling", [0, 2])
def test_jpeg_pixels_equal_opencv(tmp_path: Path, progressive: bool, subsampling: int) -> None:
    path = save(
        tmp_path / "a.jpg",
        Image.fromarray(ramp()),
        quality=90,
        progressive=progressive,
        subsampling=subsampling,
    )
    expected = cv2.imread(str(path), cv2.IMREAD_COLOR_RGB)
    np.testing.assert_array_equal(read_rgb(path), expected)


@pytest.mark.parametrize(
    ("mode", "extension"),
    [("L", "png"), ("L", "jpg"), ("1", "png"), ("LA", "png"), ("P", "png"), ("P", "gif")],
)
def test_modes_of_fewer_channels(tmp_path: Path, mode: str, extension: str) -> None:
    source = Image.fromarray(ramp()).convert(mode)
    rgb = read_rgb(save(tmp_path / f"a.{extension}", source), (WIDTH, HEIGHT))
    expected = np.asarray(source.convert("RGB"))
    assert rgb.shape == (HEIGHT, WIDTH, 3)
    assert np.abs(rgb.astype(int) - expected).max() <= (4 if extension == "jpg" else 0)


def test_sixteen_bit_grey_keeps_the_high_byte(tmp_path: Path) -> None:
    samples = np.arange(WIDTH * HEIGHT, dtype=np.uint16).reshape(HEIGHT, WIDTH) * 42
    cv2.imwrite(str(tmp_path / "a.png"), samples)
    np.testing.assert_array_equal(read_rgb(tmp_path / "a.png")[..., 1], samples >> 8)


def test_sixteen_bit_colour_keeps_the_high_byte(tmp_path: Path) -> None:
    samples = (ramp().astype(np.uint16) << 8) + 200
    cv2.imwrite(str(tmp_path / "a.png"), samples[..., ::-1])
    np.testing.assert_array_equal(read_rgb(tmp_path / "a.png"), ramp())


def test_cmyk_jpeg_has_the_colours_of_the_photo(tmp_path: Path) -> None:
    cmyk = Image.fromarray(ramp()).convert("CMYK")
    rgb = read_rgb(save(tmp_path / "a.jpg", cmyk, quality=98))
    assert np.abs(rgb.astype(int) - ramp()).mean() < 4


def test_transparency_shows_white(tmp_path: Path) -> None:
    alpha = np.zeros((HEIGHT, WIDTH, 1), np.uint8)
    alpha[:, WIDTH // 2 :] = 255
    rgb = read_rgb(save(tmp_path / "a.png", Image.fromarray(np.dstack([ramp(), alpha]))))
    assert (rgb[:, : WIDTH // 2] == 255).all()
    np.testing.assert_array_equal(rgb[:, WIDTH // 2 :], ramp()[:, WIDTH // 2 :])


def test_palette_transparency_shows_white(tmp_path: Path) -> None:
    image = Image.new("P", (4, 4))
    image.putpalette([255, 0, 0, 0, 0, 255])
    image.putpixel((1, 1), 1)
    rgb = read_rgb(save(tmp_path / "a.png", image, transparency=0))
    assert rgb[0, 0].tolist() == [255, 255, 255]
    assert rgb[1, 1].tolist() == [0, 0, 255]


TURN: dict[int, Callable[[NDArray[np.uint8]], NDArray[np.uint8]]] = {
    3: lambda a: a[::-1, ::-1],
    6: lambda a: np.rot90(a, -1),
    8: np.rot90,
}


def test_a_transparent_colour_shows_white(tmp_path: Path) -> None:
    path = save(tmp_path / "a.png", Image.new("RGB", (4, 4), (1, 2, 3)), transparency=(1, 2, 3))
    assert (read_rgb(path) == 255).all()


@pytest.mark.parametrize("orientation", [3, 6, 8])
@pytest.mark.parametrize("expected", ["stored", "seen", None])
def test_exif_orientation(tmp_path: Path, orientation: int, expected: str | None) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    path = save(tmp_path / "a.png", Image.fromarray(ramp()), exif=exif)
    seen = TURN[orientation](ramp())
    size = {
        "stored": (WIDTH, HEIGHT),
        "seen": (seen.shape[1], seen.shape[0]),
        None: None,
    }[expected]
    as_stored = size == (WIDTH, HEIGHT)
    np.testing.assert_array_equal(read_rgb(path, size), ramp() if as_stored else seen)


def fault(path: Path, expected: tuple[int, int] | None = None) -> PhotoError:
    with pytest.raises(PhotoError) as caught:
        read_rgb(path, expected)
    assert str(path.parent) not in str(caught.value)
    assert "\n" not in str(caught.value)
    return caught.value


def test_another_size_is_refused(tmp_path: Path) -> None:
    path = save(tmp_path / "a.png", Image.fromarray(ramp()))
    error = fault(path, (WIDTH, HEIGHT + 1))
    assert error.kind == "wrong_size"
    assert str(error) == "is 48 x 32 pixels, its annotations say 48 x 33"


def test_missing_file(tmp_path: Path) -> None:
    assert fault(tmp_path / "none.jpg").kind == "missing_photo"


@pytest.mark.parametrize("extension", ["jpg", "png", "gif", "bmp", "tif", "webp"])
@pytest.mark.parametrize("kept", [0.0, 0.1, 0.5, 0.9])
def test_a_file_that_is_cut_off(tmp_path: Path, extension: str, kept: float) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (64, 64, 3)).astype(np.uint8)
    path = save(tmp_path / f"a.{extension}", Image.fromarray(noise))
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * kept)])
    assert fault(path).kind == "corrupt_photo"


@pytest.mark.parametrize("cut", [2, 10, 100])
def test_a_jpeg_that_lacks_its_last_bytes(tmp_path: Path, cut: int) -> None:
    path = save(tmp_path / "a.jpg", Image.fromarray(ramp()))
    path.write_bytes(path.read_bytes()[:-cut])
    assert fault(path).kind == "corrupt_photo"


@pytest.mark.parametrize("content", [b"", b"<html>no</html>", b"\x89PNG\r\n\x1a\n" + b"x" * 99])
def test_what_is_no_photo(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.jpg").write_bytes(content)
    assert fault(tmp_path / "a.jpg").kind == "corrupt_photo"


def test_a_folder_is_no_photo(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").mkdir()
    assert fault(tmp_path / "a.jpg").kind == "corrupt_photo"


def test_png_with_a_broken_checksum(tmp_path: Path) -> None:
    path = save(tmp_path / "a.png", Image.fromarray(ramp()))
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)
    assert fault(path).kind == "corrupt_photo"


def test_damaged_bytes_never_raise_anything_else(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    for extension in ("jpeg", "png", "gif", "tiff", "webp"):
        stream = io.BytesIO()
        Image.fromarray(ramp()).save(
            stream, {"jpg": "jpeg", "tif": "tiff"}.get(extension, extension)
        )
        for _ in range(40):
            content = bytearray(stream.getvalue())
            for place in rng.integers(0, len(content), 8):
                content[place] = rng.integers(0, 256)
            path = tmp_path / f"a.{extension}"
            path.write_bytes(content)
            try:
                assert read_rgb(path).shape[2] == 3
            except PhotoError:
                continue


def test_decompression_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1000)
    path = save(tmp_path / "a.png", Image.fromarray(ramp()))
    assert str(fault(path)) == "has more than 1000 pixels"


def test_floating_point_tiff_is_refused(tmp_path: Path) -> None:
    path = save(tmp_path / "a.tif", Image.fromarray(np.ones((4, 4), np.float32)))
    assert "floating-point" in str(fault(path))


def test_real_photos_decode_as_in_opencv(shared_data: Path) -> None:
    paths = sorted((shared_data / "coco" / "images").glob("*.jpg"))
    assert paths
    for path in paths[:10]:
        np.testing.assert_array_equal(
            read_rgb(path), cv2.imread(str(path), cv2.IMREAD_COLOR_RGB), err_msg=path.name
        )


@pytest.mark.parametrize("name", ["a.eps", "a.jpg"])
def test_postscript_is_never_run(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    Image.new("RGB", (8, 8)).save(path, "EPS")
    with pytest.raises(PhotoError, match="cannot be decoded: cannot identify"):
        read_rgb(path)
