"""Pictures that annotation files name: found below their root or fetched, and never trusted."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gen.predictions.files import inner
from gen.schema import JsonPredictions
from gen.sources.coco_records import RecordError
from gen.sources.download import PhotoCache, is_address
from gen.sources.photos import PhotoError, read_rgb


class NamedPictures:
    """The pictures below `predictions.root`, and those on the web if they may be fetched."""

    def __init__(self, settings: JsonPredictions) -> None:
        self._root = settings.root
        self._cache = (
            PhotoCache(
                Path(settings.cache_dir),
                settings.download_timeout,
                settings.download_retries,
                knobs="predictions",
            )
            if settings.download
            else None
        )

    def check(self, name: str) -> None:
        """See that there may be a picture `name`, without reading or fetching it.

        Raises:
            RecordError: "bad_prediction": no such file, or an address that may not be fetched.
        """
        if not is_address(name):
            self._path(name)
        elif not name.isprintable():
            raise _fault(f"{name!r} is no http address")
        elif self._cache is None:
            raise _fault(f"{name!r} is on the web; predictions.download=true fetches it")

    def read(self, name: str) -> NDArray[np.uint8]:
        """The picture `name` as RGB, uint8 (height, width, 3).

        Raises:
            RecordError: "bad_prediction": it is not there, or cannot be decoded.
            UserError: it has to be fetched, and cannot be for now.
        """
        self.check(name)
        try:
            if self._cache and is_address(name):
                return self._cache.read(name, None)
            return read_rgb(self._path(name))
        except PhotoError as error:
            reason = str(error)
            raise _fault(reason if name in reason else f"{name!r} {reason}") from None

    def _path(self, name: str) -> Path:
        file = inner(self._root, name)
        if file is None or not file.path.is_file():
            raise _fault(f"no file {name!r} below predictions.root")
        return file.path


def _fault(reason: str) -> RecordError:
    return RecordError("bad_prediction", f"prediction[0].picture: {reason}")
