"""A record as Markdown: for the summary of a CI's step, and for a comment on a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterable

from harness.model import Basis, Cell, Outcome, Record, Verdict
from harness.report import article_sections, diff, published, reasons, sentence, view
from harness.report.text import SIGNS, case_label, counted, figures, how, number, short

_SHOWN, _NAMED, _ROWS = 20, 6, 200

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&]|:(?=\w))")
_LINKS = re.compile(r"([@#])(?=\w)")


def render(record: Record, base: Record | None = None) -> str:
    """Render a record.

    Parameters
    ----------
    record : Record
        A run, whole or not.
    base : Record, optional
        An older run: what changed since is added.

    Returns
    -------
    str
        The verdict, the matrix, where implementations part first, and what changed.
    """
    verdict = sentence.verdict(record)
    icon = {Outcome.AGREEMENT: "✅", Outcome.DIVERGENCE: "❌"}.get(verdict.outcome, "⚠️")
    lines = [f"## {icon} {verdict.outcome}", ""]
    for text in filter(None, (verdict.text, verdict.articles, sentence.sources(record))):
        lines += [escaped(text), ""]
    lines += [f"- {escaped(note)}" for note in verdict.notes]
    lines += ["", *_matrix(record), *_weaker(record), *_articles(record)]
    for title, gone in (("First divergences", False), ("Known divergences that no longer show", True)):
        divergences = [
            first for first in view.divergences(record) if (first.cell.verdict is Verdict.XPASS) is gone
        ]
        if not divergences:
            continue
        lines += ["", f"### {title}", ""]
        lines += _table(
            ("case", "stage", "implementation", "how", "verdict", "why"),
            (
                (
                    divergence.cell.case,
                    divergence.cell.stage,
                    divergence.cell.implementation,
                    how(divergence.cell),
                    f"{SIGNS[divergence.cell.verdict]} {divergence.cell.verdict}{_coarse(divergence.cell)}",
                    _why(divergence.cell),
                )
                for divergence in divergences[:_SHOWN]
            ),
        )
        if len(divergences) > _SHOWN:
            lines += ["", f"and {len(divergences) - _SHOWN} more"]
    if base is not None:
        lines += ["", *changes(diff.compare(base, record))]
    return "\n".join(lines).strip() + "\n"


def changes(change: diff.CellChange) -> list[str]:
    """What changed between two runs."""
    lines = ["### Since the base record", ""]
    if change.same:
        return [*lines, diff.SAME]
    for title, changed in (
        ("Worse", change.worse),
        ("Better", change.better),
        ("Other verdicts", change.other),
    ):
        if changed:
            lines += [f"**{title}: {counted(len(changed), 'verdict')}**", ""]
            lines += _table(
                ("what", "before", "now"),
                ((cell.name, cell.before, cell.now) for cell in changed[:_SHOWN]),
            )
            lines += [f"and {len(changed) - _SHOWN} more"] if len(changed) > _SHOWN else []
            lines += [""]
    if change.grown:
        lines += [f"**Errors that grew: {counted(len(change.grown), 'cell')}**", ""]
        rows = ((grown.name, number(grown.before), number(grown.now)) for grown in change.grown[:_SHOWN])
        lines += [*_table(("cell", "before", "now"), rows), ""]
    if change.findings:
        lines += [f"**Findings that came or went: {len(change.findings)}**", ""]
        lines += _table(
            ("finding", "before", "now"),
            ((finding.name, finding.before, finding.now) for finding in change.findings[:_SHOWN]),
        )
        lines += [f"and {len(change.findings) - _SHOWN} more"] if len(change.findings) > _SHOWN else []
        lines += [""]
    if change.versions:
        lines += ["**Versions that moved**", ""]
        lines += _table(
            ("what", "before", "now"),
            ((version.name, version.before, version.now) for version in change.versions),
        )
    return lines


def escaped(text: str) -> str:
    """Escape text so that Markdown shows it as it is."""
    quoted = _SPECIAL.sub(r"\\\1", short(text, 2000)).replace("\n", " ")
    # So that no user is mentioned and no issue is linked.
    return _LINKS.sub(r"\1<!-- -->", quoted)


def _matrix(record: Record) -> list[str]:
    columns = published.columns(record)
    if not columns:
        return []
    provisos = published.provisos(record)
    kinds = published.kinds(provisos)
    rows = []
    every = view.matrix(record)
    for row in view.foremost(every, _ROWS):
        entries = (
            "; ".join(
                " ".join(filter(None, [label, _entry(row.entries[name])]))
                + "".join(f", {kind}" for kind in kinds.get((row.case, row.precision, name), ()))
                for name, label in column.labels.items()
                if name in row.entries
            )
            for column in columns
        )
        rows.append((case_label(row.case, row.precision), *entries))
    title = "How many comparisons have each verdict, the worst first, and the largest difference:"
    lines = [title, "", *_table(("case", *(column.title for column in columns)), rows)]
    if (more := len(every) - len(rows) + (record.rest.rows if record.rest is not None else 0)) > 0:
        well = sum(not view.is_well(row) for row in every) <= len(rows)
        lines += ["", f"and {counted(more, 'more row')}{', in which all is well' if well else ''}"]
    if provisos:
        lines.append("")
        lines += [
            f"- {_entries(proviso)}, {published.TITLE}: {escaped(proviso.text)}"
            for proviso in provisos[:_SHOWN]
        ]
        lines += [f"- and {len(provisos) - _SHOWN} more"] if len(provisos) > _SHOWN else []
    return lines


def _weaker(record: Record) -> list[str]:
    """What was not judged, or only coarsely, and why."""
    groups = reasons.lines(record)
    if not groups:
        return []
    lines = [f"- {escaped(line)}{f' {escaped(where)}' if where else ''}" for line, where in groups[:_SHOWN]]
    lines += [f"- and {len(groups) - _SHOWN} more"] if len(groups) > _SHOWN else []
    return ["", "### Not judged, or only coarsely", "", *lines]


def _entry(entry: view.Summary) -> str:
    text = f"{SIGNS[entry.verdict]} {', '.join(f'{n} {verdict}' for verdict, n in entry.ranked)}"
    if entry.coarse:
        text += f", {entry.coarse} coarse"
    if entry.replayed:
        text += f", {entry.replayed} replayed"
    return text if entry.max_abs is None else f"{text}, {number(entry.max_abs)}"


def _entries(proviso: published.Proviso) -> str:
    names = list(dict.fromkeys(case for case, _, _ in proviso.entries))
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return escaped(", ".join(map(short, names[:_NAMED])) + more)


def _articles(record: Record) -> list[str]:
    """A line for each document, and what is wrong in them."""
    if not record.documents:
        return []
    rows = (
        (article.examined.document, *article.row)
        for article in map(article_sections.article, record.documents[:_SHOWN])
    )
    lines = ["", "### Articles", "", *_table(("article", *article_sections.HEAD), rows)]
    if len(record.documents) > _SHOWN:
        lines += ["", f"and {len(record.documents) - _SHOWN} more"]
    wrong = article_sections.wrong(record.documents)
    if wrong:
        lines += ["", f"**{counted(len(wrong), 'thing is wrong', 'things are wrong')}**", ""]
        places = (
            (f"{finding.document}, line {finding.line}", str(finding.kind), short(finding.evidence, 300))
            for finding in wrong[:_SHOWN]
        )
        lines += _table(("where", "what", "measured"), places)
        lines += ["", f"and {len(wrong) - _SHOWN} more"] if len(wrong) > _SHOWN else []
    return lines


def _coarse(cell: Cell) -> str:
    return ", coarse" if cell.basis is Basis.COARSE else ""


def _why(cell: Cell) -> str:
    return "; ".join(filter(None, [short(cell.reason, 300), figures(cell)]))


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    names = [escaped(short(name)) for name in head]
    lines = [f"| {' | '.join(names)} |", f"|{' --- |' * len(names)}"]
    return lines + [f"| {' | '.join(escaped(value) for value in row)} |" for row in rows]
