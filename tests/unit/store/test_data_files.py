"""Files that people have, as arrays: every format keeps its numbers, every mistake names file and line."""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from harness.errors import ArrayFileError
from harness.store.data_files import as_matrix, read_data, read_numbers
from harness.store.samples_of_files import gather
from harness.store.tables import read_table


def table(text: str) -> dict[str, list[object]]:
    return {name: array.tolist() for name, array in read_table(text.encode(), Path("d.csv")).arrays.items()}


@pytest.mark.parametrize(
    ("text", "arrays"),
    [
        ("x,y\n1,2\n3,4.5\n", {"x": [1.0, 3.0], "y": [2.0, 4.5]}),
        ('"x"; "y"\n1,5; 2\n3; -4,25\n', {"x": [1.5, 3.0], "y": [2.0, -4.25]}),
        ("x\ty\n1\t2\n", {"x": [1.0], "y": [2.0]}),
        ("# made by hand\n\nx y\n 1  2\n 3 -1.5D+3\n", {"x": [1.0, 3.0], "y": [2.0, -1500.0]}),
        ("1,2\n3,4\n", {"array": [[1.0, 2.0], [3.0, 4.0]]}),
        ("1\n2\n3\n", {"array": [1.0, 2.0, 3.0]}),
        ("x,ok\n1,TRUE\n2,FALSE\n", {"x": [1.0, 2.0], "ok": [True, False]}),
        ('"","x"\n"Mazda RX4",21\n"b",6\n', {"x": [21.0, 6.0]}),
        ("rownames,x\n1,21\n2,6\n", {"x": [21.0, 6.0]}),
        (",0,1\n0,1.5,2\n1,3,4\n", {"0": [1.5, 3.0], "1": [2.0, 4.0]}),
        ('"x" "y"\n"a" 1 2\n"b" 3 4\n', {"x": [1.0, 3.0], "y": [2.0, 4.0]}),
        ("\ufeffx,y\r\n1,2\r\n", {"x": [1.0], "y": [2.0]}),
        ("x\n0.1\n-inf\n1e-320\n", {"x": [0.1, -np.inf, 1e-320]}),
    ],
)
def test_a_table_is_what_a_person_reads(text: str, arrays: dict[str, list[object]]) -> None:
    assert table(text) == arrays


def test_infinity_may_be_written() -> None:
    assert read_table(b"x\nInf\n-inf\n1e308\n", Path("d.csv")).arrays["x"].tolist() == [
        float("inf"), float("-inf"), 1e308,
    ]  # fmt: skip


@pytest.mark.parametrize("missing", ["", "NA", "NaN", "nan", "NULL"])
def test_what_is_missing_is_nan(missing: str) -> None:
    (x,) = read_table(f"x,y\n1,1\n{missing},2\n".encode(), Path("d.csv")).arrays["x"][1:]
    assert np.isnan(x)


def test_text_is_left_out_and_named(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("name,x\nFord,1\nFiat,2\n", encoding="utf-8")
    read = read_data(path)
    assert list(read.arrays) == ["x"]
    assert read.text == {"name": "column 'name' holds text ('Ford' in line 2)"}
    with pytest.raises(ArrayFileError, match="column 'name' holds text"):
        read_numbers(path)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("x,y\n1,2\n\n3\n", 4, "has 1 fields, and the header has 2"),
        ("1,2\n3,4,5\n", 2, "has 3 fields, and the first row has 2"),
        ("x,y\n1,2\n3,abc\n", 3, "column 'y': 'abc' is no number"),
        ("x\n1.5\n2,3\n", 3, "'2,3' is no number"),
        ("x\n1\n\u0663\n", 3, "is no number"),
        ("x,y\n1,2\n3,1_000\n", 3, "'1_000' is no number"),
        ("x,x\n1,2\n", 1, "two columns are called 'x'"),
        ("x,,z\n1,2,3\n", 1, "column 2 has no name"),
        ("# only\nx,1\n1,2\n", 2, "neither names nor numbers: 'x' is text, '1' is a number"),
        ("x\n9007199254740993\n", 2, "cannot hold the integer"),
        ("x\n1\n-" + 4500 * "7" + "\n", 3, "cannot hold the integer -7777777"),
        ("x,y\n", 1, "a header and no row"),
        ("x\n1\n-1e400\n", 3, "a float64 cannot hold -1e400, which is beyond its range"),
        ("\n# nothing\n", None, "no line of numbers"),
    ],
)
def test_a_mistake_in_a_table_has_its_line(text: str, line: int | None, what: str) -> None:
    with pytest.raises(ArrayFileError) as caught:
        read_table(text.encode(), Path("d.csv"))
    assert what in caught.value.message
    assert caught.value.line == line


