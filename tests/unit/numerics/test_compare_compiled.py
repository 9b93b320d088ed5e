"""Compiled kernels and NumPy count the same, to the last bit; which of them is taken."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from harness.numerics import compare, kernels, sweep
from harness.numerics.formats import format_of
from tests.unit.numerics.noisy_pairs import STATED, noisy


def compiled_first(*dtypes: str) -> list[Any]:
    """Numba compiles a kernel for each format, for six to eight seconds: two are among the fast tests."""
    fast = ("float64", "complex128")
    return [pytest.param(name, marks=() if name in fast else pytest.mark.slow) for name in dtypes]


@pytest.mark.parametrize(
    "count", [1, 63, 64, 65, 127, 128, 511, 512, 513, 1023, 1024, 1025, 16383, 16384, 16385, 50_000]
)
@pytest.mark.parametrize(
    "dtype",
    compiled_first("float64", "float32", "float16", "bfloat16", "complex128", "complex64", "int64", "uint8"),
)
def test_machine_code_at_the_ends_of_strips_and_blocks(count: int, dtype: str) -> None:
    compiled = pytest.importorskip("harness.numerics.compiled.ranges", reason="needs Numba")
    form = format_of(np.dtype("uint16" if dtype == "bfloat16" else dtype), STATED.get(dtype))
    with np.errstate(all="ignore"):
        if dtype.startswith(("int", "uint")):
            pair = [np.random.default_rng(k).integers(0, 200, count).astype(dtype) for k in range(2)]
        elif dtype.startswith("complex"):
            pair = [x.view(complex).astype(dtype) for x in noisy(2 * count)]
        elif dtype == "bfloat16":
            pair = [x.astype(np.float32).view(np.uint16)[1::2].copy() for x in noisy(count)]
        else:
            pair = [x.astype(dtype) for x in noisy(count)]
    for limit in (0.0, 1e-3, np.random.default_rng(2).random(count)):
        arguments = (pair[0], pair[1], form, limit, 1.0)
        assert repr(sweep.sweep(*arguments, kernels.range_tally)) == repr(
            sweep.sweep(*arguments, compiled.range_tally)
        )


@pytest.mark.parametrize(
    "steps", [0, 1, 4, 5, 64, 65, 1024, 1025, 2048, 2049, 2**16, 2**17, 2**20, 2**20 + 1, 2**50]
)
def test_machine_code_counts_every_bin(steps: int) -> None:
    compiled = pytest.importorskip("harness.numerics.compiled.ranges", reason="needs Numba")
    rng = np.random.default_rng(steps)
    expected = rng.random(3000)
    moved = np.minimum(rng.integers(0, steps + 1, 3000), 2 ** rng.integers(0, 60, 3000))
    actual = (expected.view(np.int64) + moved).view(np.float64)
    arguments = (actual, expected, format_of(actual.dtype, None), math.inf, 1.0)
    tallies = [sweep.sweep(*arguments, kernel) for kernel in (kernels.range_tally, compiled.range_tally)]
    assert repr(tallies[0]) == repr(tallies[1])


@pytest.mark.parametrize("dtype", compiled_first("float64", "float32", "complex128"))
def test_machine_code_on_every_pair_of_edges(dtype: str) -> None:
    compiled = pytest.importorskip("harness.numerics.compiled.ranges", reason="needs Numba")
    largest = float(np.finfo(dtype).max)
    edges = [0.0, -0.0, 1.5, math.inf, -math.inf, math.nan, math.copysign(math.nan, -1.0), largest]
    numbers: list[Any] = list(itertools.product(edges, edges)) if dtype == "complex128" else edges
    parts = np.array(numbers, "float64" if dtype == "complex128" else dtype)
    values = parts.view(dtype).reshape(-1) if dtype == "complex128" else parts
    form = format_of(values.dtype, None)
    for actual, expected in itertools.product(values[:, None], values[:, None]):
        for limit in (1.0, np.array([math.inf])):
            arguments = (actual, expected, form, limit, 1.0, 0)
            compiled_tally = repr(compiled.range_tally(*arguments))
            assert compiled_tally == repr(kernels.range_tally(*arguments)), (actual, expected)
            assert "nan," not in compiled_tally


@pytest.mark.parametrize("dtype", compiled_first("float16", "bfloat16"))
@pytest.mark.parametrize("apart", [0, 1, 0x03FF, 0x8000, 0x8001, 0xFFFF])
def test_machine_code_on_every_half(dtype: str, apart: int) -> None:
    compiled = pytest.importorskip("harness.numerics.compiled.ranges", reason="needs Numba")
    stored = np.uint16 if dtype == "bfloat16" else np.float16
    expected = np.arange(1 << 16, dtype=np.uint16)
    actual = expected ^ np.uint16(apart)
    form = format_of(np.dtype(stored), STATED.get(dtype))
    for limit in (0.0, 1e-3, np.full(1 << 16, 0.5)):
        arguments = (actual.view(stored), expected.view(stored), form, limit, 1.0, 0)
        assert repr(compiled.range_tally(*arguments)) == repr(kernels.range_tally(*arguments))
    # One at a time, so that no number stands behind a larger one.
    for at in range(0, 1 << 16, 97):
        arguments = (actual[at : at + 1].view(stored), expected[at : at + 1].view(stored), form, 1.0, 1.0, 0)
        assert repr(compiled.range_tally(*arguments)) == repr(kernels.range_tally(*arguments)), at


def test_machine_code_on_unaligned_numbers() -> None:
    compiled = pytest.importorskip("harness.numerics.compiled.ranges", reason="needs Numba")
    actual, expected = noisy(40_000)
    moved = np.empty(actual.nbytes + 1, np.uint8)[1:].view(float)
    moved[:] = actual
    form = format_of(actual.dtype, None)
    tallies = [sweep.sweep(x, expected, form, 0.0, 1.0, compiled.range_tally) for x in (actual, moved)]
    assert repr(tallies[0]) == repr(tallies[1])


def test_neither_threads_nor_layout_nor_numba_change_a_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    actual, expected = noisy(300_000)
    shaped = [x.reshape(3, 50, 2000) for x in (actual, expected)]
    wanted = repr(compare(*shaped, limit=1e-9))
    monkeypatch.setattr(sweep, "_RANGE", kernels.BLOCK)
    monkeypatch.setattr(sweep, "_COMPILED_FROM", actual.size)
    for cores in (1, 2, 7):
        monkeypatch.setattr(sweep, "cores", lambda cores=cores: cores)
        assert repr(compare(*shaped, limit=1e-9)) == wanted
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0), (2, 1, 0)):
        back = np.argsort(order)
        stored = [np.ascontiguousarray(x.transpose(order)).transpose(back) for x in shaped]
        assert repr(compare(*stored, limit=1e-9)) == wanted
    monkeypatch.setitem(sys.modules, "harness.numerics.compiled.ranges", None)
    assert sweep.fastest(format_of(actual.dtype, None), actual.size) is kernels.range_tally
    assert repr(compare(*shaped, limit=1e-9)) == wanted


def test_numba_is_imported_for_large_arrays_only_and_used_for_all_once_loaded() -> None:
    pytest.importorskip("numba")
    program = """
import sys
import numpy as np
from harness.numerics import compare, kernels, sweep
from harness.numerics.formats import format_of

double, single = (format_of(np.dtype(name), None) for name in ("float64", "float32"))
few, many = np.ones(1000), np.ones(1 << 19)
compare(few, few)
assert "numba" not in sys.modules
compare(many, many)
from harness.numerics.compiled import ranges as compiled
assert sweep.fastest(double, few.size) is compiled.range_tally
assert sweep.fastest(single, few.size) is kernels.range_tally
assert sweep.fastest(single, many.size) is compiled.range_tally
"""
    subprocess.run([sys.executable, "-c", program], check=True)
