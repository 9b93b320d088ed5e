"""Tests of pytest made of the cells of a run: one for each stage, implementation, precision and sample."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from harness.conformance.plan import PlannedCase
from harness.errors import HarnessError, UsageError
from harness.model import Basis, Cell, Implementation, Outcome, Precision, Record, Verdict, outcome_of
from harness.model.outcome import NO_ANSWER
from harness.pytest_plugin.part import fails_in_a_sample, of_case, of_sample
from harness.pytest_plugin.runs import SessionRuns, missing, narrowed
from harness.report import sentence, view
from harness.report.explain_stage import explained, verdict_of
from harness.report.text import visible
from harness.runtimes.oracle import ID as ORACLE

CASE_FILE = "case.toml"

Place = tuple[str, str, str, Precision]
"""Case, stage, implementation and precision."""


class Cells:
    """The hooks of a session that runs a suite.

    Raises
    ------
    HarnessError
        There is no suite, or something in it or in the options is not sound.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.runs = SessionRuns.of(config)
        chosen = self.runs.settings
        self.plan = chosen.plan(cases=chosen.cases, implementations=chosen.implementations)
        there = (*self.plan.runtimes, ORACLE)
        for name in chosen.require:
            if name not in there:
                raise UsageError(
                    f"--conformance-require: nothing chosen is of the runtime {name!r}",
                    advice=f"there are: {', '.join(there)}",
                )
        self.files = {(planned.folder / CASE_FILE).resolve(): planned for planned in self.plan.cases}
        self.cells_by_place: dict[Place, list[Cell]] = {}
        self.common: frozenset[tuple[str, ...]] = frozenset()
        self.told: dict[tuple[str, ...], str] = {}
        here = config.invocation_params.dir
        named = [(here / arg.split("::")[0]).resolve() for arg in config.args]
        if not any(path.is_relative_to(chosen.suite) for path in named):
            config.args += map(str, self.files)

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> CaseFile | None:
        """Take the case.toml of a case that was chosen."""
        planned = self.files.get(file_path.resolve()) if file_path.name == CASE_FILE else None
        if planned is None:
            return None
        file: CaseFile = CaseFile.from_parent(parent, path=file_path, planned=planned)
        return file

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Limit the run to the tests that are left after all plugins have deselected theirs."""
        wanted = set()
        for item in session.items:
            if isinstance(item, StageItem):
                wanted.add((item.case, item.implementation.id))
            elif isinstance(item, CompleteItem):
                wanted |= {(item.case, implementation.id) for implementation in item.planned.implementations}
        self.plan = narrowed(self.plan, wanted)
        self.runs.announce(self.plan)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Look up the test's cells, before pytest decides whether to skip it."""
        if not isinstance(item, StageItem | CompleteItem):
            return
        try:
            record = self.runs.record(self.plan)
        except HarnessError as error:
            pytest.fail(str(error), pytrace=False)
        if isinstance(item, CompleteItem):
            item.record = record
            return
        if not self.cells_by_place:
            for cell in record.cells:
                place = (cell.case, cell.stage, cell.implementation, cell.precision)
                self.cells_by_place.setdefault(place, []).append(cell)
            self.common = frozenset(view.common_faults(record.cells))
        item.take(tuple(self.cells_by_place.get(item.place, ())))
        absent = missing(record, self.runs.settings.require)
        asked = [item.implementation.runtime]
        asked += [ORACLE for cell in item.cells if cell.check == ORACLE]
        for name in asked:
            if name in absent:
                pytest.fail(f"required runtime missing: {name}: {absent[name].reason}", pytrace=False)
        self._tell_once(item)

    def _tell_once(self, item: StageItem) -> None:
        """Skip a test that would say what one before it has said: of a file that cannot be loaded."""
        failing = [cell for cell in item.cells if cell.verdict in view.FAILING]
        faults = {view.fault_of(cell) for cell in failing}
        if not faults or not faults <= self.common:
            return
        before = {self.told[fault] for fault in faults if fault in self.told}
        if faults <= self.told.keys():
            pytest.skip(f"{failing[0].verdict}: {failing[0].reason}; the same as in {min(before)}")
        self.told |= dict.fromkeys(faults - self.told.keys(), item.name)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the outcome of each run of this session."""
        for record in self.runs.finished():
            verdict = sentence.verdict(record)
            terminalreporter.write_sep("=", f"conformance: {verdict.outcome}")
            terminalreporter.write_line(visible(verdict.text))


class CaseFile(pytest.File):
    """A case: its stages, in the order in which they run."""

    def __init__(self, *, planned: PlannedCase, **more: Any) -> None:
        super().__init__(**more)
        self.planned = planned

    def collect(self) -> Iterator[StageItem | CompleteItem]:
        """One test for each output, implementation, precision and sample; and one for the whole case."""
        case = self.planned.case
        for stage in case.values:
            for implementation in self.planned.implementations:
                for precision in self.planned.precisions:
                    short = "" if precision is Precision.FLOAT64 else f"-{precision}"
                    for sample in self.planned.fixture.samples:
                        yield StageItem.from_parent(
                            self,
                            name=f"{case.name}/{stage}/{implementation.id}[{sample}{short}]",
                            stage=stage,
                            implementation=implementation,
                            precision=precision,
                            sample=sample,
                        )
        yield CompleteItem.from_parent(self, name=f"{case.name}/complete", planned=self.planned)


class CompleteItem(pytest.Item):
    """A test that every output of a case was compared, and that every fault of the run fails a test."""

    def __init__(self, *, planned: PlannedCase, **more: Any) -> None:
        super().__init__(**more)
        self.case = planned.case.name
        self.planned = planned
        self.record: Record | None = None

    def runtest(self) -> None:
        """Fail if the case is incomplete, or if no stage's test shows what is wrong."""
        if self.record is None:
            pytest.fail("there was no run", pytrace=False)
        part = of_case(
            self.record, self.case, {implementation.id for implementation in self.planned.implementations}
        )
        run_outcome = outcome_of(part)
        failed = fails_in_a_sample(part.cells)
        why = "\n".join(run_outcome.reasons)
        if run_outcome.outcome is Outcome.INCOMPLETE:
            pytest.fail(f"suite is incomplete: {why}", pytrace=False)
        if run_outcome.outcome is not Outcome.AGREEMENT and not failed:
            pytest.fail(f"{run_outcome.outcome}: {why}", pytrace=False)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The case, and what to call the test."""
        return self.path, 0, self.name


class StageItem(pytest.Item):
    """One output of a stage, in one implementation, precision and sample: both modes, every check."""

    def __init__(
        self, *, stage: str, implementation: Implementation, precision: Precision, sample: str, **more: Any
    ) -> None:
        super().__init__(**more)
        self.case = self.path.parent.name
        self.stage = stage
        self.implementation = implementation
        self.precision = precision
        self.sample = sample
        self.cells: tuple[Cell, ...] = ()

    @property
    def place(self) -> Place:
        """The key that its cells have in common."""
        return (self.case, self.stage, self.implementation.id, self.precision)

    def take(self, cells: tuple[Cell, ...]) -> None:
        """Take the cells of a run; if they were not run, mark the test as skipped."""
        parts = (of_sample(cell, self.sample) for cell in cells)
        self.cells = cells = tuple(part for part in parts if part is not None)
        for cell in cells:
            coarse = " coarse" if cell.basis is Basis.COARSE else ""
            self.user_properties.append(
                (f"{cell.mode} {cell.check}", f"{cell.verdict} {cell.source}{coarse}")
            )
        if cells and (result := verdict_of(cells)).verdict in {Verdict.NOT_RUN, Verdict.UNSUPPORTED}:
            self.add_marker(pytest.mark.skip(reason=f"{result.verdict}: {result.reason}"))

    def setup(self) -> None:
        """Raise an error, not a failure, if there is no value to judge."""
        if not self.cells:
            pytest.fail("the run says nothing of this stage in this sample", pytrace=False)
        cell = verdict_of(self.cells)
        if cell.verdict in NO_ANSWER:
            self._fail(cell)

    def runtest(self) -> None:
        """Fail with the numbers if the stage is off; as an expected failure if that is known."""
        cell = verdict_of(self.cells)
        if cell.verdict is Verdict.XFAIL:
            pytest.xfail(f"known divergence {cell.divergence}: {cell.reason}")
        if cell.verdict is not Verdict.PASS:
            self._fail(cell)

    def _fail(self, cell: Cell) -> NoReturn:
        pytest.fail(f"{cell.verdict}: {cell.reason}\n{explained(self.cells)}", pytrace=False)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The case, and what to call the test."""
        return self.path, 0, self.name
