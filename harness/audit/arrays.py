"""The audit at the worker boundary: every fault in every value of every sample, with no language running."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

import numpy as np

from harness.audit.boundary import Injected, Victim, inject, single
from harness.audit.context import Bench, killer, limit_of, undecided
from harness.audit.proofs import (
    proof_by_bits,
    proof_by_digits,
    proof_by_identity,
    proof_by_truth,
    tells_float32,
)
from harness.audit.types import Fate, Fault, Level, Mutant, Tried
from harness.conformance.gather import Finished
from harness.conformance.lookup import rule_of, value_of
from harness.model import Array, Cell, Failure, Stage, Truths, Value

EVERYWHERE = frozenset({Fault.ANOTHER_NAME, Fault.SINGLE})
"""Faults that a program has in every sample or in none: who mixes up two names, or computes in float32."""


def audit_arrays(bench: Bench, item: Finished, truths: Callable[[], Truths]) -> Iterator[Tried]:
    """Put every fault into every value that an implementation returned, and ask the judge.

    Parameters
    ----------
    bench : Bench
        The case.
    item : Finished
        What was observed of the implementation.
    truths : callable
        The true values of all stages, chained; asked for where a proof needs them.

    Yields
    ------
    Tried
        One for each value, sample and fault.
    """
    places = [(stage, value) for stage in bench.case.stages for value in stage.outputs]
    for number, (stage, value) in enumerate(places):
        others = places[number + 1 :] + places[:number]
        for sample in bench.planned.fixture.samples:
            array = value_of(item.isolated, sample, stage, value)
            if isinstance(array, Failure):
                continue
            limit = limit_of(bench, sample, stage, value)
            if limit is None:
                continue
            other = _other(item, sample, array, others)
            victim = Victim(array=array, limit=limit, exact=rule_of(value).rule == "exact", other=other)
            seed = zlib.crc32(
                "/".join((bench.case.name, item.implementation.id, value.name, sample)).encode()
            )
            for injected in inject(victim, np.random.default_rng(seed)):
                yield _try(bench, item, (stage, value, sample), victim, injected, truths)


def unsound(bench: Bench, item: Finished) -> Iterator[str]:
    """Values that the judge does not pass as they are: no fault could be told in them."""
    cells = (
        bench.judge_reference(item.isolated, bench.case.stages)
        if item.implementation.id == bench.reference
        else bench.judge(item.implementation, item.isolated, bench.case.stages)
    )
    bad = killer(cells)
    reason = undecided(cells) if bad is None else f"{bad.verdict} {bad.stage}: {bad.reason}"
    if reason:
        yield f"{bench.case.name} {item.implementation.id} {bench.precision}: not PASS as it is: {reason}"


def _try(
    bench: Bench,
    item: Finished,
    at: tuple[Stage, Value, str],
    victim: Victim,
    injected: Injected,
    truths: Callable[[], Truths],
) -> Tried:
    stage, value, sample = at
    mutant = Mutant(
        level=Level.BOUNDARY,
        case=bench.case.name,
        implementation=item.implementation.id,
        precision=bench.precision,
        fault=injected.fault,
        place=f"{value.name} {injected.where}".strip(),
        sample=sample,
    )
    proof = proof_by_bits(victim.array, injected.array)
    if proof:
        return Tried(mutant=mutant, fate=Fate.EQUIVALENT, reason=proof)
    cells = bench.with_fault(item, stage, value, sample, injected.array)
    found = killer(cells)
    if found is not None:
        return Tried(mutant=mutant, fate=Fate.KILLED, reason=f"{found.verdict}: {found.reason}")
    reference = value_of(bench.upstream, sample, stage, value)
    if not isinstance(reference, Failure) and injected.fault is not Fault.FOUR_LIMITS:
        proof = proof_by_digits(injected, reference, victim.limit, rule_of(value))
    if not proof and (injected.move is not None or injected.fault is Fault.ANOTHER_NAME):
        told = truths()
        other = told.get((sample, victim.other[0])) if victim.other is not None else None
        proof = proof_by_truth(injected, told.get((sample, value.name)), other)
    if not proof and injected.fault is Fault.ANOTHER_NAME and victim.other is not None:
        proof = proof_by_identity(bench.case, value.name, victim.other[0])
    if proof:
        return Tried(mutant=mutant, fate=Fate.EQUIVALENT, reason=proof)
    tells = ""
    if injected.fault in EVERYWHERE:
        name = victim.other[0] if victim.other is not None else ""
        elsewhere = _elsewhere(bench, item, (stage, value, sample), injected.fault, name)
        if elsewhere:
            return Tried(mutant=mutant, fate=Fate.KILLED, reason=elsewhere)
        if injected.fault is Fault.SINGLE:
            tells = tells_float32(victim.limit, rule_of(value))
    return Tried(mutant=mutant, fate=Fate.SURVIVED, reason=undecided(cells) or _used(cells), tells=tells)


def _elsewhere(bench: Bench, item: Finished, at: tuple[Stage, Value, str], fault: Fault, name: str) -> str:
    """Another sample in which the same fault is found, and how; ``name`` is whose value is returned."""
    stage, value, sample = at
    owner, other = stage, value
    if fault is Fault.ANOTHER_NAME:
        owner, other = bench.case.owner(name), bench.case.values[name]
    for elsewhere in bench.planned.fixture.samples:
        array = value_of(item.isolated, elsewhere, owner, other)
        if elsewhere == sample or isinstance(array, Failure):
            continue
        if fault is Fault.SINGLE:
            array = single(array)
        found = killer(bench.with_fault(item, stage, value, elsewhere, array))
        if found is not None:
            return f"{found.verdict} in {elsewhere}; in {sample} it is within the limit: {found.reason}"
    return ""


def _used(cells: list[Cell]) -> str:
    used = [cell.stats.used for cell in cells if cell.stats is not None]
    return f"PASS, {max(used, default=0.0):.3g} of the limit used"


def _other(
    item: Finished, sample: str, array: Array, others: list[tuple[Stage, Value]]
) -> tuple[str, Array] | None:
    for stage, value in others:
        found = value_of(item.isolated, sample, stage, value)
        if not isinstance(found, Failure) and (found.shape, found.dtype) == (array.shape, array.dtype):
            return value.name, found
    return None
