"""What makes two rows the same: their pixels and their words, not the bytes of a PNG file."""

from dataclasses import fields

import orjson
from blake3 import blake3

from gen.item import JudgeItem


def row_hash(item: JudgeItem) -> str:
    """BLAKE3 (hex) over the pixels of each picture and canonical JSON of all other fields."""
    row = {field.name: getattr(item, field.name) for field in fields(item)}
    row["media"] = [[picture.name, picture.pixels_hash] for picture in item.media]
    return blake3(orjson.dumps(row, option=orjson.OPT_SORT_KEYS)).hexdigest()
