"""Chunks that fail as a script, or in this version; and what goes on silently after a failure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from harness.documents.model import Chunk
from harness.documents.results import ChunkRun, Execution
from harness.documents.surroundings import undefined_name
from harness.findings.runs import DocumentRuns, first_line, same_place
from harness.findings.track import brief
from harness.model.article import Finding, Kind, Severity

_VERSION = re.compile(r"\b(Julia|R|Python) (\d+(?:\.\d+)+)")


def as_script(runs: DocumentRuns) -> Iterator[Finding]:
    """Find chunks that run at a prompt and fail as a script, or the other way round."""
    mode, other = runs.plan.mode, "script" if runs.plan.mode == "prompt" else "prompt"
    before, failed = same_place(runs.published.chunks), _failed(runs.other_mode)
    new = [run for run in failed if _sound(before.get((run.index, run.track)))]
    for run in new:
        if _knock_on(run, new, runs) or run.error is None:
            continue
        chunk = runs.document.chunks[run.index]
        script = other == "script"
        how = "at a prompt it runs; as a script" if script else "as a script it runs; at a prompt"
        yield runs.finding(
            chunk,
            Kind.SCRIPT_FAILS,
            Severity.FRAGILE,
            f"{how} it fails: {first_line(run.error.message)}",
            "saved to a file and run, as a reader would, the document stops here"
            if mode == "prompt"
            else "typed at a prompt, as a reader would, it stops here",
            line=run.error.line if chunk.code_line else None,
            smallest=_source(chunk, run.error.line),
        )


def needed_versions(runs: DocumentRuns) -> Iterator[Finding]:
    """Find chunks that fail without a stand-in for a later version of their language."""
    for track in runs.published.tracks:
        for name, what in track.stand_ins.items():
            needed = _VERSION.search(what)
            if needed is None:
                continue
            before = same_place(runs.published.chunks)
            with runs.session(track.language, without=[name]) as trial:
                for chunk in runs.ran(track.language):
                    error = trial.chunk(chunk).error
                    if error is not None and _sound(before.get((chunk.index, track.track))):
                        have = (
                            f"{track.runtime.language} {track.runtime.version}" if track.runtime else "this"
                        )
                        place = runs.document.chunks[chunk.index]
                        yield runs.finding(
                            place,
                            Kind.NEEDS_VERSION,
                            Severity.FRAGILE,
                            f"{have} without {name}: {first_line(error.message)}; with the {what} it runs",
                            f"it needs {needed[1]} {needed[2]} or newer, and does not say so",
                            line=error.line,
                            smallest=_source_anywhere(runs, error.line) or name,
                        )
                        break


def silent_after_errors(runs: DocumentRuns) -> Iterator[Finding]:
    """Chunks that run on after one that failed, and print something else than without the failure."""
    if not runs.patched.patched:
        return
    failed = _failed(runs.published)
    first = min((run.index for run in failed if _sound_patched(runs, run)), default=None)
    if first is None:
        return
    after = same_place(runs.patched.chunks)
    cause = runs.document.chunks[first]
    for run in runs.published.chunks:
        other = after.get((run.index, run.track))
        if run.index <= first or not _sound(run) or other is None or other.patched or not _sound(other):
            continue
        assert run.left is not None
        assert other.left is not None
        if run.left.text != other.left.text and run.left.text.strip():
            yield runs.finding(
                runs.document.chunks[run.index],
                Kind.SILENT,
                Severity.WRONG,
                f"after the failure at line {cause.line} it runs without an error, and prints "
                f"{brief(run.left.text)}; without the failure it prints {brief(other.left.text)}",
                "whoever runs on past the error gets a wrong result and no message",
                smallest=f"the chunks at lines {cause.line} and {run.line}",
            )


def _failed(execution: Execution) -> list[ChunkRun]:
    tolerated = {chunk.index for chunk in execution.document.chunks if chunk.error}
    return [run for run in execution.chunks if run.error is not None and run.index not in tolerated]


def _sound(run: ChunkRun | None) -> bool:
    return run is not None and run.ran and run.error is None


def _sound_patched(runs: DocumentRuns, chunk: Chunk | ChunkRun) -> bool:
    return any(_sound(run) for run in runs.patched.chunks if run.index == chunk.index)


def _knock_on(run: ChunkRun, failed: Sequence[ChunkRun], runs: DocumentRuns) -> bool:
    """Whether a chunk fails because an earlier failing chunk did not define a name."""
    if run.error is None:
        return False
    earlier = [other for other in failed if other.index < run.index and other.language == run.language]
    if not earlier:
        return False
    if runs.patched.patched and _sound_patched(runs, run) and not runs.patched.of(_chunk(runs, run)).patched:
        return True
    name = re.escape(undefined_name(run.error))
    if not name:
        return False
    sets = re.compile(rf"(?<![\w.]){name}\s*(?:=(?!=)|<-)|(?:def|class|function)\s+{name}\b")
    if any(sets.search(_chunk(runs, other).code) for other in earlier):
        setters = [chunk.index for chunk in runs.document.chunks if sets.search(chunk.code)]
        return all(index in {other.index for other in earlier} or index >= run.index for index in setters)
    return False


def _chunk(runs: DocumentRuns, run: ChunkRun) -> Chunk:
    return runs.document.chunks[run.index]


def _source(chunk: Chunk, line: int | None) -> str:
    lines = chunk.code.splitlines()
    place = (line or 0) - chunk.code_line
    return lines[place].strip() if line and chunk.code_line and 0 <= place < len(lines) else ""


def _source_anywhere(runs: DocumentRuns, line: int | None) -> str:
    return next((text for chunk in runs.document.chunks if (text := _source(chunk, line))), "")
