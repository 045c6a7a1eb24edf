"""Photos fetched from the web into a cache, checked before they are used."""

import hashlib
import os
import re
import tempfile
import time
from pathlib import Path, PurePosixPath
from urllib.parse import SplitResult, urlsplit

import numpy as np
from numpy.typing import NDArray

from gen.errors import UserError
from gen.sources.photos import PhotoError, read_rgb

# The largest photo of COCO has under 1 MB; a server that sends far more sends something else.
MAX_BYTES = 64 * 2**20
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_STRANGE = re.compile(r"[^A-Za-z0-9._-]")
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
# A socket takes no more than some 292 years, and a day is as good as for ever.
_LONGEST_TIMEOUT = 86_400.0
_NAME_LENGTH = 64
_RETRIED_STATUS = (408, 425, 429, 500, 502, 503, 504)


def is_address(text: str) -> bool:
    """Whether `text` is meant as an address of the web, not as a path."""
    return bool(_ADDRESS.match(text))


class _PassingFaultError(Exception):
    """A fault of the network or the server that may be gone at the next try."""


class PhotoCache:
    """Photos by address, in a folder that any number of processes may share.

    `timeout` is the number of seconds that one try for one photo may take, and `retries` how often
    a passing fault is tried again, after pauses that double from half a second to 30 seconds.
    `knobs` names the group of the settings that these come from, for messages.
    """

    def __init__(
        self,
        folder: Path,
        timeout: float,
        retries: int,
        max_bytes: int = MAX_BYTES,
        knobs: str = "data",
    ) -> None:
        self._folder = folder.expanduser()
        self._timeout = min(timeout, _LONGEST_TIMEOUT)
        self._retries = retries
        self._max_bytes = max_bytes
        self._knobs = knobs

    def path(self, url: str) -> Path:
        """Where the photo at `url` is kept once it has been fetched."""
        digest = hashlib.sha256(url.encode()).hexdigest()[:16]
        parts = _split(url)
        # For people who look into the folder; plain letters only, so that every disk takes it.
        name = _STRANGE.sub("_", PurePosixPath(parts.path).name if parts else "")
        return self._folder / f"{digest}_{name[-_NAME_LENGTH:]}"

    def fetch(self, url: str, size: tuple[int, int] | None) -> Path:
        """The path of the photo at `url`, of `size` (width, height), fetched if it is not there.

        Any size will do where that is None.

        Raises:
            PhotoError: what the server has under this address is not this photo.
            UserError: the server cannot be reached, or does not deliver. A later try may succeed,
                so this is no reason to make a data set without the photo.
        """
        path = self.path(url)
        if self._is_kept(path):
            return path
        parts = _split(url)
        if parts is None or parts.scheme not in ("http", "https"):
            raise PhotoError(f"'{url}' is no http address", "unreachable_photo")
        tries = 0
        while True:
            try:
                return self._fetch_once(url, size, path)
            except _PassingFaultError as fault:
                tries += 1
                if tries > self._retries:
                    raise UserError(
                        f"cannot fetch {url}: {fault} (tries: {tries}); "
                        f"{self._knobs}.download=false uses only photos that are on disk"
                    ) from None
            time.sleep(min(_FIRST_PAUSE * 2 ** (tries - 1), _LONGEST_PAUSE))

    def read(self, url: str, size: tuple[int, int] | None) -> NDArray[np.uint8]:
        """The photo at `url` as `read_rgb` gives it; one that is damaged on disk is fetched again.

        Raises:
            PhotoError: as for `fetch`.
            UserError: as for `fetch`.
        """
        kept = self._is_kept(self.path(url))
        path = self.fetch(url, size)
        try:
            return read_rgb(path, size)
        except PhotoError:
            if not kept:
                raise
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise self._unusable(error) from None
        return read_rgb(self.fetch(url, size), size)

    def _unusable(self, error: OSError) -> UserError:
        return UserError(f"{self._knobs}.cache_dir={self._folder}: {error.strerror}")

    def _is_kept(self, path: Path) -> bool:
        try:
            return path.is_file()
        except OSError as error:
            raise self._unusable(error) from None

    def _fetch_once(self, url: str, size: tuple[int, int] | None, path: Path) -> Path:
        content = self._body(url)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(".part", f"{path.name}.", self._folder)
            partial = Path(name)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
                read_rgb(partial, size)
                partial.replace(path)
            finally:
                partial.unlink(missing_ok=True)
        except OSError as error:
            raise self._unusable(error) from None
        return path

    def _body(self, url: str) -> bytes:
        import httpx

        deadline = time.monotonic() + self._timeout
        content = bytearray()
        try:
            with httpx.stream("GET", url, timeout=self._timeout, follow_redirects=True) as response:
                _check_head(response.status_code, response.headers.get("content-type", ""))
                for chunk in response.iter_bytes():
                    content += chunk
                    if len(content) > self._max_bytes:
                        raise PhotoError(
                            f"{url} has more than {self._max_bytes} bytes", "unreachable_photo"
                        )
                    if time.monotonic() > deadline:
                        raise _PassingFaultError(f"not done after {self._timeout:g} s")
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.TooManyRedirects) as error:
            raise PhotoError(f"{url}: {error}", "unreachable_photo") from None
        except httpx.HTTPError as error:
            raise _PassingFaultError(str(error) or type(error).__name__) from None
        except (ValueError, OverflowError) as error:  # a host or port that no socket takes
            raise PhotoError(f"{url}: {error}", "unreachable_photo") from None
        return bytes(content)


def _split(url: str) -> SplitResult | None:
    """The parts of an address; None where it is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises where it is no number, or none of a port
    except ValueError:
        return None
    return parts


def _check_head(status: int, content_type: str) -> None:
    if status in _RETRIED_STATUS:
        raise _PassingFaultError(f"the server answers {status}")
    if status != 200:
        raise PhotoError(f"the server answers {status}", "unreachable_photo")
    kind = content_type.partition(";")[0].strip().lower()
    if kind and not kind.startswith("image/") and kind != "application/octet-stream":
        raise PhotoError(f"the server sends {kind}, not a photo", "unreachable_photo")
