"""What a document lacks is installed into a folder of its own; a folder stands for the registry."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from harness.errors import UsageError
from harness.findings.fix import folder_for, install, lacking_modules, requirements
from harness.model.article import Examined, Finding, Kind, Severity


def lacking(language: str, evidence: str, *follows: str) -> Finding:
    return Finding(
        document="a.md", line=2, language=language, chunk=0, kind=Kind.NEEDS_PACKAGE, severity=Severity.NOTE,
        evidence=evidence, consequence="", follows=follows,
    )  # fmt: skip


def wheel(folder: Path, name: str, version: str, code: str) -> None:
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}.py", code)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "registry"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    wheel(folder, "seven", "1.0", "VALUE = 7\n")
    wheel(folder, "seven", "2.0", "VALUE = 8\n")
    return folder


def test_what_is_lacking_is_read_from_the_findings() -> None:
    found = (
        lacking("python", "sklearn is not installed: 2 outputs", "line 9: seven is not installed"),
        lacking("r", "dplyr is not installed"),
    )
    assert lacking_modules(Examined(document="a.md", findings=found)) == ("sklearn", "seven")


def test_requirements_beside_the_document_name_the_version(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("seven==1.0  # as published\nsevenfold==9\n", encoding="utf-8")
    wanted = requirements(("sklearn", "seven"), tmp_path / "a.md")
    assert wanted == ("scikit-learn", "seven==1.0")


def test_a_package_is_installed_into_the_documents_own_folder(tmp_path: Path, registry: Path) -> None:
    folder = folder_for(tmp_path / "a.md", ("seven==1.0",), tmp_path / "cache")
    assert folder != folder_for(tmp_path / "b.md", ("seven==1.0",), tmp_path / "cache")
    install(("seven==1.0",), folder)
    assert (folder / "seven.py").read_text(encoding="utf-8") == "VALUE = 7\n"


def test_a_package_that_no_registry_has_is_said(tmp_path: Path, registry: Path) -> None:
    with pytest.raises(UsageError, match="eight cannot be installed"):
        install(("eight",), tmp_path / "own")
