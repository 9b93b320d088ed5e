"""Exceptions that an empty handler swallows: run with handlers that count them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness.findings.runs import DocumentRuns
from harness.findings.track import Track, tracks
from harness.model.article import Finding, Kind, Severity
from harness.sessions.statements import call

_HANDLERS = {
    "python": re.compile(r"^\s*except\b"),
    "julia": re.compile(r"^\s*(?:try\b|catch\b)"),
    "r": re.compile(r"\btryCatch\("),
}


def swallowed_exceptions(runs: DocumentRuns) -> Iterator[Finding]:
    """Count the exceptions that handlers without a body receive."""
    for track in tracks(runs):
        place = _first_handler(track)
        if place is None:
            continue
        with runs.session(track.language) as trial:
            track.prepared(trial)
            for chunk in track.chunks:
                trial.chunk(chunk, call(track.language, "instrumented", track.code(chunk)))
            said = trial.code(call(track.language, "report")).text
        rows = [row.split("\t") for row in said.splitlines() if row.startswith("swallowed\t")]
        if not rows:
            continue
        total = sum(int(row[1]) for row in rows)
        common = "; ".join(f"{row[2].strip()} ({row[1]} times)" for row in rows[:3])
        index, line = place
        yield runs.finding(
            runs.document.chunks[index],
            Kind.SWALLOWED,
            Severity.FRAGILE,
            f"{total} exceptions of {len(rows)} kinds are dropped in one run{track.shortened}: {common}",
            "every error ends here without a word, also those that nobody had in mind",
            line=line,
            smallest=rows[0][2].strip(),
        )


def _first_handler(track: Track) -> tuple[int, int] | None:
    for chunk in track.chunks:
        for place, text in enumerate(track.runs.code(chunk).split("\n")):
            if _HANDLERS[track.language].search(text.partition("#")[0]):
                return chunk.index, chunk.code_line + place if chunk.code_line else chunk.line
    return None
