"""The script of one cell in one sample, from what was observed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from harness.conformance.bounds import bounds_of
from harness.conformance.coded import (
    encoded,
    optional_inputs,
    readable,
    signature_of,
    taken_by,
    values_of,
)
from harness.conformance.due import beyond_horizon, due_of_data, due_of_reference, due_of_truth, limit_of
from harness.conformance.helpers import helper_files
from harness.conformance.judging_context import find_value
from harness.conformance.lookup import rule_of, truth_of
from harness.conformance.lost_numbers import made_by_rounding
from harness.conformance.observe import Environment, Job, outputs_of
from harness.conformance.plan import PlannedCase
from harness.conformance.samples import sizes_of
from harness.conformance.script_foreign import written
from harness.conformance.scripts import write_script
from harness.conformance.shown import Bounds, Call, Due, OtherSide, Shown
from harness.conformance.sides import Sides
from harness.errors import UsageError
from harness.model import (
    OF_A_STAGE,
    Array,
    Basis,
    Case,
    Cell,
    Check,
    Failure,
    Fixture,
    Implementation,
    Mode,
    Precision,
    Published,
    Tolerance,
    Truth,
    Value,
    Verdict,
)
from harness.model.outcome import BY_VALUE
from harness.numerics.tolerance import least_quotient
from harness.numerics.truth import beside_gap, unlimited_elements

SUFFIX = {"numpy": ".py", "torch": ".py", "jax": ".py", "jax-jit": ".py", "r": ".R", "julia": ".jl"}
"""The suffix of a script, by its writer."""


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """A script, what to call it, the files that have to lie beside it, and what went wrong with workers."""

    name: str
    text: str
    files: Mapping[str, bytes] = {}
    complaints: tuple[str, ...] = ()


def script_of(planned: PlannedCase, sides: Sides, cell: Cell, sample: str) -> Script:
    """Return the script for one sample of a cell, from the observations.

    Parameters
    ----------
    planned : PlannedCase
        The case, with the cell's implementation.
    sides : Sides
        What it returned, and what that is compared with.
    cell : Cell
        What is shown.
    sample : str
        In which sample.

    Raises
    ------
    UsageError
        An input or the expected value is missing.
    """
    implementation = next(i for i in planned.implementations if i.id == cell.implementation)
    job = Job(
        case=sides.case, fixture=planned.fixture, implementation=implementation, precision=cell.precision
    )
    upstream = sides.chained if cell.mode is Mode.CHAINED else sides.upstream
    values: Environment = job.inputs(sample) | outputs_of(upstream, sample)
    value = sides.case.values[cell.stage]
    due, left_out = _due(sides, cell, sample, values, planned.fixture, implementation)
    if cell.check in OF_A_STAGE:
        left_out = _or_beyond(sides, cell, sample, due, left_out)
    where = f"{cell.case}, stage {cell.stage}, {cell.implementation}, sample {sample}, {cell.precision}"
    held = written(implementation, sides.case, planned.folder, cell.precision.value)
    files = {**held.files, **_called_modules(sides.case, cell.stage, implementation)}
    shown = Shown(
        title=where,
        notes=_notes(cell, value),
        source=held.source,
        call=_call(sides.case, cell.stage, values, implementation),
        due=due,
        kind=value.dtype,
        dtype=cell.precision.value,
        nan=value.nan,
        exact=cell.check in (Check.REFERENCE, Check.REPEAT)
        and _rule(sides.case, cell).at(sample).rule == "exact",
        left_out=left_out,
        declared=_declared(planned, value, sample) if cell.check is Check.IDENTITY else None,
        files=bool(files),
        unparsed=_is_unparsed(cell, implementation),
        form=_form(value),
    )
    text = write_script(held.writer, shown)
    assert text is not None
    return Script(name=_name(cell, implementation, held.writer), text=text, files=files)


def _is_unparsed(cell: Cell, implementation: Implementation) -> bool:
    """Whether R could not parse the source: it writes file:line:column: before what it did not expect."""
    place = re.search(rf"{re.escape(implementation.path.name)}:\d+:\d+: ", cell.detail)
    return implementation.runtime == "r" and cell.verdict is Verdict.ERROR and place is not None


def _declared(planned: PlannedCase, value: Value, sample: str) -> tuple[int, ...] | None:
    """The declared shape, which both sides of an identity may miss; None where no input tells a size."""
    sizes = sizes_of(planned.case, planned.fixture)[sample]
    shape = [size if isinstance(size, int) else sizes.get(size) for size in value.shape]
    known = tuple(size for size in shape if size is not None)
    return known if len(known) == len(shape) else None


def _notes(cell: Cell, value: Value) -> tuple[str, ...]:
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
        Check.EXPECTED: f"what {cell.against} has",
    }[cell.check]
    said = f"The cell ({cell.mode}, {cell.check}) is {cell.verdict}"
    if cell.verdict is Verdict.NOT_RUN:
        said = "It has not been run"
    reason = f": {' '.join(cell.reason.split())}" if cell.reason else "."
    notes = [f"{inputs} What it returns is compared with {against}.", f"{said}{reason}"]
    if value.up_to is not None and cell.check in BY_VALUE:
        notes.append(
            f"What is expected is, of all that is the same up to {value.up_to}, what lies nearest to it."
        )
    return tuple(notes)


def _name(cell: Cell, implementation: Implementation, writer: str) -> str:
    parts = [cell.case, cell.stage, re.sub("[.-]", "_", implementation.id)]
    if cell.check in (Check.IDENTITY, Check.PUBLISHED, Check.EXPECTED):
        parts.append(cell.check.value)
    elif cell.mode is Mode.CHAINED:
        parts.append(cell.mode.value)
    if cell.precision is not Precision.FLOAT64:
        parts.append(cell.precision.value)
    return "_".join(parts) + SUFFIX[writer]


def _form(value: Value) -> Literal["", "text", "date", "time", "missing"]:
    if value.dtype == "text" or value.dtype == "date" or value.dtype == "time":
        return value.dtype
    return "missing" if value.missing else ""


def _called_modules(case: Case, name: str, implementation: Implementation) -> dict[str, bytes]:
    """The module beside the source that a stage is called in, with what it needs."""
    module = case.owner(name).called_in(implementation.id).partition(":")
    place = implementation.path.parent.joinpath(*module[0].split(".")).with_suffix(".py")
    if not module[1] or not place.is_file():
        return {}
    beside = place.relative_to(implementation.path.parent).as_posix()
    return {beside: place.read_bytes(), **helper_files(place)}


def _call(case: Case, name: str, values: Environment, implementation: Implementation) -> Call:
    owner, value = case.owner(name), case.values[name]
    optional = optional_inputs(case)
    taken = taken_by(case, owner, implementation.id)
    missing = [input_ for input_ in taken if input_ not in values and input_ not in optional]
    if missing:
        raise UsageError(f"{name} cannot be shown: there is no upstream value of {', '.join(missing)}")
    how = signature_of(case, owner, implementation.id)
    known = values_of(case)
    return Call(
        function=owner.name,
        inputs=tuple(
            (_readable(known[input_], values[input_]), encoded(known[input_], values[input_]))
            if input_ in values
            else (input_, None)
            for input_ in taken
        ),
        how=how,
        output=owner.outputs.index(value),
        outputs=len(owner.outputs),
        names=tuple(output.name for output in owner.outputs),
    )


def _readable(value: Value, array: Array) -> str:
    """An input's name, and where its numbers stand for something else, what that is."""
    if not _form(value):
        return value.name
    words = " ".join(repr(readable(value, array).tolist()).split())
    return f"{value.name}: {words[:77]}{'...' if len(words) > 77 else ''}"


