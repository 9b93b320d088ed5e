"""The known divergences that a record names: the cells that show them, and how large they are. Pure."""

from __future__ import annotations

import msgspec

from harness.model import Cell, KnownDivergence, Record, Verdict
from harness.report.text import counted
from harness.report.view import ordered


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """A known divergence as this run saw it: cells that show it, that follow from it, that no longer do."""

    id: str
    shown: tuple[Cell, ...]
    follow: tuple[Cell, ...]
    gone: tuple[Cell, ...]


def known_divergences(record: Record) -> tuple[Known, ...]:
    """The known divergences that cells name, in running order."""
    groups: dict[str, list[Cell]] = {}
    for cell in ordered(record):
        if cell.divergence:
            groups.setdefault(cell.divergence, []).append(cell)
    return tuple(
        Known(
            id=id,
            shown=tuple(cell for cell in cells if cell.verdict is Verdict.XFAIL and not cell.inherited),
            follow=tuple(cell for cell in cells if cell.verdict is Verdict.XFAIL and cell.inherited),
            gone=tuple(cell for cell in cells if cell.verdict is Verdict.XPASS),
        )
        for id, cells in groups.items()
    )


def ranges(record: Record) -> dict[str, str]:
    """How large each declared known divergence is said to be, in words, by its id."""
    return {
        known_divergence.id: known_range(known_divergence)
        for case in record.header.cases
        for known_divergence in case.known_divergences
        if known_divergence.measure is not None
    }


def known_range(known: KnownDivergence) -> str:
    """``norm 0.12 to 0.25, 4 to 9 elements``; nothing where a record of an older schema has none."""
    if known.measure is None or known.at_least is None or known.at_most is None:
        return ""
    size = f"{known.measure} {known.at_least:.3g} to {known.at_most:.3g}"
    if known.elements is None:
        return size
    least, most = known.elements
    return f"{size}, {f'{least:,} to ' if least < most else ''}{counted(most, 'element')}"
