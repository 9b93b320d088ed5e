"""How far every implementation is from the true values, in units in the last place. Pure."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from harness.model import Check, Mode, Precision, Record, Verdict, runtime_of
from harness.report import view
from harness.report.places import Place, named, place_of
from harness.report.text import cut

CANCELLED = 2.0**16
"""Where rounding alone makes more ULP of a stage's largest true value than this, the true values cancel."""

DASH = "—"
"""Stands for an error that is not shown in ULP."""


class Accuracy(msgspec.Struct, frozen=True, kw_only=True):
    """The largest error of every implementation on one stage, chained and on the reference's inputs.

    Errors are from the truth, in units in the last place of the stage's largest true value; they say nothing
    where the true values ``cancel``.
    """

    case: str
    stage: str
    precision: Precision
    chained: dict[str, float]
    isolated: dict[str, float]
    cancel: bool = False

    @property
    def best(self) -> tuple[str, ...]:
        """The implementations whose own error is smallest."""
        errors = {} if self.cancel else self.isolated or self.chained
        return tuple(name for name, error in errors.items() if error == min(errors.values()))


def accuracy(record: Record) -> tuple[Accuracy, ...]:
    """How far every implementation is from the truth, stage by stage, in running order."""
    cancel = cancelling(record)
    rows: dict[Place, dict[Mode, dict[str, float]]] = {}
    for cell in view.ordered(record):
        if cell.check is Check.ORACLE and cell.ulp_of_stage is not None:
            row = rows.setdefault(place_of(cell), {mode: {} for mode in Mode})
            row[cell.mode][cell.implementation] = cell.ulp_of_stage
    return tuple(
        Accuracy(
            case=case,
            stage=stage,
            precision=precision,
            chained=row[Mode.CHAINED],
            isolated=row[Mode.ISOLATED],
            cancel=(case, stage, precision) in cancel,
        )
        for (case, stage, precision), row in rows.items()
    )


def cancelling(record: Record) -> frozenset[Place]:
    """The outputs whose error is not shown in ULP of the output's largest true value.

    One of their cells is within a limit that is derived from rounding, and yet more than 65,536 ULP away: so
    much of the true values cancels that their size says nothing of the size of what was rounded.
    """
    return frozenset(
        place_of(cell)
        for cell in record.cells
        if cell.check is Check.ORACLE
        and cell.verdict is Verdict.PASS
        and cell.ulp_of_stage is not None
        and cell.ulp_of_stage > CANCELLED
    )


def largest(record: Record) -> dict[str, float]:
    """The largest error of each implementation over the stages whose true values do not cancel."""
    cancel = cancelling(record)
    errors: dict[str, float] = {}
    for cell in record.cells:
        if cell.ulp_of_stage is not None and place_of(cell) not in cancel:
            errors[cell.implementation] = max(errors.get(cell.implementation, 0.0), cell.ulp_of_stage)
    for name, well in record.rest.by.items() if record.rest is not None else ():
        if well.error is not None:
            errors[name] = max(errors.get(name, 0.0), well.error)
    return errors


def largest_by_runtime(record: Record) -> dict[str, float]:
    """The same for all implementations of a runtime."""
    errors: dict[str, float] = {}
    for name, error in largest(record).items():
        runtime = runtime_of(name)
        errors[runtime] = max(errors.get(runtime, 0.0), error)
    return errors


def why_no_ulp(places: Iterable[Place]) -> str:
    """The reason of an error that is not shown in ULP, with the outputs; empty where there are none."""
    names = [named(place) for place in sorted(places)]
    if not names:
        return ""
    return (
        "no ULP of the stage where the true values cancel, so that rounding alone makes over 65,536 of them:"
        f" {cut(names)}"
    )
