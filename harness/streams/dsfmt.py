"""dSFMT-19937, the double-precision SIMD-oriented Fast Mersenne Twister behind Julia's `MersenneTwister`.

Source: M. Saito and M. Matsumoto, "A PRNG specialized in double precision floating point numbers using an
affine transition", MCQMC 2008; reference implementation dSFMT 2.2 with its parameter set 19937.

The recursion feeds each 128-bit word's lung to the next: lung' = reverse(lung) ^ (a << 19) ^ b, where
`reverse` turns the four 32-bit parts around and is its own inverse. Reversing every second term makes the
lungs of a whole block one running XOR, and a block may be 74 words long, the distance of the nearer tap.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from harness.streams import kernels

U64 = npt.NDArray[np.uint64]

STATE = 191
_TAP = 117
_BLOCK = STATE - _TAP
_MASK = np.array([0x000FFAFFFFFFFB3F, 0x000FFDFFFC90FFFD], dtype=np.uint64)
_FIX = (0x90014964B32F4329, 0x3B8D12AC548A7C7A)
_CHECK = (0x3D84E1AC0DC82880, 0x0000000000000001)
_CONSTANTS = np.array([*_MASK.tolist(), 19, 32, 12], dtype=np.uint64)
_LOW = np.uint64(0x000FFFFFFFFFFFFF)
_ONE = np.uint64(0x3FF0000000000000)
_M32 = 0xFFFFFFFF


class DSFMT:
    """The sequence of 64-bit words that are, read as float64, uniform in [1, 2)."""

    def __init__(self, key: Sequence[int]) -> None:
        words = np.array(_initial(key), dtype=np.uint32).view(np.uint64).reshape(STATE + 1, 2)
        self._state = (words[:STATE] & _LOW) | _ONE
        self._lung = words[STATE].copy()
        u0, u1 = (int(u) ^ fix for u, fix in zip(self._lung, _FIX, strict=True))
        if (((u0 & _CHECK[0]) ^ (u1 & _CHECK[1])).bit_count() & 1) == 0:
            # such a start would not have the full period
            self._lung[1] ^= np.uint64(1)

    def words(self, count: int) -> U64:
        """The next `count` words, shape (count,), uint64; `count` is even, as the generator makes pairs."""
        pairs = count // 2
        buffer = np.empty((STATE + pairs, 2), dtype=np.uint64)
        buffer[:STATE] = self._state
        run = kernels.compiled(kernels.dsfmt) if count >= kernels.WORTH_COMPILING else None
        if run is None:
            self._run_blocks(buffer, pairs)
        else:
            run(buffer, self._lung, _CONSTANTS)
        self._state = buffer[pairs:].copy()
        return buffer[STATE:].reshape(-1)

    def _run_blocks(self, buffer: U64, pairs: int) -> None:
        scratch = np.empty((_BLOCK, 2), dtype=np.uint64)
        for at in range(0, pairs, _BLOCK):
            size = min(_BLOCK, pairs - at)
            far = buffer[at : at + size]
            lung = np.left_shift(far, np.uint64(19), out=scratch[:size])
            lung ^= buffer[at + _TAP : at + _TAP + size]
            parts = lung.view(np.uint32)
            parts[0::2] = parts[0::2, ::-1]
            lung[0] ^= self._lung
            np.bitwise_xor.accumulate(lung, axis=0, out=lung)
            parts[0::2] = parts[0::2, ::-1]
            new = buffer[STATE + at : STATE + at + size]
            np.bitwise_and(lung, _MASK, out=new)
            new ^= far
            new ^= lung >> np.uint64(12)
            self._lung = lung[-1].copy()


def _initial(key: Sequence[int]) -> list[int]:
    """The 768 starting words made from a key of 32-bit words (`init_by_array`)."""
    size, lag = (STATE + 1) * 4, 11
    mid = (size - lag) // 2
    state = [0x8B8B8B8B] * size

    def step(i: int, r: int, extra: int) -> None:
        state[(i + mid) % size] = (state[(i + mid) % size] + r) & _M32
        r = (r + extra) & _M32
        state[(i + mid + lag) % size] = (state[(i + mid + lag) % size] + r) & _M32
        state[i] = r

    def mix(x: int, factor: int) -> int:
        return (x ^ (x >> 27)) * factor & _M32

    count = max(len(key) + 1, size)
    for n in range(count):
        i = n % size
        r = mix(state[i] ^ state[(i + mid) % size] ^ state[(i - 1) % size], 1664525)
        step(i, r, len(key) if n == 0 else i + (key[n - 1] if n <= len(key) else 0))
    for n in range(count, count + size):
        i = n % size
        r = mix((state[i] + state[(i + mid) % size] + state[(i - 1) % size]) & _M32, 1566083941)
        state[(i + mid) % size] ^= r
        r = (r - i) & _M32
        state[(i + mid + lag) % size] ^= r
        state[i] = r
    return state
