"""What makes two rows the same: their pixels and their words, not the bytes of a PNG file."""

import orjson
from blake3 import blake3

from gen.item import JudgeItem


def row_hash(item: JudgeItem) -> str:
    """BLAKE3 (hex) over the pixels of each picture and canonical JSON of all other fields."""
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
        "media": [[picture.name, picture.pixels_hash] for picture in item.media],
    }
    return blake3(orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)).hexdigest()
