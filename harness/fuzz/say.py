"""What a search says: what is drawn, each finding, and what was done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from harness.conformance.lookup import value_of
from harness.fuzz.domain import Domain
from harness.fuzz.finding import Finding
from harness.fuzz.hunt import Tally
from harness.fuzz.zeros import Sign
from harness.model import Array, Failure

SIGN = (
    "   all numbers are equal there; harness run fails on it, for exact counts each bit. No divergence here:"
    " a right sum in another order may do that",
    '   where such a sign means nothing: tolerance = { rule = "absolute", value = 0, reason = "..." }',
)
"""What is said where nothing but the sign of a zero differs."""

MOST = 64
"""Numbers of an array that are printed."""


def drawn(domain: Domain, refused: Mapping[str, str]) -> list[str]:
    """The sizes that are drawn, and why others are not."""
    lines = []
    if domain.sizes:
        sizes = ", ".join(f"{symbol} {_ranges(known)}" for symbol, known in domain.sizes.items())
        lines.append(f"sizes: {sizes}")
    lines += [f"the reference does not take {why}" for why in refused.values()]
    fixed = [name for name, of in domain.inputs.items() if of.fixed]
    if fixed:
        lines.append(f"as in the fixture: {', '.join(fixed)}")
    return lines


def finding_lines(finding: Finding, seed: int | None = None) -> list[str]:
    """A finding: who is off, where, on which inputs, and what everybody returns there; and of which seed."""
    accusation = finding.accusation
    cell = accusation.cell
    where = f"batch {finding.batch}, input {finding.place}" if finding.batch >= 0 else "kept from before"
    if seed is not None and finding.batch >= 0:
        where = f"seed {seed}, {where}"
    reason = accusation.verdict.reason or cell.reason
    who = f"{accusation.implementation}, stage {accusation.stage}"
    lines = [f"{who}: {accusation.verdict.verdict}: {reason}"]
    lines += [f"   {name} = {written(array)}" for name, array in finding.inputs.items()]
    judged = finding.judged
    case = judged.planned.case
    value = case.values[cell.stage]
    for implementation in (known.id for known in judged.planned.implementations if known.id in judged.items):
        item, _ = judged.items[implementation]
        returned = value_of(item.isolated, accusation.sample, case.owner(cell.stage), value)
        shown = f"no value: {returned.reason}" if isinstance(returned, Failure) else written(returned)
        lines.append(f"   {implementation} returns {cell.stage} = {shown}")
    truth = judged.sides(accusation.implementation).truth(cell, accusation.sample)
    if not isinstance(truth, Failure):
        lines.append(f"   the true value is {written(truth.high)}")
    return [*lines, f"   ({where})"]


def sign_lines(signs: Sequence[Sign]) -> list[str]:
    """Where nothing but the sign of a zero differs: a line each, and what can be done."""
    lines = [
        f"the sign of a zero: {sign.implementation}, stage {sign.stage}: {sign.reason}; "
        + ", ".join(f"{name} = {written(array)}" for name, array in sign.inputs.items())
        for sign in signs
    ]
    return [*lines, *SIGN] if lines else []


def ended(tally: Tally, findings: int, seed: int) -> list[str]:
    """What was done, and what came of it."""
    rate = tally.inputs / tally.seconds if tally.seconds else 0.0
    count = f"{findings} divergence{'' if findings == 1 else 's'}" if findings else _none_is_off(tally)
    lines = [
        f"{tally.inputs:,} inputs in {tally.seconds:.1f} s, {rate:,.0f} a second, seed {seed}: {count}",
        f"{tally.judged:,} were held against true values, something was undecided in {tally.undecided:,};"
        f" {tally.refused:,} were not taken by the reference to the end",
    ]
    if tally.parted:
        lines.append(
            f"on {tally.parted:,} inputs the languages part by more than the reference moves under rounding;"
            f" {tally.repeated:,} of them repeat what was found, {tally.unjudged:,} were not judged,"
            f" {tally.open:,} were and could not be decided"
        )
    if tally.signs:
        lines.append(
            f"on {tally.signs:,} inputs nothing but the sign of a zero differs, where the case states exact"
        )
    if tally.alike:
        lines.append(f"on {tally.alike:,} inputs all implementations are off alike: none is accused")
    return lines


def _none_is_off(tally: Tally) -> str:
    if not tally.inputs:
        return "nothing was compared"
    if tally.parted and not tally.decided:
        return "nothing that parts could be decided, so that who is off is not known"
    return "none is off" if tally.judged else "none parts; none was held against a true value"


def written(array: Array) -> str:
    """An array as a line; of a large one its shape and first numbers."""
    if not array.size:
        return f"nothing, of shape {list(array.shape)}"
    if array.size <= MOST:
        return " ".join(repr(np.asarray(array).tolist()).split())
    first = ", ".join(repr(number) for number in array.reshape(-1)[:8].tolist())
    return f"{list(array.shape)}: {first}, ..."


def _ranges(sizes: Sequence[int]) -> str:
    """Sizes in few words: 1 to 8, 50."""
    parts: list[list[int]] = []
    for size in sizes:
        if parts and size == parts[-1][-1] + 1:
            parts[-1].append(size)
        else:
            parts.append([size])
    return ", ".join(f"{part[0]} to {part[-1]}" if len(part) > 1 else str(part[0]) for part in parts)
