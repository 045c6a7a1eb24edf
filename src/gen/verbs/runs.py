"""`python -m gen runs`: what is in `out_root`, and in which settings the runs differ."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import yaml
from pydantic import Field

from gen.errors import UserError
from gen.fields import FolderPath
from gen.invalid import check
from gen.rundir import lock, manifest
from gen.rundir.place import CONFIG
from gen.schema import Model, identity, validate
from gen.verbs import tables

_RUN_NAME = re.compile(r"[0-9a-f]{12}")
_SHOWN_WIDTH = 40
# A setting that builds of collections have, and runs do not.
_OF_BUILDS = "collection.name"
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class RunsSettings(Model):
    """What the verb can be told."""

    out_root: FolderPath
    as_json: bool = Field(alias="json")


@dataclass(frozen=True, slots=True)
class Run:
    """One run or one build: `state` is complete, in progress, interrupted or broken.

    `note` says why it is broken. `items` and `bytes` (of parquet) are None unless it is complete.
    `settings` maps dotted names to values.
    """

    id: str
    state: str
    items: int | None
    bytes: int | None
    settings: Mapping[str, Any]
    note: str = ""


def main(cfg: Mapping[str, Any]) -> int:
    """List the runs under `cfg["out_root"]`; as JSON on stdout where `cfg["json"]`. Returns 0.

    Raises:
        UserError: a setting is wrong, or `out_root` is no folder.
    """
    settings = check(RunsSettings, cfg)
    out_root = Path(settings.out_root)
    runs, foreign = find(out_root)
    differing = _differing([run.settings for run in runs if run.settings])
    if settings.as_json:
        listed = [
            {
                "id": run.id,
                "state": run.state,
                "items": run.items,
                "bytes": run.bytes,
                "settings": {name: run.settings.get(name) for name in differing},
                "note": run.note,
            }
            for run in runs
        ]
        print(json.dumps({"runs": listed, "foreign": foreign}))
        return 0
    said = [tables.text(_table(runs, differing)) if runs else f"no runs in {out_root}"]
    if foreign:
        said.append(f"not runs: {', '.join(foreign)}")
    print("\n".join(said))
    return 0


def find(out_root: Path) -> tuple[list[Run], list[str]]:
    """The runs in `out_root`, by id, and the names there that are no runs (hidden ones left out).

    Raises:
        UserError: `out_root` is no folder or cannot be read.
    """
    try:
        names = sorted(path.name for path in out_root.iterdir() if not path.name.startswith("."))
    except FileNotFoundError:
        return [], []
    except OSError as error:
        raise UserError(f"out_root={out_root}: {error.strerror}") from error
    runs = [name for name in names if _RUN_NAME.fullmatch(name) and (out_root / name).is_dir()]
    return [_read(out_root, name) for name in runs], [n for n in names if n not in set(runs)]


def _differing(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of settings in which runs differ, and those in which builds do.

    The two have few settings in common, so that they are not compared with each other.
    """
    builds = [one for one in settings if _OF_BUILDS in one]
    found = differences([one for one in settings if _OF_BUILDS not in one])
    return list(dict.fromkeys([*found, *([_OF_BUILDS] if builds else []), *differences(builds)]))


def differences(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of settings in which some differ, without those that follow from another.

    Settings of a group that was chosen by name (`encoding.opacity` of `encoding.name`) follow from
    that name, unless two that chose the same name differ.
    """
    names = dict.fromkeys(name for one in settings for name in one)
    found = []
    for name in names:
        chosen_by = f"{name.split('.', maxsplit=1)[0]}.name"
        follows = name != chosen_by and chosen_by in names
        # The first value under each choice; one group for all where nothing was chosen.
        first: dict[Any, Any] = {}
        for one in settings:
            if follows and chosen_by not in one:
                continue
            value = one.get(name)
            if first.setdefault(one[chosen_by] if follows else None, value) != value:
                found.append(name)
                break
    return found


def _read(out_root: Path, name: str) -> Run:
    folder = out_root / name
    try:
        head = manifest.read_head(folder)
        if head is not None:
            counts = head["counts"]
            settings = _flat(head["config"])
            return Run(name, "complete", counts["items"], counts["file_bytes"], settings)
        state = "in progress" if lock.is_held(out_root, name) else "interrupted"
        return Run(name, state, None, None, _begun_settings(folder))
    except (OSError, ValueError, KeyError, TypeError) as error:
        return Run(name, "broken", None, None, {}, " ".join(str(error).split()))


def _begun_settings(folder: Path) -> dict[str, Any]:
    """The settings of a run that has no manifest yet, from its configuration."""
    try:
        content = yaml.load((folder / CONFIG).read_text(encoding="utf-8"), Loader=_Loader)
    except FileNotFoundError:
        return {}
    except yaml.YAMLError:
        raise ValueError(f"{CONFIG} is not YAML") from None
    if not isinstance(content, dict):
        raise ValueError(f"{CONFIG} holds no settings")
    for key in ("defaults", "hydra"):
        content.pop(key, None)
    if "collection" in content:
        return _flat(content)
    try:
        return _flat(orjson.loads(orjson.dumps(identity(validate(content)))))
    except UserError as error:
        raise ValueError(f"{CONFIG} is not for this version of gen: {error}") from None


def _flat(settings: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in settings.items():
        if isinstance(value, dict):
            flat |= {f"{key}.{name}": inner for name, inner in _flat(value).items()}
        else:
            flat[key] = value
    return flat


def _table(runs: Sequence[Run], differing: Sequence[str]) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for column in ("run", "state"):
        table.add_column(column, no_wrap=True)
    for column in ("items", "MB"):
        table.add_column(column, justify="right", no_wrap=True)
    for name in differing:
        table.add_column(name.removesuffix(".name"), overflow="fold")
    for run in runs:
        size = "" if run.bytes is None else f"{run.bytes / 1e6:.1f}"
        items = "" if run.items is None else str(run.items)
        state = f"{run.state}: {run.note}" if run.note else run.state
        cells = [_text(run.settings[name]) if name in run.settings else "" for name in differing]
        table.add_row(run.id, state, items, size, *cells)
    return table


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN_WIDTH else text[: _SHOWN_WIDTH - 1] + "…"
