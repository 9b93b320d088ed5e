"""One session's chunks, run one by one: skipped, evaluated, captured, with values of the other language."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from harness.documents.crossing import OTHER, carry, names_taken
from harness.documents.evaluate import evaluate_chunk
from harness.documents.knitr_defaults import ATTACHED, takes_knitr_as_attached
from harness.documents.model import Chunk, Document
from harness.documents.patch import FILE, Capture, PrintedCapture, apply_patches, find_chunk
from harness.documents.results import Captured, ChunkRun, TrackRun
from harness.documents.shared_variables import SharedVariables
from harness.documents.values import expressions, names_of, printed_numbers, setup_code
from harness.errors import ImplementationError, WorkerError
from harness.model import Absent, Array
from harness.runtimes.registry import Registry
from harness.sessions.lasting_session import LastingSession, Lost, TimeLost
from harness.sessions.sandboxed_session import Setting
from harness.sessions.stand_ins import stand_ins

if TYPE_CHECKING:
    from harness.documents.engine import RunSettings

RUNTIMES = {"python": "numpy", "r": "r", "julia": "julia"}
"""The runtime whose session runs a language's chunks."""

_SHOWN = {
    "python": "print({})",
    "r": "cat(as.character({}), sep = ', ')",
    "julia": "print({})",
}
"""How the value of code in prose is written."""


