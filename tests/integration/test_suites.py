"""Suites outside of attention: right implementations never FAIL, and a planted fault is found at its stage.

The cases are in tests/suites, in four languages; tests/suites/faults.toml has the faults. Julia is slow: it
compiles nearly 50 files, for a minute and more; faults in Julia are among the fast tests in tests/meta.
"""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.model import Basis, Case, Cell, Check, Mode, Precision, Verdict
from harness.store.cases import load_case
from harness.store.fixtures import load_fixture

pytest.importorskip("flint")

SUITE = Path(__file__).parents[1] / "suites"
FAULTS = {
    (case, name): fault
    for case, faults in tomllib.loads((SUITE / "faults.toml").read_text(encoding="utf-8")).items()
    for name, fault in faults.items()
}
SUFFIXES = {"numpy": ".py", "torch": "_torch.py", "r": ".R", "julia": ".jl"}
RUNTIMES = [
    "numpy",
    # Its true values are those of NumPy, and its worker is too.
    pytest.param("torch", marks=[pytest.mark.torch, pytest.mark.slow]),
    pytest.param("r", marks=pytest.mark.r),
    pytest.param("julia", marks=[pytest.mark.julia, pytest.mark.slow]),
]
CASES: dict[str, Case] = {
    folder.name: load_case(folder) for folder in sorted(SUITE.iterdir()) if (folder / "case.toml").is_file()
}
DERIVED = [
    (case.name, value.name)
    for case in CASES.values()
    for value in case.values.values()
    if value.dtype in ("float", "complex")
]
OPEN = tomllib.loads((SUITE / "open.toml").read_text(encoding="utf-8"))
"""What is known not to hold yet: outputs that have no derived limit, and right implementations beyond it."""

FAST = ("branches", "cholesky", "constants", "layer_norm", "normal_equations", "sums")


def by_case(rows: Iterable[tuple[str, ...]]) -> list[Any]:
    """True values of all cases take a minute: some of them are among the fast tests."""
    return [pytest.param(*row, marks=() if row[0] in FAST else pytest.mark.slow) for row in rows]


UNDECIDED = {("branches", "sides", Mode.CHAINED): 3}
"""Elements of which the rounding of what comes before decides: three are their mean, up to rounding."""


@pytest.fixture(scope="module", params=RUNTIMES)
def suites(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, julia_process: None
) -> tuple[str, list[Cell]]:
    """The cases that are tested, in one language: the right implementation, and all that have a fault."""
    runtime: str = request.param
    tested = [getattr(item, "callspec", None) for item in request.session.items if item.path == request.path]
    cases = {call.params["case"] for call in tested if call and call.params.get("suites") == runtime}
    folder = tmp_path_factory.mktemp(runtime) / "suites"
    shutil.copytree(SUITE, folder)
    for (case, name), fault in FAULTS.items():
        source = folder / case / f"{case}{SUFFIXES[runtime]}"
        text = source.read_text(encoding="utf-8")
        old, new = fault[runtime]
        assert text.count(old) == 1, f"{case}.{name}, {runtime}: {old!r}"
        faulty = source.with_name(f"{case}.{name}{SUFFIXES[runtime]}")
        faulty.write_text(text.replace(old, new), encoding="utf-8")
    right = make_plan(folder, cases=sorted(cases), implementations=("numpy", runtime))
    # Faults are looked for in one precision: Julia would compile each faulty file for the other as well.
    faulty = make_plan(
        folder, cases=sorted(cases), implementations=("numpy", f"{runtime}.*"), precisions=("float64",)
    )
    records = [run(plan, out=None, require=(runtime, "oracle")) for plan in (right, faulty)]
    for record in records:
        assert record.footer is not None
        assert not record.footer.complaints
    return runtime, [
        *records[0].cells,
        *(cell for cell in records[1].cells if cell.implementation not in ("numpy", runtime)),
    ]


def cells_of(cells: list[Cell], case: str, implementation: str) -> Iterator[Cell]:
    for cell in cells:
        if (cell.case, cell.implementation) == (case, implementation) and cell.check is not Check.REPEAT:
            yield cell


def failing(cells: list[Cell], case: str, implementation: str) -> set[str]:
    """Outputs that are off on the reference's inputs."""
    return {
        cell.stage
        for cell in cells_of(cells, case, implementation)
        if (cell.mode, cell.precision, cell.verdict) == (Mode.ISOLATED, Precision.FLOAT64, Verdict.FAIL)
    }


def is_open(case: str, value: str) -> str:
    reason: str = OPEN["not_derived"].get(case, {}).get(value, "")
    return reason


def described(cell: Cell) -> str:
    return f"{cell.stage} {cell.mode} {cell.precision} {cell.worst_sample}: {cell.verdict}, {cell.reason}"


def is_right(cell: Cell, runtime: str) -> bool:
    if cell.verdict is Verdict.UNSUPPORTED:
        return runtime == "r" and cell.precision is Precision.FLOAT32
    if cell.verdict is Verdict.NOT_RUN:
        # Where there is no truth, the others are compared with the reference, if that says anything.
        told_why = runtime == "numpy" or "state a tolerance" in cell.reason
        return told_why and bool(is_open(cell.case, cell.stage))
    return cell.verdict is Verdict.PASS


