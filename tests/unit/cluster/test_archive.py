"""A suite as one file, and back."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from harness.cluster import archive as archive_module
from harness.cluster.archive import keep, kept, pack, unpacked
from harness.errors import ClusterError, UsageError


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    for name, text in {
        "suite/case/case.toml": "a",
        "suite/case/run.sh": "b",
        "suite/case/__pycache__/x.pyc": "c",
        "suite/.venv/x": "d",
        "suite/case/.Rprofile": "e",
        "suite/out/results.jsonl": "f",
        "fixtures/one/fixture.toml": "g",
        "elsewhere/x": "h",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "suite/case/run.sh").chmod(0o755)
    (tmp_path / "suite/linked").symlink_to("../elsewhere", target_is_directory=True)
    (tmp_path / "suite/case/above").symlink_to("..", target_is_directory=True)
    return tmp_path / "suite"


def files(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_what_is_unpacked_is_what_cases_read(suite: Path, tmp_path: Path) -> None:
    vectors = tmp_path / "words.txt"
    vectors.write_text("i", encoding="utf-8")
    packed = pack(suite, glove=vectors, without=suite / "out")
    keep(tmp_path / "cache", packed)
    folder = unpacked(tmp_path / "cache", packed.sha256, tmp_path / "tree")
    assert folder is not None
    assert files(folder) == {
        "suite/case/case.toml": "a",
        "suite/case/run.sh": "b",
        "suite/case/.Rprofile": "e",
        "suite/linked/x": "h",
        "fixtures/one/fixture.toml": "g",
        "glove/words.txt": "i",
    }
    assert os.access(folder / "suite/case/run.sh", os.X_OK)
    assert not os.access(folder / "suite/case/case.toml", os.X_OK)


def test_the_hash_is_that_of_the_content(suite: Path) -> None:
    first = pack(suite)
    os.utime(suite / "case/case.toml", (0, 0))
    assert pack(suite).sha256 == first.sha256
    (suite / "case/case.toml").write_text("other", encoding="utf-8")
    assert pack(suite).sha256 != first.sha256


def test_a_damaged_archive_is_sent_again(suite: Path, tmp_path: Path) -> None:
    packed = pack(suite)
    assert unpacked(tmp_path / "cache", packed.sha256, tmp_path) is None
    keep(tmp_path / "cache", packed)
    path = kept(tmp_path / "cache", packed.sha256)
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert unpacked(tmp_path / "cache", packed.sha256, tmp_path) is None
    with pytest.raises(ClusterError, match="did not arrive"):
        keep(tmp_path / "cache", archive_module.Archive("suite", packed.sha256, packed.data + b"?"))


def test_what_nobody_used_for_long_is_forgotten(suite: Path, tmp_path: Path) -> None:
    first = pack(suite)
    keep(tmp_path / "cache", first)
    old = time.time() - 2 * archive_module.FORGOTTEN
    os.utime(kept(tmp_path / "cache", first.sha256), (old, old))
    (suite / "case/case.toml").write_text("other", encoding="utf-8")
    keep(tmp_path / "cache", pack(suite))
    assert not kept(tmp_path / "cache", first.sha256).exists()


def test_a_suite_that_is_too_large_is_refused(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_module, "LARGEST", 4)
    with pytest.raises(UsageError, match="too large to be sent"):
        pack(suite)
