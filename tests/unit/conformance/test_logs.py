"""The files that workers print into."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.conformance.logs import fresh_folder, tidy
from harness.errors import UsageError


def test_only_the_logs_of_an_earlier_run_are_removed(tmp_path: Path) -> None:
    for name in ("r.1.stderr", "node-2.13.stderr", "notes.txt", "r.stderr", "r.1.stderr.gz", "1.1.stderr"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    (tmp_path / "r.2.stderr").mkdir()
    fresh_folder(tmp_path)
    left = {"notes.txt", "r.stderr", "r.1.stderr.gz", "1.1.stderr", "r.2.stderr"}
    assert {path.name for path in tmp_path.iterdir()} == left


def test_what_is_empty_goes_and_of_what_is_huge_the_end_stays(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    fresh_folder(logs)
    (logs / "r.1.stderr").touch()
    (logs / "r.2.stderr").write_bytes(b"short")
    with (logs / "r.3.stderr").open("wb") as file:
        file.truncate(16 * 1024 * 1024)
        file.seek(0, 2)
        file.write(b"end")
    tidy(logs)
    assert {path.name for path in logs.iterdir()} == {"r.2.stderr", "r.3.stderr"}
    assert (logs / "r.2.stderr").read_bytes() == b"short"
    kept = (logs / "r.3.stderr").read_bytes()
    assert (len(kept), kept[-3:]) == (1024 * 1024, b"end")


def test_a_folder_without_logs_goes_too(tmp_path: Path) -> None:
    fresh_folder(tmp_path / "logs")
    (tmp_path / "logs" / "r.1.stderr").touch()
    tidy(tmp_path / "logs")
    assert not (tmp_path / "logs").exists()
    tidy(tmp_path / "logs")


def test_a_file_in_the_way_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "logs").touch()
    with pytest.raises(UsageError, match="cannot write here"):
        fresh_folder(tmp_path / "logs")