def test_what_is_marked_as_utf_16_is_read_or_said_to_be_that() -> None:
    marked = "x\n1.5\n".encode("utf-16")
    assert read_table(marked, Path("d.csv")).arrays["x"].tolist() == [1.5]
    with pytest.raises(ArrayFileError, match="is UTF-16, and read so it holds no row") as caught:
        read_table(marked[:2] + b"x\n", Path("d.csv"))
    assert caught.value.advice == "save it as UTF-8"


def test_numpys_files_are_read_too(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", x=np.arange(3), M=np.eye(2, dtype=np.float32))
    read = read_data(tmp_path / "a.npz").arrays
    assert read["x"].tolist() == [0, 1, 2]
    assert read["M"].dtype == np.float32
    with pytest.raises(ValueError, match="read-only"):
        read["x"][0] = 1


@pytest.mark.parametrize("name", ["a.xlsx", "a", "a.pickle", "test_data_set_0.d"])
def test_another_ending_says_which_there_are(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"1,2")
    with pytest.raises(ArrayFileError, match=r"the endings are .npy, .npz, .safetensors, .csv") as caught:
        read_data(tmp_path / name)
    assert caught.value.path == tmp_path / name


def test_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"x": [1.5, 2.0], "n": [1, None], "k": [3, 4], "who": ["a", "b"]}), path)
    read = read_data(path)
    assert read.arrays["x"].tolist() == [1.5, 2.0]
    assert (read.arrays["n"][0], np.isnan(read.arrays["n"][1])) == (1.0, True)
    assert read.arrays["k"].dtype == np.int64
    assert "type string" in read.text["who"]
    assert read.words["who"].tolist() == ["a", "b"]
    path.write_bytes(b"PAR1")
    with pytest.raises(ArrayFileError, match="not a whole Parquet file"):
        read_data(path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ArrayFileError, match=r"pyarrow, which is not installed") as caught:
        read_data(path)
    assert "CSV" in caught.value.advice


def test_dates_and_dictionaries_of_parquet(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    columns = {
        "day": pa.array([-1, None], pa.date32()),
        "at": pa.array([1_000_000, None], pa.timestamp("us")),
        "zone": pa.array([0, 3_600_000], pa.timestamp("ms", "Europe/Berlin")),
        "fine": pa.array([1, 2], pa.timestamp("ns")),
        "level": pa.DictionaryArray.from_arrays(pa.array([1, None], pa.int8()), ["mild", "hot"]),
        "long": pa.array([1, 2], pa.duration("s")),
    }
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    read = read_data(tmp_path / "a.parquet")
    assert read.arrays == {}
    assert read.kinds == {"day": "date", "at": "time", "zone": "time", "level": "category"}
    assert read.levels == {"level": ("mild", "hot")}
    gone = chr(0x10FFFF)
    assert {name: words.tolist() for name, words in read.words.items()} == {
        "day": ["1969-12-31", gone],
        "at": ["1970-01-01T00:00:01.000000", gone],
        "zone": ["1970-01-01T00:00:00.000000", "1970-01-01T01:00:00.000000"],
        "level": ["hot", gone],
    }
    assert "cannot be read" in read.text["fine"]
    assert read.text["long"] == "column 'long' is of type duration[s], not numbers"


def test_matlab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    io = pytest.importorskip("scipy.io")
    path = tmp_path / "a.mat"
    io.savemat(
        path, {"A": np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), "v": np.array([7.0, 8.0]), "who": "me"}
    )
    read = read_data(path)
    assert read.arrays["A"].tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    assert read.arrays["v"].tolist() == [7.0, 8.0]
    assert list(read.text) == ["who"]
    good = path.read_bytes()
    io.savemat(path, {"A": np.ones((3, 3))}, do_compression=True)
    path.write_bytes(path.read_bytes()[:-8] + bytes(8))
    with pytest.raises(ArrayFileError, match="not a whole MATLAB file"):
        read_data(path)
    # The dimensions of A, of which there are to be 2^30 rows.
    at = good.index(np.array([2, 3], "<i4").tobytes())
    path.write_bytes(good[:at] + np.array([1 << 30, 3], "<i4").tobytes() + good[at + 8 :])
    with pytest.raises(ArrayFileError, match="more elements than the file can hold"):
        read_data(path)
    path.write_bytes(b"MATLAB 7.3 MAT-file".ljust(124, b" ") + b"\x00\x02IM" + b"\x00" * 400)
    with pytest.raises(ArrayFileError, match=r"format 7.3") as caught:
        read_data(path)
    assert "-v7" in caught.value.advice
    monkeypatch.setitem(sys.modules, "scipy.io", None)
    with pytest.raises(ArrayFileError, match=r"SciPy, which is not installed"):
        read_data(path)


