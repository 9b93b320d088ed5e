"""What changed between two records: verdicts, printed output, findings, errors, versions."""

from __future__ import annotations

import math

import msgspec

from harness.model import Cell, Header, Record, Verdict
from harness.model.article import Severity
from harness.model.outcome import JUDGED
from harness.report import diff_articles, view

GROWN = 2.0
"""The factor from which a larger error counts as grown."""

ABSENT = "absent"

SAME = "No verdict changed, no error grew, no version moved."

# From what is wanted to what is not; a verdict that moved towards the end got worse.
_RANK = {
    Verdict.PASS: 0,
    Verdict.XFAIL: 1,
    Verdict.UNSUPPORTED: 2,
    Verdict.NOT_RUN: 3,
    Verdict.XPASS: 4,
    Verdict.FAIL: 5,
    Verdict.TIMEOUT: 6,
    Verdict.ERROR: 6,
}

Key = tuple[str, ...]


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """One cell, or one version: what it was, and what it is."""

    name: str
    before: str
    now: str


class Grown(msgspec.Struct, frozen=True, kw_only=True):
    """One cell whose largest absolute error is larger than it was."""

    name: str
    before: float
    now: float


class CellChange(msgspec.Struct, frozen=True, kw_only=True):
    """All that changed; ``other`` are verdicts that are neither better nor worse, and cells that came.

    The verdict on printed output counts like a cell's. ``findings`` came, went, or changed their severity.
    """

    worse: tuple[Changed, ...]
    better: tuple[Changed, ...]
    other: tuple[Changed, ...]
    grown: tuple[Grown, ...]
    versions: tuple[Changed, ...]
    findings: tuple[Changed, ...] = ()

    @property
    def regressed(self) -> bool:
        """Whether a verdict got worse, or something is wrong in a document that was not found to be so."""
        return bool(self.worse) or any(finding.now == Severity.WRONG for finding in self.findings)

    @property
    def same(self) -> bool:
        """Whether nothing changed."""
        verdicts = self.worse or self.better or self.other
        return not (verdicts or self.grown or self.versions or self.findings)


def compare(old: Record, new: Record) -> CellChange:
    """Compare a record with an older one.

    Parameters
    ----------
    old, new : Record
        Runs, whole or not.

    Returns
    -------
    Difference
        A cell that is gone is worse if it was compared; one that came is worse if it fails. Errors
        are compared where both are there; one that was zero has grown if it no longer is. Only documents
        that both records have are compared.
    """
    before = {_key(cell): cell for cell in view.ordered(old)}
    now = {_key(cell): cell for cell in view.ordered(new)}
    worse: list[Changed] = []
    better: list[Changed] = []
    other: list[Changed] = []
    grown: list[Grown] = []
    for key in dict.fromkeys([*now, *before]):
        then, here = before.get(key), now.get(key)
        if _verdict(then) != _verdict(here):
            changed = Changed(name=_name(key), before=_verdict(then), now=_verdict(here))
            step = _step(then, here)
            (worse if step > 0 else better if step < 0 else other).append(changed)
        if then is not None and here is not None and (more := _grown(then, here)) is not None:
            grown.append(Grown(name=_name(key), before=more[0], now=more[1]))
    for name, kind_before, kind_now in diff_articles.printed(old, new):
        changed = Changed(name=name, before=str(kind_before), now=str(kind_now))
        step = diff_articles.RANK[kind_now] - diff_articles.RANK[kind_before]
        (worse if step > 0 else better if step < 0 else other).append(changed)
    return CellChange(
        worse=tuple(worse),
        better=tuple(better),
        other=tuple(other),
        grown=tuple(grown),
        versions=_versions(old.header, new.header),
        findings=tuple(
            Changed(name=name, before=str(was or ABSENT), now=str(now_is or ABSENT))
            for name, was, now_is in diff_articles.findings(old, new)
        ),
    )


def _key(cell: Cell) -> Key:
    whose = (cell.case, cell.stage, cell.implementation)
    return (*whose, str(cell.mode), str(cell.precision), str(cell.check), cell.against)


def _name(key: Key) -> str:
    return " ".join(key)


def _verdict(cell: Cell | None) -> str:
    return ABSENT if cell is None else str(cell.verdict)


def _step(then: Cell | None, here: Cell | None) -> int:
    if here is None:
        return 1 if then is not None and then.verdict in JUDGED else 0
    if then is None:
        return 1 if here.verdict in view.FAILING else 0
    return _RANK[here.verdict] - _RANK[then.verdict]


def _grown(then: Cell, here: Cell) -> tuple[float, float] | None:
    if then.stats is None or here.stats is None:
        return None
    old, new = then.stats.max_abs, here.stats.max_abs
    larger = (math.isnan(new) and not math.isnan(old)) or (new > 0 and new >= GROWN * old and new > old)
    return (old, new) if larger else None


def _versions(old: Header, new: Header) -> tuple[Changed, ...]:
    then, now = _facts(old), _facts(new)
    return tuple(
        Changed(name=name, before=then.get(name, ABSENT), now=now.get(name, ABSENT))
        for name in dict.fromkeys([*now, *then])
        if then.get(name, ABSENT) != now.get(name, ABSENT)
    )


def _facts(header: Header) -> dict[str, str]:
    """Everything that a value may depend on, by name."""
    facts = {
        "harness": header.harness,
        "protocol": str(header.protocol),
        "Python": header.python,
        "platform": header.platform,
        "CPU": header.cpu,
        "locale": header.locale,
    }
    for name, info in header.runtimes.items():
        facts[f"{name}: {info.language}"] = info.version
        facts[f"{name}: BLAS"] = info.blas
        facts[f"{name}: hosted by"] = info.hosting
        facts |= {f"{name}: {library}": version for library, version in info.libraries.items()}
    for fixture, sha in header.fixtures.items():
        facts[f"fixture {fixture}"] = sha[:12]
    return facts
