"""Coarse differences that follow from one which rounding may explain, and was not judged."""

from __future__ import annotations

import msgspec

from harness.conformance.explain import downstream
from harness.model import OF_A_STAGE, Basis, Case, Cell, Mode, Source, Verdict


def leave_unjudged(cells: list[Cell], case: Case) -> list[Cell]:
    """Judge no coarse difference that follows from one which was not judged.

    Parameters
    ----------
    cells : list of Cell
        Of one implementation of a case in one precision, marked as inherited where they are.
    case : Case
        Its graph.

    Returns
    -------
    list of Cell
        A chained cell is NOT_RUN, and names the stage where the difference begins, if it is a coarse FAIL by
        numbers alone, passes on the reference's inputs, and in each failing sample a stage before it differs
        by no more than rounding may explain. Where a stage before it is FAIL, it stays.
    """
    after = {name: downstream(case, name) for name in case.values}
    wrong = {cell.stage for cell in cells if _is_off(cell) and cell.basis is not Basis.COARSE}
    unjudged: dict[str, set[str]] = {}
    judged = []
    for cell in cells:
        if _is_coarse(cell) and cell.verdict is Verdict.NOT_RUN and cell.stats is not None:
            unjudged[cell.stage] = _samples(cell, Verdict.NOT_RUN)
        if not (_is_coarse(cell) and _is_off(cell)):
            judged.append(cell)
            continue
        before = [name for name in unjudged if cell.stage in after[name]]
        covered = set[str]().union(*(unjudged[name] for name in before))
        off = _samples(cell, Verdict.FAIL)
        if (
            cell.inherited
            and off <= covered
            and _by_numbers(cell)
            and not any(cell.stage == name or cell.stage in after[name] for name in wrong)
        ):
            unjudged[cell.stage] = off
            judged.append(_follows(cell, before[0]))
        else:
            wrong.add(cell.stage)
            judged.append(cell)
    return judged


def _is_coarse(cell: Cell) -> bool:
    return cell.mode is Mode.CHAINED and cell.basis is Basis.COARSE


def _is_off(cell: Cell) -> bool:
    return cell.mode is Mode.CHAINED and cell.check in OF_A_STAGE and cell.verdict is Verdict.FAIL


def _samples(cell: Cell, verdict: Verdict) -> set[str]:
    return {s.sample for s in cell.by_sample if s.verdict is verdict}


def _by_numbers(cell: Cell) -> bool:
    """Whether only the sizes of numbers differ."""
    return bool(cell.by_sample) and all(
        s.reason.startswith("differs from ") and "NaN" not in s.reason and "infinities" not in s.reason
        for s in cell.by_sample
        if s.verdict is Verdict.FAIL
    )


def _follows(cell: Cell, stage: str) -> Cell:
    def said(reason: str) -> str:
        return (
            f"follows from {stage}, where rounding of the inputs may explain the difference; the stage agrees"
            f" on the reference's inputs; {reason}"
        )

    by_sample = tuple(
        msgspec.structs.replace(s, verdict=Verdict.NOT_RUN, reason=said(s.reason))
        if s.verdict is Verdict.FAIL
        else s
        for s in cell.by_sample
    )
    return msgspec.structs.replace(
        cell, verdict=Verdict.NOT_RUN, source=Source.NONE, reason=said(cell.reason), by_sample=by_sample
    )
