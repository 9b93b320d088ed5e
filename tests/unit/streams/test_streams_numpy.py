"""The door to NumPy's legacy streams."""

from __future__ import annotations

import numpy as np
import pytest

from harness.streams import numpy
from harness.streams.errors import StreamError, StreamTypeError


def test_is_numpy_itself() -> None:
    np.random.seed(42)
    expected = np.random.randint(3, size=(3, 3))
    np.testing.assert_array_equal(numpy.RandomState(42).randint(3, size=(3, 3)), expected)
    np.testing.assert_array_equal(numpy.seed(42).randint(3, size=(3, 3)), expected)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_refuses_what_numpy_refuses(seed: int) -> None:
    with pytest.raises(StreamError, match="NumPy raises ValueError"):
        numpy.RandomState(seed)
    with pytest.raises(ValueError, match="Seed must be between"):
        np.random.RandomState(seed)


@pytest.mark.parametrize("seed", [None, 1.0, "1"])
def test_wants_an_integer(seed: object) -> None:
    with pytest.raises(StreamTypeError):
        numpy.RandomState(seed)  # type: ignore[arg-type]
