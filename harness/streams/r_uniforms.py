"""R's uniform generators: how each is started from a seed, and its numbers in blocks.

Source: R `src/main/RNG.c`, which names for each the authors: B. A. Wichmann and I. D. Hill (AS 183, 1982),
G. Marsaglia (1997, a post to sci.stat.math), M. Matsumoto and T. Nishimura (1998), D. E. Knuth (TAOCP vol.
2, 9th printing, 2002), P. L'Ecuyer, R. Simard, E. J. Chen and W. D. Kelton (2002, RngStreams).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

from harness.streams import kernels
from harness.streams.mt19937 import WORDS, Twister

F64 = npt.NDArray[np.float64]
U64 = npt.NDArray[np.uint64]
Kind = Literal[
    "Mersenne-Twister", "Wichmann-Hill", "Marsaglia-Multicarry", "Knuth-TAOCP-2002", "L'Ecuyer-CMRG"
]
Block = Callable[[int], F64]

_I2_32M1 = 2.328306437080797e-10
_M32 = 0xFFFFFFFF


def _stirred(seed: int) -> int:
    """The seed after 50 steps of R's congruential sequence."""
    word = seed & _M32
    for _ in range(50):
        word = (69069 * word + 1) & _M32
    return word


def scrambled(seed: int, count: int, below: int = 2**32) -> list[int]:
    """The next `count` words of that sequence, with which R starts a generator; only those below `below`."""
    word = _stirred(seed)
    words: list[int] = []
    while len(words) < count:
        word = (69069 * word + 1) & _M32
        if word < below:
            words.append(word)
    return words


def _fixup(u: F64) -> F64:
    """Never 0 and never 1."""
    u[u <= 0.0] = 0.5 * _I2_32M1
    u[1.0 - u <= 0.0] = 1.0 - 0.5 * _I2_32M1
    return u


def mersenne_twister(seed: int) -> Block:
    """MT19937, one 32-bit word a number."""
    twister = Twister(np.array(scrambled(seed, WORDS + 1)[1:], dtype=np.uint32))
    return lambda count: _fixup(twister.words(count).astype(np.float64) * 2.3283064365386963e-10)


class _Congruential:
    """x -> a*x mod m for m below 2**32, a block at a time."""

    def __init__(self, x: int, a: int, m: int) -> None:
        self._x, self._a, self._m = x, a, np.uint64(m)

    def block(self, count: int) -> U64:
        powers = np.full(count, self._a, dtype=np.uint64)
        done, modulus = 1, int(self._m)
        while done < count:
            # the first `done` powers times a**done are the next ones
            size = min(done, count - done)
            powers[done : done + size] = powers[:size] * np.uint64(pow(self._a, done, modulus)) % self._m
            done += size
        out = powers * np.uint64(self._x % modulus) % self._m
        if count:
            self._x = int(out[-1])
        return out


def wichmann_hill(seed: int) -> Block:
    """Three small congruential generators, added modulo 1."""
    moduli = (30269, 30307, 30323)
    starts = [word % m or 1 for word, m in zip(scrambled(seed, 3), moduli, strict=True)]
    parts = [_Congruential(x, a, m) for x, a, m in zip(starts, (171, 172, 170), moduli, strict=True)]

    def block(count: int) -> F64:
        i1, i2, i3 = (part.block(count) for part in parts)
        value = i1 / 30269.0 + i2 / 30307.0 + i3 / 30323.0
        return _fixup(value - np.floor(value))

    return block


class _MultiplyWithCarry:
    """x -> a*(low half) + (high half), which is x -> a*x modulo a*2**16 - 1."""

    def __init__(self, x: int, a: int) -> None:
        # a seed may lie outside the cycle; two steps lead into it
        self._first = [a * (x & 0xFFFF) + (x >> 16) & _M32]
        self._first.append(a * (self._first[0] & 0xFFFF) + (self._first[0] >> 16) & _M32)
        self._rest = _Congruential(self._first[-1], a, a * 2**16 - 1)

    def block(self, count: int) -> U64:
        head, self._first = self._first[:count], self._first[count:]
        return np.concatenate((np.array(head, dtype=np.uint64), self._rest.block(count - len(head))))


def marsaglia_multicarry(seed: int) -> Block:
    """Two multiply-with-carry generators, one for each half of the word."""
    first, second = (word or 1 for word in scrambled(seed, 2))
    high, low = _MultiplyWithCarry(first, 36969), _MultiplyWithCarry(second, 18000)
    shift, half, word = np.uint64(16), np.uint64(0xFFFF), np.uint64(_M32)

    def block(count: int) -> F64:
        return _fixup((((high.block(count) << shift) & word) ^ (low.block(count) & half)) * _I2_32M1)

    return block


