"""What nothing outside of a file or module can call: made public in a copy, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.authoring.read_words import read_words
from harness.authoring.unreachable import within_reach
from harness.errors import UsageError

C = """
static double half(double x);
static double part(double x) { return half(x); }
static inline double
half(double x)
{
    static int half_count = 0;
    return x / 2;
}
"""
MODULE = """
module m
contains
subroutine scores(x, out) {bound}
  real(8) :: x, out
end subroutine scores
end module m
subroutine total(x, out)
  real(8) :: x, out
end subroutine total
"""


def test_a_static_function_of_c_is_public_in_the_copy_and_the_lines_stay() -> None:
    source = read_words(Path("a.c"), C, "c")
    changed, said = within_reach(source, ("half",))
    assert said == ["a.c: half: static in the file, and not in the copy"]
    expected = C.replace("static double half", "double half").replace("static inline double", "double")
    assert changed.text == expected
    assert within_reach(changed, ("half",)) == (changed, [])


def test_what_is_called_from_within_the_file_stays_static() -> None:
    source = read_words(Path("a.c"), C.replace("half", "Half_"), "c")
    # It is no stage by its own name: a function under the stage's name calls it.
    assert within_reach(source, ("half",)) == (source, [])


@pytest.mark.parametrize("kind", ["module m", "program m", "MODULE M", "submodule (a) m"])
def test_what_is_inside_of_a_module_or_program_of_fortran_is_refused(kind: str) -> None:
    text = (
        MODULE.format(bound="").replace("module m", kind, 1).replace("end module", f"end {kind.split()[0]}")
    )
    with pytest.raises(UsageError, match=f"scores is inside of a {kind.split()[0].lower()}"):
        within_reach(read_words(Path("a.f90"), text, "fortran"), ("scores",))


@pytest.mark.parametrize(
    ("text", "stage"),
    [
        (MODULE.format(bound="bind(c)"), "scores"),
        (MODULE.format(bound="&\n  bind ( C, name='s')"), "scores"),
        (MODULE.format(bound=""), "total"),
        (MODULE.format(bound="").replace("end module m", "end"), "scores"),
        ("module procedure x\n" + MODULE.format(bound=""), "total"),
    ],
)
def test_what_can_be_called_or_may_be_is_not(text: str, stage: str) -> None:
    source = read_words(Path("a.f90"), text, "fortran")
    assert source.function(stage) is not None
    assert within_reach(source, (stage,)) == (source, [])
