"""What documents are run with, on a staged machine: nothing is installed."""

from pathlib import Path

import pytest

from harness.runtimes.provision.documents import find_documents, install_documents, missing_packages
from harness.runtimes.provision.machine import Machine, run_command


class _Staged(Machine, frozen=True, kw_only=True):
    def which(self, program: str) -> str | None:
        """Only what is staged."""
        path = Path(self.environ["PATH"].split(":")[0], program)
        return str(path) if path.is_file() else None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    return tmp_path


def script(folder: Path, name: str, body: str) -> None:
    path = folder / "bin" / name
    path.write_text(f'#!/bin/sh\necho "{name} $@" >> {folder}/log\n{body}\n')
    path.chmod(0o755)


def machine(folder: Path) -> Machine:
    return _Staged(
        environ={"PATH": f"{folder}/bin:/usr/bin:/bin"}, system="Linux", arch="x86_64",
        distribution=frozenset({"debian"}), is_root=True, python="python", cache=folder / "cache",
        runner=run_command, installed=lambda name: None,
    )  # fmt: skip


def test_all_that_is_missing_is_installed(folder: Path) -> None:
    script(folder, "R", "printf 'knitr\\nreticulate\\n'")
    script(folder, "apt-get", "exit 0")
    assert missing_packages(machine(folder)) == ("bubblewrap", "r-cran-knitr", "r-cran-reticulate")
    said: list[str] = []
    assert find_documents(machine(folder)).advice
    install_documents(machine(folder), said.append)
    assert said == ["installing bubblewrap r-cran-knitr r-cran-reticulate with apt-get"]
    assert (
        "install -y --no-install-recommends bubblewrap r-cran-knitr r-cran-reticulate"
        in (folder / "log").read_text()
    )


def test_where_all_is_there_nothing_is_done(folder: Path) -> None:
    script(folder, "R", "exit 0")
    script(folder, "bwrap", "exit 0")
    assert find_documents(machine(folder)).advice == ()
    provision = install_documents(machine(folder))
    assert (provision.available, provision.hosting, provision.reason) == (True, "bubblewrap", "")
    assert "apt-get" not in (folder / "log").read_text()


def test_without_r_the_sandbox_alone_is_missing(folder: Path) -> None:
    assert missing_packages(machine(folder)) == ("bubblewrap",)
    # R may be installed in between.
    assert "r-cran-knitr" in find_documents(machine(folder)).reason


@pytest.mark.parametrize(
    "words",
    [
        "Unable to locate package r-cran-reticulate",
        "Package 'r-cran-reticulate' has no installation candidate",
    ],
)
def test_a_package_that_the_distribution_lacks_keeps_out_no_other(folder: Path, words: str) -> None:
    script(folder, "R", "printf 'knitr\\nreticulate\\n'")
    lacking = f'case "$*" in *install*reticulate*) echo "E: {words}" >&2; exit 100;; esac'
    made = f'case "$*" in *install*bubblewrap*) touch {folder}/bin/bwrap; chmod +x {folder}/bin/bwrap;; esac'
    script(folder, "apt-get", f"{lacking}\n{made}")
    provision = install_documents(machine(folder))
    assert provision.hosting == "bubblewrap"
    assert provision.reason.count("apt-get could not install") == 1
    assert "apt-get could not install r-cran-reticulate: E: " in provision.reason
    log = (folder / "log").read_text()
    assert "--no-install-recommends r-cran-knitr\n" in log


def test_what_cannot_be_had_is_said(folder: Path) -> None:
    script(folder, "R", "echo purrr")
    script(folder, "apt-get", 'echo "E: no such package" >&2; exit 100')
    provision = install_documents(machine(folder))
    assert "E: no such package" in provision.reason
    assert provision.advice
