# Sources of other languages, in lines of their own.
# ruff: noqa: E501
# Sources of other languages, in lines of their own.
# ruff: noqa: E501
"""Workers of C, C++ and Fortran: bits, prototypes, errors with lines, precisions, and what is compiled anew."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest

from harness.errors import ImplementationError, WorkerCrashed
from harness.model import Absent
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry
from harness.workers.compiler import SANITIZE
from tests.integration.compiled_sources import ARITY, CHOSEN, LANGUAGES, STAGES

pytestmark = pytest.mark.compiled

ROOT = Path(__file__).parents[2]


def start(folder: Path, runtime: str) -> Worker:
    launch = Registry.load(folder).launch(runtime)
    if isinstance(launch, Absent):
        pytest.skip(launch.reason)
    worker = Worker.spawn(runtime, launch, stderr=folder / f"{runtime}.stderr", scratch=folder)
    worker.greet()
    return worker


@pytest.fixture
def folder(tmp_path: Path, compiled_cache: Path) -> Path:
    (tmp_path / "case.toml").write_text(STAGES + CHOSEN, encoding="utf-8")
    return tmp_path


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_every_bit_crosses_both_ways(folder: Path, language: str, precision: str) -> None:
    suffix, text = LANGUAGES[language]
    source = folder / f"stages{suffix}"
    source.write_text(text, encoding="utf-8")
    worker = start(folder, language)
    try:
        loaded = worker.load(source, ARITY, deadline=60, precision=precision)
        assert loaded.problems == {}

        def call(stage: str, *inputs: np.ndarray, outputs: int = 1) -> list[np.ndarray]:
            return worker.call(loaded.handle, stage, inputs, outputs=outputs, deadline=10)[0]

        odd = np.array([[-0.0, np.nan, np.inf], [5e-324, 1.5, -2.0]]).astype(precision)
        for sent in (odd, odd.T, np.zeros((0, 3), precision)):
            (got,) = call("same", sent)
            assert (got.dtype, got.shape) == (sent.dtype, sent.shape)
            assert np.ascontiguousarray(got).tobytes() == np.ascontiguousarray(sent).tobytes()
        x = np.array([[1.0, 2.0, 4.0], [8.0, 16.0, 32.5]], precision)
        assert call("scaled", x, np.array(0.5, precision))[0].tolist() == (x / 2).tolist()
        (total,) = call("total", x)
        assert (total.shape, total.dtype, float(total)) == ((), precision, 63.5)
        few, flags = np.array([7, -8]), np.array([True, False])
        (count,) = call("count", x, few)
        assert (count.dtype, int(count)) == (np.int64, 237)
        z = np.array([1 + 2j, -3j], "c8" if precision == "float32" else "c16")
        (turned,) = call("turned", z)
        assert (turned.dtype, turned.tolist()) == (z.dtype, [-2 + 1j, 3 + 0j])
        places, marks = call("index", few, flags, outputs=2)
        assert (places.tolist(), places.dtype, marks.tolist()) == ([-7, 8], np.int64, [False, True])
        (chosen,) = call("chosen", x)
        assert (chosen.tolist(), chosen.dtype) == ([[1, 2], [3, 4], [5, 6]], precision)
        arrays, others, _ = worker.calls(
            loaded.handle, "scaled", [np.stack([x, 2 * x]), np.array([2.0, 3.0], precision)], 2,
            names=["scaled"], deadline=10,
        )  # fmt: skip
        assert (arrays[0].tolist(), others) == ([(2 * x).tolist(), (6 * x).tolist()], [])
        with pytest.raises(ImplementationError, match="z has the shape \\[2, 3\\], not \\[n\\]"):
            call("turned", x.astype(z.dtype))
        assert "noise" in worker.stderr_tail()
    finally:
        worker.stop()


def problems(
    folder: Path,
    runtime: str,
    name: str,
    text: str,
    precision: str = "float64",
    stages: tuple[str, ...] = ("same", "total"),
) -> dict[str, str]:
    """What a worker says of a file's stages, or of the file."""
    source = folder / name
    source.write_text(text, encoding="utf-8")
    worker = start(folder, runtime)
    try:
        found = worker.load(source, dict.fromkeys(stages, 1), deadline=60, precision=precision).problems
        return {stage: f"{why.kind} {why.line}: {why.message}" for stage, why in found.items()}
    except ImplementationError as error:
        return {"file": f"{error.kind} {error.line}: {error.message}"}
    finally:
        worker.stop()


