"""Results that depend on running a chunk twice, and on a random stream that is not pinned."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.documents.model import Chunk
from harness.findings.runs import DocumentRuns
from harness.findings.track import Step, Track, baseline, difference, tracks
from harness.model.article import Finding, Kind, Severity
from harness.sessions.statements import text_of

if TYPE_CHECKING:
    from harness.streams.versions import VersionRow

_STREAMS = {"r": ("R",), "julia": ("Julia",), "python": ("PyTorch", "NumPy")}
_SLIGHTLY = 1e-5
"""Relative difference up to which two streams are the same but for rounding."""
_NAME = re.compile(r"[A-Za-z_][\w.!]*")


def run_twice(runs: DocumentRuns) -> Iterator[Finding]:
    """Find chunks that give other values when they are run again."""
    for track in tracks(runs):
        with runs.session(track.language) as trial:
            track.prepared(trial)
            for chunk in track.chunks:
                updated = _updated(track, chunk)
                # The generators are seeded alike, so that any difference is made by the chunk.
                track.seed(trial)
                first = track.step(trial, chunk)
                if not updated or first.error is not None:
                    continue
                track.seed(trial)
                second = track.step(trial, chunk)
                finding = _twice(track, chunk, updated, first, second)
                if finding is not None:
                    yield finding
                    # Restore the state after the first run as far as possible.
                    for earlier in track.chunks[: track.chunks.index(chunk) + 1]:
                        track.step(trial, earlier)


def _twice(track: Track, chunk: Chunk, updated: dict[str, int], first: Step, second: Step) -> Finding | None:
    if second.error is not None:
        how, name = f"the second time it fails: {second.error.message}", next(iter(updated))
    else:
        changed = {
            name: said
            for name in updated
            if name in first.values
            and name in second.values
            and (said := difference(first.values[name], second.values[name]))
        }
        if not changed:
            return None
        name = next(iter(changed))
        how = "; ".join(f"{n} {said}" for n, said in changed.items())
    return track.runs.finding(
        chunk,
        Kind.NOT_REPEATABLE,
        Severity.FRAGILE,
        f"run twice in a row{track.shortened}: {how}",
        f"in a notebook, running the cell again silently changes {name}, and all that comes after it",
        line=updated[name],
        smallest="this chunk, twice",
    )


def _updated(track: Track, chunk: Chunk) -> dict[str, int]:
    """Return the names that the chunk reads before it sets them, with the line that sets them."""
    updated: dict[str, int] = {}
    set_here: set[str] = set()
    for statement in track.of(chunk):
        if statement.kind == "other":
            for name in statement.sets & statement.reads & track.data - set_here:
                updated[name] = track.line_of(statement)
            set_here |= statement.sets
    return updated


def unpinned_randomness(runs: DocumentRuns) -> Iterator[Finding]:
    """Find differences between two fresh runs, and streams that depend on the version of the language."""
    for track in tracks(runs):
        first = baseline(track)
        with runs.session(track.language) as trial:
            second = track.replay(trial)
        yield from _two_runs(track, first, second)
        yield from _versions(track)


def _two_runs(track: Track, first: list[Step], second: list[Step]) -> Iterator[Finding]:
    for left, right in zip(first, second, strict=False):
        for name in left.values.keys() & right.values.keys():
            how = difference(left.values[name], right.values[name])
            if how:
                yield track.runs.finding(
                    left.chunk,
                    Kind.RANDOMNESS,
                    Severity.FRAGILE,
                    f"two fresh runs{track.shortened}: {name} {how}",
                    "no reader gets the same numbers twice, from here on",
                    line=_setting_line(track, left.chunk, name),
                    smallest="the document, twice",
                )
                return


def _setting_line(track: Track, chunk: Chunk, name: str) -> int:
    return next(
        (track.line_of(statement) for statement in track.of(chunk) if name in statement.sets), chunk.line
    )


def _versions(track: Track) -> Iterator[Finding]:
    """Calls of the document whose numbers depend on the language's version, from the known streams."""
    # The streams need NumPy, and few documents are asked for them.
    from harness.streams.versions import report

    code = {chunk.index: _bare(track.runs.code(chunk)) for chunk in track.chunks}
    names = {name for text in code.values() for name in _NAME.findall(text)}
    for seed, chunk in _seeds(track, code):
        groups: dict[str, list[VersionRow]] = {}
        for row in report(seed):
            if row.language in _STREAMS[track.language]:
                groups.setdefault(row.call, []).append(row)
        for call, rows in groups.items():
            used = set(_NAME.findall(call))
            if len({row.values for row in rows}) < 2 or not used <= names:
                continue
            place, far = _where(rows)
            said = "; ".join(f"{row.versions}: {row.values[place]:.9g}" for row in rows if row.values)
            yield track.runs.finding(
                chunk,
                Kind.RANDOMNESS,
                Severity.FRAGILE if far > _SLIGHTLY else Severity.NOTE,
                f"{call}, number {place + 1}: {said}",
                "the seed pins the numbers for some versions or machines only, and the document names none",
                line=_seed_line(track, chunk, seed),
                smallest=call,
            )


def _where(rows: list[VersionRow]) -> tuple[int, float]:
    """Return the first number in which the rows differ, and the relative difference."""
    given = [row.values for row in rows if row.values]
    for place, values in enumerate(zip(*given, strict=False)):
        if len(set(values)) > 1:
            return place, (max(values) - min(values)) / max(map(abs, values))
    return 0, 1.0


def _seeds(track: Track, code: dict[int, str]) -> Iterator[tuple[int, Chunk]]:
    seeding = re.compile(r"(?:set\.seed|manual_seed|seed!?|MersenneTwister|Xoshiro)\(\s*(\d{1,9})\s*\)")
    seen: set[int] = set()
    for chunk in track.chunks:
        for match in seeding.finditer(code[chunk.index]):
            seed = int(match[1])
            if seed not in seen:
                seen.add(seed)
                yield seed, chunk


def _seed_line(track: Track, chunk: Chunk, seed: int) -> int:
    for statement in track.of(chunk):
        if re.search(
            rf"(?i)(?:seed|twister|xoshiro)\S*\(\s*{seed}\b", text_of(track.runs.code(chunk), statement)
        ):
            return track.line_of(statement)
    return chunk.line


def _bare(code: str) -> str:
    return "\n".join(line.partition("#")[0] for line in code.splitlines())
