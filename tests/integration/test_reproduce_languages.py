"""Scripts of C, C++, Fortran, JavaScript, Octave, JAX and ONNX: what they count is what their cells count."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.conformance.cell_script import Script, write
from harness.conformance.plan import Plan, make_plan
from harness.conformance.reproduce import reproduce
from harness.conformance.script_foreign import written
from harness.conformance.scripts import write_script
from harness.conformance.shown import Call, Due, Shown
from harness.errors import UsageError
from harness.model import Absent
from tests.integration.conftest import run_alone
from tests.integration.one_case import write_case

CASE = """
[case]
name = "toy"
title = "Rows that sum to one, and what is above their mean"
origin = "made up"
fixture = "toy"
precisions = ["float64", "float32"]

[inputs]
x = ["n", "d"]

[[stage]]
name = "shares"
inputs = ["x"]
shape = ["n", "d"]
tolerance = { rule = "absolute", value = 1e-6, reason = "made up" }

[[stage]]
name = "above"
inputs = ["x"]
outputs = [
    { name = "which", shape = ["n", "d"], dtype = "bool", tolerance = { rule = "exact" } },
    { name = "many", shape = ["n"], dtype = "int", tolerance = { rule = "exact" } },
]

[[stage]]
name = "most"
inputs = ["x"]
shape = []
tolerance = { rule = "exact" }
"""

NUMPY = """
def shares(x): return x / x.sum(axis=1, keepdims=True)
def above(x):
    which = x > x.mean(axis=1, keepdims=True)
    return which, which.sum(axis=1)
def most(x): return x.max()
"""

# In each of them the last row is divided by one too few.
C = """
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "row.h"

void shares(size_t n, size_t d, const real *x, real *out)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            out[i * d + j] = x[i * d + j] / row(x + i * d, i == n - 1 ? d - 1 : d);
}

void above(size_t n, size_t d, const real *x, bool *which, int64_t *many)
{
    for (size_t i = 0; i < n; i++) {
        many[i] = 0;
        for (size_t j = 0; j < d; j++)
            many[i] += which[i * d + j] = x[i * d + j] > row(x + i * d, d) / d;
    }
}

real most(size_t n, size_t d, const real *x)
{
    real largest = x[0];
    for (size_t i = 1; i < n * d; i++)
        largest = x[i] > largest ? x[i] : largest;
    return largest;
}
"""
ROW = """
#include <stddef.h>
static double row(const HARNESS_REAL *x, size_t d)
{
    double sum = 0;
    for (size_t j = 0; j < d; j++)
        sum += x[j];
    return sum;
}
"""
FORTRAN = """
subroutine shares(n, d, x, out)
  integer, intent(in) :: n, d
  real(HARNESS_REAL), intent(in) :: x(n, d)
  real(HARNESS_REAL), intent(out) :: out(n, d)
  out = x / spread(sum(x, dim=2), 2, d)
  out(n, :) = x(n, :) / sum(x(n, :d - 1))
end subroutine

subroutine above(n, d, x, which, many) bind(c)
  use iso_c_binding
  integer(c_int64_t), value :: n, d
  real(HARNESS_REAL), intent(in) :: x(n, d)
  logical(c_bool), intent(out) :: which(n, d)
  integer(c_int64_t), intent(out) :: many(n)
  which = x > spread(sum(x, dim=2) / d, 2, int(d))
  many = count(which, dim=2)
end subroutine

real(HARNESS_REAL) function most(n, d, x)
  integer, intent(in) :: n, d
  real(HARNESS_REAL), intent(in) :: x(n, d)
  most = maxval(x)
end function
"""
NODE = """
import { rows } from './rows.mjs';
const sum = (row) => row.reduce((a, b) => a + b, 0);

export const shares = (x) => rows(x).map((row, i, { length }) => {
  const whole = sum(i === length - 1 ? row.slice(0, -1) : row);
  return row.map((each) => each / whole);
});

export function above(x) {
  const which = rows(x).map((row) => row.map((each) => each > sum(row) / row.length));
  return [which, { shape: [which.length], data: BigInt64Array.from(which.map((row) => BigInt(sum(row)))) }];
}

export default { biggest: Math.max, most({ data }) { return this.biggest(...data); } };
"""
ROWS = """
export const rows = ({ shape: [n, d], data }) =>
  Array.from({ length: n }, (_, i) => Array.from(data.slice(i * d, (i + 1) * d)));
"""
OCTAVE = """
function y = shares(x)
  y = x ./ sum(x, 2);
  y(end, :) = x(end, :) / sum(x(end, 1:end - 1));
end

function [which, many] = above(x)
  which = x > mean(x, 2);
  many = int64(sum(which, 2));
