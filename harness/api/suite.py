"""Run a suite, and load a record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from os import PathLike
from pathlib import Path

import msgspec

from harness.api.results import Results, ValueKey
from harness.conformance.evaluator import Progress
from harness.conformance.gather import FinishedUnit
from harness.conformance.observe import Observer
from harness.conformance.observers import Replaying
from harness.conformance.plan import Plan, make_plan
from harness.conformance.run import run as run_plan
from harness.errors import UsageError
from harness.model import Array, Observation
from harness.store.lock import only_writer
from harness.store.record import find_record
from harness.store.suites import current_folder, find_suite

Names = str | Sequence[str]
"""One name or pattern, or several."""


def run(
    suite: str | PathLike[str] | None = None,
    *,
    cases: Names = "*",
    implementations: Names = "*",
    samples: Names = "*",
    precisions: Names = "*",
    require: Names = (),
    replay: Replaying = "missing",
    strict: bool = False,
    glove: str | PathLike[str] | None = None,
    out: str | PathLike[str] | None = None,
    values: bool = True,
    on_progress: Callable[[Progress], None] | None = None,
) -> Results:
    """Run a suite as ``harness run`` does.

    Parameters
    ----------
    suite : path, optional
        A folder of cases; without it the one that the current folder belongs to.
    cases, implementations, samples, precisions : str or sequence of str
        Glob patterns; ``!GLOB`` leaves out.
    require : str or sequence of str
        Runtimes that must be there: without one the outcome is INCOMPLETE.
    replay : {"missing", "always", "never"}
        Which runtimes are answered from the snapshots instead of live.
    strict : bool
        Fail what is compared coarsely.
    glove : path, optional
        Word vectors in GloVe's text format.
    out : path, optional
        A folder for the record and the workers' logs; nothing is written without it.
    values : bool
        Keep what the implementations returned, in memory.
    on_progress : callable, optional
        Called after every implementation of a case.

    Returns
    -------
    Results
        All verdicts, and the values.

    Raises
    ------
    HarnessError
        A case, a fixture or an argument that cannot be used; its text says what to do.
    KeyboardInterrupt
        The run was interrupted; its workers have ended. The record in ``out`` has what was done.
    """
    plan = make_plan(
        find_suite(current_folder()) if suite is None else Path(suite),
        cases=names_of("cases", cases),
        implementations=names_of("implementations", implementations),
        samples=names_of("samples", samples),
        precisions=names_of("precisions", precisions),
        glove=None if glove is None else Path(glove),
    )
    if replay not in ("missing", "always", "never"):
        raise UsageError(f"replay cannot be {replay!r}", advice='there are "missing", "always", "never"')
    with ExitStack() as stack:
        folder = None if out is None else Path(out)
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise UsageError(f"cannot be written: {error.strerror}", path=folder) from error
            stack.enter_context(only_writer(folder))
        return run_and_keep(
            plan,
            out=folder,
            require=names_of("require", require),
            replay=replay,
            strict=strict,
            values=values,
            on_progress=on_progress,
        )


def run_and_keep(
    plan: Plan,
    *,
    out: Path | None = None,
    require: tuple[str, ...] = (),
    replay: Replaying = "never",
    strict: bool = False,
    values: bool = True,
    on_progress: Callable[[Progress], None] | None = None,
    in_process: Sequence[Observer] = (),
) -> Results:
    """Run a plan, and keep what was returned.

    Raises
    ------
    KeyboardInterrupt
        The run was interrupted.
    """
    kept: dict[ValueKey, Array] = {}
    record = run_plan(
        plan,
        out=out,
        require=require,
        replay=replay,
        strict=strict,
        on_progress=on_progress or (lambda progress: None),
        on_observed=(lambda unit: kept.update(_values_of(unit))) if values else (lambda unit: None),
        in_process=in_process,
    )
    if record.footer is None or record.footer.partial:
        raise KeyboardInterrupt(record.footer.reason if record.footer is not None else "")
    return Results(record, kept if values else None)


def load(path: str | PathLike[str]) -> Results:
    """Read the record of a run.

    Parameters
    ----------
    path : path
        A ``results.jsonl``, or the folder that holds one.

    Returns
    -------
    Results
        Without values, which no record has. Of a run that did not end, what it had done: INCOMPLETE.

    Raises
    ------
    RecordError
        There is no record, it is damaged, or it was changed.
    """
    return Results(find_record(Path(path)))


def with_notes(results: Results, notes: Sequence[str]) -> Results:
    """The same results with notes for the reader."""
    return Results(results.record, results._values, tuple(notes))


def names_of(what: str, given: Names) -> tuple[str, ...]:
    """One name or several, as a tuple.

    Raises
    ------
    UsageError
        It is something else.
    """
    try:
        return msgspec.convert((given,) if isinstance(given, str) else tuple(given), tuple[str, ...])
    except (TypeError, msgspec.ValidationError) as error:
        raise UsageError(f"{what} cannot be {given!r}", advice="give a text, or a list of texts") from error


def _values_of(unit: FinishedUnit) -> dict[ValueKey, Array]:
    return {
        ValueKey(unit.planned.case.name, name, unit.implementation.id, sample, str(unit.precision)): array
        for (sample, _), observation in unit.chained.items()
        if isinstance(observation, Observation)
        for name, array in observation.outputs.items()
    }
