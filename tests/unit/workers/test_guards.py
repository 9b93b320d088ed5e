"""Guard zones: copies are what they were, what lies beside them shows, and what is written there is found."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from harness.workers.guards import Guards, Role
from harness.workers.loop import WorkerFault
from harness.workers.protocol import Array

DTYPES = ("f4", "f8", "c8", "c16", "?", "i1", "i2", "i4", "i8")


def beside(array: Array, place: int) -> Any:
    """The element at a place of the memory that an array lies in."""
    return np.frombuffer(bits(array, place), array.dtype)[0]


def bits(array: Array, place: int) -> bytes:
    """The bits of `beside`."""
    size = array.dtype.itemsize
    return ctypes.string_at(array.ctypes.data + place * size, size)


def flip(array: Array, place: int) -> None:
    """Change one byte beside an array."""
    at = ctypes.c_ubyte.from_address(array.ctypes.data + place)
    at.value ^= 1


@pytest.mark.parametrize("role", ["input", "output"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (1,), (5,), (3, 4), (0, 4), (2, 3, 4)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_copy_has_the_same_bits_in_the_same_order_aligned(
    shape: tuple[int, ...], dtype: str, role: Role, order: str
) -> None:
    array = np.array(np.arange(np.prod(shape)).reshape(shape), dtype, order=order)  # type: ignore[call-overload]
    guards = Guards(True)
    made = guards.around("x", array, role)
    assert made is not array
    assert made.tobytes() == array.tobytes()
    assert made.flags.f_contiguous == array.flags.f_contiguous
    assert made.flags.c_contiguous == array.flags.c_contiguous
    assert made.dtype == array.dtype
    assert made.ctypes.data % 64 == 0
    guards.check()


@pytest.mark.parametrize("role", ["input", "output"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("side", "words"), [(-1, "before the beginning of the"), (1, "beyond the end of the")]
)
def test_each_byte_that_is_written_beside_an_array_is_found(
    dtype: str, role: Role, side: int, words: str
) -> None:
    for distance in range(1, 8 * np.dtype(dtype).itemsize + 1):
        guards = Guards(True)
        guards.around("other", np.zeros(3), "input")
        made = guards.around("x", np.zeros(5, dtype), role)
        flip(made, -distance if side < 0 else made.nbytes + distance - 1)
        with pytest.raises(WorkerFault, match=f"it writes {words} {role} x"):
            guards.check()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("place", [-8, -1, 5, 12])
def test_what_lies_beside_an_input_shows(dtype: str, place: int) -> None:
    found = beside(Guards(True).around("x", np.zeros(5, dtype), "input"), place)
    if found.dtype.kind in "fc":
        assert np.isnan(found)
    else:
        assert found != 0
    if found.dtype.kind == "i":
        assert found < np.iinfo(found.dtype).min * 0.9


def test_a_row_too_many_is_in_the_zone() -> None:
    guards = Guards(True)
    for array in (np.zeros((3, 100)), np.zeros((3, 100), order="F")):
        made = guards.around("x", array, "input")
        assert np.isnan(beside(made, 300 + 99))
        assert np.isnan(beside(made, -100))


def test_the_zones_of_inputs_and_outputs_differ() -> None:
    for dtype in DTYPES:
        guards = Guards(True)
        given = guards.around("x", np.zeros(2, dtype), "input")
        taken = guards.around("y", np.zeros(2, dtype), "output")
        assert bits(given, 2) != bits(taken, 2)


def test_without_guards_an_array_stays_what_it_is() -> None:
    array = np.zeros(3)
    guards = Guards(False)
    assert guards.around("x", array, "input") is array
    guards.check()
