"""Large pages are asked for whole pages of an array's own memory, and what it holds stays."""

from __future__ import annotations

import ctypes
import mmap
import sys
from typing import Any

import numpy as np
import pytest

from harness.workers import huge_pages

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux is asked")


class Kernel:
    """What is asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int, int]] = []

    def madvise(self, address: Any, length: Any, advice: int) -> int:
        self.asked.append((address.value, length.value, advice))
        return 0


def test_pages_that_something_else_shares_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel()
    monkeypatch.setattr(ctypes, "CDLL", lambda name: kernel)
    page = mmap.PAGESIZE
    huge_pages.advise(10 * page + 16, huge_pages.LEAST + 100)
    huge_pages.advise(10 * page, huge_pages.LEAST)
    huge_pages.advise(10 * page, huge_pages.LEAST - 1)
    assert kernel.asked == [
        (11 * page, huge_pages.LEAST - page, mmap.MADV_HUGEPAGE),
        (10 * page, huge_pages.LEAST, mmap.MADV_HUGEPAGE),
    ]


def test_what_the_memory_holds_stays() -> None:
    array = np.arange(huge_pages.LEAST // 4, dtype=np.float64)
    huge_pages.advise(array.ctypes.data, array.nbytes)
    assert np.array_equal(array, np.arange(array.size))
