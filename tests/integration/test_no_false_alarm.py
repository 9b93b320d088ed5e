"""Sound implementations stay within the derived limits, on a few random inputs; unsound ones do not."""

from __future__ import annotations

import runpy
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from harness.model import Absent, Precision
from harness.runtimes.registry import Registry
from harness.store.cases import load_case

pytest.importorskip("flint")

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "reference_impls"
FUZZ: dict[str, Any] = runpy.run_path(str(ROOT / "tests" / "limits"))
INPUTS: dict[str, Any] = runpy.run_path(str(ROOT / "tests" / "limits" / "drawn_inputs.py"))
CASES: tuple[str, ...] = FUZZ["CASES"]
FAST, ALL = ("numpy", "torch", "r"), ("numpy", "torch", "r", "julia")
FEW, MORE = 2, 8
"""Inputs of a case: a claim takes many more, which ``nox -s fuzz`` draws."""


class Drawn(NamedTuple):
    """How many inputs of a case, of which runtimes, and what came of them."""

    count: int
    runtimes: list[str]
    by_case: dict[str, Any]


def drawn(folder: Path, count: int, names: Iterable[str]) -> Drawn:
    """What came of the runtimes that are here: true values are computed once for all of them."""
    registry = Registry.load(SUITE)
    runtimes = [name for name in names if not isinstance(registry.launch(name), Absent)]
    by_case = dict(FUZZ["fuzz"](folder, count=count, chunk_of=count // 2, runtimes=runtimes))
    return Drawn(count, runtimes, by_case)


@pytest.fixture(scope="module")
def few(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Drawn:
    """A few inputs; where the slow test is run as well, its more inputs."""
    if any(each.path == request.path and "more" in each.fixturenames for each in request.session.items):
        outcomes: Drawn = request.getfixturevalue("more")
        return outcomes
    return drawn(tmp_path_factory.mktemp("few"), FEW, FAST)


@pytest.fixture(scope="module")
def more(tmp_path_factory: pytest.TempPathFactory, julia_process: None) -> Drawn:
    return drawn(tmp_path_factory.mktemp("more"), MORE, ALL)


def hold(outcomes: Drawn, runtime: str) -> None:
    count, runtimes, by_case = outcomes
    if runtime not in runtimes:
        pytest.skip(f"there is no {runtime}")
    assert tuple(by_case) == CASES
    for name, outcome in by_case.items():
        case = load_case(SUITE / name)
        precisions = {
            language: [
                precision
                for precision in case.precisions
                if language != "r" or precision is Precision.FLOAT64
            ]
            for language in runtimes
        }
        values = {value.name for value in case.values.values()} - {"slope_differences"}
        assert outcome.alarms == []
        # Isolated, and of two chunks the first chained.
        assert outcome.arrays == (count + count // 2) * sum(map(len, precisions.values())) * len(values)
        uses = {place: used for place, used in outcome.uses.items() if place.implementation == runtime}
        assert {place.value for place in uses} == values
        assert {place.precision for place in uses} == set(precisions[runtime])
        # Were the limits a tenth of what they are, there would be alarms.
        assert max(uses.values()) > 0.1
        assert {place.implementation for place in outcome.uses} == set(runtimes)


@pytest.mark.parametrize(
    "runtime",
    ["numpy", pytest.param("torch", marks=pytest.mark.torch), pytest.param("r", marks=pytest.mark.r)],
)
def test_no_false_alarm(few: Drawn, runtime: str) -> None:
    hold(few, runtime)


@pytest.mark.slow
@pytest.mark.parametrize(
    "runtime",
    [
        "numpy",
        pytest.param("torch", marks=pytest.mark.torch),
        pytest.param("r", marks=pytest.mark.r),
        pytest.param("julia", marks=pytest.mark.julia),
    ],
)
def test_no_false_alarm_on_more_inputs(more: Drawn, runtime: str) -> None:
    """Julia compiles every stage of every case in two precisions, for a minute and more."""
    hold(more, runtime)


def rounded(source: str) -> str:
    return source.replace("/ math.sqrt(d_k))", "/ np.float32(math.sqrt(d_k)))")


def narrow(source: str) -> str:
    return source.replace("return weights @ V", "return (weights @ V).astype(np.float16)")


def lost(source: str) -> str:
    return source.replace("return weights @ V", "return (weights @ V)[:1]")


def broken(source: str) -> str:
    return source.replace("return weights @ V", "return weights @ V @ np.ones((99, 99))")


FAULTS = (rounded, narrow, lost, broken)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What comes of all faulty implementations, next to the sound one."""
    suite = tmp_path_factory.mktemp("faulty")
    shutil.copytree(SUITE / "four_word", suite / "four_word")
    source = (SUITE / "four_word" / "four_word.py").read_text(encoding="utf-8")
    for fault in FAULTS:
        assert fault(source) != source
        path = suite / "four_word" / f"four_word.{fault.__name__}.py"
        path.write_text(fault(source), encoding="utf-8")
    [(_, outcome)] = FUZZ["fuzz"](suite, count=25, cases=("four_word",), runtimes=("numpy",), suite=suite)
    names = [f"numpy.{fault.__name__}" for fault in FAULTS]
    assert all(any(name in alarm for name in names) for alarm in outcome.alarms)
    assert all(used <= 1.0 for place, used in outcome.uses.items() if place.implementation == "numpy")
    return outcome


@pytest.mark.parametrize(
    ("fault", "stages", "said"),
    [
        (rounded, {"weights", "attention"}, "of the limit"),
        (narrow, set(), "float16"),
        (lost, set(), "is expected"),
        (broken, set(), "numpy.broken raised"),
    ],
)
def test_a_fault_raises_alarms(faulty: Any, fault: Callable[[str], str], stages: set[str], said: str) -> None:
    """A float32 rounding inside, a wrong dtype, a wrong shape, an exception, next to the sound one."""
    name = f"numpy.{fault.__name__}"
    beyond = {
        place.value for place, used in faulty.uses.items() if place.implementation == name and not used <= 1.0
    }
    assert beyond == stages
    alarms = [alarm for alarm in faulty.alarms if name in alarm]
    assert alarms
    assert all(said in alarm for alarm in alarms)


def test_an_input_without_a_limit_is_an_alarm(tmp_path: Path) -> None:
    shutil.copytree(SUITE / "four_word", tmp_path / "four_word")
    path = tmp_path / "four_word" / "four_word.py"
    source = path.read_text(encoding="utf-8")
    other = source.replace(
        "return scores.max(axis=1, keepdims=True)", "return np.partition(scores, -1, axis=1)[:, -1:]"
    )
    assert other != source
    path.write_text(other, encoding="utf-8")
    [(_, outcome)] = FUZZ["fuzz"](
        tmp_path, count=3, cases=("four_word",), runtimes=("numpy",), suite=tmp_path
    )
    assert len(outcome.alarms) == 3 * 2 * 2
    assert all("no limit" in alarm and "partition" in alarm for alarm in outcome.alarms)
    assert outcome.arrays == 0


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("full", [False, True])
def test_inputs_are_well_posed_and_as_the_case_has_them(name: str, full: bool) -> None:
    case = load_case(SUITE / name)
    rng = np.random.default_rng(0)
    for _ in range(20):
        sizes = INPUTS["draw_sizes"](case, rng, full=full)
        arrays = INPUTS["draw"](case, sizes, rng)
        assert set(arrays) == {value.name for value in case.inputs}
        for value in case.inputs:
            shape = tuple(sizes.get(size, size) for size in value.shape)
            assert arrays[value.name].shape == shape
            assert arrays[value.name].dtype == ("int64" if value.dtype == "int" else "float64")
            assert np.isfinite(arrays[value.name]).all()
        if case.fixture == "sentiment":
            assert INPUTS["well_posed"](arrays)
            assert all(arrays[bias].all() for bias in ("Qb", "Kb", "Vb", "b"))
            # Of these the largest probability would be 1, and the others 0.
            arrays["b"] = arrays["b"] * 1e9
            assert not INPUTS["well_posed"](arrays)


def test_the_same_number_gives_the_same_input() -> None:
    case = load_case(SUITE / "self_attention")
    sizes = INPUTS["draw_sizes"](case, np.random.default_rng(0), full=True)
    first, same, other = (INPUTS["draw"](case, sizes, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert all((first[name] == same[name]).all() for name in first)
    assert not all((first[name] == other[name]).all() for name in first)


@pytest.mark.parametrize("arguments", [["0"], ["10", "no_such_case"], ["sentiment_training"], ["-3"]])
def test_what_cannot_be_meant_is_told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert FUZZ["main"](arguments) == 2
    assert "COUNT" in capsys.readouterr().err
