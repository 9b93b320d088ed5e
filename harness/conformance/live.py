"""Running stages in workers."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from harness.conformance.coded import optional_inputs, taken_by
from harness.conformance.loading import Loading
from harness.conformance.observe import (
    Environment,
    Job,
    Stopped,
    fault_of_ours,
    outputs_by_sample,
    unsupported,
)
from harness.errors import ImplementationError, WorkerError, WorkerTimeout
from harness.model import Failure, Observation, Observed, RuntimeInfo, Stage, Verdict
from harness.model.outcome import WORKER_FAULT
from harness.runtimes.process import Worker
from harness.runtimes.registry import Launch

START_DEADLINE = 180.0
"""The first start of a language may compile its libraries, on a machine that does other things as well."""
BYE_DEADLINE = 15.0


class LiveHost(msgspec.Struct, kw_only=True):
    """One runtime's worker, kept for a whole run and started again when it has died.

    ``starting`` is the thread that starts it first, with everybody else's; whatever needs the worker waits
    for it. ``failure`` says why the worker could not be started, or that the runtime does not run.
    ``complaints`` say what went wrong while the worker was idle.
    """

    runtime: str
    launch: Launch
    logs: Path
    keeps_logs: bool
    scratch: Path
    stop: threading.Event
    starting: threading.Thread | None = None
    worker: Worker | None = None
    info: RuntimeInfo | None = None
    failure: Failure | None = None
    complaints: list[str] = []
    last: str = ""
    starts: int = 0
    start_seconds: float = 0.0
    busy_seconds: float = 0.0
    first_seconds: float = 0.0
    called: set[int] = set()

    @property
    def log(self) -> Path:
        """The log of the worker that was started last."""
        return self.logs / f"{self.runtime}.{self.starts}.stderr"

    def start(self) -> None:
        """Start the worker; where it does not say hello, ``failure`` says why."""
        if self.stop.is_set():
            raise Stopped
        self.starts += 1
        try:
            self.worker = Worker.spawn(self.runtime, self.launch, stderr=self.log, scratch=self.scratch)
            if self.stop.is_set():
                # The run may have been ended before there was a worker to kill.
                self.worker.kill()
            self.worker.greet(START_DEADLINE)
        except WorkerError as error:
            if self.stop.is_set():
                raise Stopped from error
            self.failure = self.fault(error)
        except Exception as error:
            self.failure = fault_of_ours(error)
        if self.failure is not None:
            self.drop()
            return
        assert self.worker is not None
        self.start_seconds += self.worker.start_seconds
        self.info = self.worker.info

    def spent(self, seconds: float, what: tuple[object, ...]) -> None:
        """Count the seconds of a call, those of the first call of ``what`` in this worker apart, too."""
        self.busy_seconds += seconds
        if (this := hash((self.starts, *what))) not in self.called:
            self.called.add(this)
            self.first_seconds += seconds

    @property
    def has_started(self) -> bool:
        """Whether its first start has ended, well or not."""
        return self.starting is None or not self.starting.is_alive()

    def wait_for_start(self) -> None:
        """Wait until its first start has ended, well or not."""
        if self.starting is not None:
            self.starting.join()

    def running(self) -> Worker | None:
        """The worker, started again if it is dead; None where it does not start."""
        self.notice()
        if self.worker is None and self.failure is None:
            self.start()
        return self.worker

    def notice(self) -> bool:
        """Note a worker that died while it was idle, and return whether there was one."""
        if self.worker is None or self.worker.alive or self.stop.is_set():
            return False
        after = f" after {self.last}" if self.last else ""
        self.complaints.append(f"{WORKER_FAULT}{self.runtime} {self.worker.ending} between two calls{after}")
        self.drop()
        return True

    def fault(self, error: WorkerError) -> Failure:
        """Return a worker's death or time-out as a failure, with the end of what it printed."""
        printed = self.worker.stderr_tail() if self.worker is not None else ""
        where = f"what it printed is in {self.log}" if self.keeps_logs and printed else ""
        return Failure(
            verdict=Verdict.TIMEOUT if isinstance(error, WorkerTimeout) else Verdict.ERROR,
            reason=error.message,
            detail="\n".join(filter(None, [printed.rstrip("\n"), where])),
        )

    def refusal(self, job: Job) -> Failure | None:
        """Why the worker did not start; UNSUPPORTED where the runtime lacks the job's precision."""
        self.wait_for_start()
        if self.stop.is_set():
            raise Stopped
        if self.failure is not None:
            return self.failure
        if self.info is not None and job.precision.value in self.info.dtypes:
            return None
        return unsupported(job)

    def chained(self, job: Job) -> Observed:
        """See `observe_chained`."""
        return observe_chained(self, job) if self.failure is None else job.failed(self.failure)

    def upstream(self, job: Job, reference: Observed) -> Observed:
        """Return the reference's outputs of this run."""
        return reference

    def isolated(self, job: Job, upstream: Observed, chained: Observed | None) -> Observed:
        """See `observe_isolated`."""
        if self.failure is not None:
            return job.failed(self.failure)
        return observe_isolated(self, job, upstream, chained)

    def close(self) -> None:
        """End the worker in an orderly way; complain of one that does not end so."""
        self.wait_for_start()
        self.notice()
        if self.worker is None:
            return
        try:
            self.worker.stop(BYE_DEADLINE)
        except (WorkerError, ImplementationError) as error:
            if not self.stop.is_set():
                self.complaints.append(f"{WORKER_FAULT}{self.runtime}, at its end: {error.message}")
        self.worker = None

    def kill(self) -> None:
        """End the worker and everything that it started, at once."""
        if self.worker is not None:
            self.worker.kill()

    def drop(self) -> None:
        """End the worker at once, and forget it."""
        self.kill()
        self.worker = None


