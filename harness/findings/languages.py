"""The same step in the languages of one document: what neighbouring chunks compute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from harness.documents.model import Chunk
from harness.findings.runs import DocumentRuns
from harness.findings.track import Step, Track, baseline, difference, tracks
from harness.model import Array
from harness.model.article import Finding, Kind, Severity

_ROUNDING = 1e-5
"""Relative difference up to which two languages' single-precision results are the same."""


def languages_differ(runs: DocumentRuns) -> Iterator[Finding]:
    """Compare the values that chunks in neighbouring tabs set, and the globals that definitions read."""
    given = list(tracks(runs))
    for place, left in enumerate(given):
        for right in given[place + 1 :]:
            pairs = list(_pairs(runs, left.language, right.language))
            if pairs:
                yield from _values(left, right, pairs)
                yield from _globals(left, right, pairs)


def _pairs(runs: DocumentRuns, left: str, right: str) -> Iterator[tuple[Chunk, Chunk]]:
    """Pair consecutive chunks of two languages, which are tabs of one set; every set keeps one order."""
    chunks, order = runs.document.chunks, list(dict.fromkeys(chunk.track for chunk in runs.document.chunks))
    for first, second in pairwise(chunks):
        tabs = first.track and second.track and order.index(first.track) < order.index(second.track)
        if tabs and {first.language, second.language} == {left, right}:
            yield (first, second) if first.language == left else (second, first)


def _values(left: Track, right: Track, pairs: Sequence[tuple[Chunk, Chunk]]) -> Iterator[Finding]:
    mine = {step.chunk.index: step for step in baseline(left)}
    theirs = {step.chunk.index: step for step in baseline(right)}
    reported: set[str] = set()
    for chunk, other in pairs:
        a, b = mine.get(chunk.index), theirs.get(other.index)
        if a is None or b is None:
            continue
        for name in sorted(a.values.keys() & b.values.keys()):
            how = _differ(a, b, name)
            if how and name not in reported and _steady(left, a, name) and _steady(right, b, name):
                reported.add(name)
                yield left.runs.finding(
                    other,
                    Kind.LANGUAGES_DIFFER,
                    Severity.WRONG,
                    f"after the same step{left.shortened or right.shortened}, {name} in "
                    f"{_called(left.language)} (line {chunk.line}) and "
                    f"{_called(right.language)} (line {other.line}): {how}",
                    "the tabs are not two ways to write one thing",
                    smallest=name,
                )


def _differ(a: Step, b: Step, name: str) -> str:
    left, right = _plain(a.values[name]), _plain(b.values[name])
    if left.shape == right.shape and left.dtype.kind in "iuf" and right.dtype.kind in "iuf":
        scale = float(np.max(np.abs(left), initial=0.0, where=np.isfinite(left)))
        if np.allclose(left, right, rtol=0.0, atol=_ROUNDING * scale, equal_nan=True):
            return ""
    return difference(left, right)


def _steady(track: Track, step: Step, name: str) -> bool:
    """Whether a second fresh run gives the same value."""

    def replayed() -> dict[int, Step]:
        with track.runs.session(track.language) as trial:
            return {again.chunk.index: again for again in track.replay(trial)}

    again = track.runs.once(("baseline again", track.language), replayed).get(step.chunk.index)
    return (
        again is not None and name in again.values and not difference(step.values[name], again.values[name])
    )


def _plain(array: Array) -> Array:
    """Return it as R would hold it: without scalars and without single precision."""
    wide = array.astype(np.float64) if array.dtype.kind in "iufb" else array
    return wide.reshape(()) if wide.size == 1 else wide


def _globals(left: Track, right: Track, pairs: Sequence[tuple[Chunk, Chunk]]) -> Iterator[Finding]:
    """Find neighbouring definitions of which one reads globals that the other does not."""
    for first, other in pairs:
        mine, theirs = _taken(left, first), _taken(right, other)
        if not _defines(left, first) or not _defines(right, other) or mine == theirs:
            continue
        (track, chunk, names), clean = (
            ((left, first, mine - theirs), right.language)
            if mine - theirs
            else ((right, other, theirs - mine), left.language)
        )
        listed = ", ".join(sorted(names))
        yield track.runs.finding(
            chunk,
            Kind.LANGUAGES_DIFFER,
            Severity.FRAGILE,
            f"the {_called(track.language)} definition takes {listed} from a global, and the "
            f"{_called(clean)} one beside it does not",
            "with other arguments, or another value of that global, the two tabs are not the same step",
            line=_line(track, chunk, names),
            smallest=listed,
        )


def _taken(track: Track, chunk: Chunk) -> frozenset[str]:
    names: frozenset[str] = frozenset()
    for statement in track.of(chunk):
        if statement.kind == "definition":
            names |= statement.inner & track.data
    return names


def _defines(track: Track, chunk: Chunk) -> bool:
    return any(statement.kind == "definition" for statement in track.of(chunk))


def _called(language: str) -> str:
    return "R" if language == "r" else language.title()


def _line(track: Track, chunk: Chunk, names: frozenset[str]) -> int:
    lines = track.runs.code(chunk).split("\n")
    used = [
        place for place, text in enumerate(lines) if any(name in text.partition("#")[0] for name in names)
    ]
    return chunk.code_line + used[-1] if used and chunk.code_line else chunk.line
