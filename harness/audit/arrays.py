"""The audit at the worker boundary: every fault in every value of every sample, with no language running."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

import numpy as np

from harness.audit.audit_context import AuditContext, killer, limit_of, undecided
from harness.audit.boundary import Injected, Target, inject, single
from harness.audit.proofs import (
    proof_by_bits,
    proof_by_digits,
    proof_by_equivalence,
    proof_by_horizon,
    proof_by_identity,
    proof_by_truth,
    tells_float32,
)
from harness.audit.types import Fate, InjectedFault, Level, Mutant, Tried
from harness.conformance.gather import FinishedUnit
from harness.conformance.lookup import rule_of, value_of
from harness.model import Array, Cell, Failure, Stage, Truths, Value

EVERYWHERE = frozenset({InjectedFault.ANOTHER_NAME, InjectedFault.SINGLE})
"""Faults that a program has in every sample or in none: two names mixed up, or float32 used."""


def audit_arrays(context: AuditContext, item: FinishedUnit, truths: Callable[[], Truths]) -> Iterator[Tried]:
    """Put every fault into every value that an implementation returned, and ask the judge.

    Parameters
    ----------
    context : AuditContext
        The case.
    item : FinishedUnit
        What was observed of the implementation.
    truths : callable
        Returns the true values of all stages, chained; called if a proof needs them.

    Yields
    ------
    Tried
        One for each value, sample and fault.
    """
    places = [(stage, value) for stage in context.case.stages for value in stage.outputs]
    for number, (stage, value) in enumerate(places):
        others = places[number + 1 :] + places[:number]
        for sample in context.planned.fixture.samples:
            array = value_of(item.isolated, sample, stage, value)
            if isinstance(array, Failure):
                continue
            limit = limit_of(context, sample, stage, value)
            if limit is None:
                continue
            if value.up_to in ("permutation of rows", "set"):
                # An element may stand in the place of any other.
                limit = float(np.max(limit, where=~np.isnan(limit), initial=0.0))
            other = _other(item, sample, array, others)
            target = Target(
                array=array, limit=limit, exact=rule_of(value).at(sample).rule == "exact", other=other
            )
            seed = zlib.crc32(
                "/".join((context.case.name, item.implementation.id, value.name, sample)).encode()
            )
            for injected in inject(target, np.random.default_rng(seed)):
                yield _try(context, item, (stage, value, sample), target, injected, truths)


def unsound(context: AuditContext, item: FinishedUnit) -> Iterator[str]:
    """Return the values that the judge does not pass unchanged: no fault could be recognised in them."""
    cells = (
        context.judge_reference(item.isolated, context.case.stages)
        if item.implementation.id == context.reference
        else context.judge(item.implementation, item.isolated, context.case.stages)
    )
    bad = killer(cells)
    reason = undecided(cells) if bad is None else f"{bad.verdict} {bad.stage}: {bad.reason}"
    if reason:
        yield f"{context.case.name} {item.implementation.id} {context.precision}: not PASS as it is: {reason}"


def _try(
    context: AuditContext,
    item: FinishedUnit,
    at: tuple[Stage, Value, str],
    target: Target,
    injected: Injected,
    truths: Callable[[], Truths],
) -> Tried:
    stage, value, sample = at
    mutant = Mutant(
        level=Level.BOUNDARY,
        case=context.case.name,
        implementation=item.implementation.id,
        precision=context.precision,
        fault=injected.fault,
        place=f"{value.name} {injected.where}".strip(),
        sample=sample,
    )
    proof = proof_by_bits(target.array, injected.array)
    if proof:
        return Tried(mutant=mutant, fate=Fate.EQUIVALENT, reason=proof)
    cells = context.with_fault(item, stage, value, sample, injected.array)
    cell = killer(cells)
    if cell is not None:
        return Tried(mutant=mutant, fate=Fate.KILLED, reason=f"{cell.verdict}: {cell.reason}")
    proof = proof_by_equivalence(value.up_to, target.array, injected.array)
    if not proof:
        horizon = rule_of(value).at(sample).horizon
        proof = proof_by_horizon(horizon, target.array, injected.array)
    if proof:
        return Tried(mutant=mutant, fate=Fate.EQUIVALENT, reason=proof)
    reference = value_of(context.upstream, sample, stage, value)
    if not isinstance(reference, Failure) and injected.fault is not InjectedFault.FOUR_LIMITS:
        proof = proof_by_digits(injected, reference, target.limit, rule_of(value).at(sample))
    if not proof and (injected.move is not None or injected.fault is InjectedFault.ANOTHER_NAME):
        true_values = truths()
        other = true_values.get((sample, target.other[0])) if target.other is not None else None
        proof = proof_by_truth(injected, true_values.get((sample, value.name)), other)
    if not proof and injected.fault is InjectedFault.ANOTHER_NAME and target.other is not None:
        proof = proof_by_identity(context.case, value.name, target.other[0])
    if proof:
        return Tried(mutant=mutant, fate=Fate.EQUIVALENT, reason=proof)
    tells = ""
    if injected.fault in EVERYWHERE:
        name = target.other[0] if target.other is not None else ""
        elsewhere = _elsewhere(context, item, (stage, value, sample), injected.fault, name)
        if elsewhere:
            return Tried(mutant=mutant, fate=Fate.KILLED, reason=elsewhere)
        if injected.fault is InjectedFault.SINGLE:
            tells = tells_float32(target.limit, rule_of(value).at(sample))
    return Tried(mutant=mutant, fate=Fate.SURVIVED, reason=undecided(cells) or _used(cells), tells=tells)


def _elsewhere(
    context: AuditContext, item: FinishedUnit, at: tuple[Stage, Value, str], fault: InjectedFault, name: str
) -> str:
    """Return another sample in which the same fault is found, and how; ``name`` is the value's name."""
    stage, value, sample = at
    owner, other = stage, value
    if fault is InjectedFault.ANOTHER_NAME:
        owner, other = context.case.owner(name), context.case.values[name]
    for elsewhere in context.planned.fixture.samples:
        array = value_of(item.isolated, elsewhere, owner, other)
        if elsewhere == sample or isinstance(array, Failure):
            continue
        if fault is InjectedFault.SINGLE:
            array = single(array)
        cell = killer(context.with_fault(item, stage, value, elsewhere, array))
        if cell is not None:
            return f"{cell.verdict} in {elsewhere}; in {sample} it is within the limit: {cell.reason}"
    return ""


def _used(cells: list[Cell]) -> str:
    used = [cell.stats.used for cell in cells if cell.stats is not None]
    return f"PASS, {max(used, default=0.0):.3g} of the limit used"


def _other(
    item: FinishedUnit, sample: str, array: Array, others: list[tuple[Stage, Value]]
) -> tuple[str, Array] | None:
    for stage, value in others:
        candidate = value_of(item.isolated, sample, stage, value)
        if not isinstance(candidate, Failure) and (candidate.shape, candidate.dtype) == (
            array.shape,
            array.dtype,
        ):
            return value.name, candidate
    return None
