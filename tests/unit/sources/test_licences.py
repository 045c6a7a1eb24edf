"""Licences are recognised from what files say, and asked for by code, name or number."""

import json
from pathlib import Path

import pytest

from gen.errors import UserError
from gen.sources.licences import LICENCES, UNKNOWN, codes, recognise


@pytest.mark.parametrize(
    ("name", "url", "code"),
    [
        ("Attribution License", "", "cc-by-2.0"),
        ("anything", "http://creativecommons.org/licenses/by-nc-sa/2.0/", "cc-by-nc-sa-2.0"),
        ("", "https://creativecommons.org/licenses/by/4.0/legalcode.en", "cc-by-4.0"),
        ("", "https://creativecommons.org/publicdomain/zero/1.0/deed.de", "cc0-1.0"),
        ("CC BY-SA 3.0", "", "cc-by-sa-3.0"),
        ("cc0-1.0", "", "cc0-1.0"),
        (
            "No known copyright restrictions",
            "http://flickr.com/commons/usage/",
            "no-known-copyright",
        ),
        ("House Rules", "", "house-rules"),
    ],
)
def test_recognise(name: str, url: str, code: str) -> None:
    assert recognise(name, url).code == code


def test_no_words_are_unknown() -> None:
    assert recognise("", "") is UNKNOWN
    assert recognise("", "https://example.org/terms") is UNKNOWN


def test_a_licence_outside_the_table_keeps_its_words() -> None:
    assert recognise("House Rules", "https://example.org/terms") == (
        "house-rules",
        "House Rules",
        "https://example.org/terms",
    )


@pytest.mark.parametrize("entry", ["4", "cc-by-2.0", "CC BY 2.0", "Attribution License"])
def test_the_ways_to_ask_for_one_licence(entry: str) -> None:
    assert codes([entry], []) == {"cc-by-2.0"}


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(
        UserError, match=r"no licence is named 'cc-by-2': did you mean .*cc-by-2\.0"
    ):
        codes(["cc-by-2"], [])
    with pytest.raises(UserError, match="no licence is named '9'"):
        codes(["9"], [])
    assert codes(["House rules"], ["house-rules"]) == {"house-rules"}


def test_numbers_are_those_of_coco(shared_data: Path) -> None:
    path = shared_data / "coco" / "annotations" / "instances.json"
    licences = json.loads(path.read_bytes())["licenses"]
    assert len(licences) == 8
    for record in licences:
        code = recognise(record["name"], record["url"]).code
        assert code in LICENCES
        assert codes([str(record["id"])], []) == {code}
