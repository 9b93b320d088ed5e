"""The arithmetic under the streams against exact arithmetic, and each loop against its other form."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from harness.streams import fused, julia, kernels, mt19937, portable, r, tang, torch, ziggurat
from harness.streams.r_uniforms import KINDS


def to_float32(x: Fraction) -> np.float32:
    """The binary32 nearest to x, ties to even: from the two neighbours of a first guess."""
    guess = np.float32(float(x))
    around = [np.nextafter(guess, np.float32(-np.inf)), guess, np.nextafter(guess, np.float32(np.inf))]
    return min(around, key=lambda y: (abs(Fraction(float(y)) - x), int(np.float32(y).view(np.uint32)) & 1))


def test_fused_float32_rounds_once() -> None:
    draw = np.random.RandomState(1)
    a = draw.standard_normal(3000).astype(np.float32)
    b, c = np.float32(0.7), np.float32(-0.3)
    ours = fused.multiply_add_32(a, b, c)
    exact = [to_float32(Fraction(float(x)) * Fraction(float(b)) + Fraction(float(c))) for x in a]
    np.testing.assert_array_equal(ours, np.array(exact))


def test_fused_float32_at_a_double_rounding() -> None:
    # 1 + 2**-24 is halfway between two float32 numbers; the last term decides, and float64 alone loses it
    tie = np.array([1.0 + 2.0**-24])
    for tail in (2.0**-60, -(2.0**-60)):
        expected = np.float32(1.0) if tail < 0 else np.nextafter(np.float32(1.0), np.float32(2.0))
        assert fused.round32(tie, tail)[0] == expected
    assert fused.round32(tie, 0.0)[0] == 1.0


def test_fused_float64_rounds_once() -> None:
    draw = np.random.RandomState(2)
    a = np.concatenate((draw.standard_normal(2000), 1.0 + draw.randint(-8, 9, 2000) * 2.0**-52))
    for b, c in ((2.3, 0.37), (1.0 - 2.0**-52, -1.0), (3.0, 2.0**-53), (0.1, -0.1)):
        exact = [float(Fraction(float(x)) * Fraction(b) + Fraction(c)) for x in a]
        np.testing.assert_array_equal(fused.multiply_add_64(a, b, c), np.array(exact))


def test_portable_functions_are_nearly_exact() -> None:
    x = np.random.RandomState(3).rand(5000).astype(np.float32) + np.float32(2.0**-24)
    ulp = np.spacing(np.abs(np.log(x.astype(np.float64)).astype(np.float32)))
    assert np.max(np.abs(portable.log(x) - np.log(x.astype(np.float64))) / ulp) < 0.82
    angle = (x * np.float32(2 * math.pi)).astype(np.float32)
    for ours, exact in zip(portable.sincos(angle), (np.sin, np.cos), strict=True):
        true = exact(angle.astype(np.float64))
        assert np.max(np.abs(ours - true) / np.spacing(np.abs(true).astype(np.float32))) < 0.57


def test_tang_logarithm() -> None:
    draw = np.random.RandomState(4)
    with localcontext() as context:
        context.prec = 40
        for x in [*draw.rand(2000).tolist(), 2.0**-52, 0.94, 0.95, 0.999999]:
            for ours, exact in ((tang.log(x), Decimal(x).ln()), (tang.log1p(-x), (1 - Decimal(x)).ln())):
                assert abs(Decimal(ours) - exact) < Decimal(math.ulp(ours)) * Decimal("0.6")
    assert tang.log(0.0) == -math.inf
    assert tang.log1p(-(2.0**-60)) == -(2.0**-60)


def test_qnorm() -> None:
    # the first from any table of the normal distribution; the smallest float64 from a quantile of 50 digits
    np.testing.assert_allclose(r.qnorm([0.975, 0.025, 0.5]), [1.959963984540054, -1.959963984540054, 0.0])
    np.testing.assert_allclose(r.qnorm(5e-324), -38.46740561714434, rtol=1e-12)
    np.testing.assert_array_equal(
        r.qnorm([0.0, 1.0, -0.1, 1.1, np.nan]), [-np.inf, np.inf, np.nan, np.nan, np.nan]
    )
    np.testing.assert_array_equal(r.qnorm(np.full((2, 3), 0.5), mean=3.0, sd=2.0), np.full((2, 3), 3.0))
    assert np.isnan(r.qnorm(0.5, sd=-1.0))
    assert r.qnorm(0.9, mean=3.0, sd=0.0) == 3.0


def test_ziggurat_layers_have_one_area() -> None:
    for tables, bits in ((ziggurat.normal_tables(), 51), (ziggurat.exponential_tables(), 52)):
        x = tables.w[1:] * 2.0**bits
        areas = x[1:] * (tables.f[1:-1] - tables.f[2:])
        np.testing.assert_allclose(areas, areas[0], rtol=1e-10)
        assert np.all(np.diff(x) > 0)
        assert tables.k[1] == 0


@pytest.fixture
def without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "compiled", lambda function: None)


LARGE = kernels.WORTH_COMPILING + 12_345
LOOPS: list[Callable[[], np.ndarray[Any, Any]]] = [
    lambda: julia.MersenneTwister(7).rand(LARGE),
    lambda: julia.Xoshiro(7).rand(LARGE),
    lambda: julia.Xoshiro(7).randn(LARGE, dtype="Float32"),
    lambda: r.set_seed(7, "Knuth-TAOCP-2002").runif(LARGE),
]


@pytest.mark.parametrize("draw", LOOPS)
def test_compiled_and_plain_loops_agree(
    draw: Callable[[], np.ndarray[Any, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    fast = draw()
    monkeypatch.setattr(kernels, "compiled", lambda function: None)
    np.testing.assert_array_equal(fast.view(np.uint8), draw().view(np.uint8))


@pytest.mark.usefixtures("without_numba")
def test_everything_works_without_numba() -> None:
    assert julia.MersenneTwister(7).randn(LARGE).std() == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("kind", KINDS)
def test_blocks_of_any_size_are_one_stream(kind: str) -> None:
    whole = r.set_seed(5, kind).runif(3000)  # type: ignore[arg-type]
    pieces = r.set_seed(5, kind)  # type: ignore[arg-type]
    sizes = [0, 1, 2, 3, 100, 101, 7, 0, 786, 2000]
    np.testing.assert_array_equal(np.concatenate([pieces.runif(n) for n in sizes]), whole)


def test_twister_goes_on_where_it_ended() -> None:
    first, second = mt19937.from_seed_2002(3), mt19937.from_seed_2002(3)
    np.testing.assert_array_equal(np.concatenate((first.words(5), first.words(700))), second.words(705))


def test_importing_the_streams_imports_no_heavy_library() -> None:
    code = (
        "import sys; from harness.streams import julia, numpy, r, torch, versions\n"
        "julia.MersenneTwister(1).randn(100), torch.Generator(1).randn(100), r.set_seed(1).rnorm(100)\n"
        "print(sorted({'numba', 'torch', 'rpy2', 'juliacall'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_vector_instructions_change() -> None:
    """The figures stated in docs/streams.md, over 20 seeds of 50,000 float32 normals."""
    vector, scalar = (
        np.concatenate([torch.Generator(seed, c).randn(50_000) for seed in range(20)])
        for c in ("AVX2", "DEFAULT")
    )
    ulps = np.abs(vector.astype(np.float64) - scalar) / np.spacing(np.abs(scalar)).astype(np.float64)
    assert np.count_nonzero(ulps) / ulps.size == pytest.approx(0.385, abs=0.001)
    assert np.max(np.abs(vector.astype(np.float64) - scalar)) < 2.5e-6
    assert np.max(ulps[np.abs(scalar) >= 0.1]) == 230