class Track:
    """One session's chunks.

    Parameters
    ----------
    document, language, track : Document, str, str
        Whose chunks, in which language, of which tab.
    plan, registry, time_lost : RunSettings, Registry, TimeLost
        How they are run.
    running : dict
        The document's sessions by language; this one's is added once it runs.
    shared : SharedVariables, optional
        Where its environment variables are those of the other language too.
    """

    def __init__(
        self,
        document: Document,
        language: str,
        track: str,
        plan: RunSettings,
        registry: Registry,
        time_lost: TimeLost,
        running: dict[str, LastingSession],
        shared: SharedVariables | None = None,
    ) -> None:
        self._document = document
        self.language = self._language = language
        self.track = self._track = track
        self._running = running
        self._shared = shared
        self._plan = plan
        self._registry = registry
        self._stand_ins = {stand_in.name: stand_in for stand_in in stand_ins(language)}
        self.result = TrackRun(language=language, track=track)
        self.captured: dict[str, Captured] = {}
        self.inline: dict[int, str] = {}
        self.lost: Lost = {}
        self._time_lost = time_lost

    def all(self, chunks: Sequence[Chunk], setting: Setting) -> Iterator[ChunkRun]:
        """Run the chunks one by one, and capture what is asked for."""
        if self._language not in RUNTIMES:
            yield from [self._skip(chunk, f"no engine runs {self._language}") for chunk in chunks]
            return
        runtime = RUNTIMES[self._language]
        launch = self._registry.session(runtime)
        missing = launch.reason if isinstance(launch, Absent) else ""
        due = [self._why_not(chunk) for chunk in chunks]
        if missing or all(due):
            self._update(missing=missing)
            yield from self._none(chunks, [missing or why for why in due])
            return
        assert not isinstance(launch, Absent)
        begun = time.perf_counter()
        done = 0
        run = self._skip(chunks[0], "")
        try:
            known = self._plan.lost.get((self._language, self._track), {})
            with LastingSession(runtime, launch, setting, lost=known, time_lost=self._time_lost) as session:
                self._update(
                    runtime=session.info,
                    stand_ins=dict(session.stand_ins),
                    as_root=session.as_root,
                    start_seconds=time.perf_counter() - begun,
                )
                if self._language == "r" and takes_knitr_as_attached(self._document):
                    # Where knitr is not installed, the code that uses it fails, and says so.
                    session.eval(ATTACHED, file="<knitr>", line=1)
                self._running[self._language] = session
                if self._shared is not None and self._language in OTHER:
                    self._shared.begin(self._language, session)
                for chunk, why in zip(chunks, due, strict=True):
                    run = self._one(chunk, why, session)
                    done += 1
                    yield run
                for capture in self._captures(None):
                    self._capture(capture, session, run)
                self._update(ended=session.ended)
                self.lost = session.lost
        except (WorkerError, ImplementationError) as error:
            self._update(missing=error.message)
            yield from self._none(chunks[done:], [error.message] * (len(chunks) - done))

    def _one(self, chunk: Chunk, why: str, session: LastingSession) -> ChunkRun:
        if not why and session.ended:
            why = f"the session had ended: {session.ended}"
        if why:
            run = self._skip(chunk, why)
        else:
            code, patched = apply_patches(self._document, chunk, self._plan.patches)
            cell = f"#{chunk.cell}" if chunk.cell else ""
            self._take_values(chunk, session)
            pieces = evaluate_chunk(session, chunk, code, f"{self._document.path.name}{cell}")
            run = ChunkRun(
                index=chunk.index,
                line=chunk.line,
                language=self._language,
                track=self._track,
                left=pieces.left,
                parts=pieces.parts,
                lacking=pieces.lacking,
                patched=patched,
                stand_ins=tuple(name for name in session.stand_ins if self._stand_ins[name].is_used(code)),
            )
        for capture in self._captures(chunk):
            self._capture(capture, session, run)
        self._evaluate_inline(chunk, session)
        return run

    def _take_values(self, chunk: Chunk, session: LastingSession) -> None:
        """Give a chunk the values of the other language that its code takes, and its variables."""
        other = self._running.get(OTHER.get(self._language, ""))
        if other is None or other.ended:
            return
        names = names_taken(self._document.chunks, chunk)
        if names:
            carry(names, other, session, self._language)
        if self._shared is not None:
            self._shared.share(other, session, self._language)

    def _evaluate_inline(self, chunk: Chunk, session: LastingSession) -> None:
        """Evaluate the code in the prose behind a chunk, where the rendered document shows what it gave."""
        for place, code in enumerate(self._document.inline):
            mine = (
                code.after == chunk.index and code.language == self._language and code.published is not None
            )
            if not mine or session.ended:
                continue
            shown = session.eval(_SHOWN[self._language].format(code.code), file="<text>", line=1)
            if shown.error is None:
                self.inline[place] = shown.text

    def _why_not(self, chunk: Chunk) -> str:
        if not chunk.evaluated and not self._plan.run_unevaluated:
            return "the document does not run it: eval is false"
        return "" if chunk.code.strip() else "it is empty"

    def _captures(self, chunk: Chunk | None) -> Iterator[Capture]:
        for capture in self._plan.captures:
            if capture.language != self._language:
                continue
            after = capture.after and find_chunk(self._document, capture.after, language=self._language)
            if (after.index if after else None) == (chunk.index if chunk else None):
                yield capture

    def _capture(self, capture: Capture, session: LastingSession, run: ChunkRun) -> None:
        if capture.setup and not session.ended:
            done = session.eval(setup_code(capture, self._document), file=f"{FILE}: {capture.id}", line=1)
            if done.error is not None:
                self.captured[capture.id] = dict.fromkeys(names_of(capture), f"setup: {done.error.message}")
                return
        wanted = expressions(capture, self._document)
        values: dict[tuple[str, str], Array | str] = dict(
            zip(wanted, session.get(list(wanted.values())), strict=True)
        )
        for sample, name in names_of(capture):
            value = capture.values[name]
            if isinstance(value, PrintedCapture):
                values[sample, name] = printed_numbers(run, value.printed)
        self.captured[capture.id] = values

    def _none(self, chunks: Sequence[Chunk], reasons: Sequence[str]) -> list[ChunkRun]:
        for capture in self._plan.captures:
            if capture.language == self._language:
                self.captured[capture.id] = dict.fromkeys(names_of(capture), f"did not run: {reasons[0]}")
        return [self._skip(chunk, why) for chunk, why in zip(chunks, reasons, strict=True)]

    def _skip(self, chunk: Chunk, why: str) -> ChunkRun:
        return ChunkRun(
            index=chunk.index, line=chunk.line, language=self._language, track=self._track, skipped=why
        )

    def _update(self, **changes: object) -> None:
        self.result = msgspec.structs.replace(self.result, **changes)
