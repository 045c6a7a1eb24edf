"""Items as parquet that `datasets.load_dataset` reads with types, pictures included."""

import io
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from blake3 import blake3

from gen import atomic
from gen.export.row_hash import row_hash
from gen.item import JudgeItem, Media, to_parts
from gen.render.png import decode_png, pixels_hash

# The hub's viewer refuses row groups of more than 100 rows or about 250 MB; readers that stream
# hold one row group in memory, writers about four times as much.
GROUP_ROWS = 25
GROUP_BYTES = 16 * 2**20

FOOTER_KEY = b"gen"

STRING_COLUMNS = ("id", "task", "encoding", "question_type", "subset", "prompt")
COLUMNS = (*STRING_COLUMNS, "media", "answer", "choices", "metadata")
_LISTS = {"media": "image", "choices": "string"}

_PICTURE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
_TYPES = {"media": pa.list_(_PICTURE), "choices": pa.list_(pa.string())}


@dataclass(frozen=True, slots=True)
class Footer:
    """What a shard says of itself, kept in the parquet file's own footer.

    `num_bytes` is the size of the rows as Arrow tables, which is what `datasets` calls by that
    name. `media` holds name -> (size, BLAKE3) of the PNG files that stand beside the shard.
    `rejections` counts planned items that were dropped, by reason. `tells` are the counts of
    `gen.export.tells`, where they were taken.
    """

    rows: int
    pictures: int
    num_bytes: int
    row_hashes: tuple[str, ...]
    media: dict[str, tuple[int, str]]
    rejections: dict[str, int]
    tells: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ShardResult:
    """A shard that is whole on disk: its footer, its size in bytes and the BLAKE3 of the file."""

    footer: Footer
    size: int
    blake3: str


def features() -> list[dict[str, Any]]:
    """The columns as the `dataset_info` of a data set card lists them."""
    return [
        {"name": name, "list": _LISTS[name]}
        if name in _LISTS
        else {"name": name, "dtype": "string"}
        for name in COLUMNS
    ]


def schema() -> pa.Schema:
    """The Arrow schema of a row, with the types that `datasets` reads under `huggingface`."""
    kinds: dict[str, dict[str, Any]] = {}
    for name in COLUMNS:
        value = {"dtype": "string", "_type": "Value"}
        if name in _LISTS:
            inner = {"_type": "Image"} if name == "media" else value
            kinds[name] = {"feature": inner, "_type": "List"}
        else:
            kinds[name] = value
    known = {b"huggingface": orjson.dumps({"info": {"features": kinds}})}
    return pa.schema([(name, _TYPES.get(name, pa.string())) for name in COLUMNS], metadata=known)


def to_row(item: JudgeItem) -> dict[str, Any]:
    """An item as the row of the data set.

    Raises:
        ValueError: the prompt's placeholders and the pictures are not as many.
    """
    to_parts(item)
    return {
        "id": item.id,
        "task": item.task,
        "encoding": item.encoding,
        "question_type": item.question_type,
        "subset": item.subset,
        "prompt": item.prompt,
        "media": [{"bytes": picture.png, "path": picture.name} for picture in item.media],
        "answer": item.answer,
        "choices": list(item.choices),
        "metadata": orjson.dumps(item.metadata, option=orjson.OPT_SORT_KEYS).decode(),
    }


