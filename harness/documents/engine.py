"""Running a document: one session for each language, chunk after chunk, in document order."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import msgspec

from harness.documents.crossing import values_cross
from harness.documents.given_files import FilesGiven, files_beside
from harness.documents.model import Document
from harness.documents.patch import Capture, Patch
from harness.documents.results import Captured, ChunkRun, Execution, LostIn, TrackRun
from harness.documents.shared_variables import SharedVariables, variables_cross
from harness.documents.track import Track
from harness.documents.tracks import is_script, sessions_of
from harness.runtimes.registry import Registry
from harness.sessions.kernels import PLAIN_KERNELS
from harness.sessions.lasting_session import LastingSession, Lost, TimeLost
from harness.sessions.sandbox import Limits, Sandbox
from harness.sessions.sandboxed_session import Setting
from harness.sessions.session import Semantics, Show
from harness.sessions.stand_ins import StandIn, stand_ins
from harness.sessions.trust import requires_trust
from harness.store.temporary import temporary_folder


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
        running: dict[str, LastingSession] = {}
        shared = SharedVariables() if variables_cross(document) else None
        runs: list[tuple[Track, Iterator[ChunkRun]]] = []
        for language, track, mine in sessions_of(document):
            setting = _setting(document, language, plan, sandbox, files)
            if is_script(mine[0]):
                run = Track(document, language, track, plan, registry, time_lost, {})
                # Rscript prints the value of each expression, as a prompt does; others print none.
                setting = setting if language == "r" else msgspec.structs.replace(setting, mode="script")
            else:
                run = Track(document, language, track, plan, registry, time_lost, running, shared)
            runs.append((run, run.all(mine, setting)))
        with contextlib.ExitStack() as open_runs:
            for _, steps in runs:
                open_runs.callback(_close, steps)
            if shared is not None or values_cross(document):
                by_language = {run.language: steps for run, steps in runs}
                for chunk in document.chunks:
                    chunks.append(next(by_language[chunk.language]))
            for run, steps in runs:
                chunks += steps
                tracks.append(run.result)
                captured |= run.captured
                inline |= run.inline
                lost[run.language, run.track] = run.lost
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


def _close(steps: Iterator[ChunkRun]) -> None:
    """End a session whose chunks were not all run."""
    if isinstance(steps, Generator):
        steps.close()


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
    notebook = document.kind == "notebook" or document.engine == "jupyter"
    # R's kernel shows each; a cell that Python's kernel hands to R is one expression to it.
    if language == "r" and notebook and all(chunk.language == "r" for chunk in document.chunks):
        return "each"
    if language == "julia" or notebook:
        return "last"
    if language == "python" and document.kind == "quarto" and document.engine != "knitr":
        return "last"
    return "each"


def _stand_ins_in(document: Document, language: str) -> tuple[StandIn, ...]:
    """The stand-ins that a document's code in one language needs, if nothing better is installed."""
    code = "\n".join(chunk.code for chunk in document.chunks if chunk.language == language)
    return tuple(stand_in for stand_in in stand_ins(language) if stand_in.is_used(code))
