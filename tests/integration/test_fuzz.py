"""Inputs drawn for a case: planted faults are found and made small, and right implementations left alone."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli import main
from harness.conformance.plan import make_plan
from harness.errors import HarnessError
from harness.fuzz.keep import check_keep
from harness.fuzz.session import session
from harness.model import Absent
from harness.runtimes.registry import Registry
from harness.store.cases import load_case
from tests.integration.fuzz_suite import (
    CASE,
    FAULTS,
    OTHER,
    SOUND,
    faulty,
    files,
    found,
    fuzz,
    of_some,
    suite,
)

pytest.importorskip("hypothesis")
pytest.importorskip("flint")

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """One search of a suite with all faults, and a second right implementation."""
    folder = tmp_path_factory.mktemp("searched")
    suite(folder, {**{label: faulty(label) for label in FAULTS}, "right": OTHER})
    before = files(folder)
    result = fuzz(folder, "--inputs", "5000")
    assert files(folder) == before
    return folder, result


def test_every_planted_fault_is_found_and_nobody_else(searched: tuple[Path, Result]) -> None:
    result = searched[1]
    assert found(result.output).keys() == FAULTS.keys(), result.output
    # One of them raises an error.
    assert result.exit_code == 4


IN_OTHER_LANGUAGES = {
    "torch": (
        "_torch.py",
        """
import torch


def centred(x):
    return x - x.mean()


def peak(x):
    return x.max()


def mixed(centred, W):
    return centred @ W
""",
        {
            "tie": ("return x.max()", "return x.max() - 0.5 * (x == x.max()).sum().gt(1)"),
            "zero": ("return x.max()", "return x.max() + (torch.signbit(x) & (x == 0)).any()"),
            "one": ("return x - x.mean()", "return x - x.sum() / max(len(x) - (len(x) == 1), 0.5)"),
        },
    ),
    "r": (
        ".R",
        """
centred <- function(x) x - mean(x)
peak <- function(x) max(x)
mixed <- function(centred, W) as.vector(t(W) %*% centred)
""",
        {
            "tie": ("max(x)", "max(x) - 0.5 * (sum(x == max(x)) > 1)"),
            "zero": ("max(x)", "max(x) + any(x == 0 & 1 / x < 0)"),
            "one": ("x - mean(x)", "x - sum(x) / max(length(x) - (length(x) == 1), 0.5)"),
        },
    ),
    "julia": (
        ".jl",
        """
