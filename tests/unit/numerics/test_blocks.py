"""Arrays of every layout, read in C order."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from harness.numerics.blocks import BlockSource

DOUBLE = np.dtype(np.float64)


@pytest.mark.parametrize("axes", [(0, 1, 2), (2, 1, 0), (1, 0, 2), (0, 2, 1)])
def test_every_range_of_every_layout(axes: tuple[int, ...]) -> None:
    numbers = np.arange(24.0).reshape(2, 3, 4)
    stored = np.ascontiguousarray(numbers.transpose(axes)).transpose(np.argsort(axes))
    source = BlockSource(stored, DOUBLE)
    assert source.direct == (axes == (0, 1, 2))
    for start, stop in itertools.combinations(range(25), 2):
        block = source.read(start, stop)
        assert block.tolist() == list(range(start, stop))
        assert block.flags.c_contiguous
        assert block.dtype == DOUBLE


def test_what_is_read_in_place_and_what_is_copied() -> None:
    numbers = np.arange(6.0)
    assert np.shares_memory(BlockSource(numbers.reshape(2, 3), DOUBLE).read(1, 4), numbers)
    moved = np.frombuffer(b"\0" + numbers.tobytes(), np.uint8)[1:].view(DOUBLE)
    for other in (moved, numbers.repeat(2)[::2], numbers.astype(">f8"), numbers.astype(np.float32)):
        source = BlockSource(other, DOUBLE)
        assert not source.direct
        assert source.read(1, 4).tolist() == [1.0, 2.0, 3.0]
        assert source.read(1, 4).flags.aligned
        assert source.read(1, 4).dtype == DOUBLE
    assert BlockSource(np.array(7.0).astype(">f8"), DOUBLE).read(0, 1).tolist() == [7.0]
    # Truth values and bytes are laid out alike.
    truths = np.array([[True, False], [True, True]])
    source = BlockSource(truths, np.dtype(np.uint8))
    assert source.direct
    assert source.read(0, 3).tolist() == [1, 0, 1]
    assert source.read(0, 3).dtype == np.uint8
    assert BlockSource(truths.T, np.dtype(np.uint8)).read(0, 4).tolist() == [1, 1, 0, 1]
