"""A search on a Dask cluster: each unit draws with a seed of its own, and what they find is joined."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from harness.cluster.connect import connected, slots
from harness.cluster.dispatch import Dispatcher
from harness.cluster.prepared import prepared
from harness.cluster.sessions import Session, in_session
from harness.cluster.units import Answer, Common, Unit, named_at_home, units_of
from harness.conformance.plan import Plan
from harness.fuzz.hunt import Tally
from harness.fuzz.session import session as search
from harness.fuzz.told import Told, told
from harness.fuzz.zeros import Sign
from harness.model import Array

APART = 1_000_000
"""The seeds of a search are so far from those of the next seed."""
SLICE = 30.0
"""Seconds that a unit draws inputs for, at most."""
SHARE = 20_000
"""Inputs that a unit draws, at most."""


class FuzzUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a search: a seed, and a time or a number of inputs. ``kept`` are inputs to try first."""

    of: Unit
    seed: int
    seconds: float | None
    inputs: int | None
    batch: int
    kept: tuple[Mapping[str, Array], ...] = ()

    @property
    def runtimes(self) -> tuple[str, ...]:
        """What it needs."""
        return self.of.runtimes

    @property
    def weight(self) -> int:
        """How much work it is, beside others of the search."""
        return self.inputs or 1


class Searched(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a unit.

    ``shown`` says which of the inputs that were kept still show something; ``missing`` and ``left_out`` why
    implementations were not compared, or not to the end; ``signs`` are of zeros.
    """

    seed: int
    tally: Tally
    told: tuple[Told, ...]
    shown: tuple[bool, ...]
    names: tuple[str, ...]
    drawn: tuple[str, ...]
    missing: Mapping[str, str]
    left_out: Mapping[str, str]
    signs: tuple[Sign, ...]
    complaints: tuple[str, ...]


def fuzz_units(common: Common, units: tuple[FuzzUnit, ...]) -> tuple[float, list[Answer]]:
    """Search, in a Dask worker."""
    return in_session(
        common, len(units), lambda session: [_searched(session, common, unit) for unit in units]
    )


def _searched(session: Session, common: Common, unit: FuzzUnit) -> Answer:
    plan = Plan(suite=session.suite, registry=session.registry, cases=(session.planned(unit.of),))
    found: list[Told] = []
    with search(
        plan,
        seed=unit.seed,
        seconds=unit.seconds,
        batch=unit.batch,
        on_finding=lambda finding: found.append(told(finding, unit.seed)),
        warm=session.warm,
    ) as opened:
        hunt = opened.hunt
        shown = tuple(hunt.replay(unit.kept))
        hunt.warm_up()
        hunt.run(seconds=unit.seconds, inputs=unit.inputs)
    home = [
        msgspec.structs.replace(
            each, lines=tuple(named_at_home(line, common, session.tree) for line in each.lines)
        )
        for each in found
    ]
    return Answer(
        found=Searched(
            seed=unit.seed,
            tally=hunt.tally,
            told=tuple(home),
            shown=shown,
            names=tuple(subject.id for subject in (hunt.reference, *hunt.others)),
            drawn=tuple(opened.drawn),
            missing=dict(opened.missing),
            left_out=hunt.left_out,
            signs=tuple(hunt.signs.told),
            complaints=tuple(opened.complaints),
        )
    )


def fuzz_on_dask(
    plan: Plan,
    address: str,
    *,
    seed: int,
    seconds: float | None,
    inputs: int | None,
    batch: int,
    kept: Sequence[Mapping[str, Array]] = (),
    without: Path | None = None,
    wait: float = 60.0,
    glove: Path | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> Iterator[Searched | str]:
    """Search on the workers of a Dask cluster.

    Parameters
    ----------
    plan : Plan
        With one case, in one precision.
    address : str
        That of the scheduler; ``local:N`` starts N Dask workers here.
    seed, seconds, inputs, batch
        As in `harness.fuzz.hunt.Hunt`; the seconds are those of every Dask worker, the inputs all together.
    kept : sequence of mapping
        Inputs to try first, by the first unit.
    without : Path, optional
        A folder that need not be sent.
    wait, glove, say
        As in `harness.cluster.run.run_on_dask`.

    Yields
    ------
    Searched or str
        What came of each unit, in their order; or why nothing did.

    Raises
    ------
    ClusterError, UsageError
        As of `harness.cluster.run.run_on_dask`.
    """
    (of,) = units_of(plan)
    with ExitStack() as stack:
        client = stack.enter_context(connected(address))
        archive, common = prepared(plan, glove=glove, without=without)
        units = parts(of, seed, seconds, inputs, batch, slots(client, address))
        units[0] = msgspec.structs.replace(units[0], kept=tuple(kept))
        dispatcher = Dispatcher(client, common, archive, units, work=fuzz_units, wait=wait, say=say)
        yield from in_their_order(dispatcher)


def parts(
    of: Unit, seed: int, seconds: float | None, inputs: int | None, batch: int, workers: int
) -> list[FuzzUnit]:
    """The units of a search; those of a number of inputs are the same for any number of workers."""
    if inputs is not None:
        number = -(-inputs // SHARE)
        shares = [min(SHARE, inputs - place * SHARE) for place in range(number)]
    else:
        assert seconds is not None
        rounds = max(1, round(seconds / SLICE))
        shares = [0] * (rounds * workers)
        seconds /= rounds
    return [
        FuzzUnit(of=of, seed=seed * APART + place, seconds=seconds, inputs=share or None, batch=batch)
        for place, share in enumerate(shares)
    ]


def in_their_order(dispatcher: Dispatcher) -> Iterator[Searched | str]:
    """The results of a dispatcher in the order of its units; an interrupt ends what runs there."""
    early: dict[int, Searched | str] = {}
    due = 0
    try:
        for place, answer in dispatcher.results():
            early[place] = answer.failure or answer.found
            while due in early:
                yield early.pop(due)
                due += 1
    except BaseException:
        dispatcher.stop()
        raise
