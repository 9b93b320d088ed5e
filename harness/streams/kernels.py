"""Loops that NumPy cannot run at speed, compiled by Numba where it is installed; the bits are the same.

The algorithms and their sources are those of `dsfmt`, `xoshiro` and `r_uniforms`. Each function is ordinary
Python; `compiled` hands out its machine-code form, or None where Numba is missing, and the caller then
takes its own NumPy route.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

# below this many numbers, importing and compiling costs more than it saves
WORTH_COMPILING = 1 << 17


def portion(count: int) -> int:
    """How many of `count` numbers to make next: few enough for a core's cache, enough for compiled loops."""
    return count if count < 2 * WORTH_COMPILING else WORTH_COMPILING


def dsfmt(words: Any, lung: Any, mask: Any) -> None:
    """Run the dSFMT-19937 recursion over `words`, whose first 191 rows are the state."""
    l0, l1 = lung[0], lung[1]
    m0, m1 = mask[0], mask[1]
    s19, s32, s12 = mask[2], mask[3], mask[4]
    for i in range(191, words.shape[0]):
        t0, t1 = words[i - 191, 0], words[i - 191, 1]
        n0 = (t0 << s19) ^ (l1 >> s32) ^ (l1 << s32) ^ words[i - 74, 0]
        n1 = (t1 << s19) ^ (l0 >> s32) ^ (l0 << s32) ^ words[i - 74, 1]
        l0, l1 = n0, n1
        words[i, 0] = (l0 >> s12) ^ (l0 & m0) ^ t0
        words[i, 1] = (l1 >> s12) ^ (l1 & m1) ^ t1
    lung[0], lung[1] = l0, l1


def xoshiro(state: Any, out: Any, shifts: Any) -> None:
    """Run one xoshiro256++ generator for each column of `state`, one row of `out` a step."""
    a, b, c, d, e = shifts[0], shifts[1], shifts[2], shifts[3], shifts[4]
    for lane in range(state.shape[1]):
        s0, s1, s2, s3 = state[0, lane], state[1, lane], state[2, lane], state[3, lane]
        for i in range(out.shape[0]):
            total = s0 + s3
            out[i, lane] = ((total << a) | (total >> b)) + s0
            t = s1 << c
            s2 ^= s0
            s3 ^= s1
            s1 ^= s2
            s0 ^= s3
            s2 ^= t
            s3 = (s3 << d) | (s3 >> e)
        state[0, lane], state[1, lane], state[2, lane], state[3, lane] = s0, s1, s2, s3


def lagged(state: Any, out: Any, cycle: int) -> None:
    """Run x[j] = x[j-100] - x[j-37] modulo 2**30 in the ring `state`, and keep 100 of every `cycle`."""
    for row in range(out.shape[0]):
        for j in range(cycle):
            at = j % 100
            state[at] = (state[at] - state[(at + 63) % 100]) & 1073741823
        for i in range(100):
            out[row, i] = state[(cycle + i) % 100]
        for i in range(100):
            state[i] = out[row, i]


@functools.cache
def compiled(function: Callable[..., None]) -> Callable[..., None] | None:
    """`function` as machine code, or None where Numba is not installed."""
    if find_spec("numba") is None:
        return None
    machine_code: Callable[..., None] = import_module("numba").njit(cache=True)(function)
    return machine_code
