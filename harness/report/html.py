"""A record as one HTML page that needs nothing else: no network, no other file, no library."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import msgspec
from markupsafe import Markup

from harness.model import Case, Cell, Check, Mode, Precision, Record, Tolerance
from harness.report import charts, heatmaps, history, sentence, svg, text, view
from harness.report.table import cell_columns

DRAWN_CASES, DRAWN_STAGES, LISTED = 40, 60, 40
"""How many cases, stages of a case and failing cells are drawn; the table of all cells has every one."""

LOG_FROM = 1e-300
"""Distances below are drawn as none."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One implementation's cells of one stage: own error, and with what it inherited."""

    own: Cell | None
    fed: Cell | None

    @property
    def worst(self) -> Cell | None:
        """The one of the two that says more."""
        both = [cell for cell in (self.fed, self.own) if cell is not None]
        return next((cell for cell in both if cell.verdict in view.FAILING), both[0] if both else None)


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One stage in a case's table."""

    stage: str
    symbol: str
    meaning: str
    inputs: str
    rule: str
    parts: dict[str, Part]
    seconds: dict[str, float]


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """One case in one precision."""

    id: str
    label: str
    case: str
    precision: Precision
    title: str
    origin: str
    strip: Markup
    rows: tuple[Row, ...]
    others: tuple[tuple[str, str, str, dict[str, Cell]], ...]
    left_out: int


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    """One stage's curves, and how far they are from the reference's."""

    title: str
    values: Markup
    apart: Markup | None
    rows: list[tuple[str, str, str, str]]


