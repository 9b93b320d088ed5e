"""Julia's `Xoshiro`, the default generator since 1.7: xoshiro256++ and its bulk generation by eight lanes.

Source: D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47(4), 2021;
Julia `stdlib/Random/src/Xoshiro.jl` and `XoshiroSimd.jl`. Arrays of 64 bytes or more come from eight
generators seeded from the parent, interleaved; what is left over comes from the parent itself.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from harness.streams import kernels
from harness.streams.errors import StreamError
from harness.streams.julia_generator import F32, F64, U64, Generator
from harness.streams.julia_seeds import hashed_seed

Version = Literal["1.10", "1.11"]

_M64 = (1 << 64) - 1
_LANES = 8
_BULK_BYTES = 64
# made by Julia from hash(1) to hash(4), set odd
_FORK = (0x02011CE34BCE797F, 0x5A94851FB48A6E05, 0x3688CF5D48899FA7, 0x867B4BB4C42E5661)
_SHIFTS = np.array([23, 41, 17, 45, 19], dtype=np.uint64)


class Xoshiro(Generator):
    """Julia's `Xoshiro(seed)`, and so the numbers after `Random.seed!(seed)` in Julia 1.7 and later.

    Parameters
    ----------
    seed : int
        Any size; negative ones only with version "1.11", as in Julia.
    version : {"1.11", "1.10"}
        "1.11" for Julia 1.11 and 1.12, "1.10" for 1.7 to 1.10: uniforms agree, `shuffle` and the tails of the
        normals and exponentials do not.

    Raises
    ------
    StreamError
        For a negative seed before 1.11 (Julia: DomainError) or an unknown version.
    """

    _bulk_from = 7

    def __init__(self, seed: int, version: Version = "1.11") -> None:
        if version not in ("1.10", "1.11"):
            raise StreamError(f"unknown version {version!r}: Xoshiro's streams are those of 1.10 and 1.11")
        self._since_1_11 = version == "1.11"
        digest = hashed_seed(seed, signed=self._since_1_11)
        self._state: list[int] = np.frombuffer(digest, dtype="<u8").tolist()

    def _step(self) -> int:
        s0, s1, s2, s3 = self._state
        total = (s0 + s3) & _M64
        result = (((total << 23) | (total >> 41)) + s0) & _M64
        s2 ^= s0
        s3 ^= s1
        self._state = [s0 ^ s3, s1 ^ s2, s2 ^ ((s1 << 17) & _M64), ((s3 << 45) | (s3 >> 19)) & _M64]
        return result

    def _raw(self, count: int) -> U64:
        if count < kernels.WORTH_COMPILING or (run := kernels.compiled(kernels.xoshiro)) is None:
            return np.array([self._step() for _ in range(count)], dtype=np.uint64)
        state = np.array(self._state, dtype=np.uint64).reshape(4, 1)
        out = np.empty((count, 1), dtype=np.uint64)
        run(state, out, _SHIFTS)
        self._state = state[:, 0].tolist()
        return out[:, 0]

    def _bulk(self, count: int) -> U64:
        """The words with which an array of 8 * `count` bytes is filled."""
        if 8 * count < _BULK_BYTES:
            return self._raw(count)
        words = [[factor * self._step() & _M64 for _ in range(_LANES)] for factor in _FORK]
        lanes = np.array(words, dtype=np.uint64)
        out = np.empty((count // _LANES, _LANES), dtype=np.uint64)
        run = kernels.compiled(kernels.xoshiro) if count >= kernels.WORTH_COMPILING else None
        (run or _run_lanes)(lanes, out, _SHIFTS)
        return np.concatenate((out.reshape(-1), self._raw(count % _LANES)))

    def _words52(self, count: int) -> U64:
        return self._bits_of(self._raw(count))

    def _bulk52(self, count: int) -> U64:
        return self._bits_of(self._bulk(count))

    def _bits_of(self, raw: U64) -> U64:
        return raw >> np.uint64(12)

    def _units(self, count: int) -> F64:
        return _to_unit(self._raw(count))

    def _unit_of(self, word: int) -> float:
        return (word >> 11) * 2.0**-53

    def _fill64(self, count: int) -> F64:
        return _to_unit(self._bulk(count))

    def _one32(self) -> float:
        return (self._step() >> 40) * 2.0**-24

    def _fill32(self, count: int) -> F32:
        halves = self._bulk32(count).view(np.uint32)[:count]
        return (halves >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24)

    def _bulk32(self, count: int) -> U64:
        """As `_bulk`, for 4 * `count` bytes: the last word may be used for its lower half only."""
        if 4 * count < _BULK_BYTES:
            return self._raw(-(-count // 2))
        whole = count // (2 * _LANES) * _LANES
        return np.concatenate((self._bulk(whole), self._raw(-(-(count - 2 * whole) // 2))))

    def _words64(self, count: int) -> U64:
        return self._raw(count)


def _to_unit(words: U64) -> F64:
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _run_lanes(state: U64, out: U64, shifts: U64) -> None:
    s0, s1, s2, s3 = (row.copy() for row in state)
    a, b, c, d, e = shifts
    for row in out:
        total = s0 + s3
        np.add((total << a) | (total >> b), s0, out=row)
        t = s1 << c
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= t
        s3 = (s3 << d) | (s3 >> e)
    state[:] = s0, s1, s2, s3
