"""The object that the fixture ``conformance`` gives to a test."""

from __future__ import annotations

import pytest

from harness.model import Cell, Outcome, Precision, Record, Verdict, outcome_of
from harness.model.outcome import JUDGED
from harness.pytest_plugin.part import of_case
from harness.pytest_plugin.runs import SessionRuns, missing
from harness.report.explain_stage import explained, verdict_of
from harness.report.view import FAILING


class Conformance:
    """Checks implementations of a case, in a user's own tests."""

    def __init__(self, config: pytest.Config) -> None:
        self._runs = SessionRuns.of(config)

    def check(self, case: str, *, impl: str = "*") -> Record:
        """Run a case, and fail the test where a stage is off.

        The same question is run once in a session; where ``--conformance`` runs the case anyway, never again.
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
        plan = self._runs.settings.plan(cases=(case,), implementations=(impl,))
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
