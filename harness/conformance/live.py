"""Running stages in workers."""

from __future__ import annotations

import contextlib
import functools
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from harness.conformance.observe import Environment, Job, Stopped, outputs_of, unsupported
from harness.errors import ImplementationError, WorkerCrashed, WorkerError, WorkerTimeout
from harness.model import Absent, Array, Failure, Observation, Observed, RuntimeInfo, Stage, Verdict
from harness.runtimes.process import Loaded, Worker
from harness.runtimes.registry import Launch, Registry

ATTEMPTS = 2
"""A worker that dies is started once more for a file; after that the file's run ends."""

LOAD_DEADLINE = 120.0


class Host(msgspec.Struct, kw_only=True):
    """One runtime's worker, kept for a whole run and started again when it has died."""

    runtime: str
    launch: Launch
    logs: Path
    stop: threading.Event
    worker: Worker | None = None
    info: RuntimeInfo | None = None
    starts: int = 0
    start_seconds: float = 0.0
    busy_seconds: float = 0.0

    def start(self) -> RuntimeInfo:
        """Start the worker.

        Raises
        ------
        WorkerError
            If it does not say hello.
        """
        if self.stop.is_set():
            raise Stopped
        self.starts += 1
        log = self.logs / f"{self.runtime}.{self.starts}.stderr"
        self.worker = Worker.start(self.runtime, self.launch, stderr=log)
        self.start_seconds += self.worker.start_seconds
        self.info = self.worker.info
        return self.info

    def refusal(self, job: Job) -> Failure | None:
        """UNSUPPORTED where the runtime lacks the job's precision."""
        if self.info is not None and job.precision.value in self.info.dtypes:
            return None
        return unsupported(job)

    def chained(self, job: Job) -> Observed:
        """See `observe_chained`."""
        return observe_chained(self, job)

    def upstream(self, job: Job, reference: Observed) -> Observed:
        """This run's."""
        return reference

    def isolated(self, job: Job, upstream: Observed, chained: Observed | None) -> Observed:
        """See `observe_isolated`."""
        return observe_isolated(self, job, upstream, chained)

    def close(self) -> None:
        """End the worker in an orderly way."""
        if self.worker is not None:
            self.worker.stop()

    def kill(self) -> None:
        """End the worker and everything that it started, at once."""
        if self.worker is not None:
            self.worker.kill()


def observe_chained(host: Host, job: Job) -> Observed:
    """Run every stage on its own implementation's upstream outputs."""
    environments = {sample: job.inputs(sample) for sample in job.fixture.samples}
    return dict(_observe(host, job, environments, job.case.stages, feed=True))


def observe_isolated(host: Host, job: Job, reference: Observed, chained: Observed | None) -> Observed:
    """Run every stage on the reference's upstream outputs.

    Stages that take the fixture's arrays alone have been observed already: their ``chained`` observation is
    returned for them, where it is given.
    """
    environments = {
        sample: job.inputs(sample) | outputs_of(reference, sample) for sample in job.fixture.samples
    }
    fixed = {value.name for value in job.case.inputs}
    shared = [
        stage
        for stage in job.case.stages
        if chained is not None and all(name in fixed for name in stage.inputs)
    ]
    rest = tuple(stage for stage in job.case.stages if stage not in shared)
    known = {
        (sample, stage.name): chained[sample, stage.name]
        for stage in shared
        for sample in job.fixture.samples
        if chained is not None
    }
    return {**known, **dict(_observe(host, job, environments, rest, feed=False))}


def _observe(
    host: Host, job: Job, environments: Mapping[str, Environment], stages: tuple[Stage, ...], *, feed: bool
) -> Iterator[tuple[tuple[str, str], Observation | Failure]]:
    loading = _Loading(host, job)
    for stage in stages:
        for sample, environment in environments.items():
            missing = [name for name in stage.inputs if name not in environment]
            if missing:
                whose = "its own" if feed else "the reference's"
                found: Observation | Failure = Failure(
                    verdict=Verdict.NOT_RUN, reason=f"no upstream value: {whose} {', '.join(missing)}"
                )
            else:
                found = loading.call(stage, [environment[name] for name in stage.inputs])
            if feed and isinstance(found, Observation):
                environment.update(found.outputs)
            yield (sample, stage.name), found


