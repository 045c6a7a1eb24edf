"""The file that holds the plan of a run: a header line, then one self-contained line an item."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

import orjson
from blake3 import blake3

from gen.predictions.annotation import Annotation, Given, prediction_from_json
from gen.predictions.picture_store import PictureStore
from gen.sources.records import Problem

INDEX_STEP = 64  # items from one entry of the header's index to the next


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """One item before it is drawn: its predictions in option order.

    `rank` counts pairs (or groups) from 0, `group` names what its predictions have in common, and
    `wording` is the index of the paraphrase. `pair_id` is equal for a pair and its exchanged twin,
    whose `order` is "BA"; both are None but for pairs.
    """

    rank: int
    image_id: str
    question: str
    annotations: tuple[Annotation, ...]
    classes: tuple[str, ...]
    prompt: str | None
    group: str
    wording: int
    pair_id: str | None = None
    order: str | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """What a plan holds, and what the data did not give.

    `drops` counts, by encoding, choices that were left out since options would look alike there;
    `shortfalls` are sentences, none when every quota is full; `error_types` counts items; `index`
    has the offset in bytes, from the end of the header line, of each `INDEX_STEP`-th item;
    `pictures` is the BLAKE3 of the archive beside the plan, None where predictions need none.
    """

    items: int
    images: int
    drops: Mapping[str, int]
    shortfalls: Sequence[str]
    problems: Sequence[Problem]
    error_types: Mapping[str, int]
    index: Sequence[int]
    pictures: str | None = None


def header(path: Path) -> Header:
    """The header of the plan at `path`.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is no plan.
    """
    with path.open("rb") as file:
        return _header(file)


def read(path: Path, start: int, stop: int) -> list[PlannedItem]:
    """The items `start` to `stop` (exclusive) of the plan at `path`, without parsing the others.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is no plan.
    """
    with path.open("rb") as file:
        index = _header(file).index
        row = start // INDEX_STEP
        if start >= stop or row >= len(index):
            return []
        file.seek(file.tell() + index[row])
        begin = start - row * INDEX_STEP
        return [_from_json(line) for line in islice(file, begin, begin + stop - start)]


def pictures_beside(path: Path) -> Path:
    """The archive with the pictures that the plan at `path` speaks of (see `PictureStore`)."""
    return path.with_name(f"{path.stem}_pictures.zip")


def has_its_pictures(path: Path) -> bool:
    """Whether the archive of the plan at `path` is there, just as it was made, or none is needed.

    Raises:
        OSError: a file cannot be read.
        ValueError: there is no plan.
    """
    wanted, archive = header(path).pictures, pictures_beside(path)
    return wanted is None or (archive.is_file() and picture_hash(archive) == wanted)


def picture_hash(archive: Path) -> str:
    """The BLAKE3 of an archive."""
    return blake3().update_mmap(archive).hexdigest()


def open_pictures(path: Path) -> PictureStore | None:
    """The pictures that the plan at `path` speaks of; None where there are none.

    Raises:
        OSError: the archive cannot be read.
        ValueError: it is no archive of pictures.
    """
    archive = pictures_beside(path)
    return PictureStore(archive, "r") if archive.is_file() else None


def to_line(item: PlannedItem) -> bytes:
    """One item as a line of JSON, the line feed included."""
    annotations = [
        {
            **{name: getattr(one, name) for name in _PLAIN},
            "metrics": dict(one.metrics),
            "prediction": [part.to_json() for part in one.prediction],
            "given": one.given and one.given.to_json(),
        }
        for one in item.annotations
    ]
    fields = {name: getattr(item, name) for name in PlannedItem.__slots__}
    return orjson.dumps({**fields, "annotations": annotations}, option=orjson.OPT_APPEND_NEWLINE)


def header_line(top: Header) -> bytes:
    """The header as a line of JSON, the line feed included."""
    return orjson.dumps(asdict(top), option=orjson.OPT_APPEND_NEWLINE)


_PLAIN = tuple(
    name
    for name in Annotation.__slots__
    if name not in ("image_id", "metrics", "prediction", "given")
)


def _header(file: IO[bytes]) -> Header:
    record = orjson.loads(file.readline())
    try:
        record["problems"] = tuple(Problem(**problem) for problem in record["problems"])
        record["shortfalls"], record["index"] = tuple(record["shortfalls"]), tuple(record["index"])
        return Header(**record)
    except (KeyError, TypeError) as error:
        raise ValueError(f"not the header of a plan: {error}") from None


def _from_json(line: bytes) -> PlannedItem:
    record: dict[str, Any] = orjson.loads(line)
    annotations = tuple(_annotation(one, record["image_id"]) for one in record["annotations"])
    return PlannedItem(
        **{**record, "annotations": annotations, "classes": tuple(record["classes"])}
    )


def _annotation(record: Mapping[str, Any], image_id: str) -> Annotation:
    classes = record["class_of_interest"]
    return Annotation(
        **{
            **record,
            "image_id": image_id,
            "class_of_interest": None if classes is None else tuple(classes),
            "prediction": prediction_from_json(record["prediction"]),
            "size": record["size"] and tuple(record["size"]),
            "given": record["given"] and Given.from_json(record["given"]),
        }
    )
