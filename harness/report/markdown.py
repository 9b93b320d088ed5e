"""A record as Markdown: for the summary of a CI's step, and for a comment on a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterable

from harness.model import Cell, Record
from harness.report import diff, sentence, view
from harness.report.text import SIGNS, case_label, counted, figures, how, number, short

_SHOWN = 20

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&]|:(?=\w))")
_LINKS = re.compile(r"([@#])(?=\w)")


def render(record: Record, base: Record | None = None) -> str:
    """Render a record.

    Parameters
    ----------
    record : Record
        A run, whole or not.
    base : Record, optional
        An older run: what changed since is told.

    Returns
    -------
    str
        The verdict, the matrix, where implementations part first, and what changed.
    """
    told = sentence.verdict(record)
    icon = {"agreement": "✅", "divergence": "❌"}.get(told.state, "⚠️")
    lines = [f"## {icon} {told.word}", "", escaped(told.text), "", escaped(sentence.sources(record)), ""]
    lines += [f"- {escaped(note)}" for note in told.notes]
    lines += ["", *_matrix(record)]
    if found := view.divergences(record):
        lines += ["", "### First divergences", ""]
        lines += _table(
            ("case", "stage", "implementation", "how", "verdict", "why"),
            (
                (
                    one.cell.case,
                    one.cell.stage,
                    one.cell.implementation,
                    how(one.cell),
                    f"{SIGNS[one.cell.verdict]} {one.cell.verdict}",
                    "; ".join(
                        filter(None, [short(one.cell.reason, 300), figures(one.cell.stats, one.cell.limit)])
                    ),
                )
                for one in found[:_SHOWN]
            ),
        )
        if len(found) > _SHOWN:
            lines += ["", f"and {len(found) - _SHOWN} more"]
    if base is not None:
        lines += ["", *changes(diff.compare(base, record))]
    return "\n".join(lines).strip() + "\n"


def changes(found: diff.Difference) -> list[str]:
    """What changed between two runs."""
    lines = ["### Since the base record", ""]
    if found.same:
        return [*lines, "No verdict changed, no error grew, no version moved."]
    for title, changed in (
        ("Worse", found.worse),
        ("Better", found.better),
        ("Other verdicts", found.other),
    ):
        if changed:
            lines += [f"**{title}: {counted(len(changed), 'cell')}**", ""]
            lines += _table(
                ("cell", "before", "now"),
                ((one.name, one.before, one.now) for one in changed[:_SHOWN]),
            )
            lines += [f"and {len(changed) - _SHOWN} more"] if len(changed) > _SHOWN else []
            lines += [""]
    if found.grown:
        lines += [f"**Errors that grew: {counted(len(found.grown), 'cell')}**", ""]
        rows = ((one.name, number(one.before), number(one.now)) for one in found.grown[:_SHOWN])
        lines += [*_table(("cell", "before", "now"), rows), ""]
    if found.versions:
        lines += ["**Versions that moved**", ""]
        lines += _table(
            ("what", "before", "now"), ((one.name, one.before, one.now) for one in found.versions)
        )
    return lines


def escaped(text: str) -> str:
    """Text that no Markdown reader takes for anything else."""
    quoted = _SPECIAL.sub(r"\\\1", short(text, 2000)).replace("\n", " ")
    # No person is called, and no issue is linked.
    return _LINKS.sub(r"\1<!-- -->", quoted)


def _matrix(record: Record) -> list[str]:
    names = view.implementations(record)
    if not names:
        return []
    rows = []
    for row in view.matrix(record):
        entries = []
        for name in names:
            entry = row.entries.get(name)
            if entry is None:
                entries.append("")
                continue
            text = f"{SIGNS[entry.verdict]} {entry.verdict} {entry.counts[entry.verdict]}/{entry.total}"
            if entry.replayed:
                text += f", {entry.replayed} replayed"
            if entry.max_abs is not None:
                text += f", {number(entry.max_abs)}"
            entries.append(text)
        rows.append((case_label(row.case, row.precision), *entries))
    title = "Worst verdict, how many comparisons have it, and the largest difference:"
    return [title, "", *_table(("case", *names), rows)]


def _why(cell: Cell) -> str:
    return "; ".join(filter(None, [short(cell.reason, 300), figures(cell.stats, cell.limit)]))


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    names = [escaped(short(one)) for one in head]
    lines = [f"| {' | '.join(names)} |", f"|{' --- |' * len(names)}"]
    return lines + [f"| {' | '.join(escaped(one) for one in row)} |" for row in rows]
