"""Damaged files of every kind give a value or an error that names them; ``nox -s damage`` reads many more."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.errors import RecordError
from tests.damage import __main__ as program
from tests.damage import one_kind
from tests.damage.kinds import KINDS

# Kinds, and of how many good files at least the damaged ones are made.
GOOD = {
    "case": 20, "suite": 3, "document": 7, "probes": 5, "fixture": 15, "arrays": 10, "npy": 9, "npz": 3,
    "table": 7, "mat": 5, "parquet": 3, "onnx": 3,
    "record": 4, "snapshot": 3, "truths": 2, "vectors": 3,
    "notebook": 3, "rmd": 4, "qmd": 4, "md": 4, "html": 3, "org": 3, "adoc": 3, "frames": 3,
}  # fmt: skip


def test_every_kind_has_good_files() -> None:
    assert set(KINDS) == set(GOOD)
    for name, count in GOOD.items():
        assert len(KINDS[name].good()) >= count, name


@pytest.mark.parametrize("name", GOOD)
def test_damaged_files_are_read_or_refused(tmp_path: Path, name: str) -> None:
    summary = program.run(name, 60, 1, tmp_path / name, "plain")
    assert summary["finds"] == []
    assert summary["inputs"] == 60
    if name not in ("truths", "frames"):  # a cache forgets what is damaged; a worker's end is its own test
        # Pages, and text with marks of its own, are refused only where they are no text, or hold YAML.
        assert summary["refused"] >= (5 if name in ("html", "org", "adoc", "md") else 10)


def test_the_same_files_each_time() -> None:
    for name, kind in KINDS.items():
        twice = [kind.damage(random.Random(f"7 {name}"), kind.good()[0]) for _ in range(2)]
        assert twice[0] == twice[1], name
        damaged = {kind.damage(random.Random(seed), kind.good()[0]) for seed in range(30)}
        assert len(damaged) > 20, name


def look(folder: Path, read: Callable[[Path, bytes], Any]) -> str:
    found = one_kind.Reader(read, folder / "read").look(b"a\nb\n")
    return found[0] if found else ""


def fails(folder: Path, data: bytes) -> None:
    raise {}[data]


def warns(folder: Path, data: bytes) -> None:
    warnings.warn("odd", UserWarning, stacklevel=1)


def hangs(folder: Path, data: bytes) -> None:
    while True:
        pass


def takes_memory(folder: Path, data: bytes) -> None:
    # Far more than what other tests may leave to be given back meanwhile.
    bytes([1]) * (256 << 20)


def asks_for_memory(folder: Path, data: bytes) -> None:
    try:
        raise MemoryError
    except MemoryError as problem:
        raise RecordError("is large", path=folder / "a") from problem


def names_nothing(folder: Path, data: bytes) -> None:
    raise RecordError("is damaged")


def names_another(folder: Path, data: bytes) -> None:
    raise RecordError("is damaged", path="/elsewhere")


def names_no_line(folder: Path, data: bytes) -> None:
    (folder / "a").write_bytes(data)
    raise RecordError("is damaged", path=folder / "a", line=9)


def names_it(folder: Path, data: bytes) -> None:
    (folder / "a").write_bytes(data)
    raise RecordError("is damaged", path=folder / "a", line=2)


@pytest.mark.parametrize(
    ("read", "found"),
    [
        (fails, "KeyError in"),
        (warns, "UserWarning in"),
        (hangs, "Hang in"),
        (takes_memory, "memory"),
        (asks_for_memory, "memory was asked for"),
        (names_nothing, "RecordError names no file"),
        (names_another, "RecordError names another file"),
        (names_no_line, "RecordError names a line that is not there"),
        (names_it, ""),
        (lambda folder, data: None, ""),
    ],
)
def test_what_is_a_find(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Callable[[Path, bytes], Any], found: str
) -> None:
    monkeypatch.setattr(one_kind, "SECONDS", 0.5 if read is hangs else 30.0)
    monkeypatch.setattr(one_kind, "GROWTH", 32 << 20)
    said = look(tmp_path, read)
    assert said.startswith(found)
    assert bool(said) == bool(found)


def test_a_find_is_made_smaller(tmp_path: Path) -> None:
    def read(folder: Path, data: bytes) -> None:
        if b"X" in data and b"Y" in data:
            raise KeyError

    reader = one_kind.Reader(read, tmp_path / "read")
    for number in range(5):
        reader.take(b"a" * 40 + b"X" + b"b" * (30 + number) + b"Y" + b"c" * 50)
    reader.take(b"aXa")
    reader.shrink()
    (find,) = reader.finds.values()
    assert (find.count, find.data, reader.inputs) == (5, b"XY", 6)


def test_a_process_that_dies_is_a_find(tmp_path: Path) -> None:
    summary = program.run("no such kind", 5, 1, tmp_path / "x", "plain")
    assert [find["find"] for find in summary["finds"]] == ["the process ended with 1"]
    assert "KeyError: 'no such kind'" in summary["finds"][0]["what"]


def test_the_program_counts_and_ends_with_1_where_something_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(name: str, count: int, *_: Any) -> dict[str, Any]:
        find = {"find": "KeyError", "count": 3, "file": "f", "what": "a trace\nKeyError: 'a'"}
        return {"inputs": count, "refused": 1, "seconds": 0.0, "finds": [find] if name == "npy" else []}

    monkeypatch.setattr(program, "run", run)
    assert program.main(["100", "npy", "npz", "--out", str(tmp_path)]) == 1
    assert "3 x KeyError: KeyError: 'a'" in capsys.readouterr().out
    assert program.main(["100", "npz", "--out", str(tmp_path)]) == 0
    with pytest.raises(SystemExit):
        program.main(["100", "nothing"])
