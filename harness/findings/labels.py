"""Printed labels that name one value beside another: both are evaluated at that line."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from harness.documents.model import Chunk
from harness.findings.runs import DocumentRuns, Trial, first_line
from harness.findings.track import Track, tracks
from harness.model.article import Finding, Kind, Severity

_LABEL = re.compile(r"(?:^|\\n|[,;]\s*|\s{2,})([A-Za-z]\w*(?:[._$]\w+)+)\s*[:=]\s*$")
"""An identifier of several parts, alone before a colon: a plain word may be no name at all."""
_VALUE = r"[\w.$]+(?:\([^()\"']*\)|\[[^\[\]\"']*\])*"
_PRINTS = {
    "python": (
        re.compile(rf"(?P<text>[^\"'{{}}]*)\{{(?P<value>{_VALUE})(?:[!:][^{{}}]*)?\}}"),
        re.compile(rf"\bprint\(\s*[\"'](?P<text>[^\"']*)[\"']\s*,\s*(?P<value>{_VALUE})\s*[,)]"),
    ),
    "r": (
        re.compile(rf"\b(?:cat|paste0?|message)\(\s*\"(?P<text>[^\"]*)\"\s*,\s*(?P<value>{_VALUE})\s*[,)]"),
    ),
    "julia": (
        re.compile(rf"\bprint(?:ln)?\(\s*\"(?P<text>[^\"$]*)\"\s*,\s*(?P<value>{_VALUE})\s*[,)]"),
        re.compile(rf"(?P<text>[^\"$]*)\$\(?(?P<value>{_VALUE})\)?"),
    ),
}
_SHOW = {"python": "print(repr({}))", "r": "cat(deparse({}))", "julia": "println(repr({}))"}


class PrintedLabel(msgspec.Struct, frozen=True):
    """A label, the expression whose value stands behind it, and the line."""

    label: str
    value: str
    row: int


def printed_labels(runs: DocumentRuns) -> Iterator[Finding]:
    """Find labels that name a variable of the document, but not the one that is printed behind them."""
    for track in tracks(runs):
        printed = {chunk.index: list(labels_in(track.code(chunk), track.language)) for chunk in track.chunks}
        names = track.data | track.defined
        printed = {
            index: [label for label in labels if _root(label.label) in names]
            for index, labels in printed.items()
        }
        if not any(printed.values()):
            continue
        with runs.session(track.language) as trial:
            for chunk in track.chunks:
                track.step(trial, chunk)
                for printed_label in printed[chunk.index]:
                    finding = _compared(track, trial, chunk, printed_label)
                    if finding is not None:
                        yield finding


def labels_in(code: str, language: str) -> Iterator[PrintedLabel]:
    """Labels that a chunk prints before values of another name, one line at a time.

    Parameters
    ----------
    code : str
        The chunk's code.
    language : str
        ``python``, ``r`` or ``julia``.
    """
    for row, line in enumerate(code.split("\n")):
        if line[:1].isspace():
            # In a function or a loop: its names are not those of the session.
            continue
        for pattern in _PRINTS[language]:
            for match in pattern.finditer(line):
                label = _LABEL.search(match["text"])
                if label and not _speaks_of(match["value"], label[1]):
                    yield PrintedLabel(label[1], match["value"], row)


def _root(label: str) -> str:
    return re.split(r"[.$]", label)[0]


def _speaks_of(value: str, label: str) -> bool:
    return _root(label) in re.findall(r"[A-Za-z_]\w*", value)


def _compared(track: Track, trial: Trial, chunk: Chunk, printed_label: PrintedLabel) -> Finding | None:
    show = _SHOW[track.language]
    shown, named = trial.code(show.format(printed_label.value)), trial.code(show.format(printed_label.label))
    if shown.error is not None or shown.text == named.text:
        return None
    what = f"is {first_line(named.text, 80)}"
    if named.error is not None:
        what = f"gives an error there: {first_line(named.error.message)}"
    return track.runs.finding(
        chunk,
        Kind.LABEL,
        Severity.NOTE,
        f"the label says {printed_label.label},"
        f" and what is printed is {printed_label.value}, {first_line(shown.text, 80)}; "
        f"{printed_label.label} {what}",
        "a reader takes one thing for the other",
        line=chunk.code_line + printed_label.row if chunk.code_line else None,
        smallest=track.code(chunk).split("\n")[printed_label.row].strip(),
    )
