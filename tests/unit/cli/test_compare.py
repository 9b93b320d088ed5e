"""``harness compare``."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from safetensors.numpy import save_file

Harness = Callable[..., Result]
X = np.array([[1.0, 2.0], [3.0, 4.0]])
Y = X + np.array([[0.0, 0.0], [0.5, 0.0]])


@pytest.fixture
def files(harness: Harness, tmp_path: Path) -> Path:
    np.save(tmp_path / "x.npy", X)
    np.save(tmp_path / "y.npy", Y)
    np.savez(tmp_path / "two.npz", a=X, b=Y)
    np.savez(tmp_path / "one.npz", y=Y)
    save_file({"a": X, "b": X}, tmp_path / "two.safetensors")
    np.save(tmp_path / "wide.npy", np.ones((2, 3)))
    np.save(tmp_path / "single.npy", X.astype(np.float32))
    (tmp_path / "broken.npy").write_bytes(b"\x93NUMPY")
    return tmp_path


def test_equal_files(harness: Harness, files: Path) -> None:
    result = harness("compare", files / "x.npy", files / "x.npy")
    assert result.exit_code == 0
    assert "max ulp" in result.stdout


def test_files_that_differ(harness: Harness, files: Path) -> None:
    result = harness("compare", files / "y.npy", files / "x.npy")
    assert result.exit_code == 1
    rows = [[part.strip() for part in line.split("│")[1:-1]] for line in result.stdout.splitlines()]
    assert ["max abs", "0.5", "[1, 0]"] in rows
    assert ["beyond the limit", "1", "[1, 0]"] in rows


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--limit", "0.5"], 0),
        (["--limit", "0.49"], 1),
        (["--ulp", 2**50], 0),
        (["--ulp", 2**50 - 1], 1),
        (["--limit", "0.5", "--ulp", 2**50 - 1], 1),
        (["--limit", "0.49", "--ulp", 2**50], 1),
        (["--limit", "-1"], 2),
        (["--limit", "nan"], 2),
        (["--ulp", "few"], 2),
    ],
)
def test_what_may_differ(harness: Harness, files: Path, options: list[object], code: int) -> None:
    assert harness("compare", files / "y.npy", files / "x.npy", *options).exit_code == code


def test_a_nan_against_a_number_is_within_nothing(harness: Harness, files: Path) -> None:
    np.save(files / "nan.npy", np.where(X == 3.0, np.nan, X))
    assert harness("compare", files / "nan.npy", files / "x.npy", "--ulp", "1e300").exit_code == 1


def test_json(harness: Harness, files: Path) -> None:
    result = harness("compare", files / "y.npy", files / "x.npy", "--json")
    comparison = json.loads(result.stdout)["arrays"]["array"]
    assert (comparison["count"], comparison["max_abs"], comparison["max_abs_index"]) == (4, 0.5, [1, 0])


def test_arrays_are_matched_by_name_across_formats(harness: Harness, files: Path) -> None:
    result = harness("compare", files / "two.npz", files / "two.safetensors", "--json")
    comparisons = json.loads(result.stdout)["arrays"]
    assert result.exit_code == 1
    assert (comparisons["a"]["max_abs"], comparisons["b"]["max_abs"]) == (0.0, 0.5)


def test_single_arrays_need_no_common_name(harness: Harness, files: Path) -> None:
    result = harness("compare", files / "one.npz", files / "y.npy", "--json")
    assert result.exit_code == 0
    assert list(json.loads(result.stdout)["arrays"]) == ["y / array"]


def bfloat16(path: Path, *patterns: int) -> None:
    raw = np.array(patterns, "<u2").tobytes()
    head = json.dumps({"x": {"dtype": "BF16", "shape": [len(patterns)], "data_offsets": [0, len(raw)]}})
    path.write_bytes(len(head).to_bytes(8, "little") + head.encode() + raw)


def test_bfloat16_is_counted_in_its_own_units(harness: Harness, tmp_path: Path) -> None:
    bfloat16(tmp_path / "a.safetensors", 0x3F80, 0x4002)
    bfloat16(tmp_path / "b.safetensors", 0x3F80, 0x4000)
    result = harness("compare", tmp_path / "a.safetensors", tmp_path / "b.safetensors", "--json", "--ulp", 2)
    comparison = json.loads(result.stdout)["arrays"]["x"]
    assert (result.exit_code, comparison["max_ulp"], comparison["max_abs"]) == (0, 2.0, 2.0**-5)


def test_bfloat16_is_not_float32(harness: Harness, tmp_path: Path) -> None:
    bfloat16(tmp_path / "a.safetensors", 0x3F80)
    save_file({"x": np.ones(1, np.float32)}, tmp_path / "b.safetensors")
    result = harness("compare", tmp_path / "a.safetensors", tmp_path / "b.safetensors")
    assert result.exit_code == 2
    assert "actual is bfloat16, expected is float32" in result.stderr


@pytest.mark.parametrize("values", [[np.nan, 0.0], [np.inf, -np.inf]])
def test_what_is_not_a_number_is_equal_to_itself(harness: Harness, files: Path, values: list[float]) -> None:
    np.save(files / "special.npy", np.array(values))
    assert harness("compare", files / "special.npy", files / "special.npy").exit_code == 0
    np.save(files / "plain.npy", np.array([1.0, 0.0]))
    assert harness("compare", files / "plain.npy", files / "special.npy").exit_code == 1


@pytest.mark.parametrize(
    ("left", "right", "words"),
    [
        ("x.npy", "wide.npy", ["shape"]),
        ("x.npy", "single.npy", ["float32", "float64"]),
        ("two.npz", "x.npy", ["in one file only: a, array, b"]),
        ("missing.npy", "x.npy", ["missing.npy"]),
        ("broken.npy", "x.npy", ["broken.npy"]),
    ],
)
def test_files_that_cannot_be_compared(
    harness: Harness, files: Path, left: str, right: str, words: list[str]
) -> None:
    result = harness("compare", files / left, files / right)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert all(word in result.stderr for word in words), result.stderr
    assert "Traceback" not in result.output
