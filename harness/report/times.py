"""What the calls of each case and the work of each runtime took, first calls apart from later ones."""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec

from harness.model import CallTimes, Cell, Check, Footer, Mode, Precision, Record
from harness.model.outcome import is_published
from harness.report import text, view


class Took(msgspec.Struct, frozen=True, kw_only=True):
    """What one call of each stage takes, and all calls together; None where that is not known.

    ``first`` is the first call after the file was loaded, ``later`` the median of the others.
    """

    first: float | None
    later: float | None
    every: float


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """The times of a case in one precision by implementation, and the lengths of their bars, from 0 to 1."""

    label: str
    took: dict[str, Took]
    share: dict[str, float]


def times(record: Record) -> tuple[Row, ...]:
    """What the stages of each case took, chained, by implementation; each stage counts once."""
    owner = {
        (case.name, value.name): stage.name
        for case in record.header.cases
        for stage in case.stages
        for value in stage.outputs
    }
    spent: dict[tuple[str, Precision], dict[str, dict[str, Cell]]] = {}
    for cell in view.ordered(record):
        measured = cell.mode is Mode.CHAINED or cell.check is Check.REPEAT
        if measured and not is_published(cell.implementation):
            stages = spent.setdefault((cell.case, cell.precision), {}).setdefault(cell.implementation, {})
            stage = owner.get((cell.case, cell.stage), cell.stage)
            if stage not in stages or cell.seconds > stages[stage].seconds:
                stages[stage] = cell
    return tuple(
        _row(text.case_label(case, precision), {name: _took(cells.values()) for name, cells in of.items()})
        for (case, precision), of in spent.items()
    )


def of_cell(cell: Cell) -> Took:
    """What the calls of one stage took."""
    return _took([cell])


def said(took: Took) -> str:
    """The first call and the median of later ones, in words: ``6.15 s first call, 3 ms later``."""
    parts = []
    if took.first is not None:
        parts.append(f"{text.seconds(took.first)} first call")
    if took.later is not None:
        parts.append(f"{text.seconds(took.later)} later")
    return ", ".join(parts) or text.seconds(took.every)


def times_of(footer: Footer, runtime: str) -> tuple[float | None, float | None, float | None]:
    """Return the seconds of a runtime's start, of the first call of each stage, and of all later calls."""
    busy, first = footer.busy.get(runtime), footer.first.get(runtime)
    later = busy if busy is None or first is None else max(busy - first, 0.0)
    return footer.start_up.get(runtime), first, later


def _took(cells: Iterable[Cell]) -> Took:
    cells = list(cells)
    # A stage that gave nothing took no time, and has no calls.
    calls = [cell.calls or CallTimes() for cell in cells if cell.calls is not None or cell.seconds > 0.0]
    return Took(
        first=_whole([each.first for each in calls]),
        later=_whole([each.later for each in calls]),
        every=sum(cell.seconds for cell in cells),
    )


def _whole(parts: list[float | None]) -> float | None:
    """Their sum, where each stage has one."""
    known = [part for part in parts if part is not None]
    return sum(known) if known and len(known) == len(parts) else None


def _row(label: str, took: dict[str, Took]) -> Row:
    """Bars compare what all have: later calls, or else first ones, or else all together.

    What was not run, or replayed, took no time, and is left out.
    """
    took = {name: each for name, each in took.items() if each.every > 0.0}
    of_all: dict[str, float] = {name: each.every for name, each in took.items()}
    for kind in ("later", "first"):
        known = {name: getattr(each, kind) for name, each in took.items()}
        if known and None not in known.values():
            of_all = known
            break
    most = max(of_all.values(), default=0.0)
    share = {
        name: seconds / most if most > 0 and math.isfinite(most) else 0.0 for name, seconds in of_all.items()
    }
    return Row(label=label, took=took, share=share)
