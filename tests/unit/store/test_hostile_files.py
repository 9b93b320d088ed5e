"""Files that are not what they say, or have no end, are refused before memory or time is taken."""

from __future__ import annotations

import functools
import hashlib
import io
import json
import lzma
import os
import re
import shutil
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.errors import ArrayFileError, CaseError, ExitCode, FixtureError, HarnessError, RecordError
from harness.report.files import Request, rendered
from harness.store.arrays import bfloat16_in, read_array_file
from harness.store.cases import load_case
from harness.store.fixtures import load_fixture
from harness.store.glove import read_vectors
from harness.store.record import read_record
from harness.store.regenerate import check, write
from harness.store.snapshots import read_head, read_snapshot
from harness.store.toml import Toml
from harness.store.truths import read_truths
from tests.unit.store.record_lines import write as write_record

ROOT = Path(__file__).parents[3]


@contextmanager
def little_memory() -> Iterator[None]:
    """What runs inside asks for less than 8 MB."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < 8e6
    finally:
        tracemalloc.stop()


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A suite with one case and its fixture, both to be changed."""
    shutil.copytree(ROOT / "reference_impls" / "four_word", tmp_path / "suite" / "four_word")
    shutil.copytree(ROOT / "fixtures" / "four_word", tmp_path / "fixtures" / "four_word")
    return tmp_path / "suite"


def edit(suite: Path, old: str, new: str) -> Path:
    path = suite.parent / "fixtures" / "four_word" / "fixture.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path.parent


def loaded(suite: Path) -> None:
    load_fixture(load_case(suite / "four_word"), suite)


def pipe(path: Path) -> str:
    os.mkfifo(path)
    return "a named pipe"


def device(path: Path) -> str:
    path.symlink_to("/dev/zero")
    return "a device"


@pytest.mark.parametrize("made", [pipe, device])
@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("a.npy", read_array_file),
        ("a.npz", read_array_file),
        ("a.safetensors", read_array_file),
        ("b.safetensors", bfloat16_in),
        ("results.jsonl", read_record),
        ("numpy.float64.safetensors", read_head),
        ("vectors.txt", lambda path: read_vectors(path, ["the"])),
    ],
)
def test_pipes_and_devices(
    tmp_path: Path, name: str, read: Callable[[Path], object], made: Callable[[Path], str]
) -> None:
    what = made(tmp_path / name)
    with pytest.raises(HarnessError, match=f"{what}, not a file") as caught:
        read(tmp_path / name)
    assert caught.value.path == tmp_path / name
    assert caught.value.exit_code is ExitCode.USAGE


def test_a_pipe_in_a_fixture_and_as_a_case(suite: Path) -> None:
    arrays = suite.parent / "fixtures" / "four_word" / "arrays.safetensors"
    arrays.unlink()
    pipe(arrays)
    with pytest.raises(FixtureError, match="a named pipe, not a file") as caught:
        loaded(suite)
    assert (caught.value.path, caught.value.line) == (arrays.with_name("fixture.toml"), 7)
    folder = suite / "other"
    folder.mkdir()
    pipe(folder / "case.toml")
    with pytest.raises(CaseError, match=r"there is no case\.toml here"):
        load_case(folder)


@pytest.mark.parametrize("name", ["../../../X", "/dev/zero", "../kept", "linked", "a\\u0000b"])
def test_arrays_outside_of_a_fixture_are_neither_read_nor_written(suite: Path, name: str) -> None:
    kept = suite.parent / "fixtures" / "kept"
    kept.write_bytes(b"kept")
    folder = edit(suite, '"arrays.safetensors"', f'"{name}"')
    (folder / "linked").symlink_to(kept)
    for read in (lambda: loaded(suite), lambda: check(folder), lambda: write(folder, accept=True)):
        with pytest.raises(
            FixtureError, match=r"is outside of the folder|is not the name of a file"
        ) as caught:
            read()
        assert (caught.value.path, caught.value.line) == (folder / "fixture.toml", 7)
    assert kept.read_bytes() == b"kept"


