"""True values in the cache: what was written comes back, and nothing else."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from harness.model import Array, Failure, Truth, Verdict
from harness.store import truths
from harness.store.truths import _digest, read_truths, write_truths

KNOWN = Truth(
    high=np.array([[1.0, -2.5, 0.125], [4.0, np.inf, 1e300]]),
    low=np.array([[1e-17, 0.0, -1e-18], [0.0, 0.0, 1e283]]),
    limit=np.array([[0.5, 0.25, 2.0], [0.0, 8.0, 1.0]], dtype=np.float32),
    worst=0.1,
)
UNDECIDED = Truth(
    high=np.array([3.0, 5.0]),
    low=np.array([0.0, 1e-20]),
    limit=np.array([1e-300, 0.0]),
    worst=2.0**-1074,
    undecided=np.array([False, True]),
    reach=np.array([np.nan, 7.0]),
    gap=np.array([[np.nan, -1.5], [np.nan, 11.5]]),
    why="x > 0 (line 3 of a.py)",
)
COMPLEX = Truth(
    high=np.array([1 + 2j, -3 + 0.5j]),
    low=np.array([0 + 1e-20j, 2e-20 + 0j]),
    limit=np.array([0.5, 0.25]),
    worst=1.5,
)
TRUTHS: dict[tuple[str, str], Truth | Failure] = {
    ("one", "a"): KNOWN,
    ("one", "b"): Failure(verdict=Verdict.NOT_RUN, reason="no limit can be derived"),
    ("two", "a"): UNDECIDED,
    ("two", "c"): COMPLEX,
}
KEY = "0123abcd"


def file_of(cache: Path, key: str = KEY) -> Path:
    return cache / "truths" / f"{key}.safetensors"


def same(left: Array | None, right: Array | None) -> bool:
    if left is None or right is None:
        return left is right
    return left.dtype == right.dtype and np.array_equal(left, right, equal_nan=left.dtype.kind != "b")


def rewritten(
    path: Path, arrays: Any = lambda unchanged: unchanged, edit_metadata: Any = lambda unchanged: unchanged
) -> None:
    """Write a kept file again, with other arrays or other metadata."""
    with safe_open(path, framework="np") as file:
        before = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        metadata = file.metadata()
    save_file(arrays(before), path, edit_metadata(metadata))


def test_what_was_kept_comes_back(tmp_path: Path) -> None:
    write_truths(tmp_path, KEY, TRUTHS)
    assert [path.name for path in (tmp_path / "truths").iterdir()] == ["0123abcd.safetensors"]
    kept = read_truths(tmp_path, KEY)
    assert kept is not None
    assert list(kept) == list(TRUTHS)
    assert kept["one", "b"] == TRUTHS["one", "b"]
    for key in (("one", "a"), ("two", "a"), ("two", "c")):
        actual, due = kept[key], TRUTHS[key]
        assert isinstance(actual, Truth)
        assert isinstance(due, Truth)
        for part in ("high", "low", "limit", "undecided", "reach", "gap"):
            assert same(getattr(actual, part), getattr(due, part)), part
        assert (actual.worst, actual.why) == (due.worst, due.why)
        assert (actual.known, actual.sample) == (None, "")


def test_arrays_in_another_order_of_memory_come_back(tmp_path: Path) -> None:
    turned = Truth(
        high=KNOWN.high.T,
        low=KNOWN.low.T,
        limit=KNOWN.limit.T,
        worst=0.1,
        undecided=np.greater(KNOWN.high, 1.0).T,
        reach=KNOWN.high.T,
    )
    write_truths(tmp_path, KEY, {("one", "a"): turned})
    restored = (read_truths(tmp_path, KEY) or {})["one", "a"]
    assert isinstance(restored, Truth)
    assert restored.high.tolist() == [[1.0, 4.0], [-2.5, np.inf], [0.125, 1e300]]
    assert restored.low.tolist() == [[1e-17, 0.0], [0.0, 0.0], [-1e-18, 1e283]]
    assert restored.limit.tolist() == [[0.5, 0.0], [0.25, 8.0], [2.0, 1.0]]
    assert restored.undecided is not None
    assert restored.reach is not None
    assert restored.undecided.tolist() == [[False, True], [False, True], [False, True]]
    assert restored.reach.tolist() == restored.high.tolist()


def test_of_no_number_nothing_is_lost(tmp_path: Path) -> None:
    single = Truth(high=np.array(2.0), low=np.array(0.0), limit=np.array(0.5), worst=0.25)
    empty = Truth(high=np.zeros((0, 3)), low=np.zeros((0, 3)), limit=np.zeros((0, 3)), worst=0.0)
    write_truths(tmp_path, KEY, {("one", "a"): single, ("one", "b"): empty})
    kept = read_truths(tmp_path, KEY) or {}
    shapes = [truth.high.shape for truth in kept.values() if isinstance(truth, Truth)]
    assert shapes == [(), (0, 3)]


def test_nothing_is_read_where_nothing_was_kept(tmp_path: Path) -> None:
    assert read_truths(tmp_path, KEY) is None
    write_truths(tmp_path, KEY, TRUTHS)
    assert read_truths(tmp_path, "0123abce") is None


@pytest.mark.parametrize(
    "arrays",
    [
        lambda stored: stored | {"0.high": stored["0.high"] * 2},
        # Other bits, of the same number.
        lambda stored: stored | {"2.low": -stored["2.low"]},
        lambda stored: stored | {"0.limit": stored["0.limit"].view(np.int32)},
        lambda stored: stored | {"0.low": stored["0.low"].reshape(3, 2)},
        lambda stored: stored | {"2.high": stored["2.low"], "2.low": stored["2.high"]},
        lambda stored: stored | {"5.high": stored["2.high"]},
        lambda stored: {name: array for name, array in stored.items() if name != "2.reach"},
        lambda stored: {name: array for name, array in stored.items() if name != "2.limit"},
    ],
    ids=["twice", "sign", "dtype", "shape", "exchanged", "more", "fewer", "without a limit"],
)
def test_other_arrays_are_not_read(tmp_path: Path, arrays: Any) -> None:
    write_truths(tmp_path, KEY, TRUTHS)
    rewritten(file_of(tmp_path))
    assert read_truths(tmp_path, KEY) is not None
    rewritten(file_of(tmp_path), arrays)
    assert read_truths(tmp_path, KEY) is None


@pytest.mark.parametrize(
    "edit_metadata",
    [
        lambda metadata: metadata | {"values": metadata["values"].replace("0.1", "0.2")},
        lambda metadata: metadata | {"digest": "0" * 64},
        lambda metadata: {"values": metadata["values"]},
        lambda metadata: {"digest": metadata["digest"]},
        lambda metadata: None,
    ],
    ids=["edited", "another digest", "no digest", "no values", "nothing"],
)
def test_what_is_told_beside_them_is_not_read_once_it_changed(tmp_path: Path, edit_metadata: Any) -> None:
    write_truths(tmp_path, KEY, TRUTHS)
    rewritten(file_of(tmp_path), edit_metadata=edit_metadata)
    assert read_truths(tmp_path, KEY) is None


def test_a_file_under_another_key_is_not_read(tmp_path: Path) -> None:
    write_truths(tmp_path, KEY, TRUTHS)
    file_of(tmp_path).rename(file_of(tmp_path, "another"))
    assert read_truths(tmp_path, "another") is None


def test_a_file_that_is_cut_off_is_not_read(tmp_path: Path) -> None:
    write_truths(tmp_path, KEY, TRUTHS)
    whole = file_of(tmp_path).read_bytes()
    for length in (0, 7, 100, len(whole) - 1):
        file_of(tmp_path).write_bytes(whole[:length])
        assert read_truths(tmp_path, KEY) is None


def test_a_folder_that_cannot_be_written_to_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "truths").write_text("a file in its place", encoding="utf-8")
    write_truths(tmp_path, KEY, TRUTHS)
    assert read_truths(tmp_path, KEY) is None


def test_what_was_not_used_for_longest_makes_room(tmp_path: Path) -> None:
    """A gibibyte is kept: three sparse files of 512 MiB are too many, and take no place on the disk."""
    folder = tmp_path / "truths"
    folder.mkdir()
    half = 1 << 29
    for age, name in enumerate(("newest", "middle", "oldest")):
        path = file_of(tmp_path, name)
        path.touch()
        os.truncate(path, half)
        os.utime(path, (1e9 - age, 1e9 - age))
    (folder / "notes.txt").touch()
    os.utime(folder / "notes.txt", (1.0, 1.0))
    write_truths(tmp_path, KEY, TRUTHS)
    # With the new one, two of these are beyond 1 GiB.
    assert sorted(path.name for path in folder.iterdir()) == [
        "0123abcd.safetensors",
        "newest.safetensors",
        "notes.txt",
    ]


def test_files_of_a_gibibyte_together_all_stay(tmp_path: Path) -> None:
    write_truths(tmp_path, KEY, TRUTHS)
    size = file_of(tmp_path).stat().st_size
    path = file_of(tmp_path, "other")
    path.touch()
    os.truncate(path, (1 << 30) - size)
    truths._ROOM.clear()
    write_truths(tmp_path, KEY, TRUTHS)
    assert path.exists()
    os.truncate(path, (1 << 30) - size + 1)
    os.utime(path, (1e9, 1e9))
    truths._ROOM.clear()
    write_truths(tmp_path, KEY, TRUTHS)
    assert not path.exists()
    assert file_of(tmp_path).exists()


def test_the_folder_is_not_looked_through_for_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = []
    files = truths._files
    monkeypatch.setattr(truths, "_files", lambda folder: looked.append(folder) or files(folder))
    for number in range(20):
        write_truths(tmp_path, f"{number:08x}", TRUTHS)
    assert len(looked) == 1
    size = file_of(tmp_path, "00000000").stat().st_size
    monkeypatch.setattr(truths, "MOST_BYTES", 64 * size)
    truths._ROOM.clear()
    for number in range(200):
        write_truths(tmp_path, f"{number:08x}", TRUTHS)
        assert len(list((tmp_path / "truths").iterdir())) <= 64 + 16


def test_what_is_read_counts_as_used(tmp_path: Path) -> None:
    write_truths(tmp_path, KEY, TRUTHS)
    os.utime(file_of(tmp_path), (1e9, 1e9))
    assert read_truths(tmp_path, KEY) is not None
    assert file_of(tmp_path).stat().st_mtime > 1e9 + 1


@pytest.mark.parametrize("worst", [10**400, True, [], {"a": 1}])
def test_values_of_other_types_are_nothing_that_was_kept(tmp_path: Path, worst: Any) -> None:
    """They have the digest that fits, as a file would that another program wrote."""
    write_truths(tmp_path, KEY, TRUTHS)

    def edited(metadata: dict[str, str]) -> dict[str, str]:
        values = json.loads(metadata["values"])
        values[0][2] = worst
        return metadata | {"values": json.dumps(values)}

    path = file_of(tmp_path)
    rewritten(path, edit_metadata=edited)
    with safe_open(path, framework="np") as file:
        stored = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        text = file.metadata()["values"]
    rewritten(path, edit_metadata=lambda metadata: metadata | {"digest": _digest(KEY, text, stored)})
    assert read_truths(tmp_path, KEY) is None
