"""Photo files of every kind as RGB pixels.

One decoder, Pillow with the libjpeg-turbo of its wheels, reads all of them: it refuses a file that
is cut off, and its JPEG pixels equal OpenCV's. Colour profiles are not applied.
"""

import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps
from PIL.ExifTags import Base

Fault = Literal["missing_photo", "corrupt_photo", "wrong_size", "unreachable_photo"]

# What Pillow raises, in one version or another, on bytes that it cannot make sense of.
_DECODE_ERRORS = (
    OSError,
    RuntimeError,
    SyntaxError,
    ValueError,
    EOFError,
    IndexError,
    KeyError,
    TypeError,
    struct.error,
    zlib.error,
    Image.DecompressionBombError,
    Image.DecompressionBombWarning,
)
# What Pillow decodes by itself (a JPEG may turn out an MPO); some others it hands to a program.
FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "PPM")
_WHITE = (255, 255, 255, 255)


class PhotoError(Exception):
    """A photo that cannot be used. `kind` is the word by which such faults are counted."""

    def __init__(self, reason: str, kind: Fault = "corrupt_photo") -> None:
        super().__init__(reason)
        self.kind: Fault = kind


def read_rgb(path: Path, expected: tuple[int, int] | None = None) -> NDArray[np.uint8]:
    """The photo at `path` as RGB, uint8 (height, width, 3), C-contiguous and read-only.

    Grey, palette, CMYK and 1-bit photos become RGB; 16-bit samples keep their high byte; what is
    transparent shows white. An animation gives its first frame.

    `expected` is (width, height) in pixels. A photo whose stored pixels have that size is left as
    it is, whatever its EXIF orientation says, for annotations refer to stored pixels; one that has
    it only when turned is turned. With None the orientation is followed.

    Raises:
        PhotoError: the file is missing, corrupt, cut off, of another size than `expected`, or of
            more pixels than Pillow takes for safe (`Image.MAX_IMAGE_PIXELS`).
    """
    with opened(path) as image:
        turned = _is_turned(image, expected)
        image.load()
        rgb = _to_rgb(ImageOps.exif_transpose(image) if turned else image)
    return np.asarray(rgb)


@contextmanager
def opened(path: Path) -> Iterator[Image.Image]:
    """The picture at `path` as Pillow has it; its pixels are read when they are first asked for.

    Raises:
        PhotoError: the file is missing, or what is done with the picture shows that it is corrupt
            or of too many pixels.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path, formats=FORMATS) as image:
                yield image
    except FileNotFoundError:
        raise PhotoError("no such file", "missing_photo") from None
    except _DECODE_ERRORS as error:
        raise PhotoError(_reason(error, path)) from None


def _is_turned(image: Image.Image, expected: tuple[int, int] | None) -> bool:
    """Whether the EXIF orientation has to be followed to give the expected size."""
    if expected == image.size:
        return False
    orientation = image.getexif().get(Base.Orientation, 1)
    width, height = image.size
    seen = (height, width) if orientation in (5, 6, 7, 8) else (width, height)
    if expected in (None, seen):
        return bool(orientation != 1)
    raise PhotoError(
        f"is {seen[0]} x {seen[1]} pixels, its annotations say {expected[0]} x {expected[1]}",
        "wrong_size",
    )


def _to_rgb(image: Image.Image) -> Image.Image:
    if image.mode == "RGB" and "transparency" not in image.info:
        return image
    if image.mode.startswith("I"):
        return _from_16_bit(image)
    if image.mode == "F":
        raise PhotoError("holds floating-point samples, which have no defined white")
    if image.has_transparency_data:
        rgba = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", image.size, _WHITE), rgba).convert("RGB")
    return image.convert("RGB")


def _from_16_bit(image: Image.Image) -> Image.Image:
    samples = np.asarray(image)
    if samples.min() < 0 or samples.max() > 0xFFFF:
        raise PhotoError("holds samples of more than 16 bits")
    return Image.fromarray((samples >> 8).astype(np.uint8)).convert("RGB")


def _reason(error: Exception, path: Path) -> str:
    if isinstance(error, Image.DecompressionBombError | Image.DecompressionBombWarning):
        return f"has more than {Image.MAX_IMAGE_PIXELS} pixels"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    # Pillow names the file by its full path, which is no part of the fault.
    text = " ".join(str(error).replace(repr(str(path)), "file").split())
    return f"cannot be decoded: {text or type(error).__name__}"