def test_a_fixture_that_is_itself_a_link_is_read(suite: Path) -> None:
    folder = suite.parent / "fixtures" / "four_word"
    folder.rename(suite.parent / "elsewhere")
    folder.symlink_to(suite.parent / "elsewhere")
    loaded(suite)


@pytest.mark.parametrize("name", ["../../X", "/etc/passwd"])
def test_words_outside_of_the_fixtures(suite: Path, name: str) -> None:
    section = f'[word_vectors]\nwords = "{name}"\nshipped = "v.txt"\ndimensions = 1\ntable = "t"\n\n[made]'
    edit(suite, "[made]", section)
    with pytest.raises(FixtureError, match="is outside of the folder of the fixtures") as caught:
        loaded(suite)
    assert caught.value.line == 45


@pytest.mark.parametrize(
    ("old", "new", "what", "line"),
    [
        ("[fixture]", "[other]", "'fixture' is missing from the file", None),
        ('kind = "literal"', "kind = 1", "unknown kind of generator 1", 12),
        ('kind = "literal"', "kind = []", "unknown kind of generator []", 12),
        ("[1, 0, 0]", f"[{10**30}, 0, 0]", "is not of numbers|cannot hold it", None),
        ("shape = [3, 3] },", "shape = [1000000, 1000000] },", "has too many elements", 19),
        ("args = [3]", f"args = [{10**30}]", "the stream refuses this", 19),
        ("args = [3], shape = [3, 3] }", f"args = [2, 9, {10**9}] }}", "the stream refuses this", 19),
        ("shape = [4, 3]\n", f"shape = [4, {10**15}]\n", "has too many elements", 25),
        ("shape = [4, 3]\n", "shape = [4, -3]\n", "no array has the shape", 25),
        ('dtype = "float64"', 'dtype = "S999999999"', "there is no dtype 'S999999999'", 26),
        ('dtype = "float64"', 'dtype = "f8,f8"', "there is no dtype 'f8,f8'", 26),
        ("args = [3], shape", "args = [3], divide = 0, shape", "nothing can be divided by 0", 19),
    ],
)
def test_generators_that_cannot_be(suite: Path, old: str, new: str, what: str, line: int | None) -> None:
    folder = edit(suite, old, new)
    with (
        little_memory(),
        pytest.raises(FixtureError, match=re.escape(what) if "|" not in what else what) as caught,
    ):
        check(folder)
    assert caught.value.path == folder / "fixture.toml"
    assert line is None or caught.value.line == line


def test_what_no_integer_holds(suite: Path) -> None:
    edit(suite, "[1, 0, 0]", "[nan, 0, 0]")
    folder = edit(suite, 'dtype = "float64"', 'dtype = "int64"')
    with pytest.raises(FixtureError, match="comes out as float64, and int64 cannot hold it"):
        check(folder)


def npy(header: str) -> bytes:
    text = header.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


HEADERS = [
    ("{'descr': ('<f8', 'fortran_order': False, 'shape': (3", "EOF in multi-line statement"),
    (f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({2**40},)}}", "announces 8,796,093,022,208 bytes"),
    (f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({2**70},)}}", "announces the shape"),
    ("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}", "announces the shape"),
    ("{'descr': '<f8', 'fortran_order': False, 'shape': (False, 2)}", "announces the shape"),
    (f"{{'descr': '<f8', 'fortran_order': False, 'shape': {(1,) * 40}}}", "announces 40 dimensions"),
    ("{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}", "24 bytes, and 0 are there"),
    ("(" * 9000, "not a whole"),
]


@pytest.mark.parametrize(("header", "what"), HEADERS)
def test_headers_that_announce_too_much(tmp_path: Path, header: str, what: str) -> None:
    (tmp_path / "a.npy").write_bytes(npy(header))
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("x.npy", npy(header))
    for name in ("a.npy", "a.npz"):
        with little_memory(), pytest.raises(ArrayFileError, match=re.escape(what)) as caught:
            read_array_file(tmp_path / name)
        assert caught.value.path == tmp_path / name


