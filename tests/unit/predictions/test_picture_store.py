"""The archive that holds predictions which are pictures."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from gen.predictions.picture_store import PictureStore
from gen.render.png import decode_png, pixels_hash


def picture(seed: int, size: tuple[int, int] = (24, 40)) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (*size, 3), np.uint8)


def test_a_picture_comes_back_pixel_by_pixel(tmp_path: Path) -> None:
    path, pixels = tmp_path / "pictures.zip", picture(1)
    with PictureStore(path) as store:
        stored = store.add(pixels)
        assert (decode_png(store.png(stored)) == pixels).all()  # while it is written
    assert (stored.size, stored.digest) == ((24, 40), pixels_hash(pixels))
    png = PictureStore(path, "r").png(stored)
    assert (decode_png(png) == pixels).all()
    assert len(png) == stored.length


def test_equal_pictures_are_stored_once(tmp_path: Path) -> None:
    with PictureStore(tmp_path / "a.zip") as store:
        assert store.add(picture(1)) == store.add(picture(1).copy()) != store.add(picture(2))
        assert len(store) == 2


def test_only_what_is_taken_is_copied_and_archives_are_equal_bytes(tmp_path: Path) -> None:
    source = PictureStore.in_memory()
    first, second = source.add(picture(1)), source.add(picture(2))
    written = []
    for name in ("a.zip", "b.zip"):
        with PictureStore(tmp_path / name) as store:
            store.take(source, [second, second])
            assert len(store) == 1
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1]
    with pytest.raises(KeyError):
        PictureStore(tmp_path / "a.zip", "r").png(first)


def test_a_damaged_archive_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with PictureStore(path) as store:
        stored = store.add(picture(1))
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 0xFF
    path.write_bytes(whole)
    with pytest.raises(ValueError, match=stored.digest):
        PictureStore(path, "r").png(stored)
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match="not an archive"):
        PictureStore(path, "r")


def test_the_archive_is_an_ordinary_zip_of_png_files() -> None:
    file = io.BytesIO()
    with PictureStore(file) as store:
        stored = store.add(picture(3))
    with zipfile.ZipFile(file) as archive:
        assert archive.namelist() == [f"{stored.digest}.png"]
        assert archive.testzip() is None
