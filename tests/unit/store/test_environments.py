"""Files beside a case that name packages: what is used of them, and what is not."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from harness.errors import CaseError
from harness.store.beside import FilesBeside
from harness.store.environments import check_lock, environment_of

VERSIONS = {"Python": "3.11.7", "R": "4.2.2", "Julia": "1.5.3"}


def test_a_case_without_such_files_has_none(tmp_path: Path) -> None:
    assert environment_of(tmp_path, VERSIONS) == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# nothing\n\n", "asks for nothing"),
        ("numpy>=1.0  # a comment\n", "met by what is installed: 1 of 1"),
        ('numpy>=1.0\nno-such-thing==1; python_version < "3"\n', "met by what is installed: 2 of 2"),
        (
            f"numpy=={version('numpy')}\nno-such-thing==1\n",
            "not met: no-such-thing==1 (not installed); nothing is installed for it: "
            "pip install -r requirements.txt",
        ),
        (
            "numpy==0.1\n-r more.txt\n",
            f"not met: numpy==0.1 ({version('numpy')} is installed); nothing is installed for it: "
            "pip install -r requirements.txt; not checked: -r more.txt",
        ),
    ],
)
def test_requirements_of_python(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text(text, encoding="utf-8")
    assert environment_of(tmp_path, VERSIONS) == {"requirements.txt": said}
    assert environment_of(tmp_path, {"R": "4.2.2"}) == {}


def test_a_lock_of_renv(tmp_path: Path) -> None:
    lock = tmp_path / "renv.lock"
    lock.write_text('{"R": {"Version": "4.2.2"}, "Packages": {"halves": {}, "thirds": {}}}', encoding="utf-8")
    restore = "2 packages; its library is not here, so R's own are used: renv::restore() makes it"
    assert environment_of(tmp_path, VERSIONS) == {"renv.lock": restore}
    library = tmp_path / "renv" / "library" / "linux-debian" / "R-4.2" / "x86_64-pc-linux-gnu"
    (library / "halves").mkdir(parents=True)
    used = environment_of(tmp_path, VERSIONS)["renv.lock"]
    assert (
        used == f"2 packages, from {library.relative_to(tmp_path)}; not in it, and taken from R's own: thirds"
    )
    assert "is not here" in environment_of(tmp_path, {"R": "4.3.0"})["renv.lock"]
    lock.write_text("no JSON", encoding="utf-8")
    for asked in (lambda: environment_of(tmp_path, VERSIONS), lambda: check_lock(tmp_path)):
        with pytest.raises(CaseError, match=r"is no renv\.lock: JSON is malformed") as caught:
            asked()
        assert caught.value.path == lock
    assert environment_of(tmp_path, {"Python": "3.11.7"}) == {}


def test_a_project_of_julia(tmp_path: Path) -> None:
    (tmp_path / "Project.toml").write_text("", encoding="utf-8")
    assert "there is no Manifest.toml" in environment_of(tmp_path, VERSIONS)["Project.toml"]
    (tmp_path / "Manifest.toml").write_text("", encoding="utf-8")
    used = "the active project of the case's file, with Manifest.toml"
    assert environment_of(tmp_path, VERSIONS) == {"Project.toml": used}


def test_installed_packages_are_no_files_of_the_case(tmp_path: Path) -> None:
    package = tmp_path / "renv" / "library" / "R-4.2" / "x86_64-pc-linux-gnu" / "halves"
    package.mkdir(parents=True)
    (package / "DESCRIPTION").write_text("Package: halves\n", encoding="utf-8")
    for name in ("renv.lock", "renv/activate.R"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    assert list(FilesBeside(tmp_path, [tmp_path / "toy.R"]).of(tmp_path / "toy.R")) == [
        "renv.lock",
        "renv/activate.R",
    ]


def test_files_of_other_folders_count_where_their_path_is_written(tmp_path: Path) -> None:
    case, common = tmp_path / "suite" / "toy", tmp_path / "suite" / "common"
    case.mkdir(parents=True)
    common.mkdir()
    (case / "toy.R").write_text('source("../common/helper.R")\n', encoding="utf-8")
    (common / "helper.R").write_text(
        "source('../common/more.R')\nread.csv(\"../none.csv\")\n", encoding="utf-8"
    )
    (common / "more.R").write_text("one <- 1\n", encoding="utf-8")
    (common / "unnamed.R").write_text("two <- 2\n", encoding="utf-8")
    before = FilesBeside(case, [case / "toy.R"]).of(case / "toy.R")
    assert list(before) == ["../common/helper.R", "../common/more.R"]
    (common / "more.R").write_text("one <- 3\n", encoding="utf-8")
    after = FilesBeside(case, [case / "toy.R"]).of(case / "toy.R")
    assert [name for name in before if before[name] != after[name]] == ["../common/more.R"]
