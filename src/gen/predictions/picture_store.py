"""Pictures by the hash of their pixels, in one file: a ZIP archive of PNG files.

Predictions that are pictures are too large for a plan, and too dear to be made twice.
"""

import io
import zipfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import IO

import numpy as np
from numpy.typing import NDArray

from gen.predictions.annotation import PicturePrediction
from gen.render.png import encode_png, pixels_hash

# The earliest date that the format knows: archives of equal pictures are equal.
_DATE = (1980, 1, 1, 0, 0, 0)


class PictureStore:
    """An archive that is added to, or read. Equal pictures are stored once."""

    def __init__(self, file: IO[bytes] | Path, mode: str = "w") -> None:
        """Begin an archive ("w") or open one ("r").

        Raises:
            OSError: the file cannot be opened.
            ValueError: it is no such archive.
        """
        try:
            self._archive = zipfile.ZipFile(file, "w" if mode == "w" else "r")
        except zipfile.BadZipFile as error:
            raise ValueError(f"not an archive of pictures: {error}") from None
        self._known = set(self._archive.namelist())

    @classmethod
    def in_memory(cls) -> "PictureStore":
        """A new one that no file holds."""
        return cls(io.BytesIO())

    def __enter__(self) -> "PictureStore":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._archive.close()

    def __len__(self) -> int:
        return len(self._known)

    def add(self, pixels: NDArray[np.uint8]) -> PicturePrediction:
        """Store a picture, RGB uint8 (height, width, 3), and give its name."""
        png, digest = encode_png(np.ascontiguousarray(pixels)), pixels_hash(pixels)
        self._write(digest, png)
        return PicturePrediction(digest, (pixels.shape[0], pixels.shape[1]), len(png))

    def png(self, picture: PicturePrediction) -> bytes:
        """The PNG file of a picture.

        Raises:
            KeyError: the archive has no such picture.
            ValueError: the archive is damaged.
        """
        try:
            return self._archive.read(f"{picture.digest}.png")
        except zipfile.BadZipFile as error:
            raise ValueError(f"picture {picture.digest}: {error}") from None

    def take(self, other: "PictureStore", pictures: Iterable[PicturePrediction]) -> None:
        """Copy pictures from another archive.

        Raises:
            KeyError: the other archive lacks one.
        """
        for picture in pictures:
            if f"{picture.digest}.png" not in self._known:
                self._write(picture.digest, other.png(picture))

    def _write(self, digest: str, png: bytes) -> None:
        name = f"{digest}.png"
        if name not in self._known:
            self._known.add(name)
            self._archive.writestr(zipfile.ZipInfo(name, _DATE), png)
