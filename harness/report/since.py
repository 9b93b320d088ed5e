"""What a run came to, and what changed since the one before, in a few lines."""

from __future__ import annotations

from collections.abc import Iterator

from harness.model import Cell, Outcome, Record, Verdict
from harness.model.outcome import NO_ANSWER
from harness.report import sentence, view
from harness.report.diff import ABSENT, Changed, compare
from harness.report.text import counted, figures, how, short, wrong

SHOWN = 5
_NOT_COMPARED = "not compared"
_WELL = (Verdict.PASS, Verdict.XFAIL)


def since(before: Record | None, now: Record) -> tuple[str, ...]:
    """Lines for a terminal: the outcome, where to look first, and what got worse or better.

    Parameters
    ----------
    before : Record, optional
        An earlier run of the same cases.
    now : Record
        The run.
    """
    return tuple(_lines(before, now))


def _lines(before: Record | None, now: Record) -> Iterator[str]:
    said = sentence.verdict(now)
    seconds = f" in {now.footer.seconds:.2f} s" if now.footer is not None else ""
    if faults := _faults(now):
        # In the middle of a change a file cannot be loaded: that is all there is to say.
        first, *more = faults
        yield f"{said.outcome}{seconds}: {first}"
        yield from (f"  {fault}" for fault in more[:SHOWN])
        return
    yield f"{said.outcome}{seconds}: {said.text}"
    if said.outcome is not Outcome.AGREEMENT:
        for divergence in view.divergences(now)[:SHOWN]:
            cell = divergence.cell
            yield f"  {_place(cell)}: {short(cell.reason)}"
            yield from (f"    {line}" for line in (figures(cell), *wrong(cell)[:2]) if line)
    if before is None:
        return
    change = compare(before, now)
    gone = tuple(changed for changed in change.worse if changed.now == ABSENT)
    come = tuple(changed for changed in change.other if changed.before == ABSENT and changed.now in _WELL)
    for word, changes in (
        ("worse", tuple(changed for changed in change.worse if changed not in gone)),
        ("better", change.better),
        # What was not judged, and is gone, says nothing.
        ("changed", tuple(each for each in change.other if each not in come and each.now != ABSENT)),
    ):
        yield from _changes(word, changes)
    # A file that is gone, or back, is one thing.
    for word, changes in (("no longer compared", gone), ("compared, and not before", come)):
        if changes:
            yield f"  {word}: {counted(len(changes), 'cell')}, of {_whose(changes)}"
    for grown in change.grown[:SHOWN]:
        yield f"  error grew: {grown.name}: {grown.before:.3g} -> {grown.now:.3g}"


def _faults(now: Record) -> list[str]:
    """Why there were no values: each reason once, with the implementation and the first stage."""
    failing = [cell for cell in view.told_once(view.failing(now)) if cell.verdict in NO_ANSWER]
    told: dict[tuple[str, str], Cell] = {}
    for cell in failing:
        told.setdefault((cell.implementation, cell.reason), cell)
    return [
        f"{cell.case}, stage {cell.stage}, implementation {cell.implementation}: {cell.verdict}:"
        f" {short(cell.reason)}"
        for cell in told.values()
    ]


def _whose(changes: tuple[Changed, ...]) -> str:
    """The implementations whose cells these are."""
    return ", ".join(dict.fromkeys(changed.name.split(" ")[2] for changed in changes))


def _place(cell: Cell) -> str:
    return f"{cell.case}, stage {cell.stage}, implementation {cell.implementation} ({how(cell)})"


def _changes(word: str, changes: tuple[Changed, ...]) -> Iterator[str]:
    for changed in changes[:SHOWN]:
        then, here = (_NOT_COMPARED if word == ABSENT else word for word in (changed.before, changed.now))
        yield f"  {word}: {changed.name}: {then} -> {here}"
    if len(changes) > SHOWN:
        yield f"  {word}: {counted(len(changes) - SHOWN, 'more cell')}"