def render(record: Record, earlier: Sequence[Record] = ()) -> str:
    """Render a record.

    Parameters
    ----------
    record : Record
        A run, whole or not.
    earlier : sequence of Record
        Older runs, whose errors and times are drawn beside this one's.

    Returns
    -------
    str
        A whole HTML document.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("harness.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalized,
    )
    environment.filters |= {
        "short": text.short,
        "number": text.number,
        "seconds": text.seconds,
        "index": text.index,
    }
    page: str = environment.get_template("report.html").render(context(record, earlier))
    return page


def context(record: Record, earlier: Sequence[Record] = ()) -> Mapping[str, Any]:
    """Everything that the template shows."""
    names = view.implementations(record)
    rows = view.matrix(record)
    found = view.divergences(record)
    failing = view.failing(record)
    sections = case_sections(record, names, found)
    used = view.uses(record)
    return {
        "record": record,
        "header": record.header,
        "footer": record.footer,
        "sentence": sentence.verdict(record),
        "sources": sentence.sources(record),
        "signs": text.SIGNS,
        "names": names,
        "series": {name: place % svg.SERIES for place, name in enumerate(names)},
        "matrix": rows,
        "sections": sections,
        "drawn": {(one.case, one.precision): one.id for one in sections},
        "case_label": text.case_label,
        "cell_link": cell_link,
        "rows_link": rows_link,
        "figures": text.figures,
        "how": text.how,
        "reproduce": reproduce,
        "divergences": found[:LISTED],
        "failing": failing[:LISTED],
        "more_failing": max(len(failing) - LISTED, 0),
        "galleries": heatmaps.galleries(record),
        "drawings": drawings(record, names),
        "accuracy": sorted(view.accuracy(record), key=lambda one: (one.case, one.precision != "float64")),
        "pairs": view.pair_matrix(record.pairs),
        "tight": [one for one in used if one.used > view.TIGHT],
        "loose": [one for one in used if one.used <= view.LOOSE],
        "known": known(record),
        "times": times(record),
        "summaries": view.summaries_by_runtime(record),
        "trends": history.trends([*earlier, record]) if earlier else (),
        "marker": lambda place: svg.tag(
            "svg",
            svg.marker(place, 7, 7, filled=True, title=""),
            class_="sign",
            viewBox="0 0 14 14",
            width=14,
            height=14,
            aria_hidden="true",
        ),
        "data": embedded(cell_columns(record)),
    }


def case_sections(
    record: Record, names: Sequence[str], found: Sequence[view.Divergence]
) -> tuple[Section, ...]:
    """The stages of every case, for as many as are drawn."""
    groups: dict[tuple[str, Precision], list[Cell]] = {}
    for cell in view.ordered(record):
        groups.setdefault((cell.case, cell.precision), []).append(cell)
    cases = {case.name: case for case in record.header.cases}
    sections = []
    for place, ((name, precision), cells) in enumerate(list(groups.items())[:DRAWN_CASES]):
        first = {
            one.cell.implementation: one.cell.stage
            for one in found
            if (one.cell.case, one.cell.precision) == (name, precision)
        }
        sections.append(_section(f"case-{place}", cells, cases.get(name), names, first))
    return tuple(sections)


def drawings(record: Record, names: Sequence[str]) -> tuple[Drawing, ...]:
    """The curves of a record, stage by stage."""
    places = {name: place for place, name in enumerate(names)}
    references = {case.name: case.reference for case in record.header.cases}
    found = []
    for (case, sample, stage), series in heatmaps.curves_of(record).items():
        title = f"{case} {stage}, sample {sample}"
        reference = references.get(case, "")
        reference = reference if reference in series else next(iter(series))
        apart = {
            name: [abs(a - b) for a, b in zip(values, series[reference], strict=False)]
            for name, values in series.items()
            if name != reference
        }
        found.append(
            Drawing(
                title=title,
                values=charts.curves(title, series, log=False, unit=stage, places=places),
                apart=charts.curves(
                    f"{title}: distance from {reference}",
                    apart,
                    log=True,
                    unit=f"distance from {reference}",
                    places=places,
                )
                if apart
                else None,
                rows=charts.described(series),
            )
        )
    return tuple(found)


def known(record: Record) -> tuple[dict[str, Any], ...]:
    """The known divergences that are declared, each with what this run saw of it."""
    seen = {one.id: one for one in view.known_divergences(record)}
    declared = [(case.name, one) for case in record.header.cases for one in case.known_divergences]
    found = [
        {"id": one.id, "case": case, "declared": one, "seen": seen.pop(one.id, None)}
        for case, one in declared
    ]
    return (*found, *({"id": id, "case": "", "declared": None, "seen": one} for id, one in seen.items()))


def times(record: Record) -> tuple[dict[str, Any], ...]:
    """Seconds spent in the stages of each case, chained, by implementation; each stage counts once."""
    owner = {
        (case.name, value.name): stage.name
        for case in record.header.cases
        for stage in case.stages
        for value in stage.outputs
    }
    spent: dict[tuple[str, Precision], dict[str, dict[str, float]]] = {}
    for cell in view.ordered(record):
        if cell.mode is Mode.CHAINED or cell.check is Check.REPEAT:
            stages = spent.setdefault((cell.case, cell.precision), {}).setdefault(cell.implementation, {})
            stage = owner.get((cell.case, cell.stage), cell.stage)
            stages[stage] = max(stages.get(stage, 0.0), cell.seconds)
    rows = []
    for (case, precision), found in spent.items():
        total = {name: sum(stages.values()) for name, stages in found.items()}
        most = max(total.values())
        share = {name: one / most if most > 0 and math.isfinite(most) else 0.0 for name, one in total.items()}
        rows.append({"label": text.case_label(case, precision), "total": total, "share": share})
    return tuple(rows)


def reproduce(cell: Cell) -> str:
    """The command that writes a stand-alone script for a cell."""
    words = ["harness", "reproduce", cell.case, cell.stage, cell.implementation]
    if cell.precision is not Precision.FLOAT64:
        words += ["--precision", cell.precision]
    if cell.worst_sample not in {"", "default"}:
        words += ["--sample", cell.worst_sample]
    return " ".join(words)


def cell_link(cell: Cell) -> str:
    """The fragment that opens one cell in the table of all cells."""
    parts = (cell.case, cell.stage, cell.implementation, cell.mode, cell.precision, cell.check, cell.against)
    return f"#cell={'/'.join(quote(text.visible(part), safe='') for part in parts)}"


def rows_link(**wanted: str) -> str:
    """The fragment that filters the table of all cells."""
    parts = (f"{key}={quote(text.visible(value), safe='')}" for key, value in wanted.items())
    return f"#cells={'&'.join(parts)}"


def embedded(value: Any) -> Markup:
    """JSON that can stand in a script element, whatever its texts hold."""
    encoded = msgspec.json.encode(value).decode()
    for character in "<>&\u2028\u2029":
        encoded = encoded.replace(character, f"\\u{ord(character):04x}")
    return Markup(encoded)


def _finalized(value: Any) -> Any:
    return text.visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _section(
    id: str, cells: Sequence[Cell], case: Case | None, names: Sequence[str], first: Mapping[str, str]
) -> Section:
    of_stage = {
        (cell.stage, cell.implementation, cell.mode): cell for cell in cells if cell.check in view.OF_A_STAGE
    }
    there = {stage for stage, _, _ in of_stage}
    declared = list(case.values) if case is not None else []
    stages = [name for name in declared if name in there] or list(dict.fromkeys(cell.stage for cell in cells))
    present = [name for name in names if any(cell.implementation == name for cell in cells)]
    head = cells[0]
    shown = tuple(stages[:DRAWN_STAGES])
    label = text.case_label(head.case, head.precision)
    strip = charts.Strip(
        title=label, stages=shown, implementations=tuple(names), cells=of_stage, first=first, case=case
    )
    return Section(
        id=id,
        label=label,
        case=head.case,
        precision=head.precision,
        title=case.title if case is not None else "",
        origin=case.origin if case is not None else "",
        strip=charts.strip(strip) if of_stage else Markup(""),
        rows=tuple(_row(name, case, of_stage, present) for name in shown) if of_stage else (),
        others=_others(cells),
        left_out=len(stages) - len(shown),
    )


def _row(
    name: str, case: Case | None, cells: Mapping[tuple[str, str, Mode], Cell], names: Sequence[str]
) -> Row:
    value = case.values.get(name) if case is not None else None
    owner = (
        next((stage for stage in case.stages if any(one.name == name for one in stage.outputs)), None)
        if case is not None
        else None
    )
    parts = {
        who: Part(own=cells.get((name, who, Mode.ISOLATED)), fed=cells.get((name, who, Mode.CHAINED)))
        for who in names
    }
    return Row(
        stage=name,
        symbol=value.symbol if value is not None else "",
        meaning=value.meaning if value is not None else "",
        inputs=", ".join(owner.inputs) if owner is not None else "",
        rule=_rule(value.tolerance) if value is not None else "",
        parts={who: part for who, part in parts.items() if part.own is not None or part.fed is not None},
        seconds={who: part.fed.seconds for who, part in parts.items() if part.fed is not None},
    )


def _rule(tolerance: Tolerance | None) -> str:
    if tolerance is None or tolerance.rule == "derived":
        return "derived"
    if tolerance.rule == "exact":
        return "exact"
    unit = {"ulp": " ULP", "relative": " relative", "absolute": " absolute"}[tolerance.rule]
    return f"{tolerance.value:g}{unit}: {tolerance.reason}"


def _others(cells: Sequence[Cell]) -> tuple[tuple[str, str, str, dict[str, Cell]], ...]:
    """Identities and published digits: what was held against what, by implementation."""
    rows: dict[tuple[str, str, str], dict[str, Cell]] = {}
    for cell in cells:
        if cell.check in {Check.IDENTITY, Check.PUBLISHED}:
            rows.setdefault((str(cell.check), cell.stage, cell.against), {})[cell.implementation] = cell
    return tuple((*key, row) for key, row in list(rows.items())[:DRAWN_STAGES])
