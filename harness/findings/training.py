"""Training that diverges: a printed sequence of numbers that ends in NaN."""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness.findings.runs import DocumentRuns
from harness.model.article import Finding, Kind, Severity

_LABELLED = re.compile(
    r"^(?P<label>[^\d\n]*?)(?P<value>[-+]?(?:\d+(?:\.\d*)?(?:e[-+]?\d+)?|NaN|nan|Inf|inf))\s*$", re.MULTILINE
)
_ENOUGH = 5


def training_diverges(runs: DocumentRuns) -> Iterator[Finding]:
    """Find chunks that print a labelled number again and again, which becomes NaN."""
    for run in runs.patched.chunks:
        if run.left is None:
            continue
        rows = [(match["label"], match["value"]) for match in _LABELLED.finditer(run.left.text)]
        for label in dict.fromkeys(label for label, _ in rows):
            values = [float(value) for name, value in rows if name == label]
            lost = next((place for place, value in enumerate(values) if value != value), None)
            if len(values) < _ENOUGH or not lost:
                continue
            chunk = runs.document.chunks[run.index]
            yield runs.finding(
                chunk,
                Kind.DIVERGES,
                Severity.FRAGILE,
                f"{label.strip()!r} is NaN from line {lost + 1} of {len(values)} on; it began at "
                f"{values[0]:.6g}, and was {values[lost - 1]:.6g} before",
                "from there on nothing is learnt, and whatever uses the trained values may be NaN too",
                line=_loop(runs, run.index),
                smallest=f"{lost + 1} rounds",
            )


def _loop(runs: DocumentRuns, index: int) -> int:
    chunk = runs.document.chunks[index]
    lines = chunk.code.split("\n")
    place = next((n for n, line in enumerate(lines) if re.match(r"(?:for|while)\b", line)), None)
    return chunk.code_line + place if place is not None and chunk.code_line else chunk.line
