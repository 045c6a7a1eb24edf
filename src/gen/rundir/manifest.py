"""`manifest.json`: what a finished run is made of.

The first line of the file, closed with a brace, is JSON by itself and holds all but the list of
files, which grows with the run: many runs can be listed without reading every hash.
"""

import hashlib
import os
import platform
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import orjson
from blake3 import blake3

import gen
from gen import atomic
from gen.rundir.place import MANIFEST

# What decides pixels, numbers or file bytes.
_PACKAGES = (
    "isal",
    "numpy",
    "opencv-python-headless",
    "orjson",
    "pillow",
    "pyarrow",
    "pycocotools",
    "scikit-image",
)


@cache
def versions() -> dict[str, Any]:
    """The versions of all that decides what is made: gen and its source, Python, packages."""
    return {
        "gen": metadata.version("vlm-judge-gen"),
        "source_sha256": _source_digest(Path(gen.__file__).parent),
        "python": ".".join(platform.python_version_tuple()[:2]),
        "packages": {name: metadata.version(name) for name in _PACKAGES},
    }


def file_record(run: Path, name: str) -> dict[str, Any]:
    """The manifest's record of the file `name` in the folder `run`, hashed now."""
    path = run / name
    return {"path": name, "size": path.stat().st_size, "blake3": file_hash(path)}


def shard_record(run: Path, name: str, known_hash: str | None) -> dict[str, Any]:
    """The record of a shard: of the file, its rows, and the pictures that stand beside it.

    `known_hash` is the file's hash where it is known from writing it.

    Raises:
        ValueError: the file is no whole shard.
    """
    from gen.export import parquet

    path = run / name
    footer = parquet.footer(path)
    return {
        "path": name,
        "size": path.stat().st_size,
        "blake3": known_hash or file_hash(path),
        "rows": footer.rows,
        "num_bytes": footer.num_bytes,
        "row_hashes": footer.row_hashes,
        "media": footer.media,
    }


def write(run: Path, head: Mapping[str, Any], files: Iterable[Mapping[str, Any]]) -> None:
    """Write the manifest, last of all files; `files` are taken one at a time.

    Raises:
        OSError: the folder cannot be written, or the disk is full.
    """
    with atomic.replacing(run / MANIFEST) as temporary, temporary.open("wb") as out:
        out.write(orjson.dumps(head, option=orjson.OPT_SORT_KEYS)[:-1])
        out.write(b',\n"files":[')
        for number, record in enumerate(files):
            out.write(b",\n" if number else b"\n")
            out.write(orjson.dumps(record, option=orjson.OPT_SORT_KEYS))
        out.write(b"\n]}\n")


def read_head(run: Path) -> dict[str, Any] | None:
    """All of a run's manifest but its files; None for a run that is not finished.

    Raises:
        ValueError: the manifest is broken.
    """
    try:
        with (run / MANIFEST).open("rb") as source:
            line = source.readline()
    except FileNotFoundError:
        return None
    if not line.rstrip().endswith(b","):
        raise ValueError(f"{MANIFEST} is cut off or not one of ours")
    head = orjson.loads(line.rstrip()[:-1] + b"}")
    if not isinstance(head, dict) or not isinstance(head.get("config"), dict):
        raise ValueError(f"{MANIFEST} has no config")
    return head


def file_hash(path: Path) -> str:
    """BLAKE3 (hex) of a file, as `b3sum` prints it."""
    return blake3().update_mmap(path).hexdigest()


def sizes(folder: Path) -> dict[str, int]:
    """Name -> size of the files in `folder`; empty where there is no such folder."""
    if not folder.is_dir():
        return {}
    with os.scandir(folder) as entries:
        return {entry.name: entry.stat().st_size for entry in entries if entry.is_file()}


def _source_digest(package: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py"), key=lambda found: found.relative_to(package).parts):
        digest.update("/".join(path.relative_to(package).parts).encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
