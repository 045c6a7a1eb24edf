"""Kinds of values that settings have: numbers, names, folders, sentences and their gaps.

A gap is a name in braces; a template must have just the gaps that its field names, so that no
sentence can lose a number in silence.
"""

import re
from collections.abc import Collection
from pathlib import Path
from string import Formatter
from typing import Annotated, TypeVar

from pydantic import AfterValidator, Field, Strict

_Items = TypeVar("_Items", bound=tuple[object, ...])

# What models and their chat templates put a picture, a video or a sound in place of.
_MARKER = re.compile(r"<(image|video|audio)>", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# Folders that a run has beside the one named after its task.
_RESERVED = frozenset({"media"})


def _not_reserved(name: str) -> str:
    if name.casefold() in _RESERVED:
        raise ValueError(f"'{name}' is the name of another folder of a run")
    return name


def _without_markers(text: str) -> str:
    if found := _MARKER.search(text):
        raise ValueError(f"{found[0]} stands for a medium and cannot be written in a sentence")
    return text


def _folder(path: str) -> str:
    if _CONTROL.search(path):
        raise ValueError(f"a path has no line breaks or control characters: {path!r}")
    try:
        found = Path(path).expanduser() if path.startswith("~") else Path(path)
    except RuntimeError:
        raise ValueError(f"there is no home folder {path.partition('/')[0]}") from None
    # What is left of ./~x would be taken for a home folder by whoever expands it once more.
    return str(found.absolute() if str(found).startswith("~") else found)


def _each_once(items: _Items) -> _Items:
    for place, item in enumerate(items):
        if item in items[:place]:
            raise ValueError(f"{item!r} is there twice")
    return items


def template(*gaps: str, optional: Collection[str] = ()) -> AfterValidator:
    """A check that a sentence has just these gaps, plain ones: `{name}`, no format, no index."""

    def check(text: str) -> str:
        try:
            parts = list(Formatter().parse(text))
        except ValueError as error:
            raise ValueError(f"not a template: {error}") from None
        for _, name, layout, conversion in parts:
            if layout or conversion:
                raise ValueError(f"a gap is only a name in braces: {{{name}}}, in {text!r}")
        found = {name for _, name, _, _ in parts if name is not None}
        if not set(gaps) <= found <= {*gaps, *optional}:
            must, may = (", ".join(f"{{{name}}}" for name in some) for some in (gaps, optional))
            wanted = f"must be {must or 'none'}" if must or not may else ""
            wanted += " and " * bool(must and may) + (f"may be {may}" if may else "")
            got = ", ".join(f"{{{name}}}" for name in sorted(found)) or "none"
            raise ValueError(f"the gaps {wanted}, not {got}")
        return text

    return AfterValidator(check)


# Strict: otherwise true and "1" would be taken for 1.
Whole = Annotated[int, Strict()]
Real = Annotated[float, Strict()]
Fraction = Annotated[float, Strict(), Field(ge=0.0, le=1.0)]
# A name that becomes part of a path: no dot, no slash, and short enough for every file system.
Name = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
FolderName = Annotated[Name, AfterValidator(_not_reserved)]
# A name by which an option is chosen; one in a folder of its own has a slash.
OptionName = Annotated[str, Field(min_length=1)]
FolderPath = Annotated[str, Field(min_length=1), AfterValidator(_folder)]
Text = Annotated[str, AfterValidator(_without_markers)]
EachOnce = AfterValidator(_each_once)
LicenceName = Annotated[str, Field(min_length=1, coerce_numbers_to_str=True)]
