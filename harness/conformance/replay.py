"""Replays a runtime's snapshots in place of its worker."""

from __future__ import annotations

import threading
from pathlib import Path

import msgspec

from harness.conformance.observe import Job, unsupported
from harness.conformance.plan import Plan, PlannedCase
from harness.errors import FixtureError
from harness.model import Case, Failure, Implementation, Observed, Precision, RuntimeInfo, Verdict
from harness.model.outcome import REFUSED
from harness.store.fixtures import find_fixture
from harness.store.provenance import Provenance, file_hash, graph_hash
from harness.store.snapshots import (
    FOLDER,
    RECORD,
    Head,
    Snapshot,
    read_head,
    read_snapshot,
    snapshot_path,
    stale,
)
from harness.workers.protocol import VERSION


class Library:
    """The snapshots of a plan's cases; those of the references are read once and kept."""

    def __init__(self, plan: Plan) -> None:
        self._suite = plan.suite
        self._planned = {planned.case.name: planned for planned in plan.cases}
        self._references: dict[Path, Snapshot] = {}
        self._lock = threading.Lock()

    def path(self, case: Case, implementation: Implementation, precision: Precision) -> Path:
        """Where a snapshot lies, or would lie: beside the folder of the case's fixture."""
        folder = find_fixture(case, self._suite).parent / FOLDER
        return snapshot_path(folder, case.name, implementation.id, precision)

    def now(self, planned: PlannedCase, implementation: Implementation) -> Provenance:
        """Return the provenance of a snapshot made now.

        Raises
        ------
        FixtureError
            The case's folder holds too much to be read.
        """
        return Provenance(
            source=file_hash(implementation.path),
            reference=file_hash(planned.reference.path),
            fixture=planned.fixture.sha256,
            graph=graph_hash(planned.case),
            protocol=VERSION,
            beside=planned.beside.of(implementation.path, planned.reference.path),
        )

    def made_by(self, runtime: str) -> str:
        """The versions and days that a runtime's snapshots come from, in words; empty if there are none."""
        heads: list[Head] = []
        for planned in self._planned.values():
            for implementation in planned.implementations:
                for precision in planned.precisions if implementation.runtime == runtime else ():
                    path = self.path(planned.case, implementation, precision)
                    try:
                        heads += [read_head(path)] if path.is_file() else []
                    except FixtureError:
                        continue
        return "; ".join(dict.fromkeys(f"{described(head.runtime)}, {head.recorded}" for head in heads))

    def read(self, job: Job) -> Snapshot | None:
        """The snapshot that stands for a job; None if there is none.

        Raises
        ------
        FixtureError
            It is damaged, or what it depends on has changed.
        """
        planned = self._planned[job.case.name]
        path = self.path(job.case, job.implementation, job.precision)
        if not path.is_file():
            return None
        head = read_head(path)
        whose = f"{head.case} {head.implementation} {head.precision} in {head.runtime.runtime}"
        ours = job.implementation
        if whose != f"{job.case.name} {ours.id} {job.precision} in {ours.runtime}":
            raise FixtureError(f"is the snapshot of {whose}", path=path, advice=RECORD)
        reason = stale(head, self.now(planned, ours))
        if reason:
            raise FixtureError(reason, path=path)
        if job.implementation.id == planned.reference.id:
            return self.reference(job)
        return read_snapshot(path, self.reference(job))

    def reference(self, job: Job) -> Snapshot:
        """The snapshot of the reference of a job's case, whether or not its source has changed since.

        Raises
        ------
        FixtureError
            It is damaged or missing.
        """
        planned = self._planned[job.case.name]
        path = self.path(job.case, planned.reference, job.precision)
        with self._lock:
            if path not in self._references:
                self._references[path] = read_snapshot(path, None)
            return self._references[path]

    def precisions(self, job: Job) -> tuple[str, ...]:
        """The precisions that the job's runtime had when any snapshot of the implementation was made."""
        for precision in Precision:
            path = self.path(job.case, job.implementation, precision)
            if path.is_file():
                return read_head(path).runtime.dtypes
        return ()

    def reference_changed(self, job: Job, snapshot: Snapshot) -> bool:
        """Whether the reference's source has changed since its outputs were the inputs of others."""
        planned = self._planned[job.case.name]
        return snapshot.head.made_from.reference != file_hash(planned.reference.path)


class Replay(msgspec.Struct, kw_only=True):
    """An observer that answers from snapshots; ``reason`` says why the runtime does not."""

    runtime: str
    reason: str
    library: Library
    snapshot: Snapshot | None = None

    def refusal(self, job: Job) -> Failure | None:
        """Read the snapshot; UNSUPPORTED, or NOT_RUN with the reason, where there is none that stands."""
        try:
            self.snapshot = self.library.read(job)
            if self.snapshot is not None:
                return None
            dtypes = self.library.precisions(job)
        except FixtureError as error:
            return Failure(verdict=Verdict.NOT_RUN, reason=f"{REFUSED}{error.message}")
        if dtypes and job.precision.value not in dtypes:
            return unsupported(job)
        return Failure(verdict=Verdict.NOT_RUN, reason=f"{self.reason}; there is no snapshot")

    def chained(self, job: Job) -> Observed:
        """Return the recorded chained observations."""
        return self._of(job, self._read().chained)

    def upstream(self, job: Job, reference: Observed) -> Observed:
        """The outputs of the reference that the recorded stages were fed with."""
        head = self._read().head
        return self._of(job, self.library.reference(job).chained) if head.base else reference

    def isolated(self, job: Job, upstream: Observed, chained: Observed | None) -> Observed:
        """Return the recorded isolated observations; NOT_RUN if the reference has changed since."""
        snapshot = self._read()
        if self.library.reference_changed(job, snapshot):
            reason = f"{REFUSED}the reference's source file has changed since {snapshot.head.recorded}"
            return job.failed(Failure(verdict=Verdict.NOT_RUN, reason=reason))
        return self._of(job, snapshot.isolated)

    def _read(self) -> Snapshot:
        assert self.snapshot is not None
        return self.snapshot

    def _of(self, job: Job, observed: Observed) -> Observed:
        date = self._read().head.recorded
        return {
            (sample, stage): msgspec.structs.replace(result, reason=f"{result.reason} (recorded {date})")
            if isinstance(result, Failure)
            else result
            for (sample, stage), result in observed.items()
            if sample in job.fixture.samples
        }


def described(info: RuntimeInfo) -> str:
    """A runtime's versions in words."""
    libraries = [f"{name} {version}" for name, version in info.libraries.items()]
    others = [library for library in libraries if library not in info.hosting]
    hosting = info.hosting if " " in info.hosting else ""
    return ", ".join(filter(None, [f"{info.language} {info.version}", hosting, *others, info.blas]))