end
"""
JAX = """
import jax.numpy as jnp
def shares(x): return (x / x.sum(axis=1, keepdims=True)).at[-1].set(x[-1] / x[-1, :-1].sum())
def above(x):
    which = x > x.mean(axis=1, keepdims=True)
    return which, which.sum(axis=1)
def most(x): return x.max()
"""
ONNX = """
<ir_version: 8, opset_import: ["" : 17]>
toy (double[n, d] x) => (double[n, d] shares, bool[n, d] which, int64[n] many, double most)
{
    last = Constant <value_ints = [-1]> ()
    zero = Constant <value_ints = [0]> ()
    one = Constant <value_ints = [1]> ()
    two = Constant <value_ints = [2]> ()
    sums = ReduceSum <keepdims = 1> (x, one)
    size = Shape <start = 0, end = 1> (x)
    upper = Sub (size, one)
    begin = Slice (sums, zero, upper, zero)
    short = Slice (x, zero, last, one)
    short_sums = ReduceSum <keepdims = 1> (short, one)
    end = Slice (short_sums, upper, size, zero)
    whole = Concat <axis = 0> (begin, end)
    shares = Div (x, whole)
    means = ReduceMean <axes = [1], keepdims = 1> (x)
    which = Greater (x, means)
    whole_numbers = Cast <to = 7> (which)
    many = ReduceSum <keepdims = 0> (whole_numbers, one)
    most = ReduceMax <keepdims = 0> (x)
}
"""

SOURCES = {
    "toy.py": NUMPY, "toy.c": C, "row.h": ROW,
    "toy.cpp": C, "toy.f90": FORTRAN, "toy.mjs": NODE, "rows.mjs": ROWS, "toy.m": OCTAVE, "toy_jax.py": JAX,
}  # fmt: skip
BESIDE = {
    "c": ["row.h"],
    "cpp": ["row.h"],
    "node": ["rows.mjs"],
    "octave": ["toy/most.m"],
    "onnx": ["toy.onnx"],
}

COMPILED, SLOW = pytest.mark.compiled, pytest.mark.slow
# Seconds for each: a language's other ways differ in a word of its command.
LANGUAGES = [
    pytest.param("c", marks=COMPILED),
    pytest.param("cpp", marks=[COMPILED, SLOW]),
    pytest.param("fortran", marks=COMPILED),
    pytest.param("node", marks=pytest.mark.node),
    pytest.param("octave", marks=pytest.mark.octave),
    pytest.param("jax-jit", marks=[pytest.mark.jax, SLOW]),
    pytest.param("onnx", marks=pytest.mark.onnx),
]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy in every language."""
    suite = tmp_path_factory.mktemp("suite")
    write_case(suite, "toy", CASE, SOURCES, X)
    (suite / "toy" / "toy").mkdir()
    (suite / "toy" / "toy" / "most.m").write_text("function y = most(x)\n  y = max(x(:));\nend\n")
    return suite


X = np.random.default_rng(5).uniform(1, 2, (3, 4))
ABOVE = X.mean(axis=1, keepdims=True) < X


def ran(path: Path) -> tuple[int, str]:
    done = run_alone("numpy", path)
    return done.returncode, done.stdout + done.stderr


def skip_absent(plan: Plan, runtime: str) -> None:
    if isinstance(launch := plan.registry.launch(runtime), Absent):
        pytest.skip(launch.reason)


def script(
    suite: Path, folder: Path, runtime: str, stage: str, output: int, outputs: int, due: Any, kind: Any
) -> Path:
    """A script for an output whose value is known, with no run before it."""
    plan = make_plan(suite, precisions=("float64",))
    skip_absent(plan, runtime)
    (planned,) = plan.cases
    implementation = next(each for each in planned.implementations if each.id == runtime)
    held = written(implementation, planned.case, planned.folder, "float64")
    whole = np.asarray(due)
    shown = Shown(
        title="t",
        source=held.source,
        call=Call(function=stage, inputs=(("x", X),), output=output, outputs=outputs),
        due=Due(high=whole, low=np.zeros(whole.shape), limit=np.zeros(whole.shape)),
        kind=kind,
        files=bool(held.files),
    )
    text = write_script(held.writer, shown)
    assert text is not None
    return write(Script(name="t.py", text=text, files=held.files), folder)


