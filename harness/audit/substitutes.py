"""A bias that is dropped or subtracted is the sound source on another input: inputs to prove that by."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec
import numpy as np

from harness.audit.audit_context import AuditContext
from harness.audit.types import InjectedFault
from harness.model import Array, Failure, Observed, Stage

Change = Callable[[Array], Array]

SUBSTITUTES: Mapping[InjectedFault, tuple[str, Change]] = {
    InjectedFault.BIAS: ("zero", np.zeros_like),
    InjectedFault.SIGN: ("negated", np.negative),
}
"""An input as it acts if it is no longer added, or subtracted."""


def substitutes(
    context: AuditContext, stage: Stage, fault: InjectedFault
) -> Iterator[tuple[str, AuditContext]]:
    """The context with each float input of a stage in turn as such a fault would have it, and its name."""
    if fault not in SUBSTITUTES:
        return
    word, change = SUBSTITUTES[fault]
    kinds = {value.name: value.dtype for value in (*context.case.inputs, *context.case.values.values())}
    for name in stage.inputs:
        if kinds[name] == "float":
            yield f"{name} is {word}", _with_input(context, name, change)


def _with_input(context: AuditContext, name: str, change: Change) -> AuditContext:
    fixture = context.planned.fixture

    def changed(arrays: Mapping[str, Array]) -> dict[str, Array]:
        return {key: change(array) if key == name else array for key, array in arrays.items()}

    upstream: Observed = {
        key: observation
        if isinstance(observation, Failure)
        else msgspec.structs.replace(observation, outputs=changed(observation.outputs))
        for key, observation in context.upstream.items()
    }
    fixture = msgspec.structs.replace(
        fixture,
        sha256=f"{fixture.sha256}, {name} {change.__name__}",
        shared=changed(fixture.shared),
        samples={sample: changed(arrays) for sample, arrays in fixture.samples.items()},
    )
    planned = msgspec.structs.replace(context.planned, fixture=fixture)
    return msgspec.structs.replace(context, planned=planned, upstream=upstream)
