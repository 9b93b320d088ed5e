"""What a record says, as plain values: counts, first divergence, matrices. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from harness.model import (
    OF_A_STAGE,
    Basis,
    Cell,
    ErrorStats,
    Mode,
    Pair,
    Precision,
    Record,
    Source,
    Verdict,
    runtime_of,
)
from harness.model.once import once
from harness.model.outcome import JUDGED, NO_ANSWER
from harness.report.text import counted

FAILING = frozenset({Verdict.FAIL, Verdict.XPASS, Verdict.ERROR, Verdict.TIMEOUT})
"""Verdicts that make a run fail."""


# What one word for many cells is: the first of these that occurs among them.
_WORST_FIRST = (
    Verdict.ERROR,
    Verdict.TIMEOUT,
    Verdict.FAIL,
    Verdict.XPASS,
    Verdict.XFAIL,
    Verdict.PASS,
    Verdict.NOT_RUN,
    Verdict.UNSUPPORTED,
)


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Several cells in one: the worst verdict, how many of each, and the largest errors.

    ``max_abs`` and ``max_ulp`` are over the cells compared with the truth or the reference; ``None``: there
    is none. ``used`` is the largest error/limit of those cells whose limit is not coarse, ``coarse`` how
    many judged cells have one that is.
    """

    verdict: Verdict
    counts: dict[Verdict, int]
    live: int
    replayed: int
    not_run: int
    max_abs: float | None
    max_ulp: float | None
    used: float | None
    coarse: int
    reason: str

    @property
    def total(self) -> int:
        """How many cells there are."""
        return sum(self.counts.values())

    @property
    def ranked(self) -> tuple[tuple[Verdict, int], ...]:
        """How many cells have each verdict that occurs, the worst verdict first."""
        return tuple((verdict, self.counts[verdict]) for verdict in _WORST_FIRST if verdict in self.counts)


class MatrixRow(msgspec.Struct, frozen=True, kw_only=True):
    """One case in one precision: a summary for each implementation that has cells."""

    case: str
    precision: Precision
    entries: dict[str, Summary]


class PairSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Two implementations over all cases and stages: how many outputs agree, and the largest distance.

    ``broken`` outputs were not compared, for one of the two gave no value.
    """

    agree: int
    total: int
    max_abs: float | None
    broken: int = 0

    @property
    def word(self) -> str:
        """The result in one word; an output that could not be compared is an error, not a difference."""
        if self.agree + self.broken < self.total:
            return "differ"
        return "error" if self.broken else "agree"


class Divergence(msgspec.Struct, frozen=True, kw_only=True):
    """The first stage, in running order, at which an implementation is off.

    ``isolated`` is the verdict of the same stage on the reference's inputs, ``None`` where it has none.
    """

    cell: Cell
    isolated: Verdict | None


def counts(cells: Iterable[Cell]) -> dict[Verdict, int]:
    """How many cells have each verdict; verdicts that do not occur are 0."""
    totals = dict.fromkeys(Verdict, 0)
    for cell in cells:
        totals[cell.verdict] += 1
    return totals


def failing(record: Record) -> tuple[Cell, ...]:
    """The cells that make the run fail, those that inherited their error last."""
    cells = [cell for cell in ordered(record) if cell.verdict in FAILING]
    return tuple(sorted(cells, key=lambda cell: cell.inherited))


def told_once(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Cells of which those that gave no answer for one reason, in several stages, stand for one stage.

    A file that cannot be loaded is one fault, however many stages it has. The cells that are left say in how
    many stages it was the same.
    """
    cells = tuple(cells)
    stages = common_faults(cells)
    kept = []
    for cell in cells:
        same = stages.get(fault_of(cell), ())
        if not same:
            kept.append(cell)
        elif cell.stage == same[0]:
            more = f"{cell.reason}; the same in {counted(len(same) - 1, 'more stage')}"
            kept.append(msgspec.structs.replace(cell, reason=more))
    return tuple(kept)


