"""Documents as columns of the matrix: their captured values, compared with the suite's reference."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import numpy as np

from harness.conformance.coarse import judge_coarsely
from harness.conformance.expect import expect_divergences
from harness.conformance.hosts import workers
from harness.conformance.judge import judge_against, judge_truth
from harness.conformance.judging_context import JudgingContext
from harness.conformance.live import LiveHost
from harness.conformance.observe import Job
from harness.conformance.oracle import OracleClient, asks, oracle
from harness.conformance.plan import Plan as CasePlan
from harness.conformance.plan import PlannedCase, make_plan
from harness.conformance.samples import sizes_of
from harness.conformance.sides import Sides
from harness.documents.patch import FILE, Capture, DocumentSpec
from harness.documents.results import Captured, Execution, missing_for
from harness.documents.track import RUNTIMES
from harness.errors import CaseError
from harness.model import (
    Array,
    Case,
    Cell,
    Check,
    Failure,
    Implementation,
    Mode,
    Observation,
    Observed,
    Precision,
    Verdict,
)
from harness.model.outcome import PUBLISHED
from harness.runtimes.oracle import find_oracle
from harness.runtimes.provision.machine import cache_folder

_LANGUAGES = {"r": "R", "python": "Python", "julia": "Julia"}


def judge_captures(
    execution: Execution, specs: Iterable[DocumentSpec], *, suite: Path, glove: Path | None = None
) -> list[Cell]:
    """Judge the captured values of a document as if it were an implementation.

    Parameters
    ----------
    execution : Execution
        A run with the captures of ``specs`` in its plan.
    specs : iterable of DocumentSpec
        The cases' documents.
    suite : Path
        The folder of those cases.
    glove : Path, optional
        The word vectors that the document was given.

    Returns
    -------
    list of Cell
        Chained, live, against the reference, or the truth where the tolerance is derived; only the values
        that the captures name. ``detail`` says what was patched or stood in for.

    Raises
    ------
    CaseError
        A capture names a value, a sample or a precision that its case has not.
    """
    cells: list[Cell] = []
    for spec in specs:
        due = [capture for capture in spec.capture if capture.id in execution.captured]
        if not due:
            continue
        # Only the reference is run, no other runtime.
        plan = make_plan(suite, cases=(spec.case,), glove=glove)
        planned = _needed(plan.cases[0], due)
        with _reference(plan) as (host, oracle_client):
            for precision in dict.fromkeys(capture.precision for capture in due):
                _check(precision, planned, suite)
                job = Job(
                    case=planned.case,
                    fixture=planned.fixture,
                    implementation=planned.reference,
                    precision=precision,
                )
                expected = host.chained(job)
                truths = oracle_client.evaluate(planned, precision, expected).chained if asks(plan) else {}
                for capture in due:
                    if capture.precision is precision:
                        subject = _subject(execution, capture, planned, suite)
                        lacking = missing_for(execution, capture.language)
                        captured = execution.captured[capture.id]
                        actual = _observed(captured, capture, subject.case, lacking)
                        some = {
                            key: observation
                            for key, observation in expected.items()
                            if key[0] in capture.samples
                        }
                        judged = [
                            *judge_against(subject, Mode.CHAINED, Check.REFERENCE, actual, some),
                            *judge_coarsely(subject, Mode.CHAINED, actual, some, truths, planned.fixture),
                            *judge_truth(subject, Mode.CHAINED, actual, truths, some),
                        ]
                        sides = Sides(
                            case=subject.case, chained=actual, reference=some, chained_truths=truths
                        )
                        judged = expect_divergences(subject.implementation.id, judged, sides)
                        cells += [_explained(cell, execution, capture) for cell in judged]
    return cells


@contextlib.contextmanager
def _reference(plan: CasePlan) -> Iterator[tuple[LiveHost, OracleClient]]:
    stop = threading.Event()
    runtime = plan.cases[0].reference.runtime
    with workers(plan.registry, [runtime], stop) as (hosts, absent):
        if runtime in absent:
            raise CaseError(f"the reference cannot run: {absent[runtime].reason}", path=plan.suite)
        with oracle(find_oracle(), cache_folder(os.environ), stop) as oracle_client:
            yield hosts[runtime], oracle_client


def _needed(planned: PlannedCase, due: Iterable[Capture]) -> PlannedCase:
    """The samples that are captured, and the stages that have what is captured or come before it."""
    names = {name for capture in due for name in capture.samples}
    samples = {name: arrays for name, arrays in planned.fixture.samples.items() if name in names}
    values = {name for capture in due for name in capture.values}
    stages = []
    for stage in reversed(planned.case.stages):
        if values & {value.name for value in stage.outputs}:
            stages.append(stage)
            values.update(stage.inputs)
    return msgspec.structs.replace(
        planned,
        case=msgspec.structs.replace(planned.case, stages=tuple(reversed(stages))),
        fixture=msgspec.structs.replace(planned.fixture, samples=samples),
    )


def _check(precision: Precision, planned: PlannedCase, suite: Path) -> None:
    if precision not in planned.case.precisions:
        path = suite / planned.case.name / FILE
        raise CaseError(f"a capture is in {precision.value}, and the case is not", path=path)


def _subject(execution: Execution, capture: Capture, planned: PlannedCase, suite: Path) -> JudgingContext:
    path = suite / planned.case.name / FILE
    unknown = [name for name in capture.values if name not in planned.case.values]
    unknown += [name for name in capture.samples if name not in planned.fixture.samples]
    if unknown:
        raise CaseError(f"the capture {capture.id!r}: the case has no {', '.join(unknown)}", path=path)
    stages = [
        msgspec.structs.replace(
            stage, outputs=tuple(value for value in stage.outputs if value.name in capture.values)
        )
        for stage in planned.case.stages
    ]
    case = msgspec.structs.replace(planned.case, stages=tuple(stage for stage in stages if stage.outputs))
    return JudgingContext(
        case=case,
        implementation=Implementation(
            id=f"{PUBLISHED}.{capture.language}",
            runtime=RUNTIMES[capture.language],
            language=_LANGUAGES[capture.language],
            path=execution.document.path,
        ),
        precision=capture.precision,
        sizes=sizes_of(planned.case, planned.fixture),
    )


def _observed(captured: Captured, capture: Capture, case: Case, lacking: str) -> Observed:
    """Return the captured values; if one is missing and ``lacking`` says why, the stage counts as not run."""
    observed: dict[tuple[str, str], Observation | Failure] = {}
    for sample in capture.samples:
        for stage in case.stages:
            captured_arrays = {value.name: captured[sample, value.name] for value in stage.outputs}
            why = "; ".join(
                f"{name}: {array}" for name, array in captured_arrays.items() if isinstance(array, str)
            )
            if why and lacking:
                observed[sample, stage.name] = Failure(verdict=Verdict.NOT_RUN, reason=lacking)
            elif why:
                observed[sample, stage.name] = Failure(
                    verdict=Verdict.ERROR, reason=f"nothing captured: {why}"
                )
            else:
                outputs = {
                    value.name: _in_kind(captured_arrays[value.name], value.dtype, capture.precision)
                    for value in stage.outputs
                }
                observed[sample, stage.name] = Observation(outputs=outputs, seconds=0.0)
    return observed


def _in_kind(array: Array | str, kind: str, precision: Precision) -> Array:
    """Convert to the compared precision if that changes no value: R computes in doubles, with torch too."""
    assert not isinstance(array, str)
    if kind != "float" or array.dtype.kind not in "fiu" or array.dtype == np.dtype(precision.value):
        return array
    with np.errstate(over="ignore", invalid="ignore"):
        converted = array.astype(precision.value)
        same = np.array_equal(converted.astype(np.float64), array.astype(np.float64), equal_nan=True)
    return converted if same else array


def _explained(cell: Cell, execution: Execution, capture: Capture) -> Cell:
    said = [cell.detail] if cell.detail else []
    patches = dict.fromkeys(
        name for run in execution.chunks if run.language == capture.language for name in run.patched
    )
    said += [f"patched: {name}" for name in patches]
    for track in execution.tracks:
        if track.language == capture.language:
            said += [f"{name}: {what}" for name, what in track.stand_ins.items()]
    return msgspec.structs.replace(cell, detail="; ".join(said))
