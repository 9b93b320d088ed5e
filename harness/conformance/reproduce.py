"""A stand-alone script that shows one cell of a record without the harness."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path

import msgspec
import numpy as np

from harness.conformance.bounds import bounds_of
from harness.conformance.desk import Desk
from harness.conformance.gather import gather
from harness.conformance.helpers import helper_files
from harness.conformance.live import workers
from harness.conformance.lookup import rule_of, truth_of
from harness.conformance.observe import Environment, Job, Missing, outputs_of
from harness.conformance.oracle import asks, oracle, with_truth
from harness.conformance.plan import Plan, PlannedCase
from harness.conformance.samples import sizes_of
from harness.conformance.scripts import write_script
from harness.conformance.shown import Bounds, Call, Due, OtherSide, Shown
from harness.conformance.sides import Sides
from harness.errors import UsageError
from harness.model import (
    Array,
    Basis,
    Case,
    Cell,
    Check,
    Failure,
    Implementation,
    Mode,
    Observed,
    Precision,
    Published,
    Stage,
    Tolerance,
    Truth,
    Value,
    Verdict,
)
from harness.numerics import tolerance
from harness.runtimes.machine import cache_folder
from harness.runtimes.oracle import find_oracle

SUFFIX = {"numpy": ".py", "torch": ".py", "r": ".R", "julia": ".jl"}
"""By runtime, how a script's name ends."""

SHOWS = frozenset({Verdict.FAIL, Verdict.XFAIL, Verdict.ERROR, Verdict.TIMEOUT})
"""Verdicts of a cell in which something is off."""

SOUND = frozenset({Verdict.PASS, Verdict.XPASS})

FIRST = (Check.ORACLE, Check.REFERENCE, Check.IDENTITY, Check.PUBLISHED, Check.REPEAT)
"""Which check is shown where several could be."""


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """A script, what to call it, and the files that have to lie beside it."""

    name: str
    text: str
    files: Mapping[str, bytes] = {}


def reproduce(
    plan: Plan,
    case: str,
    stage: str,
    implementation: str,
    *,
    mode: Mode | None = None,
    check: Check | None = None,
) -> Script:
    """Write a script for a cell, in its implementation's language.

    Parameters
    ----------
    plan : Plan
        With this case in one precision and one sample.
    case, stage : str
        The case, and the stage or its output.
    implementation : str
        The implementation whose source is written into the script.
    mode, check : Mode, Check, optional
        Which of the stage's cells. By default the first in which something is off: isolated before chained,
        the stage before identities and digits in print.

    Returns
    -------
    Script
        It holds the source file, the inputs bit for bit, and what is due; it ends with 1 where the cell
        fails, and with 0 once it no longer does.

    Raises
    ------
    UsageError
        There is no such thing, nothing was compared there, or no script can be written in its language.
    """
    (planned,) = (one for one in plan.cases if one.case.name == case)
    found = [one for one in planned.implementations if one.id == implementation]
    if not found:
        names = ", ".join(one.id for one in planned.implementations)
        raise UsageError(f"{case} has no implementation {implementation!r}", advice=f"there are: {names}")
    if found[0].runtime not in SUFFIX:
        raise UsageError(
            f"no script can be written for the runtime {found[0].runtime!r}",
            advice=f"it can for {', '.join(SUFFIX)}",
        )
    value = _value(planned.case, stage)
    if any(one.dtype == "complex" for one in _read_and_returned(planned.case, value)):
        raise UsageError(
            f"no script can be written for {value.name}: it takes or returns complex numbers",
            advice="its real and imaginary part as outputs of a stage of their own can be shown",
        )
    kept = msgspec.structs.replace(planned, implementations=(found[0],))
    if not asks(plan):
        # Limits are derived along the whole graph; where none is, what comes later does not matter.
        kept = msgspec.structs.replace(kept, case=_upstream(planned.case, value.name))
    cells, sides, reason = _observed(msgspec.structs.replace(plan, cases=(kept,)), found[0])
    cell = _chosen(cells, value.name, mode, check, unseen=bool(reason))
    if cell is None:
        raise UsageError(
            f"there is nothing to show of {case} {value.name} in {implementation}",
            advice=reason or "; ".join(dict.fromkeys(one.reason for one in cells if one.stage == value.name)),
        )
    return script_of(kept, sides, cell, next(iter(kept.fixture.samples)))


