"""Asks the oracle for the true values of observed cases."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import OrderedDict
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from harness.conformance.coded import encoded, optional_inputs, signatures_of, values_of
from harness.conformance.evaluator import OracleAnswer
from harness.conformance.fill_unsampled import fill_unsampled
from harness.conformance.loading import LOAD_DEADLINE
from harness.conformance.observe import Environment, Job, outputs_of
from harness.conformance.oracle_request import (
    derived_outputs,
    needed_stages,
    stand_ins,
    stated_limits,
    truth_from,
    unknown_truths,
)
from harness.conformance.plan import Plan, PlannedCase
from harness.conformance.truth_keys import content_hash, key_of, question_of
from harness.errors import ImplementationError, WorkerError
from harness.model import Absent, Failure, Mode, Observed, Precision, Stage, Truth, Truths, Verdict
from harness.runtimes.oracle_worker import OracleWorker, TruthReply
from harness.runtimes.registry import Launch
from harness.store.temporary import temporary_folder
from harness.store.truths import read_truths, write_truths

BITS = {Precision.FLOAT64: 53, Precision.FLOAT32: 24, Precision.FLOAT16: 11, Precision.BFLOAT16: 8}

BALLS = 3
"""Samples of a case, drawn at random, whose worst case is computed in ball arithmetic as well."""

PATIENCE = 10.0
"""A whole graph of one sample, in balls, may take so many times as long as one call of a stage."""

BUDGET = 30.0
"""Seconds of the oracle's processor that a case's true values may take in one mode.

First evaluations are made in any case, and count: where they take all, no precision is raised.

One sample takes no more than half of what is left, but for the last.
"""

KEPT = 256
"""Answers that are kept at hand: those of the cases that are being judged."""

GIVE_UP = 3
"""After so many samples of a case on which the oracle crashed or took too long, it is asked no more."""


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
        self.start_up: dict[str, float] = {}
        self.busy: dict[str, float] = {}
        self._worker: OracleWorker | None = None
        self._starts = 0
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
        if self._worker is not None:
            self._worker.kill()

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
        """What `_ask` returns; no true values, and None, where the oracle fails."""
        try:
            return self._ask(planned, precision, mode, upstream, endless)
        except (ImplementationError, WorkerError) as error:
            self.kill()
            return unknown_truths(planned, error.message), None

    def _ask(
        self,
        planned: PlannedCase,
        precision: Precision,
        mode: Mode,
        upstream: Observed,
        endless: Collection[tuple[str, str]],
    ) -> tuple[dict[tuple[str, str], Truth | Failure], bool]:
        """Ask the oracle, and return its values and whether they would be the same again.

        A crash or a time-out need not recur, and a faster machine gets further before the time is spent.
        """
        case = planned.case
        stages, derived = needed_stages(case, mode), derived_outputs(case)
        arity = {stage.name: len(stage.inputs) for stage in stages}
        worker = self._started()
        signatures = signatures_of(case, stages, planned.reference.id)
        # Most cases have none.
        also: dict[str, Any] = {"signatures": signatures} if signatures else {}
        handle = worker.load(planned.reference.path, arity, deadline=LOAD_DEADLINE, **also).handle
        declared, optional = values_of(case), optional_inputs(case)
        job = Job(case=case, fixture=planned.fixture, implementation=planned.reference, precision=precision)
        names = list(planned.fixture.samples)
        drawn = np.random.default_rng(0).permutation(len(names))[:BALLS]
        truths: dict[tuple[str, str], Truth | Failure] = {}
        left, lasts = BUDGET, True
        failures = 0
        for place, sample in enumerate(names):
            if self.stop.is_set():
                raise WorkerError("the run was stopped")
            values: Environment = job.inputs(sample) | outputs_of(upstream, sample)
            taken = {
                name: encoded(declared.get(name), values[name])
                for stage in stages
                for name in stage.inputs
                if name in values
            }
            stated = (
                stated_limits(case, precision, sample, taken, derived, values) if mode is Mode.CHAINED else {}
            )
            try:
                if not worker.alive:
                    worker = self._started()
                    handle = worker.load(planned.reference.path, arity, deadline=LOAD_DEADLINE, **also).handle
                truth_reply = worker.truth(
                    handle,
                    taken | {f"{name}:limit": limit for name, limit in stated.items()},
                    stages=[stage for stage in stages if (sample, stage.name) not in endless],
                    wanted=derived,
                    feed=mode is Mode.CHAINED,
                    bits=BITS[precision],
                    balls=place in drawn,
                    deadline=PATIENCE * case.timeout,
                    stated=stated,
                    # What one sample cannot use the others may.
                    seconds=left / 2.0 if place + 1 < len(names) else left,
                    **({"left_out": optional - values.keys()} if optional - values.keys() else {}),
                )
            except WorkerError as error:
                failures += 1
                if self.stop.is_set():
                    raise
                if failures == GIVE_UP:
                    self.kill()
                    reason = f"the oracle failed in {failures} samples and is asked no more: {error.message}"
                    unasked = Failure(verdict=Verdict.NOT_RUN, reason=reason)
                    return truths | {(s, name): unasked for s in names[place:] for name in derived}, False
                truth_reply = TruthReply(
                    values={}, problems={stage.name: error.message for stage in stages}, why={}
                )
            left = max(0.0, left - truth_reply.spent)
            lasts = lasts and not truth_reply.cut
            truths |= {
                (sample, name): truth_from(parts, truth_reply.why.get(name, ""), truth_reply.gaps.get(name))
                for name, parts in truth_reply.values.items()
                # A value of the other kind is compared with what is declared, and has no true value here.
                if (parts[0].dtype.kind == "c") == (case.values[name].dtype == "complex")
            }
            for stage in stages:
                problem = truth_reply.problems.get(stage.name, "nothing was told")
                if (sample, stage.name) in endless:
                    problem, lasts = f"the reference's {stage.name} did not end in time", False
                unknown = Failure(verdict=Verdict.NOT_RUN, reason=problem)
                for value in stage.outputs:
                    if value.name in derived:
                        truths.setdefault((sample, value.name), unknown)
        worker.release(handle)
        return truths, lasts and not failures

    def _started(self) -> OracleWorker:
        assert isinstance(self.launch, Launch)
        if self.stop.is_set():
            raise WorkerError("the run was stopped")
        if self._worker is None or not self._worker.alive:
            self._starts += 1
            log = self.logs / f"oracle.{self._starts}.stderr"
            self._worker = OracleWorker.start("oracle", self.launch, stderr=log)
            self.start_up["oracle"] = self.start_up.get("oracle", 0.0) + self._worker.start_seconds
        return self._worker


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
