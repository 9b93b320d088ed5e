"""Every example agrees, and each fault that its README lists is found in the stage that it names."""

from __future__ import annotations

import importlib.util
import re
import shutil
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import harness
from harness.model import OF_A_STAGE, Check, Mode, Verdict
from tests.interpreted import interpreted

EXAMPLES = Path(__file__).parents[2] / "examples"
pytestmark = pytest.mark.slow
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/README.md"))
COMPUTE_LONG = ("lorenz", "nist_nonlinear")
"""In these Julia compiles, as anywhere: it takes five times as long where it does not."""


class Fault(NamedTuple):
    """What a README says that a wrong implementation has."""

    file: str
    old: str
    new: str
    stage: str


def faults_of(example: Path) -> list[Fault]:
    """The last table of the README."""
    text = (example / "README.md").read_text(encoding="utf-8")
    table = text.partition("| file | instead of | has | found in |\n|---|---|---|---|\n")[2]
    rows = [re.findall(r"`([^`]+)`", line) for line in table.splitlines()]
    return [Fault(*row) for row in rows]


def planted(case: Path, number: int, fault: Fault) -> str:
    """Write a copy with the fault as one more implementation, and return its id."""
    source = (case / fault.file).read_text(encoding="utf-8")
    assert source.count(fault.old) == 1, fault
    wrong = source.replace(fault.old, fault.new)
    if fault.file in {f"{case.name}.py", f"{case.name}.R", f"{case.name}.jl"}:
        suffix = Path(fault.file).suffix
        (case / f"{case.name}.f{number}{suffix}").write_text(wrong, encoding="utf-8")
        return f"{ {'.py': 'numpy', '.R': 'r', '.jl': 'julia'}[suffix] }.f{number}"
    # The file of an executable: a second description names the copy.
    (copy := case / f"f{number}{Path(fault.file).suffix}").write_text(wrong, encoding="utf-8")
    for description in case.glob("*.program.toml"):
        text = description.read_text(encoding="utf-8")
        if f'"{fault.file}"' in text:
            place = case / f"{case.name}.f{number}.program.toml"
            place.write_text(text.replace(fault.file, copy.name), encoding="utf-8")
    return f"program.f{number}"


def digits_agree(example: Path, results: harness.Results) -> None:
    """The table of digits in the README is what the run gives, but for a digit."""
    spec = importlib.util.spec_from_file_location("digits", example / "digits.py")
    assert spec is not None
    assert spec.loader is not None
    digits: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(digits)
    now = rows(digits.table(results))
    then = rows((example / "README.md").read_text(encoding="utf-8"))
    assert len(now) == 11
    for name, numbers in now.items():
        assert then[name] == pytest.approx(numbers, abs=1.0), name


def rows(text: str) -> dict[str, list[float]]:
    """The lines of a table whose cells are numbers, by their first cell."""
    cells = ([cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines())
    return {
        row[0]: [float(cell) for cell in row[1:]]
        for row in cells
        if len(row) == 4 and all(re.fullmatch(r"[\d.]+", cell) for cell in row[1:])
    }


def test_all_are_listed() -> None:
    listed = re.findall(r"\]\((\w+)/README\.md\)", (EXAMPLES / "README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == NAMES
    assert len(NAMES) == 11


@pytest.fixture(params=NAMES)
def name(
    request: pytest.FixtureRequest, julia_process: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """An example, with the Julia that is the quicker one for it."""
    chosen: str = request.param
    long = chosen in COMPUTE_LONG
    with nullcontext() if long else interpreted(tmp_path_factory.mktemp("interpreted")):
        yield chosen


@pytest.mark.r
@pytest.mark.julia
@pytest.mark.torch
def test_an_example(name: str, tmp_path: Path) -> None:
    suite = tmp_path / name
    shutil.copytree(EXAMPLES / name, suite)
    (case,) = (path.parent for path in suite.glob("*/case.toml"))
    faults = faults_of(suite)
    assert len(faults) >= 3
    wrong = {planted(case, number, fault): fault for number, fault in enumerate(faults, start=1)}
    results = harness.run(suite)
    assert not results.record.header.absent
    off: dict[str, list[str]] = {}
    for cell in results.cells:
        if cell.verdict in (Verdict.PASS, Verdict.NOT_RUN, Verdict.UNSUPPORTED):
            continue
        assert cell.verdict is Verdict.FAIL, cell
        assert cell.implementation in wrong, cell
        if cell.mode is Mode.ISOLATED and cell.check in OF_A_STAGE:
            off.setdefault(cell.implementation, []).append(cell.stage)
    stages = list(results.record.header.cases[0].values)
    first = {who: min(names, key=stages.index) for who, names in off.items()}
    assert first == {who: fault.stage for who, fault in wrong.items()}
    right = [cell for cell in results.cells if cell.implementation not in wrong]
    assert {cell.implementation.partition(".")[0] for cell in right if cell.verdict is Verdict.PASS} >= (
        {"numpy", "program"} if name == "programs" else {"numpy", "r", "julia"}
    )
    if any(value.expected for value in results.record.header.cases[0].values.values()):
        assert any(cell.check is Check.EXPECTED for cell in right)
    if name == "nist_linear":
        digits_agree(suite, results)
