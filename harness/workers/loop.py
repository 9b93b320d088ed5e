"""The child side of the protocol: read a request, call the host, write the reply."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, Protocol, runtime_checkable

from harness.workers import lines
from harness.workers.lines import Descriptor, FrameError

# With NumPy, which a session of R begins without: they are imported where there are arrays.
if TYPE_CHECKING:
    from harness.workers.protocol import Array
    from harness.workers.shared import SharedMemory

_LONGEST_MESSAGE = 2_000
_LONGEST_DETAIL = 20_000


class WorkerFault(Exception):
    """An error reply: ``kind`` is one of ``load``, ``call``, ``value``, ``unsupported`` and ``protocol``."""

    def __init__(self, kind: str, message: str, *, line: int | None = None, detail: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.message = " ".join(message.split())[:_LONGEST_MESSAGE] or "no message"
        self.line = line
        self.detail = detail[-_LONGEST_DETAIL:]


Problem = dict[str, Any]
"""Why a stage cannot be called: ``stage``, ``kind``, ``message`` and, where known, ``line``."""


Signatures = Mapping[str, Mapping[str, Any]]
"""How stages are called whose function is called otherwise, or does not take and return plain arrays."""


class Host(Protocol):
    """The interface of a host: one language in this process.

    An array of a call is None where the sample leaves an optional input out.
    """

    def describe(self) -> dict[str, Any]:
        """What ``hello`` says of the runtime."""

    def load(
        self, source: str, stages: Mapping[str, int], signatures: Signatures
    ) -> tuple[Any, list[Problem]]:
        """Evaluate a file; return what `call` needs of it, and the stages that cannot be called."""

    def call(
        self, loaded: Any, stage: str, arrays: list[Array], names: Sequence[str]
    ) -> tuple[float, Sequence[Array]]:
        """Call one stage; return the seconds it took and its arrays, one for each name, in their order."""

    def close(self) -> None:
        """Tidy up before the process ends."""


@runtime_checkable
class Oracle(Host, Protocol):
    """A host that computes true values."""

    def truth(
        self, loaded: Any, params: Mapping[str, Any], arrays: list[Array]
    ) -> tuple[dict[str, Any], Sequence[Array]]:
        """True values of stages, and how far a computation may be off."""


@runtime_checkable
class Batching(Host, Protocol):
    """A host that calls a stage for each of many inputs."""

    def calls(
        self, loaded: Any, stage: str, stacks: list[Array], names: Sequence[str], count: int
    ) -> tuple[float, Sequence[Array], list[int]]:
        """Call one stage ``count`` times; inputs and results lie along a first dimension.

        The places of inputs whose result is not among the arrays come with them: see `batches.each`.
        """


@runtime_checkable
class Droppable(Protocol):
    """A loaded file that holds more than its own memory."""

    def drop(self) -> None:
        """Let go of it: the file is not called again."""


@runtime_checkable
class InPrecision(Host, Protocol):
    """A host to which it matters in which precision a file's stages are going to be called."""

    def load_in(
        self, precision: str, source: str, stages: Mapping[str, int], signatures: Signatures
    ) -> tuple[Any, list[Problem]]:
        """As `Host.load`, in one of the float formats that ``hello`` has told."""


