"""Fixtures whose file is data: a table itself, and data that was edited on purpose."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from harness.errors import ArrayFileError, FixtureError
from harness.model import Case, Value
from harness.store.accept import accept_data
from harness.store.fixture_writer import packed
from harness.store.fixtures import load_fixture
from harness.store.regenerate import check, write

HEAD = """\
[fixture]
name = "toy"
version = 1
title = "Toy"
origin = "measured"
licence = "MIT"
file = "{file}"
sha256 = ""  # filled in
"""
DESCRIBED = """
[arrays.y]
columns = ["response"]
shape = [1]
dtype = "float64"
origin = "measured"

[arrays.X]
columns = ["age", "dose"]
shape = [9, 9]
dtype = "float64"
origin = "measured"
"""
CSV = "who,response,age,dose\nA,0.5,30,1\nB,0.25,40,2\nC,1.5,50,4\n"


def put(suite: Path, file: str, data: bytes, arrays: str = "") -> Path:
    folder = suite / "fixtures" / "toy"
    folder.mkdir(parents=True)
    (folder / file).write_bytes(data)
    (folder / "fixture.toml").write_text(HEAD.format(file=file) + arrays, encoding="utf-8")
    return folder


def case(**shapes: tuple[int | str, ...]) -> Case:
    inputs = tuple(Value(name=name, shape=shape) for name, shape in shapes.items())
    return Case(name="toy", title="t", origin="o", fixture="toy", inputs=inputs, stages=())


def accepted(folder: Path) -> None:
    accept_data(folder)
    write(folder, accept=True)


def loaded(suite: Path, **shapes: tuple[int | str, ...]) -> Mapping[str, object]:
    arrays = load_fixture(case(**shapes), suite).arrays("default")
    return {name: array.tolist() for name, array in arrays.items()}


def test_a_csv_file_is_a_fixture_s_file(tmp_path: Path) -> None:
    folder = put(tmp_path, "d.csv", CSV.encode(), DESCRIBED)
    with pytest.raises(FixtureError, match="'sha256' is not 64 hexadecimal digits") as caught:
        loaded(tmp_path, y=("n",), X=("n", "d"))
    assert "harness regenerate toy --accept" in caught.value.advice
    assert accept_data(folder) == [
        "d.csv: a new checksum", "y: shape [1] is [3] now", "X: shape [9, 9] is [3, 2] now",
    ]  # fmt: skip
    assert loaded(tmp_path, y=("n",), X=("n", "d")) == {
        "y": [0.5, 0.25, 1.5], "X": [[30.0, 1.0], [40.0, 2.0], [50.0, 4.0]],
    }  # fmt: skip
    assert (check(folder).differences, check(folder).data) == ((), ("y", "X"))
    before = (folder / "fixture.toml").read_bytes()
    assert accept_data(folder) == []
    assert not write(folder, accept=True)
    assert (folder / "fixture.toml").read_bytes() == before


def test_data_that_was_edited_is_refused_until_it_is_accepted(tmp_path: Path) -> None:
    folder = put(tmp_path, "d.csv", CSV.encode(), DESCRIBED)
    accept_data(folder)
    (folder / "d.csv").write_text(CSV.replace("0.25", "0.75"), encoding="utf-8")
    for call in (lambda: loaded(tmp_path, y=("n",)), lambda: check(folder)):
        with pytest.raises(FixtureError, match="sha256") as caught:
            call()
        assert "harness regenerate toy --accept" in caught.value.advice
    assert accept_data(folder) == ["d.csv: a new checksum"]
    assert loaded(tmp_path, y=("n",))["y"] == [0.5, 0.75, 1.5]


def test_without_sections_all_is_described(tmp_path: Path) -> None:
    folder = put(tmp_path, "d.csv", b"x,y\n1,2\nNA,4\n")
    changes = accept_data(folder)
    assert "x: described, float64 [2], with NaN or infinity in it" in changes
    assert loaded(tmp_path, y=("n",))["y"] == [2.0, 4.0]
    assert (folder / "fixture.toml").read_text(encoding="utf-8").count("nonfinite = true") == 1


def test_an_npz_file_with_samples(tmp_path: Path) -> None:
    folder = put(tmp_path, "d.npz", b"")
    np.savez(folder / "d.npz", **{"a/x": np.array([1.0]), "b/x": np.array([2.0, 3.0])})
    text = (folder / "fixture.toml").read_text(encoding="utf-8") + 'samples = ["a", "b"]\n'
    (folder / "fixture.toml").write_text(text, encoding="utf-8")
    accept_data(folder)
    fixture = load_fixture(case(x=("n",)), tmp_path)
    assert {name: fixture.arrays(name)["x"].tolist() for name in fixture.samples} == {
        "a": [1.0],
        "b": [2.0, 3.0],
    }


def test_the_one_array_of_a_file_without_names_takes_the_described_name(tmp_path: Path) -> None:
    described = '\n[arrays.M]\nshape = [2, 2]\ndtype = "float64"\norigin = "measured"\n'
    folder = put(tmp_path, "d.csv", b"1,2\n3,4\n", described)
    accept_data(folder)
    assert loaded(tmp_path, M=("n", "n")) == {"M": [[1.0, 2.0], [3.0, 4.0]]}


def test_data_beside_made_arrays(tmp_path: Path) -> None:
    sections = """
