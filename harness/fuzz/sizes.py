"""The sizes that a case takes: those with which its reference comes to an end."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from harness.errors import TimeTooShort, WorkerTimeout
from harness.fuzz.domain import Domain
from harness.fuzz.draw import make_batch
from harness.fuzz.frames import ReferenceValues, observe_reference
from harness.fuzz.observe import Subject, TimeIsUp
from harness.fuzz.recipes import Recipe
from harness.model import Failure, Verdict, dimensions

TRIES = 4
MOST_WAITS = 3
"""Sizes of a symbol that are waited for in vain."""


class Narrowed(NamedTuple):
    """A domain with the sizes that the reference takes, and why it does not take others, by symbol."""

    domain: Domain
    refused: dict[str, str]


def narrowed(domain: Domain, reference: Subject, until: float = math.inf) -> Narrowed:
    """Try each size of each symbol, all others as in the fixture's first sample.

    A size that belongs to another (columns that are heads times their width) keeps to the fixture's: no other
    is taken alone.

    Raises
    ------
    WorkerTimeout
        No size of a symbol was taken, and calls of the reference timed out.
    TimeTooShort
        No size of a symbol was taken ``until`` then, as `time.perf_counter` has it, and no call timed out.
    """
    base = base_sizes(domain)
    sizes, refused = {}, {}
    waited: list[str] = []
    for symbol, candidates in domain.sizes.items():
        taken, reasons = [], []
        for size in candidates:
            timeouts = reference.timeouts
            try:
                why = _refusal(domain, reference, {**base, symbol: size}, until)
            except TimeIsUp:
                reasons.append(f"{symbol} = {size}: no time was left to try it")
                if reference.timeouts > timeouts:
                    reasons[-1] = f"{symbol} = {size}: a call did not end in the time that was left"
                    waited.append(reasons[-1])
                break
            if why is None:
                taken.append(size)
                continue
            reasons.append(f"{symbol} = {size}: {why.reason}")
            waited += [reasons[-1]] if why.verdict is Verdict.TIMEOUT else []
            if len(waited) >= MOST_WAITS:
                break
        if not taken and waited:
            raise WorkerTimeout(
                f"the reference {reference.id} does not come to an end: {waited[-1]}",
                advice="sizes = { n = [2, 4] } under [fuzz] in case.toml says what it takes; --seconds counts"
                " from the first size",
            )
        if not taken and time.perf_counter() >= until:
            raise TimeTooShort(
                f"the time was too short to find a size of {symbol} that the reference {reference.id} takes:"
                " nothing was compared",
                advice="give more --seconds, which count from the first size that is tried; or say under"
                f" [fuzz] in case.toml which sizes it takes: sizes = {{ {symbol} = [2, 4] }}",
            )
        sizes[symbol] = tuple(taken) or (base[symbol],)
        if base[symbol] not in sizes[symbol]:
            # The other symbols are tried with what it takes.
            base[symbol] = max(taken)
        if reasons:
            refused[symbol] = reasons[-1]
    return Narrowed(msgspec.structs.replace(domain, sizes=sizes), refused)


def base_sizes(domain: Domain) -> dict[str, int]:
    """The sizes of the free symbols in the fixture's first sample."""
    sizes: dict[str, int] = {}
    for name, of in domain.inputs.items():
        there = domain.samples[0][name]
        for symbol, size in zip(dimensions(of.value.shape, there.ndim) or (), there.shape, strict=True):
            if isinstance(symbol, str) and symbol in domain.sizes:
                sizes[symbol] = size
    return sizes


def _refusal(domain: Domain, reference: Subject, sizes: Mapping[str, int], until: float) -> Failure | None:
    """Why the reference takes no input of these sizes; None where it takes one."""
    drawn = [name for name, of in domain.inputs.items() if not of.fixed]
    groups = tuple(dict.fromkeys(drawn, kind) for kind in ("seen", "normal", "whole"))
    recipe = Recipe(sample=0, sizes=dict(sizes), groups=groups, palette=(1.0,), seed=0)
    batch = make_batch(domain, recipe, -1, TRIES)
    frames = observe_reference(reference, domain.case.stages, batch, until)
    failures = [_missing(domain, found) for found in frames]
    return None if None in failures else failures[0]


def _missing(domain: Domain, found: ReferenceValues) -> Failure | None:
    """Why there is no value of some stage for any input; None where there is."""
    for stage in domain.case.stages:
        values = found.stages.get(stage.name)
        sound = all(found.sound[v.name].any() for v in stage.outputs if v.name in found.sound)
        if values is not None and values.stacks and sound:
            continue
        failures = [odd for odd in (values.odd if values else {}).values() if isinstance(odd, Failure)]
        if failures:
            return msgspec.structs.replace(failures[0], reason=f"{stage.name}: {failures[0].reason}")
        return Failure(verdict=Verdict.NOT_RUN, reason=f"{stage.name} is no number")
    return None