class _Session:
    """The host and the files that it has loaded."""

    def __init__(self, start: Callable[[], Host]) -> None:
        self._start = start
        self._host: Host | None = None
        self._files: dict[str, Any] = {}
        self._loaded = 0
        self.shared: SharedMemory | None = None

    def answer(
        self, method: object, params: Mapping[str, Any], arrays: list[Array]
    ) -> tuple[dict[str, Any], Sequence[Array]]:
        if method == "hello":
            return {"protocol": lines.VERSION, "runtime": self._greet(params)}, ()
        if method == "bye":
            return {}, ()
        if self._host is None:
            raise WorkerFault("protocol", "hello comes first")
        if method == "load":
            self._drop(params.get("drop", ()))
            signatures = dict(params.get("signatures", {}))
            source, stages = str(params["source"]), dict(params["stages"])
            if "precision" in params and isinstance(self._host, InPrecision):
                precision = str(params["precision"])
                loaded, problems = self._host.load_in(precision, source, stages, signatures)
            else:
                loaded, problems = self._host.load(source, stages, signatures)
            self._loaded += 1
            handle = f"h{self._loaded}"
            self._files[handle] = loaded
            return {"handle": handle, "problems": problems}, ()
        if method in ("call", "truth"):
            if params["handle"] not in self._files:
                raise WorkerFault("protocol", f"unknown handle {params['handle']!r}")
            loaded = self._files[params["handle"]]
            if method == "truth":
                if not isinstance(self._host, Oracle):
                    raise WorkerFault("protocol", "this worker is no oracle")
                return self._host.truth(loaded, params, arrays)
            names = params.get("names") or [""] * int(params["outputs"])
            given: list[Any] = list(arrays)
            for place in params.get("absent", ()):
                given.insert(place, None)
            if "batch" in params:
                if not isinstance(self._host, Batching):
                    raise WorkerFault("protocol", "this worker takes one input at a time")
                seconds, results, others = self._host.calls(
                    loaded, params["stage"], given, names, int(params["batch"])
                )
                return {"seconds": seconds, "others": others}, results
            seconds, results = self._host.call(loaded, params["stage"], given, names)
            if isinstance(results, (list, tuple)) and len(results) != len(names):
                asked = f"{params['stage']} has {len(results)} arrays, and {len(names)} are asked for"
                raise WorkerFault("value", asked)
            return {"seconds": seconds}, results
        if method in ("open", "eval", "get") and hasattr(self._host, "answer"):
            # A host of a session: sessions.py.
            result, results = self._host.answer(method, params)
            return result, results
        raise WorkerFault("protocol", f"unknown method {method!r:.80}")

    def close(self) -> None:
        if self._host is not None:
            self._host.close()

    def _drop(self, handles: Sequence[str]) -> None:
        """Forget files, so that memory does not grow with those that were loaded."""
        for handle in handles:
            loaded = self._files.pop(handle, None)
            if isinstance(loaded, Droppable):
                loaded.drop()

    def _greet(self, params: Mapping[str, Any]) -> dict[str, Any]:
        if params.get("protocol") != lines.VERSION:
            raise WorkerFault("protocol", f"this worker speaks version {lines.VERSION} of the protocol")
        if self._host is None:
            self._host = self._start()
        facts = self._host.describe()
        if "shared_memory" in params:
            from harness.workers.shared import SharedMemory

            with contextlib.suppress(OSError, TypeError):
                self.shared = SharedMemory(params["shared_memory"])
                facts["shared_memory"] = True
        return facts

    def take(self, descriptor: Descriptor) -> Array:
        """The bytes of an array that lies in shared memory: a copy, where the host makes none itself."""
        if self.shared is None:
            raise FrameError("there is no shared memory")
        copies = getattr(self._host, "copies_arrays", False)
        return self.shared.look(descriptor) if copies else self.shared.take(descriptor)


def serve(requests: BinaryIO, replies: BinaryIO, start: Callable[[], Host]) -> None:
    """Answer requests until ``bye`` or the end of input.

    Parameters
    ----------
    requests, replies : binary file
        The private ends of the pipes.
    start : callable
        Loads the language; called at ``hello``, so that a failure is told.
    """
    session = _Session(start)
    process = os.getpid()
    while line := requests.readline(lines.LONGEST_LINE):
        header, descriptors = lines.parse(line, shared=True)
        pieces = _reply(session, header, _received(requests, descriptors, session.take))
        if os.getpid() != process:
            # The code that was called has forked, and this is the copy: only one process may answer.
            leave()
        # What a call printed without a line break must not appear among what the next one prints.
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        replies.writelines(pieces)
        replies.flush()
        # The next request may be large as well.
        del pieces
        if header.get("method") == "bye":
            break
    session.close()


def _reply(session: _Session, header: Mapping[str, Any], arrays: list[Array]) -> list[bytes | memoryview]:
    identity = header.get("id")
    try:
        result, results = session.answer(header.get("method"), header.get("params", {}), arrays)
        if session.shared is None or not results:
            return frame({"id": identity, "result": result}, results)
        session.shared.begin()
        return frame({"id": identity, "result": result}, results, session.shared.put)
    except Exception as error:
        return frame({"id": identity, "error": _as_reply(error)})


def frame(header: Mapping[str, Any], arrays: Sequence[Array] = (), *put: Any) -> list[bytes | memoryview]:
    """Bytes of one frame, as `protocol.frame` makes them."""
    if not len(arrays):
        return [lines.line_of(header)]
    from harness.workers import protocol

    return protocol.frame(header, arrays, *put)


def _as_reply(error: Exception) -> dict[str, Any]:
    if not isinstance(error, WorkerFault):
        # An error in the request (a key that is missing), or in this worker.
        traceback.print_exception(error)
        error = WorkerFault("protocol", f"{type(error).__name__}: {error}")
    reply: dict[str, Any] = {"kind": error.kind, "message": error.message}
    if error.line is not None:
        reply["line"] = error.line
    if error.detail:
        reply["detail"] = error.detail
    return reply


def _received(
    requests: BinaryIO, descriptors: list[Descriptor], take: Callable[[Descriptor], Array]
) -> list[Array]:
    """The arrays that a line announced."""
    if not descriptors:
        return []
    from harness.workers.protocol import receive

    return receive(descriptors, lambda view: _fill(requests, view), take)


def _fill(requests: BinaryIO, view: memoryview) -> None:
    while view:
        count = requests.readinto(view)  # type: ignore[attr-defined]
        if not count:
            raise FrameError("the input ended within an array")
        view = view[count:]


def leave() -> NoReturn:
    """End the process: no thread, finalizer or embedded interpreter can keep it alive."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
