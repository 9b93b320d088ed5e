from __future__ import annotations

from pathlib import Path

import pytest

from harness.store.atomic import write_whole


def test_files_are_written_and_replaced(tmp_path: Path) -> None:
    first, second = tmp_path / "new" / "one", tmp_path / "two"
    second.write_bytes(b"old")
    write_whole({first: b"1", second: b"2"})
    assert (first.read_bytes(), second.read_bytes()) == (b"1", b"2")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["new", "one", "two"]


def test_where_one_fails_none_is_replaced(tmp_path: Path) -> None:
    existing = tmp_path / "one"
    existing.write_bytes(b"old")
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=r"Not a directory|File exists"):
        write_whole({existing: b"new", tmp_path / "file" / "two": b"2"})
    assert existing.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "one"]