HELPED = """\
function halves(n, x) result(made)
  ! end function
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8) :: made(n)
  if (n > 0) then
    made = half(x)
  end if
contains
  elemental function half(number)
    real(8), intent(in) :: number
    real(8) :: half
    half = number / 2
  end function half
end function halves

subroutine same(n, d, x, out)
  implicit none
  integer, intent(in) :: n, d
  real(8), intent(in) :: x(n, d)
  real(8), intent(out) :: out(n, d)
  interface
    function halves(n, x) result(made)
      integer, intent(in) :: n
      real(8), intent(in) :: x(n)
      real(8) :: made(n)
    end function halves
  end interface
  integer :: j
  do j = 1, d
    out(:, j) = 2 * halves(n, x(:, j))
  end do
end subroutine
"""


def test_a_function_of_fortran_that_returns_an_array_spoils_itself_alone(folder: Path) -> None:
    """gfortran 12 fails at its prototype, and then writes none of the file's others."""
    source = folder / "helped.f90"
    source.write_text(HELPED, encoding="utf-8")
    worker = start(folder, "fortran")
    try:
        loaded = worker.load(source, {"same": 1, "total": 1}, deadline=60)
        assert {name: why.kind for name, why in loaded.problems.items()} == {"total": "missing"}
        x = np.arange(6.0).reshape(2, 3)
        assert worker.call(loaded.handle, "same", [x], outputs=1, deadline=60)[0][0].tolist() == x.tolist()
    finally:
        worker.stop()


