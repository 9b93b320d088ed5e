"""Which stages a change reaches, which have an answer, and whether what was observed of them is the same."""

from __future__ import annotations

from collections.abc import Mapping

from harness.audit.audit_context import AuditContext
from harness.audit.boundary import same_bits
from harness.model import Case, Failure, Observed, Stage


def answered(context: AuditContext, stages: tuple[Stage, ...]) -> tuple[Stage, ...]:
    """Return the stages of which the reference has an answer in every sample."""
    silent = {name for (_, name), observation in context.upstream.items() if isinstance(observation, Failure)}
    return tuple(stage for stage in stages if stage.name not in silent)


def reached(case: Case, uses: Mapping[str, frozenset[str]], definition: str) -> tuple[Stage, ...]:
    """Return the stages whose functions use a definition, or are that definition."""
    names = {definition}
    while True:
        more = {name for name, used in uses.items() if used & names} - names
        if not more:
            return tuple(stage for stage in case.stages if stage.name in names)
        names |= more


def of_stage(observed: Observed, stage: Stage) -> Observed:
    """Return what was observed of one stage."""
    return {key: observation for key, observation in observed.items() if key[1] == stage.name}


def equal(left: Observed, right: Observed) -> bool:
    """Whether two observations have the same values, bit for bit."""
    return left.keys() == right.keys() and all(
        not isinstance(observation, Failure)
        and not isinstance(also := right[key], Failure)
        and all(same_bits(array, also.outputs[name]) for name, array in observation.outputs.items())
        for key, observation in left.items()
    )
