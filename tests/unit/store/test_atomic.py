from __future__ import annotations

from pathlib import Path

import pytest

from harness.store.atomic import write_whole


def test_files_are_written_and_replaced(tmp_path: Path) -> None:
    one, two = tmp_path / "new" / "one", tmp_path / "two"
    two.write_bytes(b"old")
    write_whole({one: b"1", two: b"2"})
    assert (one.read_bytes(), two.read_bytes()) == (b"1", b"2")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["new", "one", "two"]


def test_where_one_fails_none_is_replaced(tmp_path: Path) -> None:
    one = tmp_path / "one"
    one.write_bytes(b"old")
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=r"Not a directory|File exists"):
        write_whole({one: b"new", tmp_path / "file" / "two": b"2"})
    assert one.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "one"]
