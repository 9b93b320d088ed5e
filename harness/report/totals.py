"""Totals over all cells of a record, those that it tells in numbers alone among them. Pure."""

from __future__ import annotations

import msgspec

from harness.model import Cell, Check, Record, Verdict, WellOf, runtime_of
from harness.report import view


def verdicts(record: Record) -> dict[Verdict, int]:
    """How many cells of a record have each verdict, those that it tells in numbers alone among them."""
    totals = view.counts(record.cells)
    if record.rest is not None:
        totals[Verdict.PASS] += record.rest.cells
    return totals


def cases(record: Record) -> int:
    """How many cases have cells."""
    return len({cell.case for cell in record.cells}) + (record.rest.cases if record.rest is not None else 0)


def summaries_by_runtime(record: Record) -> dict[str, view.Summary]:
    """The cells of each runtime in one."""
    groups: dict[str, list[Cell]] = {}
    for cell in view.ordered(record):
        groups.setdefault(runtime_of(cell.implementation), []).append(cell)
    found = {runtime: view.summary(cells) for runtime, cells in groups.items()}
    for name, well in record.rest.by.items() if record.rest is not None else ():
        if (runtime := runtime_of(name)) in found:
            found[runtime] = _and_well(found[runtime], well, well.cells)
    return found


def whole(record: Record, *, repeats: bool = True) -> view.Summary | None:
    """All cells in one, or all but what references repeat; None where there is none."""
    cells = [cell for cell in record.cells if repeats or cell.check is not Check.REPEAT]
    if not cells:
        return None
    found = view.summary(cells)
    for well in record.rest.by.values() if record.rest is not None else ():
        found = _and_well(found, well, well.cells if repeats else well.compared)
    return found


def _and_well(found: view.Summary, well: WellOf, cells: int) -> view.Summary:
    return msgspec.structs.replace(
        found,
        counts={**found.counts, Verdict.PASS: found.counts.get(Verdict.PASS, 0) + cells},
        live=found.live + cells,
        max_abs=view.largest(value for value in (found.max_abs, well.max_abs) if value is not None),
        max_ulp=view.largest(value for value in (found.max_ulp, well.max_ulp) if value is not None),
        used=view.largest(value for value in (found.used, well.used) if value is not None),
    )


def all_pairs(record: Record) -> dict[tuple[str, str], view.PairSummary]:
    """`view.pair_matrix` of a record, with the pairs that it tells in numbers alone."""
    found = view.pair_matrix(record.pairs)
    for names, (agree, distance) in record.rest.pairs.items() if record.rest is not None else ():
        seen = found.get(names, view.PairSummary(agree=0, total=0, max_abs=None))
        found[names] = msgspec.structs.replace(
            seen,
            agree=seen.agree + agree,
            total=seen.total + agree,
            max_abs=view.largest(value for value in (seen.max_abs, distance) if value is not None),
        )
    return found
