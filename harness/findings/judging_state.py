"""What is known of a document's chunks while they are judged in order."""

from __future__ import annotations

import msgspec

from harness.documents.model import Chunk
from harness.findings.beyond_names import Beyond
from harness.findings.causes import Cause, Causes
from harness.findings.judging_context import Context
from harness.findings.names import upstream
from harness.findings.random_numbers import draw_in
from harness.findings.runs import DocumentRuns
from harness.model.article import Answer, BlockVerdict

_AS_SINCE_1_7 = "range(a, b)"
"""What stands in for a method of Julia itself, and gives what that gives since 1.7."""
Key = tuple[int, int]
"""An output: its chunk's index, and its place among the chunk's outputs."""


class JudgingState(msgspec.Struct, kw_only=True):
    """What is known up to the chunk that is judged.

    Attributes
    ----------
    runs : DocumentRuns
        The document, and its runs.
    context : Context
        Versions and packages, and what is reproduced where.
    causes : Causes
        The root causes so far.
    verdicts : dict
        How each output compares with what the code prints.
    unseeded : dict
        By language, the first draw before any seed.
    drawing : set of (str, str)
        Languages and names of functions that draw random numbers.
    unpinned : set of int
        The chunks that draw before any seed.
    tainted : dict
        By language and name, the cause why a value is not what the author had.
    touched : dict
        Those of all names that were tainted at any time, by language and name.
    beyond : dict
        By language, and ``session`` or ``stream``, the first cause why options, methods or random numbers are
        not what the author had.
    steady : set of str
        Languages whose random numbers are the author's again, by a seed below all that failed.
    pinned : set of int
        The chunks of which all draws are such.
    seeding : set of str
        Functions of R that set a seed before they draw.
    """

    runs: DocumentRuns
    context: Context
    verdicts: dict[Key, BlockVerdict] = msgspec.field(default_factory=dict)
    unseeded: dict[str, Cause] = msgspec.field(default_factory=dict)
    drawing: set[tuple[str, str]] = msgspec.field(default_factory=set)
    unpinned: set[int] = msgspec.field(default_factory=set)
    causes: Causes = msgspec.field(default_factory=Causes)
    tainted: dict[tuple[str, str], Cause] = msgspec.field(default_factory=dict)
    touched: dict[tuple[str, str], Cause] = msgspec.field(default_factory=dict)
    beyond: dict[tuple[str, Beyond], Cause] = msgspec.field(default_factory=dict)
    steady: set[str] = msgspec.field(default_factory=lambda: {"r", "python"})
    pinned: set[int] = msgspec.field(default_factory=set)
    seeding: set[str] = msgspec.field(default_factory=set)

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """The document's chunks."""
        return self.runs.document.chunks

    def unlike_the_authors(self, chunk: Chunk) -> Cause | None:
        """The cause where an earlier failure left another session, or another random stream, to a chunk."""
        session = self.other_session(chunk)
        return self.causes.known(session) if session is not None else self.other_stream(chunk)

    def other_session(self, chunk: Chunk) -> Cause | None:
        """The cause where an earlier failure may have left other options, methods or functions to a chunk."""
        return self.beyond.get((chunk.language, "session"))

    def other_stream(self, chunk: Chunk) -> Cause | None:
        """The cause where an earlier failure left another random stream to a chunk that draws."""
        draws = any(
            draw_in(part.code, part.language) is not None
            for part in upstream(self.chunks, chunk)
            if part.index not in self.pinned
        )
        return self.beyond.get((chunk.language, "stream")) if draws else None

    def stand_in(self, chunk: Chunk) -> Cause | None:
        """The cause where a chunk depends on a package that a stand-in took the place of."""
        for part in upstream(self.chunks, chunk):
            names = [name for name in self.runs.published.of(part).stand_ins if name != _AS_SINCE_1_7]
            if names:
                said = f"{', '.join(names)} is not installed, and a stand-in ran in its place"
                return self.causes.get(("stand-in", *names), Cause(Answer.UNCHECKED, part, 0, said))
        return None
