"""The verdict of every sample: packed for the page, and as a table of stages and samples. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from harness.model import Cell, Mode, Precision, Record, SampleVerdict, Verdict
from harness.report import view
from harness.report.text import visible

PACKED = 400_000
"""How many verdicts a page holds; of more, it holds those other than PASS."""

CODES = dict(zip(Verdict, "PFXGETUN", strict=True))
"""One letter for each verdict, in the order of `Verdict`."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One check of one stage in one sample, with each implementation's verdict."""

    case: str
    stage: str
    precision: Precision
    mode: Mode
    check: str
    sample: str
    entries: Mapping[str, SampleVerdict]

    @property
    def differs(self) -> bool:
        """Whether an implementation has a verdict other than PASS."""
        return any(entry.verdict is not Verdict.PASS for entry in self.entries.values())


def lines(record: Record) -> tuple[Line, ...]:
    """Every sample of every cell, in running order, implementations side by side."""
    by_check: dict[tuple[str, str, Precision, Mode, str, str], dict[str, SampleVerdict]] = {}
    for cell in view.ordered(record):
        for sample_verdict in cell.by_sample:
            key = (cell.case, cell.stage, cell.precision, cell.mode, str(cell.check), sample_verdict.sample)
            by_check.setdefault(key, {})[cell.implementation] = sample_verdict
    # A check's samples stand together, whatever implementation had them first.
    checks: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for key in by_check:
        checks.setdefault(key[:-1], []).append(key)
    ordered = {key: by_check[key] for keys in checks.values() for key in keys}
    return tuple(
        Line(
            case=case,
            stage=stage,
            precision=precision,
            mode=mode,
            check=check,
            sample=sample,
            entries=entries,
        )
        for (case, stage, precision, mode, check, sample), entries in ordered.items()
    )


def packed(cells: Sequence[Cell], texts: dict[str, int]) -> dict[str, Any]:
    """The verdicts by sample as the page holds them, for the cells of more than one sample.

    Parameters
    ----------
    cells : sequence of Cell
        In the order of the page's table.
    texts : dict of str to int
        The page's texts by number; more are added.

    Returns
    -------
    dict
        ``codes`` are the verdicts by letter; ``sets`` lists of sample names, which many cells share; ``rows``
        has for a cell's number its set, its verdicts as letters, error/limit in two digits, and what else is
        known of a sample by its place: largest error, elements beyond, elements undecided, reason.
    """
    several = {row: cell for row, cell in enumerate(cells) if len(cell.by_sample) > 1}
    whole = sum(len(cell.by_sample) for cell in several.values()) <= PACKED
    sets: dict[tuple[str, ...], int] = {}
    rows: dict[str, Any] = {}
    for row, cell in several.items():
        kept = [
            sample_verdict
            for sample_verdict in cell.by_sample
            if whole or sample_verdict.verdict is not Verdict.PASS
        ]
        if not kept:
            continue
        names = tuple([sample_verdict.sample for sample_verdict in kept])
        rows[str(row)] = [
            sets.setdefault(names, len(sets)),
            "".join(CODES[sample_verdict.verdict] for sample_verdict in kept),
            [_two_digits(sample_verdict.used) for sample_verdict in kept],
            {
                str(place): _more(sample_verdict, texts)
                for place, sample_verdict in enumerate(kept)
                if _telling(sample_verdict)
            },
            len(cell.by_sample) - len(kept),
        ]
    codes = {code: str(verdict) for verdict, code in CODES.items()}
    numbered = [[_number(texts, name) for name in names] for names in sets]
    return {"codes": codes, "sets": numbered, "rows": rows}


def _telling(sample_verdict: SampleVerdict) -> bool:
    return sample_verdict.verdict is not Verdict.PASS or bool(sample_verdict.undecided)


def _more(sample_verdict: SampleVerdict, texts: dict[str, int]) -> list[Any]:
    largest = None if sample_verdict.max_abs is None else f"{sample_verdict.max_abs:.4g}"
    return [
        largest,
        sample_verdict.beyond,
        sample_verdict.undecided,
        _number(texts, sample_verdict.reason[:400]),
    ]


def _number(texts: dict[str, int], text: str) -> int:
    return texts.setdefault(visible(text), len(texts))


def _two_digits(value: float | None) -> float | str | None:
    if value is None:
        return None
    return float(f"{value:.2g}") if abs(value) < float("inf") else f"{value}"
