"""Photos fetched over HTTP, from a real server on this machine that misbehaves when told to."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from coco_folder import HEIGHT, WIDTH, annotation, document, image, opened, write_json, write_photo

from gen.errors import UserError
from gen.sources import download
from gen.sources.download import PhotoCache
from gen.sources.photos import PhotoError

SIZE = (WIDTH, HEIGHT)


class Server:
    """Serves one photo; `asked` lists the paths of all requests."""

    def __init__(self, photo: bytes) -> None:
        self.photo = photo
        self.asked: list[str] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(self.path)
                server.answer(self)

            def log_message(self, *_: object) -> None:
                return

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)
        self._thread.start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self._http.server_port}{path}"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        what = request.path.strip("/").split(".")[0]
        tries = self.asked.count(request.path)
        if what == "missing":
            self._send(request, b"<html>404</html>", status=404, kind="text/html")
        elif what == "page":
            self._send(request, b"<html>please log in</html>", kind="text/html; charset=utf-8")
        elif what == "liar":
            self._send(request, b"<html>please log in</html>")
        elif what == "busy" and tries < 3:
            self._send(request, b"", status=(500, 429)[tries % 2])
        elif what == "down":
            self._send(request, b"", status=503)
        elif what == "cut" or (what == "cutonce" and tries == 1):
            self._send(request, self.photo[: len(self.photo) // 2], length=len(self.photo))
        elif what == "short":
            self._send(request, self.photo[: len(self.photo) // 2])
        elif what == "slow":
            self._send(request, self.photo, pause=0.2)
        elif what == "moved":
            request.send_response(302)
            request.send_header("Location", "/photo.png")
            request.send_header("Content-Length", "0")
            request.end_headers()
        elif what == "circle":
            request.send_response(302)
            request.send_header("Location", "/circle")
            request.send_header("Content-Length", "0")
            request.end_headers()
        else:
            self._send(request, self.photo)

    @staticmethod
    def _send(
        request: BaseHTTPRequestHandler,
        body: bytes,
        *,
        status: int = 200,
        kind: str = "image/png",
        length: int | None = None,
        pause: float = 0.0,
    ) -> None:
        request.send_response(status)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(body) if length is None else length))
        request.end_headers()
        for start in range(0, len(body), 500):
            try:
                request.wfile.write(body[start : start + 500])
            except OSError:
                return
            time.sleep(pause)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(download, "_FIRST_PAUSE", 0.01)
    running = Server(write_photo(tmp_path / "served").read_bytes())
    yield running
    running.close()


@pytest.fixture
def cache(tmp_path: Path) -> PhotoCache:
    return PhotoCache(tmp_path / "cache", timeout=5.0, retries=2)


def files(tmp_path: Path) -> list[str]:
    folder = tmp_path / "cache"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_a_photo_is_fetched_once(server: Server, cache: PhotoCache, tmp_path: Path) -> None:
    url = server.url("/photo.png")
    path = cache.fetch(url, SIZE)
    assert path == cache.path(url) == cache.fetch(url, SIZE)
    assert path.read_bytes() == server.photo
    assert server.asked == ["/photo.png"]
    assert files(tmp_path) == [path.name]


@pytest.mark.parametrize(
    ("name", "requests"), [("busy.png", 3), ("cutonce.png", 2), ("moved.png", 2)]
)
def test_passing_faults_are_tried_again(
    server: Server, cache: PhotoCache, name: str, requests: int
) -> None:
    assert cache.fetch(server.url(f"/{name}"), SIZE).read_bytes() == server.photo
    assert len(server.asked) == requests


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing.png", "the server answers 404"),
        ("page.png", "the server sends text/html, not a photo"),
        ("liar.png", "cannot be decoded"),
        ("short.png", "cannot be decoded"),
    ],
)
def test_what_is_not_the_photo_is_not_tried_again(
    server: Server, cache: PhotoCache, tmp_path: Path, name: str, reason: str
) -> None:
    with pytest.raises(PhotoError, match=reason):
        cache.fetch(server.url(f"/{name}"), SIZE)
    assert len(server.asked) == 1
    assert files(tmp_path) == []


def test_a_circle_of_redirects_ends(server: Server, cache: PhotoCache) -> None:
    with pytest.raises(PhotoError, match="redirects"):
        cache.fetch(server.url("/circle"), SIZE)


def test_a_photo_of_another_size_is_refused(
    server: Server, cache: PhotoCache, tmp_path: Path
) -> None:
    with pytest.raises(PhotoError, match=r"is 60 x 40 pixels, its annotations say 60 x 41"):
        cache.fetch(server.url("/photo.png"), (WIDTH, HEIGHT + 1))
    assert files(tmp_path) == []


@pytest.mark.parametrize("name", ["down.png", "cut.png"])
def test_faults_that_stay_stop_with_one_line(
    server: Server, cache: PhotoCache, tmp_path: Path, name: str
) -> None:
    with pytest.raises(UserError, match=r"^cannot fetch http\S+: .*\(tries: 3\); data\.download="):
        cache.fetch(server.url(f"/{name}"), SIZE)
    assert len(server.asked) == 3
    assert files(tmp_path) == []


def test_off_line(server: Server, cache: PhotoCache) -> None:
    url = server.url("/photo.png")
    server.close()
    with pytest.raises(UserError, match=r"^cannot fetch http.*data\.download=false uses only"):
        cache.fetch(url, SIZE)


def test_a_slow_server_is_given_up(server: Server, tmp_path: Path) -> None:
    cache = PhotoCache(tmp_path / "cache", timeout=0.5, retries=0)
    start = time.monotonic()
    with pytest.raises(UserError, match=r"not done after 0\.5 s"):
        cache.fetch(server.url("/slow.png"), SIZE)
    assert time.monotonic() - start < 3


def test_a_body_without_end_is_given_up(server: Server, tmp_path: Path) -> None:
    cache = PhotoCache(tmp_path / "cache", timeout=5.0, retries=0, max_bytes=1000)
    with pytest.raises(PhotoError, match="has more than 1000 bytes"):
        cache.fetch(server.url("/photo.png"), SIZE)


@pytest.mark.parametrize("url", ["file:///etc/hostname", "ftp://host/a.png", "a.png", "http://"])
def test_other_addresses_are_refused(cache: PhotoCache, url: str) -> None:
    with pytest.raises(PhotoError):
        cache.fetch(url, SIZE)


def test_a_cache_that_cannot_be_written(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = PhotoCache(tmp_path / "file", timeout=5.0, retries=0)
    with pytest.raises(UserError, match=r"^data\.cache_dir="):
        cache.fetch(server.url("/photo.png"), SIZE)


def test_many_threads_fetch_one_photo(server: Server, cache: PhotoCache, tmp_path: Path) -> None:
    url = server.url("/photo.png")
    with ThreadPoolExecutor(8) as pool:
        paths = list(pool.map(cache.fetch, [url] * 8, [SIZE] * 8))
    assert paths == [cache.path(url)] * 8
    assert files(tmp_path) == [cache.path(url).name]
    assert cache.path(url).read_bytes() == server.photo


def test_a_source_fetches_only_what_is_asked_for(server: Server, tmp_path: Path) -> None:
    images = [image(n, coco_url=server.url(f"/{n}.png")) for n in (1, 2, 3)]
    images += [image(4, coco_url=""), image(5, coco_url=server.url("/missing.png"))]
    annotations = [annotation(n, n) for n in (1, 2, 3, 4, 5)]
    write_json(tmp_path / "annotations" / "instances.json", document(images, annotations))
    write_photo(tmp_path / "images", 3)
    cache_dir = str(tmp_path / "cache")
    source = opened(tmp_path, download=True, cache_dir=cache_dir)
    assert [photo.image_id for photo in source.photos()] == ["1", "2", "3", "5"]
    before = source.fingerprint()
    assert server.asked == []
    assert source.pixels("1").shape == (HEIGHT, WIDTH, 3)
    source.pixels("3")
    np.testing.assert_array_equal(source.pixels("1"), source.pixels("1"))
    assert server.asked == ["/1.png"]
    with pytest.raises(PhotoError):
        source.pixels("5")
    assert [(one.kind, one.record) for one in source.problems()] == [
        ("missing_photo", "4"),
        ("unreachable_photo", "5"),
    ]
    again = opened(tmp_path, download=True, cache_dir=cache_dir)
    assert again.fingerprint() == before
    again.pixels("1")
    assert server.asked == ["/1.png", "/missing.png"]


@pytest.mark.parametrize(
    "url",
    [
        "http://[::1",
        "http://[::1/a.png",
        "http://a\u2100b/",
        "http://a..b/a.png",
        f"http://{'a' * 70}.invalid/a.png",
        "http://127.0.0.1:99999/a.png",
        "http://127.0.0.1:x/a.png",
        "http:///a.png",
        "ftp://127.0.0.1/a.png",
        "a\0b",
    ],
)
def test_an_address_that_is_none_is_an_unreachable_photo(tmp_path: Path, url: str) -> None:
    with pytest.raises(PhotoError) as caught:
        PhotoCache(tmp_path, 5, 0).fetch(url, SIZE)
    assert caught.value.kind == "unreachable_photo"


def test_an_address_that_is_none_does_not_keep_a_source_from_opening(tmp_path: Path) -> None:
    images = [image(1), image(2, coco_url="http://[::1")]
    write_photo(tmp_path / "images")
    content = document(images, [annotation(1, 1), annotation(2, 2)])
    write_json(tmp_path / "annotations" / "instances.json", content)
    source = opened(tmp_path, download=True)
    with pytest.raises(PhotoError):
        source.pixels("2")
    assert [problem.kind for problem in source.problems()] == ["unreachable_photo"]


@pytest.mark.parametrize("name", ["n" * 300, "\u4e2d" * 100, "a\0b", "%00", ""])
def test_kept_names_fit_every_disk(server: Server, tmp_path: Path, name: str) -> None:
    path = PhotoCache(tmp_path, 5, 0).path(server.url(f"/{name}.png"))
    assert len(f"{path.name}.12345678.part".encode()) <= 255
    path.touch()


def test_a_time_limit_of_ages_is_no_error(server: Server, tmp_path: Path) -> None:
    assert PhotoCache(tmp_path, 1e30, 0).fetch(server.url("/good.png"), SIZE).is_file()


@pytest.mark.parametrize("damage", [b"", b"<html>", b"half"])
def test_a_photo_damaged_in_the_cache_is_fetched_again_once(
    server: Server, tmp_path: Path, damage: bytes
) -> None:
    cache = PhotoCache(tmp_path, 5, 0)
    url = server.url("/good.png")
    pixels = cache.read(url, SIZE)
    path = cache.path(url)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2] if damage == b"half" else damage)
    assert np.array_equal(cache.read(url, SIZE), pixels)
    assert path.read_bytes() == content
    assert len(server.asked) == 2
    server.photo = b"gone bad"
    path.write_bytes(damage)
    with pytest.raises(PhotoError):
        cache.read(url, SIZE)
    assert len(server.asked) == 3
