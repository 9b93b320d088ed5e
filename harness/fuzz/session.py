"""Everything that a search needs, started: workers with their files loaded, an oracle, and the judge."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import msgspec

from harness.conformance.observe import Job
from harness.conformance.oracle import oracle
from harness.conformance.plan import Plan
from harness.conformance.warm import WarmWorkers, workers_or_warm
from harness.errors import UsageError
from harness.fuzz.domain import domain_of
from harness.fuzz.finding import Finding
from harness.fuzz.hunt import BATCH, Hunt, Tally
from harness.fuzz.judge import Judge, judged_case
from harness.fuzz.observe import Subject
from harness.fuzz.recipes import imported
from harness.fuzz.say import drawn
from harness.fuzz.sizes import narrowed
from harness.model import Absent
from harness.runtimes.oracle import find_oracle


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """A search that can begin.

    ``missing`` has why implementations are left out, by their id; ``drawn`` says what is drawn, and why other
    sizes are not; ``complaints`` grow while it runs.
    """

    hunt: Hunt
    missing: Mapping[str, str]
    drawn: Sequence[str]
    complaints: list[str]


@contextmanager
def session(
    plan: Plan,
    *,
    seed: int = 0,
    seconds: float | None = None,
    batch: int = BATCH,
    on_finding: Callable[[Finding], None] = lambda finding: None,
    on_progress: Callable[[Tally], None] = lambda tally: None,
    warm: WarmWorkers | None = None,
) -> Iterator[Session]:
    """Start what a search needs; it ends with the context.

    Parameters
    ----------
    plan : Plan
        With one case, in one precision.
    seed, batch, on_finding, on_progress
        As in `Hunt`.
    seconds : float, optional
        How long sizes may be tried: those that `Hunt.run` is given, less what this takes.
    warm : WarmWorkers, optional
        Workers that stay when it has ended.

    Raises
    ------
    UsageError
        Hypothesis or the reference's runtime is missing, or the reference cannot be loaded.
    CaseError
        The case.toml says something of its inputs that cannot be.
    WorkerTimeout
        The reference does not come to an end.
    TimeTooShort
        The time was over before the reference had taken a size.
    """
    imported()
    (planned,) = plan.cases
    (precision,) = planned.precisions
    domain = domain_of(planned.case, planned.fixture, planned.folder, precision)
    stop = threading.Event()
    with (
        workers_or_warm(plan.registry, plan.runtimes, stop, warm) as (hosts, absent),
        # Nobody asks twice of inputs that were drawn.
        oracle(find_oracle(), None, stop) as oracle_client,
    ):
        missing: dict[str, str] = {}
        subjects = []
        locks = {name: threading.RLock() for name in hosts}
        for implementation in planned.hosted:
            runtime = implementation.runtime
            if runtime in absent:
                missing[implementation.id] = absent[runtime].reason
                continue
            job = Job(
                case=judged_case(planned.case),
                fixture=planned.fixture,
                implementation=implementation,
                precision=precision,
            )
            subject = Subject(implementation, hosts[runtime], job, locks[runtime])
            if (refusal := subject.refusal(job)) is not None:
                missing[implementation.id] = refusal.reason
                continue
            subjects.append(subject)
        if not subjects or subjects[0].id != planned.reference.id:
            raise UsageError(
                f"the reference {planned.reference.id} cannot run: {missing[planned.reference.id]}",
                advice="harness doctor says what is missing",
            )
        begun = time.perf_counter()
        domain, refused = narrowed(domain, subjects[0], math.inf if seconds is None else begun + seconds)
        judge = Judge(plan, precision, subjects, oracle_client, stop)
        hunt = Hunt(
            domain,
            subjects[0],
            subjects[1:],
            judge,
            seed=seed,
            batch=batch,
            on_finding=on_finding,
            on_progress=on_progress,
            spent=time.perf_counter() - begun,
        )
        complaints: list[str] = []
        if isinstance(oracle_client.launch, Absent):
            complaints.append(f"there are no true values: {oracle_client.launch.reason}")
        try:
            yield Session(hunt=hunt, missing=missing, drawn=drawn(domain, refused), complaints=complaints)
        finally:
            complaints += [line for host in hosts.values() for line in host.complaints]
