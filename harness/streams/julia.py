"""Julia's `MersenneTwister`; `Xoshiro` is next door and offered here as well.

Source: Julia `stdlib/Random/src/RNGs.jl` (from 1.12 `MersenneTwister.jl`). Scalars come from a cache of
1002 numbers, arrays of Float64 from 384 on straight from the generator except their last two or three.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from harness.streams.dsfmt import DSFMT
from harness.streams.errors import StreamError
from harness.streams.julia_generator import F32, F64, U64, Generator
from harness.streams.julia_seeds import hashed_seed, seed_words
from harness.streams.xoshiro import Xoshiro

Version = Literal["1.5", "1.10", "1.11"]

_CACHE = 1002
_SMALLEST_FILL = 382
_ONE_BITS = np.uint64(0x3FF0000000000000)
_LOW52 = np.uint64(0x000FFFFFFFFFFFFF)
_LOW23 = np.uint64(0x007FFFFF)
_M128 = (1 << 128) - 1


class MersenneTwister(Generator):
    """Julia's `MersenneTwister(seed)`.

    Parameters
    ----------
    seed : int
        Any size; negative ones only with version "1.11", as in Julia.
    version : {"1.10", "1.11", "1.5"}
        "1.10" for Julia 1.6 to 1.10, "1.11" for 1.11 and 1.12, which hash the seed, "1.5" for 1.5, whose
        64-bit integers, and so members of ranges, come out of another arrangement of the same words.

    Raises
    ------
    StreamError
        For a negative seed before 1.11 (Julia: DomainError) or an unknown version.
    """

    _bulk_from = 13

    def __init__(self, seed: int, version: Version = "1.10") -> None:
        if version not in ("1.5", "1.10", "1.11"):
            raise StreamError(
                f"unknown version {version!r}: MersenneTwister's streams are those of 1.5, 1.10 and 1.11"
            )
        self._integers_of_1_5 = version == "1.5"
        self._since_1_11 = version == "1.11"
        if self._since_1_11:
            key = np.frombuffer(hashed_seed(seed, signed=True), dtype="<u4").tolist()
        else:
            key = seed_words(seed)
        self._source = DSFMT(key)
        self._cache = np.empty(0, dtype=np.uint64)
        self._integers = np.empty(0, dtype=np.uint64)

    def _raw(self, count: int) -> U64:
        missing = count - self._cache.size
        if missing > 0:
            fresh = self._source.words(-(-missing // _CACHE) * _CACHE)
            self._cache = np.concatenate((self._cache, fresh))
        out, self._cache = self._cache[:count], self._cache[count:]
        return out

    def _bulk(self, count: int) -> U64:
        direct = (count - 2) // 2 * 2
        if direct < _SMALLEST_FILL:
            if not self._cache.size:
                self._cache = self._source.words(_CACHE)
            return self._raw(count)
        return np.concatenate((self._source.words(direct), self._raw(count - direct)))

    def _words52(self, count: int) -> U64:
        return self._raw(count)

    def _bulk52(self, count: int) -> U64:
        return self._bulk(count)

    def _bits_of(self, raw: U64) -> U64:
        return raw

    def _units(self, count: int) -> F64:
        return self._raw(count).view(np.float64) - 1.0

    def _unit_of(self, word: int) -> float:
        return (word & 0x000FFFFFFFFFFFFF) * 2.0**-52

    def _fill64(self, count: int) -> F64:
        return self._bulk(count).view(np.float64) - 1.0

    def _one32(self) -> float:
        return float((self._raw(1)[0] & _LOW23) * 2.0**-23)

    def _fill32(self, count: int) -> F32:
        pairs = self._bulk(count // 4 * 2).reshape(-1, 2).copy()
        low = pairs[:, 0].copy()
        pairs[:, 0] ^= low << np.uint64(26)
        pairs[:, 1] ^= (pairs[:, 1] << np.uint64(26)) ^ (low >> np.uint64(38))
        rest = self._raw(count % 4).astype(np.uint32)
        bits = np.concatenate((pairs.reshape(-1).view(np.uint32), rest)) & np.uint32(_LOW23)
        return bits.astype(np.float32) * np.float32(2.0**-23)

    def _words64(self, count: int) -> U64:
        parts, missing = [self._integers[:count]], count - self._integers.size
        self._integers = self._integers[count:]
        while missing > 0:
            fresh = self._integers_1_5() if self._integers_of_1_5 else self._integers_1_6(missing)
            parts.append(fresh[:missing])
            self._integers = fresh[missing:]
            missing -= parts[-1].size
        return np.concatenate(parts)

    def _integers_1_6(self, count: int) -> U64:
        """Caches of 501 words of 128 bits; every four share a fifth for bits that dSFMT leaves constant."""
        caches = -(-count // _CACHE)
        words = self._source.words(2 * 627 * caches).reshape(caches, 627, 2)
        kept, shared = words[:, :501].copy(), words[:, 501:]
        for place, shift in enumerate((48, 36, 24, 12)):
            at = kept[:, place::4]
            low, high = shared[:, : at.shape[1], 0], shared[:, : at.shape[1], 1]
            at[..., 0] ^= low << np.uint64(shift)
            at[..., 1] ^= (high << np.uint64(shift)) | (low >> np.uint64(64 - shift))
        # a cache is used from its end
        return kept.reshape(caches, _CACHE)[:, ::-1].reshape(-1)

    def _integers_1_5(self) -> U64:
        """The same from words at the front of the array, drawn again after each pass."""
        i = n = 501
        array = [0] * n
        while True:
            array[:i] = _as_128(self._bulk(2 * i))
            if n < 5:
                break
            i = 0
            while n - i >= 5:
                u = array[i]
                i += 1
                for shift in (48, 36, 24, 12):
                    n -= 1
                    array[n] ^= (u << shift) & _M128
        if n:
            high, low = self._raw(2).tolist()
            for i in range(n):
                array[i] ^= (((high << 64) | low) << (12 * (i + 1))) & _M128
        words = [half for u in reversed(array) for half in (u >> 64, u & 0xFFFFFFFFFFFFFFFF)]
        return np.array(words, dtype=np.uint64)


def _as_128(words: U64) -> list[int]:
    return [low | (high << 64) for low, high in words.reshape(-1, 2).tolist()]


__all__ = ["MersenneTwister", "Xoshiro"]