class ShardWriter:
    """Writes the rows of one shard to an open binary file, a row group at a time.

    Equal rows give equal bytes under one version of pyarrow. No more than one row group is held.
    """

    def __init__(self, sink: IO[bytes]) -> None:
        self._schema = schema()
        self._sink = _Hashing(sink)
        self._writer = pq.ParquetWriter(
            self._sink,
            self._schema,
            # PNG does not compress further; a dictionary or statistics of pictures is a copy.
            compression={name: "zstd" for name in COLUMNS if name not in _LISTS}
            | {"choices.list.element": "zstd"},
            use_dictionary=["task", "encoding", "question_type", "subset", "answer"],
            write_statistics=list(STRING_COLUMNS[:-1]),
        )
        self._rows: list[dict[str, Any]] = []
        self._row_bytes = 0
        self._num_bytes = 0
        self._pictures = 0
        self._hashes: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Without this, pyarrow closes a file that was given up at some later time, and complains.
        self._writer.close()

    def add(self, item: JudgeItem) -> None:
        """Append one item.

        Raises:
            ValueError: pictures and placeholders do not agree.
            OSError: the disk is full.
        """
        self._rows.append(to_row(item))
        self._hashes.append(row_hash(item))
        self._pictures += len(item.media)
        self._row_bytes += len(item.prompt) + sum(len(picture.png) for picture in item.media)
        if len(self._rows) >= GROUP_ROWS or self._row_bytes >= GROUP_BYTES:
            self._write_group()

    def close(
        self,
        media: dict[str, tuple[int, str]],
        rejections: dict[str, int],
        tells: dict[str, int] | None = None,
    ) -> ShardResult:
        """Write what is left and the footer; tell what was written."""
        if self._rows:
            self._write_group()
        written = Footer(
            rows=len(self._hashes),
            pictures=self._pictures,
            num_bytes=self._num_bytes,
            row_hashes=tuple(self._hashes),
            media=media,
            rejections=rejections,
            tells=tells or {},
        )
        record = orjson.dumps(asdict(written), option=orjson.OPT_SORT_KEYS)
        self._writer.add_key_value_metadata({FOOTER_KEY: record})
        self._writer.close()
        return ShardResult(written, self._sink.size, self._sink.digest.hexdigest())

    def _write_group(self) -> None:
        columns = [_column(name, [row[name] for row in self._rows]) for name in COLUMNS]
        table = pa.Table.from_arrays(columns, schema=self._schema)
        self._writer.write_table(table, row_group_size=len(self._rows))
        self._num_bytes += table.nbytes
        self._rows.clear()
        self._row_bytes = 0


def _column(name: str, values: list[Any]) -> pa.Array:
    if name != "media":
        return pa.array(values, _TYPES.get(name, pa.string()))
    # pa.array would copy each picture several times while its buffer grows.
    pictures = [picture for row in values for picture in row]
    ends = np.cumsum([0, *(len(picture["bytes"]) for picture in pictures)], dtype=np.int32)
    content = b"".join(picture["bytes"] for picture in pictures)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(content)]
    column = pa.StructArray.from_arrays(
        [
            pa.Array.from_buffers(pa.binary(), len(pictures), buffers),
            pa.array([picture["path"] for picture in pictures], pa.string()),
        ],
        fields=list(_PICTURE),
    )
    rows = np.cumsum([0, *map(len, values)], dtype=np.int32)
    return pa.ListArray.from_arrays(pa.array(rows), column)


def write_shard(path: Path, items: Iterable[JudgeItem]) -> ShardResult:
    """Write `items` to the parquet file `path`, which appears only when it is whole."""
    with (
        atomic.replacing(path) as temporary,
        temporary.open("wb") as sink,
        ShardWriter(sink) as writer,
    ):
        for item in items:
            writer.add(item)
        return writer.close({}, {})


def footer(path: Path) -> Footer:
    """What the shard at `path` says of itself.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is no whole shard of ours.
    """
    try:
        known = orjson.loads(pq.read_metadata(path).metadata[FOOTER_KEY])
        media = {name: (size, digest) for name, (size, digest) in known.pop("media").items()}
        return Footer(**known | {"row_hashes": tuple(known["row_hashes"]), "media": media})
    except (pa.ArrowInvalid, KeyError, TypeError) as error:
        raise ValueError(f"{path.name} is no whole shard ({error})") from None


def read_items(path: Path) -> Iterator[JudgeItem]:
    """The items of a shard, read a row group at a time; every picture is decoded.

    Raises:
        ValueError: the file is no parquet of ours, or a picture does not decode.
    """
    for batch in pq.ParquetFile(path).iter_batches(batch_size=GROUP_ROWS):
        for row in batch.to_pylist():
            media = tuple(_read(picture["path"], picture["bytes"]) for picture in row["media"])
            yield JudgeItem(
                **row
                | {
                    "media": media,
                    "choices": tuple(row["choices"]),
                    "metadata": orjson.loads(row["metadata"]),
                }
            )


def _read(name: str, png: bytes) -> Media:
    return Media(name, png, pixels_hash(decode_png(png)))


class _Hashing(io.RawIOBase):
    """A sink that hashes what goes through it, so that the file is not read again for that."""

    def __init__(self, sink: IO[bytes]) -> None:
        self._sink = sink
        self.digest = blake3()
        self.size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        view = memoryview(data)
        self._sink.write(view)
        self.digest.update(view)
        self.size += view.nbytes
        return view.nbytes

    def tell(self) -> int:
        return self.size