def _due(
    sides: Sides,
    cell: Cell,
    sample: str,
    values: Environment,
    fixture: Fixture,
    implementation: Implementation,
) -> tuple[Due | Bounds | OtherSide, Array | None]:
    """Return the expected value, and the elements that are not judged."""
    expected = sides.expected(cell, sample)
    if isinstance(expected, Failure):
        raise UsageError(f"{cell.stage} cannot be shown: {expected.reason}")
    if isinstance(expected, Published):
        actual = sides.actual(cell, sample)
        if isinstance(actual, Failure):
            raise UsageError(f"{cell.stage} cannot be shown: {actual.reason}")
        try:
            return bounds_of(expected, actual.shape)
        except ValueError as error:
            raise UsageError(f"{cell.stage} cannot be shown: {error}") from error
    if isinstance(expected, Truth):
        ours = sides.actual(cell, sample)
        return due_of_truth(expected if isinstance(ours, Failure) else beside_gap(ours, expected))
    if cell.check is Check.EXPECTED:
        return due_of_data(sides.case.values[cell.stage], expected, sample, fixture, cell.precision), None
    if cell.check is not Check.IDENTITY:
        rule = _rule(sides.case, cell).at(sample)
        due = due_of_reference(expected, rule, cell.precision, coarse=cell.basis is Basis.COARSE)
        if cell.basis is not Basis.COARSE:
            return due, None
        truth = sides.truth(cell, sample)
        if isinstance(truth, Truth) and unlimited_elements(truth).any():
            return due, ~unlimited_elements(truth)
        known = sides.truths(cell).get((sample, cell.stage))
        return _on_any_branch(due, known, sides.actual(cell, sample)), _made_by_rounding(
            sides, cell, sample, values, known
        )
    identity = next(i for i in sides.case.identities if (i.left, i.right) == (cell.stage, cell.against))
    call = _call(sides.case, cell.against, values, implementation)
    if identity.tolerance.rule != "derived":
        return OtherSide(
            call=call, limit=limit_of(identity.tolerance.at(sample), expected, cell.precision)
        ), None
    values_of = (sides.case.values[name] for name in (cell.stage, cell.against))
    left, right = (truth_of(sides.chained_truths, sample, value) for value in values_of)
    for side in (left, right):
        if isinstance(side, Failure):
            raise UsageError(f"{cell.stage} cannot be shown: {side.reason}")
    assert isinstance(left, Truth)
    assert isinstance(right, Truth)
    marks = [truth.undecided for truth in (left, right) if truth.undecided is not None]
    limit = left.limit.astype(np.float64) + right.limit.astype(np.float64)
    return OtherSide(call=call, limit=limit), np.logical_or.reduce(marks) if marks else None


