"""What the oracle is asked about a case, and what its replies mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from harness.conformance.judged_part import resolved
from harness.conformance.lookup import rule_of
from harness.conformance.observe import Environment
from harness.conformance.plan import PlannedCase
from harness.model import Case, Failure, Mode, Observed, Precision, Stage, Truth, Truths, Verdict
from harness.numerics import tolerance


def derived_outputs(case: Case) -> frozenset[str]:
    """The outputs whose tolerance is derived."""
    return frozenset(name for name, value in case.values.items() if rule_of(value).rule == "derived")


def needed_stages(case: Case, mode: Mode) -> tuple[Stage, ...]:
    """The stages with a derived tolerance, and, chained, all that they follow from."""
    wanted = set(derived_outputs(case))
    needed = []
    for stage in reversed(case.stages):
        if wanted.intersection(value.name for value in stage.outputs):
            needed.append(stage)
            if mode is Mode.CHAINED:
                wanted.update(stage.inputs)
    return tuple(reversed(needed))


def stand_ins(case: Case, upstream: Observed) -> Observed:
    """What the reference returned for stages whose tolerance is stated, and others follow from."""
    derived = derived_outputs(case)
    names = {
        stage.name
        for stage in needed_stages(case, Mode.CHAINED)
        if not any(value.name in derived for value in stage.outputs)
    }
    return {key: observation for key, observation in upstream.items() if key[1] in names}


def stated_limits(
    case: Case,
    precision: Precision,
    sample: str,
    taken: Environment,
    derived: frozenset[str],
    values: Environment | None = None,
) -> dict[str, npt.NDArray[Any]]:
    """Return the limits around the reference's values of stages whose tolerance is stated.

    ``values`` are all of the sample, by whose magnitudes limits may be; elements beyond a horizon may be off
    by as much as there is between any two of them.
    """
    known = values or taken
    limits = {}
    for stage in case.stages:
        for value in stage.outputs:
            if value.name in taken and value.name not in derived:
                array = taken[value.name]
                rule = resolved(rule_of(value).at(sample), lambda name: known.get(name, _MISSING))
                most = 2.0 * tolerance.largest(array)
                limit = most if isinstance(rule, Failure) else tolerance.limit(rule, array, precision)
                limits[value.name] = np.broadcast_to(np.asarray(limit, dtype=np.float64), array.shape).copy()
                if not isinstance(rule, Failure) and rule.horizon is not None:
                    limits[value.name][rule.horizon :] = most
    return limits


_MISSING = Failure(verdict=Verdict.NOT_RUN, reason="not observed")


def truth_from(parts: Sequence[npt.NDArray[Any]], why: str, gap: npt.NDArray[Any] | None = None) -> Truth:
    """The true values of an output, from the arrays of a reply: high, low, radius, worst and limit.

    ``gap`` are the ends of ranges that no branch gives.
    """
    high, low, radius, worst, limit = parts
    undecided = np.isnan(limit)
    limit = np.where(undecided, 0.0, limit)
    with np.errstate(over="ignore"):
        single = limit.astype(np.float32)
    # A limit that float32 cannot hold stays what it is; one that it can is rounded up.
    up = np.where(single < limit, np.nextafter(single, np.float32(np.inf)), single)
    fits = np.isfinite(up).all() and not ((limit > 0) & (limit < np.finfo(np.float32).smallest_normal)).any()
    unlimited = undecided & np.isneginf(radius)
    return Truth(
        high=high,
        low=low,
        limit=up if fits else limit,
        worst=float(worst.max()) if worst.size else 0.0,
        undecided=undecided if undecided.any() else None,
        reach=np.where(undecided & ~unlimited, radius, np.nan) if undecided.any() else None,
        unlimited=unlimited if unlimited.any() else None,
        gap=gap,
        why=why,
    )


def unknown_truths(
    planned: PlannedCase,
    reason: str,
    verdict: Literal[Verdict.NOT_RUN, Verdict.ERROR] = Verdict.NOT_RUN,
) -> Truths:
    """One reason why there are no true values, for every derived output of every sample."""
    failure = Failure(verdict=verdict, reason=reason)
    return {
        (sample, name): failure
        for sample in planned.fixture.samples
        for name in derived_outputs(planned.case)
    }
