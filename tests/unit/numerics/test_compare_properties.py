"""`compare` held to a slow, obvious implementation: one number at a time, in exact arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.model import ErrorStats
from harness.numerics import compare, kernels, stats
from harness.numerics.formats import format_of
from harness.numerics.sweep import sweep

MANTISSA = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52}
PART = {"complex64": "float32", "complex128": "float64"}
WIDTH = {"float16": 16, "bfloat16": 16, "float32": 32, "float64": 64}
INTEGERS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
DTYPES = (*MANTISSA, *PART, *INTEGERS)
Number = Fraction | float


# The slow, obvious implementation.


def decode(pattern: int, form: str) -> Number:
    """The exact value of a bit pattern, or a float that is not finite."""
    mantissa, width = MANTISSA[form], WIDTH[form]
    exponent_bits = width - 1 - mantissa
    sign = -1 if pattern >> (width - 1) else 1
    exponent = (pattern >> mantissa) & ((1 << exponent_bits) - 1)
    fraction = pattern & ((1 << mantissa) - 1)
    if exponent == (1 << exponent_bits) - 1:
        return math.nan if fraction else sign * math.inf
    bias = (1 << (exponent_bits - 1)) - 1
    if exponent == 0:
        return sign * Fraction(fraction) * Fraction(2) ** (1 - bias - mantissa)
    return sign * Fraction(fraction + (1 << mantissa)) * Fraction(2) ** (exponent - bias - mantissa)


def place(pattern: int, form: str) -> int:
    """Where a pattern stands among all numbers of its format, counted from zero."""
    sign = 1 << (WIDTH[form] - 1)
    return -(pattern - sign) if pattern & sign else pattern


def rounded(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def modulus(re: float, im: float) -> float:
    large, small = max(abs(re), abs(im)), min(abs(re), abs(im))
    if small in (0.0, math.inf):
        return large
    return large * math.sqrt(1.0 + (small / large) * (small / large))


def alike(a: Number, e: Number) -> bool:
    return a == e or (math.isnan(a) and math.isnan(e))


def slow(
    a_parts: list[list[int]], e_parts: list[list[int]], name: str, shape: tuple[int, ...], limits: list[float]
) -> ErrorStats:
    """Every element as a list of the bit patterns of its parts."""
    form = PART.get(name, name)
    errors: list[float] = []
    best: dict[str, tuple[float, int | None]] = {"abs": (0.0, None), "rel": (0.0, None), "ulp": (0, None)}
    histogram = [0] * 23
    counts = dict.fromkeys(("nan_both", "nan_mismatch", "inf_mismatch", "zeros", "beyond"), 0)
    first, used = None, 0.0

    def note(what: str, value: float, at: int) -> None:
        if value > best[what][0]:
            best[what] = (value, at)

    for at, (a_bits, e_bits) in enumerate(zip(a_parts, e_parts, strict=True)):
        if name in INTEGERS:
            a, e = [Fraction(x) for x in a_bits], [Fraction(x) for x in e_bits]
            steps = abs(a_bits[0] - e_bits[0])
        else:
            a, e = [decode(x, form) for x in a_bits], [decode(x, form) for x in e_bits]  # type: ignore[misc]
            steps = max(abs(place(x, form) - place(y, form)) for x, y in zip(a_bits, e_bits, strict=True))
            counts["zeros"] += any(
                p == q == 0 and x != y for p, q, x, y in zip(a, e, a_bits, e_bits, strict=True)
            )
        matches = all(alike(p, q) for p, q in zip(a, e, strict=True))
        if not all(map(math.isfinite, (*a, *e))):
            nan = any(map(math.isnan, (*a, *e)))
            counts["nan_both"] += nan and matches
            counts["nan_mismatch"] += nan and not matches
            counts["inf_mismatch"] += not nan and not matches
            over = not matches
        else:
            differences = [rounded(p - q) for p, q in zip(a, e, strict=True)]
            error = modulus(*differences) if name in PART else abs(differences[0])
            size = [abs(float(q)) for q in e]
            whole = min(modulus(*size), float(np.finfo(float).max)) if name in PART else size[0]
            errors.append(error)
            note("abs", error, at)
            if error:
                with np.errstate(all="ignore"):
                    note("rel", float(np.float64(error) / whole), at)
            note("ulp", steps, at)
            histogram[min(22, 1 + (steps - 1).bit_length()) if steps else 0] += 1
            over = error > limits[at]
            if error and limits[at] < math.inf:
                used = max(used, error / limits[at] if limits[at] else math.inf)
        counts["beyond"] += over
        if over and first is None:
            first = at

    def index(at: int | None) -> tuple[int, ...] | None:
        return None if at is None else tuple(int(i) for i in np.unravel_index(at, shape))

    return ErrorStats(
        count=len(a_parts),
        max_abs=best["abs"][0],
        max_abs_index=index(best["abs"][1]),
        max_rel=best["rel"][0],
        max_rel_index=index(best["rel"][1]),
        max_ulp=float(best["ulp"][0]),
        max_ulp_index=index(best["ulp"][1]),
        mean_abs=mean(errors),
        rms=root_mean_square(errors),
        ulp_histogram=tuple(histogram),
        nan_both=counts["nan_both"],
        nan_mismatch=counts["nan_mismatch"],
        inf_mismatch=counts["inf_mismatch"],
        zero_sign_mismatch=counts["zeros"],
        beyond=counts["beyond"],
        first_beyond=index(first),
        used=used,
    )


def mean(errors: list[float]) -> float:
    if not errors or math.inf in errors:
        return math.inf if errors else 0.0
    return rounded(sum(map(Fraction, errors), Fraction(0)) / len(errors))


def root_mean_square(errors: list[float]) -> float:
    largest = max(errors, default=0.0)
    if largest in (0.0, math.inf):
        return largest
    shares = [Fraction(error) / Fraction(largest) for error in errors]
    return largest * math.sqrt(sum((share * share for share in shares), Fraction(0)) / len(errors))


# Numbers where formats end, and their neighbours.


def patterns(form: str) -> st.SearchStrategy[int]:
    if form in INTEGERS:
        info = np.iinfo(form) if form != "bool" else None
        low, high = (int(info.min), int(info.max)) if info else (0, 1)
        edges = [x for x in (low, low + 1, -1, 0, 1, high - 1, high) if low <= x <= high]
        return st.sampled_from(edges) | st.integers(low, high)
    width, mantissa = WIDTH[form], MANTISSA[form]
    infinity = ((1 << (width - 1 - mantissa)) - 1) << mantissa
    unity = (infinity >> 1) & ~((1 << mantissa) - 1)
    quiet = infinity | 1 << (mantissa - 1)
    edges = [
        0,
        1,
        (1 << mantissa) - 1,
        1 << mantissa,
        unity,
        unity + 1,
        infinity - 1,
        infinity,
        infinity + 1,
        quiet,
        quiet | 5,
        (1 << (width - 1)) - 1,
    ]
    sign = 1 << (width - 1)
    near = st.builds(lambda x, d: min(max(x + d, 0), sign - 1), st.sampled_from(edges), st.integers(-3, 3))
    return st.builds(lambda x, s: x | sign * s, near | st.integers(0, sign - 1), st.booleans())


@st.composite
def pairs(draw: st.DrawFn, name: str) -> tuple[list[list[int]], list[list[int]], tuple[int, ...]]:
    """Two lists of elements that agree, nearly agree, or have nothing in common; and a shape."""
    shape = tuple(draw(st.lists(st.integers(0, 4), max_size=3)))
    form = PART.get(name, name)
    elements = patterns(form)
    top = 1 if name == "bool" else int(np.iinfo(name).max) if name in INTEGERS else (1 << WIDTH[form]) - 1
    parts = 2 if name in PART else 1
    expected, actual = [], []
    for _ in range(math.prod(shape)):
        e = [draw(elements) for _ in range(parts)]
        kind = draw(st.sampled_from(("same", "near", "other", "mirrored")))
        if kind == "same":
            a = list(e)
        elif kind == "near":
            a = [min(x + draw(st.integers(0, 40)), top) for x in e]
        elif kind == "mirrored" and name not in INTEGERS:
            a = [x ^ 1 << (WIDTH[form] - 1) for x in e]
        else:
            a = [draw(elements) for _ in range(parts)]
        expected.append(e)
        actual.append(a)
    return actual, expected, shape


def assemble(elements: list[list[int]], name: str, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    if name in INTEGERS:
        return np.array([x[0] for x in elements], dtype=name).reshape(shape)
    flat = [x for parts in elements for x in parts]
    raw = np.array(flat, dtype=f"u{WIDTH[PART.get(name, name)] // 8}")
    array: np.ndarray[Any, Any] = raw.view(raw.dtype if name == "bfloat16" else name).reshape(shape)
    return array


def laid_out(array: np.ndarray[Any, Any], layout: str) -> np.ndarray[Any, Any]:
    """The same numbers, in another place of memory for each layout."""
    if layout == "reversed" and array.ndim:
        return np.ascontiguousarray(array[::-1])[::-1]
    if layout == "fortran" and array.ndim:
        return np.asfortranarray(array)
    if layout == "gaps" and array.ndim:
        wide = np.zeros((*array.shape[:-1], 3 * array.shape[-1]), array.dtype)
        wide[..., ::3] = array
        return wide[..., ::3]
    if layout == "unaligned":
        raw = bytearray(array.nbytes + 1)
        moved: np.ndarray[Any, Any] = np.frombuffer(raw, np.uint8)[1:].view(array.dtype).reshape(array.shape)
        moved[...] = array
        return moved
    if layout == "swapped":
        swapped: np.ndarray[Any, Any] = array.astype(array.dtype.newbyteorder())
        return swapped
    if layout == "read-only":
        array = array.copy()
        array.flags.writeable = False
    return array


LAYOUTS = ("plain", "reversed", "fortran", "gaps", "unaligned", "swapped", "read-only")
LIMITS = st.sampled_from([0.0, 5e-324, 1e-3, 1.0, 40.0, 1e300, math.inf])


def same(left: ErrorStats, right: ErrorStats) -> None:
    for field in ErrorStats.__struct_fields__:
        a, b = getattr(left, field), getattr(right, field)
        if field in ("mean_abs", "rms"):
            # At most 64 additions one after the other, a product, a quotient and a root: 2**-46.
            assert math.isclose(a, b, rel_tol=2.0**-46, abs_tol=1e-323), (field, a, b)
        else:
            assert repr(a) == repr(b), (field, a, b)


@pytest.mark.parametrize("name", DTYPES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_dtype_in_every_layout(name: str, data: st.DataObject) -> None:
    actual, expected, shape = data.draw(pairs(name))
    limit: Any = data.draw(st.none() | LIMITS | st.lists(LIMITS, min_size=len(actual), max_size=len(actual)))
    stated = "bfloat16" if name == "bfloat16" else None
    layouts = data.draw(st.tuples(st.sampled_from(LAYOUTS), st.sampled_from(LAYOUTS)))
    if "swapped" in layouts:
        layouts = ("swapped", "swapped")
    a = laid_out(assemble(actual, name, shape), layouts[0])
    e = laid_out(assemble(expected, name, shape), layouts[1])
    limits = limit if isinstance(limit, list) else [math.inf if limit is None else limit] * len(actual)
    if isinstance(limit, list):
        limit = (
            laid_out(np.array(limit).reshape(shape), data.draw(st.sampled_from(LAYOUTS)))
            if shape
            else limit[0]
        )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stats, "fastest", lambda form, size: kernels.range_tally)
        error_stats = compare(a, e, limit=limit, dtype=stated)
    same(error_stats, slow(actual, expected, name, shape, limits))


# Numba compiles a kernel for each format, for six to eight seconds: two are among the fast tests.
COMPILED = [
    pytest.param(name, marks=() if name in ("float64", "complex128") else pytest.mark.slow)
    for name in (*MANTISSA, *PART, "bool", "int8", "int64", "uint64")
]


@pytest.mark.parametrize("name", COMPILED)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_machine_code_finds_the_same(name: str, data: st.DataObject) -> None:
    compiled = pytest.importorskip("harness.numerics.compiled.ranges", reason="needs Numba")
    actual, expected, shape = data.draw(pairs(name))
    if not actual:
        return
    a, e = assemble(actual, name, shape), assemble(expected, name, shape)
    limit: Any = data.draw(LIMITS | st.lists(LIMITS, min_size=len(actual), max_size=len(actual)))
    if isinstance(limit, list):
        limit = np.array(limit).reshape(shape)
    scale = data.draw(st.sampled_from([1.0, 2.0**900, 2.0**-900]))
    form = format_of(a.dtype, "bfloat16" if name == "bfloat16" else None)
    tallies = [sweep(a, e, form, limit, scale, kernel.range_tally) for kernel in (kernels, compiled)]
    assert repr(tallies[0]) == repr(tallies[1])
