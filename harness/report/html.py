"""A record as one HTML page that needs nothing else: no network, no other file, no library."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import msgspec
from markupsafe import Markup

from harness.model import Cell, Record, Rest, Verdict
from harness.model.outcome import is_published
from harness.report import (
    accuracy,
    article_sections,
    charts,
    commands,
    heatmaps,
    history,
    limits,
    published,
    reasons,
    sections,
    sentence,
    svg,
    text,
    times,
    totals,
    view,
)
from harness.report.known import known_divergences, known_range
from harness.report.page import environment
from harness.report.same_bits import same_bits
from harness.report.table import cell_columns

ROWS = 1000
"""How many cases the matrix has at most; those of which all is well are left out first."""
LISTED = 40
"""How many failing cells and documents are shown; the table of all cells has every one."""


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
    page: str = environment().get_template("report.html").render(context(record, earlier))
    return page


def context(record: Record, earlier: Sequence[Record] = ()) -> Mapping[str, Any]:
    """Everything that the template shows."""
    shown = published.columns(record)
    names = [name for column in shown for name in column.labels]
    rows = view.matrix(record)
    divergences = view.divergences(record)
    failing = view.told_once(view.failing(record))
    drawn = sections.case_sections(record, shown, divergences)
    used = limits.uses(record)
    provisos = published.provisos(record)
    pairs = totals.all_pairs(record)
    rest = record.rest or Rest()
    return {
        "record": record,
        "header": record.header,
        "footer": record.footer,
        "sentence": sentence.verdict(record),
        "sources": sentence.sources(record),
        "signs": text.SIGNS,
        "names": names,
        "columns": shown,
        "provisos": provisos,
        "kinds": published.kinds(provisos),
        "articles": [article_sections.article(document) for document in record.documents[:LISTED]],
        "more_articles": max(len(record.documents) - LISTED, 0),
        "series": {name: place % svg.SERIES for place, name in enumerate(names)},
        "matrix": view.foremost(rows, ROWS),
        "rows": len(rows) + rest.rows,
        "rest": rest,
        "sections": drawn,
        "drawn": {(section.case, section.precision): section.id for section in drawn},
        "case_label": text.case_label,
        "cell_link": cell_link,
        "rows_link": rows_link,
        "no_ulp": accuracy.why_no_ulp(accuracy.cancelling(record)),
        "figures": text.figures,
        "index": text.index,
        "weaker": reasons.lines(record),
        "on_the_reference_s_inputs": text.on_the_reference_s_inputs,
        "how": text.how,
        "reproduce": lambda cell: commands.reproduce(record, cell),
        "divergences": [first for first in divergences if first.cell.verdict is Verdict.FAIL][:LISTED],
        "gone": [first for first in divergences if first.cell.verdict is Verdict.XPASS][:LISTED],
        "failing": failing[:LISTED],
        "more_failing": max(len(failing) - LISTED, 0),
        "galleries": heatmaps.galleries(record),
        "drawings": drawings(record, names),
        "accuracy": sorted(accuracy.accuracy(record), key=lambda row: (row.case, row.precision != "float64")),
        "pairs": pairs,
        "same_bits": same_bits(record)[:LISTED],
        "paired": [name for name in names if any(name in pair for pair in pairs)],
        "timed": [name for name in names if not is_published(name)],
        "tight": limits.tight(used),
        "loose": limits.loose(used),
        "known": known(record),
        "times": times.times(record),
        "times_of": times.times_of,
        "of_cell": times.of_cell,
        "took": times.said,
        "summaries": totals.summaries_by_runtime(record),
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
        "data": embedded(
            {**cell_columns(record), "options": text.visible(shlex.join(commands.options(record)))}
        ),
    }


def drawings(record: Record, names: Sequence[str]) -> tuple[Drawing, ...]:
    """The curves of a record, stage by stage."""
    curves = heatmaps.curves_of(record)
    # What a curve is of may have no cell in a record that was cut short.
    places = {
        name: place
        for place, name in enumerate(dict.fromkeys([*names, *(n for s in curves.values() for n in s)]))
    }
    references = {case.name: case.reference for case in record.header.cases}
    pictures = []
    for (case, sample, stage), series in curves.items():
        title = f"{case} {stage}, sample {sample}"
        reference = references.get(case, "")
        reference = reference if reference in series else next(iter(series))
        apart = {
            name: [abs(a - b) for a, b in zip(values, series[reference], strict=False)]
            for name, values in series.items()
            if name != reference
        }
        pictures.append(
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
    return tuple(pictures)


def known(record: Record) -> tuple[dict[str, Any], ...]:
    """The known divergences that are declared, each with what this run saw of it."""
    seen = {known_divergence.id: known_divergence for known_divergence in known_divergences(record)}
    declared = [
        (case.name, known_divergence)
        for case in record.header.cases
        for known_divergence in case.known_divergences
    ]
    rows = [
        {
            "id": known_divergence.id,
            "case": case,
            "declared": known_divergence,
            "range": known_range(known_divergence),
            "seen": seen.pop(known_divergence.id, None),
        }
        for case, known_divergence in declared
    ]
    return (
        *rows,
        *({"id": id, "case": "", "declared": None, "seen": divergence} for id, divergence in seen.items()),
    )


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
