"""Sources that are not UTF-8: refused with their line by what quotes or changes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import CaseError
from harness.store.source_text import source_text


def test_lines_end_as_python_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes("é\r\nb\rc\n".encode())
    assert source_text(path) == path.read_text(encoding="utf-8") == "é\nb\nc\n"


@pytest.mark.parametrize(
    ("data", "line"), [(b"\xe9", 1), (b"a\nb\n# caf\xe9\n\xe8", 3), (b"\xff\xfea\x00", 1)]
)
def test_what_is_not_utf_8_is_refused_with_its_line(tmp_path: Path, data: bytes, line: int) -> None:
    path = tmp_path / "a.R"
    path.write_bytes(data)
    with pytest.raises(CaseError, match="is not UTF-8: byte 0x") as caught:
        source_text(path)
    assert (caught.value.path, caught.value.line, caught.value.exit_code) == (path, line, 2)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="cannot be read: No such file"):
        source_text(tmp_path / "a.jl")
