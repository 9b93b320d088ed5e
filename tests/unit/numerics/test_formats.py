"""Formats of numbers, and what is said of what has none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness.errors import CompareError
from harness.numerics import formats


@pytest.fixture(autouse=True)
def _afresh() -> None:
    formats.format_of.cache_clear()


@pytest.mark.parametrize(
    ("dtype", "family", "storage", "part", "bits"),
    [
        ("float16", "real", "f2", "f2", "i2"),
        ("float32", "real", "f4", "f4", "i4"),
        ("float64", "real", "f8", "f8", "i8"),
        ("complex64", "complex", "c8", "f4", "i4"),
        ("complex128", "complex", "c16", "f8", "i8"),
        ("bool", "integer", "u1", "u1", "u1"),
        ("int8", "integer", "i1", "i1", "u1"),
        ("int64", "integer", "i8", "i8", "u8"),
        ("uint16", "integer", "u2", "u2", "u2"),
    ],
)
@pytest.mark.parametrize("order", ["=", "S"])
def test_every_format(dtype: str, family: str, storage: str, part: str, bits: str, order: Any) -> None:
    form = formats.format_of(np.dtype(dtype).newbyteorder(order), None)
    assert (form.name, form.family.value) == (dtype, family)
    assert (form.storage, form.part, form.bits) == (np.dtype(storage), np.dtype(part), np.dtype(bits))


def test_patterns_that_are_stated_to_be_bfloat16() -> None:
    for order in ("<u2", ">u2"):
        form = formats.format_of(np.dtype(order), "bfloat16")
        assert (form.name, form.family.value) == ("bfloat16", "real")
        assert (form.storage, form.part, form.bits) == (np.dtype("u2"), np.dtype("f4"), np.dtype("i2"))
    ml_dtypes = pytest.importorskip("ml_dtypes")
    assert formats.format_of(np.dtype(ml_dtypes.bfloat16), None) == form


@pytest.mark.parametrize(("dtype", "stated"), [("u2", "float16"), ("i2", "bfloat16"), ("f4", "bfloat16")])
def test_what_cannot_be_stated(dtype: str, stated: str) -> None:
    with pytest.raises(CompareError) as raised:
        formats.format_of(np.dtype(dtype), stated)
    assert raised.value.args[0] == f"dtype={stated!r} cannot be stated of an array of {np.dtype(dtype)}"
    assert raised.value.advice == (
        'only arrays of uint16 can be stated to be something else, namely "bfloat16"'
    )


@pytest.mark.parametrize("dtype", ["longdouble", "clongdouble", "O", "U3", "M8[s]"])
def test_what_has_no_format(dtype: str) -> None:
    with pytest.raises(CompareError) as raised:
        formats.format_of(np.dtype(dtype), None)
    assert raised.value.args[0] == f"arrays of dtype {np.dtype(dtype)} cannot be compared"
    assert raised.value.advice == (
        "convert both to one of: bool, int8..int64, uint8..uint64, float16, bfloat16, float32, float64,"
        " complex64, complex128 (ragged lists and Python objects are no arrays of numbers)"
    )


def test_complex_numbers_of_a_precision() -> None:
    names = {name: formats.complex_dtype(name).name for name in ("float16", "float32", "float64")}
    assert names == {"float16": "complex64", "float32": "complex64", "float64": "complex128"}


def test_bfloat16_by_hand() -> None:
    # Of 1 to 2 there are 128 numbers; a tie goes to the even one.
    given = np.array([[1.0 + 2.0**-8, 1.0 + 3 * 2.0**-8], [-1.0 - 2.0**-8 - 2.0**-20, np.inf]])
    np.testing.assert_array_equal(
        formats.nearest_bfloat16(given),
        np.array([[1.0, 1.0 + 2.0**-6], [-1.0 - 2.0**-7, np.inf]], np.float32),
        strict=True,
    )
    # 1 has the exponent 127, of which the last bit is below the sign and seven others.
    patterns = formats.narrowed(np.array([[1.0, -2.0]], np.float32).T)
    np.testing.assert_array_equal(patterns, np.array([[0x3F80], [0xC000]], np.uint16), strict=True)
    np.testing.assert_array_equal(
        formats.widened(np.array([0x3F80, 0xC000], np.uint16)), np.array([1.0, -2.0], np.float32), strict=True
    )
    # A NaN whose bits are all beyond the first sixteen stays one.
    nan = np.array([0x7F800001], np.uint32).view(np.float32)
    assert formats.narrowed(nan).tolist() == [0x7FC0]
