"""Tests of pytest made of the cells of a run: one for each stage, implementation and precision."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from harness.conformance.plan import PlannedCase
from harness.errors import HarnessError, UsageError
from harness.model import Cell, Implementation, Precision, Verdict
from harness.pytest_plugin.runs import Runs, missing, narrowed
from harness.pytest_plugin.told import explained, verdict_of
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
        self.runs = Runs.of(config)
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
        self.found: dict[Place, list[Cell]] = {}
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
        """Run no more than what is left, once all have had their say on what to leave out."""
        items = [item for item in session.items if isinstance(item, StageItem)]
        self.plan = narrowed(self.plan, {(item.case, item.implementation.id) for item in items})
        self.runs.announce(self.plan)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Look the cells up, before pytest asks whether to skip."""
        if not isinstance(item, StageItem):
            return
        try:
            record = self.runs.record(self.plan)
        except HarnessError as error:
            pytest.fail(str(error), pytrace=False)
        if not self.found:
            for cell in record.cells:
                place = (cell.case, cell.stage, cell.implementation, cell.precision)
                self.found.setdefault(place, []).append(cell)
        item.take(tuple(self.found.get(item.place, ())))
        absent = missing(record, self.runs.settings.require)
        asked = [item.implementation.runtime]
        asked += [ORACLE for cell in item.cells if cell.check == ORACLE]
        for name in asked:
            if name in absent:
                pytest.fail(f"required runtime missing: {name}: {absent[name].reason}", pytrace=False)


class CaseFile(pytest.File):
    """A case: its stages, in the order in which they run."""

    def __init__(self, *, planned: PlannedCase, **more: Any) -> None:
        super().__init__(**more)
        self.planned = planned

    def collect(self) -> Iterator[StageItem]:
        """One test for each output of a stage, implementation and precision."""
        for stage in self.planned.case.values:
            for one in self.planned.implementations:
                for precision in self.planned.precisions:
                    name = f"{stage}[{one.id}-{precision}]"
                    yield StageItem.from_parent(
                        self, name=name, stage=stage, implementation=one, precision=precision
                    )


class StageItem(pytest.Item):
    """One output of a stage, in one implementation and precision: both modes, every check."""

    def __init__(
        self, *, stage: str, implementation: Implementation, precision: Precision, **more: Any
    ) -> None:
        super().__init__(**more)
        self.case = self.path.parent.name
        self.stage = stage
        self.implementation = implementation
        self.precision = precision
        self.cells: tuple[Cell, ...] = ()

    @property
    def place(self) -> Place:
        """What its cells have in common."""
        return (self.case, self.stage, self.implementation.id, self.precision)

    def take(self, cells: tuple[Cell, ...]) -> None:
        """Learn what came of it; where nothing was run, have pytest skip it."""
        self.cells = cells
        for cell in cells:
            self.user_properties.append((f"{cell.mode} {cell.check}", f"{cell.verdict} {cell.source}"))
        if cells and (found := verdict_of(cells)).verdict in {Verdict.NOT_RUN, Verdict.UNSUPPORTED}:
            self.add_marker(pytest.mark.skip(reason=f"{found.verdict}: {found.reason}"))

    def setup(self) -> None:
        """Where there is no value to judge, that is an error of the test and no failure."""
        if not self.cells:
            pytest.fail("the run says nothing of this stage", pytrace=False)
        found = verdict_of(self.cells)
        if found.verdict in {Verdict.ERROR, Verdict.TIMEOUT}:
            self._fail(found)

    def runtest(self) -> None:
        """Fail where the stage is off, with the numbers; expectedly, where that is known."""
        found = verdict_of(self.cells)
        if found.verdict is Verdict.XFAIL:
            pytest.xfail(f"known divergence {found.divergence}: {found.reason}")
        if found.verdict is not Verdict.PASS:
            self._fail(found)

    def _fail(self, found: Cell) -> NoReturn:
        pytest.fail(f"{found.verdict}: {found.reason}\n{explained(self.cells)}", pytrace=False)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The case, and what to call the test."""
        return self.path, 0, f"{self.case} {self.name}"
