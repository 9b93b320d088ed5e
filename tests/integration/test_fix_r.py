"""R packages that a document lacks, from a repository on this disk, into a library of the document's own."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli.documents import documents
from harness.errors import UsageError
from harness.findings.fix_r import install_r, r_requirements
from harness.runtimes.provision.r import find_r
from harness.sessions.sandbox import find_sandbox

pytestmark = pytest.mark.r
SANDBOX = find_sandbox(unsandboxed=True)
DOCUMENT = "# Seven\n\n```r\nlibrary(seven)\nseven() + 1\n```\n\n```\n## [1] 9\n```\n"


def package(folder: Path, name: str, version: str, code: str, needs: str = "") -> None:
    described = (
        f"Package: {name}\nVersion: {version}\nTitle: A Test\nDescription: A test.\nLicense: MIT\n"
        f"Author: A\nMaintainer: A <a@example.org>\n{needs}"
    )
    imports = "".join(f"import({line.split()[1]})\n" for line in needs.splitlines() if "Imports" in line)
    files = {"DESCRIPTION": described, "NAMESPACE": f"export({name})\n{imports}", f"R/{name}.R": code}
    with tarfile.open(folder / f"{name}_{version}.tar.gz", "w:gz") as archive:
        for path, text in files.items():
            info = tarfile.TarInfo(f"{name}/{path}")
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = find_r()
    if not found.available:
        pytest.skip("R is not there")
    folder = tmp_path / "repository" / "src" / "contrib"
    (folder / "Archive" / "seven").mkdir(parents=True)
    package(folder / "Archive" / "seven", "seven", "1.0", "seven <- function() 7\n")
    package(folder, "seven", "2.0", "seven <- function() four() + 4\n", "Imports: four\n")
    package(folder, "four", "1.0", "four <- function() 4\n")
    package(folder, "broken", "1.0", 'stop("it is broken")\n')
    package(folder, "tomorrow", "3.0", "tomorrow <- function() 3\n", "Depends: R (>= 99.1)\n")
    written = f'invisible(tools::write_PACKAGES("{folder}", type = "source"))'
    subprocess.run(["Rscript", "-e", written], check=True, timeout=60)
    profile = tmp_path / "profile.R"
    profile.write_text(f'options(repos = c(LOCAL = "file://{folder.parents[1]}"))\n', encoding="utf-8")
    monkeypatch.setenv("R_PROFILE_USER", str(profile))
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    return folder


@pytest.fixture(autouse=True)
def no_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what the repositories have: the distribution of this machine may have packages of these names."""
    monkeypatch.setattr("harness.findings.fix_r_debian._Apt.why_not", lambda self: "no distribution is asked")


def test_a_package_and_what_it_needs_are_installed(repository: Path, tmp_path: Path) -> None:
    install_r(("seven",), tmp_path / "own", SANDBOX)
    assert sorted(path.name for path in (tmp_path / "own").iterdir()) == [".installed", "four", "seven"]
    before = (tmp_path / "own").stat().st_mtime_ns
    install_r(("seven",), tmp_path / "own", SANDBOX)
    assert (tmp_path / "own").stat().st_mtime_ns == before
    (tmp_path / "own" / ".installed").write_text("R version 1.0.0", encoding="utf-8")
    install_r(("seven",), tmp_path / "own", SANDBOX)
    assert (tmp_path / "own").stat().st_mtime_ns != before


