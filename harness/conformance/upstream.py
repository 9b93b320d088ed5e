"""The part of a case that one output needs."""

from __future__ import annotations

from collections.abc import Set

import msgspec

from harness.model import Case, Stage


def stages_for(case: Case, names: Set[str]) -> tuple[Stage, ...]:
    """Return the stages of these outputs, and all stages that they need, in the case's order."""
    wanted, kept = set(names), list[Stage]()
    for stage in reversed(case.stages):
        if wanted.intersection(value.name for value in stage.outputs):
            kept.append(stage)
            wanted.update(stage.inputs)
    return tuple(reversed(kept))


def upstream(case: Case, outputs: Set[str]) -> Case:
    """Return the part of a case up to these outputs and the other sides of their identities."""
    identities = tuple(identity for identity in case.identities if outputs & {identity.left, identity.right})
    kept = stages_for(
        case, outputs | {side for identity in identities for side in (identity.left, identity.right)}
    )
    names = {value.name for stage in kept for value in stage.outputs}
    known = {identity.id for identity in identities}
    return msgspec.structs.replace(
        case,
        stages=kept,
        identities=identities,
        published=tuple(published for published in case.published if published.stage in outputs),
        known_divergences=tuple(
            known_divergence
            for known_divergence in case.known_divergences
            if known_divergence.identity in known or known_divergence.stage in names
        ),
    )
