"""Folders for temporary files, by names that a shell reads as one word."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import pytest

from harness.workers.plain_temporary import plain_names


@pytest.mark.parametrize("name", ["a", "a-b_c.d", "A,B@1", ""])
def test_a_plain_name_stays(name: str) -> None:
    with contextlib.ExitStack() as stack:
        assert plain_names({"TMPDIR": f"/tmp/{name}", "HOME": "/a b"}, stack) == {}


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("name", ["a b", 'a"b', "a;b", "a$b", "a'b", "a\\b", "a\nb", "aéb"])
def test_another_name_is_of_the_same_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    with contextlib.ExitStack() as stack:
        renamed = plain_names({"TMPDIR": str(folder), "TMP": str(folder), "TEMP": "/tmp"}, stack)
        assert renamed.keys() == {"TMPDIR", "TMP"}
        for other in renamed.values():
            assert os.system(f"touch {other}/file") == 0
            assert [path.name for path in folder.iterdir()] == ["file"]
            assert os.system(f"rm {other}/file") == 0
    assert not any(Path(other).exists() for other in renamed.values())


@pytest.mark.skipif(os.name != "posix", reason="names of POSIX")
def test_a_folder_that_is_not_there_is_the_system_s(tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        assert plain_names({"TMPDIR": str(tmp_path / "no such folder")}, stack) == {"TMPDIR": "/tmp"}
