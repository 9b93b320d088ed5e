from __future__ import annotations

import io
import json
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from harness.errors import ArrayFileError, ExitCode
from harness.model import Array
from harness.store.arrays import ONLY, parse_safetensors, read_array_file

ODD = [
    np.array([[1.0, -0.0, np.nan], [np.inf, 5e-324, -1.5]]),
    np.array(3.25, np.float32),
    np.zeros((0, 3), np.float16),
    np.array([1 + 2j, -0.0 + np.nan * 1j], np.complex64),
    np.array([True, False]),
    np.arange(-3, 3, dtype=np.int8),
    np.array([2**64 - 1], np.uint64),
    np.asfortranarray(np.arange(6.0).reshape(2, 3)),
]


def refused(path: Path) -> ArrayFileError:
    with pytest.raises(ArrayFileError) as caught:
        read_array_file(path)
    assert caught.value.path == path
    assert caught.value.exit_code is ExitCode.USAGE
    return caught.value


def same(left: Array, right: Array) -> bool:
    return (left.dtype, left.shape, left.tobytes()) == (right.dtype, right.shape, right.tobytes())


def safetensors_bytes(entries: dict[str, tuple[str, list[int], bytes]]) -> bytes:
    header, data = {}, b""
    for name, (dtype, shape, raw) in entries.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


@pytest.mark.parametrize("array", ODD, ids=lambda array: f"{array.dtype}{array.shape}")
def test_every_kind_of_file_keeps_every_bit(tmp_path: Path, array: Array) -> None:
    np.save(tmp_path / "a.npy", array)
    np.savez(tmp_path / "a.npz", one=array, two=array)
    np.savez_compressed(tmp_path / "b.NPZ.npz", one=array)
    save_file({"one": np.asarray(array, order="C")}, tmp_path / "a.safetensors")
    loaded = read_array_file(tmp_path / "a.npy")
    assert list(loaded) == [ONLY]
    assert same(loaded[ONLY], array)
    assert not loaded[ONLY].flags.writeable
    for name in ("a.npz", "b.NPZ.npz", "a.safetensors"):
        arrays = read_array_file(tmp_path / name)
        assert same(arrays["one"], array)
        assert all(not member.flags.writeable for member in arrays.values())
    assert list(read_array_file(tmp_path / "a.npz")) == ["one", "two"]


def test_big_endian_arrays_come_in_native_order(tmp_path: Path) -> None:
    array = np.array([1.5, -2.0], ">f8")
    np.save(tmp_path / "a.npy", array)
    loaded = read_array_file(tmp_path / "a.npy")[ONLY]
    assert loaded.dtype.isnative
    assert loaded.tolist() == [1.5, -2.0]
    assert not loaded.flags.writeable


def test_npy_files_are_mapped_and_not_read(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.ones(1000))
    assert isinstance(read_array_file(tmp_path / "a.npy")[ONLY], np.memmap)


def test_bfloat16_comes_as_float32(tmp_path: Path) -> None:
    raw = struct.pack("<4H", 0x3F80, 0x8000, 0x7FC1, 0x0001)
    (tmp_path / "a.safetensors").write_bytes(safetensors_bytes({"x": ("BF16", [2, 2], raw)}))
    array = read_array_file(tmp_path / "a.safetensors")["x"]
    assert array.dtype == np.float32
    assert array.shape == (2, 2)
    assert array.view(np.uint32).ravel().tolist() == [0x3F800000, 0x80000000, 0x7FC10000, 0x00010000]


def test_another_ending(tmp_path: Path) -> None:
    for name in ("a.csv", "a", "a.pt", "a.npy.txt"):
        (tmp_path / name).write_bytes(b"1,2")
        error = refused(tmp_path / name)
        assert error.message == "is not a file of arrays"
        assert error.advice == "use .npy, .npz, .safetensors, told by the ending"


