"""What the cells of one stage come to, and what they say in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.model import Cell, Mode, Source, Verdict
from harness.report.view import FAILING, OF_A_STAGE, summary


def verdict_of(cells: Sequence[Cell]) -> Cell:
    """The cell that decides: the worst; where nothing failed, one of the stage that was not run."""
    worst = summary(cells).verdict
    if worst not in FAILING and worst is not Verdict.XFAIL:
        unheard = (Verdict.NOT_RUN, Verdict.UNSUPPORTED)
        worst = next(
            (one.verdict for one in cells if one.check in OF_A_STAGE and one.verdict in unheard), worst
        )
    return next(one for one in cells if one.verdict is worst)


def explained(cells: Sequence[Cell]) -> str:
    """All that is known of one stage of one implementation: every check, then where the error is made."""
    one = cells[0]
    lines = [f"case {one.case}, stage {one.stage}, implementation {one.implementation}, {one.precision}"]
    lines += [line for cell in cells for line in _lines(cell)]
    failed = {cell.mode for cell in cells if cell.verdict in FAILING and cell.check in OF_A_STAGE}
    if Mode.ISOLATED in failed:
        lines.append("the error is made in this stage: it is off on the reference's inputs too")
    elif any(cell.inherited for cell in cells):
        lines.append("the error is made before this stage: it is right on the reference's inputs")
    return "\n".join(lines)


def _lines(cell: Cell) -> Iterable[str]:
    against = "" if cell.check in OF_A_STAGE else f", {cell.check} {cell.against}"
    replayed = " (replayed)" if cell.source is Source.REPLAYED else ""
    reason = f": {cell.reason}" if cell.reason else ""
    yield f"  {cell.mode}{against}: {cell.verdict}{replayed}{reason}"
    numbers = _figures(cell)
    if numbers and cell.verdict is not Verdict.PASS:
        yield f"    {numbers}"
    for line in cell.detail.splitlines():
        yield f"    | {line}"


def _figures(cell: Cell) -> str:
    stats = cell.stats
    if stats is None:
        return ""
    at = f" at {list(stats.max_abs_index)}" if stats.max_abs_index is not None else ""
    parts = [f"max abs {stats.max_abs:.3g}{at}, max rel {stats.max_rel:.3g}, {stats.max_ulp:.3g} ULP"]
    if cell.limit is not None:
        parts.append(f"limit {cell.limit:.3g}")
    if cell.worst_sample:
        parts.append(f"sample {cell.worst_sample}")
    return "; ".join(parts)
