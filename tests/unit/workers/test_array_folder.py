"""Arrays as files of a folder: what is written is read with the same bits, and nothing else is taken."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.workers.array_folder import FolderFault, read_array, write_array

TINY = 5e-324


@pytest.mark.parametrize("suffix", [".npy", ".csv"])
@pytest.mark.parametrize(
    ("array", "kind"),
    [
        (np.array(0.1), "float"),
        (np.array([0.1, -0.0, np.nan, np.inf, -np.inf, TINY, 1.7976931348623157e308]), "float"),
        (np.array([[0.1, 2.0], [3.0, 1 / 3]]), "float"),
        (np.asfortranarray(np.arange(6.0).reshape(2, 3)), "float"),
        (np.array([[0.5]]), "float"),
        (np.array([2**53 + 1, -1]), "int"),
        (np.array([True, False]), "bool"),
        (np.array([]), "float"),
    ],
)
def test_the_same_bits_come_back(array: np.ndarray, kind: str, suffix: str, tmp_path: Path) -> None:  # type: ignore[type-arg]
    path = tmp_path / f"x{suffix}"
    write_array(path, array)
    back = read_array(path, array.ndim, kind)
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    assert np.ascontiguousarray(back).tobytes() == np.ascontiguousarray(array).tobytes()


@pytest.mark.parametrize(
    ("text", "rank", "kind", "expected"),
    [
        ("1,2,3\n", 1, "float", [1.0, 2.0, 3.0]),
        (" 1.5 \n\n2\n", 1, "float", [1.5, 2.0]),
        ("NA\nNaN\n-Inf\n", 1, "float", [np.nan, np.nan, -np.inf]),
        ("TRUE\nfalse\n1\n", 1, "bool", [True, False, True]),
        ('"7"\n', 0, "int", 7),
    ],
)
def test_what_other_programs_write(text: str, rank: int, kind: str, expected: object, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text, encoding="utf-8")
    np.testing.assert_array_equal(read_array(path, rank, kind), expected)


@pytest.mark.parametrize(
    ("text", "rank", "kind", "why"),
    [
        ("1,2\n3,4\n", 1, "float", "has 2 lines of 2 numbers, and one number a line is expected"),
        ("1\n2\n", 0, "float", "a single number is expected"),
        ("1\n", 3, "float", "3 dimensions, which no .csv has"),
        ("1.5\n", 1, "int", "line 1 has '1.5', which is no whole number"),
        ("2\n", 1, "bool", "line 1 has '2', which is neither true nor false"),
        ("x\n1\n", 1, "float", "line 1 has 'x', which is no number"),
        ("1\n0_3\n", 1, "float", "line 2 has '0_3', which is no number"),
        ("1_0\n", 0, "int", "line 1 has '1_0', which is no whole number"),
        ("\u0663\n", 0, "float", "which is no number"),
        ("", 0, "float", "has 0 lines of 0 numbers"),
    ],
)
def test_what_is_no_such_array(text: str, rank: int, kind: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FolderFault, match=why.replace(".", r"\.")):
        read_array(path, rank, kind)


def test_what_a_csv_cannot_hold(tmp_path: Path) -> None:
    with pytest.raises(FolderFault, match="3 dimensions"):
        write_array(tmp_path / "x.csv", np.zeros((2, 2, 2)))
    with pytest.raises(FolderFault, match="complex numbers"):
        write_array(tmp_path / "x.csv", np.zeros(2, dtype=complex))


def test_an_npy_of_objects_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.array([object()]), allow_pickle=True)
    with pytest.raises(FolderFault, match="no array that can be read"):
        read_array(tmp_path / "x.npy", 1, "float")