@pytest.mark.parametrize("name", ["a.npy", "a.npz", "a.safetensors"])
def test_what_is_missing_empty_or_of_another_kind(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    assert "cannot be read: No such file or directory" in refused(path).message
    path.mkdir()
    assert "cannot be read: Is a directory" in refused(path).message
    path.rmdir()
    path.touch()
    assert "empty" in refused(path).message or "not a whole" in refused(path).message
    path.write_bytes(b"these are no arrays at all, but a text of some length\n" * 5)
    assert f"is not a whole {path.suffix} file" in refused(path).message


@pytest.mark.parametrize("cut", [1, 5, 9, 60, 130, 150])
@pytest.mark.parametrize("name", ["a.npy", "a.npz", "a.safetensors"])
def test_a_file_that_is_cut_off(tmp_path: Path, name: str, cut: int) -> None:
    path = tmp_path / name
    array = np.arange(20.0)
    if name == "a.npy":
        np.save(path, array)
    elif name == "a.npz":
        np.savez(path, x=array)
    else:
        save_file({"x": array}, path)
    path.write_bytes(path.read_bytes()[:cut])
    assert f"is not a whole {path.suffix} file" in refused(path).message


def test_a_damaged_member_of_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, x=np.arange(20.0))
    data = bytearray(path.read_bytes())
    data[data.index(np.float64(13.0).tobytes())] ^= 1
    path.write_bytes(data)
    assert "is not a whole .npz file" in refused(path).message


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    ragged = np.array([[1, 2], [3]], dtype=object)
    np.save(tmp_path / "a.npy", ragged, allow_pickle=True)
    np.savez(tmp_path / "a.npz", x=np.ones(2), y=ragged)
    for name in ("a.npy", "a.npz"):
        error = refused(tmp_path / name)
        assert "pickled Python objects (a ragged list?)" in error.message
        assert "one shape" in error.advice


def test_a_pickle_in_place_of_an_array(tmp_path: Path) -> None:
    import pickle

    (tmp_path / "a.npy").write_bytes(pickle.dumps([1.0, 2.0]))
    assert "is not a whole .npy file" in refused(tmp_path / "a.npy").message
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("x.npy", pickle.dumps([1.0]))
    refused(tmp_path / "a.npz")
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("notes.txt", "hello")
    assert "holds 'notes.txt', which is not an array" in refused(tmp_path / "a.npz").message


@pytest.mark.parametrize(
    ("array", "what"),
    [
        (np.array(["a", "b"]), "text or dates"),
        (np.array([b"a"]), "text or dates"),
        (np.array(["2024-01-01"], "datetime64[D]"), "text or dates"),
        (np.zeros(2, [("x", "f8"), ("y", "i4")]), "records"),
    ],
)
def test_arrays_that_hold_no_numbers(tmp_path: Path, array: Array, what: str) -> None:
    np.save(tmp_path / "a.npy", array)
    np.savez(tmp_path / "a.npz", x=array)
    assert f"array 'array' holds {what}, not numbers" in refused(tmp_path / "a.npy").message
    assert f"array 'x' holds {what}, not numbers" in refused(tmp_path / "a.npz").message


@pytest.mark.skipif(np.longdouble(0).itemsize == 8, reason="long double is float64 here")
def test_long_doubles_differ_from_machine_to_machine(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.ones(2, np.longdouble))
    assert "differs from machine to machine" in refused(tmp_path / "a.npy").message
    np.save(tmp_path / "a.npy", np.ones(2, np.clongdouble))
    assert "differs from machine to machine" in refused(tmp_path / "a.npy").message


def test_two_arrays_in_one_npy_file(tmp_path: Path) -> None:
    with (tmp_path / "a.npy").open("wb") as file:
        np.save(file, np.ones(2))
        np.save(file, np.zeros(2))
    error = refused(tmp_path / "a.npy")
    assert "bytes after its array" in error.message
    assert error.advice == "save one array a file"


def test_a_file_without_an_array(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz")
    assert refused(tmp_path / "a.npz").message == "holds no array"
    (tmp_path / "a.safetensors").write_bytes(safetensors_bytes({}))
    assert refused(tmp_path / "a.safetensors").message == "holds no array"


def test_a_header_that_claims_more_than_memory(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(buffer, {"descr": "<f8", "fortran_order": False, "shape": (2**45,)})
    (tmp_path / "a.npy").write_bytes(buffer.getvalue())
    refused(tmp_path / "a.npy")
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("x.npy", buffer.getvalue())
    refused(tmp_path / "a.npz")


def test_safetensors_of_a_dtype_that_numpy_lacks() -> None:
    with pytest.raises(ValueError, match="array 'x' has the dtype F8_E4M3, which NumPy lacks"):
        parse_safetensors(safetensors_bytes({"x": ("F8_E4M3", [2], b"\0\0")}))


def test_safetensors_whose_offsets_lie() -> None:
    whole = safetensors_bytes({"x": ("F64", [1], b"\0" * 8)})
    for lie in (whole + b"x", whole.replace(b"[0, 8]", b"[8, 0]"), whole.replace(b"[1]", b"[2]")):
        with pytest.raises(ValueError, match="cut off or damaged"):
            parse_safetensors(lie)
