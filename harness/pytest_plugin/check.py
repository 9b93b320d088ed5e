"""The object that the fixture ``conformance`` gives to a test."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.errors import HarnessError, ProvisionError
from harness.model import Cell, Outcome, Precision, Record, Verdict, outcome_of
from harness.model.outcome import JUDGED
from harness.pytest_plugin.part import of_case
from harness.pytest_plugin.runs import SessionRuns, missing
from harness.pytest_plugin.settings import required
from harness.report.explain_stage import explained, verdict_of
from harness.report.view import FAILING

if TYPE_CHECKING:
    from harness.programs.said import Alignment


class Conformance:
    """Checks implementations of a case, in a user's own tests."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @cached_property
    def _runs(self) -> SessionRuns:
        # Two programs need no suite.
        return SessionRuns.of(self._config)

    def check(self, case: str, *, impl: str = "*") -> Record:
        """Run a case, and fail the test where a stage is off.

        The same question is run once in a session, and again where a file that it follows from has changed;
        where ``--conformance`` runs the case anyway, that run answers.
        Where the runtime is missing the test is skipped, with the reason.

        Parameters
        ----------
        case : str
            The name of a case of the suite.
        impl : str
            The implementations to look at: a glob pattern.

        Returns
        -------
        Record
            The run, in which there may be other cases and implementations too.

        Raises
        ------
        AssertionError
            A stage is off, raised an error or timed out, or was compared with nothing; a known divergence no
            longer shows; a runtime that ``--conformance-require`` names is missing.
        UsageError
            There is no such case or implementation.
        """
        __tracebackhide__ = True
        try:
            plan = self._runs.settings.plan(cases=(case,), implementations=(impl,))
        except HarnessError as error:
            # What a test asked for wrongly is shown at its line, and not deep in here.
            raise error.with_traceback(None) from None
        record = self._runs.record(plan)
        asked = {
            implementation.id: implementation.runtime
            for planned in plan.cases
            for implementation in planned.implementations
        }
        for name, absent in missing(record, self._runs.settings.require).items():
            if name in asked.values():
                raise AssertionError(f"required runtime missing: {name}: {absent.reason}")
        stages: dict[tuple[str, str, Precision], list[Cell]] = {}
        for cell in record.cells:
            if cell.case == case and cell.implementation in asked:
                stages.setdefault((cell.stage, cell.implementation, cell.precision), []).append(cell)
        failed = [cells for cells in stages.values() if verdict_of(cells).verdict in FAILING]
        if failed:
            raise AssertionError("\n".join(map(explained, failed)))
        part = of_case(record, case, asked)
        compared = any(cell.verdict in JUDGED for cell in part.cells)
        if not compared and set(asked.values()) <= {a.runtime for a in record.header.absent}:
            reasons = [cell.reason for cells in stages.values() for cell in cells]
            pytest.skip(f"{Verdict.NOT_RUN}: {reasons[0] if reasons else 'nothing was compared'}")
        run_outcome = outcome_of(part)
        if run_outcome.outcome is not Outcome.AGREEMENT:
            raise AssertionError("\n".join((f"{run_outcome.outcome}: {case}", *run_outcome.reasons)))
        return record

    def align(
        self, a: str | PathLike[str], b: str | PathLike[str], *, same: Mapping[str, str] | None = None
    ) -> Alignment:
        """Run two existing programs, and fail the test where their results do not all agree.

        Where a language of theirs is missing the test is skipped, with the reason; with
        ``--conformance-require`` of it the test fails.

        Parameters
        ----------
        a, b : path
            Programs in Python, R or Julia.
        same : mapping of str to str
            Variables of ``a`` that are known to be those of ``b``.

        Returns
        -------
        Alignment
            As of `harness.align`.

        Raises
        ------
        AssertionError
            Results differ, a program failed, or no results could be compared: the first statement that
            differs, with both lines and their values.
        UsageError
            A file is not there, or its ending names no language.
        """
        __tracebackhide__ = True
        from harness.programs.files import align
        from harness.programs.launch import as_program

        try:
            alignment = align(a, b, same=same)
        except ProvisionError as error:
            if {as_program(Path(path)).language for path in (a, b)} & set(required(self._config)):
                raise AssertionError(f"required runtime missing: {error}") from error
            pytest.skip(f"{Verdict.NOT_RUN}: {error}")
        except HarnessError as error:
            raise error.with_traceback(None) from None
        alignment.raise_for_divergence()
        return alignment