def test_a_small_archive_that_becomes_large(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    head = io.BytesIO()
    fields = {"descr": "<f8", "fortran_order": False, "shape": (34 << 20,)}
    np.lib.format.write_array_header_1_0(head, fields)
    with zipfile.ZipFile(path, "w", 8, compresslevel=1) as archive, archive.open("x.npy", "w") as member:
        member.write(head.getvalue())
        for _ in range(272):
            member.write(bytes(1 << 20))
    assert path.stat().st_size < 1.5e6
    with little_memory(), pytest.raises(ArrayFileError, match="would become 285,212,800") as caught:
        read_array_file(path)
    assert "np.savez" in caught.value.advice


def test_an_archive_of_zeros_of_an_everyday_size_is_read(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "a.npz", x=np.zeros(1_000_000))
    assert (tmp_path / "a.npz").stat().st_size < 10_000
    assert read_array_file(tmp_path / "a.npz")["x"].shape == (1_000_000,)


def test_one_name_twice_in_an_archive(tmp_path: Path) -> None:
    good = io.BytesIO()
    np.save(good, np.ones(2))
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("x.npy", good.getvalue())
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("x.npy", good.getvalue())
    with pytest.raises(ArrayFileError, match=r"holds 'x.npy' twice"):
        read_array_file(tmp_path / "a.npz")


def spoiled(path: Path, rows: Callable[[list[Any]], object] = len, **streams: Callable[[], bytes]) -> None:
    """A snapshot of the repository with other rows or other streams, and with a seal that fits."""
    data = (ROOT / "fixtures" / "snapshots" / "four_word" / "numpy.float64.safetensors").read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    body = data[8 + size :]
    names = ("chained", "index", "isolated")
    parts = {name: body[slice(*header[name]["data_offsets"])] for name in names}
    index = json.loads(lzma.decompress(parts["index"]))
    rows(index)
    parts = {**parts, "index": lzma.compress(json.dumps(index).encode())}
    parts |= {name: stream() for name, stream in streams.items()}
    at = 0
    for name in names:
        header[name] = {
            "dtype": "U8",
            "shape": [len(parts[name])],
            "data_offsets": [at, at + len(parts[name])],
        }
        at += len(parts[name])
    recording = header["__metadata__"]["recording"]
    header["__metadata__"]["recording"] = re.sub(r'"sha256":"\w*"', f'"sha256":"{"0" * 64}"', recording)
    text = json.dumps(header, separators=(",", ":")).encode()
    unsealed = len(text).to_bytes(8, "little") + text + b"".join(parts[name] for name in names)
    seal = hashlib.sha256(unsealed).hexdigest().encode()
    path.write_bytes(unsealed.replace(b'sha256\\":\\"' + b"0" * 64, b'sha256\\":\\"' + seal, 1))


def test_the_snapshot_that_the_next_test_spoils_is_read_unspoiled(tmp_path: Path) -> None:
    spoiled(tmp_path / "s")
    assert len(read_snapshot(tmp_path / "s", None).chained) > 3


@functools.cache
def zeros() -> bytes:
    """A short stream of 80 MB."""
    return lzma.compress(bytes(80 << 20), preset=0)


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        ({"rows": lambda rows: rows[0][3][0].__setitem__(2, [2**20, 2**20])}, "announces 8,796,0"),
        ({"rows": lambda rows: rows[0][3][0].__setitem__(2, [2**20, 2**11])}, "announces 17,179,8"),
        (
            {"rows": lambda rows: rows[0][3][0].__setitem__(2, [-1])},
            "its index tells of an array of <f8 [-1]",
        ),
        ({"rows": lambda rows: rows[0][3][0].__setitem__(1, "O")}, "its index tells of an array of O"),
        ({"rows": lambda rows: rows.append(["chained", "a", "b", [], ["PASS", ""]])}, "the verdict PASS"),
        ({"index": zeros}, "becomes more than the 67,108,864 bytes"),
        ({"chained": zeros}, "becomes more than the"),
        ({"isolated": lambda: zeros()[:-9]}, "becomes more than the|is cut off"),
    ],
)
def test_rows_and_streams_of_snapshots(tmp_path: Path, spoil: dict[str, Any], what: str) -> None:
    spoiled(tmp_path / "s", **spoil)
    with pytest.raises(FixtureError, match=what if "|" in what else re.escape(what)) as caught:
        read_snapshot(tmp_path / "s", None)
    assert caught.value.message.startswith("is not a whole snapshot")
    assert caught.value.path == tmp_path / "s"


