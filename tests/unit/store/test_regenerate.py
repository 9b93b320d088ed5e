"""Fixtures come out of their generators, and nothing is overwritten by accident."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.errors import FixtureError
from harness.model import Case, Value
from harness.store.arrays import read_array_file
from harness.store.fixture_writer import packed
from harness.store.fixtures import load_fixture
from harness.store.regenerate import check, fixture_folders, regenerate, write

ROOT = Path(__file__).parents[3]
FIXTURES = fixture_folders(ROOT / "reference_impls")

TOML = """\
# A comment that stays.
[fixture]
name = "toy"
version = 1
title = "Toy"
origin = "made up"
licence = "MIT"
file = "arrays.safetensors"
sha256 = ""  # filled in
samples = []

[[generator]]
kind = "literal"
arrays = { steps = [1, 2, 3] }

[[generator]]
kind = "numpy"
seed = 42
draws = [
    { name = "_", call = "rand", args = [5] },
    { name = "W", call = "randint", args = [3], shape = [2, 3] },
]

[[generator]]
kind = "copy"
arrays = { V = "W" }

# Nothing makes these.
[[generator]]
kind = "zeros"
arrays = { b = [2, 0] }

[arrays.steps]
shape = [3]
dtype = "int64"
origin = "by hand"

[arrays.W]
shape = [2, 3]
dtype = "float64"
origin = "drawn"

[arrays.V]
shape = [2, 3]
dtype = "float64"
origin = "as W"

