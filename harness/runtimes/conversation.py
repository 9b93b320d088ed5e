"""Requests to a worker and its replies; a worker that breaks the protocol or a deadline is killed."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from harness.errors import ImplementationError, WorkerCrashed, WorkerTimeout
from harness.model import Array
from harness.runtime_names import COMPILED
from harness.runtimes.child import Child, ChildEnded, Flooded
from harness.workers import protocol

if TYPE_CHECKING:
    from harness.runtimes.shared import SharedMemory

PATIENCE = 3.0
"""Seconds for a worker to say bye, and then to end."""

_LONGEST_REPORT = 40_000
_OF_MEMORY = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP")
"""What ends compiled code that reads or writes where it has nothing, or that checks itself."""
_SANITIZER = re.compile(r"^(?:SUMMARY: )?(\S+: runtime error: .*|\w+Sanitizer: .*)$", re.MULTILINE)
_FOLDERS = re.compile(r"\S*/(?=[^/\s]+:\d)")
_LONGEST_MESSAGE = 2_000
_LONGEST_DETAIL = 20_000
_LARGEST_LINE_NUMBER = 10**9


class Conversation:
    """The requests to one worker and its replies.

    Parameters
    ----------
    name : str
        The worker's, for errors.
    child : Child
        Its process.
    stderr : Path
        The file with what it prints.
    """

    def __init__(self, name: str, child: Child, stderr: Path) -> None:
        self.name = name
        self.child = child
        self.stderr = stderr
        self._in_use = threading.RLock()
        self._sent = 0
        self._printed_before = 0
        self._announced = 0
        self.shared: SharedMemory | None = None

    def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        arrays: Sequence[Array],
        seconds: float,
        doing: str,
        longest: int = protocol.LONGEST_REPLY,
        most_bytes: int = 0,
    ) -> tuple[dict[str, Any], list[Array]]:
        """Send a request and wait for its reply.

        Parameters
        ----------
        method : str
            The protocol's method.
        params : mapping of str to object
            As JSON.
        arrays : sequence of ndarray
            Sent behind it.
        seconds : float
            Until the reply must be there.
        doing : str
            What this is, in an error.
        longest : int
            Bytes that the reply's line may have.
        most_bytes : int
            Bytes that the reply's arrays may have, all together: no memory is taken for more.

        Returns
        -------
        result : dict
            The reply's.
        arrays : list of ndarray
            What came behind it.

        Raises
        ------
        ImplementationError
            The worker says that the code in it went wrong; it lives on.
        WorkerCrashed, WorkerTimeout
            The worker is dead then.
        """
        with self._in_use:
            return self._exchange(method, params, arrays, seconds, doing, longest, most_bytes)

    def _exchange(
        self,
        method: str,
        params: Mapping[str, Any],
        arrays: Sequence[Array],
        seconds: float,
        doing: str,
        longest: int,
        most_bytes: int,
    ) -> tuple[dict[str, Any], list[Array]]:
        self._sent += 1
        self._announced = self.child.filled = 0
        # What it prints while it starts belongs to its first answer.
        self._printed_before = self.child.stderr_size if self._sent > 1 else 0
        if self.child.flooded:
            # While it was idle, nobody looked.
            self._flooded(doing)
        header = {"id": self._sent, "method": method, "params": params}
        shared = self.shared
        if shared is None:
            pieces = protocol.frame(header, arrays)
        else:
            shared.begin()
            pieces = protocol.frame(header, arrays, shared.put)
        until = time.monotonic() + seconds
        try:
            self.child.write(pieces, until)
            line = self.child.read_line(longest, until)
            if not line.endswith(b"\n"):
                raise protocol.FrameError(f"a line of more than {longest} bytes: {protocol.excerpt(line)}")
            header, descriptors = protocol.parse(line, most_bytes, shared=shared is not None)
            self._announced = sum(each.nbytes for each in descriptors if each.at is None)
            take = None if shared is None else shared.take
            results = protocol.receive(descriptors, lambda view: self.child.fill(view, until), take)
        except TimeoutError as error:
            self.kill()
            message = f"worker {self.name} did not answer within {seconds:g} s: {doing}{self._last_words()}"
            raise WorkerTimeout(message, advice=self._where()) from error
        except ChildEnded as error:
            self._crashed(doing, error)
        except Flooded as error:
            self._flooded(doing, error)
        except protocol.FrameError as error:
            self.not_the_protocol(doing, str(error))
        except BaseException:
            # Interrupted within a frame: what follows cannot be parsed.
            self.kill()
            raise
        return self._checked(header, doing), results

    def _checked(self, header: Mapping[str, Any], doing: str) -> dict[str, Any]:
        self.no_other_keys(header, ("id", "result", "error"), doing)
        if header.get("id") != self._sent or type(header.get("id")) is not int:
            self.not_the_protocol(doing, f"the reply has id {header.get('id')!r:.40}, not {self._sent}")
        if "error" in header and "result" in header:
            self.not_the_protocol(doing, "there are both a result and an error")
        if "error" in header:
            error = header["error"]
            if not isinstance(error, dict):
                self.not_the_protocol(doing, "the error is not an object")
            if error.get("kind") == "protocol":
                self.not_the_protocol(doing, f"it did not understand: {error.get('message')!s:.400}")
            self.no_other_keys(error, ("kind", "message", "line", "detail"), doing)
            raise self.implementation_error(error, ("load", "call", "value", "unsupported"), doing)
        result = header.get("result")
        if not isinstance(result, dict):
            self.not_the_protocol(doing, "there is neither a result nor an error")
        return result

    def share(self, memory: SharedMemory, greeting: Mapping[str, Any]) -> None:
        """Use memory for large arrays from now on, if the worker has said in its greeting that it does."""
        facts = greeting.get("runtime")
        if isinstance(facts, dict) and facts.get("shared_memory") is True:
            self.shared = memory
        else:
            memory.close()

    def implementation_error(
        self, reply: Mapping[str, Any], kinds: tuple[str, ...], doing: str
    ) -> ImplementationError:
        """Return the error that a worker reports of its code; a reply of another kind breaks the protocol."""
        kind, message, line = reply.get("kind"), reply.get("message"), reply.get("line")
        detail = reply.get("detail", "")
        if kind not in kinds or not isinstance(message, str) or not isinstance(detail, str):
            self.not_the_protocol(doing, f"its error has kind {kind!r:.40} and message {message!r:.80}")
        return ImplementationError(
            printable(message)[:_LONGEST_MESSAGE],
            kind=str(kind),
            line=line if type(line) is int and 0 < line < _LARGEST_LINE_NUMBER else None,
            detail=printable(detail)[-_LONGEST_DETAIL:],
        )

    def no_other_keys(self, reply: Mapping[str, Any], known: Collection[str], doing: str) -> None:
        """Kill a worker whose reply has a key that the protocol does not: a misspelt one would be lost."""
        unknown = [key for key in reply if key not in known]
        if unknown:
            self.not_the_protocol(doing, f"unknown key {unknown[0]!r:.80}")

    def kill(self) -> None:
        """Kill the process now, and all that it has started."""
        if not self.child.ended:
            self.child.note_descendants()
            self.child.signal(signal.SIGKILL)
            self.child.wait(PATIENCE)
        # Wait for a call in another thread, which ends now that the process is dead.
        with self._in_use:
            self.child.close()
            if self.shared is not None:
                self.shared.close()

    def not_the_protocol(self, doing: str, what: str) -> NoReturn:
        """Kill a worker whose reply is not what the protocol says."""
        words = self._last_words()
        self.kill()
        message = f"the worker's reply is not the protocol: {self.name}, {doing}: {printable(what)}{words}"
        raise WorkerCrashed(message, advice=self._where())

    def _crashed(self, doing: str, cause: Exception) -> NoReturn:
        # The pipe closes shortly before the process ends, and its exit code says more.
        ended = self.child.wait(PATIENCE)
        self.kill()
        how = how_it_ended(self.child.process.returncode) if ended else "closed its pipes"
        if self.name.partition("-")[0] in COMPILED and how.endswith(_OF_MEMORY):
            how += _where_it_is_told()
        raise WorkerCrashed(
            f"worker {self.name} {how}: {doing}{self._last_words()}", advice=self._where()
        ) from cause

    def _flooded(self, doing: str, cause: Exception | None = None) -> NoReturn:
        self.kill()
        message = f"worker {self.name} prints without end: {doing}"
        raise WorkerCrashed(message, advice=self._where()) from cause

    def _too_few(self) -> str:
        """What a reply lacks whose line has come, and its arrays only in part."""
        came = self.child.filled
        if came >= self._announced:
            return ""
        return f"; its reply announces {self._announced:,} bytes of arrays, of which {came:,} came"

    def _last_words(self) -> str:
        return self._too_few() + self._printed_last()

    def _printed_last(self) -> str:
        # What was printed in earlier calls may be of another case.
        printed = self.child.stderr_tail(_LONGEST_REPORT, since=self._printed_before)
        if found := _SANITIZER.search(printed):
            # A long report of a few words; what was printed last are bytes of memory.
            return f"; {printable(_FOLDERS.sub('', found[1]))[:400]}"
        printed = printed[-2000:]
        lines = [line.strip() for line in printed.splitlines() if line.strip()]
        return f"; it last printed: {printable(' | '.join(lines[-3:]))[-400:]}" if lines else ""

    def _where(self) -> str:
        return f"all that it printed is in {self.stderr}"


def _where_it_is_told() -> str:
    # It needs NumPy, and sessions have none.
    from harness.workers.compiler import SANITIZE

    return "" if os.environ.get(SANITIZE) else " (--sanitize says in which line)"


def how_it_ended(code: int | None) -> str:
    """The end of a process, in words."""
    if code is not None and code < 0:
        try:
            return f"was killed by {signal.Signals(-code).name}"
        except ValueError:
            return f"was killed by signal {-code}"
    return f"ended with exit code {code}"


def printable(text: str) -> str:
    """Return a worker's text without lone surrogates, which cannot be encoded."""
    return text.encode("utf-8", "replace").decode()
