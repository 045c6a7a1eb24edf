"""What makes two rows the same: their pixels and their words, not the bytes of a PNG file."""

import hashlib
from functools import lru_cache

import cv2
import numpy as np
import orjson

from gen.item import JudgeItem


def row_hash(item: JudgeItem) -> str:
    """SHA-256 (hex) over the decoded pixels of each picture and canonical JSON of all other fields.

    PNG bytes may differ between builds of a compressor while the picture is the same; pixels and
    JSON may not.

    Raises:
        ValueError: a picture does not decode.
    """
    fields = {
        "id": item.id,
        "task": item.task,
        "encoding": item.encoding,
        "question_type": item.question_type,
        "subset": item.subset,
        "prompt": item.prompt,
        "answer": item.answer,
        "choices": item.choices,
        "metadata": item.metadata,
        "media": [
            # The photo stands first in every item that shares it; options are each item's own.
            [picture.name, (_shared_pixels_hash if index == 0 else pixels_hash)(picture.png)]
            for index, picture in enumerate(item.media)
        ],
    }
    return hashlib.sha256(orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)).hexdigest()


def pixels_hash(png: bytes) -> str:
    """SHA-256 (hex) of a picture: its shape as text, then its RGB (or grey) bytes, row by row.

    Raises:
        ValueError: `png` does not decode.
    """
    pixels = cv2.imdecode(np.frombuffer(png, dtype=np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None:
        raise ValueError("a picture of an item does not decode")
    if pixels.ndim == 3:
        pixels = cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)
    digest = hashlib.sha256(repr(pixels.shape).encode())
    digest.update(np.ascontiguousarray(pixels).data)
    return digest.hexdigest()


_shared_pixels_hash = lru_cache(maxsize=32)(pixels_hash)
