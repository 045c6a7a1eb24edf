"""Overrides rewritten before Hydra reads them: aliases of tasks, and names that are all digits.

Hydra takes an unquoted 1742 for an integer, and 0305 for 305, which no file is named after.
"""

import re
from collections.abc import Mapping, Sequence

from gen.cli.groups import Groups

_QUOTED = re.compile(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")
# Not the words of a pattern, nor the names and values of arguments such as reverse=true.
_WORD = re.compile(r"(?<![\w.*?/=-])[\w./-]+(?![\w.*?/(=-])")


# What Hydra takes for a number, a truth value or null.
_NO_NAME = re.compile(r"[+-]?[\d_.]+(e[+-]?\d+)?|inf|nan|true|false|null", re.IGNORECASE)


# Settings of verbs that list options of a group.
LISTS = {"tasks": "task", "encodings": "encoding", "questions": "question"}

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_./-]+")


def split(override: str) -> tuple[str, str | None]:
    """The key of an override without its prefix (`+`, `++`, `~`) or package, and its value."""
    key, equals, value = override.partition("=")
    return key.lstrip("+~").split("@")[0], value if equals else None


def rewrite(overrides: Sequence[str], groups: Groups) -> list[str]:
    """`overrides` with aliases of tasks replaced and digits quoted where a group is chosen.

    Lists, `choice(...)` and the like are rewritten element by element.
    """
    names = groups.names()
    return [_rewrite(override, names, groups) for override in overrides]


def quote(option: str) -> str:
    """`option` as the value of an override that Hydra takes for a name."""
    if _PLAIN_NAME.fullmatch(option) and not _NO_NAME.fullmatch(option):
        return option
    escaped = option.replace("'", "\\'")
    return f"'{escaped}'"


def _rewrite(override: str, names: Sequence[str], groups: Groups) -> str:
    key, value = split(override)
    group = LISTS.get(key, key)
    if not value or not (group in names or group.startswith("hydra/")):
        return override
    aliases = groups.aliases() if group == "task" and not _plain(value, groups) else {}
    pieces = _QUOTED.split(value)
    pieces[0::2] = [_WORD.sub(lambda m: quote(aliases.get(m[0], m[0])), p) for p in pieces[0::2]]
    pieces[1::2] = [_quoted(piece, aliases) for piece in pieces[1::2]]
    return override[: -len(value)] + "".join(pieces)


def _plain(value: str, groups: Groups) -> bool:
    """Whether `value` is just the name of a task, so that no other file need be read."""
    return value in groups.options("task")


def _quoted(text: str, aliases: Mapping[str, str]) -> str:
    inner = aliases.get(text[1:-1])
    return f"'{inner}'" if inner else text
