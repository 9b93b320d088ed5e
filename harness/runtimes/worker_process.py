"""A worker's process: it is started, greeted, stopped and killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from harness.errors import ImplementationError, WorkerError, WorkerStartFailed, WorkerTimeout
from harness.model import RuntimeInfo
from harness.runtimes import replies
from harness.runtimes.child import LOCALE, PINNED_THREADS, Child
from harness.runtimes.conversation import PATIENCE, Conversation, how_it_ended
from harness.runtimes.registry import Launch
from harness.workers import protocol

if TYPE_CHECKING:
    from harness.runtimes.shared import SharedMemory


class WorkerProcess:
    """A child process that speaks the workers' protocol, from its start to its end."""

    may_share_memory = True
    """Whether it is offered memory for large arrays."""

    def __init__(self, spec_id: str, child: Child, stderr: Path) -> None:
        self._child = child
        self._talk = Conversation(spec_id, child, stderr)
        self._info: RuntimeInfo | None = None
        self._begun = time.monotonic()
        self.start_seconds = 0.0
        self.scalars = True
        self.vectors = True
        self.signatures = False
        self.batches = False

    @classmethod
    def start(cls, spec_id: str, launch: Launch, *, stderr: Path, deadline: float = 60.0) -> Self:
        """`spawn` a worker and `greet` it; parameters and errors are theirs."""
        worker = cls.spawn(spec_id, launch, stderr=stderr)
        worker.greet(deadline)
        return worker

    @classmethod
    def spawn(cls, spec_id: str, launch: Launch, *, stderr: Path, scratch: Path | None = None) -> Self:
        """Start a worker's process, which may be killed from now on.

        Parameters
        ----------
        spec_id : str
            The runtime's id.
        launch : Launch
            From `Registry.launch`.
        stderr : Path
            File for what the worker prints; written anew, its folder must exist.
        scratch : Path, optional
            The folder for its temporary files.

        Raises
        ------
        WorkerStartFailed
            It cannot be started.
        """
        temporary = {} if scratch is None else dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))
        env = {**os.environ, **PINNED_THREADS, **LOCALE, **temporary, **launch.env}
        try:
            child = Child(launch.command, env, stderr)
        except (OSError, ValueError) as error:
            raise WorkerStartFailed(f"worker {spec_id} cannot be started: {error}") from error
        return cls(spec_id, child, stderr)

    def greet(self, deadline: float = 60.0) -> None:
        """Say hello; the worker is dead if this raises.

        Parameters
        ----------
        deadline : float
            Seconds until it must have answered.

        Raises
        ------
        WorkerStartFailed
            It ends, or does not answer as a worker does.
        WorkerTimeout
            It does not answer in time.
        """
        try:
            params: dict[str, Any] = {"protocol": protocol.VERSION}
            shared = _shared_memory() if self.may_share_memory else None
            if shared is not None:
                params["shared_memory"] = shared.path
            result, _ = self._talk.ask("hello", params, (), deadline, "hello")
            if shared is not None:
                self._talk.share(shared, result)
            self._greeted(result)
        except WorkerTimeout:
            raise
        except (WorkerError, ImplementationError) as error:
            self.kill()
            raise WorkerStartFailed(
                f"worker {self._talk.name} did not start: {error.message}", advice=error.advice
            ) from error
        except BaseException:
            self.kill()
            raise
        self.start_seconds = time.monotonic() - self._begun

    @property
    def info(self) -> RuntimeInfo:
        """The worker's description of its runtime."""
        assert self._info is not None
        return self._info

    @property
    def alive(self) -> bool:
        """Whether its process runs."""
        return not self._child.ended

    @property
    def shares_memory(self) -> bool:
        """Whether large arrays cross in memory that both have."""
        return self._talk.shared is not None

    @property
    def ending(self) -> str:
        """How its process ended, in words."""
        return how_it_ended(self._child.process.returncode)

    @property
    def pid(self) -> int:
        """Its process, and process group."""
        return self._child.process.pid

    def stop(self, deadline: float = PATIENCE) -> None:
        """Say bye, then terminate, then kill; all that it has started is gone afterwards.

        Parameters
        ----------
        deadline : float
            Seconds until the answer must be there.

        Raises
        ------
        ImplementationError, WorkerCrashed, WorkerTimeout
            It does not answer as a worker does.
        """
        try:
            if self.alive:
                self._child.note_descendants()
                self._talk.ask("bye", {}, (), deadline, "bye")
                self._child.wait(PATIENCE)
                if self.alive:
                    self._child.signal(signal.SIGTERM)
                    self._child.wait(1.0)
        finally:
            self.kill()

    def kill(self) -> None:
        """Kill the process now, and all that it has started."""
        self._talk.kill()

    def kill_group(self) -> None:
        """Kill the whole process group, from another thread than the one that uses the worker."""
        self._child.signal(signal.SIGKILL)

    def stderr_tail(self, most: int = 4000) -> str:
        """Return the end of what the worker, and the code in it, printed."""
        return self._child.stderr_tail(most)

    def _greeted(self, result: Mapping[str, Any]) -> None:
        said = replies.greeting(self._talk, result)
        self._info, self.scalars, self.vectors = said.info, said.scalars, said.vectors
        self.signatures, self.batches = said.signatures, said.batches


def _shared_memory() -> SharedMemory | None:
    # It needs NumPy, and sessions share none.
    from harness.runtimes.shared import SharedMemory

    return SharedMemory.where_possible()