def test_the_version_of_a_lock_file_comes_from_the_archive(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "renv.lock").write_text('{"Packages": {"seven": {"Version": "1.0"}}}', encoding="utf-8")
    wanted = r_requirements(("seven",), tmp_path / "a.md")
    assert wanted == ("seven==1.0",)
    install_r(wanted, tmp_path / "own", SANDBOX)
    described = (tmp_path / "own" / "seven" / "DESCRIPTION").read_text(encoding="utf-8")
    assert "Version: 1.0" in described


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("eight", "no repository of this R has eight"),
        ("seven==3.0", "seven 3.0 is asked for, and the repository has 2.0"),
        ("seven>=2.1", "seven 2.1 is asked for, and the repository has 2.0"),
        ("broken", "broken cannot be installed: ERROR: lazy loading failed for package"),
        ("tomorrow", "tomorrow 3.0 needs R 99.1, and this is R"),
    ],
)
def test_what_cannot_be_had_is_said(repository: Path, tmp_path: Path, wanted: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        install_r((wanted,), tmp_path / "own", SANDBOX)
    assert said in str(caught.value)
    assert not (tmp_path / "own").exists()


def test_what_can_be_had_is_installed_where_another_cannot(repository: Path, tmp_path: Path) -> None:
    said = install_r(("eight", "seven", "broken"), tmp_path / "own", SANDBOX)
    assert [sentence.partition(":")[0] for sentence in said] == [
        "eight cannot be installed",
        "broken cannot be installed",
    ]
    assert (tmp_path / "own" / "seven").is_dir()
    assert install_r(("eight", "seven", "broken"), tmp_path / "own", SANDBOX) == said


def test_a_package_that_is_here_and_too_old_for_another_is_installed_too(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_r(("four",), tmp_path / "here", SANDBOX)
    package(repository, "four", "2.0", "four <- function() 40\n")
    package(repository, "newer", "1.0", "newer <- function() four()\n", "Imports: four (>= 1.5)\n")
    described = tmp_path / "repository" / "src" / "contrib"
    text = (described / "PACKAGES").read_text(encoding="utf-8").replace("Package: four\nVersion: 1.0", "")
    text += "\nPackage: four\nVersion: 2.0\n\nPackage: newer\nVersion: 1.0\nImports: four (>= 1.5)\n"
    for path in described.glob("PACKAGES*"):
        path.unlink()
    (described / "PACKAGES").write_text(text, encoding="utf-8")
    monkeypatch.setenv("R_LIBS", str(tmp_path / "here"))
    install_r(("newer",), tmp_path / "own", SANDBOX)
    assert sorted(path.name for path in (tmp_path / "own").iterdir()) == [".installed", "four", "newer"]


@pytest.mark.parametrize("repos", ["", 'options(repos = c(NONE = "file:///nowhere/at/all"))\n'])
def test_where_no_repository_answers(repository: Path, tmp_path: Path, repos: str) -> None:
    (tmp_path / "profile.R").write_text(repos or "options(repos = c())\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"seven cannot be installed: (?:no repository of|this R names no)"):
        install_r(("seven",), tmp_path / "own", SANDBOX)


def test_the_oldest_version_that_a_description_names(tmp_path: Path) -> None:
    text = "Package: mine\nImports:\n    seven (>= 1.2),\n    four\nSuggests: nine (>= 0.3.1)\n"
    (tmp_path / "DESCRIPTION").write_text(text, encoding="utf-8")
    (tmp_path / ".git").mkdir()
    (tmp_path / "vignettes").mkdir()
    document = tmp_path / "vignettes" / "a.Rmd"
    assert r_requirements(("seven", "four", "nine"), document) == ("seven>=1.2", "four", "nine>=0.3.1")
    (tmp_path / "renv.lock").write_text("{", encoding="utf-8")
    with pytest.raises(UsageError, match=r"renv\.lock beside a\.Rmd is no lock file of renv"):
        r_requirements(("seven",), document)


def test_a_document_is_checked_with_its_own_library(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(DOCUMENT, encoding="utf-8")
    given = [str(tmp_path / "a.md"), "--trust", "--fix", "--unsandboxed"]
    done = CliRunner().invoke(documents, given)
    assert "seven is not installed: 1 output" in done.output
    assert "installing seven for a.md" in done.output
    assert "1 of 1 output" in done.output
    assert done.exit_code == 0, done.output


def test_what_only_shows_once_another_is_installed_is_installed_too(repository: Path, tmp_path: Path) -> None:
    code = "eight <- function() {\n  library(four)\n  four() + 4\n}\n"
    package(repository, "eight", "1.0", code)
    listed = (repository / "PACKAGES").read_text(encoding="utf-8")
    for path in repository.glob("PACKAGES*"):
        path.unlink()
    (repository / "PACKAGES").write_text(f"{listed}\nPackage: eight\nVersion: 1.0\n", encoding="utf-8")
    (tmp_path / "a.md").write_text(DOCUMENT.replace("seven", "eight"), encoding="utf-8")
    done = CliRunner().invoke(documents, [str(tmp_path / "a.md"), "--trust", "--fix", "--unsandboxed"])
    assert "installing eight, four for a.md" in done.output
    assert done.exit_code == 0, done.output


def test_a_document_that_lacks_what_nobody_has_ends_with_two(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(DOCUMENT.replace("seven", "nobody"), encoding="utf-8")
    (tmp_path / "b.md").write_text(DOCUMENT, encoding="utf-8")
    done = CliRunner().invoke(documents, [str(tmp_path), "--trust", "--fix", "--unsandboxed"])
    assert "a.md: nobody cannot be installed: no repository of this R has nobody" in done.output
    assert "1 of 1 output could be checked: 1 reproduced" in done.output
    assert done.exit_code == 2
