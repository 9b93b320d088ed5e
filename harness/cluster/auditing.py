"""An audit on a Dask cluster: a unit is one implementation of a case in a precision, with all its faults."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from harness.audit.audit import audit, live_runtimes, replayed_runtimes
from harness.audit.types import Audit, AuditTally, InjectedFault, Level, Tried
from harness.cluster.connect import connected
from harness.cluster.dispatch import Dispatcher
from harness.cluster.prepared import prepared
from harness.cluster.sessions import Session, in_session
from harness.cluster.units import Answer, Common, Unit, named_at_home, units_of
from harness.conformance.evaluator import Progress
from harness.conformance.plan import Plan
from harness.model.outcome import WORKER_FAULT


class AuditUnit(msgspec.Struct, frozen=True, kw_only=True):
    """One implementation of a case in a precision, judged beside all others.

    ``replayed`` are runtimes that snapshots answer for.
    """

    of: Unit
    implementation: str
    levels: frozenset[Level]
    replayed: frozenset[str]

    @property
    def runtimes(self) -> tuple[str, ...]:
        """What it needs."""
        return self.of.runtimes

    @property
    def weight(self) -> int:
        """How much work it is, beside others."""
        return self.of.weight


def audit_units(common: Common, units: tuple[AuditUnit, ...]) -> tuple[float, list[Answer]]:
    """Audit, in a Dask worker."""
    return in_session(common, len(units), lambda session: [_audited(session, common, unit) for unit in units])


def _audited(session: Session, common: Common, unit: AuditUnit) -> Answer:
    planned = session.planned(unit.of)
    plan = Plan(suite=session.suite, registry=session.registry, cases=(planned,))
    result = audit(
        plan,
        frozenset({(planned.case.name, unit.implementation)}),
        levels=unit.levels,
        replayed=unit.replayed,
        warm=session.warm,
    )

    def home(tried: tuple[Tried, ...]) -> tuple[Tried, ...]:
        return tuple(
            msgspec.structs.replace(each, reason=named_at_home(each.reason, common, session.tree))
            for each in tried
        )

    return Answer(
        found=msgspec.structs.replace(
            result,
            equivalent=home(result.equivalent),
            survivors=home(result.survivors),
            complaints=tuple(named_at_home(text, common, session.tree) for text in result.complaints),
        )
    )


def audit_on_dask(
    plan: Plan,
    chosen: frozenset[tuple[str, str]],
    address: str,
    *,
    levels: frozenset[Level] = frozenset(Level),
    without: Path | None = None,
    wait: float = 60.0,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    say: Callable[[str], None] = lambda text: None,
) -> Audit:
    """Put every fault into everything that was chosen, as `harness.audit.audit.audit` does, on a cluster.

    Parameters
    ----------
    plan, chosen, levels, on_progress
        As in `harness.audit.audit.audit`.
    address : str
        That of the scheduler; ``local:N`` starts N Dask workers here.
    without : Path, optional
        A folder that need not be sent.
    wait, say
        As in `harness.cluster.run.run_on_dask`.

    Raises
    ------
    ClusterError, UsageError
        As of `harness.cluster.run.run_on_dask`.
    """
    begun = time.perf_counter()
    replayed = replayed_runtimes(plan)
    live = live_runtimes(plan, chosen, levels, replayed)
    units = [
        AuditUnit(of=_needing(unit, live), implementation=name, levels=levels, replayed=replayed)
        for unit in units_of(plan)
        for name in _hosted(plan, unit.case)
        if (unit.case, name) in chosen
    ]
    with ExitStack() as stack:
        client = stack.enter_context(connected(address))
        archive, common = prepared(plan, runtimes=live, without=without)
        dispatcher = Dispatcher(client, common, archive, units, work=audit_units, wait=wait, say=say)
        audits: dict[int, Audit] = {}
        try:
            for place, answer in dispatcher.results():
                unit = units[place]
                audits[place] = answer.found if not answer.failure else _lost(unit, answer.failure)
                on_progress(
                    Progress(
                        done=len(audits),
                        total=len(units),
                        case=unit.of.case,
                        implementation=unit.implementation,
                        precision=unit.of.precision.value,
                    )
                )
        except BaseException:
            dispatcher.stop()
            raise
    whole = joined([audits[place] for place in range(len(units))])
    names = tuple(f"{case}/{name}" for case, name in sorted(chosen))
    return msgspec.structs.replace(whole, implementations=names, seconds=time.perf_counter() - begun)


def joined(audits: Iterable[Audit]) -> Audit:
    """Audits of several implementations as one, in their order."""
    audits = list(audits)
    counts: Counter[tuple[str, Level, InjectedFault, str]] = Counter()
    for each in audits:
        for tally in each.tallies:
            for name in ("injected", "killed", "equivalent", "survived"):
                counts[tally.case, tally.level, tally.fault, name] += getattr(tally, name)
    sources: dict[str, str] = {}
    for each in audits:
        sources |= each.sources
    return Audit(
        tallies=tuple(
            AuditTally(
                case=case,
                level=level,
                fault=fault,
                injected=counts[case, level, fault, "injected"],
                killed=counts[case, level, fault, "killed"],
                equivalent=counts[case, level, fault, "equivalent"],
                survived=counts[case, level, fault, "survived"],
            )
            for case, level, fault in dict.fromkeys(key[:3] for key in counts)
        ),
        equivalent=tuple(tried for each in audits for tried in each.equivalent),
        survivors=tuple(tried for each in audits for tried in each.survivors),
        implementations=tuple(name for each in audits for name in each.implementations),
        sources=dict(sorted(sources.items())),
        complaints=tuple(dict.fromkeys(text for each in audits for text in each.complaints)),
        seconds=sum(each.seconds for each in audits),
    )


def _hosted(plan: Plan, case: str) -> list[str]:
    planned = next(planned for planned in plan.cases if planned.case.name == case)
    return [implementation.id for implementation in planned.hosted]


def _needing(unit: Unit, live: Sequence[str]) -> Unit:
    """A unit that needs what has to run alone."""
    return msgspec.structs.replace(unit, runtimes=tuple(name for name in unit.runtimes if name in live))


def _lost(unit: AuditUnit, reason: str) -> Audit:
    """The audit of what could not be run anywhere."""
    where = f"{unit.of.case} {unit.implementation} {unit.of.precision}"
    return Audit(
        tallies=(),
        equivalent=(),
        survivors=(),
        implementations=(f"{unit.of.case}/{unit.implementation}",),
        sources={},
        complaints=(f"{WORKER_FAULT}{where}: {reason}",),
        seconds=0.0,
    )
