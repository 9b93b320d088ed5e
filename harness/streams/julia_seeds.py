"""From a Julia seed to the words that start a generator.

Source: Julia `stdlib/Random/src/RNGs.jl`: `make_seed` up to 1.10, `hash_seed` from 1.11 on.
"""

from __future__ import annotations

import hashlib

from harness.streams.errors import StreamError
from harness.streams.shapes import as_index

REFUSAL = "Julia raises MethodError here"


def seed_words(seed: int) -> list[int]:
    """The 32-bit words of a non-negative seed of any size, lowest first; at least one."""
    n = as_index(seed, "a seed", REFUSAL)
    if n < 0:
        raise StreamError(
            f"the seed {n} is negative: Julia up to 1.10 raises DomainError, 1.11 and later take it"
        )
    words = [n & 0xFFFFFFFF]
    while n := n >> 32:
        words.append(n & 0xFFFFFFFF)
    return words


def hashed_seed(seed: int, signed: bool) -> bytes:
    """The 32 bytes of SHA2-256 over the seed's words; if `signed`, negative ones are marked."""
    n = as_index(seed, "a seed", REFUSAL)
    negative = signed and n < 0
    data = b"".join(word.to_bytes(4, "little") for word in seed_words(~n if negative else n))
    return hashlib.sha256(data + (b"\x01" if negative else b"")).digest()