centred(x) = x .- sum(x) / length(x)
peak(x) = maximum(x)
mixed(centred, W) = W' * centred
""",
        {
            "tie": ("= maximum(x)", "= maximum(x) - 0.5 * (count(==(maximum(x)), x) > 1)"),
            "zero": ("= maximum(x)", "= maximum(x) + any(v -> v == 0 && signbit(v), x)"),
            "one": ("sum(x) / length(x)", "sum(x) / max(length(x) - (length(x) == 1), 0.5)"),
        },
    ),
}


@pytest.mark.parametrize(
    "runtime",
    [
        pytest.param("torch", marks=pytest.mark.torch),
        pytest.param("r", marks=pytest.mark.r),
        pytest.param("julia", marks=[pytest.mark.julia, pytest.mark.slow]),
    ],
)
def test_ties_negative_zeros_and_one_element_are_drawn_for_every_language(
    runtime: str, tmp_path: Path, julia_process: None
) -> None:
    if isinstance(launch := Registry.load(tmp_path).launch(runtime), Absent):
        pytest.skip(launch.reason)
    suffix, sound, faults = IN_OTHER_LANGUAGES[runtime]
    suite(tmp_path, {})
    written = {"": sound, ".right": sound}
    for label, (old, new) in faults.items():
        assert sound.count(old) == 1
        written[f".{label}"] = sound.replace(old, new)
    for label, text in written.items():
        (tmp_path / "toy" / f"toy{label}{suffix}").write_text(text, encoding="utf-8")
    result = fuzz(tmp_path, "--inputs", "4000")
    parts = re.split(rf"^\d+\. {runtime}", result.output, flags=re.MULTILINE)[1:]
    texts = {part.split(",")[0].lstrip("."): part for part in parts}
    assert texts.keys() == faults.keys(), result.output
    assert len(parts) == len(faults), result.output
    for label, shown in (("tie", "x = [0.0, 0.0]\n"), ("zero", "x = [-0.0]\n"), ("one", "x = [1.0]\n")):
        assert shown in texts[label]


@pytest.mark.parametrize(
    ("label", "stage", "shown"),
    [
        ("tie", "peak", "x = [0.0, 0.0]\n"),
        ("zero", "peak", "x = [-0.0]\n"),
        ("one", "centred", "x = [1.0]\n"),
        ("raises", "peak", "x = [0.0, 0.0, 0.0]\n"),
        ("shape", "peak", "x = [0.0]\n"),
    ],
)
def test_it_is_made_as_small_as_can_be(
    searched: tuple[Path, Result], label: str, stage: str, shown: str
) -> None:
    text = found(searched[1].output)[label]
    assert f"stage {stage}: {'ERROR' if label == 'raises' else 'FAIL'}" in text
    assert shown in text


def test_its_scripts_show_it_without_the_harness(searched: tuple[Path, Result]) -> None:
    folder = searched[0] / "out" / "toy" / "peak.numpy.tie"
    codes = {
        path.parent.name: subprocess.run(
            [sys.executable, "-I", path.name], cwd=path.parent, check=False
        ).returncode
        for path in folder.glob("*/*.py")
        if path.parent.name in ("numpy", "numpy.tie", "numpy.right")
    }
    assert codes == {"numpy": 0, "numpy.tie": 1, "numpy.right": 0}


def test_what_was_found_is_tried_first_and_forgotten_once_it_is_mended(tmp_path: Path) -> None:
    suite(tmp_path, {"tie": faulty("tie")})
    assert fuzz(tmp_path, "--inputs", "1000").exit_code == 1
    again = fuzz(tmp_path, "--inputs", "1")
    assert again.exit_code == 1
    assert "kept from before" in again.output
    (tmp_path / "toy" / "toy.tie.py").write_text(OTHER, encoding="utf-8")
    assert fuzz(tmp_path, "--inputs", "1").exit_code == 0
    (tmp_path / "toy" / "toy.tie.py").write_text(faulty("tie"), encoding="utf-8")
    assert fuzz(tmp_path, "--inputs", "1").exit_code == 0


def test_the_same_seed_finds_the_same(tmp_path: Path) -> None:
    suite(tmp_path, {"zero": faulty("zero")})
    texts = []
    for number, seed in enumerate(("3", "3", "4")):
        out = tmp_path / f"out_{number}"
        result = fuzz(tmp_path, "--inputs", "1500", "--seed", seed, "--out", str(out))
        texts.append(re.search(r"\(batch \d+, input \d+\)", result.output))
    assert all(texts)
    first, same, other = (found[0] for found in texts if found)
    assert first == same != other


def test_a_sample_is_added_to_the_fixture_where_that_is_asked_for(tmp_path: Path) -> None:
    suite(tmp_path, {"tie": faulty("tie")})
    result = fuzz(tmp_path, "--inputs", "1000", "--keep")
    sample = re.search(r"kept as the sample (fuzz_\w+) of the fixture toy", result.output)
    assert sample, result.output
    (planned,) = make_plan(tmp_path).cases
    assert list(planned.fixture.samples) == ["default", sample[1]]
    assert planned.fixture.arrays(sample[1])["x"].tolist() == [0.0, 0.0]
    assert planned.fixture.arrays("default")["x"].shape == (4,)
    ran = CliRunner().invoke(main, ["run", "--suite", str(tmp_path), "--out", str(tmp_path / "out")])
    assert ran.exit_code == 1
    assert "numpy.tie" in ran.output
    # Another fault adds another one; the same is not added twice.
    assert fuzz(tmp_path, "--inputs", "1", "--keep").exit_code == 1
    assert list(make_plan(tmp_path).cases[0].fixture.samples) == ["default", sample[1]]


def test_no_sample_is_added_to_a_fixture_that_other_cases_have(tmp_path: Path) -> None:
    suite(tmp_path, {"tie": faulty("tie")})
    other = tmp_path / "again"
    other.mkdir()
    text = CASE.replace('name = "toy"', 'name = "again"')
    (other / "case.toml").write_text(text, encoding="utf-8")
    (other / "again.py").write_text(SOUND, encoding="utf-8")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "case.toml").write_text("[case", encoding="utf-8")
    before = files(tmp_path)
    with pytest.raises(HarnessError) as refused:
        check_keep(load_case(tmp_path / "toy"), tmp_path)
    assert refused.value.message == "no sample can be added for toy: again would have it too"
    shutil.rmtree(tmp_path / "broken")
    result = fuzz(tmp_path, "--inputs", "1000", "--keep")
    assert result.exit_code == 2, result.output
    assert "fixture.toml: no sample can be added for toy: again would have it too" in result.output
    assert files(tmp_path).items() <= before.items()
    (other / "case.toml").write_text(text.replace('fixture = "toy"', 'fixture = "none"'), encoding="utf-8")
    check_keep(load_case(tmp_path / "toy"), tmp_path)


@pytest.mark.parametrize(("options", "most"), [(("--seconds", "2"), 30.0), (("--inputs", "9"), 60.0)])
def test_a_reference_that_never_returns_is_said_in_time(
    options: tuple[str, ...], most: float, tmp_path: Path
) -> None:
    suite(tmp_path, {"right": OTHER})
    case = tmp_path / "toy" / "case.toml"
    timeout = "timeout = 100\n" if options[0] == "--seconds" else "timeout = 1\n"
    text = case.read_text(encoding="utf-8").replace('fixture = "toy"\n', f'fixture = "toy"\n{timeout}')
    case.write_text(text, encoding="utf-8")
    source = tmp_path / "toy" / "toy.py"
    source.write_text(SOUND.replace("return x.max()", "while True: pass"), encoding="utf-8")
    begun = time.perf_counter()
    result = fuzz(tmp_path, *options)
    assert time.perf_counter() - begun < most
    assert result.exit_code == 4, result.output
    assert "the reference numpy does not come to an end: " in result.output


def test_a_reference_that_is_slow_is_not_said_to_be_endless(tmp_path: Path) -> None:
    """Each of its calls ends, and the time is over before one size is tried."""
    suite(tmp_path, {"right": OTHER})
    source = tmp_path / "toy" / "toy.py"
    slow = "__import__('time').sleep(0.5)\n    return x.max()"
    source.write_text(SOUND.replace("return x.max()", slow), encoding="utf-8")
    result = fuzz(tmp_path, "--seconds", "0.2")
    assert result.exit_code == 5, result.output
    assert "does not come to an end" not in result.output
    assert "the time was too short to find a size of n that the reference numpy takes" in result.output
    assert "more --seconds" in result.output
    assert "Traceback" not in result.output


def test_an_input_on_which_the_reference_never_returns_ends_the_search_in_time(tmp_path: Path) -> None:
    suite(tmp_path, {"right": OTHER})
    case = tmp_path / "toy" / "case.toml"
    text = case.read_text(encoding="utf-8").replace('fixture = "toy"\n', 'fixture = "toy"\ntimeout = 100\n')
    case.write_text(text, encoding="utf-8")
    source = tmp_path / "toy" / "toy.py"
    stuck = "while np.any(np.signbit(x) & (x == 0.0)): pass\n    return x.max()"
    source.write_text(SOUND.replace("return x.max()", stuck), encoding="utf-8")
    begun = time.perf_counter()
    result = fuzz(tmp_path, "--seconds", "3")
    assert time.perf_counter() - begun < 40.0
    assert result.exit_code in (0, 5), result.output


def test_sizes_and_ranges_are_those_that_are_stated(tmp_path: Path) -> None:
    stated = "[fuzz]\nsizes = { n = [2, 3] }\n[fuzz.inputs]\nx = { range = [0.5, 1.0] }\n"
    # These faults cannot show: there is no zero, and never one element alone.
    suite(tmp_path, {"zero": faulty("zero"), "one": faulty("one")}, more=stated)
    result = fuzz(tmp_path, "--inputs", "4000")
    assert result.exit_code == 0, result.output
    assert "sizes: n 2 to 3, d 0 to 8" in result.output


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ("sizes = { k = [1, 2] }", "no input has the size 'k'"),
        ("sizes = { n = [3, 2] }", "sizes from 3 to 2 are none"),
        ("inputs = { z = { whole = true } }", "the case has no input 'z'"),
        ("inputs = { x = { range = [2, 1] } }", "there is no number from 2 to 1"),
        ("inputs = { x = { rang = [1, 2] } }", "rang"),
    ],
)
def test_what_is_stated_wrongly_is_told_with_its_line(tmp_path: Path, stated: str, said: str) -> None:
    suite(tmp_path, {"right": OTHER}, more=f"[fuzz]\n{stated}\n")
    result = fuzz(tmp_path, "--inputs", "1")
    assert result.exit_code == 2
    assert said in result.output
    assert re.search(r"case\.toml:\d+: ", result.output)


def test_without_another_implementation_it_says_that_nothing_was_compared(tmp_path: Path) -> None:
    suite(tmp_path, {})
    assert fuzz(tmp_path, "--inputs", "10").exit_code == 5


LOOSE = """
[[runtime]]
id = "loose"
language = "Loose"
sources = "numpy"
command = ["{python}", "-P", "{workers}/__main__.py", "numpy"]
not_ieee = "its zeros are anything"
"""


def test_what_reckons_otherwise_than_ieee_754_is_searched_where_it_is_named(tmp_path: Path) -> None:
    suite(tmp_path, {})
    (tmp_path / "suite.toml").write_text(LOOSE, encoding="utf-8")
    alone = fuzz(tmp_path, "--inputs", "1")
    assert alone.exit_code == 5, alone.output
    assert "loose is left out, unless --impl names it: its zeros are anything" in alone.output
    named = fuzz(tmp_path, "--inputs", "1", "--impl", "numpy", "--impl", "loose")
    assert named.exit_code == 0, named.output


def test_several_cases_and_unknown_ones_are_mistakes(tmp_path: Path) -> None:
    suite(tmp_path, {"right": OTHER})
    assert fuzz(tmp_path, "--precision", "float32").exit_code == 2
    assert CliRunner().invoke(main, ["fuzz", "nothing", "--suite", str(tmp_path)]).exit_code == 2


def test_without_hypothesis_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suite(tmp_path, {"right": OTHER})
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    result = fuzz(tmp_path, "--inputs", "10")
    assert result.exit_code == 2
    assert "Hypothesis is not installed" in result.output
    assert "pip install" in result.output


def test_a_worker_that_ends_is_a_finding_and_the_search_goes_on(tmp_path: Path) -> None:
    ends = OTHER.replace(
        "return np.sort(x)[-1]", "return __import__('os')._exit(3) if len(x) == 3 else x.max()"
    )
    suite(tmp_path, {"ends": ends, "tie": faulty("tie")})
    result = fuzz(tmp_path, "--inputs", "2000")
    assert found(result.output).keys() == {"ends", "tie"}, result.output
    assert "x = [0.0, 0.0, 0.0]" in found(result.output)["ends"]
    assert result.exit_code == 4


@pytest.mark.r
@pytest.mark.torch
@pytest.mark.julia
@pytest.mark.slow
def test_the_cases_implementations_are_right_on_what_is_drawn(tmp_path: Path) -> None:
    """Every language starts, of which one compiles for long.

    All but -ffast-math and JAX, which take subnormal numbers for 0, as the docs say.
    """
    chosen = ("*", "!c-fast", "!jax*")
    plan = make_plan(
        ROOT / "reference_impls", cases=("four_word",), implementations=chosen, precisions=("float64",)
    )
    with session(plan, seed=5) as opened:
        if opened.missing:
            pytest.skip(str(opened.missing))
        # The first of those that a minute draws: nox -s fuzz takes one for each case.
        opened.hunt.run(inputs=1000)
        assert opened.hunt.findings == []
        assert opened.hunt.tally.judged > 10
        assert opened.hunt.tally.unjudged < 0.2 * opened.hunt.tally.inputs


def test_a_second_fault_behind_the_first_is_told_as_well(tmp_path: Path) -> None:
    """Another kind of it, and another kind of input; where all inputs are off, not with each seed."""
    suite(
        tmp_path,
        {
            "two": OTHER.replace(
                "return np.sort(x)[-1]",
                "assert len(x) != 3\n    return x.max() - (len(x) == 1) - 0.5 * (np.sum(x == x.max()) > 1)",
            ),
            "all": OTHER.replace("return np.sort(x)[-1]", "return x.max() * 1.001 + 0.1"),
        },
    )
    result = fuzz(tmp_path, "--inputs", "6000", "--seed", "2")
    told = re.findall(r"^\d+\. numpy\.(\w+), stage peak: (\w+)", result.output, flags=re.MULTILINE)
    assert sorted(told) == [("all", "FAIL"), ("two", "ERROR"), ("two", "FAIL"), ("two", "FAIL")], (
        result.output
    )
    assert re.search(r"x = \[0\.0\]\n", result.output)
    # Three numbers, and those of which some are equal.
    assert len(re.findall(r"x = \[([\d.]+)(?:, \1)+\]\n", result.output)) == 2, result.output
    assert {path.name for path in (tmp_path / "out" / "toy").iterdir()} == {
        "peak.numpy.two", "peak.numpy.two.2", "peak.numpy.two.3", "peak.numpy.all",
    }  # fmt: skip
    assert result.exit_code == 4


def test_nan_that_is_lost_is_made_small_too(tmp_path: Path) -> None:
    """Of nothing but NaN the other one has an infinity, which could be the format's end."""
    more = "nan = true\n[fuzz.inputs]\nx = { nan = true }\n"
    of_some(tmp_path, "np.array([x.max()])", "np.array([np.fmax.reduce(x, initial=-np.inf)])", more=more)
    result = fuzz(tmp_path, "--inputs", "3000")
    assert re.search(r"x = \[(0\.0, nan|nan, 0\.0)\]\n", result.output), result.output


def test_one_seed_says_the_same_twice(tmp_path: Path) -> None:
    suite(tmp_path, {"tie": faulty("tie"), "right": OTHER, "one": faulty("one")})
    texts = []
    for number in range(2):
        result = fuzz(tmp_path, "--inputs", "1500", "--out", str(tmp_path / f"out_{number}"))
        text = result.output.replace(f"out_{number}", "out")
        texts.append(re.sub(r"in [\d.]+ s, [\d,]+ a second", "", text))
    assert texts[0] == texts[1]
    assert re.findall(r"^   (\S+) returns peak", texts[0], flags=re.MULTILINE)[:4] == [
        "numpy", "numpy.one", "numpy.right", "numpy.tie",
    ]  # fmt: skip