@pytest.mark.r
def test_r_reads_its_own_files(tmp_path: Path) -> None:
    if shutil.which("Rscript") is None:
        pytest.skip("there is no Rscript on PATH")
    code = """
    saveRDS(list(A = matrix(c(1.5, 2, 3, 4, 5, 6), 2), k = c(3L, NA), ok = c(TRUE, FALSE), z = 1+2i,
      who = "me"), "l.rds")
    at <- as.POSIXct("2024-02-29 12:00:00.25", tz = "Etc/GMT-1")
    d <- data.frame(x = c(0.1, 0.2), f = factor(c("a", NA), levels = c("low", "na\\u00efve", "a")),
      day = as.Date(c(-1, NA), origin = "1970-01-01"), at = c(at, at), who = c("O'Neil\\nsecond", NA))
    d$odd <- structure(c(1, 2), class = "integer64")
    saveRDS(d, "d.rds")
    saveRDS(array(1:24, 2:4), "a.rds")
    saveRDS("text", "t.rds")
    saveRDS(sum, "f.rds")
    """
    subprocess.run(["Rscript", "--vanilla", "-e", code], cwd=tmp_path, check=True)
    read = read_data(tmp_path / "l.rds")
    assert read.arrays["A"].tolist() == [[1.5, 3.0, 5.0], [2.0, 4.0, 6.0]]
    assert read.arrays["k"][0] == 3.0
    assert np.isnan(read.arrays["k"][1])
    assert read.arrays["ok"].tolist() == [True, False]
    assert read.arrays["z"].tolist() == [1 + 2j]
    assert read.text == {"who": "'who' is a character, not numbers"}
    assert read.words["who"].tolist() == ["me"]
    typed = read_data(tmp_path / "d.rds")
    assert typed.arrays["x"].tolist() == [0.1, 0.2]
    assert typed.kinds == {"f": "category", "day": "date", "at": "time"}
    assert typed.levels == {"f": ("low", "naïve", "a")}
    assert typed.words["f"].tolist() == ["a", chr(0x10FFFF)]
    assert typed.words["day"].tolist() == ["1969-12-31", chr(0x10FFFF)]
    assert typed.words["at"].tolist() == ["2024-02-29T11:00:00.250000"] * 2
    assert typed.words["who"].tolist() == ["O'Neil\nsecond", chr(0x10FFFF)]
    assert typed.text["odd"] == "'odd' is an integer64, not numbers"
    array = read_data(tmp_path / "a.rds").arrays["array"]
    assert array.shape == (2, 3, 4)
    assert array[1, 2, 3] == 24
    assert array[1, 0, 0] == 2
    assert read_data(tmp_path / "t.rds").words["array"].tolist() == ["text"]
    for name, what in (("f.rds", "no array of numbers: 'array' is a function"), ("none.rds", "No such file")):
        with pytest.raises(ArrayFileError, match=what):
            read_data(tmp_path / name)
    (tmp_path / "t.rds").write_bytes(b"not R's")
    with pytest.raises(ArrayFileError, match=r"R cannot read it: .*unknown input format"):
        read_data(tmp_path / "t.rds")


def test_without_r_an_rds_file_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.rds").touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("R_HOME", raising=False)
    with pytest.raises(ArrayFileError, match="there is none on PATH") as caught:
        read_data(tmp_path / "a.rds")
    assert "write.csv" in caught.value.advice


def field(number: int, data: bytes) -> bytes:
    return bytes([number << 3 | 2, len(data)]) + data


def tensor(kind: int, dims: list[int], name: str, *fields: bytes) -> bytes:
    """A TensorProto, written by hand: dims one by one, the type, the name."""
    sizes = b"".join(bytes([1 << 3, size]) for size in dims)
    return sizes + bytes([2 << 3, kind]) + b"".join(fields) + field(8, name.encode())


# A negative integer of protocol buffers has ten bytes.
MINUS_FIVE = b"\xfb" + b"\xff" * 8 + b"\x01"


