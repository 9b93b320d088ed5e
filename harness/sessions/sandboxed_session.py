"""One session in its sandbox: it starts, evaluates, and says why it ended."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from harness.errors import WorkerCrashed, WorkerError, WorkerTimeout
from harness.model import Array, RuntimeInfo
from harness.runtimes.registry import Launch
from harness.sessions import bubblewrap
from harness.sessions.control_group import ControlGroup
from harness.sessions.own_packages import with_packages
from harness.sessions.sandbox import Limits, Sandbox, enclose
from harness.sessions.scratch import make_scratch_dirs
from harness.sessions.session import CodeError, Evaluated, Semantics, Session, Show
from harness.sessions.watch import Watch, too_much_memory
from harness.store.temporary import temporary_folder

_START_DEADLINE = 120.0


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """How sessions are run: in which sandbox, within which limits, with what to read.

    ``files`` appear in the scratch folder by their names, as seen from ``place`` in it, where the code runs;
    ``glove`` has the word vectors for a stand-in; ``packages`` has packages of the document's own, and
    ``packages_in`` is the variable that names their folder;
    ``env`` is added to the environment; ``stop`` ends the session, once it is set.
    """

    sandbox: Sandbox
    limits: Limits = Limits()
    mode: Semantics = "prompt"
    show: Show = "each"
    stand_ins: tuple[str, ...] = ()
    files: Mapping[str, Path] = {}
    place: str = ""
    glove: Path | None = None
    packages: Path | None = None
    packages_in: str = "PYTHONPATH"
    env: Mapping[str, str] = {}
    stop: threading.Event = msgspec.field(default_factory=threading.Event)


class SandboxedSession:
    """A context in which a session runs.

    Parameters
    ----------
    runtime : str
        The runtime's id.
    launch : Launch
        From `Registry.session`.
    setting : Setting
        How it is run.

    Raises
    ------
    WorkerStartFailed, WorkerTimeout, WorkerCrashed, ImplementationError
        On entering, if it cannot be started.
    UsageError
        On entering, if the sandbox confines nothing, and nobody has said that it need not.
    """

    def __init__(self, runtime: str, launch: Launch, setting: Setting) -> None:
        self._runtime = runtime
        self._launch = launch
        self._setting = setting
        self.stand_ins: Mapping[str, str] = {}
        self.ended = ""
        self.as_root = ""

    def __enter__(self) -> Self:
        setting = self._setting
        if setting.stop.is_set():
            raise WorkerCrashed("the run was stopped")
        self._scratch = contextlib.ExitStack()
        folder = self._scratch.enter_context(temporary_folder())
        launch = Launch(command=self._launch.command, env={**self._launch.env, **setting.env})
        readable = []
        if setting.glove is not None:
            glove = setting.glove.resolve()
            launch = Launch(command=launch.command, env={**launch.env, "HARNESS_GLOVE": str(glove)})
            readable.append(glove)
        if setting.packages is not None:
            launch = with_packages(launch, setting.packages, setting.packages_in)
            readable.append(setting.packages.resolve())
        room = make_scratch_dirs(folder / "room", setting.files, readable, place=setting.place)
        folder.chmod(0o711)
        self._group = None
        try:
            inside, self.as_root = enclose(setting.sandbox, launch, room, setting.limits)
            self._group = ControlGroup.make(setting.limits.memory)
            if self._group is not None:
                inside = self._group.around(inside)
            self._session = Session.start(
                self._runtime, inside, stderr=folder / "stderr", deadline=_START_DEADLINE
            )
        except BaseException:
            self._tidy_up()
            raise
        confined = setting.sandbox.kind == "bubblewrap"
        self._watch = Watch(
            self._session,
            setting.limits,
            setting.stop,
            folder=None if confined else room.scratch,
            in_memory=(Path("/tmp"), bubblewrap.INSIDE) if confined else (),
        )
        self._session.most_array_bytes = setting.limits.array_bytes
        try:
            self.stand_ins = self._session.open(
                room.pipes,
                mode=setting.mode,
                show=setting.show,
                stand_ins=setting.stand_ins,
                keep=setting.limits.text_bytes,
                deadline=_START_DEADLINE,
            )
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._watch.close()
        self._session.close()
        self._tidy_up()

    def _tidy_up(self) -> None:
        if self._group is not None:
            self._group.close()
        self._scratch.close()

    @property
    def info(self) -> RuntimeInfo:
        """The worker's description of its runtime."""
        return self._session.info

    def eval(
        self, code: str, *, file: str, line: int, keep_going: bool = False, seconds: float | None = None
    ) -> Evaluated:
        """Evaluate code; where the session ends of it, ``ended`` says why, and so does the error.

        Parameters
        ----------
        code : str
            One or more statements.
        file : str
            What the file is called in messages.
        line : int
            Where in it the code begins.
        keep_going : bool
            Whether statements that follow one that fails are evaluated.
        seconds : float, optional
            Time for it, where it is not that of the limits.
        """
        limit = self._setting.limits.chunk_seconds if seconds is None else seconds
        try:
            return self._session.eval(code, file=file, line=line, keep_going=keep_going, deadline=limit)
        except WorkerTimeout:
            kind, self.ended = "time", f"it did not end within {limit:g} s"
        except WorkerError as error:
            kind, self.ended = "ended", self._how(error)
        first, last = self._session.reached() or (None, None)
        text, messages, cut = self._session.printed()
        error_left = CodeError(message=f"stopped: {self.ended}", kind=kind, line=first, end=last)
        return Evaluated(text=text, messages=messages, cut=cut, error=error_left)

    def get(self, expressions: Sequence[str]) -> list[Array | str]:
        """Values of expressions; a text says why one is none."""
        if self.ended:
            return [f"the session ended: {self.ended}"] * len(expressions)
        try:
            return self._session.get(expressions, deadline=self._setting.limits.chunk_seconds)
        except WorkerError as error:
            self.ended = self._how(error)
            return [f"the session ended: {self.ended}"] * len(expressions)

    def _how(self, error: WorkerError) -> str:
        if self._group is not None and self._group.exceeded:
            return too_much_memory(self._setting.limits)
        return self._watch.reason or error.message.partition("; it last printed")[0]
