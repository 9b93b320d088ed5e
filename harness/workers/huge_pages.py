"""Fresh memory in large pages, where the kernel has them.

Most of what a large array costs is the first touch of its memory. NumPy asks for them itself; R and
Julia do not.
"""

from __future__ import annotations

import ctypes
import mmap
import sys

LEAST = 1 << 22
"""Bytes of an array that is worth it, as in NumPy."""


def advise(address: int, count: int) -> None:
    """Ask that memory that nobody has written to yet comes in large pages; what it holds does not change.

    Parameters
    ----------
    address : int
        Where it begins.
    count : int
        Its bytes.
    """
    if sys.platform != "linux" or count < LEAST:
        return
    # Whole pages only: the first and the last one may hold something else.
    first = -(-address // mmap.PAGESIZE) * mmap.PAGESIZE
    length = (address + count) // mmap.PAGESIZE * mmap.PAGESIZE - first
    # A kernel without them says so, and nothing is lost.
    ctypes.CDLL(None).madvise(ctypes.c_void_p(first), ctypes.c_size_t(length), mmap.MADV_HUGEPAGE)