WRONG = {
    "c, not there": ("c", "a.c", "int x;\n", "total", "missing None: there is no function real total"),
    "c, syntax": ("c", "a.c", "int x;\nint f(void) { return y; }\n", "file", "load 2: it does not compile: .y. und"),
    "c, elsewhere": ("c", "a.c", "\nint g(void);\nint f(void)\n{\n return g(); }\n", "file", "load 5: .* undefined"),
    "c, arguments": (
        "c", "a.c", "#include <stddef.h>\nvoid same(int n, double *x) {}\n", "same",
        r"arity 2: conflicting types for .same.*; void same\(size_t n, size_t d, const real x\[n\]\[d\], real",
    ),
    "c, pointers": (
        "c", "a.c", "#include <stddef.h>\nvoid same(size_t n, size_t d, const double *x, double *y) {}\n", "total",
        "missing",
    ),
    "c, include": ("c", "a.c", '#include "nowhere.h"\n', "file", "load 1: .*nowhere.h: No such file"),
    "c++, arguments": ("cpp", "a.cpp", "int x;\nvoid same(int n, real *x) {}\n", "same", "arity 2: .*; void same\\(size_t"),
    "c++, not there": ("cpp", "a.cpp", "void sam(int n) {}\n", "same", "missing None: .* void same\\(size_t"),
    "c++, syntax": ("cpp", "a.cpp", "int f() { return y; }\n", "file", "load 1: it does not compile: .y. was not"),
    "fortran, not there": ("fortran", "a.f90", "subroutine f()\nend\n", "same", "missing None: there is no subr"),
    "fortran, syntax": (
        "fortran", "a.f90", "subroutine f()\n implicit none\n y = 1\nend\n", "file", "load 3: .*Symbol .y. at .1.",
    ),
    "fortran, arguments": (
        "fortran", "a.f90", "subroutine other()\nend\nsubroutine Same(n, x)\n integer n\n real(8) x(n)\nend\n", "same",
        "arity 3: same: it takes 2 arguments, and 4 are given: n, d, x, same",
    ),
    "fortran, types": (
        "fortran", "a.f90", "subroutine same(n, d, x, o)\n integer n, d\n real x(n, d), o(n, d)\nend\n", "same",
        r"arity 1: same: x is real\(4\), and real\(8\) is expected",
    ),
    "fortran, a size that no input has": (
        "fortran", "a.f90",
        "subroutine chosen(n, d, x, k, o)\n integer n, d, k\n real(8) x(n, d), o(n, d)\nend\n", "chosen",
        r"arity 1: chosen: chosen is real\(8\), and type\(c_ptr\), to memory that malloc gives, is expected",
    ),
    "fortran, a size that is not taken": (
        "fortran", "a.f90",
        "subroutine chosen(n, d, x, o)\n integer n, d\n real(8) x(n, d)\n real(8), allocatable :: o(:, :)\nend\n", "chosen",
        r"arity 1: chosen: o cannot be passed .*; subroutine chosen\(n, d, x, k, out\) with x\(n, d\), type\(c_ptr\) out is",
    ),
    "fortran, a size by value": (
        "fortran", "a.f90",
        "subroutine chosen(n, d, x, k, o) bind(c)\n use iso_c_binding\n integer, value :: k\n integer n, d\n real(8) x(n, d)\n"
        " type(c_ptr) o\nend\n", "chosen", "arity 1: chosen: k is passed by value, and is to be set",
    ),
    "fortran, without sizes": (
        "fortran", "a.f90",
        "subroutine same(n, d, x, o)\n integer n, d\n real(8) :: x(:, :), o(n, d)\n o = x\nend\n", "same",
        r"arity 1: same: x cannot be passed from outside .*; subroutine same\(n, d, x, out\) with x\(n, d\), out\(n, d\)",
    ),
    "fortran, without sizes in bind(c)": (
        "fortran", "a.f90",
        "module m\ncontains\nsubroutine same(x, o) bind(c)\n real(8), intent(in) :: x(0:, :)\n real(8), intent(out) :: o(:, :)\n o = x\nend\nend module\n",
        "same", "arity 3: same: o and x cannot be passed from outside",
    ),
    "fortran, allocatable": (
        "fortran", "a.f90",
        "subroutine same(n, d, x, o)\n integer n, d\n real(8) :: x(n, d)\n"
        " real(8), allocatable, intent(out) :: o(:, :)\n o = x\nend\n", "same", "arity 1: same: o cannot be passed",
    ),
    "fortran, an array is returned": (
        "fortran", "a.f90",
        "subroutine f()\nend\nfunction same(n, x)\n integer n\n real(8) x(n), same(n)\n same = x\nend\n", "same",
        "arity 3: same: the function same returns an array, and a subroutine is expected",
    ),
    "fortran, by value": (
        "fortran", "a.f90",
        "subroutine same(n, d, x, o) bind(c)\n integer, value :: n, d\n real(8) :: x(n, d)\n real(8), value :: o\nend\n",
        "same", "arity 1: same: same is passed by value, and is to be set",
    ),
    "fortran, another one in a module": (
        "fortran", "a.f90",
        "module m\ncontains\nsubroutine same(x)\n real(8) :: x(:)\nend subroutine\nend module\n"
        "subroutine same(n)\n integer n\nend\n", "same", "arity 7: same: it takes 1 arguments",
    ),
    "fortran, none": (
        "fortran", "a.f90", "subroutine other(n)\n integer n\nend\n", "same",
        r"missing None: there is no subroutine same\(.*\) with .* in a\.f90",
    ),
    "fortran, in a module": (
        "fortran", "a.f90", "module m\ncontains\nsubroutine same(n)\n integer n\nend\nend\n", "same",
        "missing 3: there is no subroutine same outside of a module: write it there, or give it bind",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("runtime", "name", "text", "stage", "words"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_called_is_told_with_its_line(
    folder: Path, runtime: str, name: str, text: str, stage: str, words: str
) -> None:
    told = problems(folder, runtime, name, text, stages=("same", "total", "chosen"))
    assert stage in told
    assert re.match(words, told[stage]), told


@pytest.mark.parametrize("whole", ["integer", "integer(8)", "integer(c_size_t)"])
def test_fortran_takes_values_of_any_kind_of_number(folder: Path, whole: str) -> None:
    source = folder / "a.f90"
    source.write_text(
        f"subroutine scaled(n, d, x, factor, out) bind(c)\n use iso_c_binding\n {whole}, value :: n, d\n"
        " real(HARNESS_REAL), value :: factor\n real(8) :: x(n, d), out(n, d)\n out = factor * x\nend\n",
        encoding="utf-8",
    )
    worker = start(folder, "fortran")
    try:
        loaded = worker.load(source, {"scaled": 1}, deadline=60)
        assert loaded.problems == {}
        given = [np.array([[1.0, 2.0, 3.0]]), np.array(0.5)]
        (got,) = worker.call(loaded.handle, "scaled", given, outputs=1, deadline=10)[0]
        assert got.tolist() == [[0.5, 1.0, 1.5]]
    finally:
        worker.stop()


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        ("", "the size k was not set"),
        ("k = k + 1", "the size k was not set"),
        ("k = 2", "chosen is a null pointer"),
    ],
)
def test_a_size_or_memory_that_fortran_does_not_set_is_told(
    folder: Path, statements: str, words: str
) -> None:
    source = folder / "a.f90"
    begin = "subroutine chosen(n, d, x, k, o)\n use iso_c_binding\n integer n, d, k\n real(8) x(n, d)\n type(c_ptr) o\n"
    source.write_text(f"{begin} {statements}\nend\n", encoding="utf-8")
    worker = start(folder, "fortran")
    try:
        handle = worker.load(source, {"chosen": 1}, deadline=60).handle
        with pytest.raises(ImplementationError, match=words):
            worker.call(handle, "chosen", [np.ones((1, 1))], outputs=1, deadline=10)
    finally:
        worker.stop()


@pytest.mark.parametrize("statement", ["", "(*k)++;", "*(int *)k = 1;"])
def test_a_size_that_c_does_not_set_is_told(folder: Path, statement: str) -> None:
    source = folder / "a.c"
    text = "#include <stddef.h>\n#include <stdlib.h>\nvoid chosen(size_t n, size_t d, const double *x, size_t *k, double **out)\n"
    source.write_text(text + f"{{ *out = calloc(2, sizeof **out); {statement} }}\n", encoding="utf-8")
    worker = start(folder, "c")
    try:
        handle = worker.load(source, {"chosen": 1}, deadline=60).handle
        with pytest.raises(ImplementationError, match="the size k was not set"):
            worker.call(handle, "chosen", [np.ones((1, 1))], outputs=1, deadline=10)
    finally:
        worker.stop()


@pytest.mark.parametrize(("runtime", "name"), [("c", "a.c"), ("fortran", "a.f90")])
def test_what_does_not_compile_in_any_precision_is_an_error_in_each(
    folder: Path, runtime: str, name: str
) -> None:
    told = problems(folder, runtime, name, "nonsense\n", "float32")
    assert told["file"].startswith("load 1: it does not compile: ")


def test_a_wrong_signature_is_the_stage_s_in_each_precision(folder: Path) -> None:
    text = "#include <stddef.h>\nvoid same(int n, real *x) {}\n"
    text += "real total(size_t n, size_t d, const real *x) { return 1; }\n"
    told = problems(folder, "c", "a.c", text, "float32")
    assert told.keys() == {"same"}
    assert told["same"].startswith("arity 2: conflicting types for")


@pytest.mark.parametrize("runtime", ["c", "fortran"])
def test_a_file_that_has_one_precision_is_not_run_in_another(folder: Path, runtime: str) -> None:
    texts = {
        "c": "#include <stddef.h>\nvoid same(size_t n, size_t d, const double x[n][d], double y[n][d]) {}\n",
        "fortran": "subroutine same(n, d, x, y)\n integer n, d\n real(8) x(n, d), y(n, d)\nend\n"
        "real(8) function total(n, d, x)\n integer n, d\n real(8) x(n, d)\n total = 1\nend\n",
    }
    told = problems(folder, runtime, f"a{LANGUAGES[runtime][0]}", texts[runtime], "float32")
    assert told["file"].startswith("unsupported")
    assert "it has no float32" in told["file"]


def test_a_file_is_compiled_once_and_again_when_what_it_includes_has_changed(
    folder: Path, compiled_cache: Path
) -> None:
    (folder / "size.h").write_text("#define SIZE 1.0\n", encoding="utf-8")
    text = '#include <stddef.h>\n#include "size.h"\ndouble total(size_t n, size_t d, const double x[n][d]) { return SIZE; }\n'

    def value(runtime: str = "c") -> float:
        source = folder / "once.c"
        source.write_text(text, encoding="utf-8")
        worker = start(folder, runtime)
        try:
            handle = worker.load(source, {"total": 1}, deadline=60).handle
            return float(worker.call(handle, "total", [np.ones((1, 1))], outputs=1, deadline=10)[0][0])
        finally:
            worker.stop()

    def libraries() -> int:
        return len(list((compiled_cache / "compiled").glob("*.so")))

    before = libraries()
    assert [value(), value(), libraries() - before] == [1.0, 1.0, 1]
    assert [value("c-fast"), libraries() - before] == [1.0, 2]
    (folder / "size.h").write_text("#define SIZE 2.0\n", encoding="utf-8")
    assert [value(), libraries() - before] == [2.0, 3]


def test_without_a_cache_that_can_be_written_it_is_compiled_for_the_run(
    folder: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No folder can be made below a file, which holds for root too.
    (folder / "file").touch()
    monkeypatch.setenv("HARNESS_CACHE", str(folder / "file" / "cache"))
    suffix, text = LANGUAGES[language]
    source = folder / f"stages{suffix}"
    source.write_text(text, encoding="utf-8")
    worker = start(folder, language)
    try:
        loaded = worker.load(source, ARITY, deadline=60)
        assert loaded.problems == {}
    finally:
        worker.stop()


def test_a_worker_that_crashes_says_how(folder: Path) -> None:
    source = folder / "crash.c"
    text = (
        "#include <stddef.h>\ndouble total(size_t n, size_t d, const double x[n][d]) { __builtin_trap(); }\n"
    )
    source.write_text(text, encoding="utf-8")
    worker = start(folder, "c")
    handle = worker.load(source, {"total": 1}, deadline=60).handle
    with pytest.raises(WorkerCrashed):
        worker.call(handle, "total", [np.ones((1, 1))], outputs=1, deadline=10)
    assert not worker.alive
    assert os.environ.get(SANITIZE) is None
