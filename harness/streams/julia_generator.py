"""What Julia's generators share: the ways from raw words to numbers, arrays, ranges and permutations.

Source: Julia `stdlib/Random/src/{generation,normal,misc}.jl`. Arrays are filled column by column, as in
Julia.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from harness.streams import kernels, tang, ziggurat
from harness.streams.errors import StreamError, StreamTypeError
from harness.streams.shapes import as_index, as_shape, check_permutation

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
U64 = npt.NDArray[np.uint64]
DType = Literal["Float64", "Float32"]
Dims = SupportsIndex | Sequence[SupportsIndex]
Fast = Callable[[U64], tuple[F64, npt.NDArray[np.bool_]]]
Slow = Callable[[int, ziggurat.Draws], float]

# small enough to stay in a core's own cache
_CHUNK = 1 << 14
_SHAPE = "Julia raises ArgumentError or MethodError here"
_LOW32 = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


class Generator(ABC):
    """One Julia generator; `MersenneTwister` and `Xoshiro` say where the words come from."""

    # the smallest arrays for which normals and exponentials are made from one bulk of words
    _bulk_from: int
    # since 1.11 shuffle runs upwards, like randperm, and the tails take log1p(-u) for log(u)
    _since_1_11: bool

    @abstractmethod
    def _words52(self, count: int) -> U64:
        """The next `count` words, drawn one by one, with 52 random bits at the bottom."""

    @abstractmethod
    def _bulk52(self, count: int) -> U64:
        """`count` words drawn the way arrays are filled, with 52 random bits at the bottom."""

    @abstractmethod
    def _units(self, count: int) -> F64:
        """The next `count` uniforms, drawn one by one."""

    @abstractmethod
    def _unit_of(self, word: int) -> float:
        """The uniform that a word from `_raw` stands for."""

    @abstractmethod
    def _raw(self, count: int) -> U64:
        """The next `count` words, drawn one by one, as the generator makes them."""

    @abstractmethod
    def _bits_of(self, raw: U64) -> U64:
        """The 52 random bits, at the bottom, of words from `_raw`."""

    @abstractmethod
    def _fill64(self, count: int) -> F64:
        """`count` uniforms drawn the way Float64 arrays are filled."""

    @abstractmethod
    def _fill32(self, count: int) -> F32:
        """`count` uniforms drawn the way Float32 arrays are filled."""

    @abstractmethod
    def _one32(self) -> float:
        """One Float32 uniform drawn on its own."""

    @abstractmethod
    def _words64(self, count: int) -> U64:
        """The next `count` words of 64 random bits, drawn one by one."""

    @overload
    def rand(self, *, dtype: DType = ...) -> float: ...
    @overload
    def rand(self, what: range, /) -> int: ...  # type: ignore[overload-overlap]
    @overload
    def rand(self, *dims: Dims, dtype: DType = ...) -> npt.NDArray[Any]: ...
    def rand(self, *dims: Any, dtype: DType = "Float64") -> Any:
        """Uniform numbers in [0, 1), or members of a range: Julia's `rand(rng, [S], [dims...])`.

        Parameters
        ----------
        *dims : int, or one tuple of int; before them a `range` of step 1
            Without sizes one number is drawn, which is another way than an array of one. `range(1, 11)` is
            Julia's `1:10`.
        dtype : {"Float64", "Float32"}

        Returns
        -------
        float or int, or an ndarray of float64, float32 or int64 in column-major order
            Element [i, j] is Julia's [i+1, j+1].

        Raises
        ------
        StreamError
            For an empty range (Julia: ArgumentError) or sizes that cannot be.
        """
        if dims and isinstance(dims[0], range):
            return self._rand_range(dims[0], dims[1:])
        sizes = _sizes(dims)
        if _is32(dtype):
            return self._one32() if sizes is None else _shaped(self._fill32(math.prod(sizes)), sizes)
        return float(self._units(1)[0]) if sizes is None else _shaped(self._fill64(math.prod(sizes)), sizes)

    @overload
    def randn(self, *, dtype: DType = ...) -> float: ...
    @overload
    def randn(self, *dims: Dims, dtype: DType = ...) -> npt.NDArray[Any]: ...
    def randn(self, *dims: Any, dtype: DType = "Float64") -> Any:
        """Standard normal numbers: Julia's `randn(rng, [T], [dims...])`; otherwise as in `rand`."""
        return self._reject(_sizes(dims), dtype, ziggurat.normal_fast, ziggurat.normal_slow)

    @overload
    def randexp(self, *, dtype: DType = ...) -> float: ...
    @overload
    def randexp(self, *dims: Dims, dtype: DType = ...) -> npt.NDArray[Any]: ...
    def randexp(self, *dims: Any, dtype: DType = "Float64") -> Any:
        """Standard exponential numbers: Julia's `randexp(rng, [T], [dims...])`; otherwise as in `rand`."""
        return self._reject(_sizes(dims), dtype, ziggurat.exponential_fast, ziggurat.exponential_slow)

    def shuffle(self, v: npt.ArrayLike) -> npt.NDArray[Any]:
        """A permuted copy of `v`, shape kept, permuted in column-major order: Julia's `shuffle(rng, v)`."""
        given = np.asarray(v)
        order = list(range(given.size))
        if self._since_1_11:
            for i, j in enumerate(self._below_upwards(given.size), start=1):
                order[i], order[j] = order[j], order[i]
        else:
            for back, j in enumerate(self._below_downwards(given.size), start=1):
                order[-back], order[j] = order[j], order[-back]
        return _shaped(given.reshape(-1, order="F")[np.array(order, dtype=np.intp)], given.shape)

    def randperm(self, n: int) -> npt.NDArray[np.int64]:
        """A permutation of 1 .. n, as Julia counts: Julia's `randperm(rng, n)`."""
        size = as_index(n, "n", _SHAPE)
        if size < 0:
            raise StreamError(f"randperm of {size}: Julia raises ArgumentError, invalid Array dimensions")
        check_permutation(size)
        order = [1] * size
        for i, j in enumerate(self._below_upwards(size), start=1):
            order[i] = order[j]
            order[j] = i + 1
        return np.array(order, dtype=np.int64)

    def _below_upwards(self, size: int) -> Iterator[int]:
        """For n from 2 to `size`, one number below n each: masked words, drawn until small enough."""
        n, mask = 2, 3
        while n <= size:
            last = min(size, mask + 1)
            # no step takes less than one word, so this many can be drawn at once
            for x in self._masked(last - n + 1, mask):
                if x < n:
                    yield x
                    n += 1
            if n > mask + 1:
                mask = 2 * mask + 1

    def _below_downwards(self, size: int) -> Iterator[int]:
        """For n from `size` to 2, the same; the mask shrinks one step later than it could."""
        n, mask = size, (1 << max(size - 1, 0).bit_length()) - 1
        while n > 1:
            if mask >> 1 == n:
                mask >>= 1
            for x in self._masked(n - max(1, mask >> 1), mask):
                if x < n:
                    yield x
                    n -= 1

    def _masked(self, count: int, mask: int) -> list[int]:
        masked: list[int] = (self._words52(count) & np.uint64(mask)).tolist()
        return masked

    def _rand_range(self, members: range, dims: tuple[Any, ...]) -> Any:
        if members.step != 1 or not members:
            raise StreamError(
                f"{members}: Julia raises ArgumentError for an empty range; only step 1 is reproduced"
            )
        if not (members.start >= -(2**63) and members.stop <= 2**63):
            raise StreamError(f"{members} is not a range of Int64, and Julia draws wider ones in another way")
        span = members.stop - members.start
        # D. Lemire's nearly divisionless rejection, arXiv:1805.10941; a span of 2**64 rejects nothing
        threshold = 2**64 % span
        sizes = _sizes(dims)
        if sizes is None:
            while True:
                product = int(self._words64(1)[0]) * span
                if product % 2**64 >= threshold:
                    return members.start + (product >> 64)
        count = math.prod(sizes)
        parts: list[U64] = []
        while count:
            words = self._words64(count)
            high, low = _multiply(words, span)
            parts.append(high[low >= np.uint64(threshold)])
            count -= parts[-1].size
        drawn = np.concatenate([*parts, np.empty(0, dtype=np.uint64)])
        return _shaped((drawn + np.uint64(members.start % 2**64)).view(np.int64), sizes)

    def _draws(self, word: Callable[[], int] | None = None) -> ziggurat.Draws:
        next_word = word or (lambda: int(self._raw(1)[0]))

        def bits() -> int:
            return int(self._bits_of(np.array([next_word()], dtype=np.uint64))[0])

        log = (lambda u: tang.log1p(-u)) if self._since_1_11 else tang.log
        return ziggurat.Draws(word=bits, unit=lambda: self._unit_of(next_word()), log_unit=log)

    def _reject(self, sizes: tuple[int, ...] | None, dtype: DType, fast: Fast, slow: Slow) -> Any:
        narrow = _is32(dtype)
        if sizes is None:
            number = slow(int(self._words52(1)[0]), self._draws())
            return float(np.float32(number)) if narrow else number
        count = math.prod(sizes)
        if not narrow and count >= self._bulk_from:
            words, draws = self._bulk52(count), self._draws()
            values = np.empty(count, dtype=np.float64)
            for start in range(0, count, _CHUNK):
                part = slice(start, start + _CHUNK)
                values[part], accepted = fast(words[part])
                for at in np.flatnonzero(~accepted).tolist():
                    values[start + at] = slow(int(words[start + at]), draws)
        else:
            values = self._one_by_one(count, fast, slow)
        return _shaped(values.astype(np.float32) if narrow else values, sizes)

    def _one_by_one(self, count: int, fast: Fast, slow: Slow) -> F64:
        """Each number from the next word, those refused at once from as many more words as they need."""
        out, done = np.empty(count, dtype=np.float64), 0
        while done < count:
            raw = self._raw(kernels.portion(count - done))
            words = self._bits_of(raw)
            values, accepted = fast(words)
            at = 0

            def following() -> int:
                nonlocal at
                at += 1
                return int(raw[at - 1] if at <= raw.size else self._raw(1)[0])  # noqa: B023

            draws = self._draws(following)
            for refused in np.flatnonzero(~accepted).tolist():
                if refused >= at:
                    run = refused - at
                    out[done : done + run] = values[at:refused]
                    at = refused + 1
                    out[done + run] = slow(int(words[refused]), draws)
                    done += run + 1
            if at < raw.size:
                out[done : done + raw.size - at] = values[at:]
                done += raw.size - at
        return out


def _multiply(words: U64, span: int) -> tuple[U64, U64]:
    """High and low halves of the 128-bit products."""
    if span == 2**64:
        return words, words
    factor = np.uint64(span)
    w_low, w_high = words & _LOW32, words >> _HALF
    f_low, f_high = factor & _LOW32, factor >> _HALF
    low = w_low * f_low
    middle = w_high * f_low + (low >> _HALF)
    other = w_low * f_high + (middle & _LOW32)
    return w_high * f_high + (middle >> _HALF) + (other >> _HALF), words * factor


def _sizes(dims: tuple[Any, ...]) -> tuple[int, ...] | None:
    if not dims:
        return None
    return as_shape(dims[0] if len(dims) == 1 else dims, _SHAPE)


def _shaped(flat: npt.NDArray[Any], sizes: tuple[int, ...]) -> npt.NDArray[Any]:
    return flat.reshape(sizes, order="F")


def _is32(dtype: str) -> bool:
    if dtype not in ("Float64", "Float32"):
        raise StreamTypeError(
            f"dtype {dtype!r}: only Float64 and Float32 are reproduced, and Julia knows others"
        )
    return dtype == "Float32"