class _Loading:
    """A source file in a worker, loaded again when the worker has died."""

    def __init__(self, host: Host, job: Job) -> None:
        self.host = host
        self.job = job
        self.deaths = 0
        self.loaded: Loaded | None = None
        self.of: Worker | None = None
        self.lost: Failure | None = None

    def call(self, stage: Stage, inputs: list[Array]) -> Observation | Failure:
        """Call one stage; every fault becomes a Failure."""
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
            return self._death(stage, error)
        finally:
            self.host.busy_seconds += time.perf_counter() - begun

    def _call(self, stage: Stage, inputs: list[Array]) -> Observation | Failure:
        if self.lost is not None:
            return self.lost
        worker, loaded = self._load()
        problem = loaded.problems.get(stage.name)
        if problem is not None:
            return _failure_of(problem)
        arrays, seconds = worker.call(
            loaded.handle,
            stage.name,
            inputs,
            outputs=len(stage.outputs),
            deadline=self.job.case.timeout,
        )
        outputs = {
            # A runtime without scalars gives one element where the case declares none of its dimensions.
            value.name: array.reshape(())
            if not worker.scalars and (value.shape, array.shape) == ((), (1,))
            else array
            for value, array in zip(stage.outputs, arrays, strict=True)
        }
        return Observation(outputs=outputs, seconds=seconds)

    def _load(self) -> tuple[Worker, Loaded]:
        worker = self.host.worker
        if worker is None or not worker.alive:
            self.host.start()
            worker = self.host.worker
            assert worker is not None
        if self.loaded is None or self.of is not worker:
            arity = {stage.name: len(stage.inputs) for stage in self.job.case.stages}
            try:
                self.loaded = worker.load(self.job.implementation.path, arity, deadline=LOAD_DEADLINE)
            except ImplementationError as error:
                self.lost = _failure_of(error)
                raise
            self.of = worker
        return worker, self.loaded

    def _death(self, stage: Stage, error: WorkerError) -> Failure:
        self.deaths += 1
        tail = self.host.worker.stderr_tail() if self.host.worker is not None else ""
        self.host.kill()
        timed_out = isinstance(error, WorkerTimeout)
        failure = Failure(
            verdict=Verdict.TIMEOUT if timed_out else Verdict.ERROR, reason=error.message, detail=tail
        )
        if self.deaths >= ATTEMPTS:
            self.lost = Failure(
                verdict=Verdict.NOT_RUN,
                reason=f"the worker died {self.deaths} times on this file, last in stage {stage.name!r}",
            )
        return failure


def _failure_of(error: ImplementationError) -> Failure:
    # A wrong count, name or kind of value is a wrong answer; an exception or a broken file gives no answer.
    wrong = error.kind in ("missing", "arity", "value")
    place = f" (line {error.line})" if error.line is not None else ""
    return Failure(
        verdict=Verdict.FAIL if wrong else Verdict.ERROR,
        reason=f"{error.message}{place}",
        detail=error.detail,
    )


@contextlib.contextmanager
def workers(
    registry: Registry, runtimes: Iterable[str], stop: threading.Event
) -> Iterator[tuple[dict[str, Host], dict[str, Absent]]]:
    """Start one worker for each runtime, all at once; what does not start is absent, with the reason.

    They end when the context is left: at once if ``stop`` is set or an exception leaves it.
    """
    found = {name: registry.launch(name) for name in runtimes}
    launches = {name: launch for name, launch in found.items() if not isinstance(launch, Absent)}
    absent = {name: launch for name, launch in found.items() if isinstance(launch, Absent)}
    with tempfile.TemporaryDirectory(prefix="harness-") as logs:
        hosts = {
            name: Host(runtime=name, launch=launch, logs=Path(logs), stop=stop)
            for name, launch in launches.items()
        }
        at_once = True
        try:
            for name, error in _start(hosts).items():
                language = registry.specs[name].language
                absent[name] = Absent(runtime=name, language=language, reason=str(error))
                del hosts[name]
            yield hosts, absent
            at_once = stop.is_set()
        finally:
            stop.set()
            _each(host.kill if at_once else host.close for host in hosts.values())


def _start(hosts: Mapping[str, Host]) -> dict[str, WorkerError]:
    failures: dict[str, WorkerError] = {}

    def begin(name: str) -> None:
        try:
            hosts[name].start()
        except WorkerError as error:
            failures[name] = error
        except Stopped:
            failures[name] = WorkerCrashed("the run was stopped")

    _each(functools.partial(begin, name) for name in hosts)
    return failures


def _each(calls: Iterable[Callable[[], object]]) -> None:
    threads = [threading.Thread(target=call, daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
