"""Dead code: assignments that are overwritten before they are read, and whose removal changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.findings.runs import DocumentRuns, Trial, first_line
from harness.findings.track import Step, Track, difference, tracks
from harness.model.article import Finding, Kind, Severity
from harness.sessions.statements import Statement, text_of, without


def dead_code(runs: DocumentRuns) -> Iterator[Finding]:
    """Remove each such assignment, and check whether anything changes."""
    for track in tracks(runs):
        candidates = list(_overwritten(track))
        if not candidates:
            continue
        if track.slow:
            runs.unchecked.append(f"dead code: {track.slow}")
            continue
        with runs.session(track.language) as trial:
            track.prepared(trial)
            track.seed(trial)
            before = track.replay(trial)
            # All at once first: an assignment that draws random numbers shifts those of the next.
            everything = [statement for statement, _, _ in candidates]
            dead = _changes_nothing(track, trial, before, everything)
            for statement, later, name in candidates:
                if dead or _changes_nothing(track, trial, before, [statement]):
                    yield _finding(track, statement, later, name)


def _finding(track: Track, statement: Statement, later: Statement, name: str) -> Finding:
    chunk = track.chunk_of(statement)
    return track.runs.finding(
        chunk,
        Kind.DEAD_CODE,
        Severity.NOTE,
        f"{name} is set here, and again at line {track.line_of(later)} before anything reads it;"
        f" without such "
        f"statements every chunk prints the same, and ends with the same arrays{track.shortened}",
        "it does nothing, whatever it says",
        line=track.line_of(statement),
        smallest=first_line(text_of(track.runs.code(chunk), statement)),
    )


def _overwritten(track: Track) -> Iterator[tuple[Statement, Statement, str]]:
    for place, statement in enumerate(track.statements):
        if statement.kind != "other" or len(statement.sets) != 1 or statement.sets & statement.reads:
            continue
        name = next(iter(statement.sets))
        if name in track.reused:
            continue
        for later in track.statements[place + 1 :]:
            if name in later.reads or name in later.inner:
                break
            if later.kind != "definition" and _calls_reader(track, later, name):
                break
            if name in later.sets:
                yield statement, later, name
                break


def _calls_reader(track: Track, statement: Statement, name: str) -> bool:
    """Whether the statement uses a definition that reads the name from outside."""
    readers: set[str] = set()
    for other in track.statements:
        if other.kind == "definition" and other.inner & ({name} | readers):
            readers |= other.sets
    return bool(statement.reads & readers)


def _changes_nothing(track: Track, trial: Trial, before: Sequence[Step], gone: Sequence[Statement]) -> bool:
    chunks = {statement.chunk for statement in gone}
    track.seed(trial)
    after = track.replay(
        trial, lambda chunk: without(track.code(chunk), [s for s in gone if s.chunk == chunk.index])
        if chunk.index in chunks
        else None,
        stop=True,
    )  # fmt: skip
    if len(after) != len(before) or after[-1].error is not None:
        return False
    for left, right in zip(before, after, strict=True):
        # In the chunk of the removed statement, its names keep their earlier values.
        kept = {name for s in gone if s.chunk == left.chunk.index for name in s.sets}
        if left.left.text != right.left.text or (left.values.keys() ^ right.values.keys()) - kept:
            return False
        for name in (left.values.keys() & right.values.keys()) - kept:
            if difference(left.values[name], right.values[name]):
                return False
    return True