@pytest.mark.parametrize("runtime", LANGUAGES)
def test_a_script_counts_what_its_cell_counts(runtime: str, suite: Path, tmp_path: Path) -> None:
    """A row of four that is wrong, the second of two outputs, which is of integers, and a scalar."""
    if runtime == "onnx":
        onnx: Any = pytest.importorskip("onnx")
        onnx.save(onnx.parser.parse_model(ONNX), str(suite / "toy" / "toy.onnx"))
    plan = make_plan(suite, precisions=("float64",))
    skip_absent(plan, runtime)
    path = write(reproduce(plan, "toy", "shares", runtime), tmp_path)
    code, said = ran(path)
    assert (code, "4 of 12 elements are beyond their limit" in said) == (1, True), said
    assert not re.search(r"^\s*(import|from) harness", path.read_text(), re.M)
    beside = sorted(each.relative_to(tmp_path).as_posix() for each in tmp_path.rglob("*") if each.is_file())
    assert beside == sorted([path.name, *BESIDE.get(runtime, [])])
    for stage, output, due, kind in (("above", 1, ABOVE.sum(axis=1), "int"), ("most", 0, X.max(), "float")):
        count = 2 if output else 1
        code, said = ran(script(suite, tmp_path, runtime, stage, output, count, due, kind))
        assert (code, f"0 of {np.size(due)} elements are beyond" in said) == (0, True), said


@pytest.mark.compiled
def test_a_script_in_single_precision(suite: Path, tmp_path: Path) -> None:
    plan = make_plan(suite, precisions=("float32",))
    code, said = ran(write(reproduce(plan, "toy", "shares", "c"), tmp_path))
    assert (code, "4 of 12 elements are beyond their limit" in said) == (1, True), said


@pytest.mark.octave
def test_truth_values_and_functions_of_a_folder(suite: Path, tmp_path: Path) -> None:
    code, said = ran(script(suite, tmp_path, "octave", "above", 0, 2, ABOVE, "bool"))
    assert (code, "0 of 12 elements are beyond" in said) == (0, True), said


@pytest.fixture(autouse=True)
def nothing_left(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No script leaves a folder behind, nor does what writes it, whether there is an answer or none."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield
    # The runtime of ONNX names itself there.
    assert [each.name for each in folder.iterdir() if each.name != ".ses"] == []


NAMES = {"c": "toy.c", "fortran": "toy.f90", "node": "toy.mjs", "octave": "toy.m"}
WRONG = {
    "c": ("out[i * d + j] = x", "out[i * d + j + 1] = x", "it writes beyond the end of the output shares"),
    "fortran": ("shares(n, d, x, out)", "shares(n, d, x, y, out)", "it takes 5 arguments, and 4 are given"),
    "node": ("export const shares = (x)", "const other = (x)", "there is no exported function shares"),
    "octave": (
        "y = x ./ sum(x, 2);",
        "y = x * x;",
        "arguments (op1 is 3x4, op2 is 3x4) (line 3)",
    ),
}


@pytest.mark.parametrize("runtime", [each for each in LANGUAGES if each.values[0] in WRONG])
def test_a_script_says_why_there_is_no_answer(runtime: str, tmp_path: Path) -> None:
    good, bad, why = WRONG[runtime]
    text = SOURCES[NAMES[runtime]]
    if runtime == "fortran":
        text = text.replace("  integer", "  real(HARNESS_REAL) :: y\n  integer", 1)
    assert good in text
    kept = {"toy.py": NUMPY, NAMES[runtime]: text.replace(good, bad), "row.h": ROW, "rows.mjs": ROWS}
    write_case(tmp_path / "suite", "toy", CASE, kept, X)
    code, said = ran(script(tmp_path / "suite", tmp_path / "out", runtime, "shares", 0, 1, X, "float"))
    assert (code, why in said) == (1, True), said


@pytest.mark.parametrize(
    "runtime", [pytest.param("c", marks=COMPILED), pytest.param("node", marks=pytest.mark.node)]
)
def test_a_script_says_that_its_language_is_not_there(
    runtime: str, suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = script(suite, tmp_path, runtime, "shares", 0, 1, X, "float")
    monkeypatch.setenv("PATH", str(tmp_path))
    code, said = ran(path)
    assert code == 1
    assert "cannot be run: No such file or directory" in said
    assert "Traceback" not in said


def test_a_language_of_the_suite_s_own_has_none(tmp_path: Path) -> None:
    write_case(tmp_path, "toy", CASE, {"toy.py": NUMPY, "toy.cob": "any"}, X)
    stanza = '[[runtime]]\nid = "cobol"\nlanguage = "COBOL"\nsuffix = ".cob"\ncommand = ["true"]\n'
    (tmp_path / "suite.toml").write_text(stanza)
    with pytest.raises(UsageError, match="no script can be written for the runtime 'cobol'"):
        reproduce(make_plan(tmp_path, precisions=("float64",)), "toy", "shares", "cobol")
