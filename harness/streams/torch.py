"""PyTorch's CPU random streams: `torch.manual_seed(89)` is `Generator(89)`.

Source: PyTorch `aten/src/ATen/CPUGeneratorImpl.cpp`, `core/MT19937RNGEngine.h`,
`core/DistributionsHelper.h`, `core/TransformationHelper.h`, `native/cpu/DistributionTemplates.h`,
`native/TensorFactories.cpp` (`randperm_cpu`), and `torch/nn/init.py` with
`torch/nn/modules/{linear,sparse}.py` for the initialisations.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, cast

import numpy as np
import numpy.typing as npt

from harness.streams import box_muller, portable
from harness.streams.errors import StreamError, StreamTypeError
from harness.streams.fused import F64, multiply_add_32, multiply_add_64
from harness.streams.mt19937 import from_seed_2002
from harness.streams.shapes import Shape, as_index, as_shape, check_permutation

Capability = Literal["DEFAULT", "AVX2", "AVX512"]
Float = npt.NDArray[np.float32] | npt.NDArray[np.float64]
Version = Literal["2.6", "2.7"]
DType = Literal["float32", "float64"]

_SHAPE = "PyTorch raises RuntimeError or TypeError here"
_BLOCK = 16
_CHUNK = 512
# from here on torch.randperm draws 64 bits for every element
_LARGE_PERMUTATION = (2**32 - 1) // 20


def _through(function: Callable[[float], float], x: F64) -> F64:
    """`function` of the C library for every element: NumPy's own loops may use another library."""
    return np.fromiter(map(function, x.reshape(-1).tolist()), np.float64, x.size).reshape(x.shape)


