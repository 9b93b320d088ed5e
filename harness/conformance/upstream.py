"""The part of a case that one output needs."""

from __future__ import annotations

from collections.abc import Set

import msgspec

from harness.model import Case, Stage


def stages_for(case: Case, names: Set[str]) -> tuple[Stage, ...]:
    """The stages that return these outputs, and all that those take, in the case's order."""
    wanted, kept = set(names), list[Stage]()
    for stage in reversed(case.stages):
        if wanted.intersection(value.name for value in stage.outputs):
            kept.append(stage)
            wanted.update(stage.inputs)
    return tuple(reversed(kept))


def upstream(case: Case, name: str) -> Case:
    """The case up to one output and the other sides of its identities, and what is said of that."""
    identities = tuple(one for one in case.identities if name in (one.left, one.right))
    kept = stages_for(case, {name, *(side for one in identities for side in (one.left, one.right))})
    names = {value.name for stage in kept for value in stage.outputs}
    known = {one.id for one in identities}
    return msgspec.structs.replace(
        case,
        stages=kept,
        identities=identities,
        published=tuple(one for one in case.published if one.stage == name),
        known_divergences=tuple(
            one for one in case.known_divergences if one.identity in known or one.stage in names
        ),
    )
