"""Stand-ins: what their manifests declare, and which code needs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import UsageError
from harness.sessions.stand_ins import StandIn, stand_ins


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / "julia" / name / "stand_in.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_those_that_are_shipped() -> None:
    assert [stand_in.name for stand_in in stand_ins("r")] == ["knitr", "torch"]
    names = ["CSV", "DataFrames", "Embeddings", "Plots", "range(a, b)"]
    assert [stand_in.name for stand_in in stand_ins("julia")] == names
    assert stand_ins("python") == ()


def test_a_new_one_is_a_folder(tmp_path: Path) -> None:
    put(tmp_path, "Zebra", '[stand_in]\nname = "Zebra"\n')
    put(tmp_path, "Apple", '[stand_in]\nname = "Apple"\n')
    assert [stand_in.name for stand_in in stand_ins("julia", tmp_path)] == ["Apple", "Zebra"]


@pytest.mark.parametrize(
    ("code", "used"), [("using CSV", True), ("CSV.read(f)", True), ("CSVs = 1", False), ("csv", False)]
)
def test_code_needs_a_package_whose_name_it_has_as_a_word(code: str, used: bool) -> None:
    assert StandIn(name="CSV").is_used(code) is used


@pytest.mark.parametrize(
    ("code", "used"), [("range(1, 3)", True), ("arange(1)", False), ("range = 1", False)]
)
def test_code_needs_what_it_matches(code: str, used: bool) -> None:
    (of_range,) = (stand_in for stand_in in stand_ins("julia") if stand_in.name == "range(a, b)")
    assert of_range.is_used(code) is used


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('[stand_in]\nname = "X"\nuse = "x"\n', 3, "unknown key 'use' in stand_in"),
        ('[stand_in]\nused_by = "x"\n', 1, "'name' is missing from stand_in"),
        ('[stand_in]\nname = "X"\nused_by = "("\n', 3, "'used_by' is not a regular expression"),
        ('[stand_in]\nname = "Y"\n', 2, "the package is called 'Y', its folder 'X'"),
    ],
)
def test_a_wrong_manifest(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = put(tmp_path, "X", text)
    with pytest.raises(UsageError) as caught:
        stand_ins("julia", tmp_path)
    assert message in caught.value.message
    assert (caught.value.path, caught.value.line) == (path, line)


def test_a_folder_without_a_manifest(tmp_path: Path) -> None:
    (tmp_path / "julia" / "X").mkdir(parents=True)
    with pytest.raises(UsageError, match="cannot be read"):
        stand_ins("julia", tmp_path)
