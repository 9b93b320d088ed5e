# Sources of other languages, in lines of their own.
# ruff: noqa: E501
"""C, C++ and Fortran in a run: crashes, hangs, what guards and sanitizers find, and wrong functions."""

from __future__ import annotations

import re
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest

from harness.conformance.gather import gather
from harness.conformance.hosts import workers
from harness.conformance.loading import Loading
from harness.conformance.observe import Job
from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.model import Absent, Cell, Mode, Record, Verdict
from harness.runtimes.registry import Registry
from harness.workers.compiler import SANITIZE
from tests.integration.one_case import run_case

pytestmark = pytest.mark.compiled
ROOT = Path(__file__).parents[2]

CASE = """
[case]
name = "toy"
title = "twice, and a sum"
origin = "here"
fixture = "toy"
timeout = 5

[inputs]
x = ["n"]

[[stage]]
name = "twice"
inputs = ["x"]
shape = ["n"]

[[stage]]
name = "more"
inputs = ["x"]
shape = ["n"]
"""
NUMPY = "def twice(x):\n    return 2 * x\n\n\ndef more(x):\n    return x + 1\n"
HEAD = "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <unistd.h>\ntypedef HARNESS_REAL real;\n"
MORE = "void more(size_t n, const real x[n], real y[n]) { for (size_t i = 0; i < n; i++) y[i] = x[i] + 1; }\n"
TWICE = "void twice(size_t n, const real x[n], real y[n]) { for (size_t i = 0; i < n; i++) y[i] = 2 * x[i]; %s }\n"


def toy(suite: Path, statement: str) -> Record:
    sources = {"toy.py": NUMPY, "toy.c": HEAD + TWICE % statement + MORE}
    return run_case(suite, "toy", CASE, sources, np.array([1.0, 2.0, 3.0]))


def cells_of(record: Record, implementation: str) -> dict[str, Cell]:
    """The isolated cells of an implementation, by stage."""
    return {
        cell.stage: cell
        for cell in record.cells
        if cell.implementation == implementation and cell.mode is Mode.ISOLATED
    }


@pytest.mark.parametrize(
    ("statement", "verdict", "reason"),
    [
        ("", Verdict.PASS, ""),
        ("*(volatile int *)0 = 1;", Verdict.ERROR, "was killed by SIGSEGV (--sanitize says in which line)"),
        ("abort();", Verdict.ERROR, "SIGABRT"),
        ("exit(3);", Verdict.ERROR, ""),
        ("while (1) sleep(1);", Verdict.TIMEOUT, "5"),
        ("y[1] = 0;", Verdict.FAIL, ""),
        ("y[2] = y[2] * (1 + 1e-12);", Verdict.FAIL, ""),
    ],
)
def test_what_goes_wrong_in_a_function_is_its_cells_alone(
    tmp_path: Path, compiled_cache: Path, statement: str, verdict: Verdict, reason: str
) -> None:
    record = toy(tmp_path, statement)
    cells = cells_of(record, "c")
    assert cells["twice"].verdict is verdict, cells["twice"].reason
    assert reason in cells["twice"].reason
    assert cells["more"].verdict is Verdict.PASS
    assert {cell.verdict for cell in record.cells if cell.implementation == "numpy"} == {Verdict.PASS}


READ = [("y[0] += x[n];", ""), ("y[0] += x[-1];", ""), ("y[0] += y[n];", "")]
WRITTEN = [
    ("y[n] = 1;", "it writes beyond the end of the output twice"),
    ("y[n] = 2 * x[n];", "it writes beyond the end of the output twice"),
    ("y[n] += 1;", "it writes beyond the end of the output twice"),
    ("y[-1] = 1;", "it writes before the beginning of the output twice"),
    ("((real *)x)[n] = 1;", "it writes beyond the end of the input x"),
]


