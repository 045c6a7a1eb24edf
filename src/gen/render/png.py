"""A small, fast PNG writer, and its reader.

Adaptive filter search is what makes the usual writers slow. One filter for the whole picture and
the fastest deflate level give files of nearly the same size in a fraction of the time. Layout and
filters: W3C, Portable Network Graphics (PNG) Specification, 3rd edition, sections 5, 9 and 11.
"""

import struct
from collections.abc import Callable, Sequence
from functools import partial

import cv2
import numpy as np
from blake3 import blake3
from numpy.typing import NDArray

try:
    from isal.igzip_lib import COMP_ZLIB, MEM_LEVEL_EXTRA_LARGE, compress
    from isal.isal_zlib import crc32

    _deflate: Callable[..., bytes]
    # A window of 4 kB stays in the fastest cache; the files grow by half a percent.
    _deflate = partial(
        compress, level=1, flag=COMP_ZLIB, mem_level=MEM_LEVEL_EXTRA_LARGE, hist_bits=12
    )
except ImportError:  # no wheel of isal for this machine: slower, the same pixels
    import zlib
    from zlib import crc32

    _deflate = partial(zlib.compress, level=1)

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COLOUR_TYPE = {1: 0, 3: 2}
_NO_FILTER, _UP = 0, 2
_SAMPLED_ROWS = 16


def encode_png(rgb: NDArray[np.uint8]) -> bytes:
    """Lossless PNG of an RGB picture (H, W, 3) or a grey one (H, W), uint8.

    The file has the chunks IHDR, IDAT and IEND only, so it tells nothing but its pixels.

    Raises:
        ValueError: another shape or dtype, or no pixels.
    """
    if rgb.dtype != np.uint8 or rgb.ndim not in (2, 3) or rgb.size == 0:
        raise ValueError(f"expected uint8 (H, W, 3) or (H, W), got {rgb.dtype} {rgb.shape}")
    h, w = rgb.shape[:2]
    channels = 1 if rgb.ndim == 2 else rgb.shape[2]
    if channels not in _COLOUR_TYPE:
        raise ValueError(f"expected 1 or 3 channels, got {channels}")
    header = struct.pack(">IIBBBBB", w, h, 8, _COLOUR_TYPE[channels], 0, 0, 0)
    data = _deflate(_filtered(rgb.reshape(h, w * channels), channels))
    return b"".join(
        (_SIGNATURE, _chunk(b"IHDR", header), _chunk(b"IDAT", data), _chunk(b"IEND", b""))
    )


def of_one_size(files: Sequence[bytes]) -> list[bytes]:
    """The same pictures in files of the same number of bytes, those written by `encode_png`.

    Each gets a chunk of zeros that readers pass over (its name says by its case: ancillary,
    private, safe to copy; section 5.4). So a list of files does not tell the pictures apart.
    """
    longest = max(map(len, files), default=0)
    end = _chunk(b"IEND", b"")
    return [
        b"".join((file[: -len(end)], _chunk(b"paDd", bytes(longest - len(file))), end))
        for file in files
    ]


def decode_png(png: bytes) -> NDArray[np.uint8]:
    """Pixels of an 8-bit PNG without alpha: RGB (H, W, 3), or grey (H, W).

    Raises:
        ValueError: not a picture that can be read, or of another depth or with alpha.
    """
    if not png:
        raise ValueError("an empty file is not a PNG")
    decoded = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    if decoded is None:
        raise ValueError(f"not a readable PNG ({len(png)} bytes)")
    if decoded.dtype != np.uint8 or (decoded.ndim == 3 and decoded.shape[2] != 3):
        raise ValueError(f"expected 8-bit RGB or grey, got {decoded.dtype} {decoded.shape}")
    if decoded.ndim == 3:
        cv2.cvtColor(decoded, cv2.COLOR_BGR2RGB, dst=decoded)
    return np.asarray(decoded, np.uint8)


def pixels_hash(pixels: NDArray[np.uint8]) -> str:
    """BLAKE3 (hex) of a picture: its shape as text, then its bytes row by row.

    It names what is seen. PNG bytes may differ between builds of a compressor; pixels may not.
    """
    digest = blake3(repr(pixels.shape).encode())
    digest.update(np.ascontiguousarray(pixels).data)
    return digest.hexdigest()


def _filtered(rows: NDArray[np.uint8], channels: int) -> NDArray[np.uint8]:
    out = np.empty((rows.shape[0], rows.shape[1] + 1), np.uint8)
    if _is_flat(rows, channels):
        out[:, 0] = _NO_FILTER
        out[:, 1:] = rows
    else:
        out[:, 0] = _UP
        out[0, 1:] = rows[0]
        np.subtract(rows[1:], rows[:-1], out=out[1:, 1:])
    return out


def _is_flat(rows: NDArray[np.uint8], channels: int) -> bool:
    """Most bytes repeat their left neighbour: deflate finds such runs best unfiltered."""
    sample = rows[::_SAMPLED_ROWS]
    left, here = sample[:, :-channels], sample[:, channels:]
    return 2 * int(np.count_nonzero(left == here)) > left.size


def _chunk(kind: bytes, data: bytes) -> bytes:
    return b"".join(
        (struct.pack(">I", len(data)), kind, data, struct.pack(">I", crc32(data, crc32(kind))))
    )
