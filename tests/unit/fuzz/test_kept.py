"""Inputs that are kept come back as they were, whatever they are called."""

from __future__ import annotations

import numpy as np
import pytest

from harness.fuzz.kept import packed, unpacked


@pytest.mark.parametrize("name", ["x", "file", "allow_pickle", "self"])
def test_arrays_come_back_whatever_their_names(name: str) -> None:
    given = {name: np.arange(3.0), "other": np.zeros((2, 0), np.float32, order="F"), "one": np.array(2)}
    read = unpacked(packed(given))
    assert read is not None
    assert read.keys() == given.keys()
    for which, array in given.items():
        assert read[which].dtype == array.dtype
        np.testing.assert_array_equal(read[which], array)


def test_the_same_arrays_are_the_same_bytes_in_any_order() -> None:
    x, y = np.arange(3.0), np.ones(2)
    assert packed({"x": x, "y": y}) == packed({"y": y, "x": x})


@pytest.mark.parametrize("data", [b"", b"PK", packed({"x": np.arange(3.0)})[:40]])
def test_bytes_that_hold_none_are_none(data: bytes) -> None:
    assert unpacked(data) is None