def common_faults(cells: Iterable[Cell]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """The faults that several stages have for one reason, with these stages; see `fault_of`."""
    stages: dict[tuple[str, ...], dict[str, None]] = {}
    for cell in cells:
        if cell.verdict in NO_ANSWER:
            stages.setdefault(fault_of(cell), {})[cell.stage] = None
    return {fault: tuple(names) for fault, names in stages.items() if len(names) > 1}


def fault_of(cell: Cell) -> tuple[str, ...]:
    """What makes a fault the same in several stages: whose it is, and all that is said of it."""
    return (cell.case, cell.implementation, cell.precision, cell.verdict, cell.reason, cell.detail)


def first_divergence(record: Record) -> Divergence | None:
    """Where the implementations part: the first of `divergences`, an XPASS only where nothing else is."""
    candidates = divergences(record)
    ranked = sorted(candidates, key=lambda divergence: divergence.cell.verdict is Verdict.XPASS)
    return ranked[0] if ranked else None


@once
def divergences(record: Record) -> tuple[Divergence, ...]:
    """The first divergence of every implementation in every case and precision, in running order.

    A cell that inherited its error is taken only where every failing one did: no stage is off by itself
    there, and the errors add up. A known divergence that no longer shows is taken only where nothing fails.
    """
    isolated = {
        key: cell.verdict
        for cell in record.cells
        if cell.mode is Mode.ISOLATED and cell.check in OF_A_STAGE
        for key in (_place(cell), (*_place(cell), cell.check))
    }
    first: dict[tuple[str, str, Precision], Cell] = {}
    for cell in ordered(record):
        if cell.verdict not in {Verdict.FAIL, Verdict.XPASS}:
            continue
        key = (cell.case, cell.implementation, cell.precision)
        if _last_resort(cell) < _last_resort(first.setdefault(key, cell)):
            first[key] = cell
    return tuple(
        Divergence(cell=cell, isolated=isolated.get((*_place(cell), cell.check), isolated.get(_place(cell))))
        for cell in first.values()
    )


def _last_resort(cell: Cell) -> tuple[bool, bool]:
    return cell.verdict is Verdict.XPASS, cell.inherited


@once
def implementations(record: Record) -> tuple[str, ...]:
    """Every implementation that has cells: by runtime, in the header's order, then by name."""
    runtimes = [*record.header.runtimes, *(absent.runtime for absent in record.header.absent)]
    rank = {runtime: place for place, runtime in enumerate(runtimes)}
    names = {cell.implementation for cell in record.cells}
    return tuple(sorted(names, key=lambda name: (rank.get(runtime_of(name), len(rank)), name)))


@once
def ordered(record: Record) -> tuple[Cell, ...]:
    """The cells by case, stage and implementation; a record holds them in the order in which they came."""
    stages: dict[tuple[str, str], int] = {}
    groups: dict[tuple[str, str, str], list[Cell]] = {}
    for cell in record.cells:
        stages.setdefault((cell.case, cell.stage), len(stages))
        groups.setdefault((cell.case, cell.stage, cell.implementation), []).append(cell)
    names = {name: place for place, name in enumerate(implementations(record))}
    order = sorted(groups, key=lambda key: (key[0], stages[key[:2]], names[key[2]]))
    return tuple(cell for key in order for cell in groups[key])


@once
def matrix(record: Record) -> tuple[MatrixRow, ...]:
    """One row for each case and precision, one entry for each implementation in it."""
    rows: dict[tuple[str, Precision], dict[str, list[Cell]]] = {}
    for cell in ordered(record):
        rows.setdefault((cell.case, cell.precision), {}).setdefault(cell.implementation, []).append(cell)
    return tuple(
        MatrixRow(
            case=case, precision=precision, entries={name: summary(cells) for name, cells in row.items()}
        )
        for (case, precision), row in rows.items()
    )


def foremost(rows: Sequence[MatrixRow], most: int) -> tuple[MatrixRow, ...]:
    """So many rows at most, in their order: those with something that is no pass before all others."""
    if len(rows) <= most:
        return tuple(rows)
    ranked = sorted(range(len(rows)), key=lambda place: is_well(rows[place]))
    return tuple(rows[place] for place in sorted(ranked[:most]))


def is_well(row: MatrixRow) -> bool:
    """Whether a row needs no look: all passes, differs as is known, or is not in the language."""
    well = {Verdict.PASS, Verdict.XFAIL, Verdict.UNSUPPORTED}
    return all(entry.verdict in well for entry in row.entries.values())


def summary(cells: Iterable[Cell]) -> Summary:
    """Several cells in one.

    Parameters
    ----------
    cells : iterable of Cell
        At least one.

    Raises
    ------
    ValueError
        There is none.
    """
    cells = tuple(cells)
    if not cells:
        raise ValueError("no cells to sum up")
    occurring = {verdict: n for verdict, n in counts(cells).items() if n}
    verdict = next(verdict for verdict in _WORST_FIRST if verdict in occurring)
    compared = [cell.stats for cell in cells if cell.check in OF_A_STAGE and cell.stats is not None]
    return Summary(
        verdict=verdict,
        counts=occurring,
        live=sum(cell.source is Source.LIVE for cell in cells),
        replayed=sum(cell.source is Source.REPLAYED for cell in cells),
        not_run=occurring.get(Verdict.NOT_RUN, 0),
        max_abs=largest(stats.max_abs for stats in compared),
        max_ulp=largest(stats.max_ulp for stats in compared),
        used=largest(
            cell.stats.used
            for cell in cells
            if cell.check in OF_A_STAGE and cell.stats is not None and cell.basis is not Basis.COARSE
        ),
        coarse=sum(cell.basis is Basis.COARSE for cell in cells if cell.verdict in JUDGED),
        reason=next(cell.reason for cell in cells if cell.verdict is verdict),
    )


def pair_matrix(pairs: Iterable[Pair]) -> dict[tuple[str, str], PairSummary]:
    """Agreement of every two implementations, by their names in both orders."""
    groups: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        groups.setdefault((pair.left, pair.right), []).append(pair)
    summaries: dict[tuple[str, str], PairSummary] = {}
    for (left, right), group in groups.items():
        both = PairSummary(
            agree=sum(pair.agree for pair in group),
            total=len(group),
            broken=sum(bool(pair.broken) for pair in group),
            max_abs=largest(pair.stats.max_abs for pair in group if pair.stats is not None),
        )
        summaries[left, right] = summaries[right, left] = both
    return summaries


def place_of_error(stats: ErrorStats) -> tuple[int, ...] | None:
    """The element to look at: the first over the limit, else the one with the largest difference."""
    return stats.first_beyond if stats.first_beyond is not None else stats.max_abs_index


def figures(stats: ErrorStats | None) -> Mapping[str, float | None]:
    """The three errors that every report shows, ``None`` where nothing was compared."""
    if stats is None:
        return {"max_abs": None, "max_rel": None, "max_ulp": None}
    return {"max_abs": stats.max_abs, "max_rel": stats.max_rel, "max_ulp": stats.max_ulp}


def _place(cell: Cell) -> tuple[str, str, str, Precision]:
    return (cell.case, cell.stage, cell.implementation, cell.precision)


def largest(values: Iterable[float]) -> float | None:
    """The largest of some numbers, NaN before all; None where there is none."""
    numbers = list(values)
    # A NaN that Python's max would drop or keep by position is the largest of all here.
    return max(numbers, key=lambda value: math.inf if math.isnan(value) else value, default=None)