[arrays.b]
shape = [2, 0]
dtype = "float64"
origin = "zeros"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A fixture that its author has just written: no arrays yet."""
    folder = tmp_path / "fixtures" / "toy"
    folder.mkdir(parents=True)
    (folder / "fixture.toml").write_text(TOML, encoding="utf-8")
    return folder


def edit(folder: Path, old: str, new: str) -> None:
    path = folder / "fixture.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def store(folder: Path, arrays: dict[str, Any]) -> None:
    """Put other arrays in the place of the stored ones, with a checksum that fits."""
    old = hashlib.sha256((folder / "arrays.safetensors").read_bytes()).hexdigest()
    data = packed(arrays)
    (folder / "arrays.safetensors").write_bytes(data)
    edit(folder, old, hashlib.sha256(data).hexdigest())


@pytest.mark.parametrize("name", FIXTURES)
def test_every_fixture_of_the_repository_comes_out(name: str) -> None:
    checked = check(FIXTURES[name])
    assert checked.differences == ()
    assert checked.arrays == len(read_array_file(FIXTURES[name] / "arrays.safetensors"))


def test_there_are_fixtures_of_every_language() -> None:
    kinds = {kind for folder in FIXTURES.values() for kind in check(folder).kinds}
    assert kinds >= {"literal", "numpy", "r", "torch", "julia"}


def test_a_new_fixture_is_written_and_loads(folder: Path, tmp_path: Path) -> None:
    assert write(folder, accept=False)
    values = (Value(name="W", shape=(2, 3)), Value(name="steps", shape=(3,), dtype="int"))
    case = Case(name="toy", title="", origin="", fixture="toy", inputs=values, stages=())
    fixture = load_fixture(case, tmp_path)
    stream = np.random.RandomState(42)
    stream.rand(5)
    drawn = stream.randint(3, size=(2, 3))
    assert np.array_equal(fixture.shared["W"], drawn)
    assert np.array_equal(fixture.shared["V"], drawn)
    assert fixture.shared["steps"].tolist() == [1, 2, 3]
    assert fixture.shared["b"].shape == (2, 0)


def test_what_made_a_fixture_is_written_down_and_comments_stay(folder: Path) -> None:
    write(folder, accept=False)
    text = (folder / "fixture.toml").read_text(encoding="utf-8")
    before, made = text.split("[made]\n")
    digest = hashlib.sha256((folder / "arrays.safetensors").read_bytes()).hexdigest()
    assert before == TOML.replace('sha256 = ""', f'sha256 = "{digest}"') + "\n"
    assert 'generators = ["literal", "numpy", "copy", "zeros"]' in made
    assert f'numpy = "{np.__version__}"' in made
    for key in ("harness", "python", "platform"):
        assert f"{key} = " in made


def test_what_made_a_fixture_does_not_decide_whether_it_comes_out(folder: Path) -> None:
    write(folder, accept=False)
    edit(folder, f'numpy = "{np.__version__}"', 'numpy = "1.0"')
    edit(folder, "platform = ", 'platform = "VMS Alpha" # ')
    assert check(folder).differences == ()
    assert not write(folder, accept=False)


def test_nothing_is_written_where_nothing_changes(folder: Path) -> None:
    write(folder, accept=False)
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}
    assert not write(folder, accept=False)
    assert not write(folder, accept=True)
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()} == before


def test_a_difference_says_which_array_how_many_and_how_far(folder: Path) -> None:
    write(folder, accept=False)
    arrays = dict(read_array_file(folder / "arrays.safetensors"))
    arrays["W"] = arrays["W"].copy()
    arrays["W"][1, 1] = np.nextafter(np.nextafter(arrays["W"][1, 1], 9), 9)
    arrays["W"][1, 2] = np.nextafter(arrays["W"][1, 2], 9)
    arrays["steps"] = np.array([1, 2, 3, 4])
    arrays["b"] = np.zeros((2, 0), np.float32)
    del arrays["V"]
    arrays["extra"] = np.ones(1)
    store(folder, arrays)
    differences = {difference.array: difference for difference in check(folder).differences}
    assert set(differences) == {"W", "V", "steps", "b", "extra"}
    assert (differences["W"].elements, differences["W"].count, differences["W"].first) == (2, 6, (1, 1))
    assert differences["W"].max_ulp == 2
    assert differences["steps"].reason == "comes out as int64 [3], but int64 [4] is stored"
    assert differences["b"].reason == "comes out as float64 [2, 0], but float32 [2, 0] is stored"
    assert (differences["V"].reason, differences["extra"].reason) == (
        "is made, not stored",
        "is stored, not made",
    )


def test_the_sign_of_zero_is_a_difference(folder: Path) -> None:
    write(folder, accept=False)
    arrays = dict(read_array_file(folder / "arrays.safetensors"))
    arrays["W"] = np.where(arrays["W"] == 0, -0.0, arrays["W"])
    assert np.signbit(arrays["W"]).any()
    store(folder, arrays)
    (array_difference,) = check(folder).differences
    assert (array_difference.array, array_difference.max_ulp) == ("W", 0)
    assert array_difference.elements == np.signbit(arrays["W"]).sum()


@pytest.mark.parametrize("how", ["cut off", "changed", "gone"])
def test_a_damaged_array_file_does_not_come_out(folder: Path, how: str) -> None:
    write(folder, accept=False)
    path = folder / "arrays.safetensors"
    data = path.read_bytes()
    path.unlink()
    if how != "gone":
        path.write_bytes(data[:-3] if how == "cut off" else data[:-1] + b"\x01")
    (array_difference,) = check(folder).differences
    expected = {"cut off": "is not a whole safetensors file", "changed": "sha256", "gone": "cannot be read"}
    assert expected[how] in array_difference.reason
    if how == "gone":
        assert write(folder, accept=False)
    else:
        with pytest.raises(FixtureError, match="differ from what their generators give"):
            write(folder, accept=False)
        assert write(folder, accept=True)
    assert path.read_bytes() == data
    assert check(folder).differences == ()


def test_a_name_that_the_system_does_not_take_is_a_difference(folder: Path) -> None:
    path = folder / "fixture.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('file = "', f'file = "{300 * "a"}', 1), encoding="utf-8")
    checked = check(folder)
    assert not checked.stored
    assert "File name too long" in checked.differences[0].reason


def test_arrays_that_differ_are_overwritten_only_if_that_is_accepted(folder: Path) -> None:
    write(folder, accept=False)
    edit(folder, "seed = 42", "seed = 43")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(FixtureError) as caught:
        write(folder, accept=False)
    assert "--accept" in caught.value.advice
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    assert write(folder, accept=True)
    assert check(folder).differences == ()
    assert (folder / "fixture.toml").read_text(encoding="utf-8").count("[made]") == 1


DATA = ("arrays = { steps = [1, 2, 3] }", 'arrays = ["steps"]')


def test_data_stays_as_it_is_stored(folder: Path) -> None:
    write(folder, accept=False)
    arrays = dict(read_array_file(folder / "arrays.safetensors"))
    store(folder, {**arrays, "steps": np.array([7, 8, 9])})
    edit(folder, 'kind = "literal"\n' + DATA[0], 'kind = "data"\n' + DATA[1])
    checked = check(folder)
    assert (checked.differences, checked.data) == ((), ("steps",))
    assert regenerate(folder)["steps"].tolist() == [7, 8, 9]
    edit(folder, "seed = 42", "seed = 43")
    write(folder, accept=True)
    assert read_array_file(folder / "arrays.safetensors")["steps"].tolist() == [7, 8, 9]


def test_data_is_never_taken_from_a_file_that_is_not_the_stated_one(folder: Path) -> None:
    write(folder, accept=False)
    edit(folder, 'kind = "literal"\n' + DATA[0], 'kind = "data"\n' + DATA[1])
    path = folder / "arrays.safetensors"
    path.write_bytes(path.read_bytes()[:-1] + b"\x01")
    for call in (check, regenerate, lambda where: write(where, accept=True)):
        with pytest.raises(FixtureError, match="holds data that nothing makes again"):
            call(folder)


NEEDS_GIT = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def git(folder: Path, *args: str) -> None:
    who = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *who, *args], check=True, capture_output=True)


@NEEDS_GIT
def test_a_difference_names_the_commit_that_stored_it(folder: Path, tmp_path: Path) -> None:
    write(folder, accept=False)
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "Add the toy")
    assert check(folder).since == ""
    edit(folder, "seed = 42", "seed = 43")
    assert check(folder).since.endswith(" Add the toy")


@NEEDS_GIT
def test_changes_that_are_not_committed_are_not_overwritten(folder: Path, tmp_path: Path) -> None:
    write(folder, accept=False)
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "Add the toy")
    edit(folder, "[made]", "[mode]")
    with pytest.raises(FixtureError, match=r"not committed: .*fixture\.toml"):
        write(folder, accept=False)
    assert write(folder, accept=True)


def test_outside_of_a_checkout_no_commit_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    write(folder, accept=False)
    edit(folder, "seed = 42", "seed = 43")
    assert check(folder).differences
    assert check(folder).since == ""
