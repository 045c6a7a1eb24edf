"""Whether a finished build is still what its manifest says it is."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from gen.collection.place import BuildDir
from gen.rundir import manifest
from gen.rundir.place import CONFIG, MANIFEST, MEDIA
from gen.rundir.verify import Fault, first_changed_row, media_faults


def faults(place: BuildDir, full: bool) -> list[Fault] | None:
    """What is missing or damaged in the build; None where no manifest was written yet.

    Names, sizes and sums are compared; with `full` also the hash of every file and row.
    """
    try:
        record = orjson.loads((place.path / MANIFEST).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError as error:
        return [Fault(MANIFEST, f"it is broken: {error}", MANIFEST)]
    try:
        _check_head(place, record)
        found = []
        if not (place.path / CONFIG).is_file():
            found.append(Fault(CONFIG, "it is missing", CONFIG))
        beside = manifest.sizes(place.path / MEDIA)
        for file in record["files"]:
            found += _of_file(place.path, file, beside, full)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return [Fault(MANIFEST, f"it is broken: {error}", MANIFEST)]
    return found


def _check_head(place: BuildDir, record: Mapping[str, Any]) -> None:
    expected = orjson.loads(orjson.dumps({**place.key, "run": place.id}))
    for name, value in expected.items():
        if record[name] != value:
            raise ValueError(f"its '{name}' is not that of build {place.id}")
    shards = [file for file in record["files"] if "rows" in file]
    if [file["path"] for file in shards] != place.shard_names():
        raise ValueError("its shards are not those that are there")
    for name, field in (("items", "rows"), ("file_bytes", "size")):
        if record["counts"][name] != sum(file[field] for file in shards):
            raise ValueError(f"its {name} are not those of its files")
    if record["counts"]["items"] != sum(row["items"] for row in record["table"]):
        raise ValueError("its table does not count its items")


def _of_file(
    folder: Path, file: Mapping[str, Any], beside: Mapping[str, int], full: bool
) -> list[Fault]:
    name, path = file["path"], folder / file["path"]
    size = path.stat().st_size if path.is_file() else None
    if size != file["size"]:
        reason = "it is missing" if size is None else f"it has {size} bytes, not {file['size']}"
        return [Fault(name, reason, name)]
    if full and manifest.file_hash(path) != file["blake3"]:
        return [Fault(name, "its content has changed", name)]
    if "rows" not in file:
        return []
    if full and (row := first_changed_row(path, file["row_hashes"])) is not None:
        return [Fault(name, f"row {row} is not the one in the manifest", name)]
    lost = media_faults(folder, file["media"], beside, full)
    return [Fault(f"{MEDIA}/{picture}", reason, name) for picture, reason in lost.items()]
