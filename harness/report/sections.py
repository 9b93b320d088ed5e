"""The stages of every case, as the page shows them: a strip, and a table of its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from markupsafe import Markup

from harness.model import OF_A_STAGE, Basis, Case, Cell, Check, Mode, Precision, Record
from harness.report import charts, text, view
from harness.report.published import Column
from harness.report.rules import rule_text

DRAWN_CASES, DRAWN_STAGES = 40, 60
"""How many cases, and stages of a case, are drawn."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One implementation's cells of one stage: own error, and with what it inherited."""

    isolated: Cell | None
    chained: Cell | None

    @property
    def worst(self) -> Cell | None:
        """The chained cell if it fails, else the isolated one if that fails, else the first there is."""
        both = [cell for cell in (self.chained, self.isolated) if cell is not None]
        return next((cell for cell in both if cell.verdict in view.FAILING), both[0] if both else None)


class ImplementationRow(msgspec.Struct, frozen=True, kw_only=True):
    """One stage in a case's table."""

    stage: str
    symbol: str
    meaning: str
    inputs: str
    rule: str
    bases: str
    parts: dict[str, Part]


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """One case in one precision."""

    id: str
    label: str
    case: str
    precision: Precision
    title: str
    origin: str
    strip: Markup
    columns: tuple[Column, ...]
    rows: tuple[ImplementationRow, ...]
    others: tuple[tuple[str, str, str, dict[str, Cell]], ...]
    left_out: int
    summary: view.Summary

    @property
    def needs_a_look(self) -> bool:
        """Whether something in it makes the run fail."""
        return self.summary.verdict in view.FAILING


def case_sections(
    record: Record, columns: Sequence[Column], divergences: Sequence[view.Divergence]
) -> tuple[Section, ...]:
    """The stages of every case, as many as are drawn; what needs a look comes first, and is left out last."""
    groups: dict[tuple[str, Precision], list[Cell]] = {}
    for cell in view.ordered(record):
        groups.setdefault((cell.case, cell.precision), []).append(cell)
    cases = {case.name: case for case in record.header.cases}
    sections = []
    well = [all(cell.verdict not in view.FAILING for cell in cells) for cells in groups.values()]
    drawn = sorted(sorted(range(len(well)), key=well.__getitem__)[:DRAWN_CASES])
    every = list(groups.items())
    for place, ((name, precision), cells) in ((place, every[place]) for place in drawn):
        first = {
            divergence.cell.implementation: divergence.cell.stage
            for divergence in divergences
            if (divergence.cell.case, divergence.cell.precision) == (name, precision)
        }
        sections.append(_section(f"case-{place}", cells, cases.get(name), columns, first))
    return tuple(sorted(sections, key=lambda section: not section.needs_a_look))


def _section(
    id: str, cells: Sequence[Cell], case: Case | None, columns: Sequence[Column], first: Mapping[str, str]
) -> Section:
    of_stage = {
        (cell.stage, cell.implementation, cell.mode): cell for cell in cells if cell.check in OF_A_STAGE
    }
    there = {stage for stage, _, _ in of_stage}
    declared = list(case.values) if case is not None else []
    stages = [name for name in declared if name in there] or list(dict.fromkeys(cell.stage for cell in cells))
    has = {cell.implementation for cell in cells}
    series = {name: place for place, name in enumerate(name for column in columns for name in column.labels)}
    present = {name: place for name, place in series.items() if name in has}
    head = cells[0]
    shown = tuple(stages[:DRAWN_STAGES])
    label = text.case_label(head.case, head.precision)
    strip = charts.Strip(title=label, stages=shown, series=present, cells=of_stage, first=first, case=case)
    return Section(
        id=id,
        label=label,
        case=head.case,
        precision=head.precision,
        title=case.title if case is not None else "",
        origin=case.origin if case is not None else "",
        strip=charts.strip(strip) if of_stage else Markup(""),
        columns=tuple(column for column in columns if has & column.labels.keys()),
        rows=tuple(_row(name, case, of_stage, present) for name in shown) if of_stage else (),
        others=_others(cells),
        left_out=len(stages) - len(shown),
        summary=view.summary(cells),
    )


def _row(
    name: str, case: Case | None, cells: Mapping[tuple[str, str, Mode], Cell], names: Iterable[str]
) -> ImplementationRow:
    value = case.values.get(name) if case is not None else None
    parts = {
        who: Part(
            isolated=cells.get((name, who, Mode.ISOLATED)), chained=cells.get((name, who, Mode.CHAINED))
        )
        for who in names
    }
    return ImplementationRow(
        stage=name,
        symbol=value.symbol if value is not None else "",
        meaning=value.meaning if value is not None else "",
        inputs=", ".join(case.owner(name).inputs) if case is not None and value is not None else "",
        rule=rule_text(value) if value is not None else "",
        bases=_bases(parts.values()),
        parts={
            who: part for who, part in parts.items() if part.isolated is not None or part.chained is not None
        },
    )


def _bases(parts: Iterable[Part]) -> str:
    """Where the limits come from, as the cells say, where that is not what the rule says already."""
    cells = [cell for part in parts for cell in (part.isolated, part.chained) if cell is not None]
    return ", ".join(dict.fromkeys(cell.basis for cell in cells if cell.basis not in {None, Basis.DERIVED}))


def _others(cells: Sequence[Cell]) -> tuple[tuple[str, str, str, dict[str, Cell]], ...]:
    """Identities, published digits and expected values: what was compared with what, by implementation."""
    rows: dict[tuple[str, str, str], dict[str, Cell]] = {}
    for cell in cells:
        if cell.check in {Check.IDENTITY, Check.PUBLISHED, Check.EXPECTED}:
            rows.setdefault((str(cell.check), cell.stage, cell.against), {})[cell.implementation] = cell
    return tuple((*key, row) for key, row in list(rows.items())[:DRAWN_STAGES])
