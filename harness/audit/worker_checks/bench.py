"""One worker that is being checked: started when a check needs it, and anew after one that killed it."""

from __future__ import annotations

import contextlib
import enum
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from harness.audit.worker_checks.declared import DeclaredSource
from harness.audit.worker_checks.ends import NotOffered, Wrong, wrong
from harness.errors import ImplementationError, WorkerError
from harness.model import Array, Frozen
from harness.runtimes.child import ChildEnded, Flooded
from harness.runtimes.process import Worker
from harness.runtimes.registry import Launch
from harness.runtimes.replies import Loaded
from harness.workers import protocol

START = 180.0
"""Seconds for the answer to ``hello``, as in a run."""
HINT = 5.0
"""Seconds without an answer after which it is said what may be the matter."""
AT_ONCE = 15.0
"""Seconds in which a worker answers ``bye``, or sees the end of its input; fewer with less patience."""
OF_STARTS = 5
"""How many times its own start it has for that, where that is longer."""

FUNCTIONS: Mapping[str, int] = {
    "same": 1, "corner": 1, "two": 2, "constant": 0, "boom": 1, "text": 1, "noise": 1, "sleeps": 1,
    "hangs": 1,
}  # fmt: skip
"""What a source file for the checks has, and how many arguments each takes."""
MORE: Mapping[str, int] = {"void": 1, "named": 1, "reads": 1, "picky": 1, "defaulted": 2}
"""What it may have: a check whose function is not there is not made."""
DECLARED = ("same", "corner", "two", "constant", "hangs")
"""What it has to have where a case.toml declares its functions: its language may have no text, no errors."""


class Outcome(enum.StrEnum):
    """How a check ended."""

    PASS = "pass"
    FAIL = "fail"
    NOT_OFFERED = "not offered"


class Finding(Frozen, frozen=True, kw_only=True):
    """What a check found: ``section`` is a heading of docs/protocol.md, ``got`` what the worker did."""

    check: str
    section: str
    outcome: Outcome
    got: str = ""


class Check(msgspec.Struct, frozen=True):
    """One check: what it is called, the section that it is of, and what is done; it may return a remark."""

    name: str
    section: str
    run: Callable[[Bench], str | None]


class Probe(Worker):
    """A worker that can be sent any bytes."""

    at_once = AT_ONCE

    def send(self, data: bytes, seconds: float = 0.0) -> None:
        """Write bytes as they are."""
        self._child.write([data], time.monotonic() + (seconds or self.at_once))

    def line(self, seconds: float = 0.0) -> bytes:
        """Read a line of a reply."""
        return self._child.read_line(protocol.LONGEST_REPLY, time.monotonic() + (seconds or self.at_once))

    def fill(self, view: memoryview, seconds: float) -> None:
        """Read the bytes of an array."""
        self._child.fill(view, time.monotonic() + seconds)

    def end_input(self) -> None:
        """Close the worker's standard input."""
        self._child.end_input()

    def ends(self) -> bool:
        """Wait for the end of the process."""
        return self._child.wait(self.at_once)

    def ask(self, method: str, params: Mapping[str, Any], arrays: Sequence[Array], seconds: float) -> Any:
        """Send a request and return the reply's result; the arrays that come with it are let go."""
        most = protocol.LARGEST_REPLY
        return self._talk.ask(method, params, arrays, seconds, method, most_bytes=most)[0]


