"""What checks a release finds what is wrong with one."""

from __future__ import annotations

import io
import sys
import tarfile
import types
import zipfile
from pathlib import Path

import pytest

from harness.__main__ import main
from harness.name import DISTRIBUTION, clash
from tests.release.archives import differences
from tests.release.versions import changes, disagreements

ROOT = Path(__file__).parents[3]
TREE = {"README.md", "harness/__init__.py", "harness/report/page.html"}


def archives(folder: Path, sdist: set[str], wheel: set[str]) -> tuple[Path, Path]:
    with tarfile.open(folder / "p-1.tar.gz", "w:gz") as archive:
        for name in sdist:
            archive.addfile(tarfile.TarInfo(f"p-1/{name}"), io.BytesIO())
    with zipfile.ZipFile(folder / "p-1.whl", "w") as packed:
        for name in wheel:
            packed.writestr(name, "")
    return folder / "p-1.tar.gz", folder / "p-1.whl"


def test_archives_of_the_tree_differ_in_nothing(tmp_path: Path) -> None:
    wheel = {"harness/__init__.py", "harness/report/page.html", "p-1.dist-info/RECORD"}
    assert differences(*archives(tmp_path, TREE | {"PKG-INFO"}, wheel), TREE) == []


def test_a_template_that_the_wheel_lacks_and_a_stray_file_are_named(tmp_path: Path) -> None:
    found = differences(*archives(tmp_path, TREE | {"notes.txt"}, {"harness/__init__.py"}), TREE)
    assert found == [
        "p-1.tar.gz holds notes.txt, which git does not know",
        "p-1.whl lacks harness/report/page.html",
    ]


def test_the_versions_of_the_checkout_agree() -> None:
    assert disagreements(ROOT) == []


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "harness").mkdir()
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "0.2.0"\n')
    (tmp_path / "harness" / "__init__.py").write_text('__version__ = "0.2.0"\n')
    (tmp_path / "CITATION.cff").write_text("cff-version: 1.2.0\nversion: 0.1.0\n")
    (tmp_path / "CHANGELOG.md").write_text(
        "## [Unreleased]\n\n## [0.2.0] - 2026-01-02\n\n- Better.\n\n## [0.1.0]\n\n- First.\n"
    )
    return tmp_path


def test_a_version_that_was_forgotten_is_named(checkout: Path) -> None:
    assert disagreements(checkout, "v0.2.0") == ["CITATION.cff states 0.1.0, pyproject.toml 0.2.0"]


def test_a_tag_is_the_version_and_has_changes(checkout: Path) -> None:
    (checkout / "CITATION.cff").write_text("version: 0.2.0\n")
    assert disagreements(checkout, "v0.2.1") == ["the tag is v0.2.1, and pyproject.toml states 0.2.0"]
    (checkout / "CHANGELOG.md").write_text("## [0.2.0]\n\n## [0.1.0]\n\n- First.\n")
    assert disagreements(checkout, "v0.2.0") == ["CHANGELOG.md has no section [0.2.0], or nothing in it"]


def test_the_changes_of_a_version_are_its_section(checkout: Path) -> None:
    assert changes(checkout, "0.2.0") == "- Better."
    assert changes(checkout, "0.3.0") == ""


def other_package(folder: Path) -> None:
    home = folder / "harness-0.1.0.dist-info"
    home.mkdir()
    (home / "METADATA").write_text("Metadata-Version: 2.1\nName: harness\nVersion: 0.1.0\n")


def test_the_unrelated_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other_package(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    said = clash()
    assert "harness 0.1.0, an unrelated package" in said
    assert f"pip uninstall -y harness {DISTRIBUTION}" in said


@pytest.mark.parametrize("left", [{}, {"main": types.ModuleType("harness.cli.main")}])
def test_a_command_line_that_was_overwritten_says_so(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    left: dict[str, types.ModuleType],
) -> None:
    other_package(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    # As where the other package's harness/cli/__init__.py, which is empty, has replaced this one's.
    overwritten = types.ModuleType("harness.cli")
    vars(overwritten).update(left)
    monkeypatch.setitem(sys.modules, "harness.cli", overwritten)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 3
    assert "an unrelated package" in capsys.readouterr().err
