"""`Results`: a record as a value, in a table, in a notebook and in pytest; none is a bool."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import harness
from harness.api.results import Results
from harness.model import Outcome
from harness.store.fixture_writer import write_fixture

pytest_plugins = "pytester"

CASE = """
[case]
name = "toy"
title = "doubles, then adds"
origin = "here"
fixture = "toy"

[inputs]
x = ["n"]

[[stage]]
name = "twice"
inputs = ["x"]
shape = ["n"]

[[stage]]
name = "plus"
inputs = ["twice"]
shape = ["n"]
"""
RIGHT = "def twice(x):\n    return x + x\ndef plus(twice):\n    return twice + 1.0\n"
WRONG = RIGHT.replace("+ 1.0", "+ 1.5")


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("of_results") / "suite"
    case = folder / "toy"
    case.mkdir(parents=True)
    (case / "case.toml").write_text(CASE, encoding="utf-8")
    (case / "toy.py").write_text(RIGHT, encoding="utf-8")
    (case / "toy.wrong.py").write_text(WRONG, encoding="utf-8")
    write_fixture(
        folder / "fixtures" / "toy",
        version=1,
        title="x",
        origin="here",
        licence="MIT",
        generator=[{"kind": "by hand"}],
        arrays={"x": np.array([1.0, 2.0, 3.0])},
        origins={"x": "here"},
    )
    return folder


@pytest.fixture(scope="module")
def results(suite: Path) -> Results:
    return harness.run(suite, out=suite.parent / "results")


def test_a_run_has_its_outcome_cells_and_values(results: Results) -> None:
    assert results.outcome is Outcome.DIVERGENCE
    assert results.value("plus", "numpy").tolist() == [3.0, 5.0, 7.0]
    assert results.value("plus", "numpy.wrong").tolist() == [3.5, 5.5, 7.5]
    off = {(cell.implementation, cell.stage) for cell in results.cells if cell.verdict == "FAIL"}
    assert off == {("numpy.wrong", "plus")}
    with pytest.raises(harness.HarnessError, match="there is no 'minus' of numpy"):
        results.value("minus", "numpy")


def test_part_of_a_suite_can_be_chosen(suite: Path) -> None:
    part = harness.run(suite, implementations=["numpy*", "!*.wrong"], values=False)
    assert part.outcome is Outcome.AGREEMENT
    with pytest.raises(harness.HarnessError, match="hold no values"):
        _ = part.values
    with pytest.raises(harness.HarnessError, match="no case matches 'nothing'"):
        harness.run(suite, cases="nothing")


@pytest.mark.parametrize(
    ("more", "why"), [({"replay": "sometimes"}, "replay cannot be"), ({"cases": 3}, "cases cannot be 3")]
)
def test_options_that_cannot_be_used(suite: Path, more: dict[str, Any], why: str) -> None:
    with pytest.raises(harness.HarnessError, match=why):
        harness.run(suite, **more)


def test_a_record_is_loaded_and_says_the_same(suite: Path, results: Results) -> None:
    loaded = harness.load(suite.parent / "results")
    assert [cell.verdict for cell in loaded.cells] == [cell.verdict for cell in results.cells]
    assert str(loaded) == str(results)
    with pytest.raises(harness.HarnessError, match="a record has verdicts alone"):
        loaded.value("plus", "numpy")
    with pytest.raises(harness.HarnessError, match=r"there is no results\.jsonl here"):
        harness.load(suite)


def test_the_exception_names_implementation_stage_element_and_sizes(results: Results) -> None:
    with pytest.raises(harness.DivergenceError) as caught:
        results.raise_for_divergence()
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("DIVERGENCE: numpy.wrong: plus of toy in float64 differs")
    assert "case toy, stage plus, implementation numpy.wrong, float64" in lines
    assert any("max abs 0.5 at [0]" in line and "(derived)" in line for line in lines)
    assert "  3 of 3 elements are beyond their limit, first at [0]" in lines
    assert caught.value.outcome is Outcome.DIVERGENCE


def test_pytest_shows_it_without_the_harness_s_own_lines(pytester: pytest.Pytester, suite: Path) -> None:
    pytester.makepyfile(
        f"import harness\ndef test_port():\n    harness.run({str(suite)!r}).raise_for_divergence()\n"
    )
    done = pytester.runpytest("-p", "no:cacheprovider")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        ["E * DIVERGENCE: numpy.wrong: plus of toy*", "E *stage plus, implementation numpy.wrong*"]
    )
    done.stdout.no_fnmatch_line("*error_of(self.record)*")


def test_an_interrupted_run_raises(suite: Path) -> None:
    def interrupt(progress: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        harness.run(suite, on_progress=interrupt)


def test_nothing_is_a_bool(results: Results) -> None:
    with pytest.raises(TypeError, match=r"results\.outcome"):
        bool(results)
    with pytest.raises(TypeError, match="beyond"):
        bool(harness.compare([1.0], [1.0]))


def test_a_notebook_shows_the_matrix(results: Results) -> None:
    html = results._repr_html_()
    assert "<strong" in html
    assert ">DIVERGENCE</strong>" in html
    assert '<th scope="col">numpy.wrong</th>' in html
    assert "✗ 2 FAIL" in html
    assert "<script" not in html


def test_a_name_cannot_bring_markup(results: Results) -> None:
    shown = Results(results.record, notes=("<img src=x>",))._repr_html_()
    assert "<img" not in shown
    assert "&lt;img src=x&gt;" in shown


def test_a_table_of_pandas(results: Results) -> None:
    pandas = pytest.importorskip("pandas")
    frame = results.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert len(frame) == len(results.cells)
    off = frame[frame.verdict == "FAIL"]
    assert set(off.implementation) == {"numpy.wrong"}
    assert off.max_abs.max() == 0.5


def test_without_pandas_it_says_so(results: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(harness.HarnessError, match="pip install pandas"):
        results.to_pandas()


def test_importing_the_harness_imports_nothing_large() -> None:
    script = (
        "import sys, harness; dir(harness)\n"
        "print(*(name for name in ('numpy', 'msgspec', 'harness.api', 'pandas') if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_all_that_is_named_is_there() -> None:
    for name in harness.__all__:
        assert getattr(harness, name) is not None
    with pytest.raises(AttributeError):
        _ = harness.nothing  # type: ignore[attr-defined]
