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

SECONDS = 60.0
"""Budget for the tries of one language, beyond the first run of the chunks that they need."""
_INTEGER = re.compile(r"(?<![\w.\"'])(\d+)(?:L\b)?(?![\w.\"'])")
_SMALLEST = 3
_MOST_NUMBERS = 6


class _Use(msgspec.Struct, frozen=True):
    """A function of the document, and the last chunk that calls it and writes numbers."""

    name: str
    definition: Statement
    chunk: Chunk
    numbers: tuple[int, ...]


def lengthened_returns(one: Track) -> Iterator[Finding]:
    """Let each function return its array with the last row twice.

    Parameters
    ----------
    one : Track
        The chunks; only those are run that the chunk which calls the function needs.
    """
    uses = list(_uses(one))
    if not uses:
        return
    left_out: list[str] = []
    begun = time.monotonic()
    with one.runs.session(one.language) as trial:
        one.prepared(trial)
        for use in uses:
            needed = needed_for(one, use.chunk)
            expected = sum(step.left.seconds for step in baseline(one) if step.chunk in needed)
            if time.monotonic() - begun + 3 * expected > SECONDS:
                left_out.append(use.name)
                continue
            yield from _tried(one, trial, use)
    if left_out:
        verb = "returns" if len(left_out) == 1 else "return"
        one.runs.unchecked.append(
            f"hard coded sizes: what {', '.join(left_out)} {verb} in {one.language}, which takes more than "
            f"{SECONDS:g} s"
        )


def _tried(one: Track, trial: Trial, use: _Use) -> Iterator[Finding]:
    failed = _failure(one, trial, use, None)
    if failed is None or failed.error is None:
        return
    for number in use.numbers[:_MOST_NUMBERS]:
        if _failure(one, trial, use, number) is None:
            written = [
                each for each in one.of(use.chunk) if each.kind == "other" and number in _numbers(one, each)
            ]
            times = sum(_numbers(one, each).count(number) for each in written)
            line = (failed.error.line if failed.chunk.code_line else None) or failed.chunk.line
            first = first_line(text_of(one.runs.code(use.chunk), written[0]))
            yield one.runs.finding(
                use.chunk,
                Kind.HARD_CODED_SIZE,
                Severity.FRAGILE,
                f"where {use.name} returns one row more, the last one twice, line {line} "
                f"fails{one.shortened}: {first_line(failed.error.message)}; with {number + 1} for {number}, "
                f"which this chunk writes {times} {'time' if times == 1 else 'times'}, it runs",
                f"it works for one length of what {use.name} returns",
                line=one.line_of(written[0]),
                smallest=f"{use.name} with one row more; {first}",
            )
            return


def _uses(one: Track) -> Iterator[_Use]:
    latest = {name: each for each in one.statements if each.kind == "definition" for name in each.sets}
    for name in latest:
        for chunk in reversed(one.chunks):
            others = [each for each in one.of(chunk) if each.kind == "other"]
            numbers = tuple(dict.fromkeys(number for each in others for number in _numbers(one, each)))
            before = [
                each
                for each in one.statements
                if each.kind == "definition" and name in each.sets and each.chunk <= chunk.index
            ]
            if numbers and before and any(name in each.reads for each in others):
                yield _Use(name, before[-1], chunk, numbers)
                break


def _numbers(one: Track, statement: Statement) -> list[int]:
    code = _code(one, statement)
    return [number for text in _INTEGER.findall(code) if (number := int(text)) >= _SMALLEST]


def _code(one: Track, statement: Statement) -> str:
    lines = text_of(one.code(one.chunk_of(statement)), statement).split("\n")
    return "\n".join(line.partition("#")[0] for line in lines)


def _failure(one: Track, trial: Trial, use: _Use, number: int | None) -> Step | None:
    """The step that fails; ``number`` is one larger in the chunk's statements."""
    for chunk in needed_for(one, use.chunk):
        step = one.step(trial, chunk, _changed(one, chunk, use, number))
        if step.error is not None:
            return step
    return None


def _changed(one: Track, chunk: Chunk, use: _Use, number: int | None) -> str:
    lines = one.code(chunk).split("\n")
    if number is not None and chunk.index == use.chunk.index:
        for each in one.of(chunk):
            if each.kind == "other":
                for place in range(each.line - 1, min(each.end_line, len(lines))):
                    code, mark, comment = lines[place].partition("#")
                    lines[place] = _larger(code, number) + mark + comment
    if chunk.index == use.definition.chunk:
        last = use.definition.end_line - 1
        lines[last] += f"\n{_lengthened(one, use)}"
    return "\n".join(lines)


def _larger(code: str, number: int) -> str:
    return _INTEGER.sub(
        lambda found: found[0].replace(found[1], str(number + 1), 1) if int(found[1]) == number else found[0],
        code,
    )


def _lengthened(one: Track, use: _Use) -> str:
    if one.language == "julia":
        return call("julia", "lengthened", _code(one, use.definition))
    return f"{use.name} = {probed(one.language, 'lengthened')}({use.name})"
