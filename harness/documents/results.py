"""The results of running a document: one for each chunk, and the captured values."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from harness.documents.model import Chunk, Document
from harness.documents.surroundings import missing_here
from harness.model import Array, Frozen, RuntimeInfo
from harness.model.article import Count
from harness.sessions.lasting_session import Lost
from harness.sessions.session import CodeError, Evaluated, Semantics

LostIn = Mapping[tuple[str, str], Lost]
"""Statements that ended sessions, by language and track."""


class ChunkRun(Frozen, frozen=True, kw_only=True):
    """The result of one chunk.

    Attributes
    ----------
    index, line, language : int, int, str
        The chunk's.
    track : str
        The session that it ran in, where its language has several.
    left : Evaluated or None
        What it printed and whether it failed; None where it did not run.
    skipped : str
        Why it did not run.
    parts : tuple of Evaluated or None
        For each output of the chunk, what the code printed that it is of; empty where only ``left`` is known.
    lacking : tuple of CodeError
        Imports of what is not here, and plots without it, after which the rest of the chunk was run.
    patched : tuple of str
        Ids of the patches that changed its code before it ran.
    stand_ins : tuple of str
        Stand-ins that the chunk names.
    """

    index: int
    line: int
    language: str
    track: str = ""
    left: Evaluated | None = None
    skipped: str = ""
    parts: tuple[Evaluated | None, ...] = ()
    lacking: tuple[CodeError, ...] = ()
    patched: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()

    @property
    def ran(self) -> bool:
        """Whether it was evaluated, with or without an error."""
        return self.left is not None

    @property
    def error(self) -> CodeError | None:
        """The error that the chunk ended with."""
        return self.left.error if self.left is not None else None

    @property
    def incomplete(self) -> bool:
        """Whether its language cannot read it: a part of a program, or a mistake."""
        return self.error is not None and self.error.kind == "syntax"


class TrackRun(Frozen, frozen=True, kw_only=True):
    """One session: a language of the document, and one of its tabs where it has several in that language.

    ``as_root`` says why its code ran as root, where it did.
    """

    language: str
    track: str = ""
    runtime: RuntimeInfo | None = None
    stand_ins: dict[str, str] = msgspec.field(default_factory=dict)
    missing: str = ""
    ended: str = ""
    as_root: str = ""
    start_seconds: float = 0.0


Captured = Mapping[tuple[str, str], Array | str]
"""The arrays of one capture, by sample and value; a text says why there is none."""


class Execution(msgspec.Struct, frozen=True, kw_only=True):
    """A document that was run once.

    Attributes
    ----------
    document : Document
        As it was read.
    mode : {"prompt", "script"}
        How it was run.
    chunks : tuple of ChunkRun
        In document order; a chunk that runs in several tracks is there once for each.
    tracks : tuple of TrackRun
        The sessions.
    captured : mapping
        Arrays by the capture's id, and the sample and the name of the value; a text says why there is none.
    sandbox : str
        One sentence: what the code was kept from.
    seconds : float
        Time for all of it.
    left_out : tuple of str
        Files beside it that its code names and was not given, and why.
    inline : mapping of int to str
        What code in prose gives, by its place in the document's ``inline``; where it fails, there is none.
    lost : mapping
        Statements that ended a session, and were left out of the one that was begun anew.
    """

    document: Document
    mode: Semantics
    chunks: tuple[ChunkRun, ...]
    tracks: tuple[TrackRun, ...]
    captured: Mapping[str, Captured]
    sandbox: str
    seconds: float
    left_out: tuple[str, ...] = ()
    inline: Mapping[int, str] = {}
    lost: LostIn = {}

    def of(self, chunk: Chunk) -> ChunkRun:
        """The first run of a chunk."""
        return next(run for run in self.chunks if run.index == chunk.index)

    @property
    def patched(self) -> bool:
        """Whether any chunk's code was changed before it ran."""
        return any(run.patched for run in self.chunks)


def counts(execution: Execution) -> tuple[Count, ...]:
    """Chunks by language, in the order in which the languages appear."""
    totals = []
    for language in dict.fromkeys(run.language for run in execution.chunks):
        runs = [run for run in execution.chunks if run.language == language]
        ran = [run for run in runs if run.ran]
        sound = sum(run.error is None for run in ran)
        totals.append(Count(language=language, total=len(runs), run=len(ran), sound=sound))
    return tuple(totals)


def missing_for(execution: Execution, language: str) -> str:
    """Say in one line what the machine lacks for a language of the document; empty if nothing is missing."""
    lines = [track.missing for track in execution.tracks if track.language == language and track.missing]
    errors = [run.error for run in execution.chunks if run.language == language and run.error is not None]
    for error in errors:
        lack = missing_here(error)
        if lack is not None and lack.kind in ("package", "network"):
            lines.append(error.message.strip().splitlines()[0])
    return lines[0] if lines else ""
