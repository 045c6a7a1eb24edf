"""Settings of a run as they come from Hydra, checked in every respect that needs no data."""

from collections.abc import Mapping
from typing import Any

from gen import schema
from gen.cli import subsets
from gen.schema import FolderData, Settings


def settings(resolved: Mapping[str, Any]) -> Settings:
    """The settings in a resolved configuration, without Hydra's own node.

    Licences are told by their codes, so that settings are equal wherever the same ones are meant.

    Raises:
        UserError: one line that names every fault.
    """
    found = schema.validate(resolved)
    found = found.model_copy(update={"data": _with_licence_codes(found.data)})
    subsets.check(found)
    return found


def _with_licence_codes(data: Any) -> Any:
    from gen.sources.licences import code_of

    if isinstance(data, FolderData):
        parts = {name: getattr(data, name) for name in ("coco", "ade20k", "depth")}
        found = {name: _with_licence_codes(part) for name, part in parts.items() if part}
        return data.model_copy(update=found)
    codes = tuple(sorted({code_of(name) for name in data.licenses}))
    return data.model_copy(update={"licenses": codes})