def test_a_record_whose_cell_passes_and_names_a_known_divergence(tmp_path: Path) -> None:
    path = write_record(tmp_path / "results.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b'"divergence":""', b'"divergence":"off"')
    path.write_bytes(b"".join(lines[:-1]))
    with pytest.raises(
        RecordError, match="names the known divergence 'off', and its verdict is PASS"
    ) as caught:
        read_record(path)
    assert (caught.value.path, caught.value.line) == (path, 2)


@pytest.mark.parametrize("show", ["curve", "heatmap"])
def test_a_record_with_drawings_of_what_it_has_no_cell_of(tmp_path: Path, show: str) -> None:
    path = write_record(tmp_path / "results.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    exhibit = {
        "kind": "exhibit", "case": "toy", "stage": "Q", "sample": "default", "implementation": "nobody",
        "precision": "float64", "show": show, "shape": [4] if show == "curve" else [2, 2],
        "values": [1.0, 2.0, 3.0, 4.0], "labels": ["one"],
    }  # fmt: skip
    path.write_bytes(b"".join([*lines[:-1], json.dumps(exhibit).encode() + b"\n"]))
    page = rendered(Request(record=read_record(path)), ["html"])["report.html"]
    assert b"</html>" in page


def test_control_characters_of_a_file_are_not_printed() -> None:
    error = HarnessError("is \x1b[2J not \x07, \ud800", path="a\x9bb")
    assert str(error) == "a\\x9bb: is \\x1b[2J not \\x07, \\ud800"


@pytest.mark.parametrize(
    ("name", "read", "most"),
    [
        ("case.toml", lambda path: load_case(path.parent), "1,048,576"),
        ("a.safetensors", read_array_file, "2,147,483,648"),
        ("results.jsonl", read_record, "2,147,483,648"),
        ("numpy.float64.safetensors", read_head, "2,147,483,648"),
    ],
)
def test_files_of_a_terabyte_of_zeros(
    tmp_path: Path, name: str, read: Callable[[Path], object], most: str
) -> None:
    path = tmp_path / name
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with little_memory(), pytest.raises(HarnessError, match=f"such a file may have {most}") as caught:
        read(path)
    assert caught.value.path == path


def test_a_line_of_word_vectors_that_does_not_end(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("the 1.5\n", encoding="utf-8")
    with path.open("ab") as file:
        file.truncate(1 << 40)
    with little_memory(), pytest.raises(FixtureError, match="more than 1,048,576 bytes in a line") as caught:
        read_vectors(path, ["the"])
    assert (caught.value.path, caught.value.line) == (path, 2)


@pytest.mark.parametrize("part", ["a", '"b c"', "'d'", '"\\""'])
@pytest.mark.parametrize("form", ["{key} = 1\n", "[{key}]\n", "x = {{ {key} = 1 }}\n"])
def test_a_key_of_thousands_of_parts(suite: Path, part: str, form: str) -> None:
    path = suite / "four_word" / "case.toml"
    path.write_text("\n" + form.format(key=" . ".join([part] * 20_000)), encoding="utf-8")
    with little_memory(), pytest.raises(CaseError, match="has a key of more than 100 parts") as caught:
        load_case(path.parent)
    assert (caught.value.path, caught.value.line) == (path, 2)


def test_dots_in_texts_and_numbers_are_no_parts_of_a_key(tmp_path: Path) -> None:
    words = "One sentence. Then another one... " * 200
    numbers = ", ".join(["1.5"] * 5000)
    path = tmp_path / "a.toml"
    path.write_text(f'text = "{words}"\nnumbers = [{numbers}]\n{".".join("ab" * 40)} = 1\n', encoding="utf-8")
    assert len(Toml(path, CaseError).data["numbers"]) == 5000


def test_a_pipe_in_place_of_true_values_is_nothing_that_is_kept(tmp_path: Path) -> None:
    (tmp_path / "truths").mkdir()
    pipe(tmp_path / "truths" / "key.safetensors")
    assert read_truths(tmp_path, "key") is None
