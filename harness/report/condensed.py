"""A large record for its reports: of most of the cases in which all is well, the numbers alone.

Memory holds what something is to be said of, and so many of the other cases as a page shows.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec

from harness.model import (
    Basis,
    Cell,
    Check,
    Footer,
    Outcome,
    Record,
    Rest,
    Source,
    Verdict,
    WellOf,
    outcome_of,
)
from harness.model.outcome import is_published
from harness.report import limits, same_bits, view
from harness.report.accuracy import CANCELLED, accuracy
from harness.store.record import read_record
from harness.store.record_header import header_of
from harness.store.stored_record import StoredRecord

ROWS = 1000
"""So many rows of the matrix, cases by precisions, are in memory though all is well in them."""

_WHOLE = Footer(partial=False)


def read_condensed(path: Path, most: int = ROWS) -> Record:
    """Read a record; of one with more rows than ``most``, what its reports say.

    Raises
    ------
    RecordError
        As of `harness.store.record.read_record`.
    """
    if sum(len(case.precisions) for case in header_of(path).cases) <= most:
        return read_record(path)
    with StoredRecord(path) as stored:
        return condensed(stored, most)


def condensed(stored: StoredRecord, most: int = ROWS) -> Record:
    """Return a record whose ``rest`` is the cases in which all is well, but for ``most`` rows of them."""
    kept: list[Record] = []
    tally = _Tally()
    names: set[str] = set()
    rows = 0
    for case in stored.cases:
        part = stored.part(case)
        theirs = {cell.implementation for cell in part.cells}
        count = len({cell.precision for cell in part.cells})
        if rows + count > most and theirs <= names and all_is_well(part):
            tally.add(part, count)
            continue
        kept.append(part)
        names |= theirs
        rows += count
    shown = {case for part in kept for case in (declared.name for declared in part.header.cases)}
    cases = tuple(
        case for case in stored.header.cases if case.name in shown or case.known_divergences or not kept
    )
    return Record(
        header=msgspec.structs.replace(stored.header, cases=cases),
        footer=stored.footer,
        cells=tuple(cell for part in kept for cell in part.cells),
        pairs=tuple(pair for part in kept for pair in part.pairs),
        consensus=tuple(consensus for part in kept for consensus in part.consensus),
        exhibits=tuple(exhibit for part in kept for exhibit in part.exhibits),
        documents=stored.documents(),
        rest=tally.rest() if tally.cases else None,
    )


def all_is_well(part: Record) -> bool:
    """Whether nothing is to be said of a case but its numbers: all is compared, live, judged and a PASS."""
    if part.consensus or not all(pair.agree and not pair.broken for pair in part.pairs):
        return False
    if not all(map(_is_well, part.cells)):
        return False
    found = outcome_of(msgspec.structs.replace(part, footer=_WHOLE))
    return found.outcome is Outcome.AGREEMENT and not found.reasons


def _is_well(cell: Cell) -> bool:
    return (
        cell.verdict is Verdict.PASS
        and cell.source is Source.LIVE
        and cell.basis is not Basis.COARSE
        and not (cell.weaker_because or cell.undecided or cell.divergence or cell.inherited)
        and not (cell.check is Check.ORACLE and (cell.ulp_of_stage or 0.0) > CANCELLED)
        and not is_published(cell.implementation)
    )


class _Tally:
    """Adds cases up."""

    def __init__(self) -> None:
        self.cases = 0
        self._rows = self._tight = self._loose = self._stages = 0
        self._by: dict[str, WellOf] = {}
        self._pairs: dict[tuple[str, str], tuple[int, float | None]] = {}
        self._bits = same_bits.Found()

    def add(self, part: Record, rows: int) -> None:
        self.cases += 1
        self._rows += rows
        groups: dict[str, list[Cell]] = {}
        for cell in part.cells:
            groups.setdefault(cell.implementation, []).append(cell)
        for name, cells in groups.items():
            self._by[name] = _together(self._by.get(name) or WellOf(language=cells[0].language), cells)
        for (left, right), pair in view.pair_matrix(part.pairs).items():
            agree, distance = self._pairs.get((left, right), (0, None))
            self._pairs[left, right] = agree + pair.agree, _larger(distance, pair.max_abs)
        self._bits.add(part)
        used = limits.uses(part)
        self._tight += len(limits.tight(used))
        self._loose += len(limits.loose(used))
        self._stages += len(accuracy(part))

    def rest(self) -> Rest:
        return Rest(
            cases=self.cases,
            rows=self._rows,
            by=self._by,
            pairs=self._pairs,
            bits=dict(self._bits.outputs),
            bits_of=dict(self._bits.members),
            bits_example=self._bits.example,
            tight=self._tight,
            loose=self._loose,
            stages=self._stages,
        )


def _together(well: WellOf, cells: list[Cell]) -> WellOf:
    summary = view.summary(cells)
    checks = Counter(cell.check for cell in cells)
    return WellOf(
        language=well.language,
        cases=well.cases + 1,
        cells=well.cells + len(cells),
        compared=well.compared + len(cells) - checks[Check.REPEAT],
        printed=well.printed + checks[Check.PUBLISHED],
        data=well.data + checks[Check.EXPECTED],
        max_abs=_larger(well.max_abs, summary.max_abs),
        max_ulp=_larger(well.max_ulp, summary.max_ulp),
        used=_larger(well.used, summary.used),
        error=_larger(well.error, *(cell.ulp_of_stage for cell in cells)),
    )


def _larger(*values: float | None) -> float | None:
    return view.largest(value for value in values if value is not None)
