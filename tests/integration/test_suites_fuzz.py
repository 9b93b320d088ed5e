"""The suites outside of attention stay within their limits on a few random inputs too."""

from __future__ import annotations

import runpy
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.model import Absent, Precision
from harness.runtimes.registry import Registry
from harness.store.cases import load_case

pytest.importorskip("flint")

TESTS = Path(__file__).parents[1]
SUITE = TESTS / "suites"
FUZZ: dict[str, Any] = runpy.run_path(str(TESTS / "limits"))
SUITES: dict[str, Any] = FUZZ["SUITES"]
BEYOND: dict[str, Any] = tomllib.loads((SUITE / "open.toml").read_text(encoding="utf-8"))["beyond"]


RUNTIMES = [
    "numpy",
    pytest.param("torch", marks=pytest.mark.torch),
    pytest.param("r", marks=pytest.mark.r),
    pytest.param("julia", marks=pytest.mark.julia),
]


@pytest.fixture(scope="module")
def outcomes(
    tmp_path_factory: pytest.TempPathFactory, julia_process: None
) -> tuple[list[str], dict[str, Any]]:
    """What came of the runtimes that are here: true values of a dozen suites take minutes, once for all."""
    registry = Registry.load(SUITE)
    names = [name for name in FUZZ["RUNTIMES"] if not isinstance(registry.launch(name), Absent)]
    folder = tmp_path_factory.mktemp("fuzz")
    return names, dict(FUZZ["fuzz"](folder, count=8, chunk_of=4, cases=tuple(SUITES), runtimes=names))


@pytest.mark.slow
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_no_false_alarm(outcomes: tuple[list[str], dict[str, Any]], runtime: str) -> None:
    runtimes, by_case = outcomes
    if runtime not in runtimes:
        pytest.skip(f"there is no {runtime}")
    assert set(by_case) == {path.parent.name for path in SUITE.glob("*/case.toml")}
    precisions = {Precision.FLOAT64} if runtime == "r" else set(Precision)
    for name, outcome in by_case.items():
        assert outcome.alarms == [] or set(runtimes) & set(BEYOND.get(name, {})), name
        places = [place for place in outcome.uses if place.implementation == runtime]
        assert places
        assert {place.precision for place in places} <= precisions
    # Means that are an element, up to rounding.
    assert by_case["branches"].undecided > 0
    uses = [
        used
        for outcome in by_case.values()
        for place, used in outcome.uses.items()
        if place.implementation == runtime
    ]
    assert max(uses) > 0.1


def test_a_fault_raises_alarms(tmp_path: Path) -> None:
    """A second implementation beside the right one leaves a term out, and takes the last of equals."""
    case = tmp_path / "suites" / "kmeans"
    case.mkdir(parents=True)
    for name in ("case.toml", "kmeans.py"):
        (case / name).write_bytes((SUITE / "kmeans" / name).read_bytes())
    right = (case / "kmeans.py").read_text(encoding="utf-8")
    wrong = right.replace("return np.argmin(distances", "return 2 - np.argmin(distances[:, 2::-1]")
    wrong = wrong.replace("** 2).sum(axis=2)", "** 2)[:, :, 1:].sum(axis=2)")
    assert wrong.count("2 - np.argmin") == wrong.count("[:, :, 1:]") == 1
    (case / "kmeans.off.py").write_text(wrong, encoding="utf-8")
    by_case = dict(
        FUZZ["fuzz"](tmp_path, count=40, cases=("kmeans",), runtimes=("numpy",), suite=case.parent)
    )
    alarms = by_case["kmeans"].alarms
    for value, words in (("distances", "of the limit"), ("labels", "are not the reference's")):
        assert any(f"numpy.off, {value}, isolated" in alarm and words in alarm for alarm in alarms)
    assert all("numpy.off" in alarm for alarm in alarms)


@pytest.mark.parametrize("name", SUITES)
def test_inputs_are_as_the_case_has_them(name: str) -> None:
    case, drawn = load_case(SUITE / name), SUITES[name]
    rng = np.random.default_rng(0)
    for _ in range(20):
        sizes = drawn.sizes(rng)
        arrays = drawn.arrays(sizes, rng)
        assert list(arrays) == [value.name for value in case.inputs]
        named: dict[str, set[int]] = {}
        for value in case.inputs:
            assert np.isfinite(np.asarray(arrays[value.name], dtype=np.float32)).all()
            for symbol, size in zip(value.shape, np.shape(arrays[value.name]), strict=True):
                named.setdefault(str(symbol), set()).add(size)
        assert all(len(lengths) == 1 for lengths in named.values())
