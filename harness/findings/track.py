"""Runs a language's chunks again in a session of their own, with each chunk's printed text and arrays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

import msgspec

from harness.documents.compare_printed import compare_printed
from harness.documents.model import Chunk
from harness.documents.tracks import is_script
from harness.findings.runs import LONG, DocumentRuns, Trial
from harness.model import Array
from harness.model.article import BlockKind
from harness.sessions.session import CodeError, Evaluated
from harness.sessions.statements import Statement, call, probe, python_statements, session_statements

SLOW = 10.0
"""Seconds of a track after which it is not run again for every small change."""
_ROUNDING = 1e-6
"""Part of the largest value up to which two evaluations of one chunk are the same."""
_FEW = "3"
_EXAMPLES = 2
_LOOP = re.compile(r"^(?:for|while)\b.*$", re.MULTILINE)
_MANY = re.compile(r"(?<![\w.])\d{3,}(?![\w.])")


class Step(msgspec.Struct, frozen=True):
    """The result of one chunk: its text and error, and the arrays that it set."""

    chunk: Chunk
    left: Evaluated
    values: Mapping[str, Array]

    @property
    def error(self) -> CodeError | None:
        """The error that the chunk ended with."""
        return self.left.error


class Track:
    """The chunks of one language that ran without an error, for detectors to run again.

    Parameters
    ----------
    runs : Runs
        The document.
    language : str
        One of its languages.
    """

    def __init__(self, runs: DocumentRuns, language: str) -> None:
        self.runs = runs
        self.language = language
        self.chunks = [chunk for chunk in runs.ran(language, sound=True) if not is_script(chunk)]
        self.statements = self._statements()
        self.defined = frozenset(
            name
            for statement in self.statements
            if statement.kind in ("definition", "import")
            for name in statement.sets
        )
        self.data = frozenset(
            name for statement in self.statements if statement.kind == "other" for name in statement.sets
        )
        self.data -= self.defined

    @property
    def reused(self) -> frozenset[str]:
        """Names that examples use again and again: set anew in three chunks or more."""
        chunks: dict[str, set[int]] = {}
        for statement in self.statements:
            for name in statement.sets - statement.reads if statement.kind == "other" else ():
                chunks.setdefault(name, set()).add(statement.chunk)
        return frozenset(name for name, where in chunks.items() if len(where) > _EXAMPLES)

    def _statements(self) -> tuple[Statement, ...]:
        codes = [(chunk.index, self.runs.code(chunk)) for chunk in self.chunks]
        if self.language == "python":
            return tuple(
                python_statement
                for index, code in codes
                for python_statement in python_statements(index, code)
            )
        with self.runs.session(self.language) as trial:
            self.prepared(trial)

            def evaluate(code: str) -> str:
                return trial.code(code).text

            return tuple(
                session_statement
                for index, code in codes
                for session_statement in session_statements(index, code, self.language, evaluate)
            )

    @property
    def slow(self) -> str:
        """Why the track is not run again for every small change; empty if it may be."""
        seconds = sum(step.left.seconds for step in baseline(self))
        return f"{self.language} takes {seconds:.0f} s{self.shortened} for each run" if seconds > SLOW else ""

    def of(self, chunk: Chunk) -> list[Statement]:
        """The chunk's statements."""
        return [statement for statement in self.statements if statement.chunk == chunk.index]

    def chunk_of(self, statement: Statement) -> Chunk:
        """The chunk that a statement stands in."""
        return self.runs.document.chunks[statement.chunk]

    def line_of(self, statement: Statement) -> int:
        """The line of the document that a statement begins on."""
        chunk = self.chunk_of(statement)
        return chunk.code_line + statement.line - 1 if chunk.code_line else chunk.line

    def code(self, chunk: Chunk) -> str:
        """The chunk's code; the top-level loops of one that took long are cut to a few rounds."""
        code = self.runs.code(chunk)
        if self.runs.seconds(chunk) <= LONG:
            return code
        return _LOOP.sub(lambda match: _MANY.sub(_FEW, match[0]), code)

    @property
    def shortened(self) -> str:
        """A remark for evidence if `code` shortens a loop; else empty."""
        cut = any(self.code(chunk) != self.runs.code(chunk) for chunk in self.chunks)
        return f" (with long loops cut to {_FEW} rounds)" if cut else ""

    def prepared(self, trial: Trial) -> None:
        """Define the harness's probe functions in a session."""
        trial.code(probe(self.language))

    def seed(self, trial: Trial) -> None:
        """Seed all random generators of the session."""
        trial.code(call(self.language, "seed"))

    def step(self, trial: Trial, chunk: Chunk, code: str | None = None) -> Step:
        """Evaluate a chunk, or other code in its place, and return its text, error and arrays."""
        left = trial.chunk(chunk, self.code(chunk) if code is None else code)
        names = sorted(
            {name for statement in self.of(chunk) if statement.kind == "other" for name in statement.sets}
            & self.data
        )
        arrays = trial.session.get(names) if names and left.error is None else []
        pairs = zip(names, arrays, strict=True) if arrays else ()
        values = {name: value for name, value in pairs if not isinstance(value, str)}
        return Step(chunk, left, values)

    def replay(
        self, trial: Trial, changed: Callable[[Chunk], str | None] = lambda _: None, *, stop: bool = False
    ) -> list[Step]:
        """Evaluate all chunks; ``changed`` may give other code; ``stop`` at the first error."""
        steps = []
        for chunk in self.chunks:
            steps.append(self.step(trial, chunk, changed(chunk)))
            if trial.session.ended or (stop and steps[-1].error is not None):
                break
        return steps


