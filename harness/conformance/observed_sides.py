"""Runs a case with one implementation, and keeps what it returned beside what that is compared with."""

from __future__ import annotations

import os
import threading
from collections.abc import Set
from typing import NamedTuple

import msgspec

from harness.conformance.answers import with_truth
from harness.conformance.evaluator import Evaluator, OracleAnswer
from harness.conformance.faced import faced
from harness.conformance.gather import FinishedUnit, gather
from harness.conformance.hosts import ended, workers
from harness.conformance.observe import AbsentObserver
from harness.conformance.oracle import asks, oracle
from harness.conformance.own_inputs import reference_on_demand
from harness.conformance.plan import Plan, PlannedCase
from harness.conformance.sides import Sides
from harness.errors import HarnessError, UsageError, WorkerError
from harness.model import Basis, Cell, Check, Failure, Implementation, Mode, Observed, Verdict
from harness.runtimes.oracle import find_oracle
from harness.runtimes.provision.machine import cache_folder


class ObservedSides(NamedTuple):
    """An implementation's cells, the arrays that they compare, and what was in the way.

    ``reason`` says why the implementation returned nothing, and is empty where it did; ``complaints`` what
    went wrong with workers between two calls.
    """

    cells: list[Cell]
    sides: Sides
    reason: str
    complaints: tuple[str, ...]


def observed_sides(plan: Plan, implementation: Implementation, needed: Set[str]) -> ObservedSides:
    """Run a plan's only case in one precision, and judge it.

    Parameters
    ----------
    plan : Plan
        With one case, and in it this implementation.
    implementation : Implementation
        Whose values are kept.
    needed : set of str
        The stages of which the reference must have values.

    Returns
    -------
    ObservedSides
        Of this implementation.

    Raises
    ------
    UsageError
        The reference cannot run here.
    WorkerError
        The reference, or the implementation's worker, crashed, hung or raised an error.
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
    sides = sides_of(evaluator, item, oracle_answer)
    cells = [cell for cell in evaluator.cells if cell.implementation == implementation.id]
    if item.refusal is not None:
        if item.refusal.verdict is not Verdict.NOT_RUN:
            raise _error(f"{implementation.id} cannot be observed", item.refusal)
        # The script can be written where its language is missing.
        seen = (cell for cell in cells if cell.mode is Mode.ISOLATED)
        cells = [_not_seen(cell, sides, planned, item.refusal.reason) for cell in seen]
    reason = item.refusal.reason if item.refusal is not None else ""
    return ObservedSides(cells=cells, sides=sides, reason=reason, complaints=complaints)


def sides_of(evaluator: Evaluator, item: FinishedUnit, answer: OracleAnswer) -> Sides:
    """The arrays that the cells of an implementation compare."""
    case = evaluator.limited(item).case
    upstream = item.reference if item.refusal is not None else item.upstream
    reference, chained_truths = faced(case, item.chained, item.reference, answer.chained)
    alone, isolated_truths = faced(case, item.isolated, upstream, answer.isolated)
    return Sides(
        case=case,
        chained=item.chained,
        isolated=item.isolated,
        reference=reference,
        upstream=alone,
        chained_truths=chained_truths,
        isolated_truths=isolated_truths,
        data=evaluator.data(item),
    )


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
