"""Errors and times over several runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec
from markupsafe import Markup

from harness.model import OF_A_STAGE, Basis, Record, outcome_of
from harness.model.article import Severity
from harness.report import charts, totals
from harness.report.accuracy import largest

ABSENT = math.nan
"""Stands for an implementation that a run did not have."""


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One run in a few figures, those of errors and times by implementation or runtime.

    ``used`` is the largest error as a share of a limit that is not coarse, ``error`` the largest from the
    truth, in units in the last place of the stage's largest true value, where true values do not cancel,
    ``busy`` the seconds of work; ``wrong`` counts the findings of something wrong, by document.
    """

    started: str
    harness: str
    verdicts: dict[str, int]
    partial: bool
    outcome: str
    used: dict[str, float]
    error: dict[str, float]
    busy: dict[str, float]
    wrong: dict[str, float] = {}


class Trend(msgspec.Struct, frozen=True, kw_only=True):
    """One figure over all runs, as a picture and as rows of (name, value of each run)."""

    title: str
    picture: Markup
    runs: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float, ...]], ...]


def summarize(record: Record) -> Run:
    """The figures of one run."""
    used: dict[str, float] = {}
    for cell in record.cells:
        if cell.check in OF_A_STAGE and cell.stats is not None and cell.basis is not Basis.COARSE:
            used[cell.implementation] = max(used.get(cell.implementation, 0.0), cell.stats.used)
    for name, well in record.rest.by.items() if record.rest is not None else ():
        if well.used is not None:
            used[name] = max(used.get(name, 0.0), well.used)
    footer = record.footer
    return Run(
        started=record.header.started,
        harness=record.header.harness,
        verdicts={str(verdict): n for verdict, n in totals.verdicts(record).items() if n},
        partial=footer is None or footer.partial,
        outcome=outcome_of(record).outcome,
        used=used,
        error=largest(record),
        busy=dict(footer.busy) if footer is not None else {},
        wrong={
            document.document: float(sum(finding.severity is Severity.WRONG for finding in document.findings))
            for document in record.documents
            if not document.problem and not document.failure
        },
    )


def trends(records: Sequence[Record]) -> tuple[Trend, ...]:
    """How errors and times moved.

    Parameters
    ----------
    records : sequence of Record
        Runs; they are put in the order in which they were started.
    """
    runs = sorted(map(summarize, records), key=lambda run: run.started)
    figures = (
        ("largest error / limit", [run.used for run in runs], True),
        ("largest error from the truth, ULP of the stage", [run.error for run in runs], True),
        ("seconds of work", [run.busy for run in runs], True),
        ("what is wrong in the articles, findings", [run.wrong for run in runs], False),
    )
    return tuple(_trend(title, runs, values, log=log) for title, values, log in figures if any(values))


def _trend(title: str, runs: Sequence[Run], values: Sequence[Mapping[str, float]], *, log: bool) -> Trend:
    names = dict.fromkeys(name for value in values for name in value)
    series = {name: tuple(value.get(name, ABSENT) for value in values) for name in names}
    return Trend(
        title=title,
        picture=charts.curves(f"{title}, run by run", series, log=log, unit=title),
        runs=tuple(run.started for run in runs),
        rows=tuple(series.items()),
    )
