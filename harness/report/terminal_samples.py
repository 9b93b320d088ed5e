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
            parts = (
                f"{short(name)} {sample_verdict.verdict}{_share(sample_verdict)}"
                for name, sample_verdict in entries.items()
            )
            yield f"  {short(line.sample)}: {', '.join(parts)}"
            for name, sample_verdict in entries.items():
                if why := _why(sample_verdict):
                    yield f"    {short(name)}: {why}"


def _share(sample_verdict: SampleVerdict) -> str:
    return "" if sample_verdict.used is None else f" {number(sample_verdict.used)}"


def _why(sample_verdict: SampleVerdict) -> str:
    undecided = f"{sample_verdict.undecided:,} undecidable" if sample_verdict.undecided else ""
    if sample_verdict.verdict is Verdict.PASS and not undecided:
        return ""
    return "; ".join(filter(None, [short(sample_verdict.reason, 300), undecided]))
