"""The parent side of the worker protocol: start a worker, ask it with a deadline, stop it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from harness.errors import ImplementationError, WorkerError, WorkerStartFailed, WorkerTimeout
from harness.model import Array, RuntimeInfo
from harness.runtimes import replies
from harness.runtimes.child import LOCALE, PINNED_THREADS, Child
from harness.runtimes.conversation import PATIENCE, Conversation, how_it_ended
from harness.runtimes.registry import Launch
from harness.runtimes.replies import Loaded
from harness.runtimes.shared import SharedMemory
from harness.workers import protocol


class Worker:
    """A child process that hosts one runtime. Made by `Worker.start`.

    One thread at a time talks to it; any other may kill it meanwhile, and the call then ends as a crash.
    """

    may_share_memory = True
    """Whether it is offered memory for large arrays."""

    def __init__(self, spec_id: str, child: Child, stderr: Path) -> None:
        self._child = child
        self._talk = Conversation(spec_id, child, stderr)
        self._paths: dict[str, Path] = {}
        self._done: list[str] = []
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
            shared = SharedMemory.where_possible() if self.may_share_memory else None
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

    def load(
        self,
        path: Path,
        stages: Mapping[str, int],
        *,
        deadline: float,
        signatures: Mapping[str, Mapping[str, Any]] | None = None,
        precision: str = "",
    ) -> Loaded:
        """Have a file evaluated and its functions looked up.

        Parameters
        ----------
        path : Path
            The source file.
        stages : mapping of str to int
            How many arguments each stage's function is given.
        deadline : float
            Seconds until the answer must be there.
        signatures : mapping, optional
            By stage, what is called, and what it takes and returns, where that is not a function of the
            stage's name, of plain arrays.
        precision : str, optional
            In which float format the stages are going to be called.

        Returns
        -------
        Loaded
            ``problems`` has an `ImplementationError` of kind ``missing``, ``arity`` or ``unsupported`` for
            each stage that cannot be called.

        Raises
        ------
        ImplementationError
            Kind ``load``: the file as a whole cannot be evaluated; ``unsupported``: not in this precision.
        WorkerCrashed, WorkerTimeout
            The worker is dead then.
        """
        source = path.resolve()
        params: dict[str, Any] = {"source": str(source), "stages": dict(stages)}
        if signatures:
            params["signatures"] = dict(signatures)
        if precision:
            params["precision"] = precision
        if self._done:
            params["drop"], self._done = self._done, []
        try:
            result, _ = self._talk.ask("load", params, (), deadline, f"load of {path.name}")
        except ImplementationError as error:
            error.path = path
            raise
        found = replies.loaded(self._talk, result, stages, path)
        self._paths[found.handle] = path
        return found

    def release(self, handle: str) -> None:
        """Let the worker forget a file that is not called again, when the next one is loaded."""
        if self._paths.pop(handle, None) is not None:
            self._done.append(handle)

    def call(
        self,
        handle: str,
        stage: str,
        inputs: Sequence[Array],
        *,
        outputs: int,
        deadline: float,
        names: Sequence[str] = (),
        absent: Sequence[int] = (),
    ) -> tuple[list[Array], float]:
        """Call one stage.

        Parameters
        ----------
        handle : str
            From `load`.
        stage : str
            The function's name.
        inputs : sequence of ndarray
            Its arguments.
        outputs : int
            How many arrays it must return.
        deadline : float
            Seconds until the answer must be there.
        names : sequence of str, optional
            The names of the arrays, which a value that names what it has is searched for.
        absent : sequence of int, optional
            The places among all arguments of those that ``inputs`` leaves out, in ascending order.

        Returns
        -------
        arrays : list of ndarray
            As many as ``outputs``.
        seconds : float
            Time in the function alone.

        Raises
        ------
        ImplementationError
            Kind ``call`` or ``value``; the worker lives on.
        WorkerCrashed, WorkerTimeout
            The worker is dead then.
        """
        params: dict[str, Any] = {"names": list(names)}
        if absent:
            params["absent"] = list(absent)
        arrays, seconds, _ = self._call(handle, stage, inputs, outputs, deadline, params)
        return arrays, seconds

    def calls(
        self,
        handle: str,
        stage: str,
        stacks: Sequence[Array],
        count: int,
        *,
        names: Sequence[str],
        deadline: float,
    ) -> tuple[list[Array], list[int], float]:
        """Call one stage for each of many inputs; only a worker with `batches` takes them.

        Parameters
        ----------
        handle, stage, names, deadline
            As in `call`; the deadline is that of all.
        stacks : sequence of ndarray
            The arguments, each with one more dimension, the first, of ``count`` inputs.

        Returns
        -------
        arrays : list of ndarray
            One for each name, with the results along a first dimension; no elements where no call gave one.
        others : list of int
            The places of inputs that gave none, or one of another shape or dtype than most.
        seconds : float
            Time in all calls.

        Raises
        ------
        ImplementationError
            No input can be passed on.
        WorkerCrashed, WorkerTimeout
            The worker is dead then.
        """
        params = {"names": list(names), "batch": count}
        arrays, seconds, others = self._call(handle, stage, stacks, len(names), deadline, params)
        replies.check_others(self._talk, others, arrays, count, f"calls of {stage}")
        return arrays, others, seconds

    def _call(
        self,
        handle: str,
        stage: str,
        inputs: Sequence[Array],
        outputs: int,
        deadline: float,
        params: dict[str, Any],
    ) -> tuple[list[Array], float, Any]:
        params |= {"handle": handle, "stage": stage, "outputs": outputs}
        # Workers may send column-major arrays, but need not be able to read them.
        rows = [np.asarray(array, order="C") for array in inputs]
        try:
            result, arrays = self._talk.ask(
                "call", params, rows, deadline, f"call of {stage}", most_bytes=protocol.LARGEST_REPLY
            )
        except ImplementationError as error:
            error.path = self._paths.get(handle)
            raise
        known = ("seconds", "others") if "batch" in params else ("seconds",)
        self._talk.no_other_keys(result, known, f"call of {stage}")
        seconds = replies.seconds(self._talk, result, f"call of {stage}")
        if len(arrays) != outputs:
            self._talk.not_the_protocol(
                f"call of {stage}", f"{outputs} arrays are expected, and {len(arrays)} came"
            )
        return arrays, seconds, result.get("others")

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
