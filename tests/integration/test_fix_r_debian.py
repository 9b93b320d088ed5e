"""R packages of the distribution, from a repository on this disk, unpacked for one document."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli.documents import documents
from harness.errors import UsageError
from harness.findings.fix_r import install_r
from harness.runtimes.provision.machine import this_machine
from harness.runtimes.provision.r import find_r
from harness.sessions.own_packages import DISTRIBUTION
from harness.sessions.sandbox import find_sandbox

pytestmark = pytest.mark.r
SANDBOX = find_sandbox(unsandboxed=True)
DOCUMENT = "# Nine\n\n```r\nlibrary(Nine.x)\nnine() + 1\n```\n\n```\n## [1] 10\n```\n"
LIBRARY = "usr/lib/R/site-library"
SOURCE = "int nine_value(void) { return 9; }\n"
CALLING = """#include <Rinternals.h>
int nine_value(void);
SEXP nine(void) { return Rf_ScalarInteger(nine_value()); }
"""


def deb(folder: Path, tree: Path, name: str, version: str, depends: str) -> None:
    """Build a package of the distribution, and add it to the list of what there is."""
    fields = f"Package: {name}\nVersion: {version}\nArchitecture: all\nMaintainer: A <a@example.org>\n"
    fields += f"Depends: {depends}\n" if depends else ""
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "DEBIAN" / "control").write_text(f"{fields}Description: a test\n", encoding="utf-8")
    file = folder / f"{name}_{version}_all.deb"
    subprocess.run(["dpkg-deb", "--build", str(tree), str(file)], check=True, capture_output=True, timeout=60)
    content = file.read_bytes()
    with (folder / "Packages").open("a", encoding="utf-8") as listed:
        listed.write(
            f"{fields}Filename: ./{file.name}\nSize: {len(content)}\n"
            f"SHA256: {hashlib.sha256(content).hexdigest()}\nDescription: a test\n\n"
        )


def r_package(tree: Path, room: Path, name: str, code: str) -> None:
    """Install a package of R into a tree, as the distribution's packages hold them."""
    source = room / name
    (source / "R").mkdir(parents=True)
    (source / "DESCRIPTION").write_text(
        f"Package: {name}\nVersion: 1.4\nTitle: T\nDescription: D.\nLicense: MIT\n"
        "Author: A\nMaintainer: A <a@example.org>\n",
        encoding="utf-8",
    )
    (source / "NAMESPACE").write_text("export(nine)\n", encoding="utf-8")
    (source / "R" / "a.R").write_text(code, encoding="utf-8")
    library = tree / LIBRARY
    library.mkdir(parents=True)
    command = ["R", "CMD", "INSTALL", "--no-docs", "--no-test-load", "-l", str(library), str(source)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    machine = this_machine()
    lacking = [name for name in ("apt-get", "dpkg-deb", "gcc") if shutil.which(name) is None]
    if not find_r().available or lacking or machine.run("R", "RHOME").out.strip() != "/usr/lib/R":
        pytest.skip("the distribution's R, apt-get, dpkg-deb and gcc are needed")
    folder = tmp_path / "repository"
    folder.mkdir()
    compiled = tmp_path / "compiled"
    compiled.mkdir()
    (compiled / "nine.c").write_text(SOURCE, encoding="utf-8")
    (compiled / "calling.c").write_text(CALLING, encoding="utf-8")
    make = ["gcc", "-shared", "-fPIC", "-o"]
    library = tmp_path / "tree.lib" / "usr" / "lib" / f"{machine.arch}-linux-gnu" / "libninevalue.so"
    library.parent.mkdir(parents=True)
    subprocess.run([*make, str(library), str(compiled / "nine.c")], check=True, timeout=60)
    (library.parent / "gone").symlink_to("../locale")
    headers = machine.run("R", "CMD", "config", "--cppflags").out.split()
    ours = tmp_path / "tree.ours"
    code = 'nine <- function() .Call("nine", PACKAGE = "calling")\n.onLoad <- function(lib, pkg) '
    code += 'dyn.load(file.path(lib, pkg, "calling.so"))\n'
    r_package(ours, tmp_path / "sources", "Nine.x", code)
    made = ours / LIBRARY / "Nine.x" / "calling.so"
    of_r = ["-L/usr/lib/R/lib", "-lR"]
    linked = ["-L", str(library.parent), "-lninevalue", *of_r]
    subprocess.run([*make, str(made), str(compiled / "calling.c"), *headers, *linked], check=True, timeout=60)
    deb(folder, ours, "r-cran-nine.x", "1:1.4+dfsg-2", "libninevalue")
    deb(folder, tmp_path / "tree.lib", "libninevalue", "3", "")
    alone = tmp_path / "tree.alone"
    r_package(alone, tmp_path / "others", "alone", code)
    library.rename(library.with_name("libgone.so"))
    linked = ["-L", str(library.parent), "-lgone", *of_r]
    subprocess.run(
        [*make, str(library.with_name("libgone.so")), str(compiled / "nine.c")], check=True, timeout=60
    )
    other = alone / LIBRARY / "alone" / "calling.so"
    subprocess.run(
        [*make, str(other), str(compiled / "calling.c"), *headers, *linked], check=True, timeout=60
    )
    deb(folder, alone, "r-bioc-alone", "2.0-1", "")
    sources = tmp_path / "sources.list"
    sources.write_text(f"deb [trusted=yes] file://{folder} ./\n", encoding="utf-8")
    lists = tmp_path / "lists"
    lists.mkdir()
    (tmp_path / "apt.conf").write_text(
        f'Dir::Etc::SourceList "{sources}";\nDir::Etc::SourceParts "/dev/null";\n'
        f'Dir::State::Lists "{lists}";\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("APT_CONFIG", str(tmp_path / "apt.conf"))
    (tmp_path / "profile.R").write_text('options(repos = c(NONE = "file:///nowhere"))\n', encoding="utf-8")
    monkeypatch.setenv("R_PROFILE_USER", str(tmp_path / "profile.R"))
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    return folder


def test_a_package_is_unpacked_with_the_shared_libraries_that_it_needs(
    repository: Path, tmp_path: Path
) -> None:
    said = install_r(("Nine.x==1.3", "alone", "nowhere"), tmp_path / "own", SANDBOX)
    assert said[0] == "Nine.x is 1.4, the distribution's, and not 1.3 as the lock file says"
    assert "alone cannot be installed: no repository of this R answers" in said[1]
    assert "the distribution's alone cannot be loaded: " in said[1]
    assert "libgone.so" in said[1]
    assert "the distribution has no r-cran-nowhere" in said[2]
    tree = tmp_path / "own" / DISTRIBUTION
    assert (tree / LIBRARY / "Nine.x" / "DESCRIPTION").is_file()
    (link,) = tree.rglob("gone")
    assert link.readlink() == Path("/usr/lib/locale")
    assert not [path for path in tree.rglob("*") if not path.is_symlink() and path.stat().st_mode & 0o6022]


def test_a_version_that_the_distribution_does_not_have_is_said(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Nine\.x 1\.10 is asked for, and the distribution has 1\.4"):
        install_r(("Nine.x>=1.10",), tmp_path / "own", SANDBOX)
    assert not (tmp_path / "own").exists()


def test_where_the_distribution_does_not_answer(repository: Path, tmp_path: Path) -> None:
    shutil.rmtree(repository)
    with pytest.raises(UsageError, match="the distribution does not answer: "):
        install_r(("Nine.x",), tmp_path / "own", SANDBOX)


def test_lists_that_name_files_which_are_gone_are_fetched_anew(repository: Path, tmp_path: Path) -> None:
    subprocess.run(["apt-get", "update"], check=True, capture_output=True, timeout=60)
    (file,) = repository.glob("r-cran-nine*.deb")
    new = repository / "r-cran-nine.x_5_all.deb"
    file.rename(new)
    listed = (repository / "Packages").read_text(encoding="utf-8").replace(file.name, new.name)
    (repository / "Packages").write_text(listed, encoding="utf-8")
    assert install_r(("Nine.x",), tmp_path / "own", SANDBOX) == ()


def test_a_document_is_checked_with_the_distributions_packages(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(DOCUMENT, encoding="utf-8")
    given = [str(tmp_path / "a.md"), "--trust", "--fix", "--unsandboxed"]
    done = CliRunner().invoke(documents, given)
    assert "Nine.x is not installed: 1 output" in done.output
    assert "1 of 1 output" in done.output, done.output
    assert done.exit_code == 0, done.output
