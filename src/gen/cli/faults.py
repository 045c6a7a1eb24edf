"""Hydra's and OmegaConf's errors as one line that says what is wrong and what is near it.

Their texts are made for those who write a Hydra application: long lists, search paths, advice to
add with `+`. They are told apart by what they carry, and by their words where they carry nothing.
"""

import re
from collections.abc import Iterable
from typing import Any

from gen.cli.overrides import split
from gen.errors import UserError, no_such_setting, unknown

_ALREADY = re.compile(
    r"An item is already at '(?P<key>[^']*)'|Multiple values for (?P<group>\S+)\."
)
_NOT_CHOSEN = re.compile(
    r"You must specify '(?P<group>[^']*)'.*Available options:\s*(?P<options>.*)", re.DOTALL
)
_SWEEP = re.compile(
    r"(?:Ambiguous value for argument|Sweep parameters) '(?P<override>.*)'(?: requires|\n|$)"
)


def explain(error: Exception) -> UserError:
    """The error for the user that says what `error`, raised by Hydra or OmegaConf, is about."""
    if getattr(error, "missing_cfg_file", None):
        return _missing(error)
    if override := getattr(error, "override", None):
        return unreadable(override)
    cause = error.__cause__ if error.__cause__ is not None else error
    if getattr(cause, "full_key", None):
        return _setting(cause)
    return _in_words(str(error))


def unreadable(override: str) -> UserError:
    """The error for an override that is not `key=value`."""
    key, value = split(override)
    if value is None or not key:
        example = f", such as {key}=..." if key else ""
        return UserError(f"cannot read '{override}': expected key=value{example}")
    return UserError(
        f"cannot read '{override}': the value {value!r} is not complete or not plain; a value with "
        f"spaces, commas or brackets is written \"{key}='...'\""
    )


def _in_words(text: str) -> UserError:
    """The error for a text of Hydra's that carries nothing by which it could be told."""
    if found := _SWEEP.search(text):
        return UserError(
            f"{found['override']} is a sweep over several values: add -m to run each of them, or "
            f"quote the value"
        )
    if found := _NOT_CHOSEN.search(text):
        options = ", ".join(found["options"].split())
        return UserError(f"{found['group']}: choose one with {found['group']}=...: {options}")
    if found := _ALREADY.search(text):
        key = found["key"] or found["group"]
        return UserError(f"{key} has a value already: change it with {key}=..., without a +")
    return UserError(re.split(r"\n(?:See http|To append)", text, maxsplit=1)[0])


def _missing(error: Any) -> UserError:
    group, _, option = str(error.missing_cfg_file).rpartition("/")
    if error.options is None:
        return UserError(str(error).partition("\n\n")[0])
    parent = group.partition("/")[0]
    if parent != "hydra":
        group, option = parent, str(error.missing_cfg_file).removeprefix(f"{parent}/")
    return unknown(group, option, error.options)


def _setting(error: Any) -> UserError:
    where = str(error.full_key)
    text = str(error).partition("\n")[0]
    if missing := re.search(r"Missing mandatory value: (\S+)", text):
        # Where a setting refers to one that has no value, it is that one that has to be set.
        where = where if text.startswith("Missing mandatory value") else missing[1]
        return UserError(f"{where}: a value is needed: {where}=...")
    if text.endswith("is not in struct") or " not in '" in text:
        return no_such_setting(where, _names(error.parent_node))
    return UserError(f"{where}: {text}")


def _names(node: Any) -> Iterable[str]:
    """The settings in `node`; Hydra's own node is none of ours."""
    return [str(key) for key in node if key != "hydra"] if hasattr(node, "keys") else []
