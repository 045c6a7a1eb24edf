"""Whether a finished run is still what its manifest, its name and its own files say it is."""

import errno
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from gen.errors import UserError
from gen.rundir import contents, manifest, run_log
from gen.rundir.place import CONFIG, MANIFEST, MEDIA, PLAN, README, RunDir, key_config, read_config


@dataclass(frozen=True, slots=True)
class Fault:
    """A file that is not as the manifest says; `owner` is the file to make again to mend it."""

    path: str
    reason: str
    owner: str


def faults(run: RunDir, full: bool) -> list[Fault] | None:
    """What is missing or damaged in the run; None where no manifest was written yet.

    The list of files must be that of a whole run; names, sizes and sums are compared. With `full`,
    also the hash of every file and row, the configuration, and all that the manifest tells.
    """
    try:
        content = (run.path / MANIFEST).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno in (errno.EISDIR, errno.ELOOP):
            return [Fault(MANIFEST, str(error.strerror), MANIFEST)]
        raise
    try:
        record = orjson.loads(content)
        _check_head(run, record)
        found = _config_faults(run, full)
        media_sizes = manifest.sizes(run.path / MEDIA)
        for file in record["files"]:
            found += _file_faults(run.path, file, media_sizes, full)
        if full and not found:
            _check_told(run, record)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return [Fault(MANIFEST, f"it is broken: {error}", MANIFEST)]
    return found


def media_faults(
    run: Path, media: Mapping[str, Any], sizes: Mapping[str, int], full: bool
) -> dict[str, str]:
    """Which of a shard's pictures (name -> size, BLAKE3) are not there as they were, and why."""
    found: dict[str, str] = {}
    for name, (size, digest) in media.items():
        if sizes.get(name) != size:
            found[name] = _size_reason(sizes.get(name), size)
        elif full and manifest.file_hash(run / MEDIA / name) != digest:
            found[name] = "its content has changed"
    return found


def first_changed_row(path: Path, hashes: Sequence[str]) -> int | None:
    """The number of the first row of a shard whose hash is another one.

    Raises:
        ValueError: the shard cannot be read, or has more or fewer rows than `hashes`.
    """
    from gen.export.parquet import read_items
    from gen.export.row_hash import row_hash

    rows = zip(read_items(path), hashes, strict=True)
    return next((n for n, (item, found) in enumerate(rows) if row_hash(item) != found), None)


def _check_head(run: RunDir, record: Mapping[str, Any]) -> None:
    if record["run"] != run.id:
        raise ValueError(f"it is the manifest of run {record['run']}")
    for name, value in _as_json(run.key).items():
        if record[name] != value:
            raise ValueError(f"its '{name}' is not that of run {run.id}")
    names = [file["path"] for file in record["files"]]
    shards = record["files"][2:]
    if names[:2] != [README, PLAN] or names[2:] != _shard_names(run, len(shards)):
        raise ValueError("its files are not those of a whole run")
    for name, field in (("items", "rows"), ("file_bytes", "size")):
        total = sum(file[field] for file in shards)
        if record["counts"][name] != total:
            raise ValueError(f"it counts {record['counts'][name]} {name}, its files have {total}")
    for file in shards:
        if len(file["row_hashes"]) != file["rows"]:
            raise ValueError(f"it does not have a hash for each row of {file['path']}")


def _shard_names(run: RunDir, count: int) -> list[str]:
    if not count:
        raise ValueError("it lists no shard")
    return [f"{run.config}/{contents.shard_name(index, count)}" for index in range(count)]


def _check_told(run: RunDir, record: Mapping[str, Any]) -> None:
    """Compare what the manifest tells with what the files, found to be sound, tell."""
    from gen.judge import plan_file
    from gen.rundir import seal

    names: Iterable[str] = [file["path"] for file in record["files"][2:]]
    totals = seal.add_up(run, names)
    log = run_log.read(run.path)
    versions = log.get("versions", record["versions"])
    expected = _as_json(seal.head(run, plan_file.header(run.path / PLAN), totals, versions))
    for name in sorted({*expected, *record} - {"files"}):
        if name not in record or name not in expected or record[name] != expected[name]:
            raise ValueError(f"its '{name}' is not what the files of the run say")


def _config_faults(run: RunDir, full: bool) -> list[Fault]:
    reason = None
    try:
        if not (run.path / CONFIG).is_file():
            reason = "it is missing"
        elif full and _as_json(key_config(read_config(run.path))) != _as_json(run.key["config"]):
            reason = "its settings are not those of the run"
    except (ValueError, UserError) as error:
        reason = str(error)
    return [] if reason is None else [Fault(CONFIG, reason, CONFIG)]


def _file_faults(
    run: Path, file: Mapping[str, Any], media_sizes: Mapping[str, int], full: bool
) -> list[Fault]:
    name = file["path"]
    path = run / name
    size = path.stat().st_size if path.is_file() else None
    if size != file["size"]:
        return [Fault(name, _size_reason(size, file["size"]), name)]
    if full and manifest.file_hash(path) != file["blake3"]:
        return [Fault(name, "its content has changed", name)]
    if "rows" not in file:
        return []
    if full and (number := first_changed_row(path, file["row_hashes"])) is not None:
        return [Fault(name, f"row {number} is not the one in the manifest", name)]
    return [
        Fault(f"{MEDIA}/{picture}", reason, name)
        for picture, reason in media_faults(run, file["media"], media_sizes, full).items()
    ]


def _size_reason(found: int | None, expected: int) -> str:
    return "it is missing" if found is None else f"it has {found} bytes, not {expected}"


def _as_json(content: Any) -> Any:
    return orjson.loads(orjson.dumps(content))