def script_of(planned: PlannedCase, sides: Sides, cell: Cell, sample: str) -> Script:
    """The script for one sample of a cell, from what was observed.

    Parameters
    ----------
    planned : PlannedCase
        The case, with the cell's implementation.
    sides : Sides
        What it returned, and what that is held against.
    cell : Cell
        What is shown.
    sample : str
        In which sample.

    Raises
    ------
    UsageError
        A value that it takes, or that is due, is not there.
    """
    one = next(one for one in planned.implementations if one.id == cell.implementation)
    job = Job(case=sides.case, fixture=planned.fixture, implementation=one, precision=cell.precision)
    upstream = sides.chained if cell.mode is Mode.CHAINED else sides.upstream
    values: Environment = job.inputs(sample) | outputs_of(upstream, sample)
    value = sides.case.values[cell.stage]
    due, left_out = _due(sides, cell, sample, values)
    where = f"{cell.case}, stage {cell.stage}, {cell.implementation}, sample {sample}, {cell.precision}"
    files = helper_files(one.path)
    shown = Shown(
        title=where,
        notes=_notes(cell),
        source=one.path.read_text(encoding="utf-8"),
        call=_call(sides.case, cell.stage, values),
        due=due,
        kind=value.dtype,
        dtype=cell.precision.value,
        nan=value.nan,
        exact=cell.check in (Check.REFERENCE, Check.REPEAT) and _rule(sides.case, cell).rule == "exact",
        left_out=left_out,
        declared=_declared(planned, value, sample) if cell.check is Check.IDENTITY else None,
        files=bool(files),
    )
    text = write_script(one.runtime, shown)
    assert text is not None
    return Script(name=_name(cell, one), text=text, files=files)


def _declared(planned: PlannedCase, value: Value, sample: str) -> tuple[int, ...] | None:
    """The declared shape, which both sides of an identity may miss; None where no input tells a size."""
    sizes = sizes_of(planned.case, planned.fixture)[sample]
    shape = [size if isinstance(size, int) else sizes.get(size) for size in value.shape]
    known = tuple(size for size in shape if size is not None)
    return known if len(known) == len(shape) else None


def _notes(cell: Cell) -> tuple[str, ...]:
    inputs = (
        "The inputs are what this implementation itself returned before."
        if cell.mode is Mode.CHAINED
        else "The inputs are what the reference returned before."
    )
    against = {
        Check.ORACLE: "the true value",
        Check.REFERENCE: f"what {cell.against} returned",
        Check.REPEAT: "what it returned before",
        Check.IDENTITY: f"its own {cell.against}, which is the same by an identity of the case",
        Check.PUBLISHED: f"digits in print: {cell.against}",
    }[cell.check]
    said = f"The cell ({cell.mode}, {cell.check}) is {cell.verdict}"
    if cell.verdict is Verdict.NOT_RUN:
        said = "It has not been run"
    reason = f": {' '.join(cell.reason.split())}" if cell.reason else "."
    return f"{inputs} What it returns is held against {against}.", f"{said}{reason}"


def _name(cell: Cell, implementation: Implementation) -> str:
    parts = [cell.case, cell.stage, implementation.id.replace(".", "_")]
    if cell.check in (Check.IDENTITY, Check.PUBLISHED):
        parts.append(cell.check.value)
    elif cell.mode is Mode.CHAINED:
        parts.append(cell.mode.value)
    if cell.precision is not Precision.FLOAT64:
        parts.append(cell.precision.value)
    return "_".join(parts) + SUFFIX[implementation.runtime]


def _value(case: Case, name: str) -> Value:
    """The stage's output, or a stage's first, of this name."""
    for stage in case.stages:
        for value in stage.outputs:
            if name == value.name:
                return value
    for stage in case.stages:
        if name == stage.name:
            return stage.outputs[0]
    raise UsageError(f"{case.name} has no stage {name!r}", advice=f"there are: {', '.join(case.values)}")


