"""Files appear whole or not at all."""

from pathlib import Path

import pytest

from gen import atomic


def test_a_file_appears_with_its_whole_content(tmp_path: Path) -> None:
    atomic.write(tmp_path / "a", b"content")
    assert (tmp_path / "a").read_bytes() == b"content"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_failure_leaves_the_old_content_and_no_temporary_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(RuntimeError), atomic.replacing(tmp_path / "a") as temporary:
        temporary.write_bytes(b"half")
        raise RuntimeError
    assert (tmp_path / "a").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_only_temporary_files_are_removed(tmp_path: Path) -> None:
    for name in ("a", ".hidden", atomic.TEMPORARY_PREFIX + "a.1.ff"):
        (tmp_path / name).touch()
    assert atomic.remove_temporaries(tmp_path) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [".hidden", "a"]
