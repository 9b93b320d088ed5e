"""One source file in a worker: loaded when it is first called, and again when the worker has died."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from harness.conformance.coded import decoded, encoded, signatures_of, taken_by, values_of
from harness.conformance.observe import Job, Stopped, fault_of_ours
from harness.conformance.worker_arrays import as_bfloat16, from_bfloat16, leniently, of_matrices, of_vectors
from harness.errors import ImplementationError, WorkerError, WorkerTimeout
from harness.model import ANY_DIMENSIONS, Array, Failure, Observation, Precision, Stage, Value, Verdict
from harness.runtimes.process import Worker
from harness.runtimes.replies import Loaded
from harness.workers.protocol import BFLOAT16

if TYPE_CHECKING:
    from harness.conformance.live import LiveHost

ATTEMPTS = 2
"""How often a worker that dies is started again for one file; after that the file's run ends."""

LOAD_DEADLINE = 120.0


class Loading:
    """A source file in a worker, loaded again when the worker has died."""

    def __init__(self, host: LiveHost, job: Job) -> None:
        self.host = host
        self.job = job
        self.deaths = 0
        self.stopped = 0
        self.deadline = LOAD_DEADLINE
        self.loaded: Loaded | None = None
        self.called: set[str] = set()
        self.of: Worker | None = None
        self.lost: Failure | None = None
        self.values = values_of(job.case)
        self.signatures = signatures_of(job.case, job.case.stages, job.implementation.id)

    def call(self, stage: Stage, inputs: list[Array | None]) -> Observation | Failure:
        """Call one stage, without the inputs that are None; every fault becomes a Failure."""
        if self.host.stop.is_set():
            raise Stopped
        begun = time.perf_counter()
        try:
            return self._call(stage, inputs)
        except ImplementationError as error:
            return _failure_of(error)
        except WorkerError as error:
            if self.host.stop.is_set():
                raise Stopped from error
            self.stopped += isinstance(error, WorkerTimeout)
            failure = self.host.fault(error)
        except Stopped:
            raise
        except Exception as error:
            failure = fault_of_ours(error)
        finally:
            self.host.spent(time.perf_counter() - begun, self._named(stage))
        self.host.drop()
        self._count_death(stage)
        return failure

    def lacking(self) -> Failure | None:
        """Why the file does not have the job's precision; any other fault is told by the first call."""
        try:
            worker = self.host.running()
            if worker is not None:
                self._load(worker)
        except ImplementationError:
            pass
        except WorkerError:
            self.host.drop()
        lost = self.lost
        return lost if lost is not None and lost.verdict is Verdict.UNSUPPORTED else None

    def takes_batches(self, stage: Stage) -> bool:
        """Whether many inputs of a stage can be sent at once: all that it takes and returns are numbers."""
        worker = self.host.worker
        taken = [self.values[name] for name in self._taken(stage)]
        plain = all(_is_plain(value) for value in (*taken, *stage.outputs))
        return (
            worker is not None
            and worker.batches
            and plain
            and stage.name not in self.signatures
            and self.job.precision is not Precision.BFLOAT16
        )

    def calls(self, stage: Stage, stacks: list[Array], count: int) -> tuple[dict[str, Array], list[int]]:
        """Call one stage for each of many inputs, which lie along the first dimension of each array.

        Parameters
        ----------
        stage : Stage
            For which `takes_batches` is true.
        stacks : list of ndarray
            Its inputs.
        count : int
            How many there are of each.

        Returns
        -------
        outputs : dict of str to ndarray
            With the results along the first dimension.
        others : list of int
            The inputs whose results are not in the outputs: they have to be called one by one.

        Raises
        ------
        WorkerError
            The worker does not start, or died.
        ImplementationError
            The file cannot be loaded, or has no such stage.
        """
        if self.host.stop.is_set():
            raise Stopped
        begun = time.perf_counter()
        try:
            worker = self.host.running()
            if worker is None:
                assert self.host.failure is not None
                raise WorkerError(self.host.failure.reason)
            loaded = self._load(worker)
            if stage.name in loaded.problems:
                raise loaded.problems[stage.name]
            names = [value.name for value in stage.outputs]
            arrays, others, _ = worker.calls(
                loaded.handle, stage.name, stacks, count, names=names, deadline=self.job.case.timeout
            )
        except WorkerError:
            self.host.drop()
            raise
        finally:
            self.host.spent(time.perf_counter() - begun, self._named(stage))
        if len(others) == count:
            return {}, others
        outputs = {}
        for value, stack in zip(stage.outputs, arrays, strict=True):
            if not (worker.scalars and worker.vectors):
                # What is said of one result holds for all, for they are alike.
                one = _as_declared(worker, value, stack[0])
                stack = stack.astype(one.dtype, copy=False).reshape(count, *one.shape)
            outputs[value.name] = leniently(value, stack, self.job.precision)
        return outputs, others

    def _call(self, stage: Stage, inputs: list[Array | None]) -> Observation | Failure:
        if self.of is not None and self.of is self.host.worker and self.host.notice():
            self._count_death(stage)
        if self.lost is not None:
            return self.lost
        worker = self.host.running()
        if worker is None:
            assert self.host.failure is not None
            return self.host.failure
        self.deadline = LOAD_DEADLINE
        loaded = self._load(worker)
        problem = loaded.problems.get(stage.name)
        if problem is not None:
            return _failure_of(problem)
        self.deadline = self.job.case.timeout
        short = self.job.precision is Precision.BFLOAT16
        if stage.name in self.signatures and not worker.signatures:
            return Failure(
                verdict=Verdict.UNSUPPORTED,
                reason=f"{self.host.runtime} takes and returns plain arrays of numbers, of functions"
                " that have the stage's name",
            )
        given = [
            encoded(self.values.get(name), array)
            for name, array in zip(self._taken(stage), inputs, strict=True)
            if array is not None
        ]
        first = stage.name not in self.called
        self.called.add(stage.name)
        arrays, seconds = worker.call(
            loaded.handle,
            stage.name,
            [as_bfloat16(array) for array in given] if short else given,
            outputs=len(stage.outputs),
            deadline=self.deadline,
            names=[value.name for value in stage.outputs],
            absent=[place for place, array in enumerate(inputs) if array is None],
        )
        arrays = [decoded(value, array) for value, array in zip(stage.outputs, arrays, strict=True)]
        if short:
            for value, array in zip(stage.outputs, arrays, strict=True):
                if value.dtype == "float" and array.dtype != BFLOAT16:
                    reason = f"{value.name}: dtype {array.dtype} where bfloat16 is expected"
                    return Failure(verdict=Verdict.FAIL, reason=reason)
            arrays = [from_bfloat16(array) for array in arrays]
        self.host.last = f"the stage {stage.name} of {self.job.case.name} in {self.job.implementation.id}"
        more = self._any_dimensions(stage, inputs)
        outputs = {
            value.name: leniently(value, _as_declared(worker, value, array, more), self.job.precision)
            for value, array in zip(stage.outputs, arrays, strict=True)
        }
        return Observation(outputs=outputs, seconds=seconds, first=first)

    def _named(self, stage: Stage) -> tuple[object, ...]:
        """What is loaded and compiled once; another precision may be compiled again, and does not count."""
        return (self.job.case.name, self.job.implementation.id, stage.name)

    def _taken(self, stage: Stage) -> tuple[str, ...]:
        return taken_by(self.job.case, stage, self.job.implementation.id)

    def _any_dimensions(self, stage: Stage, inputs: list[Array | None]) -> int | None:
        """How many dimensions ``...`` stands for in this call, where an input tells."""
        for name, array in zip(self._taken(stage), inputs, strict=True):
            shape = self.values[name].shape if name in self.values else ()
            if ANY_DIMENSIONS in shape and array is not None:
                return array.ndim - len(shape) + 1
        return None

    def _load(self, worker: Worker) -> Loaded:
        if self.loaded is None or self.of is not worker:
            arity = {stage.name: len(self._taken(stage)) for stage in self.job.case.stages}
            try:
                self.loaded = worker.load(
                    self.job.implementation.path,
                    arity,
                    deadline=LOAD_DEADLINE,
                    signatures=self.signatures,
                    precision=self.job.precision.value,
                )
            except ImplementationError as error:
                self.lost = _failure_of(error)
                raise
            self.of = worker
            self.called = set()
        return self.loaded

    def release(self) -> None:
        """Let the worker forget the file: no stage of it is called again."""
        if self.loaded is not None and self.of is not None:
            self.of.release(self.loaded.handle)
        self.loaded = self.of = None

    def _count_death(self, stage: Stage) -> None:
        self.deaths += 1
        if self.deaths >= ATTEMPTS:
            self.lost = Failure(
                verdict=Verdict.NOT_RUN,
                reason=f"the worker {self._ends()} on this file, last in stage {stage.name!r}",
            )

    def _ends(self) -> str:
        """How often the worker died by itself, and how often it was stopped at its deadline."""
        why = f" after {self.deadline:g} s without an answer"
        counts = (("died", self.deaths - self.stopped, ""), ("was stopped", self.stopped, why))
        return " and ".join(
            f"{verb} {'once' if n == 1 else f'{n} times'}{why}" for verb, n, why in counts if n
        )


def _as_declared(worker: Worker, value: Value, array: Array, more: int | None = None) -> Array:
    """An output in the shape that the case declares, where the language has no such shape."""
    if not worker.vectors:
        return of_matrices(value, array, more)
    return array if worker.scalars else of_vectors(value, array, more)


def _is_plain(value: Value) -> bool:
    kinds = ("float", "complex", "int", "bool")
    return (
        value.dtype in kinds
        and not value.missing
        and not value.optional
        and ANY_DIMENSIONS not in value.shape
    )


def _failure_of(error: ImplementationError) -> Failure:
    # A wrong count, name or kind of value is a wrong result; an exception or a broken file gives no result.
    wrong = error.kind in ("missing", "arity", "value")
    of_file = f" of {error.path.name}" if error.path is not None else ""
    place = f" (line {error.line}{of_file})" if error.line is not None else ""
    return Failure(
        verdict=Verdict.UNSUPPORTED
        if error.kind == "unsupported"
        else Verdict.FAIL
        if wrong
        else Verdict.ERROR,
        reason=f"{error.message}{place}",
        detail=error.detail,
    )