def _read_and_returned(case: Case, value: Value) -> tuple[Value, ...]:
    """A value, and what its stage takes."""
    named = case.values | {one.name: one for one in case.inputs}
    return value, *(named[name] for name in case.owner(value.name).inputs)


def _upstream(case: Case, name: str) -> Case:
    """The case up to one output and the other sides of its identities, and what is said of that."""
    identities = tuple(one for one in case.identities if name in (one.left, one.right))
    wanted = {name, *(side for one in identities for side in (one.left, one.right))}
    kept: list[Stage] = []
    for stage in reversed(case.stages):
        if wanted.intersection(value.name for value in stage.outputs):
            kept.append(stage)
            wanted.update(stage.inputs)
    names = {value.name for stage in kept for value in stage.outputs}
    known = {one.id for one in identities}
    return msgspec.structs.replace(
        case,
        stages=tuple(reversed(kept)),
        identities=identities,
        published=tuple(one for one in case.published if one.stage == name),
        known_divergences=tuple(
            one for one in case.known_divergences if one.identity in known or one.stage in names
        ),
    )


def _observed(plan: Plan, implementation: Implementation) -> tuple[list[Cell], Sides, str]:
    """The cells of one implementation, what they compare, and why there may be none."""
    (planned,) = plan.cases
    stop = threading.Event()
    with (
        workers(plan.registry, dict.fromkeys(plan.runtimes), stop) as (hosts, absent),
        oracle(find_oracle(), cache_folder(os.environ), stop) as one,
    ):
        if planned.reference.runtime in absent:
            raise UsageError(f"the reference cannot run: {absent[planned.reference.runtime].reason}")
        missing = [Missing(runtime=name, reason=gone.reason) for name, gone in absent.items()]
        desk = Desk(plan, lambda progress: None)
        found = []
        for item, told in with_truth(gather(plan, [*hosts.values(), *missing], stop), one):
            if item.implementation.id == planned.reference.id:
                _refuse_failures(item.chained)
            desk.judge(item, told)
            if item.implementation.id == implementation.id:
                found.append((item, told))
        ((item, told),) = found
        if item.refusal is not None and asks(plan):
            told = one.tell(planned, item.precision, item.reference)
    sides = Sides(
        case=planned.case,
        chained=item.chained,
        isolated=item.isolated,
        reference=item.reference,
        upstream=item.reference if item.refusal is not None else item.upstream,
        chained_truths=told.chained,
        isolated_truths=told.isolated,
    )
    cells = [cell for cell in desk.cells if cell.implementation == implementation.id]
    if item.refusal is not None:
        if item.refusal.verdict is not Verdict.NOT_RUN:
            raise UsageError(f"{implementation.id} cannot be observed: {item.refusal.reason}")
        # The script can be written where its language is missing.
        seen = (cell for cell in cells if cell.mode is Mode.ISOLATED)
        cells = [_not_seen(cell, sides, planned, item.refusal.reason) for cell in seen]
    return cells, sides, item.refusal.reason if item.refusal is not None else ""


def _not_seen(cell: Cell, sides: Sides, planned: PlannedCase, why: str) -> Cell:
    """What a cell would compare, of an implementation that cannot run here."""
    told = sides.expected(cell, next(iter(planned.fixture.samples)))
    if isinstance(told, Failure):
        reference = planned.reference.id
        cell = msgspec.structs.replace(cell, check=Check.REFERENCE, against=reference, basis=Basis.COARSE)
    return msgspec.structs.replace(cell, reason=why)


def _refuse_failures(observed: Observed) -> None:
    failed = [(stage, one) for (_, stage), one in observed.items() if isinstance(one, Failure)]
    if failed:
        stage, why = failed[0]
        raise UsageError(f"the reference has no value for the stage {stage}: {why.reason}")


