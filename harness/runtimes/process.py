"""The parent side of the worker protocol: ask a worker with a deadline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import ImplementationError
from harness.model import Array
from harness.runtimes import replies
from harness.runtimes.child import Child
from harness.runtimes.replies import Loaded
from harness.runtimes.worker_process import WorkerProcess
from harness.workers import protocol


class Worker(WorkerProcess):
    """A child process that hosts one runtime. Made by `Worker.start`.

    One thread at a time talks to it; any other may kill it meanwhile, and the call then ends as a crash.
    """

    def __init__(self, spec_id: str, child: Child, stderr: Path) -> None:
        super().__init__(spec_id, child, stderr)
        self._paths: dict[str, Path] = {}
        self._done: list[str] = []

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
        import numpy as np

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
