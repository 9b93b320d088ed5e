"""The verdict of every sample, as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from harness.model import Record, SampleVerdict, Verdict
from harness.report import by_sample, view
from harness.report.text import case_label, number, short


def samples(record: Record) -> Iterator[str]:
    """A line for each sample, under one for each check of each stage.

    A sample's line has each implementation's verdict and its error as a share of the limit; what is no PASS,
    or could not be decided everywhere, has a line of its own with the reason.
    """
    names = view.implementations(record)
    for (case, precision, stage, mode, check), lines in groupby(
        by_sample.lines(record), lambda line: (line.case, line.precision, line.stage, line.mode, line.check)
    ):
        yield f"{case_label(short(case), precision)} {short(stage)} ({mode}, {check})"
        for line in lines:
            entries = {name: line.entries[name] for name in names if name in line.entries}
            told = (f"{short(name)} {one.verdict}{_share(one)}" for name, one in entries.items())
            yield f"  {short(line.sample)}: {', '.join(told)}"
            for name, one in entries.items():
                if why := _why(one):
                    yield f"    {short(name)}: {why}"


def _share(found: SampleVerdict) -> str:
    return "" if found.used is None else f" {number(found.used)}"


def _why(found: SampleVerdict) -> str:
    undecided = f"{found.undecided:,} undecidable" if found.undecided else ""
    if found.verdict is Verdict.PASS and not undecided:
        return ""
    return "; ".join(filter(None, [short(found.reason, 300), undecided]))
