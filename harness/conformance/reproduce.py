"""A stand-alone script that shows one cell of a record without the harness."""

from __future__ import annotations

import msgspec

from harness.conformance.cell_script import Script, script_of
from harness.conformance.coded import signature_of
from harness.conformance.observed_sides import observed_sides
from harness.conformance.oracle import asks
from harness.conformance.plan import Plan
from harness.conformance.script_foreign import writer_of
from harness.conformance.upstream import stages_for, upstream
from harness.errors import UsageError
from harness.model import (
    Case,
    Cell,
    Check,
    Mode,
    Verdict,
)

OF_VALUES = ("numpy", "torch", "r", "julia")
"""The runtimes whose scripts make texts, lists and other values of arrays."""

SHOWS = frozenset({Verdict.FAIL, Verdict.XFAIL, Verdict.ERROR, Verdict.TIMEOUT})
"""Verdicts of a cell in which something is off."""

SOUND = frozenset({Verdict.PASS, Verdict.XPASS})

FIRST = (
    Check.ORACLE,
    Check.REFERENCE,
    Check.EXPECTED,
    Check.IDENTITY,
    Check.PUBLISHED,
    Check.REPEAT,
)
"""The order in which checks are preferred if several could be shown."""


def reproduce(
    plan: Plan,
    case: str,
    stage: str,
    implementation: str,
    *,
    mode: Mode | None = None,
    check: Check | None = None,
    against: str | None = None,
) -> Script:
    """Write a script for a cell, in its implementation's language.

    Parameters
    ----------
    plan : Plan
        With this case in one precision. Of several samples the cell's worst is shown.
    case, stage : str
        The case, and the stage or its output; of a stage with several outputs the first that is off.
    implementation : str
        The implementation whose source is written into the script.
    mode, check : Mode, Check, optional
        Which of the stage's cells. By default the first in which something is off: isolated before chained,
        the stage before identities and digits in print.
    against : str, optional
        Which of several identities or printed sources, as `Cell.against` names it.

    Returns
    -------
    Script
        It holds the source file, the inputs bit for bit, and what is expected; it ends with 1 where the cell
        fails, and with 0 once it no longer does.

    Raises
    ------
    UsageError
        There is no such thing, nothing was compared there, or no script can be written in its language.
    WorkerError
        The reference, or the implementation's worker, crashed, hung or raised an error.
    """
    (planned,) = (planned_case for planned_case in plan.cases if planned_case.case.name == case)
    implementations = [i for i in planned.implementations if i.id == implementation]
    if not implementations:
        there = ", ".join(i.id for i in planned.implementations)
        raise UsageError(f"{case} has no implementation {implementation!r}", advice=f"there are: {there}")
    if not writer_of(implementations[0], planned.folder):
        raise UsageError(
            f"no script can be written for the runtime {implementations[0].runtime!r}",
            advice="it can for those that are built in",
        )
    names = _outputs(planned.case, stage)
    if implementations[0].runtime not in OF_VALUES and signature_of(
        planned.case, planned.case.owner(names[0]), implementation
    ):
        raise UsageError(
            f"no script can be written for {stage}: {implementation} is given more than plain numbers",
            advice=f"harness show {case} {stage} prints what each implementation returns",
        )
    kept = msgspec.structs.replace(planned, implementations=(implementations[0],))
    if not asks(plan):
        # Derived limits need the whole graph; without any, later stages do not matter.
        kept = msgspec.structs.replace(kept, case=upstream(planned.case, frozenset(names)))
    needed = {s.name for s in stages_for(planned.case, frozenset(names))}
    plan = msgspec.structs.replace(plan, cases=(kept,))
    cells, sides, reason, complaints = observed_sides(plan, implementations[0], needed)
    cell = _chosen(cells, names, mode, check, against, unseen=bool(reason))
    if cell is None:
        raise UsageError(
            f"there is nothing to show of {case} {stage} in {implementation}",
            advice=reason or "; ".join(dict.fromkeys(c.reason for c in cells if c.stage in names)),
        )
    script = script_of(kept, sides, cell, cell.worst_sample or next(iter(kept.fixture.samples)))
    return msgspec.structs.replace(script, complaints=complaints)


def _outputs(case: Case, name: str) -> tuple[str, ...]:
    """Return the output of this name, or all outputs of the stage of this name."""
    if name in case.values:
        return (name,)
    for stage in case.stages:
        if name == stage.name:
            return tuple(value.name for value in stage.outputs)
    raise UsageError(f"{case.name} has no stage {name!r}", advice=f"there are: {', '.join(case.values)}")


def _chosen(
    cells: list[Cell],
    names: tuple[str, ...],
    mode: Mode | None,
    check: Check | None,
    against: str | None,
    *,
    unseen: bool,
) -> Cell | None:
    """Return the cell to show: the first that is off, else the first that was compared, or could be."""
    about = [
        cell
        for cell in cells
        if (cell.stage in names or (cell.check is Check.IDENTITY and cell.against in names))
        and (unseen or cell.verdict in SHOWS | SOUND)
        and (mode is None or cell.mode is mode)
        and (check is None or cell.check is check)
        and (against is None or cell.against == against)
    ]
    ranked = sorted(
        about,
        key=lambda cell: (
            cell.verdict not in SHOWS,
            cell.check not in (Check.ORACLE, Check.REFERENCE),
            cell.mode is Mode.CHAINED,
            FIRST.index(cell.check),
            cell.stage not in names or names.index(cell.stage),
        ),
    )
    return ranked[0] if ranked else None
