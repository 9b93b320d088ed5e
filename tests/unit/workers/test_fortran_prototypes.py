"""What gfortran says that a procedure takes and returns."""

from __future__ import annotations

import pytest

from harness.workers.fortran_prototypes import procedures

NOT_IN_C = "/* WARNING: Converting 'REAL(8)' to interoperable type */"


@pytest.mark.parametrize(
    "line",
    [
        "double half (const double *x);",
        f"double half {NOT_IN_C} (const double *x /* WARNING: non-interoperable KIND */ );",
    ],
)
def test_a_function_is_read_whatever_remark_stands_in_it(line: str) -> None:
    (half,) = procedures(f"#include <stddef.h>\n\n{line}\n").values()
    assert half.symbol == "half"
    assert half.returns is not None
    assert (half.returns.kind, half.returns.size) == ("float", 8)
    assert [(taken.kind, taken.size, taken.by_address) for taken in half.takes] == [("float", 8, True)]


def test_an_array_of_a_constant_size_is_passed_by_its_address() -> None:
    """As gfortran 16 writes it."""
    (made,) = procedures("void p_ (const int *n, const double pooled[3], double out[3]);\n").values()
    assert [(taken.kind, taken.size, taken.by_address) for taken in made.takes] == [
        ("whole", 4, True), ("float", 8, True), ("float", 8, True),
    ]  # fmt: skip