class Generator:
    """The stream of one PyTorch CPU generator.

    Parameters
    ----------
    seed : int
        From -2**63 to 2**64 - 1, as `torch.manual_seed` takes it; only its lowest 32 bits count.
    capability : {"AVX2", "AVX512", "DEFAULT"}
        What `torch.backends.cpu.get_cpu_capability()` answers where the numbers were drawn. Every x86 machine
        with AVX2 gives one stream; a build without vector instructions differs from it in the last bits of
        float32 `randn` from 16 elements on, and of `normal_` and `uniform_` with other than standard
        arguments.
    version : {"2.7", "2.6"}
        "2.7" for PyTorch 2.7 and later, "2.6" for everything before: `randint` over 2**28 integers or more
        draws 64 bits for each since then, 32 below 2**32 before.

    Raises
    ------
    StreamError
        For a seed that PyTorch refuses, or an unknown capability.
    """

    def __init__(self, seed: int, capability: Capability = "AVX2", version: Version = "2.7") -> None:
        if version not in ("2.6", "2.7"):
            raise StreamError(
                f"unknown version {version!r}: the streams changed once, between PyTorch 2.6 and 2.7"
            )
        self._wide_range = 2**32 if version == "2.6" else 2**28
        if capability not in ("DEFAULT", "AVX2", "AVX512"):
            raise StreamError(
                f"unknown capability {capability!r}: PyTorch knows DEFAULT, AVX2 and AVX512 on x86"
            )
        self._fused = capability != "DEFAULT"
        self.manual_seed(seed)

    def manual_seed(self, seed: int) -> Generator:
        """Start the stream of `seed` from its beginning, and return this generator."""
        n = as_index(seed, "a seed", "PyTorch raises TypeError or RuntimeError here")
        if not -(2**63) <= n < 2**64:
            raise StreamError(f"the seed {n} needs more than 64 bits: PyTorch raises RuntimeError (overflow)")
        self._seed = n % 2**64
        self._words = from_seed_2002(self._seed)
        self._next_normal: float | None = None
        return self

    def initial_seed(self) -> int:
        """The seed, as the unsigned 64-bit number PyTorch keeps."""
        return self._seed

    def _random64(self, count: int) -> npt.NDArray[np.uint64]:
        pairs = self._words.words(2 * count).astype(np.uint64)
        return (pairs[0::2] << np.uint64(32)) | pairs[1::2]

    def _uniform32(self, count: int) -> npt.NDArray[np.float32]:
        return (self._words.words(count) & np.uint32(2**24 - 1)).astype(np.float32) * np.float32(2.0**-24)

    def _uniform64(self, count: int) -> F64:
        return (self._random64(count) & np.uint64(2**53 - 1)).astype(np.float64) * 2.0**-53

    def rand(self, shape: Shape, dtype: DType = "float32") -> Float:
        """Uniform numbers in [0, 1): `torch.rand(shape, dtype=dtype, generator=self)`."""
        return self.uniform_(as_shape(shape, _SHAPE), dtype=dtype)

    def uniform_(self, shape: Shape, low: float = 0.0, high: float = 1.0, dtype: DType = "float32") -> Float:
        """Uniform numbers in [low, high): what `tensor.uniform_(low, high)` fills a contiguous tensor with.

        Returns
        -------
        ndarray, shape `shape`, of `dtype`

        Raises
        ------
        StreamError
            Where `low` is above `high` or their difference overflows, as PyTorch does.
        """
        sizes = as_shape(shape, _SHAPE)
        if not low <= high:
            raise StreamError(f"uniform_ from {low} to {high}: PyTorch raises RuntimeError unless from <= to")
        if high - low > float(np.finfo(_numpy_type(dtype)).max):
            raise StreamError(
                f"uniform_ from {low} to {high}: PyTorch raises RuntimeError, to-from overflows"
            )
        if dtype == "float64":
            wide, width = self._uniform64(math.prod(sizes)), high - low
            if (width, low) == (1.0, 0.0):
                return wide.reshape(sizes)
            return (multiply_add_64(wide, width, low) if self._fused else wide * width + low).reshape(sizes)
        narrow, start = self._uniform32(math.prod(sizes)), np.float32(low)
        span = np.float32(high) - start
        if float(span) == 1.0 and float(start) == 0.0:
            return narrow.reshape(sizes)
        if not self._fused:
            return (narrow * span + start).reshape(sizes)
        return multiply_add_32(narrow, span, start).reshape(sizes)

    def randn(self, shape: Shape, dtype: DType = "float32") -> Float:
        """Standard normal numbers: `torch.randn(shape, dtype=dtype, generator=self)`."""
        return self.normal_(shape, dtype=dtype)

    def normal_(self, shape: Shape, mean: float = 0.0, std: float = 1.0, dtype: DType = "float32") -> Float:
        """Normal numbers: what `tensor.normal_(mean, std)` fills a contiguous tensor with.

        Below 16 elements every number is one half of a float64 Box-Muller pair, whose other half is kept for
        the next such number; from 16 on blocks of 16 uniforms become 16 normals, and where the count is no
        multiple of 16 the last 16 are drawn anew.

        Returns
        -------
        ndarray, shape `shape`, of `dtype`

        Raises
        ------
        StreamError
            For a negative `std`, as PyTorch does.
        """
        sizes = as_shape(shape, _SHAPE)
        kind = _numpy_type(dtype)
        if not std >= 0.0:
            raise StreamError(f"normal_ with std {std}: PyTorch raises RuntimeError unless std >= 0")
        count = math.prod(sizes)
        if count < _BLOCK:
            few = np.array(self._few_normals(count), dtype=np.float64)
            return cast(Float, self._scale_and_shift(few, mean, std, self._fused).astype(kind).reshape(sizes))
        uniforms = self._uniform64(count) if dtype == "float64" else self._uniform32(count)
        whole = count - count % _BLOCK
        out = cast(Float, np.empty(count, dtype=kind))
        out[:whole] = self._blocks(uniforms[:whole], mean, std)
        if whole < count:
            last = self._uniform64(_BLOCK) if dtype == "float64" else self._uniform32(_BLOCK)
            out[count - _BLOCK :] = self._blocks(last, mean, std)
        return out.reshape(sizes)

    def _few_normals(self, count: int) -> list[float]:
        kept = [] if self._next_normal is None else [self._next_normal][:count]
        if kept:
            self._next_normal = None
        uniforms = self._uniform64((count - len(kept) + 1) // 2 * 2).tolist()
        for u1, u2 in zip(uniforms[0::2], uniforms[1::2], strict=True):
            radius = math.sqrt(-2.0 * math.log1p(-u2))
            theta = 2.0 * math.pi * u1
            kept += [radius * math.cos(theta), radius * math.sin(theta)]
        if len(kept) > count:
            self._next_normal = kept.pop()
        return kept

    def _scale_and_shift(self, x: F64, mean: float, std: float, fused: bool) -> F64:
        if (std, mean) == (1.0, 0.0):
            return x + 0.0
        return multiply_add_64(x, std, mean) if fused else x * std + mean

    def _blocks(self, uniforms: Float, mean: float, std: float) -> Float:
        if uniforms.dtype == np.float32:
            pairs32 = cast(npt.NDArray[np.float32], uniforms.reshape(-1, 2, 8))
            normals = box_muller.normals if self._fused else portable.normals
            return normals(pairs32, mean, std).reshape(-1)
        pairs = cast(F64, uniforms.reshape(-1, 2, 8))
        out = np.empty_like(pairs)
        for at in range(0, len(pairs), _CHUNK):
            part = pairs[at : at + _CHUNK]
            radius = np.sqrt(-2.0 * _through(math.log, 1.0 - part[:, 0]))
            theta = 2.0 * math.pi * part[:, 1]
            both = np.stack((radius * _through(math.cos, theta), radius * _through(math.sin, theta)), axis=1)
            # these builds fuse here whatever the processor
            out[at : at + _CHUNK] = self._scale_and_shift(both, mean, std, fused=True)
        return out.reshape(-1)

    def randint(self, low: int, high: int, shape: Shape) -> npt.NDArray[np.int64]:
        """Integers in [low, high): `torch.randint(low, high, shape, generator=self)`, int64."""
        first, end = (as_index(v, "a bound", "PyTorch raises TypeError here") for v in (low, high))
        sizes = as_shape(shape, _SHAPE)
        if first >= end:
            raise StreamError(
                f"randint from {first} to {end}: PyTorch raises RuntimeError, 'from' < 'to' expected"
            )
        if first < -(2**63) or end > 2**63 - 1:
            raise StreamError(
                f"randint from {first} to {end}: PyTorch raises RuntimeError, bounds must be int64"
            )
        count, span = math.prod(sizes), end - first
        if span >= self._wide_range:
            raw = self._random64(count) % np.uint64(span)
        else:
            raw = self._words.words(count).astype(np.uint64) % np.uint64(span)
        return (raw + np.uint64(first % 2**64)).view(np.int64).reshape(sizes)

    def randperm(self, n: int) -> npt.NDArray[np.int64]:
        """A permutation of 0 .. n-1: `torch.randperm(n, generator=self)`, int64."""
        count = as_index(n, "n", "PyTorch raises TypeError here")
        if count < 0:
            raise StreamError(f"randperm of {count}: PyTorch raises RuntimeError, n must be non-negative")
        check_permutation(count)
        draws = max(count - 1, 0)
        raw = (
            self._random64(draws)
            if count >= _LARGE_PERMUTATION
            else self._words.words(draws).astype(np.uint64)
        )
        steps = (raw % np.arange(count, 1, -1, dtype=np.uint64)).tolist()
        order = list(range(count))
        for i, step in enumerate(steps):
            order[i], order[i + step] = order[i + step], order[i]
        return np.array(order, dtype=np.int64)

    def linear(
        self, in_features: int, out_features: int, bias: bool = True, dtype: DType = "float32"
    ) -> dict[str, Float]:
        """The parameters of a new `torch.nn.Linear`: Kaiming-uniform with a = sqrt(5), the weight first.

        Returns
        -------
        dict
            "weight", shape (out_features, in_features), and "bias", shape (out_features,), unless `bias` is
            false: the names of the layer's own `state_dict()`.
        """
        fan_in, rows = as_shape((in_features, out_features), _SHAPE)
        if fan_in == 0:
            raise StreamError(
                "linear with in_features = 0: PyTorch leaves the weight empty and warns; nothing drawn"
            )
        gain = math.sqrt(2.0 / (1 + math.sqrt(5) ** 2))
        bound = math.sqrt(3.0) * (gain / math.sqrt(fan_in))
        parameters = {"weight": self.uniform_((rows, fan_in), -bound, bound, dtype)}
        if bias:
            edge = 1 / math.sqrt(fan_in)
            parameters["bias"] = self.uniform_(rows, -edge, edge, dtype)
        return parameters

    def embedding(self, num_embeddings: int, embedding_dim: int, dtype: DType = "float32") -> Float:
        """The weight of a new `torch.nn.Embedding`: standard normal, (num_embeddings, embedding_dim)."""
        return self.normal_((num_embeddings, embedding_dim), dtype=dtype)


def _numpy_type(dtype: str) -> type[np.float32] | type[np.float64]:
    if dtype == "float32":
        return np.float32
    if dtype == "float64":
        return np.float64
    raise StreamTypeError(
        f"dtype {dtype!r}: only float32 and float64 are reproduced, and PyTorch knows others"
    )


def manual_seed(seed: int, capability: Capability = "AVX2") -> Generator:
    """The generator that `torch.manual_seed(seed)` leaves behind as the default one."""
    return Generator(seed, capability)


__all__ = ["Generator", "manual_seed"]