class _Knuth:
    """x[j] = x[j-100] - x[j-37] modulo 2**30, of which R uses 100 numbers of every 1009."""

    _LONG, _SHORT, _MASK, _CYCLE = 100, 37, 2**30 - 1, 1009

    def __init__(self, seed: int) -> None:
        self._state = self._started(seed)
        for _ in range(10):
            self._state = self._advanced(2 * self._LONG - 1)
        self._left = np.empty(0, dtype=np.int64)

    def _started(self, seed: int) -> npt.NDArray[np.int64]:
        n, mask = self._LONG, self._MASK
        x = [0] * (2 * n - 1)
        bit = (seed + 2) & (mask - 1)
        for j in range(n):
            x[j] = bit
            bit <<= 1
            if bit > mask:
                bit -= mask - 1
        x[1] += 1
        left, rounds = seed & mask, 69
        while rounds:
            for j in range(n - 1, 0, -1):
                x[2 * j], x[2 * j - 1] = x[j], 0
            for j in range(2 * n - 2, n - 1, -1):
                x[j - (n - self._SHORT)] = (x[j - (n - self._SHORT)] - x[j]) & mask
                x[j - n] = (x[j - n] - x[j]) & mask
            if left & 1:
                last = x[n - 1]
                x[1:n] = x[: n - 1]
                x[0] = last
                x[self._SHORT] = (x[self._SHORT] - last) & mask
            if left:
                left >>= 1
            else:
                rounds -= 1
        return np.array(x[self._SHORT : n] + x[: self._SHORT], dtype=np.int64)

    def _advanced(self, steps: int) -> npt.NDArray[np.int64]:
        x = np.empty(self._LONG + steps, dtype=np.int64)
        x[: self._LONG] = self._state
        for at in range(self._LONG, x.size, self._SHORT):
            end = min(at + self._SHORT, x.size)
            far, near = x[at - self._LONG : end - self._LONG], x[at - self._SHORT : end - self._SHORT]
            x[at:end] = (far - near) & self._MASK
        return x[steps:].copy()

    def block(self, count: int) -> F64:
        cycles = max(0, -(-(count - self._left.size) // self._LONG))
        fresh = np.empty((cycles, self._LONG), dtype=np.int64)
        run = kernels.compiled(kernels.lagged) if count >= kernels.WORTH_COMPILING else None
        if run is None:
            for row in fresh:
                row[:] = self._state = self._advanced(self._CYCLE)
        else:
            run(self._state, fresh, self._CYCLE)
        ready = np.concatenate((self._left, fresh.reshape(-1)))
        self._left = ready[count:].copy()
        return _fixup(ready[:count].astype(np.float64) * 9.31322574615479e-10)


def knuth_taocp_2002(seed: int) -> Block:
    """Knuth's lagged-Fibonacci generator with the 2002 start."""
    return _Knuth(_stirred(seed) % 1073741821).block


class _Combined:
    """L'Ecuyer's MRG32k3a, many steps at once: lanes start equally far apart and run side by side."""

    _M1, _M2 = 4294967087, 4294944443
    _STEP1 = ((0, 1, 0), (0, 0, 1), (_M1 - 810728, 1403580, 0))
    _STEP2 = ((0, 1, 0), (0, 0, 1), (_M2 - 1370589, 0, 527612))

    def __init__(self, words: list[int]) -> None:
        self._first, self._second = words[:3], words[3:]

    def block(self, count: int) -> F64:
        lanes = 1 << max(0, (count.bit_length() + 3) // 2)
        steps = -(-count // lanes)
        p1 = self._run(self._first, self._STEP1, self._M1, lanes, steps)
        p2 = self._run(self._second, self._STEP2, self._M2, lanes, steps)
        # the state after exactly `count` steps: the last three numbers of each
        self._first = [*self._first, *p1[max(0, count - 3) : count].tolist()][-3:]
        self._second = [*self._second, *p2[max(0, count - 3) : count].tolist()][-3:]
        low = p1[:count] - p2[:count]
        return np.where(low > 0, low, low + self._M1) * 2.328306549295727688e-10

    @staticmethod
    def _run(
        state: list[int], step: tuple[tuple[int, ...], ...], modulus: int, lanes: int, steps: int
    ) -> npt.NDArray[np.int64]:
        m = np.uint64(modulus)
        leap = _power(step, steps, modulus)
        window = [np.array([x], dtype=np.uint64) for x in state]
        while window[0].size < lanes:
            # the lanes that follow are those so far, moved on by as many leaps
            moved = [
                sum((np.uint64(a) * x % m for a, x in zip(row, window, strict=True)), m) % m for row in leap
            ]
            window = [np.concatenate(both) for both in zip(window, moved, strict=True)]
            leap = _product(leap, leap, modulus)
        # the negative factor takes the complement, so that sums stay below 2**54
        back, ahead = np.uint64(modulus - step[2][0]), max(step[2][1:])
        other = step[2].index(ahead)
        out = np.empty((steps, lanes), dtype=np.uint64)
        for row in out:
            row[:] = (window[other] * np.uint64(ahead) + (m - window[0]) * back) % m
            window = [window[1], window[2], row]
        return out.T.reshape(-1).view(np.int64)


def _power(matrix: tuple[tuple[int, ...], ...], exponent: int, modulus: int) -> list[list[int]]:
    result = [[int(i == j) for j in range(3)] for i in range(3)]
    square = [list(row) for row in matrix]
    while exponent:
        if exponent & 1:
            result = _product(result, square, modulus)
        square = _product(square, square, modulus)
        exponent >>= 1
    return result


def _product(a: list[list[int]], b: list[list[int]], modulus: int) -> list[list[int]]:
    return [
        [sum(x * y for x, y in zip(row, column, strict=True)) % modulus for column in zip(*b, strict=True)]
        for row in a
    ]


def lecuyer_cmrg(seed: int) -> Block:
    """L'Ecuyer's combined multiple-recursive generator."""
    return _Combined(scrambled(seed, 6, below=4294944443)).block


KINDS: dict[str, Callable[[int], Block]] = {
    "Mersenne-Twister": mersenne_twister,
    "Wichmann-Hill": wichmann_hill,
    "Marsaglia-Multicarry": marsaglia_multicarry,
    "Knuth-TAOCP-2002": knuth_taocp_2002,
    "L'Ecuyer-CMRG": lecuyer_cmrg,
}
