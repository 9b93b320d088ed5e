"""How much of its limit a stage uses: limits that are loose, and limits that are tight. Pure."""

from __future__ import annotations

import msgspec

from harness.model import OF_A_STAGE, Basis, Cell, Check, Precision, Record, Verdict
from harness.report import view

LOOSE, TIGHT = 1 / 20, 9 / 10
"""A limit is loose if no error used more of it; it is tight if an error within it used more."""


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """How much of its limit a stage used at most, over all implementations and both modes.

    ``within`` is the same over the cells that are within the limit.
    """

    case: str
    stage: str
    precision: Precision
    check: Check
    used: float
    within: float


def uses(record: Record) -> tuple[Use, ...]:
    """The stages whose limit is above 0 and not coarse, with the largest error/limit of all."""
    used: dict[tuple[str, str, Precision, Check], float] = {}
    within: dict[tuple[str, str, Precision, Check], float] = {}
    for cell in view.ordered(record):
        if cell.check in OF_A_STAGE and cell.stats is not None and cell.limit and not _coarse(cell):
            key = (cell.case, cell.stage, cell.precision, cell.check)
            used[key] = max(used.get(key, 0.0), cell.stats.used)
            if cell.verdict is Verdict.PASS:
                within[key] = max(within.get(key, 0.0), cell.stats.used)
    return tuple(
        Use(case=key[0], stage=key[1], precision=key[2], check=key[3], used=most, within=within.get(key, 0.0))
        for key, most in used.items()
    )


def _coarse(cell: Cell) -> bool:
    # A coarse limit is wide on purpose.
    return cell.basis is Basis.COARSE


def loose(limits: tuple[Use, ...]) -> tuple[Use, ...]:
    """Limits of which no implementation used more than a twentieth."""
    return tuple(use for use in limits if use.used <= LOOSE)


def tight(limits: tuple[Use, ...]) -> tuple[Use, ...]:
    """Limits of which an implementation that is within it used more than nine tenths."""
    return tuple(use for use in limits if use.within > TIGHT)
