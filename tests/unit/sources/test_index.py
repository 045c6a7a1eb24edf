"""Photos by an index: both forms, sizes told and untold, addresses, faults."""

import json
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from gen.errors import UserError
from gen.schema import IndexData
from gen.sources.index import IndexSource
from gen.sources.open import open_source


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        return


@pytest.fixture
def root(tmp_path):
    for number, name in enumerate(("a.png", "sub/b.png")):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        Image.fromarray(np.full((30 + number, 50, 3), 90 + number, np.uint8)).save(path)
    return tmp_path


@pytest.fixture
def address(root):
    """The address of a server of the folder on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def opened(root: Path, index: object, **changes) -> IndexSource:
    (root / "index.json").write_text(json.dumps(index))
    data = IndexData.model_validate(
        {
            "name": "index",
            "root": str(root),
            "images": ("*index.json",),
            "licenses": (),
            "download": False,
            "cache_dir": str(root / "cache"),
            "download_timeout": 5.0,
            "download_retries": 0,
        }
        | changes
    )
    return open_source(data)


def test_both_forms_say_the_same(root):
    plain = opened(root, {"10": "sub/b.png", "9": "a.png"})
    listed = opened(
        root, [{"image_id": 9, "file": "a.png"}, {"image_id": "10", "file": "sub/b.png"}]
    )
    assert plain.photos() == listed.photos()
    assert [(one.image_id, one.width, one.height) for one in plain.photos()] == [
        ("9", 50, 30),
        ("10", 50, 31),
    ]
    assert (plain.pixels("10") == 91).all()
    assert plain.fingerprint() == listed.fingerprint()
    assert plain.truth("9").instances == ()
    assert plain.problems() == ()


def test_a_turned_photo_has_the_size_in_which_it_is_seen(root):
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (40, 20)).save(root / "turned.jpg", exif=exif)
    source = opened(root, {"1": "turned.jpg"})
    (photo,) = source.photos()
    assert (photo.width, photo.height) == (20, 40)
    assert source.pixels("1").shape == (40, 20, 3)


def test_rights_are_kept_and_chosen_by(root):
    index = [
        {"image_id": "1", "file": "a.png", "license": "CC BY 2.0", "author": "A. Photographer"},
        {"image_id": "2", "file": "sub/b.png", "license": "CC0 1.0"},
    ]
    (one, _) = opened(root, index).photos()
    assert (one.license, one.author) == ("cc-by-2.0", "A. Photographer")
    (two,) = opened(root, index, licenses=("cc0-1.0",)).photos()
    assert two.image_id == "2"
    with pytest.raises(UserError, match="licenses"):
        opened(root, index, licenses=("cc-by-4.0",))


@pytest.mark.parametrize("told", [{}, {"width": 50, "height": 30}])
def test_addresses_are_fetched_once_and_kept(root, address, told):
    index = [{"image_id": "1", "url": f"{address}/a.png", **told}]
    source = opened(root, index, download=True)
    assert (root / "cache").exists() is not bool(told)  # a size that is told spares the fetching
    assert (source.pixels("1") == 90).all()
    (root / "a.png").unlink()
    again = opened(root, index, download=True)
    assert again.pixels("1").shape == (30, 50, 3)
    assert again.fingerprint() == source.fingerprint()


def test_addresses_are_left_out_unless_fetching_is_asked_for(root, address):
    source = opened(root, {"1": f"{address}/a.png", "2": "a.png"})
    assert [one.image_id for one in source.photos()] == ["2"]
    (problem,) = source.problems()
    assert (problem.kind, problem.record) == ("missing_photo", "1")
    assert "data.download=true" in problem.reason


def test_without_a_network_the_error_is_clear(root, address):
    dead = "http://127.0.0.1:9/a.png"
    with pytest.raises(UserError, match=r"cannot fetch http://127.0.0.1:9/a.png"):
        opened(root, {"1": dead}, download=True)
    source = opened(root, {"1": f"{address}/none.png", "2": "a.png"}, download=True)
    assert [one.kind for one in source.problems()] == ["unreachable_photo"]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("a string", "is a str, not an object"),
        ({"image_id": "a/b", "file": "a.png"}, "image_id: 'a/b'"),
        ({"image_id": "1"}, "file, url: expected one of them"),
        ({"image_id": "1", "file": "a.png", "url": "http://x.invalid/"}, "file, url: expected one"),
        ({"image_id": "1", "file": "../a.png"}, "file: '../a.png' is not a path below"),
        ({"image_id": "1", "file": "/etc/hostname"}, "file: '/etc/hostname' is not a path below"),
        ({"image_id": "1", "url": "ftp://x.invalid/a"}, "url: 'ftp://x.invalid/a' is no http"),
        ({"image_id": "1", "file": "a.png", "width": "50"}, "width: '50'; expected 1 to"),
        ({"image_id": "1", "file": 7}, "file: 7; expected a text"),
    ],
)
def test_a_bad_entry_is_named_and_no_other_lost(root, bad, reason):
    source = opened(root, [{"image_id": "5", "file": "a.png"}, bad])
    assert [one.image_id for one in source.photos()] == ["5"]
    (problem,) = source.problems()
    assert (problem.kind, problem.file) == ("bad_image", "index.json")
    assert problem.record == "image at position 1"
    assert problem.reason.startswith(reason)


def test_files_that_are_missing_or_broken_are_left_out(root):
    (root / "broken.png").write_bytes(b"no picture")
    source = opened(root, {"1": "none.png", "2": "broken.png", "3": "a.png"})
    assert [one.image_id for one in source.photos()] == ["3"]
    assert {one.kind for one in source.problems()} == {"missing_photo", "corrupt_photo"}
    with pytest.raises(UserError, match="none of the 1 photos of the index can be used"):
        opened(root, {"1": "none.png"})
    with pytest.raises(
        UserError, match=r"data.images: no file 'indx.json': did you mean index.json"
    ):
        opened(root, {}, images=("indx.json",))