[[generator]]
kind = "literal"
arrays = { k = [1.0] }

[[generator]]
kind = "data"
arrays = ["x"]

[arrays.k]
shape = [1]
dtype = "float64"
origin = "made up"

[arrays.x]
shape = [3]
dtype = "float64"
origin = "measured"
"""
    data = packed({"k": np.array([1.0]), "x": np.array([5, 6])})
    folder = put(tmp_path, "arrays.safetensors", data, sections)
    assert accept_data(folder) == [
        "arrays.safetensors: a new checksum", "x: shape [3] is [2] now", "x: dtype float64 is \"int64\" now",
    ]  # fmt: skip
    assert check(folder).differences == ()


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('"dose"]', '"weight"]', "lacks the array 'weight'"),
        ('"d.csv"', '"../toy/../d.csv"', "outside of the folder"),
        ('"d.csv"', '"none.csv"', "cannot be read: No such file"),
        (
            "[arrays.y]",
            '[[generator]]\nkind = "zeros"\narrays = { y = [1], X = [9, 9] }\n\n[arrays.y]',
            "is made by",
        ),
    ],
)
def test_a_mistake_names_its_line(tmp_path: Path, old: str, new: str, what: str) -> None:
    folder = put(tmp_path, "d.csv", CSV.encode(), DESCRIBED)
    path = folder / "fixture.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(FixtureError, match=what) as caught:
        accepted(folder)
    assert caught.value.line is not None


def test_a_damaged_table_names_its_own_line(tmp_path: Path) -> None:
    folder = put(tmp_path, "d.csv", CSV.replace("40", "forty").encode(), DESCRIBED)
    with pytest.raises(ArrayFileError, match="column 'age': 'forty' is no number") as caught:
        accept_data(folder)
    assert caught.value.line == 3


@pytest.mark.parametrize("stated", ["text", "float64", ""])
def test_a_column_of_text_is_stated_as_text(suite: Path, stated: str) -> None:
    section = f'[arrays.who]\nshape = [3]\ndtype = "{stated}"\norigin = "measured"\n' if stated else ""
    folder = put(suite, "d.csv", CSV.encode(), section)
    accepted(folder)
    text = (folder / "fixture.toml").read_text(encoding="utf-8")
    assert '\nshape = [3]\ndtype = "text"\n' in text
    inputs = (Value(name="who", shape=("n",), dtype="text"),)
    toy = Case(name="toy", title="t", origin="o", fixture="toy", inputs=inputs, stages=())
    assert load_fixture(toy, suite).shared["who"].tolist() == ["A", "B", "C"]
