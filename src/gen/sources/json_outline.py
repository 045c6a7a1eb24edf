"""Where the values of a large JSON file begin and end, so that only those in use are parsed.

A COCO annotation file has half a gigabyte, and Python objects of all of it would take five times
that in every worker process. Here the file stays mapped into memory, which processes share, and
NumPy finds its brackets: the method of the first stage of simdjson (Langdale and Lemire 2019).
"""

import codecs
import json
import mmap
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from gen.errors import UserError

# Far above what annotations need, and below what Python and orjson can take apart and write again.
MAX_DEPTH = 100
_CHUNK = 1 << 24
_BLANKS = b" \t\r\n"
_LONGEST_GAP = 64
_QUOTE, _BACKSLASH = ord('"'), ord("\\")
_DEPTH = np.zeros(256, np.int8)
_DEPTH[[ord("["), ord("{")]] = 1
_DEPTH[[ord("]"), ord("}")]] = -1
_IS_MARK = _DEPTH != 0
_IS_MARK[[_QUOTE, _BACKSLASH]] = True


class JsonOutline:
    """A mapped JSON file that holds one object, and the lists that are members of that object.

    Opening reads the file once, at 300 MB a second and more, and needs for the time some 40 bytes
    for each bracket and quote. `lists` has for each list its entries that are objects or lists, as
    int64 (n, 2) of first byte and end.
    """

    def __init__(self, path: Path, label: str) -> None:
        """Read the file.

        Raises:
            UserError: it cannot be read, is not a JSON object, or is cut off.
        """
        self.label = label
        try:
            with path.open("rb") as file:
                self.content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise UserError(f"{label}: {error.strerror}") from None
        except ValueError:
            raise UserError(f"{label}: is empty; expected a JSON object") from None
        brackets, depths, quotes = self._brackets()
        if (
            self.content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
            or b"\0" in self.content[:4]
        ):
            raise UserError(f"{label}: is not in UTF-8 but in UTF-16 or UTF-32, or no text")
        if not brackets.size or self.content[int(brackets[0])] != ord("{"):
            raise UserError(f"{label}: expected a JSON object with images and annotations")
        if depths.min() < 0:
            at = int(brackets[int(np.argmax(depths < 0))])
            raise UserError(f"{label}: not valid JSON: the bracket at byte {at} closes nothing")
        if depths[-1] != 0 or quotes.size % 2:
            what = f"{depths[-1]} brackets are open" if depths[-1] else "a string is open"
            raise UserError(
                f"{label}: not valid JSON: cut off? at its end, byte {len(self.content)}, {what}"
            )
        last = int(brackets[np.argmax(depths == 0)]) + 1
        before = self.content[: int(brackets[0])].removeprefix(codecs.BOM_UTF8)
        for text, where in ((before, "before"), (self.content[last:], "after")):
            if text.strip(_BLANKS):
                raise UserError(f"{label}: not valid JSON: there is text {where} the object")
        if depths.max() > MAX_DEPTH:
            at = int(brackets[int(np.argmax(depths > MAX_DEPTH))])
            raise UserError(
                f"{label}: brackets are nested more than {MAX_DEPTH} deep at byte {at}; "
                "COCO's layouts need 5"
            )
        self._spans: dict[str, tuple[int, int]] = {}
        self.lists: dict[str, NDArray[np.int64]] = {}
        self._find_lists(brackets, depths, quotes)

    def value(self, key: str) -> Any:
        """The list that is the member `key`, parsed.

        Raises:
            UserError: there is no such list, or it is not JSON.
        """
        if key not in self._spans:
            raise UserError(f"{self.label}: has no list '{key}'")
        start, end = self._spans[key]
        try:
            return self.parse(start, end)
        except ValueError as error:
            raise UserError(
                f"{self.label}: not valid JSON in '{key}', from byte {start}: {error}"
            ) from None

    def strays(self, key: str) -> list[tuple[int, int]]:
        """First byte and end of what stands in a list beside objects, lists and one comma each."""
        first, end = self._spans[key]
        spans = self.lists[key]
        if not len(spans):
            return (
                [(first + 1, end - 1)] if self.content[first + 1 : end - 1].strip(_BLANKS) else []
            )
        starts = np.append(first + 1, spans[:, 1])
        ends = np.append(spans[:, 0], end - 1)
        inner = np.arange(len(starts)) % len(spans) > 0
        data = np.frombuffer(self.content, np.uint8)
        suspect = np.ones(len(starts), bool)
        # Nearly all gaps have one of a few lengths: those of a length are looked at together.
        for length in np.unique(ends - starts).tolist():
            rows = np.flatnonzero(ends - starts == length)
            if length <= _LONGEST_GAP:
                signs = data[starts[rows, None] + np.arange(length)]
                commas = (signs == ord(",")).sum(1)
                blanks = np.isin(signs, np.frombuffer(_BLANKS, np.uint8)).sum(1)
                suspect[rows] = (blanks + commas != length) | (commas != inner[rows])
            else:
                for row in rows.tolist():
                    text = self.content[int(starts[row]) : int(ends[row])].strip(_BLANKS)
                    suspect[row] = text != (b"," if inner[row] else b"")
        return list(zip(starts[suspect].tolist(), ends[suspect].tolist(), strict=True))

    def parse(self, start: int, end: int) -> Any:
        """The value in these bytes.

        Raises:
            ValueError: they are not JSON.
        """
        return parse(self.content[start:end])

    def _brackets(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Positions of brackets outside of strings, the depth after each, positions of quotes."""
        data = np.frombuffer(self.content, np.uint8)
        marks = np.concatenate(
            [
                np.flatnonzero(_IS_MARK[data[start : start + _CHUNK]]) + start
                for start in range(0, data.size, _CHUNK)
            ]
        )
        signs = data[marks]
        quotes = marks[signs == _QUOTE]
        escaped = _ends_of_odd_runs(marks[signs == _BACKSLASH])
        quotes = quotes[~np.isin(quotes, escaped, assume_unique=True)]
        steps = _DEPTH[signs]
        brackets, steps = marks[steps != 0], steps[steps != 0]
        outside = np.searchsorted(quotes, brackets) % 2 == 0
        return brackets[outside], np.cumsum(steps[outside], dtype=np.int64), quotes

    def _find_lists(
        self, brackets: NDArray[np.int64], depths: NDArray[np.int64], quotes: NDArray[np.int64]
    ) -> None:
        at_member = np.flatnonzero(depths == 1)
        # The first of these opens the object; the others each close a member.
        for before, last in pairwise(at_member.tolist()):
            start, end = int(brackets[before + 1]), int(brackets[last]) + 1
            if self.content[start] != ord("["):
                continue
            quote = int(np.searchsorted(quotes, start))
            if quote < 2:
                continue
            name = self.content[int(quotes[quote - 2]) + 1 : int(quotes[quote - 1])]
            key = name.decode(errors="replace")
            inner = slice(before + 1, last)
            closed = np.flatnonzero(depths[inner] == 2) + before + 1
            self._spans[key] = start, end
            self.lists[key] = np.stack((brackets[closed[:-1] + 1], brackets[closed[1:]] + 1), 1)


def parse(content: bytes) -> Any:
    """The value of a JSON text; NaN, infinities and a byte order mark are taken, as Python does.

    Raises:
        ValueError: it is not JSON.
    """
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        try:
            return json.loads(content)
        except RecursionError:
            raise ValueError("brackets are nested too deeply") from None


def _ends_of_odd_runs(backslashes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The positions after runs of backslashes that leave what follows escaped."""
    if not backslashes.size:
        return backslashes
    last = np.append(np.diff(backslashes) != 1, True)
    ends = np.flatnonzero(last)
    lengths = np.diff(ends, prepend=-1)
    after: NDArray[np.int64] = backslashes[ends[lengths % 2 == 1]] + 1
    return after
