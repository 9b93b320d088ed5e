"""Inherited failures, and differences that are known."""

from __future__ import annotations

from fnmatch import fnmatchcase

import msgspec

from harness.model import Case, Cell, Check, Identity, KnownDivergence, Mode, Verdict

OF_A_STAGE = frozenset({Check.REFERENCE, Check.ORACLE})
"""Checks that hold a stage against what it should have returned."""


def mark_inherited(cells: list[Cell]) -> list[Cell]:
    """Mark the chained failures that vanish when the stage is given the reference's inputs."""
    sound = {
        (cell.stage, cell.precision)
        for cell in cells
        if cell.mode is Mode.ISOLATED and cell.verdict is Verdict.PASS and cell.check in OF_A_STAGE
    }
    return [
        msgspec.structs.replace(cell, inherited=True)
        if cell.mode is Mode.CHAINED
        and cell.check in OF_A_STAGE
        and cell.verdict is not Verdict.PASS
        and (cell.stage, cell.precision) in sound
        else cell
        for cell in cells
    ]


def expect_divergences(case: Case, implementation: str, cells: list[Cell]) -> list[Cell]:
    """Turn the failures that are known into XFAIL, and known ones that no longer show into XPASS."""
    for known in case.known_divergences:
        if fnmatchcase(implementation, known.implementation):
            cells = _expect(case, known, cells)
    return cells


def _expect(case: Case, known: KnownDivergence, cells: list[Cell]) -> list[Cell]:
    def covered(cell: Cell) -> bool:
        if known.identity:
            return cell.check is Check.IDENTITY and (cell.stage, cell.against) == _sides(case, known.identity)
        return cell.stage == known.stage and cell.check in OF_A_STAGE

    def follows(cell: Cell) -> bool:
        return not known.identity and cell.inherited and cell.stage in _downstream(case, known.stage)

    shown = {cell.precision for cell in cells if covered(cell) and cell.verdict is Verdict.FAIL}
    judged = []
    for cell in cells:
        if cell.verdict is Verdict.FAIL and (covered(cell) or follows(cell)):
            cell = msgspec.structs.replace(cell, verdict=Verdict.XFAIL, divergence=known.id)
        elif cell.verdict is Verdict.PASS and covered(cell) and cell.precision not in shown:
            cell = msgspec.structs.replace(
                cell,
                verdict=Verdict.XPASS,
                divergence=known.id,
                reason=f"known divergence {known.id!r} no longer shows; it ends when: {known.ends_when}",
            )
        judged.append(cell)
    return judged


def _sides(case: Case, identity_id: str) -> tuple[str, str]:
    identity: Identity = next(one for one in case.identities if one.id == identity_id)
    return identity.left, identity.right


def _downstream(case: Case, name: str) -> set[str]:
    reached = {name}
    for stage in case.stages:
        if reached.intersection(stage.inputs):
            reached.update(value.name for value in stage.outputs)
    return reached - {name}
