"""R's random streams: `set.seed(42); rnorm(5)` is `set_seed(42).rnorm(5)`.

Source: R `src/main/{RNG,random,unique}.c` and `src/nmath/{snorm,sexp,runif,rnorm,rexp}.c`; for the
exponential numbers J. H. Ahrens and U. Dieter, Comm. ACM 15, 1972; for the integers of `sample` since R
3.6.0 the rejection of numbers outside the range, before it the rounding of a product.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import Any, Literal, SupportsFloat

import numpy as np
import numpy.typing as npt

from harness.streams import kernels
from harness.streams.errors import StreamError, StreamTypeError
from harness.streams.qnorm import qnorm
from harness.streams.r_uniforms import KINDS, Block, Kind
from harness.streams.shapes import as_shape, check_permutation

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]
SampleKind = Literal["Rejection", "Rounding"]

_INT_MAX = 2**31 - 1
_BIG = 134217728.0
_HASH_FROM = 10_000_000


def _exponential_table() -> list[float]:
    """Partial sums of ln(2)**k / k!, until they are 1 in float64."""
    total, term = 0.0, 1.0
    sums: list[float] = []
    for k in range(1, 17):
        term *= math.log(2.0) / k
        total += term
        sums.append(total)
    return sums


class Stream:
    """The stream that `set.seed` starts; every call goes on where the last one ended.

    Not made directly: see `set_seed`.
    """

    def __init__(self, block: Block, kind: str, sample_kind: SampleKind) -> None:
        self._block = block
        self._rounding = sample_kind == "Rounding"
        self._cut = 2**25 - 1 if kind == "Knuth-TAOCP-2002" else _INT_MAX
        self._ahead = np.empty(0, dtype=np.float64)

    def _unif(self, count: int) -> F64:
        kept, self._ahead = self._ahead[:count], self._ahead[count:]
        if kept.size == count:
            return kept
        out = np.empty(count, dtype=np.float64)
        out[: kept.size] = kept
        at = kept.size
        while at < count:
            size = kernels.portion(count - at)
            out[at : at + size] = self._block(size)
            at += size
        return out

    def _look_ahead(self, count: int) -> F64:
        if self._ahead.size < count:
            self._ahead = np.concatenate((self._ahead, self._block(count - self._ahead.size)))
        return self._ahead

    def runif(self, n: int, min: npt.ArrayLike = 0.0, max: npt.ArrayLike = 1.0) -> F64:
        """Uniform numbers between `min` and `max`: R's `runif(n, min, max)`.

        Parameters
        ----------
        n : int
        min, max : float or array_like
            Recycled to length `n`, as R does. Where they are equal, nothing is drawn.

        Returns
        -------
        ndarray, shape (n,), float64
            NaN, with a warning, where `max` is below `min` or one of them is not finite, as in R.

        Raises
        ------
        StreamError
            For a negative `n` (R: invalid arguments).
        """
        count = _count(n)
        low, high = np.asarray(min, dtype=np.float64), np.asarray(max, dtype=np.float64)
        if low.ndim == high.ndim == 0 and -math.inf < low < high < math.inf:
            return float(low) + (float(high) - float(low)) * self._unif(count)
        low, high = _recycled(low, count), _recycled(high, count)
        out = np.where(np.isfinite(low) & (low == high), low, np.nan)
        drawn = np.isfinite(low) & np.isfinite(high) & (low < high)
        out[drawn] = low[drawn] + (high[drawn] - low[drawn]) * self._unif(int(drawn.sum()))
        return _warned(out)

    def rnorm(self, n: int, mean: npt.ArrayLike = 0.0, sd: npt.ArrayLike = 1.0) -> F64:
        """Normal numbers by inversion: R's `rnorm(n, mean, sd)`; two uniforms each.

        Returns
        -------
        ndarray, shape (n,), float64
            `mean` itself, and nothing drawn, where `sd` is 0 or `mean` infinite; NaN, with a warning, for a
            negative or infinite `sd`, as in R.

        Raises
        ------
        StreamError
            For a negative `n` (R: invalid arguments).
        """
        count = _count(n)
        centre, scale = _recycled(mean, count), _recycled(sd, count)
        bad = np.isnan(centre) | ~np.isfinite(scale) | (scale < 0.0)
        fixed = ~bad & ((scale == 0.0) | np.isinf(centre))
        drawn = ~(bad | fixed)
        out = np.where(fixed, centre, np.nan)
        if drawn.all():
            return centre + scale * self._standard_normals(count)
        out[drawn] = centre[drawn] + scale[drawn] * self._standard_normals(int(drawn.sum()))
        return _warned(out)

    def _standard_normals(self, count: int) -> F64:
        pairs = self._unif(2 * count)
        return qnorm((np.trunc(_BIG * pairs[0::2]) + pairs[1::2]) / _BIG)

    def rexp(self, n: int, rate: npt.ArrayLike = 1.0) -> F64:
        """Exponential numbers: R's `rexp(n, rate)`.

        Returns
        -------
        ndarray, shape (n,), float64
            0, and nothing drawn, for an infinite `rate`; NaN, with a warning, for a negative one and 0, as R.

        Raises
        ------
        StreamError
            For a negative `n` (R: invalid arguments).
        """
        count = _count(n)
        with np.errstate(divide="ignore"):
            scale = 1.0 / _recycled(rate, count)
        drawn = np.isfinite(scale) & (scale > 0.0)
        out = np.where(scale == 0.0, 0.0, np.nan)
        out[drawn] = scale[drawn] * self._standard_exponentials(int(drawn.sum()))
        return _warned(out)

    def _standard_exponentials(self, count: int) -> F64:
        q = np.array(_exponential_table())
        halvings = np.concatenate(([0.0], np.cumsum(np.full(64, q[0]))))
        out = np.empty(count, dtype=np.float64)
        done, longest = 0, len(q) + 1
        while done < count:
            ahead = self._look_ahead(3 * (count - done) // 2 + longest)
            fraction, exponent = np.frexp(ahead)
            # doubled until above 1: a power of one half needs one more doubling
            times = 1 - exponent + (fraction == 0.5)
            rest = np.ldexp(ahead, times) - 1.0
            extra = np.searchsorted(q, rest, side="left")
            used = np.where(extra == 0, 1, extra + 2)
            starts: list[int] = []
            at, last, lengths = 0, ahead.size - longest, used.tolist()
            while at <= last and len(starts) < count - done:
                starts.append(at)
                at += lengths[at]
            chosen = np.array(starts, dtype=np.intp)
            value = halvings[times[chosen] - 1]
            more = extra[chosen]
            smallest = np.ones(chosen.size)
            for k in range(int(more.max()) + 1):
                np.minimum(smallest, ahead[chosen + 1 + k], out=smallest, where=(more > 0) & (k <= more))
            out[done : done + chosen.size] = value + np.where(more == 0, rest[chosen], smallest * q[0])
            done += chosen.size
            self._ahead = ahead[at:]
        return out

    def sample(self, x: npt.ArrayLike, size: int | None = None, replace: bool = False) -> npt.NDArray[Any]:
        """Members of `x` in random order: R's `sample(x, size, replace)`, all equally likely.

        Parameters
        ----------
        x : int or array_like
            A number n stands for 1 .. n, and so does an array of one number, as in R.
        size : int, optional
            How many; all of them if not given.
        replace : bool

        Returns
        -------
        ndarray, shape (size,)

        Raises
        ------
        StreamError
            For an empty population, or more members than there are without `replace`, as R does.
        """
        members = np.asarray(x)
        alone = members.size == 1 and np.issubdtype(members.dtype, np.number) and bool(members >= 1)
        total = int(members.reshape(-1)[0]) if alone else members.size
        if members.ndim == 0 and not alone:
            raise StreamError(f"sample of {x!r}: R raises an error, invalid first argument")
        count = total if size is None else _count(size)
        if count and not total:
            raise StreamError("sample from nothing: R raises an error, invalid first argument")
        if not replace and count > total:
            raise StreamError(
                f"{count} of {total} without replacement: R cannot take a sample larger than the population"
            )
        if total > 4.5e15:
            raise StreamError(f"sample of {total}: R raises an error, invalid first argument")
        index = self._sample_index(total, count, replace)
        return index + 1 if alone else members.reshape(-1)[index]

    def _sample_index(self, total: int, count: int, replace: bool) -> I64:
        if not replace and total > _HASH_FROM and count <= total / 2:
            seen: dict[int, None] = {}
            while len(seen) < count:
                seen.update(dict.fromkeys(self._indices(total, count - len(seen)).tolist()))
            return np.array(list(seen), dtype=np.int64)
        if replace or count < 2:
            return self._indices(total, count)
        check_permutation(total)
        left = list(range(total))
        out = np.empty(count, dtype=np.int64)
        for i, j in enumerate(self._shrinking(total, count)):
            out[i] = left[j]
            left[j] = left[total - 1 - i]
        return out

    def _indices(self, n: int, count: int) -> I64:
        """`count` integers below `n`, each drawn on its own."""
        if self._rounding:
            return np.floor(n * self._rounding_unif(n, count)).astype(np.int64)
        bits = math.ceil(math.log2(n))
        parts: list[I64] = []
        while count:
            value = self._bits(bits, count)
            parts.append(value[value < n])
            count -= parts[-1].size
        return np.concatenate([*parts, np.empty(0, dtype=np.int64)])

    def _shrinking(self, n: int, count: int) -> Iterator[int]:
        """One integer below n, one below n - 1, and so on."""
        end = n - count
        while n > end:
            if self._rounding:
                last = max(end, self._cut if n > self._cut else 0)
                below = np.arange(n, last, -1)
                yield from np.floor(below * self._rounding_unif(n, below.size)).astype(np.int64).tolist()
                n = last
            else:
                bits = math.ceil(math.log2(n))
                # as long as the number of bits stays the same, no step takes less than one draw
                for value in self._bits(bits, n - max(end, (1 << bits) // 2)).tolist():
                    if value < n:
                        yield value
                        n -= 1

    def _rounding_unif(self, n: int, count: int) -> F64:
        """Uniforms fine enough to be multiplied by `n`."""
        if n <= self._cut:
            return self._unif(count)
        fine = self._unif(2 * count)
        return (np.floor(33554432.0 * fine[0::2]) + fine[1::2]) / 33554432.0

    def _bits(self, bits: int, count: int) -> I64:
        """`count` integers of so many bits, made of 16 at a time."""
        chunks = bits // 16 + 1
        pieces = np.floor(self._unif(count * chunks) * 65536).astype(np.int64).reshape(count, chunks)
        value = pieces[:, 0]
        for k in range(1, chunks):
            value = 65536 * value + pieces[:, k]
        return value & ((1 << bits) - 1)


def set_seed(
    seed: SupportsFloat,
    kind: Kind = "Mersenne-Twister",
    normal_kind: Literal["Inversion"] = "Inversion",
    sample_kind: SampleKind = "Rejection",
) -> Stream:
    """R's `set.seed(seed, kind, normal.kind, sample.kind)`.

    Parameters
    ----------
    seed : int, or float, of which R takes the integer part
        From -(2**31 - 1) to 2**31 - 1.
    kind : str
        "Mersenne-Twister", "Wichmann-Hill", "Marsaglia-Multicarry", "Knuth-TAOCP-2002" or "L'Ecuyer-CMRG".
    normal_kind : {"Inversion"}
    sample_kind : {"Rejection", "Rounding"}
        "Rounding" for R before 3.6.0.

    Returns
    -------
    Stream

    Raises
    ------
    StreamError
        For a seed that R refuses, or a kind that is unknown or not reproduced.
    """
    if isinstance(seed, (str, bytes)) or not isinstance(seed, SupportsFloat):
        raise StreamTypeError(
            f"the seed {seed!r} is no number: R raises an error or makes one up from the clock"
        )
    value = float(seed)
    if not abs(value) < _INT_MAX + 1:
        raise StreamError(
            f"the seed {seed} does not fit R's integer: R raises 'supplied seed is not a valid integer'"
        )
    if kind not in KINDS:
        raise StreamError(
            f"kind {kind!r}: reproduced are {', '.join(KINDS)}; R raises an error for others it lacks"
        )
    if normal_kind != "Inversion":
        raise StreamError(
            f"normal.kind {normal_kind!r}: only Inversion is reproduced, R's default since 1.7.0"
        )
    if sample_kind not in ("Rejection", "Rounding"):
        raise StreamError(f"sample.kind {sample_kind!r}: R raises an error; it knows Rejection and Rounding")
    return Stream(KINDS[kind](math.trunc(value)), kind, sample_kind)


def _count(n: int) -> int:
    (count,) = as_shape(n, "R raises an error, invalid arguments")
    return count


def _recycled(value: npt.ArrayLike, count: int) -> F64:
    flat = np.asarray(value, dtype=np.float64).reshape(-1)
    if flat.size == 1:
        return np.broadcast_to(flat, count)
    return np.resize(flat, count) if flat.size else np.full(count, np.nan)


def _warned(values: F64) -> F64:
    if np.isnan(values).any():
        warnings.warn("NAs produced, as R says here", RuntimeWarning, stacklevel=3)
    return values


__all__ = ["Stream", "qnorm", "set_seed"]