class Bench:
    """The worker under check.

    Parameters
    ----------
    launch : Launch
        How it is started.
    source : Path
        A file in its language with `FUNCTIONS`, and those of `MORE` that it can have.
    folder : Path
        Empty, for files.
    patience : float
        Seconds for a call or a load.
    hint : callable, optional
        Told once, while a worker does not answer, what may be the matter.
    """

    def __init__(
        self,
        launch: Launch,
        source: Path,
        folder: Path,
        patience: float,
        hint: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.launch = launch
        self.declared: DeclaredSource | None = None
        self.source = source
        self.folder = folder
        self.patience = patience
        self.stderr = folder / "stderr"
        self._worker: Probe | None = None
        self._loaded: dict[str, Loaded] = {}
        self._starts = 0
        self._hint = hint
        self._hinted = False

    def worker(self) -> Probe:
        """The worker, which has said hello; another where the last one has died."""
        if self._worker is None or not self._worker.alive:
            self._worker, self._loaded = None, {}
            self._worker = self._fresh()
        return self._worker

    def _fresh(self) -> Probe:
        self._starts += 1
        self.stderr = self.folder / f"stderr-{self._starts}"
        scratch = self.folder / "scratch"
        scratch.mkdir(exist_ok=True)
        probe = Probe.spawn(
            Path(self.launch.command[0]).name, self.launch, stderr=self.stderr, scratch=scratch
        )
        begun = time.monotonic()
        with self._waiting("hello", START):
            probe.greet(START)
        # A machine that has much to do is long in starting it, and in all that it does first.
        probe.at_once = min(max(AT_ONCE, OF_STARTS * (time.monotonic() - begun)), self.patience)
        return probe

    @contextlib.contextmanager
    def _waiting(self, what: str, seconds: float) -> Iterator[None]:
        """Say after a while that nothing has come, and what that may be."""

        def say() -> None:
            if not self._hinted:
                self._hinted = True
                self._hint(
                    f"no answer to {what} after {HINT:g} s, and up to {seconds:g} s are waited for; it may"
                    " still be starting, or it does not flush its output after each reply"
                )

        timer = threading.Timer(HINT, say)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    @contextlib.contextmanager
    def to_its_end(self) -> Iterator[Probe]:
        """The worker itself, for what may end it: the next check has another."""
        probe = self.worker()
        try:
            yield probe
        finally:
            probe.kill()

    @contextlib.contextmanager
    def sound(self) -> Iterator[Probe]:
        """The worker itself, for frames that it has to answer; where it does not, it is ended."""
        probe = self.worker()
        try:
            yield probe
        except BaseException:
            probe.kill()
            raise

    def take(self, source: Path) -> None:
        """Have the checks call the functions of this file."""
        self.source = source
        self.declared = DeclaredSource.beside(source)

    def load(self, source: Path, stages: Mapping[str, int], **how: Any) -> Loaded:
        """Have a file loaded."""
        return self.worker().load(source, stages, deadline=self.patience, **how)

    def loaded(self, precision: str = "") -> Loaded:
        """The source file of the checks, loaded in the worker that runs, to be called in a precision."""
        worker = self.worker()
        if precision not in self._loaded:
            stages = {**FUNCTIONS, **MORE} if self.declared is None else self.declared.counts
            how: dict[str, Any] = {"precision": precision} if precision else {}
            with self._waiting("load", self.patience):
                self._loaded[precision] = worker.load(
                    self.source_in(precision), stages, deadline=self.patience, **how
                )
        return self._loaded[precision]

    def source_in(self, precision: str) -> Path:
        """The source file for a precision, where files of the language have one each."""
        path = self.source.with_stem(f"{self.source.stem}_{precision}")
        return path if precision and path.is_file() else self.source

    def _stage_for(self, stage: str, arrays: Sequence[Array]) -> str:
        """The function that takes these arrays, of those that a name is declared for."""
        if self.declared is None or not self.declared.called(stage):
            return stage
        return self.declared.stage_for(stage, arrays)

    def precision_of(self, *dtypes: np.dtype[Any]) -> str:
        """The precision that declared functions are loaded in for arrays of these types."""
        known = () if self.declared is None else self.worker().info.dtypes
        names = {"float32" if dtype == np.complex64 else str(dtype) for dtype in dtypes} - {"float64"}
        return next((name for name in known if name in names), "")

    def needs(self, *names: str) -> None:
        """Go on only if the source file has these functions."""
        problems = self.loaded().problems
        must = FUNCTIONS if self.declared is None else DECLARED
        for name in names:
            if self.declared is not None and name not in self.declared.stages:
                raise NotOffered(f"the source file's case.toml declares no {name}")
            if name in problems:
                why = f"{problems[name].message}"
                if name not in must:
                    raise NotOffered(f"the source file has no {name} ({why})")
                raise Wrong(f"the function {name} is refused: {why}")

    def lacks(self, stage: str, *arrays: Array) -> bool:
        """Whether the source file has no such function for these arrays."""
        try:
            name = self._stage_for(stage, arrays)
        except NotOffered:
            return True
        return name in self.loaded(self.precision_of(*(array.dtype for array in arrays))).problems

    def call(self, stage: str, *arrays: Array, outputs: int = 1, **how: Any) -> list[Array]:
        """Call one function of the source file."""
        self.needs(stage)
        loaded = self.loaded(self.precision_of(*(array.dtype for array in arrays)))
        problem = loaded.problems.get(self._stage_for(stage, arrays))
        if problem is not None:
            raise NotOffered(problem.message)
        return self.call_of(loaded.handle, stage, arrays, outputs, **how)

    def call_of(
        self, handle: str, stage: str, arrays: Sequence[Array], outputs: int = 1, **how: Any
    ) -> list[Array]:
        """Call one function of any file that was loaded."""
        deadline = how.pop("deadline", self.patience)
        name = self._stage_for(stage, arrays)
        return self.worker().call(handle, name, arrays, outputs=outputs, deadline=deadline, **how)[0]

    def calls(
        self, stage: str, stacks: Sequence[Array], names: Sequence[str]
    ) -> tuple[list[Array], list[int]]:
        """Call one function of the source file for each of many inputs at once."""
        name = self._stage_for(stage, [stack[0] for stack in stacks])
        count = stacks[0].shape[0]
        return self.worker().calls(
            self.loaded().handle, name, stacks, count, names=names, deadline=self.patience
        )[:2]

    def refused(self, stage: str, *arrays: Array, kind: str, outputs: int = 1) -> ImplementationError:
        """Call a function that cannot give what is asked for, and return the error that is told."""
        try:
            given = self.call(stage, *arrays, outputs=outputs)
        except ImplementationError as error:
            if error.kind != kind:
                wrong(f"an error of kind {error.kind!r}, and {kind!r} is expected: {error.message}")
            return error
        raise Wrong(f"{stage} gave {words(given)}, and an error of kind {kind!r} is expected")

    def close(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.kill()


def words(arrays: Sequence[Array]) -> str:
    """Arrays, as a person is told of them."""
    shown = (f"{array.dtype}{list(array.shape)} {array.ravel()[:4].tolist()}" for array in arrays)
    return "; ".join(shown) or "nothing"


def made(check: Check, bench: Bench) -> Finding:
    """Make one check."""

    def found(outcome: Outcome, got: str) -> Finding:
        short = " ".join("".join(sign if sign.isprintable() else " " for sign in got).split())
        return Finding(check=check.name, section=check.section, outcome=outcome, got=short[:1000])

    try:
        return found(Outcome.PASS, check.run(bench) or "")
    except NotOffered as why:
        return found(Outcome.NOT_OFFERED, str(why))
    except Wrong as why:
        return found(Outcome.FAIL, str(why))
    except ImplementationError as error:
        return found(Outcome.FAIL, f"an error of kind {error.kind!r}: {error.message}")
    except WorkerError as error:
        return found(Outcome.FAIL, error.message)
    except (ChildEnded, Flooded):
        return found(Outcome.FAIL, "it ended")
    except TimeoutError:
        return found(Outcome.FAIL, "it did not answer in time")
