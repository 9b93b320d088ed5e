"""``harness.check``: one function against its derived truth, or against another."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
import types
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

import harness
from harness.model import Basis, Check, Outcome, Verdict

X = {"x": [0.25, 1.5, -3.0]}


@pytest.fixture(scope="module")
def fitting() -> types.ModuleType:
    path = Path(__file__).with_name("fitting.py")
    spec = importlib.util.spec_from_file_location("fitting_of_check", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["fitting_of_check"] = module
    spec.loader.exec_module(module)
    return module


def test_a_function_is_held_against_its_derived_truth(fitting: types.ModuleType) -> None:
    results = harness.check({"numpy": fitting.softmax}, X)
    assert results.outcome is Outcome.AGREEMENT
    assert results.notes == ()
    checked = {(cell.check, cell.basis, cell.verdict) for cell in results.cells}
    assert (Check.ORACLE, Basis.DERIVED, Verdict.PASS) in checked
    exponents = np.exp((np.array(X["x"]) - 1.5) * 0.5)
    assert results.value("softmax", "numpy").tolist() == (exponents / exponents.sum()).tolist()
    results.raise_for_divergence()


def test_one_without_a_source_is_compared_with_it_and_it_is_said(fitting: types.ModuleType) -> None:
    def nearly(x: Any) -> Any:
        assert x.ndim == 1  # pytest rewrites this line, so that the source is not what runs
        return fitting.softmax(x) * (1 + 1e-12)

    results = harness.check({"numpy": fitting.softmax, "other": nearly}, X)
    assert results.outcome is Outcome.DIVERGENCE
    assert [note.partition(":")[0] for note in results.notes] == ["python.other was called in this process"]
    off = [cell for cell in results.cells if cell.verdict is Verdict.FAIL]
    assert {cell.implementation for cell in off} == {"python.other"}
    assert {cell.against for cell in off} == {"truth"}
    with pytest.raises(harness.DivergenceError) as caught:
        results.raise_for_divergence()
    text = str(caught.value)
    for part in (
        "DIVERGENCE",
        "stage softmax, implementation python.other",
        "3 of 3 elements",
        "max abs",
        "derived",
    ):
        assert part in text


def test_without_any_source_functions_are_compared_coarsely() -> None:
    results = harness.check({"mine": lambda x: x / x.sum(), "other": lambda x: x / np.sum(x)}, X)
    assert results.outcome is Outcome.AGREEMENT
    assert {cell.basis for cell in results.cells if cell.check is Check.REFERENCE} == {Basis.COARSE}
    assert "No limit could be derived" in results.notes[-1]
    apart = harness.check({"mine": lambda x: x, "other": lambda x: x + 1e-3}, X)
    assert apart.outcome is Outcome.DIVERGENCE


def test_nothing_agrees_with_itself_alone() -> None:
    results = harness.check({"mine": lambda x: x}, X)
    assert results.outcome is Outcome.INCOMPLETE
    with pytest.raises(harness.ConformanceError) as caught:
        results.raise_for_divergence()
    assert type(caught.value) is harness.ConformanceError


def test_several_outputs_and_samples(fitting: types.ModuleType) -> None:
    results = harness.check({"numpy": fitting.moments}, [{"x": [1.0, 2.0]}, {"x": [1.0, 2.0, 6.0]}])
    assert results.outcome is Outcome.AGREEMENT
    assert float(results.value("moments_1", "numpy", sample="sample_1")) == 3.0
    assert {key.stage for key in results.values} == {"moments_1", "moments_2"}
    with pytest.raises(harness.HarnessError, match="2 times"):
        results.value("moments_1", "numpy")


def test_a_tolerance_of_the_caller_holds() -> None:
    pair = {"mine": lambda x: x, "other": lambda x: x * (1 + 1e-6)}
    near = {"rule": "allclose", "rtol": 1e-5, "atol": 0.0}
    assert harness.check(pair, X, tolerance=near).outcome is Outcome.AGREEMENT
    assert harness.check(pair, X, tolerance={**near, "rtol": 1e-7}).outcome is Outcome.DIVERGENCE


def test_a_function_that_raises_is_a_fault_and_no_difference(fitting: types.ModuleType) -> None:
    def broken(x: Any) -> Any:
        raise ValueError("no such thing")

    results = harness.check({"numpy": fitting.softmax, "other": broken}, X)
    assert results.outcome is Outcome.FAULT
    with pytest.raises(harness.ConformanceError, match="no such thing") as caught:
        results.raise_for_divergence()
    assert not isinstance(caught.value, harness.DivergenceError)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (({}, X), "there is no function"),
        (({"numpy": 3}, X), "numpy is a int, not a function"),
        (({"a b": abs}, X), "cannot name an implementation"),
        (({"r": harness.RFunction("nowhere.R", "f")}, X), "there is no such file"),
    ],
)
def test_arguments_that_cannot_be_used(given: tuple[Any, Any], why: str) -> None:
    with pytest.raises(harness.HarnessError, match=why):
        harness.check(*given)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"timeout": 0}, "timeout cannot be 0"),
        ({"precisions": "float12"}, "no precision 'float12'"),
        ({"tolerance": {"rule": "close"}}, "tolerance: Invalid enum value 'close'"),
        ({"tolerance": {"rule": "allclose", "rtol": -1.0, "atol": 0}}, "tolerance cannot be -1.0"),
        ({"tolerance": {"rule": "norm", "value": 1.0, "of": "q"}}, "no input and no stage's output 'q'"),
        ({"require": 3}, "require cannot be 3"),
        ({"require": "cobol"}, "unknown runtime cobol"),
    ],
)
def test_options_that_cannot_be_used(more: dict[str, Any], why: str) -> None:
    with pytest.raises(harness.HarnessError, match=why):
        harness.check({"mine": lambda x: x, "other": lambda x: x}, X, **more)


SLEEPS = """
import harness

def slow(x):
    import time
    time.sleep(60)
    return x

try:
    harness.check({"numpy": slow}, {"x": [1.0]})
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interrupt_ends_the_workers(tmp_path: Path) -> None:
    script = tmp_path / "slow.py"
    script.write_text(SLEEPS, encoding="utf-8")
    process = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    workers: list[psutil.Process] = []
    until = time.monotonic() + 60
    while not workers and time.monotonic() < until:
        time.sleep(0.1)
        workers = psutil.Process(process.pid).children(recursive=True)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=60)
    assert printed == "interrupted\n"
    assert workers
    assert not [worker for worker in workers if worker.is_running()]


def test_a_number_is_given_as_a_number() -> None:
    def sevens(n: int, flag: bool) -> np.ndarray:
        return np.array([7.0] * n if flag is True else [0.0])

    results = harness.check(
        {"numpy": sevens, "numpy.same": lambda n, flag: np.full(n, 7.0 if flag is True else 0.0)},
        {"n": 3, "flag": True},
    )
    assert results.outcome is Outcome.AGREEMENT
    assert results.value("sevens", "numpy").tolist() == [7.0] * 3
