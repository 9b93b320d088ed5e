"""Check one function that several languages have, with no file but those in which it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from harness.api.functions import FileFunction
from harness.api.in_process import InProcess
from harness.api.inputs import Inputs, arguments_of, fixture_of, samples_of
from harness.api.results import Results
from harness.api.subjects import Function, Subject, subject_of
from harness.api.suite import Names, names_of, run_and_keep, with_notes
from harness.api.tolerance import check_names, tolerance_from
from harness.authoring.shapes import outputs_in, run_once, several
from harness.authoring.symbols import KINDS, Symbols
from harness.conformance.observe import Job
from harness.conformance.plan import Plan, PlannedCase
from harness.errors import UsageError
from harness.model import (
    Array,
    Case,
    Failure,
    Fixture,
    Form,
    Observed,
    Precision,
    Stage,
    Tolerance,
    Value,
)
from harness.runtimes.registry import Registry
from harness.store.beside import FilesBeside
from harness.store.cases import RESERVED
from harness.store.temporary import temporary_folder


def check(
    implementations: Mapping[str, Function],
    inputs: Inputs,
    *,
    name: str | None = None,
    tolerance: Mapping[str, Any] | None = None,
    precisions: Names = "float64",
    require: Names = (),
    timeout: float = 60.0,
) -> Results:
    """Run one function in several languages on the same inputs, and say who agrees.

    Parameters
    ----------
    implementations : mapping of str to function
        Python functions, `RFunction` and `JuliaFunction`, by names such as ``"numpy"`` and ``"r"``. One
        that is called ``"torch"``, or ``"torch.…"``, takes and returns tensors; other Python functions take
        and return NumPy arrays. A function returns one array, or a tuple of them.
    inputs : mapping, or sequence of mapping
        Array-likes by the names of the arguments, as the first Python function has them: one sample, or
        several. All functions are called by position in that order.
    name : str, optional
        What the function is called in the results; by default, as the first one.
    tolerance : mapping, optional
        A rule as a ``case.toml`` has it, such as ``{"rule": "allclose", "rtol": 1e-9, "atol": 0, "reason":
        "…"}``. Without it, limits are derived from the first Python function whose source can be found.
    precisions : str or sequence of str
        ``"float64"``, ``"float32"``, ``"float16"``, ``"bfloat16"``.
    require : str or sequence of str
        Runtimes that must be there, such as ``"r"``: without one the outcome is INCOMPLETE.
    timeout : float
        Seconds that one call may take.

    Returns
    -------
    Results
        A Python function whose source can be found was run by a worker, and compared with the true values
        that follow from its operations. One whose source cannot be found (a lambda, a function written in C
        or typed at a prompt) was called in this process, and compared with the others: ``notes`` says so.

    Raises
    ------
    UsageError
        An argument that cannot be used; its text says what to do.
    KeyboardInterrupt
        The run was interrupted; its workers have ended.

    Examples
    --------
    >>> def softmax(x):
    ...     e = np.exp(x - x.max())
    ...     return e / e.sum()
    >>> harness.check({"numpy": softmax, "r": RFunction("softmax.R", "softmax")}, {"x": [1.0, 2.0, 3.0]})
    <Results AGREEMENT: ...>
    """
    _check_arguments(implementations, timeout)
    rule = None if tolerance is None else tolerance_from(tolerance)
    formats = tuple(_precision(text) for text in names_of("precisions", precisions))
    first = next((f for f in implementations.values() if not isinstance(f, FileFunction)), None)
    one: Any = next(iter(samples_of(inputs)), {})
    order = None if first is None or not isinstance(one, Mapping) else arguments_of(first, one)
    fixture, arguments = fixture_of(inputs, order)
    stage = _identifier(name if name is not None else _name_of(next(iter(implementations.values()))))
    with temporary_folder() as kept:
        folder = kept / stage
        folder.mkdir()
        subjects = [subject_of(folder, stage, key, each) for key, each in implementations.items()]
        reference = next((each for each in subjects if each.implementation.runtime == "numpy"), subjects[0])
        bare = Case(
            name=stage,
            title=stage,
            origin="harness.check",
            fixture=fixture.name,
            inputs=tuple(Value(name=argument, shape=()) for argument in arguments),
            stages=(),
            precisions=formats,
            reference=reference.implementation.id,
            timeout=timeout,
        )
        case = _with_outputs(bare, stage, arguments, fixture, reference, rule, kept)
        planned = PlannedCase(
            folder=folder,
            case=case,
            fixture=fixture,
            reference=reference.implementation,
            implementations=tuple(each.implementation for each in subjects),
            precisions=formats,
            beside=FilesBeside(folder, [each.implementation.path for each in subjects]),
        )
        calls = {each.implementation.id: each.call for each in subjects if each.call is not None}
        jobs = [
            Job(case=case, fixture=fixture, implementation=each.implementation, precision=precision)
            for each in subjects
            if each.call is not None
            for precision in formats
        ]
        results = run_and_keep(
            Plan(suite=kept, registry=Registry.load(kept), cases=(planned,)),
            require=names_of("require", require),
            in_process=[InProcess(calls, jobs)] if calls else [],
        )
    notes = [
        f"{each.implementation.id} was called in this process: {each.why}." for each in subjects if each.why
    ]
    if reference.implementation.runtime != "numpy" and rule is None:
        notes.append("No limit could be derived: no function here is one of NumPy whose source can be found.")
    return with_notes(results, notes)


def _check_arguments(implementations: Mapping[str, Function], timeout: float) -> None:
    if not isinstance(implementations, Mapping) or not implementations:
        raise UsageError(
            "there is no function to check", advice='give {"numpy": f, "r": RFunction("fit.R", "fit")}'
        )
    for key, function in implementations.items():
        if not isinstance(key, str) or not re.fullmatch(r"\w+(?:\.\w+)?", key, re.ASCII):
            raise UsageError(f"{key!r} cannot name an implementation", advice="use letters, digits and _")
        if not isinstance(function, FileFunction) and not callable(function):
            raise UsageError(
                f"{key} is a {type(function).__name__}, not a function",
                advice="give a Python function, RFunction(file, name) or JuliaFunction(file, name)",
            )
    if not (isinstance(timeout, int | float) and 0 < timeout < float("inf")):
        raise UsageError(f"timeout cannot be {timeout!r}", advice="give seconds, above 0")


def _precision(text: str) -> Precision:
    try:
        return Precision(text)
    except ValueError as error:
        raise UsageError(
            f"there is no precision {text!r}", advice=f"there are: {', '.join(Precision)}"
        ) from error


def _name_of(function: Function) -> str:
    if isinstance(function, FileFunction):
        return function.name
    return str(getattr(function, "__name__", type(function).__name__))


def _identifier(name: str) -> str:
    """A name that a function can have in every language."""
    kept = re.sub(r"\W", "_", name, flags=re.ASCII).strip("_")
    return kept if kept[:1].isalpha() and kept not in RESERVED else f"f_{kept}".rstrip("_")


def _with_outputs(
    case: Case,
    stage: str,
    arguments: Sequence[str],
    fixture: Fixture,
    reference: Subject,
    rule: Tolerance | None,
    suite: Path,
) -> Case:
    """The case with its stage, whose outputs are what the reference returns."""
    symbols = Symbols({*arguments, stage})
    inputs = tuple(
        msgspec.structs.replace(
            value,
            shape=symbols.shape([arrays[value.name] for arrays in fixture.samples.values()]),
            dtype=KINDS[next(iter(fixture.samples.values()))[value.name].dtype.kind],
        )
        for value in case.inputs
    )
    single = stage if stage not in arguments else f"{stage}_value"
    names: tuple[str, ...] = (single,)
    found = _returned(case, stage, arguments, names, fixture, reference, suite)
    if isinstance(found, Failure) and (count := several(found)) is not None:
        names = tuple(f"{single}_{at}" for at in range(1, count + 1))
        found = _returned(case, stage, arguments, names, fixture, reference, suite)
    values = tuple(
        # Where the reference gives no answer, that is what the run says.
        Value(name=name, shape=(), tolerance=rule)
        if isinstance(found, Failure)
        else _value(name, list(found[name].values()), symbols, rule)
        for name in names
    )
    for value in values:
        if value.tolerance is not None and not isinstance(found, Failure):
            check_names(value.tolerance, value, inputs)
    stages = (_stage(stage, fixture, arguments, values),)
    return msgspec.structs.replace(case, inputs=inputs, stages=stages)


def _stage(stage: str, fixture: Fixture, arguments: Sequence[str], outputs: tuple[Value, ...]) -> Stage:
    """The one stage: a number by itself is given to a function in Python as a number, and not as an array."""
    samples = list(fixture.samples.values())
    forms = tuple(
        Form(name=name, given="" if any(arrays[name].ndim for arrays in samples) else "scalar")
        for name in arguments
    )
    takes = () if all(form.is_plain for form in forms) else forms
    return Stage(name=stage, inputs=tuple(arguments), outputs=outputs, takes=takes)


def _returned(
    case: Case,
    stage: str,
    arguments: Sequence[str],
    names: Sequence[str],
    fixture: Fixture,
    reference: Subject,
    suite: Path,
) -> dict[str, dict[str, Array]] | Failure:
    outputs = tuple(Value(name=name, shape=()) for name in names)
    whole = msgspec.structs.replace(case, stages=(_stage(stage, fixture, arguments, outputs),))
    implementation = reference.implementation
    observed: Observed
    if reference.call is not None:
        job = Job(case=whole, fixture=fixture, implementation=implementation, precision=whole.precisions[0])
        observed = InProcess({implementation.id: reference.call}, [job]).chained(job)
    else:
        ran, missing = run_once(whole, fixture, [implementation], suite)
        if implementation.id not in ran:
            raise UsageError(
                f"{implementation.language} is not here: {missing.get(implementation.runtime, '')}",
                advice="harness doctor says what to do; or give a Python function as well",
            )
        observed = ran[implementation.id]
    return outputs_in(observed, fixture, stage)


def _value(name: str, arrays: Sequence[Array], symbols: Symbols, rule: Tolerance | None) -> Value:
    if len({array.ndim for array in arrays}) > 1:
        raise UsageError(
            f"{name} has {' or '.join(str(array.ndim) for array in arrays)} dimensions",
            advice="check the samples one by one: an output has one number of dimensions",
        )
    kind = KINDS[arrays[0].dtype.kind]
    exact = Tolerance(rule="exact") if kind in ("int", "bool") else rule
    nan = kind in ("float", "complex") and any(bool(np.isnan(array).any()) for array in arrays)
    return Value(name=name, shape=symbols.shape(arrays), dtype=kind, nan=nan, tolerance=exact)
