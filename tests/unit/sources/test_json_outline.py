"""The outline of a JSON file agrees with a parser on what is where."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gen.errors import UserError
from gen.sources import json_outline
from gen.sources.json_outline import JsonOutline

TEXT = st.text(st.sampled_from('ab"\\{}[],: \n\u00e9\u4e2d'), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=12,
)


def containers(value: Any) -> list[Any]:
    return [entry for entry in value if isinstance(entry, list | dict)]


@given(
    st.dictionaries(st.sampled_from(["images", "annotations", "info", "x"]), VALUES),
    st.sampled_from([None, 0, 2]),
    st.booleans(),
    st.sampled_from([1, 7, 1 << 24]),
)
@settings(max_examples=100, deadline=None)
def test_every_list_and_entry_is_found(
    tmp_path_factory: pytest.TempPathFactory,
    document: dict[str, Any],
    indent: int | None,
    ascii_only: bool,
    chunk: int,
) -> None:
    path = tmp_path_factory.getbasetemp() / "document.json"
    path.write_text(json.dumps(document, indent=indent, ensure_ascii=ascii_only), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_outline, "_CHUNK", chunk)
        outline = JsonOutline(path, "document.json")
    lists = {key: value for key, value in document.items() if isinstance(value, list)}
    assert outline.lists.keys() == lists.keys()
    for key, value in lists.items():
        assert outline.value(key) == value
        spans = outline.lists[key].tolist()
        assert [outline.parse(start, end) for start, end in spans] == containers(value)


def test_nan_and_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('\ufeff{"images": [NaN, {"a": Infinity}]}', "utf-8")
    outline = JsonOutline(path, "a.json")
    assert outline.value("images")[1] == {"a": float("inf")}


@pytest.mark.parametrize("content", ['{"a": [', '{"a": "', '{"a": [1]', '{"a": ]}}', "}{"])
def test_a_file_that_is_cut_off(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(UserError, match=r"^a\.json: "):
        JsonOutline(path, "a.json")


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"a": ' + nested(100_000) + "}", "nested more than 100 deep at byte 105"),
        ('{"a": 1}}}', "the bracket at byte 8 closes nothing"),
        ('{"a": [1], "b": "', "1 brackets are open"),
        ('{"a": 1} "', "a string is open"),
        ('x {"a": 1}', "text before the object"),
        ('{"a": 1} x', "text after the object"),
        ('{"a": 1} {"b": []}', "text after the object"),
    ],
)
def test_the_fault_is_named(tmp_path: Path, content: str, reason: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(UserError, match=reason):
        JsonOutline(path, "a.json")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_are_named(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"images": []}', encoding)
    with pytest.raises(UserError, match="is not in UTF-8"):
        JsonOutline(path, "a.json")


def test_brackets_too_deep_to_parse_are_a_fault_of_the_text() -> None:
    with pytest.raises(ValueError, match="too deeply"):
        json_outline.parse(nested(100_000).encode())


@pytest.mark.parametrize(
    ("inside", "found"),
    [
        ("", []),
        (" \n ", []),
        ("{}", []),
        ("\n {},\n {} , [1]\n", []),
        ("{}," + 100 * " " + "{}" + 100 * " ", []),
        ("5", ["5"]),
        ('"a"', ['"a"']),
        ("{}, null, {}", [", null, "]),
        ("7,{}", ["7,"]),
        ("{},true", [",true"]),
        ("{} {}", [" "]),
        ("{},,{}", [",,"]),
    ],
)
def test_what_is_no_entry_is_found(tmp_path: Path, inside: str, found: list[str]) -> None:
    path = tmp_path / "a.json"
    path.write_text(f'{{"a": [{inside}]}}')
    outline = JsonOutline(path, "a.json")
    assert [outline.content[start:end].decode() for start, end in outline.strays("a")] == found
