"""Folders for temporary files, and a current folder, that are not there."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from harness.errors import UsageError
from harness.store.suites import current_folder
from harness.store.temporary import temporary_folder


def test_no_folder_for_temporary_files_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with (
        pytest.raises(UsageError, match="no folder for temporary files: No such file") as caught,
        temporary_folder(),
    ):
        pass
    assert "TMPDIR" in caught.value.advice
    assert str(tmp_path / "gone") in str(caught.value)


def test_a_temporary_folder_that_was_removed_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with temporary_folder() as folder:
        folder.rmdir()


def test_a_current_folder_that_was_removed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(UsageError, match="the current folder cannot be read: No such file") as caught:
        current_folder()
    assert "cd to a folder" in caught.value.advice
