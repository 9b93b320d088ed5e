"""A whole run on a Dask cluster: send the units, write the record as they come."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from harness.cluster.connect import connected
from harness.cluster.dispatch import Dispatcher
from harness.cluster.gathered import Gathered
from harness.cluster.prepared import prepared
from harness.cluster.spool import Spool
from harness.cluster.units import Answer, Unit, lost_lines, units_of, written
from harness.conformance.early import reason_of
from harness.conformance.evaluator import Progress
from harness.conformance.logs import FOLDER as LOGS
from harness.conformance.logs import fresh_folder, tidy
from harness.conformance.observers import Replaying
from harness.conformance.plan import Plan
from harness.conformance.run import check_required
from harness.model import Cell, Examined
from harness.store.record import FILE
from harness.store.streamed_record import StreamedRecord
from harness.store.temporary import temporary_folder


def run_on_dask(
    plan: Plan,
    address: str,
    *,
    out: Path,
    wait: float = 60.0,
    require: tuple[str, ...] = (),
    replay: Replaying = "never",
    strict: bool = False,
    glove: Path | None = None,
    others: Iterable[Cell | Examined] = (),
    on_progress: Callable[[Progress], None] = lambda progress: None,
    on_completing: Callable[[], None] = lambda: None,
    say: Callable[[str], None] = lambda text: None,
) -> None:
    """Run a plan on the workers of a Dask cluster.

    The record is that of `harness.conformance.run.run`, but for its times and the machines.

    Parameters
    ----------
    plan : Plan
        What to run.
    address : str
        That of the scheduler; ``local:N`` starts N Dask workers here.
    out : Path
        The folder that ``results.jsonl`` is written to, in the order of the plan.
    wait : float
        Seconds to wait for a Dask worker while none can be used.
    require, replay, strict, others, on_progress, on_completing
        As in `harness.conformance.run.run`; what replays everything needs no cluster.
    glove : Path, optional
        The word vectors that the plan was made with.
    say : callable
        Called with what a user should know: which Dask worker is not used, or lost.

    Raises
    ------
    ClusterError
        No scheduler answers there, or no Dask worker comes that can be used.
    UsageError
        The suite cannot be sent.
    """
    check_required(plan, require)
    begun = time.perf_counter()
    units = units_of(plan)
    progress = _Shown(units, on_progress)
    with contextlib.ExitStack() as stack:
        client = stack.enter_context(connected(address))
        archive, common = prepared(
            plan, require=require, replay=replay, strict=strict, glove=glove, without=out
        )
        dispatcher = Dispatcher(client, common, archive, units, wait=wait, say=say, on_wait=progress.wait)
        writer = stack.enter_context(StreamedRecord(out / FILE))
        spool = Spool(stack.enter_context(temporary_folder()))
        fresh_folder(out / LOGS)
        tidy(out / LOGS)
        gathered = Gathered(plan, require, replay, writer, dispatcher.crew.known)
        _run(plan, units, dispatcher, spool, gathered, progress, others, on_completing, begun)


def _run(
    plan: Plan,
    units: list[Unit],
    dispatcher: Dispatcher,
    spool: Spool,
    gathered: Gathered,
    progress: _Shown,
    others: Iterable[Cell | Examined],
    on_completing: Callable[[], None],
    begun: float,
) -> None:
    interrupted = ""
    try:
        try:
            for place, answer in dispatcher.results():
                progress.judged(place, _in_words(plan, units[place], answer))
                for turn, due in spool.put(place, answer):
                    gathered.write(_in_words(plan, units[turn], due))
            for line in others:
                gathered.write_other(line)
            on_completing()
        except KeyboardInterrupt as error:
            on_completing()
            interrupted = reason_of(error)
            dispatcher.stop()
            for turn, due in spool.rest():
                gathered.write(_in_words(plan, units[turn], due))
    except BaseException:
        dispatcher.stop()
        raise
    gathered.close(interrupted, time.perf_counter() - begun)


class _Shown:
    """Shows the progress of units as that of a run."""

    def __init__(self, units: list[Unit], show: Callable[[Progress], None]) -> None:
        self._units = units
        self._show = show
        self._done = 0

    def wait(self, text: str) -> None:
        self._show(
            Progress(done=self._done, total=len(self._units), case="", implementation="", waiting=text)
        )

    def judged(self, place: int, answer: Answer) -> None:
        self._done += 1
        unit = self._units[place]
        self._show(
            Progress(
                done=self._done,
                total=len(self._units),
                case=unit.case,
                implementation="",
                precision=unit.precision.value,
                verdicts=answer.verdicts,
            )
        )


def _in_words(plan: Plan, unit: Unit, answer: Answer) -> Answer:
    """An answer with lines; those of a unit that could not be run say why."""
    if not answer.failure or answer.lines:
        return answer
    lost = written(lost_lines(plan, unit, answer.failure))
    return msgspec.structs.replace(answer, lines=lost.lines, verdicts=lost.verdicts)
