"""What was observed of a case of two stages, and lines of the record about it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from harness.conformance.evaluator import Evaluator, OracleAnswer
from harness.conformance.gather import FinishedUnit
from harness.conformance.plan import Plan, PlannedCase
from harness.model import Case, Cell, Check, Failure, Mode, Observation, Precision, Stage, Tolerance, Truth
from harness.runtimes.registry import Registry
from harness.store.beside import FilesBeside
from tests.unit.conformance.by_hand import case_of, fixture_of, implementation, truth, value

CHAINED, ISOLATED = Mode.CHAINED, Mode.ISOLATED


FLOAT64, FLOAT32 = Precision.FLOAT64, Precision.FLOAT32


NEAR = Tolerance(rule="absolute", value=10.0, reason="test")


Observations = Mapping[tuple[str, str], Observation | Failure]


def observed(**values: Any) -> Observations:
    """Of the stages a (stated) and b (derived), an array, a failure, or a number for all elements."""
    return {
        ("s", name): result
        if isinstance(result, Failure)
        else Observation(
            outputs={name: np.full(2, float(result)) if np.ndim(result) == 0 else result}, seconds=1.0
        )
        for name, result in values.items()
    }


def near(value: float, limit: float, **changes: Any) -> Truth:
    """True values of two elements, all the same."""
    return truth(np.full(2, value), limit, **{"worst": 2 * limit, **changes})


def case(**changes: Any) -> Case:
    a, b = value("a", tolerance=NEAR, show="curve"), value("b")
    stages = (Stage(name="a", inputs=("x",), outputs=(a,)), Stage(name="b", inputs=("a",), outputs=(b,)))
    return case_of(**{"stages": stages, **changes})


def planned(
    *names: str, of: Case | None = None, precisions: tuple[Precision, ...] = (FLOAT64,)
) -> PlannedCase:
    of = of or case()
    return PlannedCase(
        folder=Path(of.name),
        case=of,
        fixture=fixture_of({"s": {}}, x=np.ones(2)),
        reference=implementation("numpy"),
        implementations=tuple(map(implementation, names)),
        precisions=precisions,
        beside=FilesBeside(Path(), ()),
    )


def plan(*cases: PlannedCase) -> Plan:
    return Plan(suite=Path(), registry=Registry({}, Path()), cases=cases)


def item(
    of: PlannedCase,
    name: str,
    chained: Observations,
    isolated: Observations | None = None,
    reference: Observations | None = None,
    upstream: Observations | None = None,
    *,
    precision: Precision = FLOAT64,
    refusal: Failure | None = None,
) -> FinishedUnit:
    """By default all four observations are the same."""
    reference = chained if reference is None else reference
    return FinishedUnit(
        planned=of,
        implementation=implementation(name),
        precision=precision,
        refusal=refusal,
        chained=chained,
        isolated=chained if isolated is None else isolated,
        reference=reference,
        upstream=reference if upstream is None else upstream,
    )


def known(value: float = 2.0, limit: float = 0.5) -> OracleAnswer:
    truths = {("s", "b"): near(value, limit)}
    return OracleAnswer(chained=truths, isolated=truths)


def cells(lines: list[Any]) -> list[Cell]:
    return [line for line in lines if isinstance(line, Cell)]


def kinds(lines: list[Any]) -> list[tuple[str, str, str, str]]:
    return [(str(cell.check), str(cell.mode), cell.stage, str(cell.verdict)) for cell in cells(lines)]


ONE = observed(a=1.0, b=2.0)


def one_of(lines: list[Any], check: Check, mode: Mode, stage: str) -> Cell:
    (selected,) = (
        cell for cell in cells(lines) if (cell.check, cell.mode, cell.stage) == (check, mode, stage)
    )
    return selected


def judge(of: PlannedCase, *items: FinishedUnit, **options: Any) -> tuple[Evaluator, list[list[Any]]]:
    evaluator = Evaluator(plan(of), lambda _: None, **options)
    return evaluator, [evaluator.judge(unit, known()) for unit in items]
