"""`python -m gen catalog`: what there is to choose from, read from the settings files."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from hydra.core.hydra_config import HydraConfig
from pydantic import Field

from gen.cli.groups import Groups, default
from gen.errors import unknown
from gen.invalid import check
from gen.schema import Model, Row
from gen.verbs import tables

KINDS = {
    "tasks": "task",
    "encodings": "encoding",
    "questions": "question",
    "subsets": "subset",
    "collections": "collection",
    "data": "data",
    "predictions": "predictions",
    "executors": "executor",
}
_FLAGS = tuple(Row.model_fields)


class CatalogSettings(Model):
    """What the verb can be told."""

    kind: str
    as_json: bool = Field(alias="json")


def main(cfg: Mapping[str, Any]) -> int:
    """Print the catalog as tables, or with `json` as one object; the exit status.

    The object has a list for each kind. Each entry has `name`, `about` and `settings`; a task also
    `encoding` (its default) and `encodings`, an encoding also `tasks`: lists of objects with
    `name`, `is_final` and `is_base_ablation`, a row of the registry each.

    Raises:
        UserError: a setting is wrong, or a file is not YAML.
    """
    settings = check(CatalogSettings, cfg)
    kind = settings.kind
    if kind != "all" and kind not in KINDS:
        raise unknown("kind", kind, ["all", *KINDS])
    groups = Groups.on_search_path(HydraConfig.get().runtime.config_sources)
    content = {name: _entries(name, groups) for name in (KINDS if kind == "all" else [kind])}
    if settings.as_json:
        print(json.dumps(content, indent=2))
    else:
        print(tables.text(*_tables(content)))
    return 0


def _entries(kind: str, groups: Groups) -> list[dict[str, Any]]:
    group = KINDS[kind]
    rows = list(_registry(groups)) if kind == "encodings" else []
    entries = []
    for option in groups.options(group):
        content = groups.read(group, option)
        entry: dict[str, Any] = {"name": option, "about": groups.about(group, option)}
        if kind == "tasks":
            entry["encoding"] = default(content, "encoding")
            entry["encodings"] = [
                _row(stem, flags) for stem, flags in content.pop("encodings", {}).items()
            ]
        if kind == "encodings":
            own = [(task, option, None) for task in content.pop("tasks", ())]
            entry["tasks"] = [
                _row(task, flags) for task, stem, flags in rows + own if stem == option
            ]
        parts = _parts(content.pop("defaults", ()))
        content.pop("name", None)
        entries.append(entry | {"settings": content | parts})
    return entries


def _registry(groups: Groups) -> Iterator[tuple[str, str, Mapping[str, bool] | None]]:
    for task in groups.options("task"):
        for stem, flags in groups.read("task", task).get("encodings", {}).items():
            yield task, stem, flags


def _row(name: str, flags: Mapping[str, bool] | None) -> dict[str, Any]:
    known = flags if isinstance(flags, Mapping) else {}
    return {"name": name} | {flag: bool(known.get(flag)) for flag in _FLAGS}


def _parts(defaults: Any) -> dict[str, str]:
    """The options that an option is put together from, by the key they are put under."""
    found = {}
    for entry in defaults:
        if isinstance(entry, str) and "@" in entry:
            option, _, key = entry.partition("@")
            found[key] = option
    return found


def _tables(content: Mapping[str, list[dict[str, Any]]]) -> Iterator[Any]:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    for kind, entries in content.items():
        table = Table(title=kind.capitalize(), title_justify="left", box=SIMPLE_HEAD)
        rows = [_cells(kind, entry) for entry in entries]
        for column in dict.fromkeys(key for row in rows for key in row):
            table.add_column(column, overflow="fold")
        for row in rows:
            table.add_row(*row.values())
        yield table


def _cells(kind: str, entry: Mapping[str, Any]) -> dict[str, str]:
    cells = {"name": entry["name"], "about": entry["about"]}
    if kind == "tasks":
        cells["in rows"] = str(entry["settings"].get("row_name", ""))
        cells["default encoding"] = entry["encoding"] or ""
        cells["encodings"] = " ".join(row["name"] for row in entry["encodings"])
    elif kind == "encodings":
        cells["knobs"] = " ".join(f"{key}={_text(val)}" for key, val in entry["settings"].items())
        cells["tasks"] = ", ".join(_with_flags(row) for row in entry["tasks"])
    return cells


def _with_flags(row: Mapping[str, Any]) -> str:
    flags = [flag.removeprefix("is_").replace("_", " ") for flag in _FLAGS if row[flag]]
    return f"{row['name']} ({', '.join(flags)})" if flags else row["name"]


def _text(value: Any) -> str:
    return json.dumps(value) if isinstance(value, bool | None) else str(value)
