"""``harness new fixture``: samples of files; and the suite that needs no name."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from harness.store.arrays import read_array_file

Harness = Callable[..., Result]


def arrays(name: str, suite: str = "conformance") -> dict[str, object]:
    read = read_array_file(Path(suite, "fixtures", name, "arrays.safetensors"))
    return {key: array.tolist() for key, array in read.items()}


def test_columns_of_a_table(harness: Harness) -> None:
    Path("d.csv").write_text("who,x.1,y\nA,1,2\nB,3,\n", encoding="utf-8")
    result = harness("new", "fixture", "mine", "d.csv")
    assert result.exit_code == 0, result.output
    assert arrays("mine")["x_1"] == [1.0, 3.0]
    assert "y: float64 [2], with NaN or infinity in it" in result.stdout
    assert "left out: d.csv: column 'who' holds text" in result.stdout
    text = Path("conformance/fixtures/mine/fixture.toml").read_text(encoding="utf-8")
    assert f"d.csv (sha256 {hashlib.sha256(Path('d.csv').read_bytes()).hexdigest()})" in text
    assert harness("new", "case", "other", "--lang", "numpy").exit_code == 0
    checked = harness("regenerate", "mine", "--check")
    assert (checked.exit_code, checked.output) == (0, "mine: 2 arrays are data, and as their checksum says\n")


def test_files_of_the_same_names_are_samples(harness: Harness) -> None:
    np.savez("a.npz", x=[1.0], W=[[2.0]])
    np.savez("b.npz", x=[3.0])
    assert harness("new", "fixture", "mine", "a.npz", "b.npz", "--suite", "s").exit_code == 0
    assert arrays("mine", "s") == {"a/x": [1.0], "b/x": [3.0], "W": [[2.0]]}


def test_files_of_other_names_are_one_sample(harness: Harness) -> None:
    np.save("x.npy", [1.0])
    Path("W.csv").write_text("1,2\n3,4\n", encoding="utf-8")
    assert harness("new", "fixture", "mine", "x.npy", "W.csv").exit_code == 0
    assert arrays("mine") == {"x": [1.0], "W": [[1.0, 2.0], [3.0, 4.0]]}


def test_keys_may_say_their_sample(harness: Harness) -> None:
    np.savez("a.npz", **{"one/x": [1.0], "two/x": [2.0], "W": [3.0]})
    assert harness("new", "fixture", "mine", "a.npz").exit_code == 0
    assert arrays("mine") == {"one/x": [1.0], "two/x": [2.0], "W": [3.0]}


def test_every_file_or_key_is_a_sample_of_one_array(harness: Harness) -> None:
    np.savez("a.npz", p=[1.0], q=[2.0])
    assert harness("new", "fixture", "keys", "a.npz", "--array", "x").exit_code == 0
    assert arrays("keys") == {"p/x": [1.0], "q/x": [2.0]}
    for name, number in (("one", 1), ("two", 2)):
        Path(f"{name}.csv").write_text(f"u,v\n{number},5\n6,7\n", encoding="utf-8")
    assert harness("new", "fixture", "files", "one.csv", "two.csv", "--array", "x").exit_code == 0
    assert arrays("files") == {"one/x": [[1.0, 5.0], [6.0, 7.0]], "two/x": [[2.0, 5.0], [6.0, 7.0]]}


def test_onnx_s_folders_are_samples(harness: Harness) -> None:
    for number in (0, 1):
        folder = Path("node/test_exp", f"test_data_set_{number}")
        folder.mkdir(parents=True)
        for kind in ("input", "output"):
            data = b"\x08\x01\x10\x01\x22\x04" + struct.pack("<f", number) + b"\x42\x01" + kind[0].encode()
            (folder / f"{kind}_0.pb").write_bytes(data)
    assert harness("new", "fixture", "mine", "node/test_exp").exit_code == 0
    assert arrays("mine") == {
        "test_data_set_0/i": [0.0], "test_data_set_1/i": [1.0],
        "test_data_set_0/expected_o": [0.0], "test_data_set_1/expected_o": [1.0],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["mine", "none.csv"], "none.csv: cannot be read: No such file"),
        (["mine", "bad.csv"], "bad.csv:2: column 'y': 'abc' is no number"),
        (["1st", "a.npz"], "cannot be the name of a fixture"),
        (["mine", "a.npz", "--array", "a b"], "cannot be the name of an input"),
        (["mine", "a.npz", "b.npz", "c.npz"], "2 of 3 files hold 'y'; a.npz does not"),
        (["mine", "."], "is a folder without ONNX's test_data_set_0"),
        (["mine", "d.npz"], "would both be called 'x_1'"),
    ],
)
def test_a_mistake_writes_nothing(harness: Harness, args: list[str], message: str) -> None:
    np.savez("a.npz", x=[1.0])
    np.savez("b.npz", x=[1.0], y=[1.0])
    np.savez("c.npz", x=[1.0], y=[1.0])
    np.savez("d.npz", **{"x.1": [1.0], "x_1": [1.0]})
    Path("bad.csv").write_text("x,y\n1,abc\n2,3\n", encoding="utf-8")
    result = harness("new", "fixture", *args)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not Path("conformance").exists()


def test_the_only_suite_needs_no_name(harness: Harness, suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in (suite.parent, suite, suite / "toy"):
        monkeypatch.chdir(folder)
        result = harness("list")
        assert result.exit_code == 0, result.output
        assert "toy" in result.stdout


def test_of_several_suites_one_is_to_be_named(harness: Harness) -> None:
    for name in ("one", "two"):
        assert harness("new", "case", "mine", "--lang", "numpy", "--suite", name).exit_code == 0
    for command in (["list"], ["new", "case", "more"]):
        result = harness(*command)
        assert result.exit_code == 2
        assert "several suites here: one, two" in result.stderr


def test_complex_numbers_are_stored_as_pairs(harness: Harness) -> None:
    z = np.array([1 + 2j, 3 - 1j])
    np.savez("z.npz", z=z, w=z.astype(np.complex64))
    made = harness("new", "fixture", "mine", "z.npz")
    assert made.exit_code == 0, made.output
    read = read_array_file(Path("conformance/fixtures/mine/arrays.safetensors"))
    assert read["z"].tolist() == [[1, 2], [3, -1]]
    assert read["w"].dtype == np.complex64
    Path("f.py").write_text("def turned(z):\n    return z * 1j\n", encoding="utf-8")
    written = harness("new", "case", "turned", "--from", "f.py", "--data", "z.npz")
    assert written.exit_code == 0, written.output
    assert "input z: complex128 [2], z of the data" in written.stdout
    shown = harness("show", "turned", "turned")
    assert shown.exit_code == 0, shown.output
    assert "complex128 (2,)" in shown.stdout