# What is beside an array is the same guard in each size: there, how each end of each kind is looked at.
@pytest.mark.parametrize(
    ("n", "statement", "verdict", "reason"),
    [
        *((6, statement, Verdict.FAIL, reason) for statement, reason in READ),
        *((6, statement, Verdict.ERROR, reason) for statement, reason in WRITTEN),
        *((n, statement, Verdict.FAIL, reason) for n in (1, 50) for statement, reason in READ[:2]),
        *((n, statement, Verdict.ERROR, reason) for n in (1, 50) for statement, reason in WRITTEN[::3]),
    ],
)
def test_what_is_read_or_written_beside_an_array_shows_without_sanitizers(
    tmp_path: Path, compiled_cache: Path, n: int, statement: str, verdict: Verdict, reason: str
) -> None:
    sources = {"toy.py": NUMPY, "toy.c": HEAD + TWICE % statement + MORE}
    cells = cells_of(run_case(tmp_path, "toy", CASE, sources, np.arange(1.0, n + 1)), "c")
    assert cells["twice"].verdict is verdict, cells["twice"].reason
    assert reason in cells["twice"].reason
    assert cells["more"].verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("loop", "line", "verdict", "reason"),
    [
        ("1, n", "y(i) = 2 * x(i)", Verdict.PASS, ""),
        ("0, 0", "y(1) = y(1) + x(i)", Verdict.FAIL, ""),
        ("n + 1, n + 1", "y(1) = y(1) + x(i)", Verdict.FAIL, ""),
        ("0, n", "y(i) = 2 * x(i)", Verdict.ERROR, "before the beginning of the output twice"),
        ("1, n + 1", "y(i) = 2 * x(i)", Verdict.ERROR, "beyond the end of the output twice"),
    ],
)
def test_what_fortran_reads_or_writes_beside_an_array_shows_without_its_checks(
    tmp_path: Path, compiled_cache: Path, loop: str, line: str, verdict: Verdict, reason: str
) -> None:
    body = (
        "integer, intent(in) :: n\nreal(8), intent(in) :: x(n)\nreal(8), intent(out) :: y(n)\ninteger :: i\n"
    )
    text = (
        f"subroutine twice(n, x, y)\n{body}y = 2 * x\n"
        f"do i = {loop}\n{line}\nend do\nend subroutine\n"
        f"subroutine more(n, x, y)\n{body}y = x + 1\nend subroutine\n"
    )
    sources = {"toy.py": NUMPY, "toy.f90": text}
    cells = cells_of(run_case(tmp_path, "toy", CASE, sources, np.array([1.0, 2.0, 3.0])), "fortran")
    assert cells["twice"].verdict is verdict, cells["twice"].reason
    assert reason in cells["twice"].reason
    assert cells["more"].verdict is Verdict.PASS


OVERFLOW = "heap-buffer-overflow|with insufficient space for an object"
"""As the sanitizer of addresses says it, or the other, which newer compilers ask first."""


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("y[n] = 1;", OVERFLOW),
        ("y[0] += x[n];", OVERFLOW),
        ("volatile int shift = 40; y[0] += 1 << shift;", "shift exponent 40 is too large"),
        ("volatile int most = 2147483647; y[0] += most + 1;", "signed integer overflow"),
    ],
)
def test_sanitizers_say_what_a_run_does_not_show(
    tmp_path: Path, compiled_cache: Path, monkeypatch: pytest.MonkeyPatch, statement: str, words: str
) -> None:
    monkeypatch.setenv(SANITIZE, "1")
    record = toy(tmp_path, statement)
    cells = cells_of(record, "c")
    assert cells["twice"].verdict is Verdict.ERROR
    assert re.search(words, cells["twice"].reason)
    assert re.search(words, cells["twice"].detail)
    assert f"toy.c:{len(HEAD.splitlines()) + 1}" in cells["twice"].detail
    assert cells["more"].verdict is Verdict.PASS
    assert "sanitized" in record.header.runtimes["c"].hosting


