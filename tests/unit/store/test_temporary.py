"""Folders for temporary files end with their process, or are removed by the next one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.store import temporary
from harness.store.temporary import PREFIX, owned_prefix, remove_left_behind, temporary_folder

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")

WAITS = """
import sys
from harness.store.temporary import temporary_folder
with temporary_folder() as folder:
    (folder / "kept").write_text("some")
    print(folder, flush=True)
    sys.stdin.read()
"""


def started(parent: Path) -> tuple[subprocess.Popen[str], Path]:
    """A process that has a folder, until its standard input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", WAITS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(parent)},
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def folder_of(parent: Path, name: str) -> Path:
    folder = parent / name
    folder.mkdir()
    (folder / "file").write_text("x", encoding="utf-8")
    return folder


def test_the_next_run_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    killed, left = started(tmp_path)
    alive, theirs = started(tmp_path)
    try:
        killed.kill()
        killed.communicate()
        assert left.is_dir()
        third, own = started(tmp_path)
        assert not left.exists()
        assert theirs.is_dir()
        assert own.is_dir()
        third.communicate()
        assert not own.exists()
    finally:
        alive.communicate()
    assert list(tmp_path.iterdir()) == []


def test_what_may_be_somebody_s_stays(tmp_path: Path) -> None:
    pid, start, where = owned_prefix().removeprefix(PREFIX).rstrip("_").split("_")
    another = f"{int(start, 16) + 1:x}"
    gone = folder_of(tmp_path, f"{PREFIX}{pid}_{another}_{where}_abc")
    kept = [
        folder_of(tmp_path, f"{PREFIX}{pid}_{start}_{where}_abc"),
        # Of another machine, or of this one before it was started.
        folder_of(tmp_path, f"{PREFIX}{pid}_{another}_{'0' * 8}_abc"),
        folder_of(tmp_path, f"{PREFIX}abcdefgh"),
        folder_of(tmp_path, f"other-{pid}_{another}_{where}_abc"),
    ]
    link = tmp_path / f"{PREFIX}{pid}_{another}_{where}_link"
    link.symlink_to(kept[0])
    file = tmp_path / f"{PREFIX}{pid}_{another}_{where}_file"
    file.write_text("a file", encoding="utf-8")
    assert remove_left_behind(tmp_path) == [gone]
    assert not gone.exists()
    assert sorted(tmp_path.iterdir()) == sorted([*kept, link, file])
    assert all((folder / "file").is_file() for folder in kept)


def test_another_user_s_folder_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pid, start, where = owned_prefix().removeprefix(PREFIX).rstrip("_").split("_")
    folder = folder_of(tmp_path, f"{PREFIX}{pid}_{int(start, 16) + 1:x}_{where}_abc")
    own = os.getuid()
    monkeypatch.setattr(temporary.os, "getuid", lambda: own + 1)
    assert remove_left_behind(tmp_path) == []
    monkeypatch.undo()
    assert remove_left_behind(tmp_path) == [folder]


def test_a_process_that_cannot_be_looked_at_is_alive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pid, start, where = owned_prefix().removeprefix(PREFIX).rstrip("_").split("_")
    folder_of(tmp_path, f"{PREFIX}{pid}_{int(start, 16) + 1:x}_{where}_abc")

    def refused(pid: int) -> int | None:
        raise PermissionError(pid)

    monkeypatch.setattr(temporary, "_start_of", refused)
    assert remove_left_behind(tmp_path) == []


def test_a_folder_says_whose_it_is_and_is_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with temporary_folder() as folder:
        assert folder.name.startswith(f"{PREFIX}{os.getpid():x}_")
        assert list(folder.iterdir()) == []
        assert remove_left_behind(tmp_path) == []
    assert not folder.exists()


def test_a_folder_that_cannot_be_listed_is_no_error(tmp_path: Path) -> None:
    assert remove_left_behind(tmp_path / "none") == []
