"""Hard-coded sizes: what fails when the data is larger, and runs again when one number is changed with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from harness.documents.model import Chunk
from harness.findings.lengths import lengthened_returns
from harness.findings.runs import DocumentRuns, Trial, first_line
from harness.findings.track import Step, Track, baseline, tracks
from harness.model import Array
from harness.model.article import Finding, Kind, Severity
from harness.sessions.statements import Statement, call, text_of

_MOST_TRIES = 60


def hard_coded_sizes(runs: DocumentRuns) -> Iterator[Finding]:
    """Grow each array by a row, and double or halve each size that is a variable."""
    for track in tracks(runs):
        steps = baseline(track)
        yield from lengthened_returns(track)
        if track.slow:
            runs.unchecked.append(f"hard coded sizes, but for what functions return: {track.slow}")
            continue
        with runs.session(track.language) as trial:
            track.prepared(trial)
            seen: set[int] = set()
            tried = 0
            for statement, name, value in _settings(track, steps):
                if tried >= _MOST_TRIES:
                    break
                size = value.shape[0] if value.ndim else 0
                fixed = _literals(track, statement, size) if 1 <= value.ndim <= 2 and size > 1 else []
                if fixed:
                    tried += 1 + len(fixed)
                    for finding in _grown(track, trial, statement, name, value, fixed):
                        if finding.line not in seen:
                            seen.add(finding.line)
                            yield finding
                elif (
                    value.ndim == 0
                    and value.dtype.kind in "iu"
                    and value.item() > 1
                    and _is_literal(track, statement)
                ):
                    tried += 2
                    yield from _scaled(track, trial, statement, name, int(value.item()))


def _settings(track: Track, steps: list[Step]) -> Iterator[tuple[Statement, str, Array]]:
    """Yield the statements that set an array for the first time, and its value at the end of the chunk."""
    values: Mapping[int, Step] = {step.chunk.index: step for step in steps}
    seen: set[str] = set()
    for statement in track.statements:
        step = values.get(statement.chunk)
        if statement.kind != "other" or step is None:
            continue
        for name in sorted(statement.sets - seen):
            seen.add(name)
            value = step.values.get(name)
            if value is not None:
                yield statement, name, _scalar(value)


def _scalar(value: Array) -> Array:
    """Return a vector of length 1 as a scalar, and a whole double as an integer: R has neither."""
    if value.size == 1 and value.ndim == 1:
        value = value.reshape(())
    if value.ndim == 0 and value.dtype.kind == "f" and float(value).is_integer():
        value = value.astype("int64")
    return value


def _is_literal(track: Track, statement: Statement) -> bool:
    code = text_of(track.runs.code(track.chunk_of(statement)), statement).partition("#")[0]
    return re.fullmatch(r"[\w\s,.]+(?:=|<-)[\s\dL,]+", code.strip()) is not None


def _literals(track: Track, statement: Statement, size: int) -> list[Statement]:
    """Return later statements that contain the size as a number."""
    number = _number(size)
    later = track.statements[track.statements.index(statement) + 1 :]
    return [
        other
        for other in later
        if any(
            number.search(line.partition("#")[0])
            for line in text_of(track.runs.code(track.chunk_of(other)), other).split("\n")
        )
    ]


def _number(size: int) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.\"']){size}(?:L\b)?(?![\w.\"'])")


def _grown(
    track: Track, trial: Trial, statement: Statement, name: str, value: Array, fixed: list[Statement]
) -> Iterator[Finding]:
    grow = call(track.language, "grow", name)
    failed = _first_failure(track, trial, lambda chunk: _changed(track, chunk, {statement: grow}))
    if failed is None:
        return
    size = value.shape[0]
    for literal in fixed:
        larger = {statement: grow}

        def change(chunk: Chunk, literal: Statement = literal, larger: dict[Statement, str] = larger) -> str:
            return _changed(track, chunk, larger, enlarged=(literal, size))

        if _first_failure(track, trial, change) is None:
            error = failed.error
            assert error is not None
            source = text_of(track.runs.code(track.chunk_of(literal)), literal).strip()
            yield track.runs.finding(
                track.chunk_of(literal),
                Kind.HARD_CODED_SIZE,
                Severity.FRAGILE,
                f"with {size + 1} rows of {name}, the last one twice, line {failed.chunk.line} fails"
                f"{track.shortened}: {first_line(error.message)}; "
                f"with {size + 1} for {size} in this statement "
                "everything runs",
                f"it works for {size} rows of {name} alone",
                line=track.line_of(literal),
                smallest=f"{name} with {size + 1} rows; {first_line(source)}",
            )
            return


def _scaled(track: Track, trial: Trial, statement: Statement, name: str, value: int) -> Iterator[Finding]:
    tried = [number for number in (value * 2, value // 2) if number > 0]
    failures = []
    for number in tried:
        setting = f"{name} = {number}"
        failed = _first_failure(track, trial, partial(_changed, track, after={statement: setting}))
        if failed is None:
            return
        failures.append((number, failed))
    number, failed = failures[0]
    assert failed.error is not None
    said = "; ".join(
        f"{name} = {tried_size}: {first_line(step.error.message)}"
        for tried_size, step in failures
        if step.error is not None
    )
    yield track.runs.finding(
        failed.chunk,
        Kind.HARD_CODED_SIZE,
        Severity.FRAGILE,
        f"of {name} = {_listed([*tried, value])} it runs with {value} alone{track.shortened}; {said}",
        f"{name} looks like a choice, and is none",
        line=failed.error.line if failed.chunk.code_line else None,
        smallest=f"{name} = {min(number for number, _ in failures)} at line {track.line_of(statement)}",
    )


def _listed(numbers: list[int]) -> str:
    *most, last = sorted(numbers)
    return f"{', '.join(map(str, most))} and {last}"


def _first_failure(track: Track, trial: Trial, change: Callable[[Chunk], str]) -> Step | None:
    steps = track.replay(trial, change, stop=True)
    return steps[-1] if steps and steps[-1].error is not None else None


def _changed(
    track: Track,
    chunk: Chunk,
    after: Mapping[Statement, str],
    *,
    enlarged: tuple[Statement, int] | None = None,
) -> str:
    """Return a chunk's code with a call added after a statement, and a number raised by one in another."""
    lines = track.code(chunk).split("\n")
    if enlarged is not None and enlarged[0].chunk == chunk.index:
        statement, size = enlarged
        for place in range(statement.line - 1, statement.end_line):
            code, mark, comment = lines[place].partition("#")
            lines[place] = _number(size).sub(str(size + 1), code) + mark + comment
    for statement, code in after.items():
        if statement.chunk == chunk.index:
            lines.insert(statement.end_line, code)
    return "\n".join(lines)