def observe_chained(host: LiveHost, job: Job, loading: Loading | None = None) -> Observed:
    """Run every stage on its own implementation's upstream outputs.

    With ``loading``, the file stays as it has been loaded.
    """
    environments = {sample: job.inputs(sample) for sample in job.fixture.samples}
    return dict(_observe(host, job, environments, job.case.stages, feed=True, loading=loading))


def observe_isolated(
    host: LiveHost,
    job: Job,
    reference: Observed,
    chained: Observed | None,
    loading: Loading | None = None,
) -> Observed:
    """Run every stage on the reference's upstream outputs.

    Stages that take the fixture's arrays alone have been observed already: their ``chained`` observation is
    returned for them, where it is given.
    """
    fed = outputs_by_sample(reference)
    environments = {sample: job.inputs(sample) | fed.get(sample, {}) for sample in job.fixture.samples}
    fixed = {value.name for value in job.case.inputs}
    stages = job.case.stages
    known: Observed = {}
    if chained is not None:
        shared = [stage for stage in stages if fixed.issuperset(stage.inputs)]
        known = {
            (sample, stage.name): chained[sample, stage.name]
            for stage in shared
            for sample in job.fixture.samples
        }
        stages = tuple(stage for stage in stages if stage not in shared)
    return {**known, **dict(_observe(host, job, environments, stages, feed=False, loading=loading))}


def observe_stage(
    host: LiveHost, job: Job, stage: Stage, environments: Mapping[str, Environment]
) -> Observed:
    """Run one stage on these inputs, by sample."""
    return dict(_observe(host, job, environments, (stage,), feed=False))


def _observe(
    host: LiveHost,
    job: Job,
    environments: Mapping[str, Environment],
    stages: tuple[Stage, ...],
    *,
    feed: bool,
    loading: Loading | None = None,
) -> Iterator[tuple[tuple[str, str], Observation | Failure]]:
    if loading is not None:
        yield from _called(loading, job, environments, stages, feed=feed)
        return
    loading = Loading(host, job)
    try:
        yield from _called(loading, job, environments, stages, feed=feed)
    finally:
        loading.release()


def _called(
    loading: Loading,
    job: Job,
    environments: Mapping[str, Environment],
    stages: tuple[Stage, ...],
    *,
    feed: bool,
) -> Iterator[tuple[tuple[str, str], Observation | Failure]]:
    optional = optional_inputs(job.case)
    for stage in stages:
        for sample, environment in environments.items():
            taken = taken_by(job.case, stage, job.implementation.id)
            missing = [name for name in taken if name not in environment and name not in optional]
            if loading.lost is not None and loading.lost.verdict is Verdict.UNSUPPORTED:
                # The file has no such precision: no stage of it is to blame for another.
                observation: Observation | Failure = loading.lost
            elif missing:
                whose = "its own" if feed else "the reference's"
                observation = Failure(
                    verdict=Verdict.NOT_RUN, reason=f"no upstream value: {whose} {', '.join(missing)}"
                )
            else:
                observation = loading.call(stage, [environment.get(name) for name in taken])
            if feed and isinstance(observation, Observation):
                environment.update(observation.outputs)
            yield (sample, stage.name), observation