@pytest.mark.parametrize(
    ("data", "dtype", "values"),
    [
        (tensor(1, [2], "x", field(4, struct.pack("<2f", 1.5, -2.0))), "float32", [1.5, -2.0]),
        (tensor(1, [2], "x", field(9, struct.pack("<2f", 1.5, -2.0))), "float32", [1.5, -2.0]),
        (tensor(11, [1, 2], "x", field(10, struct.pack("<2d", 0.1, 2.0))), "float64", [[0.1, 2.0]]),
        (tensor(7, [2], "x", field(7, b"\x03" + MINUS_FIVE)), "int64", [3, -5]),
        (tensor(6, [2], "x", field(5, b"\x03" + MINUS_FIVE)), "int32", [3, -5]),
        (tensor(9, [2], "x", field(5, b"\x01\x00")), "bool", [True, False]),
        (
            tensor(10, [2], "x", field(5, b"\x80\x78\x80\x84\x03")),
            "float16",
            [1.0, -3.0],
        ),
        (tensor(16, [2], "x", field(9, b"\x80\x3f\x20\xc0")), "float32", [1.0, -2.5]),
        (tensor(14, [1], "x", field(4, struct.pack("<2f", 1.0, 2.0))), "complex64", [1 + 2j]),
        (tensor(1, [0, 2], "x"), "float32", []),
        (tensor(13, [], "x", field(11, b"\x07")), "uint64", 7),
    ],
)
def test_tensors_of_onnx(tmp_path: Path, data: bytes, dtype: str, values: object) -> None:
    (tmp_path / "a.pb").write_bytes(data)
    (array,) = [read_data(tmp_path / "a.pb").arrays["x"]]
    assert array.dtype == dtype
    assert array.tolist() == values


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (tensor(1, [3], "x", field(9, struct.pack("<2f", 1.5, -2.0))), "do not fill the shape"),
        (tensor(8, [1], "x", field(6, b"text")), "data_type is 8"),
        (tensor(1, [2], "x", field(9, struct.pack("<2f", 1.5, -2.0)))[:-5], "cut off"),
        (tensor(1, [1], "x", field(9, b"\x00\x00\x00")), "cut off"),
        (tensor(1, [1], "x", field(13, b"\x00")), "in another file"),
        (field(1, b"seq") + b"\x10\x01" + field(3, tensor(1, [], "x")), "a sequence or an optional value"),
        (b"this is a text, and no message", r"no message of protocol buffers|cut off"),
    ],
)
def test_a_damaged_tensor(tmp_path: Path, data: bytes, what: str) -> None:
    (tmp_path / "a.pb").write_bytes(data)
    with pytest.raises(ArrayFileError, match=what):
        read_data(tmp_path / "a.pb")


def test_a_folder_of_onnx_s_test_data(tmp_path: Path) -> None:
    folder = tmp_path / "test_data_set_0"
    folder.mkdir()
    with pytest.raises(ArrayFileError, match=r"holds no input_0.pb"):
        read_data(folder)
    for number, name in ((0, "Q"), (10, "K"), (2, "V")):
        data = tensor(1, [1], name, field(4, struct.pack("<f", number)))
        (folder / f"input_{number}.pb").write_bytes(data)
    (folder / "output_0.pb").write_bytes(tensor(1, [1], "Y", field(4, struct.pack("<f", 7.0))))
    read = read_data(folder).arrays
    assert {name: array.tolist() for name, array in read.items()} == {
        "Q": [0.0], "V": [2.0], "K": [10.0], "expected_Y": [7.0],
    }  # fmt: skip
    assert list(read) == ["Q", "V", "K", "expected_Y"]


def test_columns_side_by_side() -> None:
    columns = {"a": np.array([1, 2]), "b": np.array([0.5, 1.5])}
    assert as_matrix(columns, Path("d.csv")).tolist() == [[1.0, 0.5], [2.0, 1.5]]
    assert as_matrix({"a": columns["a"]}, Path("d.csv")).tolist() == [1, 2]
    with pytest.raises(ArrayFileError, match="do not stand side by side"):
        as_matrix({**columns, "c": np.zeros(3)}, Path("d.csv"))


def test_a_table_of_text_alone_holds_no_numbers(tmp_path: Path) -> None:
    (path := tmp_path / "d.csv").write_text("x,y\na,b\nNA,c\n", encoding="utf-8")
    with pytest.raises(ArrayFileError, match="holds no column of numbers"):
        gather([path])
    with pytest.raises(ArrayFileError, match="column 'x' holds text"):
        read_numbers(path)
    assert gather([path], texts=True).first["x"].tolist() == ["a", "\U0010ffff"]
