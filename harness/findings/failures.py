"""Chunks that fail: as published, as a script, in this version; and what goes on silently after them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from harness.documents.model import Chunk
from harness.documents.results import ChunkRun, Execution, blames_surroundings
from harness.findings.runs import DocumentRuns, first_line, same_place
from harness.findings.track import brief
from harness.model.article import Finding, Kind, Severity
from harness.sessions.session import CodeError

_VERSION = re.compile(r"\b(Julia|R|Python) (\d+(?:\.\d+)+)")
_COMMON = 0.95


def failing_chunks(runs: DocumentRuns) -> Iterator[Finding]:
    """Chunks that fail as published; those that fail because of them are their consequence."""
    failed = _failed(runs.published)
    excerpts = [run.index for run in failed if _contained_in(_chunk(runs, run), runs) is not None]
    parts: dict[str, list[Chunk]] = {}
    for index in dict.fromkeys(excerpts):
        chunk = runs.document.chunks[index]
        parts.setdefault(chunk.language, []).append(chunk)
    failed = [run for run in failed if run.index not in excerpts]
    roots = [run for run in failed if not _knock_on(run, failed, runs)]
    for run in roots:
        chunk = _chunk(runs, run)
        assert run.error is not None
        later = min(
            (root.index for root in roots if root.index > run.index), default=len(runs.document.chunks)
        )
        after = [
            chunk_run
            for chunk_run in failed
            if chunk_run not in roots and run.index < chunk_run.index < later
        ]
        yield _failure(runs, chunk, run.error, after)
    for chunks in parts.values():
        lines = ", ".join(str(chunk.line) for chunk in chunks)
        yield runs.finding(
            chunks[0],
            Kind.EXCERPT,
            Severity.NOTE,
            f"{len(chunks)} listings do not run by themselves, and are parts of others: lines {lines}",
            "they cannot be run where they stand",
        )


def _failure(runs: DocumentRuns, chunk: Chunk, error: CodeError, after: Sequence[ChunkRun]) -> Finding:
    hidden = not chunk.evaluated and not (chunk.echo and chunk.options.get("include", True))
    evidence = f"{first_line(error.message)}"
    if blames_surroundings(error):
        kind, severity = Kind.NEEDS_PACKAGE, Severity.NOTE
        consequence = "it was run without a network, with the packages of this machine"
    elif hidden:
        kind, severity = Kind.CHUNK_FAILS, Severity.NOTE
        consequence = "nobody sees it: the document neither runs nor shows the chunk"
    else:
        kind, severity = Kind.CHUNK_FAILS, Severity.WRONG
        consequence = "it fails for every reader who runs the document"
        if after:
            lines = ", ".join(str(run.line) for run in after)
            consequence += (
                f"; because of it, so do the chunks at {'line' if len(after) == 1 else 'lines'} {lines}"
            )
        if _sound_patched(runs, chunk):
            names = ", ".join(runs.patched.of(chunk).patched)
            evidence += f" — it runs with the patch {names}" if names else ""
    line = error.line if error.line and chunk.code_line else chunk.line
    return runs.finding(
        chunk, kind, severity, evidence, consequence, line=line, smallest=_source(chunk, error.line)
    )


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
            Severity.FRAGILE if script else Severity.WRONG,
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
    missing = re.search(
        r"object '([^']+)' not found|name '([^']+)' is not defined|UndefVarError: `?([\w!∂]+)`? not defined"
        r"|could not find function \"([^\"]+)\"",
        run.error.message,
    )
    if missing is None:
        return False
    name = re.escape(next(group for group in missing.groups() if group))
    sets = re.compile(rf"(?<![\w.]){name}\s*(?:=(?!=)|<-)|(?:def|class|function)\s+{name}\b")
    if any(sets.search(_chunk(runs, other).code) for other in earlier):
        setters = [chunk.index for chunk in runs.document.chunks if sets.search(chunk.code)]
        return all(index in {other.index for other in earlier} or index >= run.index for index in setters)
    return False


def _chunk(runs: DocumentRuns, run: ChunkRun) -> Chunk:
    return runs.document.chunks[run.index]


def _contained_in(chunk: Chunk, runs: DocumentRuns) -> Chunk | None:
    """Another chunk of the language that holds all of its lines, and more."""
    mine = _lines(chunk)
    for other in runs.document.chunks:
        if other.index == chunk.index or other.language != chunk.language:
            continue
        theirs = _lines(other)
        shared = sum(line in set(theirs) for line in mine)
        if len(theirs) > len(mine) and mine and shared >= _COMMON * len(mine):
            return other
    return None


def _lines(chunk: Chunk) -> list[str]:
    code = (re.sub(r"\s+", "", line.partition("#")[0]) for line in chunk.code.splitlines())
    return [line for line in code if line]


def _source(chunk: Chunk, line: int | None) -> str:
    lines = chunk.code.splitlines()
    place = (line or 0) - chunk.code_line
    return lines[place].strip() if line and chunk.code_line and 0 <= place < len(lines) else ""


def _source_anywhere(runs: DocumentRuns, line: int | None) -> str:
    return next((text for chunk in runs.document.chunks if (text := _source(chunk, line))), "")
