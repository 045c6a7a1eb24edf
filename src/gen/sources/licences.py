"""Licences of photos: one table of codes, names and addresses, and what a file's words mean in it.

Codes are lower-case SPDX identifiers where there is one. Numbers 1 to 8 are those of COCO 2017.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gen.errors import unknown


class Licence(NamedTuple):
    """A licence: its code, the name that people write, and where its text is."""

    code: str
    name: str
    url: str


UNKNOWN = Licence("unknown", "unknown", "")

_CC_KINDS = ("by", "by-sa", "by-nd", "by-nc", "by-nc-sa", "by-nc-nd")
_CC_VERSIONS = ("1.0", "2.0", "2.5", "3.0", "4.0")

LICENCES: dict[str, Licence] = {
    licence.code: licence
    for licence in (
        *(
            Licence(
                f"cc-{kind}-{version}",
                f"CC {kind.upper()} {version}",
                f"https://creativecommons.org/licenses/{kind}/{version}/",
            )
            for kind in _CC_KINDS
            for version in _CC_VERSIONS
        ),
        Licence("cc0-1.0", "CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        Licence(
            "public-domain",
            "Public domain",
            "https://creativecommons.org/publicdomain/mark/1.0/",
        ),
        Licence(
            "no-known-copyright",
            "No known copyright restrictions",
            "https://www.flickr.com/commons/usage/",
        ),
        Licence(
            "us-government",
            "United States Government Work",
            "https://www.usa.gov/copyright.shtml",
        ),
    )
}

# COCO's number and its words for each licence, from `licenses` of its annotation files.
_COCO: tuple[tuple[str, str], ...] = (
    ("cc-by-nc-sa-2.0", "Attribution-NonCommercial-ShareAlike License"),
    ("cc-by-nc-2.0", "Attribution-NonCommercial License"),
    ("cc-by-nc-nd-2.0", "Attribution-NonCommercial-NoDerivs License"),
    ("cc-by-2.0", "Attribution License"),
    ("cc-by-sa-2.0", "Attribution-ShareAlike License"),
    ("cc-by-nd-2.0", "Attribution-NoDerivs License"),
    ("no-known-copyright", "No known copyright restrictions"),
    ("us-government", "United States Government Work"),
)


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", "-", text.strip().lower())


def _address(url: str) -> str:
    bare = re.sub(r"^https?://(www\.)?", "", url.strip().lower())
    return re.sub(r"/(legalcode|deed)?(\.[a-z]+)?$", "", bare)


_BY_NUMBER = {str(number): code for number, (code, _) in enumerate(_COCO, start=1)}
_BY_NAME = {_plain(words): code for code, words in _COCO} | {
    _plain(licence.name): code for code, licence in LICENCES.items()
}
_BY_ADDRESS = {_address(licence.url): code for code, licence in LICENCES.items()}


def recognise(name: str, url: str) -> Licence:
    """The licence that a file's own `name` and `url` mean; the address counts before the name.

    One that the table lacks keeps its own words as its code and name; no words at all are UNKNOWN.
    """
    code = _BY_ADDRESS.get(_address(url)) or _BY_NAME.get(_plain(name))
    code = code or (_plain(name) if _plain(name) in LICENCES else None)
    if code:
        return LICENCES[code]
    return Licence(_plain(name), name.strip(), url.strip()) if name.strip() else UNKNOWN


def code_of(name: str) -> str:
    """The code that `name` (a code, a licence's name or COCO's number) means.

    A licence that the table lacks has the code that `recognise` gives it.
    """
    plain = _plain(name)
    return _BY_NUMBER.get(plain) or _BY_NAME.get(plain) or plain


def codes(wanted: Sequence[str], present: Iterable[str]) -> frozenset[str]:
    """The codes that the entries of `data.licenses` mean: codes, names or COCO's numbers.

    `present` are codes that the photos carry, so that a licence outside the table can be asked for.

    Raises:
        UserError: an entry that is none of these.
    """
    known = {**{code: code for code in (*LICENCES, *present)}, **_BY_NAME, **_BY_NUMBER}
    found = []
    for entry in wanted:
        code = known.get(_plain(entry))
        if code is None:
            raise unknown("licence", entry, [*{**LICENCES, **dict.fromkeys(present)}, *_BY_NUMBER])
        found.append(code)
    return frozenset(found)