def _or_beyond(
    sides: Sides, cell: Cell, sample: str, due: Due | Bounds | OtherSide, left_out: Array | None
) -> Array | None:
    """Mark numbers beyond the horizon as well; what is no number there is judged."""
    horizon = rule_of(sides.case.values[cell.stage]).at(sample).horizon
    marks = beyond_horizon(due.high.shape, horizon) if isinstance(due, Due) else None
    if marks is None:
        return left_out
    actual = sides.actual(cell, sample)
    if isinstance(actual, np.ndarray) and actual.shape == marks.shape:
        marks &= np.isfinite(actual)
    return marks if left_out is None else marks | left_out.astype(bool)


def _on_any_branch(due: Due, truth: Truth | Failure | None, ours: object) -> Due:
    """Return the coarse expectation, wider where undecided elements have bounds."""
    if not isinstance(truth, Truth) or truth.reach is None or truth.high.shape != due.high.shape:
        return due
    if isinstance(ours, np.ndarray):
        truth = beside_gap(ours, truth)
    assert truth.reach is not None
    known = np.isfinite(truth.reach)
    return Due(
        high=np.where(known, truth.high, due.high).astype(due.high.dtype),
        low=due.low,
        limit=np.where(known, truth.reach, due.limit),
    )


def _made_by_rounding(
    sides: Sides, cell: Cell, sample: str, values: Environment, truth: Truth | Failure | None
) -> Array | None:
    """Mark the numbers that the cell leaves out, since rounding may have made the reference's NaN."""
    ours, theirs = sides.actual(cell, sample), sides.expected(cell, sample)
    if not (isinstance(ours, np.ndarray) and isinstance(theirs, np.ndarray) and isinstance(truth, Truth)):
        return None
    if not ours.shape == theirs.shape == truth.high.shape:
        return None
    stage, _ = find_value(sides.case, cell.stage)
    inputs = [values[name] for name in stage.inputs if name in values]
    marks = made_by_rounding(ours, theirs, truth, least_quotient(inputs, cell.precision))
    return marks if marks.any() else None


def _rule(case: Case, cell: Cell) -> Tolerance:
    return Tolerance(rule="exact") if cell.check is Check.REPEAT else rule_of(case.values[cell.stage])


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