@pytest.mark.parametrize("case", by_case((case,) for case in CASES))
def test_right_implementations_never_fail(
    suites: tuple[str, list[Cell]], case: str, request: pytest.FixtureRequest
) -> None:
    runtime, ran = suites
    if reason := OPEN["beyond"].get(case, {}).get(runtime, ""):
        request.applymarker(pytest.mark.xfail(reason=reason, strict=True))
    cells = list(cells_of(ran, case, runtime))
    values = CASES[case].values.values()
    # Exact outputs of the reference are compared with nothing but their repetition.
    compared = {value.name for value in values if runtime != "numpy" or value.dtype in ("float", "complex")}
    assert {cell.stage for cell in cells} == compared
    assert [described(cell) for cell in cells if not is_right(cell, runtime)] == []


@pytest.mark.parametrize(("case", "value"), by_case(DERIVED))
def test_every_limit_is_derived(
    suites: tuple[str, list[Cell]], case: str, value: str, request: pytest.FixtureRequest
) -> None:
    runtime, ran = suites
    if reason := is_open(case, value):
        request.applymarker(pytest.mark.xfail(reason=reason, strict=True))
    cells = [
        cell
        for cell in cells_of(ran, case, runtime)
        if cell.stage == value
        and cell.verdict is not Verdict.UNSUPPORTED
        # Certified digits are another comparison of the same output.
        and cell.check is not Check.EXPECTED
    ]
    precisions = {Precision.FLOAT64} if runtime == "r" else set(CASES[case].precisions)
    assert {(cell.mode, cell.precision) for cell in cells} == {
        (mode, precision) for mode in Mode for precision in precisions
    }
    for cell in cells:
        assert (cell.check, cell.basis) == (Check.ORACLE, Basis.DERIVED), described(cell)
        # Whether it is right is another test's affair.
        assert cell.verdict in (Verdict.PASS, Verdict.FAIL), described(cell)
        assert all(sample.verdict is not Verdict.NOT_RUN for sample in cell.by_sample), described(cell)
        assert cell.stats is not None
        assert cell.undecided == UNDECIDED.get((case, value, cell.mode), 0)


@pytest.mark.parametrize(("case", "name"), by_case(FAULTS))
def test_a_planted_fault_is_found_at_its_stage(
    suites: tuple[str, list[Cell]], case: str, name: str, request: pytest.FixtureRequest
) -> None:
    runtime, ran = suites
    fault = FAULTS[case, name]
    if (reason := is_open(case, fault["stage"])) and fault.get("small"):
        request.applymarker(pytest.mark.xfail(reason=reason, strict=True))
    bases = {Basis.DERIVED if (case, fault["stage"]) in DERIVED else Basis.STATED}
    if reason:
        bases.add(Basis.COARSE)
    cells = [
        cell
        for cell in cells_of(ran, case, f"{runtime}.{name}")
        if cell.stage == fault["stage"] and cell.precision is Precision.FLOAT64
    ]
    assert {cell.mode for cell in cells} == set(Mode)
    for cell in cells:
        assert cell.verdict is Verdict.FAIL, described(cell)
        assert "beyond the limit" in cell.reason
        assert cell.basis in bases
        assert not cell.inherited
    spoiled = {fault["stage"], *fault.get("also", ())}
    right = failing(ran, case, runtime)
    assert failing(ran, case, f"{runtime}.{name}") - spoiled == right - spoiled


CERTIFIED = {
    "longley": [
        *(-3482258.63459582, 15.0618722713733, -0.0358191792925910, -2.02022980381683),
        *(-1.03322686717359, -0.0511041056535807, 1829.15146461355),
    ],
    "wampler1": [1, 1, 1, 1, 1, 1],
    "wampler2": [1, 0.1, 0.01, 0.001, 0.0001, 0.00001],
    "wampler3": [1, 1, 1, 1, 1, 1],
    "wampler4": [1, 1, 1, 1, 1, 1],
    "wampler5": [1, 1, 1, 1, 1, 1],
    "filip": [
        *(-1467.48961422980, -2772.17959193342, -2316.37108160893, -1127.97394098372, -354.478233703349),
        *(-75.1242017393757, -10.8753180355343, -1.06221498588947, -0.0670191154593408),
        *(-0.00246781078275479, -0.0000402962525080404),
    ],
}
"""Certified coefficients of NIST's Statistical Reference Datasets, linear regression."""


def exact_least_squares(X: list[list[Fraction]], y: list[Fraction]) -> list[Fraction]:
    columns = [*zip(*X, strict=True), tuple(y)]
    system = [[sum(a * b for a, b in zip(u, v, strict=True)) for v in columns] for u in columns[:-1]]
    size = len(system)
    for pivot in range(size):
        for row in range(size):
            if row != pivot:
                factor = Fraction(system[row][pivot]) / system[pivot][pivot]
                system[row] = [a - factor * b for a, b in zip(system[row], system[pivot], strict=True)]
    return [Fraction(system[row][size]) / system[row][row] for row in range(size)]


@pytest.mark.parametrize("name", CERTIFIED)
def test_datasets_have_the_coefficients_that_nist_certifies(name: str) -> None:
    """In rational numbers, from the decimals that the fixtures' numbers are written with."""
    case = CASES["filip" if name == "filip" else "qr"]
    fixture = load_fixture(case, SUITE)
    arrays = fixture.arrays("default" if name == "filip" else name)
    y = [Fraction(repr(number)) for number in arrays["y"].tolist()]
    if name == "filip":
        X = [[Fraction(repr(number)) ** k for k in range(11)] for number in arrays["x"].tolist()]
        assert len(y) == 82
    else:
        X = [[Fraction(repr(number)) for number in row] for row in arrays["X"].tolist()]
    computed = [float(exact_least_square) for exact_least_square in exact_least_squares(X, y)]
    np.testing.assert_allclose(computed, CERTIFIED[name], rtol=2e-14)
