"""The verdict on the cells of one stage, and their explanation in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.model import OF_A_STAGE, Basis, Cell, Mode, Source, Verdict
from harness.report.text import figures, on_the_reference_s_inputs, wrong
from harness.report.view import FAILING, summary


def verdict_of(cells: Sequence[Cell]) -> Cell:
    """Return the cell that decides: the worst one; if none failed, one of the stage that was not run."""
    worst = summary(cells).verdict
    if worst not in FAILING and worst is not Verdict.XFAIL:
        unheard = (Verdict.NOT_RUN, Verdict.UNSUPPORTED)
        worst = next(
            (cell.verdict for cell in cells if cell.check in OF_A_STAGE and cell.verdict in unheard), worst
        )
    return next(cell for cell in cells if cell.verdict is worst)


def explained(cells: Sequence[Cell]) -> str:
    """Explain the cells of one stage of one implementation: every check, then where the error is made."""
    first = cells[0]
    lines = [
        f"case {first.case}, stage {first.stage}, implementation {first.implementation}, {first.precision}"
    ]
    lines += [line for cell in cells for line in _lines(cell)]
    of_stage = [cell for cell in cells if cell.check in OF_A_STAGE]
    isolated = next((cell.verdict for cell in of_stage if cell.mode is Mode.ISOLATED), None)
    for cell in of_stage:
        if cell.verdict in FAILING and (remark := on_the_reference_s_inputs(cell, isolated)):
            lines.append(remark)
            break
    return "\n".join(lines)


def _lines(cell: Cell) -> Iterable[str]:
    against = "" if cell.check in OF_A_STAGE else f", {cell.check} {cell.against}"
    coarse = " coarse" if cell.basis is Basis.COARSE and cell.stats is not None else ""
    replayed = " (replayed)" if cell.source is Source.REPLAYED else ""
    reason = f": {cell.reason}" if cell.reason else ""
    yield f"  {cell.mode}{against}: {cell.verdict}{coarse}{replayed}{reason}"
    numbers = figures(cell)
    if numbers and cell.verdict is not Verdict.PASS:
        yield f"    {numbers}"
    yield from (f"    {line}" for line in wrong(cell))
    for line in cell.detail.splitlines():
        yield f"    | {line}"
