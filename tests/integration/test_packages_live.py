"""Packages of the user: a case's own library of R and project of Julia are used, and no other case's."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import harness
from harness.model import Outcome, Verdict
from harness.runtimes.provision.r import find_r
from harness.store.fixture_writer import write_fixture

CASE = """
[case]
name = "{name}"
title = "halves"
origin = "here"
fixture = "x"

[inputs]
x = ["n"]

[[stage]]
name = "halved"
inputs = ["x"]
shape = ["n"]
"""
Package = Callable[[Path, str], None]


def suite_of(folder: Path, sources: dict[str, str]) -> Path:
    """A case for each file of R or Julia, with a reference in NumPy that halves."""
    for file, text in sources.items():
        case = folder / Path(file).stem
        case.mkdir(parents=True)
        (case / "case.toml").write_text(CASE.format(name=case.name), encoding="utf-8")
        (case / f"{case.name}.py").write_text("def halved(x):\n    return x / 2\n", encoding="utf-8")
        (case / file).write_text(text, encoding="utf-8")
    write_fixture(
        folder / "fixtures" / "x",
        version=1,
        title="x",
        origin="here",
        licence="MIT",
        generator=[{"kind": "by hand"}],
        arrays={"x": np.array([0.1, 2.0, -3.5])},
        origins={"x": "here"},
    )
    return folder


def outcomes(results: harness.Results) -> dict[str, set[Verdict]]:
    by_case: dict[str, set[Verdict]] = {}
    for cell in results.cells:
        if cell.implementation != "numpy":
            by_case.setdefault(cell.case, set()).add(cell.verdict)
    return by_case


def in_renv(case: Path, name: str, body: str, scratch: Path) -> None:
    """Install a package of one function into the library that renv would keep beside a case."""
    executable = shutil.which("R") or "R"
    source = scratch / name
    (source / "R").mkdir(parents=True)
    (source / "DESCRIPTION").write_text(
        f"Package: {name}\nVersion: 1.0\nTitle: Halves\nDescription: Halves.\nLicense: MIT\nAuthor: A\n"
        "Maintainer: A <a@example.org>\n"
    )
    (source / "NAMESPACE").write_text("export(half)\n")
    (source / "R" / "half.R").write_text(f"half <- function(x) {body}\n")
    about = 'cat(paste0("R-", R.version$major, ".", sub("[.].*", "", R.version$minor)), R.version$platform)'
    where = subprocess.run(
        [executable, "--vanilla", "-s", "-e", about], capture_output=True, text=True, check=True
    )
    library = case.joinpath("renv", "library", *where.stdout.split())
    library.mkdir(parents=True)
    (case / "renv.lock").write_text(f'{{"Packages": {{"{name}": {{}}}}}}', encoding="utf-8")
    install = [
        executable,
        "CMD",
        "INSTALL",
        "--no-docs",
        "--no-test-load",
        f"--library={library}",
        str(source),
    ]
    subprocess.run(install, capture_output=True, check=True)


@pytest.mark.r
def test_a_library_of_renv(tmp_path: Path) -> None:
    if not find_r().available or shutil.which("R") is None:
        pytest.skip("no R on the PATH")
    sources = {
        "one.R": "library(halvesofone)\nhalved <- function(x) half(x)\n",
        "two.R": "halved <- function(x) halvesoftwo::half(x)\n",
        "three.R": "halved <- function(x) halvesofone::half(x)\n",
    }
    suite = suite_of(tmp_path / "suite", sources)
    in_renv(suite / "one", "halvesofone", "x / 2", tmp_path / "1")
    in_renv(suite / "two", "halvesoftwo", "x / 2.001", tmp_path / "2")
    results = harness.run(suite, require="r", replay="never")
    # The third has no such package: that another case has loaded one is not taken for it.
    assert outcomes(results) == {
        "one": {Verdict.PASS},
        "two": {Verdict.FAIL},
        "three": {Verdict.ERROR},
    }
    assert any("run this case alone" in cell.reason for cell in results.cells if cell.case == "three")
    environments = results.record.header.environments
    assert sorted(environments) == ["one", "two"]
    assert environments["one"]["renv.lock"].startswith("1 package, from renv/library/R-")


def in_project(case: Path, uuid: str, body: str) -> None:
    """A project of Julia with a package of one function, which lies in the case's folder."""
    package = case / "Halves"
    (package / "src").mkdir(parents=True)
    (package / "Project.toml").write_text(f'name = "Halves"\nuuid = "{uuid}"\nversion = "0.1.0"\n')
    (package / "src" / "Halves.jl").write_text(f"module Halves\nhalf(x) = {body}\nend\n")
    (case / "Project.toml").write_text(f'[deps]\nHalves = "{uuid}"\n')
    (case / "Manifest.toml").write_text(f'[[Halves]]\npath = "Halves"\nuuid = "{uuid}"\nversion = "0.1.0"\n')


@pytest.mark.julia
# Julia in Python compiles for twenty seconds.
@pytest.mark.parametrize("hosting", ["process", pytest.param("juliacall", marks=pytest.mark.slow)])
def test_a_project_of_julia(hosting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_JULIA_HOSTING", hosting)
    text = "using Halves\nhalved(x) = Halves.half(x)\n"
    suite = suite_of(tmp_path / "suite", dict.fromkeys(["a.jl", "b.jl", "c.jl", "d.jl"], text))
    one, two = "2f1c1a52-0000-4000-8000-00000000000" + "1", "2f1c1a52-0000-4000-8000-00000000000" + "2"
    in_project(suite / "a", one, "x ./ 2")
    in_project(suite / "b", two, "x ./ 2.001")
    in_project(suite / "c", one, "x ./ 3")
    results = harness.run(suite, require="julia", replay="never")
    assert outcomes(results) == {
        "a": {Verdict.PASS},
        "b": {Verdict.FAIL},
        # The same package from another place, and a case without a project.
        "c": {Verdict.ERROR},
        "d": {Verdict.ERROR},
    }
    reasons = {cell.case: cell.reason for cell in results.cells if cell.verdict is Verdict.ERROR}
    assert "run this case alone" in reasons["c"]
    assert "Halves not found" in reasons["d"]
    assert results.outcome is Outcome.FAULT
    assert "with Manifest.toml" in results.record.header.environments["a"]["Project.toml"]
