"""The true values of observed cases: kept ones, and those that the oracle is asked for."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import OrderedDict
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec

from harness.conformance.evaluator import OracleAnswer
from harness.conformance.fill_unsampled import fill_unsampled
from harness.conformance.oracle_asker import OracleAsker
from harness.conformance.oracle_request import derived_outputs, stand_ins, unknown_truths
from harness.conformance.plan import Plan, PlannedCase
from harness.conformance.truth_keys import content_hash, key_of, question_of
from harness.errors import ImplementationError, WorkerError
from harness.model import Absent, Failure, Mode, Observed, Precision, Stage, Truths, Verdict
from harness.runtimes.registry import Launch
from harness.store.temporary import temporary_folder
from harness.store.truths import read_truths, write_truths

KEPT = 256
"""Answers that are kept at hand: those of the cases that are being judged."""


class OracleClient:
    """True values, from the cache or from a worker that is started when it is first needed.

    Without a cache nothing is kept: of inputs that nobody will ask of again.
    """

    def __init__(
        self, launch: Launch | Absent, cache: Path | None, logs: Path, stop: threading.Event
    ) -> None:
        self.launch = launch
        self.cache = cache
        self.logs = logs
        self.stop = stop
        self._asker = OracleAsker(launch, logs, stop)
        self.start_up = self._asker.start_up
        self.busy: dict[str, float] = {}
        self._known: OrderedDict[str, Truths] = OrderedDict()
        self._content: OrderedDict[str, str] = OrderedDict()
        # Values are asked for by the thread of a run's true values, and by the one that judges.
        self._lock = threading.Lock()
        self._last: tuple[tuple[str, Precision], Observed, OracleAnswer] | None = None

    def evaluate(self, planned: PlannedCase, precision: Precision, upstream: Observed) -> OracleAnswer:
        """Return the true values of one case: of the whole graph, and of each stage on the upstream values.

        Parameters
        ----------
        planned : PlannedCase
            Its reference is what is evaluated.
        precision : Precision
            The one that limits are for.
        upstream : Observed
            The inputs of the isolated stages.
        """
        of = (planned.case.name, precision)
        if self._last is not None and self._last[0] == of and self._last[1] is upstream:
            # All implementations of a case are judged by one answer.
            return self._last[2]
        begun = time.perf_counter()
        endless = _endless(upstream)
        chained = self.truths(
            planned, precision, Mode.CHAINED, stand_ins(planned.case, upstream), endless=endless
        )
        isolated = self.truths(planned, precision, Mode.ISOLATED, upstream, endless=endless)
        oracle_answer = OracleAnswer(
            chained=fill_unsampled(chained, planned, upstream),
            isolated=fill_unsampled(isolated, planned, upstream),
        )
        self.busy["oracle"] = self.busy.get("oracle", 0.0) + time.perf_counter() - begun
        self._last = (of, upstream, oracle_answer)
        return oracle_answer

    def on_inputs(
        self, planned: PlannedCase, precision: Precision, stage: Stage, inputs: Observed, reference: Observed
    ) -> Truths:
        """Return the true values of one stage on any values of the stages before it.

        Parameters
        ----------
        planned : PlannedCase
            Its reference is what is evaluated.
        precision : Precision
            The one that limits are for.
        stage : Stage
            The stage.
        inputs : Observed
            Outputs that it takes, which any implementation returned.
        reference : Observed
            What the reference's stage returned on them; its samples are those of the answer.
        """
        samples = {sample: planned.fixture.samples[sample] for sample, _ in reference}
        alone = msgspec.structs.replace(
            planned,
            case=msgspec.structs.replace(planned.case, stages=(stage,)),
            fixture=msgspec.structs.replace(planned.fixture, samples=samples),
        )
        begun = time.perf_counter()
        truths = self.truths(alone, precision, Mode.ISOLATED, inputs, endless=_endless(reference))
        truths = fill_unsampled(truths, alone, {**inputs, **reference})
        self.busy["oracle"] = self.busy.get("oracle", 0.0) + time.perf_counter() - begun
        return truths

    def renew(self) -> None:
        """Forget what files held: they may have changed since the last run. The worker stays."""
        self._content.clear()
        self._last = None
        self.start_up.clear()
        self.busy.clear()

    def kill(self) -> None:
        """End the worker."""
        self._asker.kill()

    def truths(
        self,
        planned: PlannedCase,
        precision: Precision,
        mode: Mode,
        upstream: Observed,
        *,
        endless: Collection[tuple[str, str]] = (),
    ) -> Truths:
        """The true values of one case in one mode, from the cache where they are; see `fill_unsampled`.

        What is ``endless``, by (sample, stage), the oracle is not asked: the reference did not end there.
        """
        if isinstance(self.launch, Absent):
            return unknown_truths(planned, self.launch.reason)
        if planned.reference.runtime != "numpy":
            return unknown_truths(planned, "the oracle evaluates NumPy, and the reference is no NumPy source")
        with self._lock:
            return self._truths(planned, precision, mode, upstream, endless)

    def _truths(
        self,
        planned: PlannedCase,
        precision: Precision,
        mode: Mode,
        upstream: Observed,
        endless: Collection[tuple[str, str]],
    ) -> Truths:
        if self.cache is None:
            return self._asked(planned, precision, mode, upstream, endless)[0]
        of = question_of(planned)
        if of not in self._content:
            self._content[of] = content_hash(planned)
            _forget(self._content)
        content = self._content[of]
        key = key_of(content or of, precision, mode, upstream)
        found = self._known.get(key)
        if found is None and content:
            found = read_truths(self.cache, key)
        if found is None:
            found, lasts = self._asked(planned, precision, mode, upstream, endless)
            if lasts is None:
                return found
            if lasts and content:
                write_truths(self.cache, key, found)
        self._known[key] = found
        self._known.move_to_end(key)
        _forget(self._known)
        return found

    def _asked(
        self,
        planned: PlannedCase,
        precision: Precision,
        mode: Mode,
        upstream: Observed,
        endless: Collection[tuple[str, str]],
    ) -> tuple[Truths, bool | None]:
        """What `OracleAsker.ask` returns; no true values, and None, where the oracle fails."""
        try:
            return self._asker.ask(planned, precision, mode, upstream, endless)
        except (ImplementationError, WorkerError) as error:
            self.kill()
            return unknown_truths(planned, error.message), None


def _forget(kept: OrderedDict[str, Any]) -> None:
    """Drop the oldest of more than `KEPT`."""
    if len(kept) > KEPT:
        kept.popitem(last=False)


def _endless(observed: Observed) -> Collection[tuple[str, str]]:
    """Where the reference did not end in time, by (sample, stage): nor may it in the oracle."""
    return {
        key
        for key, observation in observed.items()
        if isinstance(observation, Failure) and observation.verdict is Verdict.TIMEOUT
    }


@contextlib.contextmanager
def oracle(launch: Launch | Absent, cache: Path | None, stop: threading.Event) -> Iterator[OracleClient]:
    """An oracle, whose worker ends when the context is left; without a cache it keeps nothing."""
    with temporary_folder() as logs:
        oracle_client = OracleClient(launch, cache, logs, stop)
        try:
            yield oracle_client
        finally:
            stop.set()
            oracle_client.kill()


def asks(plan: Plan) -> bool:
    """Whether any case has a derived tolerance."""
    return any(derived_outputs(planned.case) for planned in plan.cases)
