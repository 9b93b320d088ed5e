"""Names of the language that a document assigns to something else; both values are read in its session."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

from harness.findings.runs import DocumentRuns
from harness.findings.track import Track, tracks
from harness.model.article import Finding, Kind, Severity
from harness.sessions.statements import call, rows, text_of

_CONSTANTS = frozenset({"T", "F", "pi", "letters", "LETTERS", "month.abb", "month.name"})
"""Constants of base R; its functions stay callable when a variable has their name."""


def masked_names(runs: DocumentRuns) -> Iterator[Finding]:
    """Find names of the language that stand for something else after the document."""
    for track in tracks(runs):
        names = sorted(_candidates(track))
        if not names:
            continue
        with runs.session(track.language) as trial:
            track.prepared(trial)
            track.replay(trial)
            said = trial.code(call(track.language, "masked", " ".join(names))).text
        for name, now, before in rows(said, "masked", 3):
            statement = next(s for s in track.statements if name in s.sets and s.kind == "other")
            chunk = track.chunk_of(statement)
            yield runs.finding(
                chunk,
                Kind.MASKED,
                Severity.FRAGILE,
                f"after the document {name} is {now}; in the language it is {before}",
                f"code that says {name} and means the language's own gets this one, in the same session",
                line=track.line_of(statement),
                smallest=text_of(runs.code(chunk), statement).strip().split("\n")[0],
            )


def _candidates(track: Track) -> frozenset[str]:
    """Return the document's names that the language has too; for Julia, its session is asked."""
    if track.language == "python":
        return track.data & frozenset(dir(builtins))
    if track.language == "r":
        return track.data & _CONSTANTS
    with track.runs.session(track.language) as trial:
        track.prepared(trial)
        said = trial.code(call(track.language, "exported", " ".join(sorted(track.data)))).text
    return frozenset(name for (name,) in rows(said, "exported", 1))
