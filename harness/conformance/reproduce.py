"""A stand-alone script that shows one cell of a record without the harness."""

from __future__ import annotations

import os
import threading
from collections.abc import Set

import msgspec

from harness.conformance.cell_script import SUFFIX, Script, script_of
from harness.conformance.evaluator import Evaluator
from harness.conformance.faced import faced
from harness.conformance.gather import gather
from harness.conformance.hosts import ended, workers
from harness.conformance.observe import AbsentObserver
from harness.conformance.oracle import asks, oracle, with_truth
from harness.conformance.own_inputs import reference_on_demand
from harness.conformance.plan import Plan, PlannedCase
from harness.conformance.sides import Sides
from harness.conformance.upstream import stages_for, upstream
from harness.errors import HarnessError, UsageError, WorkerError
from harness.model import (
    Basis,
    Case,
    Cell,
    Check,
    Failure,
    Implementation,
    Mode,
    Observed,
    Value,
    Verdict,
)
from harness.runtimes.oracle import find_oracle
from harness.runtimes.provision.machine import cache_folder

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
        The case, and the stage or its output.
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
        It holds the source file, the inputs bit for bit, and what is due; it ends with 1 where the cell
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
        names = ", ".join(i.id for i in planned.implementations)
        raise UsageError(f"{case} has no implementation {implementation!r}", advice=f"there are: {names}")
    if implementations[0].runtime not in SUFFIX:
        raise UsageError(
            f"no script can be written for the runtime {implementations[0].runtime!r}",
            advice=f"it can for {', '.join(SUFFIX)}",
        )
    value = _value(planned.case, stage)
    kept = msgspec.structs.replace(planned, implementations=(implementations[0],))
    if not asks(plan):
        # Derived limits need the whole graph; without any, later stages do not matter.
        kept = msgspec.structs.replace(kept, case=upstream(planned.case, value.name))
    needed = {s.name for s in stages_for(planned.case, {value.name})}
    plan = msgspec.structs.replace(plan, cases=(kept,))
    cells, sides, reason, complaints = _observed(plan, implementations[0], needed)
    cell = _chosen(cells, value.name, mode, check, against, unseen=bool(reason))
    if cell is None:
        raise UsageError(
            f"there is nothing to show of {case} {value.name} in {implementation}",
            advice=reason or "; ".join(dict.fromkeys(c.reason for c in cells if c.stage == value.name)),
        )
    script = script_of(kept, sides, cell, cell.worst_sample or next(iter(kept.fixture.samples)))
    return msgspec.structs.replace(script, complaints=complaints)


def _value(case: Case, name: str) -> Value:
    """Return the output of this name, or the first output of the stage of this name."""
    for stage in case.stages:
        for value in stage.outputs:
            if name == value.name:
                return value
    for stage in case.stages:
        if name == stage.name:
            return stage.outputs[0]
    raise UsageError(f"{case.name} has no stage {name!r}", advice=f"there are: {', '.join(case.values)}")


def _observed(
    plan: Plan, implementation: Implementation, needed: Set[str]
) -> tuple[list[Cell], Sides, str, tuple[str, ...]]:
    """Return one implementation's cells, the arrays that they compare, why there may be none, and complaints.

    Of the reference the ``needed`` stages must have values.
    """
    (planned,) = plan.cases
    stop = threading.Event()
    with (
        workers(plan.registry, dict.fromkeys(plan.runtimes), stop) as (hosts, absent),
        oracle(find_oracle(), cache_folder(os.environ), stop) as oracle_client,
        reference_on_demand(plan.registry, stop) as reference_client,
    ):
        if planned.reference.runtime in absent:
            raise UsageError(f"the reference cannot run: {absent[planned.reference.runtime].reason}")
        missing = [AbsentObserver(runtime=name, reason=gone.reason) for name, gone in absent.items()]
        evaluator = Evaluator(plan, lambda progress: None, reference_client, oracle_client.on_inputs)
        judged = []
        for item, oracle_answer in with_truth(gather(plan, [*hosts.values(), *missing], stop), oracle_client):
            if item.implementation.id == planned.reference.id:
                _refuse_failures(item.chained, needed)
            evaluator.judge(item, oracle_answer)
            if item.implementation.id == implementation.id:
                judged.append((item, oracle_answer))
        ((item, oracle_answer),) = judged
        if item.refusal is not None and asks(plan):
            oracle_answer = oracle_client.evaluate(planned, item.precision, item.reference)
        complaints = tuple(ended(hosts.values()))
    case = evaluator.limited(item).case
    upstream = item.reference if item.refusal is not None else item.upstream
    reference, chained_truths = faced(case, item.chained, item.reference, oracle_answer.chained)
    alone, isolated_truths = faced(case, item.isolated, upstream, oracle_answer.isolated)
    sides = Sides(
        case=case,
        chained=item.chained,
        isolated=item.isolated,
        reference=reference,
        upstream=alone,
        chained_truths=chained_truths,
        isolated_truths=isolated_truths,
        data=evaluator.data(item),
    )
    cells = [cell for cell in evaluator.cells if cell.implementation == implementation.id]
    if item.refusal is not None:
        if item.refusal.verdict is not Verdict.NOT_RUN:
            raise _error(f"{implementation.id} cannot be observed", item.refusal)
        # The script can be written where its language is missing.
        seen = (cell for cell in cells if cell.mode is Mode.ISOLATED)
        cells = [_not_seen(cell, sides, planned, item.refusal.reason) for cell in seen]
    return cells, sides, item.refusal.reason if item.refusal is not None else "", complaints


def _not_seen(cell: Cell, sides: Sides, planned: PlannedCase, why: str) -> Cell:
    """Return a cell as it would be, of an implementation that cannot run here."""
    expected = sides.expected(cell, next(iter(planned.fixture.samples)))
    if isinstance(expected, Failure):
        reference = planned.reference.id
        cell = msgspec.structs.replace(cell, check=Check.REFERENCE, against=reference, basis=Basis.COARSE)
    return msgspec.structs.replace(cell, reason=why)


def _refuse_failures(observed: Observed, needed: Set[str]) -> None:
    failed = [
        (stage, result)
        for (_, stage), result in observed.items()
        if isinstance(result, Failure) and stage in needed
    ]
    if failed:
        stage, why = failed[0]
        raise _error(f"the reference has no value for the stage {stage}", why)


def _error(what: str, why: Failure) -> HarnessError:
    """Return the command's error for a crash, a time-out or an exception; else a usage error."""
    kind = WorkerError if why.verdict in (Verdict.ERROR, Verdict.TIMEOUT) else UsageError
    return kind(f"{what}: {why.reason}")


def _chosen(
    cells: list[Cell],
    name: str,
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
        if (cell.stage == name or (cell.check is Check.IDENTITY and cell.against == name))
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
        ),
    )
    return ranked[0] if ranked else None
