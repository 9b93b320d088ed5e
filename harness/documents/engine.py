"""Running a document: one session for each language, chunk after chunk, in document order."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from harness.documents.evaluate import evaluate_chunk
from harness.documents.given_files import FilesGiven, files_beside
from harness.documents.knitr_defaults import ATTACHED, takes_knitr_as_attached
from harness.documents.model import Chunk, Document
from harness.documents.patch import FILE, Capture, Patch, PrintedCapture, apply_patches, find_chunk
from harness.documents.results import Captured, ChunkRun, Execution, LostIn, TrackRun
from harness.documents.tracks import sessions_of
from harness.documents.values import expressions, names_of, printed_numbers, setup_code
from harness.errors import ImplementationError, WorkerError
from harness.model import Absent, Array
from harness.runtimes.registry import Registry
from harness.sessions.kernels import PLAIN_KERNELS
from harness.sessions.lasting_session import LastingSession, Lost, TimeLost
from harness.sessions.sandbox import Limits, Sandbox
from harness.sessions.sandboxed_session import Setting
from harness.sessions.session import Semantics, Show
from harness.sessions.stand_ins import StandIn, stand_ins
from harness.sessions.trust import requires_trust
from harness.store.temporary import temporary_folder

RUNTIMES = {"python": "numpy", "r": "r", "julia": "julia"}
"""The runtime whose session runs a language's chunks."""

_SHOWN = {
    "python": "print({})",
    "r": "cat(as.character({}), sep = ', ')",
    "julia": "print({})",
}
"""How the value of code in prose is written."""


class RunSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a document is run.

    Attributes
    ----------
    mode : {"prompt", "script"}
        As at each language's prompt, or as scripts.
    run_unevaluated : bool
        Whether chunks run that the document itself does not run.
    stand_ins : bool
        Whether packages that are not installed may be stood in for.
    glove : Path or None
        Word vectors for a stand-in.
    packages : Path or None
        A folder of Python packages that were installed for this document.
    r_library : Path or None
        A library of R packages that were.
    limits : Limits
        What the code may use.
    plain_kernels : bool
        Whether numeric libraries compute with their plainest kernels: their sums are rounded in another order
        then, as on another machine.
    patches, captures : tuple
        From the cases' document.toml.
    roots : tuple of Path
        Folders that were given, whose files a document in them may read where no repository holds it.
    lost : mapping
        An earlier run's statements that ended sessions, by language and track: they are left out.
    stop : threading.Event
        Ends it, once it is set.
    """

    mode: Semantics = "prompt"
    run_unevaluated: bool = False
    stand_ins: bool = True
    glove: Path | None = None
    packages: Path | None = None
    r_library: Path | None = None
    limits: Limits = Limits()
    plain_kernels: bool = False
    patches: tuple[Patch, ...] = ()
    captures: tuple[Capture, ...] = ()
    roots: tuple[Path, ...] = ()
    lost: LostIn = {}
    stop: threading.Event = msgspec.field(default_factory=threading.Event)


def execute_document(
    document: Document, *, registry: Registry, sandbox: Sandbox, trust: bool, plan: RunSettings | None = None
) -> Execution:
    """Run a document's chunks.

    Parameters
    ----------
    document : Document
        From `parse_document`.
    registry : Registry
        Where the languages' sessions come from.
    sandbox : Sandbox
        From `find_sandbox`.
    trust : bool
        Whether the user has said that the document may be run.
    plan : Plan, optional
        How it is run.

    Returns
    -------
    Execution
        Whatever its code did: a chunk that fails, or ends its session, is part of the result.

    Raises
    ------
    UsageError
        Nobody has said that it may be run, or that it may be run where nothing confines it.
    CaseError
        A patch or a capture names a chunk that is not there.
    """
    requires_trust([document.path], sandbox, trust)
    plan = plan or RunSettings()
    begun = time.perf_counter()
    chunks: list[ChunkRun] = []
    tracks: list[TrackRun] = []
    captured: dict[str, Captured] = {}
    inline: dict[int, str] = {}
    lost: dict[tuple[str, str], Lost] = {}
    time_lost = TimeLost(plan.limits.chunk_seconds)
    with temporary_folder() as folder:
        files = files_beside(document, folder, plan.roots)
        for language, track, mine in sessions_of(document):
            run = _Track(document, language, track, plan, registry, time_lost)
            setting = _setting(document, language, plan, sandbox, files)
            chunks += run.all(mine, setting)
            tracks.append(run.result)
            captured |= run.captured
            inline |= run.inline
            lost[language, track] = run.lost
    as_root = [track.as_root for track in tracks]
    return Execution(
        document=document,
        mode=plan.mode,
        chunks=tuple(sorted(chunks, key=lambda chunk: chunk.index)),
        tracks=tuple(tracks),
        captured=captured,
        sandbox="; as root: ".join(dict.fromkeys([sandbox.statement, *filter(None, as_root)])),
        seconds=time.perf_counter() - begun,
        left_out=files.left_out,
        inline=inline,
        lost=lost,
    )


def session_setting(
    document: Document, language: str, plan: RunSettings, sandbox: Sandbox, folder: Path
) -> Setting:
    """The setting of one language's session, for those who evaluate code of their own in one.

    Parameters
    ----------
    document : Document
        Whose code it will be.
    language : str
        ``python``, ``r`` or ``julia``.
    plan : Plan
        Its mode, limits and stand-ins.
    sandbox : Sandbox
        From `find_sandbox`.
    folder : Path
        An existing folder, for the data that the document holds.
    """
    return _setting(document, language, plan, sandbox, files_beside(document, folder, plan.roots))


class _Track:
    """One session's chunks."""

    def __init__(
        self,
        document: Document,
        language: str,
        track: str,
        plan: RunSettings,
        registry: Registry,
        time_lost: TimeLost,
    ) -> None:
        self._document = document
        self._language = language
        self._track = track
        self._plan = plan
        self._registry = registry
        self._stand_ins = {stand_in.name: stand_in for stand_in in stand_ins(language)}
        self.result = TrackRun(language=language, track=track)
        self.captured: dict[str, Captured] = {}
        self.inline: dict[int, str] = {}
        self.lost: Lost = {}
        self._time_lost = time_lost

    def all(self, chunks: Sequence[Chunk], setting: Setting) -> list[ChunkRun]:
        """Run the chunks, and capture what is asked for."""
        if self._language not in RUNTIMES:
            return [self._skip(chunk, f"no engine runs {self._language}") for chunk in chunks]
        runtime = RUNTIMES[self._language]
        launch = self._registry.session(runtime)
        missing = launch.reason if isinstance(launch, Absent) else ""
        due = [self._why_not(chunk) for chunk in chunks]
        if missing or all(due):
            self._update(missing=missing)
            return self._none(chunks, [missing or why for why in due])
        assert not isinstance(launch, Absent)
        begun = time.perf_counter()
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
                runs = [self._one(chunk, why, session) for chunk, why in zip(chunks, due, strict=True)]
                for capture in self._captures(None):
                    self._capture(capture, session, runs[-1])
                self._update(ended=session.ended)
                self.lost = session.lost
                return runs
        except (WorkerError, ImplementationError) as error:
            self._update(missing=error.message)
            return self._none(chunks, [error.message] * len(chunks))

    def _one(self, chunk: Chunk, why: str, session: LastingSession) -> ChunkRun:
        if not why and session.ended:
            why = f"the session had ended: {session.ended}"
        if why:
            run = self._skip(chunk, why)
        else:
            code, patched = apply_patches(self._document, chunk, self._plan.patches)
            cell = f"#{chunk.cell}" if chunk.cell else ""
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


def _setting(
    document: Document, language: str, plan: RunSettings, sandbox: Sandbox, given: FilesGiven
) -> Setting:
    used = [stand_in.name for stand_in in _stand_ins_in(document, language)]
    return Setting(
        sandbox=sandbox,
        limits=plan.limits,
        mode=plan.mode,
        show=_show(document, language),
        stand_ins=tuple(used) if plan.stand_ins else (),
        files=given.files,
        place=given.place,
        glove=plan.glove,
        packages={"python": plan.packages, "r": plan.r_library}.get(language),
        packages_in="R_LIBS" if language == "r" else "PYTHONPATH",
        env=PLAIN_KERNELS if plan.plain_kernels else {},
        stop=plan.stop,
    )


def _show(document: Document, language: str) -> Show:
    """Whether the value of each expression is shown, as by R and knitr, or the last, as in notebooks."""
    if language == "julia" or document.kind == "notebook":
        return "last"
    if language == "python" and document.kind == "quarto" and document.engine != "knitr":
        return "last"
    return "each"


def _stand_ins_in(document: Document, language: str) -> tuple[StandIn, ...]:
    """The stand-ins that a document's code in one language needs, if nothing better is installed."""
    code = "\n".join(chunk.code for chunk in document.chunks if chunk.language == language)
    return tuple(stand_in for stand_in in stand_ins(language) if stand_in.is_used(code))
