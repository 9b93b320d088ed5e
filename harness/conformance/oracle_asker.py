"""Asks the oracle's worker for the true values of a case, sample by sample, within a budget of its time."""

from __future__ import annotations

import threading
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np

from harness.conformance.coded import encoded, optional_inputs, signatures_of, values_of
from harness.conformance.loading import LOAD_DEADLINE
from harness.conformance.observe import Environment, Job, outputs_of
from harness.conformance.oracle_request import derived_outputs, needed_stages, stated_limits, truth_from
from harness.conformance.plan import PlannedCase
from harness.errors import WorkerError
from harness.model import Absent, Failure, Mode, Observed, Precision, Truth, Verdict
from harness.runtimes.oracle_worker import OracleWorker, TruthReply
from harness.runtimes.registry import Launch

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

GIVE_UP = 3
"""After so many samples of a case on which the oracle crashed or took too long, it is asked no more."""


class OracleAsker:
    """Asks a worker that is started when it is first needed, and anew where it has ended."""

    def __init__(self, launch: Launch | Absent, logs: Path, stop: threading.Event) -> None:
        self.start_up: dict[str, float] = {}
        self._launch = launch
        self._logs = logs
        self._stop = stop
        self._worker: OracleWorker | None = None
        self._starts = 0

    def ask(
        self,
        planned: PlannedCase,
        precision: Precision,
        mode: Mode,
        upstream: Observed,
        endless: Collection[tuple[str, str]],
    ) -> tuple[dict[tuple[str, str], Truth | Failure], bool]:
        """Ask the oracle, and return its values and whether they would be the same again.

        A crash or a time-out need not recur, and a faster machine gets further before the time is spent.

        Parameters
        ----------
        planned : PlannedCase
            Its reference is what is evaluated.
        precision : Precision
            The one that limits are for.
        mode : Mode
            Whether stages take what the oracle has for those before them, or ``upstream``.
        upstream : Observed
            The values that stages take.
        endless : collection of (str, str)
            By (sample, stage), what is not asked: the reference did not end there.

        Raises
        ------
        ImplementationError
            The reference cannot be loaded.
        WorkerError
            The worker does not start, or the run was stopped.
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
            if self._stop.is_set():
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
                if self._stop.is_set():
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

    def kill(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.kill()

    def _started(self) -> OracleWorker:
        assert isinstance(self._launch, Launch)
        if self._stop.is_set():
            raise WorkerError("the run was stopped")
        if self._worker is None or not self._worker.alive:
            self._starts += 1
            log = self._logs / f"oracle.{self._starts}.stderr"
            self._worker = OracleWorker.start("oracle", self._launch, stderr=log)
            self.start_up["oracle"] = self.start_up.get("oracle", 0.0) + self._worker.start_seconds
        return self._worker
