"""Hard-coded sizes behind functions: what fails when one returns a row more, and which number is to blame."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import msgspec

from harness.documents.model import Chunk
from harness.findings.order_plan import needed_for
from harness.findings.runs import Trial, first_line
from harness.findings.track import Step, Track, baseline
from harness.model.article import Finding, Kind, Severity
from harness.sessions.statements import Statement, call, probed, text_of

SECONDS = 120.0
"""Time limit for the tries of one language, without the first run of the chunks that they need."""
_INTEGER = re.compile(r"(?<![\w.\"'])(\d+)(?:L\b)?(?![\w.\"'])")
_SMALLEST = 3
_MOST_NUMBERS = 6


class _Use(msgspec.Struct, frozen=True):
    """A function of the document, and the last chunk that calls it and writes numbers."""

    name: str
    definition: Statement
    chunk: Chunk
    numbers: tuple[int, ...]


def lengthened_returns(track: Track) -> Iterator[Finding]:
    """Let each function return its array with the last row twice.

    Parameters
    ----------
    track : Track
        The chunks; only those are run that the chunk which calls the function needs.
    """
    uses = list(_uses(track))
    if not uses:
        return
    left_out: list[str] = []
    begun = time.monotonic()
    with track.runs.session(track.language) as trial:
        track.prepared(trial)
        for use in uses:
            needed = needed_for(track, use.chunk)
            expected = sum(step.left.seconds for step in baseline(track) if step.chunk in needed)
            if time.monotonic() - begun + 3 * expected > SECONDS:
                left_out.append(use.name)
                continue
            yield from _tried(track, trial, use)
    if left_out:
        verb = "returns" if len(left_out) == 1 else "return"
        track.runs.unchecked.append(
            f"hard coded sizes: what {', '.join(left_out)} {verb} in {track.language}, which takes more than "
            f"{SECONDS:g} s"
        )


def _tried(track: Track, trial: Trial, use: _Use) -> Iterator[Finding]:
    failed = _failure(track, trial, use, None)
    if failed is None or failed.error is None:
        return
    for number in use.numbers[:_MOST_NUMBERS]:
        if _failure(track, trial, use, number) is None:
            written = [
                statement
                for statement in track.of(use.chunk)
                if statement.kind == "other" and number in _numbers(track, statement)
            ]
            times = sum(_numbers(track, statement).count(number) for statement in written)
            line = (failed.error.line if failed.chunk.code_line else None) or failed.chunk.line
            first = first_line(text_of(track.runs.code(use.chunk), written[0]))
            yield track.runs.finding(
                use.chunk,
                Kind.HARD_CODED_SIZE,
                Severity.FRAGILE,
                f"where {use.name} returns one row more, the last one twice, line {line} "
                f"fails{track.shortened}: {first_line(failed.error.message)}; "
                f"with {number + 1} for {number}, "
                f"which this chunk writes {times} {'time' if times == 1 else 'times'}, it runs",
                f"it works for one length of what {use.name} returns",
                line=track.line_of(written[0]),
                smallest=f"{use.name} with one row more; {first}",
            )
            return


def _uses(track: Track) -> Iterator[_Use]:
    latest = {
        name: statement
        for statement in track.statements
        if statement.kind == "definition"
        for name in statement.sets
    }
    for name in latest:
        for chunk in reversed(track.chunks):
            others = [statement for statement in track.of(chunk) if statement.kind == "other"]
            numbers = tuple(dict.fromkeys(number for other in others for number in _numbers(track, other)))
            before = [
                statement
                for statement in track.statements
                if statement.kind == "definition"
                and name in statement.sets
                and statement.chunk <= chunk.index
            ]
            if numbers and before and any(name in other.reads for other in others):
                yield _Use(name, before[-1], chunk, numbers)
                break


def _numbers(track: Track, statement: Statement) -> list[int]:
    code = _code(track, statement)
    return [number for text in _INTEGER.findall(code) if (number := int(text)) >= _SMALLEST]


def _code(track: Track, statement: Statement) -> str:
    lines = text_of(track.code(track.chunk_of(statement)), statement).split("\n")
    return "\n".join(line.partition("#")[0] for line in lines)


def _failure(track: Track, trial: Trial, use: _Use, number: int | None) -> Step | None:
    """The step that fails; ``number`` is one larger in the chunk's statements."""
    for chunk in needed_for(track, use.chunk):
        step = track.step(trial, chunk, _changed(track, chunk, use, number))
        if step.error is not None:
            return step
    return None


def _changed(track: Track, chunk: Chunk, use: _Use, number: int | None) -> str:
    lines = track.code(chunk).split("\n")
    if number is not None and chunk.index == use.chunk.index:
        for statement in track.of(chunk):
            if statement.kind == "other":
                for place in range(statement.line - 1, min(statement.end_line, len(lines))):
                    code, mark, comment = lines[place].partition("#")
                    lines[place] = _larger(code, number) + mark + comment
    if chunk.index == use.definition.chunk:
        last = use.definition.end_line - 1
        lines[last] += f"\n{_lengthened(track, use)}"
    return "\n".join(lines)


def _larger(code: str, number: int) -> str:
    return _INTEGER.sub(
        lambda match: match[0].replace(match[1], str(number + 1), 1) if int(match[1]) == number else match[0],
        code,
    )


def _lengthened(track: Track, use: _Use) -> str:
    if track.language == "julia":
        return call("julia", "lengthened", _code(track, use.definition))
    return f"{use.name} = {probed(track.language, 'lengthened')}({use.name})"