def tracks(runs: DocumentRuns) -> Iterable[Track]:
    """Return the tracks of all languages that have probe functions."""
    for language in runs.languages():
        if language in ("python", "r", "julia"):
            yield track(runs, language)


def track(runs: DocumentRuns, language: str) -> Track:
    """The language's track; read once for each document."""

    def read() -> Track:
        language_track = Track(runs, language)
        cut = ", ".join(
            str(chunk.line)
            for chunk in language_track.chunks
            if language_track.code(chunk) != runs.code(chunk)
        )
        if cut:
            runs.unchecked.append(
                f"later rounds of long loops of {language}, at lines {cut}, in other runs than the first: "
                f"they take more than {LONG:g} s, and were cut to {_FEW} rounds there"
            )
        return language_track

    return runs.once(("track", language), read)


def baseline(track: Track) -> list[Step]:
    """The track, replayed once in a fresh session; kept for all detectors."""

    def replayed() -> list[Step]:
        with track.runs.session(track.language) as trial:
            return track.replay(trial)

    return track.runs.once(("baseline", track.language), replayed)


def changed(first: Step, other: Step, language: str, *, printed: bool = True) -> str:
    """How a chunk's second evaluation differs from its first, more than by rounding; empty if it does not."""
    for name in sorted(first.values.keys() & other.values.keys()):
        left, right = first.values[name], other.values[name]
        how = "" if _close(left, right) else difference(left, right)
        if how:
            return f"{name} {how}"
    if printed and first.left.text != other.left.text:
        verdict = compare_printed(first.left.text, other.left.text, language)
        if verdict.kind is BlockKind.DIFFERS:
            return f"it prints {brief(other.left.text)}, and in document order {brief(first.left.text)}"
    return ""


def brief(text: str) -> str:
    """A printed text on one line, cut where it is long."""
    line = " ".join(text.split())
    return repr(line if len(line) <= 90 else f"{line[:89]}…")


def _close(left: Array, right: Array) -> bool:
    """Whether two arrays differ by no more than rounding."""
    if left.shape != right.shape or left.dtype.kind not in "fc" or right.dtype.kind not in "fc":
        return False
    import numpy as np

    with np.errstate(all="ignore"):
        scale = float(np.max(np.abs(left), initial=0.0, where=np.isfinite(left)))
        return bool(np.allclose(left, right, rtol=0.0, atol=_ROUNDING * scale, equal_nan=True))


def difference(left: Array, right: Array) -> str:
    """How two arrays differ, in numbers; empty if they do not."""
    if left.shape != right.shape:
        return f"shape {_shape(left)} and {_shape(right)}"
    import numpy as np

    if left.dtype.kind not in "biufc" or right.dtype.kind not in "biufc":
        return "" if np.array_equal(left, right) else "other values"
    if np.array_equal(left, right, equal_nan=left.dtype.kind in "fc" and right.dtype.kind in "fc"):
        return ""
    wide = np.complex128 if "c" in (left.dtype.kind, right.dtype.kind) else np.float64
    with np.errstate(all="ignore"):
        away = np.abs(left.astype(wide) - right.astype(wide))
    if not np.isfinite(away).all():
        return (
            f"{np.count_nonzero(~np.isfinite(away))} values that are not finite differ, or differ infinitely"
        )
    return f"differs by up to {away.max():.3g}, in {np.count_nonzero(away)} of {away.size} values"


def _shape(array: Array) -> str:
    return "×".join(str(size) for size in array.shape) or "scalar"