def _chosen(
    cells: list[Cell], name: str, mode: Mode | None, check: Check | None, *, unseen: bool
) -> Cell | None:
    """The cell that is shown: the first that is off, else the first that was compared, or could be."""
    about = [
        cell
        for cell in cells
        if (cell.stage == name or (cell.check is Check.IDENTITY and cell.against == name))
        and (unseen or cell.verdict in SHOWS | SOUND)
        and (mode is None or cell.mode is mode)
        and (check is None or cell.check is check)
    ]
    ranked = sorted(
        about,
        key=lambda cell: (
            cell.verdict not in SHOWS,
            cell.check not in (Check.ORACLE, Check.REFERENCE),
            cell.mode is Mode.CHAINED,
            FIRST.index(cell.check),
        ),
    )
    return ranked[0] if ranked else None


def _call(case: Case, name: str, values: Environment) -> Call:
    owner, value = case.owner(name), case.values[name]
    missing = [one for one in owner.inputs if one not in values]
    if missing:
        raise UsageError(f"{name} cannot be shown: there is no upstream value of {', '.join(missing)}")
    return Call(
        function=owner.name,
        inputs=tuple((one, values[one]) for one in owner.inputs),
        output=owner.outputs.index(value),
        outputs=len(owner.outputs),
    )


def _due(
    sides: Sides, cell: Cell, sample: str, values: Environment
) -> tuple[Due | Bounds | OtherSide, Array | None]:
    """What should come out, and the elements that are not judged."""
    expected = sides.expected(cell, sample)
    if isinstance(expected, Failure):
        raise UsageError(f"{cell.stage} cannot be shown: {expected.reason}")
    if isinstance(expected, Published):
        found = sides.actual(cell, sample)
        if isinstance(found, Failure):
            raise UsageError(f"{cell.stage} cannot be shown: {found.reason}")
        try:
            return bounds_of(expected, found.shape)
        except ValueError as error:
            raise UsageError(f"{cell.stage} cannot be shown: {error}") from error
    if isinstance(expected, Truth):
        return _of_truth(expected), expected.undecided
    if cell.check is not Check.IDENTITY:
        rule = _rule(sides.case, cell).at(sample)
        limit = (
            _limit(rule, expected) if cell.basis is not Basis.COARSE else _coarse(expected, cell.precision)
        )
        return Due(high=expected, low=np.zeros(expected.shape), limit=limit), None
    identity = next(
        one for one in sides.case.identities if (one.left, one.right) == (cell.stage, cell.against)
    )
    call = _call(sides.case, cell.against, values)
    if identity.tolerance.rule != "derived":
        return OtherSide(call=call, limit=_limit(identity.tolerance.at(sample), expected)), None
    values_of = (sides.case.values[name] for name in (cell.stage, cell.against))
    left, right = (truth_of(sides.chained_truths, sample, value) for value in values_of)
    for one in (left, right):
        if isinstance(one, Failure):
            raise UsageError(f"{cell.stage} cannot be shown: {one.reason}")
    assert isinstance(left, Truth)
    assert isinstance(right, Truth)
    marks = [one.undecided for one in (left, right) if one.undecided is not None]
    limit = left.limit.astype(np.float64) + right.limit.astype(np.float64)
    return OtherSide(call=call, limit=limit), np.logical_or.reduce(marks) if marks else None


def _rule(case: Case, cell: Cell) -> Tolerance:
    return Tolerance(rule="exact") if cell.check is Check.REPEAT else rule_of(case.values[cell.stage])


def _of_truth(truth: Truth) -> Due:
    return Due(high=truth.high, low=truth.low, limit=truth.limit.astype(np.float64))


def _limit(rule: Tolerance, expected: Array) -> Array:
    limit: Array = np.broadcast_to(np.float64(tolerance.limit(rule, expected)), expected.shape)
    return limit


def _coarse(expected: Array, precision: Precision) -> Array:
    limit: Array = np.broadcast_to(np.float64(tolerance.coarse_limit(expected, precision)), expected.shape)
    return limit


def write(script: Script, folder: Path) -> Path:
    """Save a script and the files beside it; raises UsageError if one cannot be written."""
    path = folder / script.name
    try:
        for name, content in script.files.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(script.text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror}", path=path) from error
    return path
