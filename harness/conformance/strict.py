"""What ``--strict`` refuses: coarse comparisons, and elements that are undecided."""

from __future__ import annotations

import msgspec

from harness.model import Basis, Cell, Source, Verdict

STRICT = "compared coarsely only, which --strict does not allow"

UNDECIDED = "--strict allows no undecided elements"

_SOUND = frozenset({Verdict.PASS, Verdict.XFAIL})


def refuse_coarse(cells: list[Cell]) -> list[Cell]:
    """Turn every cell that was compared coarsely into a failure, with its samples."""
    return [_refused(cell) if _passes(cell) else cell for cell in cells]


def _passes(cell: Cell) -> bool:
    return cell.basis is Basis.COARSE and cell.verdict in _SOUND


def _refused(cell: Cell) -> Cell:
    by_sample = tuple(
        msgspec.structs.replace(sample_verdict, verdict=Verdict.FAIL, reason=_strictly(sample_verdict.reason))
        if sample_verdict.verdict in _SOUND
        else sample_verdict
        for sample_verdict in cell.by_sample
    )
    return msgspec.structs.replace(
        cell,
        verdict=Verdict.FAIL,
        reason=_strictly(cell.reason),
        by_sample=by_sample,
        divergence="",
        inherited=False,
    )


def refuse_undecided(cells: list[Cell]) -> list[Cell]:
    """Leave every cell without a verdict that passes, and has elements which could not be judged."""
    return [
        msgspec.structs.replace(
            cell,
            verdict=Verdict.NOT_RUN,
            source=Source.NONE,
            reason="; ".join(filter(None, [cell.reason, UNDECIDED])),
            by_sample=tuple(
                msgspec.structs.replace(sample_verdict, verdict=Verdict.NOT_RUN)
                if sample_verdict.undecided and sample_verdict.verdict in _SOUND
                else sample_verdict
                for sample_verdict in cell.by_sample
            ),
            divergence="",
            inherited=False,
        )
        if cell.undecided and cell.verdict in _SOUND
        else cell
        for cell in cells
    ]


def _strictly(reason: str) -> str:
    return "; ".join(filter(None, [STRICT, reason]))