def test_fortrans_own_checks_are_among_the_sanitizers(
    tmp_path: Path, compiled_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = (
        "integer, intent(in) :: n\nreal(8), intent(in) :: x(n)\nreal(8), intent(out) :: y(n)\ninteger :: i\n"
    )
    text = "".join(
        f"subroutine {name}(n, x, y)\n{body}do i = 1, {last}\ny(i) = {value}\nend do\nend subroutine\n"
        for name, last, value in (("twice", "n + 1", "2 * x(i)"), ("more", "n", "x(i) + 1"))
    )
    sources = {"toy.py": NUMPY, "toy.f90": text}
    monkeypatch.setenv(SANITIZE, "1")
    cells = cells_of(run_case(tmp_path, "toy", CASE, sources, np.array([1.0, 2.0, 3.0])), "fortran")
    assert cells["twice"].verdict is Verdict.ERROR
    assert "Index '4' of dimension 1 of array" in cells["twice"].reason
    assert "above upper bound of 3" in cells["twice"].reason
    assert cells["more"].verdict is Verdict.PASS


def test_a_file_that_does_not_compile_is_told_once(tmp_path: Path, compiled_cache: Path) -> None:
    from harness.report.view import told_once

    record = toy(tmp_path, "nonsense;")
    mine = [cell for cell in record.cells if cell.implementation == "c"]
    assert {cell.verdict for cell in mine} == {Verdict.ERROR}
    (told,) = {cell.reason for cell in told_once(cell for cell in mine if cell.mode is Mode.ISOLATED)}
    assert "nonsense" in told
    assert f"(line {len(HEAD.splitlines()) + 1} of toy.c); the same in 1 more stage" in told


def test_a_stage_is_not_blamed_for_a_precision_that_the_file_lacks(
    tmp_path: Path, compiled_cache: Path
) -> None:
    case = CASE.replace('inputs = ["x"]\nshape = ["n"]\n', 'inputs = ["twice"]\nshape = ["n"]\n').replace(
        'inputs = ["twice"]', 'inputs = ["x"]', 1
    )
    case = case.replace("timeout = 5", 'timeout = 5\nprecisions = ["float64", "float32"]')
    text = (HEAD + TWICE % "" + MORE).replace("real", "double").replace("typedef HARNESS_REAL double;", "")
    sources = {"toy.py": NUMPY.replace("more(x)", "more(twice)").replace("x + 1", "twice + 1"), "toy.c": text}
    record = run_case(tmp_path, "toy", case, sources, np.array([1.0, 2.0]))
    verdicts = {(cell.precision.value, cell.verdict) for cell in record.cells if cell.implementation == "c"}
    assert verdicts == {("float64", Verdict.PASS), ("float32", Verdict.UNSUPPORTED)}
    # What the file lacks as a whole is refused as a whole, as where the runtime lacks it.
    plan, stop = make_plan(tmp_path), threading.Event()
    with workers(plan.registry, plan.runtimes, stop) as (hosts, _):
        units = [unit for unit in gather(plan, list(hosts.values()), stop) if unit is not None]
        (planned,) = plan.cases
        (mine,) = (each for each in planned.implementations if each.id == "c")
        lacking = {
            precision.value: Loading(
                hosts["c"],
                Job(case=planned.case, fixture=planned.fixture, implementation=mine, precision=precision),
            ).lacking()
            for precision in planned.precisions
        }
    refusals = {(unit.implementation.id, unit.precision.value): unit.refusal for unit in units}
    assert refusals["c", "float64"] is None
    refused = refusals["c", "float32"]
    assert lacking == {"float64": None, "float32": refused}
    assert refused is not None
    assert refused.verdict is Verdict.UNSUPPORTED


FAULTS = {
    "c": ("four_word.c", "out[i][j] /= sum;", "out[i][j] /= sum + 1e-9;"),
    "cpp": ("four_word.cpp", "return e / sum; });", "return e / (sum + real(1e-9)); });"),
    "fortran": ("four_word.f90", "out = out / spread(sum(out, dim=2), 2, n)", "out = out / spread(sum(out, dim=1), 1, n)"),
}  # fmt: skip


def test_a_fault_is_found_at_its_stage_in_each_language(tmp_path: Path, compiled_cache: Path) -> None:
    """The softmax of four_word is made wrong: the stage before it and, alone, the one after it are right."""
    suite = tmp_path / "reference_impls"
    shutil.copytree(ROOT / "reference_impls" / "four_word", suite / "four_word")
    shutil.copytree(ROOT / "fixtures" / "four_word", tmp_path / "fixtures" / "four_word")
    for file, right, wrong in FAULTS.values():
        text = (suite / "four_word" / file).read_text(encoding="utf-8")
        assert text.count(right) == 1
        stem, dot, suffix = file.partition(".")
        (suite / "four_word" / f"{stem}.off{dot}{suffix}").write_text(
            text.replace(right, wrong), encoding="utf-8"
        )
    implementations = ("numpy", *FAULTS, *(f"{name}.off" for name in FAULTS), "c-fast", "c-fast.off")
    plan = make_plan(suite, implementations=implementations, precisions=("float64",))
    record = run(plan, out=None, replay="never")
    if record.header.absent:
        pytest.skip(record.header.absent[0].reason)
    for name in implementations:
        verdicts = {stage: cell.verdict for stage, cell in cells_of(record, name).items()}
        wrong = {stage for stage, verdict in verdicts.items() if verdict is not Verdict.PASS}
        assert wrong == ({"weights"} if name.endswith(".off") else set()), name
        assert len(verdicts) == 7


def test_a_compiler_that_is_not_there_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for name in ("CC", "CXX", "FC"):
        monkeypatch.delenv(name, raising=False)
    record = toy(tmp_path, "")
    assert {cell.verdict for cell in cells_of(record, "c").values()} == {Verdict.NOT_RUN}
    assert [(gone.runtime, gone.reason) for gone in record.header.absent] == [
        ("c", "no gcc or cc or clang on PATH"),
        ("c-fast", "no gcc or cc or clang on PATH"),
    ]
    monkeypatch.setenv("CC", "cc-of-elsewhere")
    launch = Registry.load(tmp_path).launch("c")
    assert isinstance(launch, Absent)
    assert launch.reason == "CC is cc-of-elsewhere, which is not there"


SUM = CASE.replace(
    'name = "more"\ninputs = ["x"]\nshape = ["n"]', 'name = "more"\ninputs = ["x"]\nshape = []'
)
UNSET = {
    ".c": "real more(size_t n, const real x[n]) { real s; for (size_t i = 0; i < n; i++) s += x[i]; return s; }\n",
    ".cpp": "#include <cstddef>\ntypedef HARNESS_REAL real;\nvoid twice(size_t n, const real *x, real *y) { for (size_t i = 0; i < n; i++) y[i] = 2 * x[i]; }\n"
    "real more(size_t n, const real *x) { real s; for (size_t i = 0; i < n; i++) s += x[i]; return s; }\n",
    ".f90": """
subroutine twice(n, x, y)
  integer, intent(in) :: n
  real(HARNESS_REAL), intent(in) :: x(n)
  real(HARNESS_REAL), intent(out) :: y(n)
  y = 2 * x
end subroutine
function more(n, x) result(t)
  integer, intent(in) :: n
  real(HARNESS_REAL), intent(in) :: x(n)
  real(HARNESS_REAL) :: t, s
  integer :: i
  do i = 1, n
    s = s + x(i)
  end do
  t = s
end function
""",
}


@pytest.mark.parametrize("ending", UNSET)
def test_a_sum_that_begins_with_nothing_is_not_right_by_chance(
    tmp_path: Path, compiled_cache: Path, ending: str
) -> None:
    head = HEAD + TWICE % "" if ending == ".c" else ""
    sources = {
        "toy.py": "def twice(x):\n    return 2 * x\n\n\ndef more(x):\n    return x.sum()\n",
        f"toy{ending}": head + UNSET[ending],
    }
    record = run_case(tmp_path, "toy", SUM, sources, np.array([1.0, 2.0, 3.0]))
    name = {".c": "c", ".cpp": "cpp", ".f90": "fortran"}[ending]
    cells = cells_of(record, name)
    assert cells["twice"].verdict is Verdict.PASS, cells["twice"].reason
    assert cells["more"].verdict is Verdict.FAIL, cells["more"].reason


def test_a_stage_called_as_a_word_of_the_language_is_said_to_be(tmp_path: Path, compiled_cache: Path) -> None:
    case = CASE.replace('"more"', '"delete"')
    sources = {
        "toy.py": NUMPY.replace("more", "delete"),
        "toy.cpp": "#include <cstddef>\ntypedef HARNESS_REAL real;\nvoid twice(size_t n, const real *x, real *y) {}\n",
    }
    reason = cells_of(run_case(tmp_path, "toy", case, sources, np.ones(3)), "cpp")["twice"].reason
    assert "a stage has the name of a word of the language (" in reason
    assert str(compiled_cache) not in reason
