"""The folder for results: there while a command runs, and gone if nothing was written."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.cli.results_folder import folder_to_write
from harness.errors import UsageError


def test_one_that_was_made_for_nothing_is_removed(tmp_path: Path) -> None:
    with folder_to_write(tmp_path / "results") as where:
        assert where.is_dir()
    assert not where.exists()


def test_one_with_a_file_stays(tmp_path: Path) -> None:
    with folder_to_write(tmp_path / "results") as where:
        (where / "a").touch()
    assert (where / "a").exists()


def test_one_of_the_users_stays(tmp_path: Path) -> None:
    with folder_to_write(tmp_path):
        pass
    assert tmp_path.is_dir()


def test_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "results").touch()
    with pytest.raises(UsageError, match="this is a file"), folder_to_write(tmp_path / "results"):
        pass
