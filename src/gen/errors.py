"""Errors that a user caused and can mend: one line, exit status 2, no stack trace."""

import difflib
from collections.abc import Iterable

_LISTED = 60


class UserError(Exception):
    """A fault in what the user gave: its text is the whole message, on one line."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


def nearest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The `count` (or fewer) names of `known` that look most like `name`, best first.

    A name that is far behind the best one is left out.
    """
    found = difflib.get_close_matches(name, list(known), n=count, cutoff=0.4)
    likeness = [difflib.SequenceMatcher(None, other, name).ratio() for other in found]
    return [
        other for other, ratio in zip(found, likeness, strict=True) if ratio > likeness[0] - 0.2
    ]


def unknown(what: str, name: str, known: Iterable[str]) -> UserError:
    """The error for a `name` that is not one of the `known` names of `what`.

    Says the nearest names; lists all of them when none is near and there are at most 60, else
    the first few.
    """
    names = sorted(known)
    near = nearest(name, names)
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    elif len(names) <= _LISTED:
        hint = f"known: {', '.join(names)}" if names else "there is none"
    else:
        hint = f"there are {len(names)}, such as {', '.join(names[:5])}"
    return UserError(f"no {what} is named '{name}': {hint}")


def no_such_setting(where: str, known: Iterable[str]) -> UserError:
    """The error for the dotted key `where`, when only the names `known` are at its place."""
    names = sorted(known)
    near = nearest(where.rpartition(".")[2], names)
    if near:
        hint = f": did you mean {' or '.join(near)}?"
    else:
        hint = f": there are {', '.join(names)}" if 0 < len(names) <= 20 else ""
    return UserError(f"{where}: no such setting{hint}")
