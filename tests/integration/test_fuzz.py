"""Inputs drawn for a case: planted faults are found and made small, and right implementations left alone."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner, Result

from harness.cli import main
from harness.conformance.loading import Loading
from harness.conformance.plan import make_plan
from harness.errors import HarnessError
from harness.fuzz.draw import make_batch
from harness.fuzz.frames import observe_other, observe_reference
from harness.fuzz.keep import check_keep, keep
from harness.fuzz.parting import scores_of
from harness.fuzz.recipes import recipes
from harness.fuzz.session import session
from harness.model import Absent
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry
from harness.store.cases import load_case
from harness.store.fixture_writer import write_fixture

pytest.importorskip("hypothesis")
pytest.importorskip("flint")

ROOT = Path(__file__).parents[2]

CASE = """
[case]
name = "toy"
title = "Toy"
origin = "here"
fixture = "toy"

[inputs]
x = { shape = ["n"] }
W = { shape = ["n", "d"] }

[[stage]]
name = "centred"
inputs = ["x"]
shape = ["n"]

[[stage]]
name = "peak"
inputs = ["x"]
shape = []

[[stage]]
name = "mixed"
inputs = ["centred", "W"]
shape = ["d"]
"""

SOUND = """
import numpy as np


def centred(x):
    return x - x.mean()


def peak(x):
    return x.max()


def mixed(centred, W):
    return centred @ W
"""

OTHER = """
import math

import numpy as np


def centred(x):
    return x - math.fsum(x) / len(x)


def peak(x):
    return np.sort(x)[-1]


def mixed(centred, W):
    return (centred[:, None] * W).sum(axis=0)
"""

FAULTS = {
    "tie": ("return np.sort(x)[-1]", "return x.max() - 0.5 * (np.sum(x == x.max()) > 1)"),
    "zero": ("return np.sort(x)[-1]", "return x.max() + np.any(np.signbit(x) & (x == 0.0))"),
    "one": ("return x - math.fsum(x) / len(x)", "return x - math.fsum(x) / max(len(x) - (len(x) == 1), 0.5)"),
    "raises": ("return np.sort(x)[-1]", "assert len(x) != 3\n    return x.max()"),
    "shape": ("return np.sort(x)[-1]", "return x.max() if len(x) > 1 else x"),
}


def suite(folder: Path, labels: Mapping[str, str], *, more: str = "") -> Path:
    case = folder / "toy"
    case.mkdir(parents=True)
    (case / "case.toml").write_text(CASE + more, encoding="utf-8")
    (case / "toy.py").write_text(SOUND, encoding="utf-8")
    for label, source in labels.items():
        (case / f"toy.{label}.py").write_text(source, encoding="utf-8")
    rng = np.random.default_rng(0)
    arrays = {"x": rng.normal(size=4), "W": rng.normal(size=(4, 2))}
    write_fixture(
        folder / "fixtures" / "toy",
        version=1,
        title="numbers",
        origin="here",
        licence="MIT",
        generator=[{"kind": "data"}],
        arrays=arrays,
        origins=dict.fromkeys(arrays, "here"),
    )
    return folder


def faulty(label: str) -> str:
    old, new = FAULTS[label]
    assert OTHER.count(old) == 1
    return OTHER.replace(old, new)


def fuzz(folder: Path, *options: str) -> Result:
    out = folder / "out"
    command = ["fuzz", "toy", "--suite", str(folder), "--out", str(out), *options]
    return CliRunner().invoke(main, command)


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """One search of a suite with all faults, and a second right implementation."""
    folder = tmp_path_factory.mktemp("searched")
    suite(folder, {**{label: faulty(label) for label in FAULTS}, "right": OTHER})
    before = files(folder)
    result = fuzz(folder, "--inputs", "20000")
    assert files(folder) == before
    return folder, result


def files(folder: Path) -> dict[str, bytes]:
    """The suite's, without the folder of results."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "out" not in path.relative_to(folder).parts and path.suffix != ".pyc"
    }


def found(output: str) -> dict[str, str]:
    """By label, all lines of its finding."""
    parts = re.split(r"^\d+\. numpy", output, flags=re.MULTILINE)[1:]
    texts = {part.split(",")[0].lstrip("."): part for part in parts}
    assert len(texts) == len(parts), output
    return texts


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
    runtime: str, tmp_path: Path
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
    result = fuzz(tmp_path, "--inputs", "20000")
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
    assert fuzz(tmp_path, "--inputs", "5000").exit_code == 1
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
        result = fuzz(tmp_path, "--inputs", "3000", "--seed", seed, "--out", str(out))
        texts.append(re.search(r"\(batch \d+, input \d+\)", result.output))
    assert all(texts)
    first, same, other = (found[0] for found in texts if found)
    assert first == same != other


def test_a_sample_is_added_to_the_fixture_where_that_is_asked_for(tmp_path: Path) -> None:
    suite(tmp_path, {"tie": faulty("tie")})
    result = fuzz(tmp_path, "--inputs", "5000", "--keep")
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
    result = fuzz(tmp_path, "--inputs", "5000", "--keep")
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


KEPT_SOME = """
[case]
name = "toy"
title = "Toy"
origin = "here"
fixture = "toy"

[inputs]
x = ["n"]
W = ["n", "d"]

[[stage]]
name = "some"
inputs = ["x"]
shape = ["m"]
"""


def kept_some(folder: Path, reference: str, other: str, *, more: str = "") -> Result:
    """A search of a stage whose number of elements is its own."""
    of_some(folder, reference, other, more=more)
    return fuzz(folder, "--inputs", "2000")


def of_some(folder: Path, reference: str, other: str, *, more: str = "") -> None:
    suite(folder, {})
    (folder / "toy" / "case.toml").write_text(KEPT_SOME + more, encoding="utf-8")
    for name, body in (("toy.py", reference), ("toy.other.py", other)):
        source = f"import numpy as np\n\n\ndef some(x):\n    return {body}\n"
        (folder / "toy" / name).write_text(source, encoding="utf-8")


@pytest.mark.parametrize(
    ("reference", "other"),
    [
        ("x[x >= 0]", "x[x > 0]"),
        ("x[1:] - x[:-1]", "np.zeros(1) if len(x) == 1 else np.diff(x)"),
    ],
)
def test_another_number_of_elements_is_found(reference: str, other: str, tmp_path: Path) -> None:
    result = kept_some(tmp_path, reference, other)
    assert result.exit_code == 1, result.output
    assert found(result.output).keys() == {"other"}
    assert "shape" in found(result.output)["other"].splitlines()[0]


KEPT_MORE = """
[[stage]]
name = "more"
inputs = ["some"]
shape = ["m"]
"""
MORE = "\n\ndef more(some):\n    return {}\n"


@pytest.mark.parametrize("batches", [True, False])
def test_inputs_are_compared_by_the_sizes_of_their_results(
    batches: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every one of them is, those that raise an error apart, and the stages behind as well."""
    if not batches:
        monkeypatch.setattr(Loading, "takes_batches", lambda self, stage: False)
    some = "x[x > 0] if len(x) != 4 or x[0] > 0 else x[9]"
    bodies = (some + MORE.format("some * 2"), some + MORE.format("some + some"))
    of_some(tmp_path, *bodies, more=KEPT_MORE)
    with session(make_plan(tmp_path)) as opened:
        hunt = opened.hunt
        for recipe in islice(recipes(hunt.domain, 0), 12):
            batch = make_batch(hunt.domain, recipe, 0, 40)
            seen = []
            for ours in observe_reference(hunt.reference, hunt.stages, batch):
                theirs = observe_other(hunt.others[0], hunt.stages, ours)
                for place in range(ours.batch.count):
                    x = batch.one(ours.batch.place(place))["x"]
                    assert np.array_equal(ours.batch.one(place)["x"], x)
                    seen.append(ours.batch.place(place))
                    raises = len(x) == 4 and not x[0] > 0
                    assert ("some" in ours.sound and ours.sound["some"][place]) == (not raises)
                    if not raises:
                        assert np.array_equal(ours.values["some"][place], x[x > 0])
                        assert np.array_equal(ours.values["more"][place], 2 * x[x > 0])
                for name, found in theirs.items():
                    assert np.array_equal(found.usual, ours.stages[name].usual)
                scores = scores_of(hunt._parting, ours, {"other": theirs})
                assert not any(row.any() for row in scores.values())
            assert sorted(seen) == list(range(batch.count))


def test_a_reference_that_does_not_take_the_fixtures_own_size(tmp_path: Path) -> None:
    """It is called with that once, to find out."""
    endless = "x if len(x) < 3 or all(True for _ in iter(int, 1)) else x"
    of_some(tmp_path, endless, "x", more="[fuzz]\nsizes = { n = [0, 4] }\n")
    case = tmp_path / "toy" / "case.toml"
    text = case.read_text(encoding="utf-8").replace('fixture = "toy"\n', 'fixture = "toy"\ntimeout = 100\n')
    case.write_text(text.replace('W = ["n", "d"]\n', ""), encoding="utf-8")
    begun = time.perf_counter()
    result = fuzz(tmp_path, "--seconds", "3")
    assert time.perf_counter() - begun < 60.0
    assert result.exit_code == 0, result.output
    assert "the reference does not take n = 3" in result.output


def test_two_stages_have_sizes_of_their_own(tmp_path: Path) -> None:
    """Inputs of the usual size of one are not those of the usual size of the other."""
    runs = "\n\ndef runs(x):\n    return x[np.r_[True, x[1:] != x[:-1]]] if len(x) else x\n"
    of_some(
        tmp_path,
        "x[x > 0]" + runs,
        "x[0 < x]" + runs,
        more=KEPT_MORE.replace("some", "x").replace("more", "runs"),
    )
    result = fuzz(tmp_path, "--inputs", "300")
    assert result.exit_code == 0, result.output
    assert "300 inputs in" in result.output


def test_a_fault_of_one_size_of_a_result_is_found(tmp_path: Path) -> None:
    """Of inputs of one size most give something else."""
    faulty = "x[x > 0] + (len(x) == 7 and np.sum(x > 0) == 1)"
    result = kept_some(tmp_path, "x[x > 0]", faulty)
    assert result.exit_code == 1, result.output
    assert found(result.output).keys() == {"other"}
    assert " 0 were not taken by the reference" in result.output


def test_what_parts_and_could_not_be_decided_is_no_agreement(tmp_path: Path) -> None:
    """The side of a zero's sign is not decided by a true value."""
    result = kept_some(tmp_path, "np.copysign(1.0, x)", "np.where(x < 0, -1.0, 1.0)")
    assert result.exit_code == 5, result.output
    assert "none is off" not in result.output
    assert "nothing that parts could be decided" in result.output
    assert re.search(
        r"on [1-9]\d* inputs the languages part .* [1-9]\d* were and could not be", result.output
    )


def test_nan_that_is_the_true_value_accuses_nobody(tmp_path: Path) -> None:
    """Of nothing but zeros a share is 0/0, whoever divides; who has NaN for a number is off all the same."""
    share = "np.array([x.sum() / np.abs(x).sum()])"
    of_some(tmp_path, share, share)
    with session(make_plan(tmp_path)) as opened:
        judge = opened.hunt.judge
        zeros = judge({"zeros": {"x": np.zeros(2), "W": np.zeros((2, 2))}})
    assert zeros.accusations == ()
    assert zeros.alike == frozenset()
    of_some(tmp_path / "wrong", share, "np.array([np.nan * x.sum()])")
    with session(make_plan(tmp_path / "wrong")) as opened:
        ones = opened.hunt.judge({"ones": {"x": np.ones(2), "W": np.zeros((2, 2))}})
    assert {accusation.implementation for accusation in ones.accusations} == {"numpy.other"}


def test_overflow_in_another_order_accuses_nobody(tmp_path: Path) -> None:
    backwards = OTHER.replace("(centred[:, None] * W).sum(axis=0)", "centred[::-1] @ W[::-1]")
    suite(tmp_path, {"right": backwards})
    with session(make_plan(tmp_path)) as opened:
        opened.hunt.run(inputs=6000)
        assert opened.hunt.findings == []
        assert opened.hunt.tally.inputs >= 6000
        assert opened.hunt.tally.judged > 5


def test_terms_that_cancel_to_the_last_place_accuse_nobody(tmp_path: Path) -> None:
    """Of this seed's inputs one has a product whose rounding is all that is left of the sum."""
    suite(tmp_path, {"right": OTHER})
    with session(make_plan(tmp_path), seed=3_000_000) as opened:
        opened.hunt.run(inputs=700)
        assert opened.hunt.findings == []
        assert opened.hunt.tally.judged > 1


def test_a_worker_that_ends_is_a_finding_and_the_search_goes_on(tmp_path: Path) -> None:
    ends = OTHER.replace(
        "return np.sort(x)[-1]", "return __import__('os')._exit(3) if len(x) == 3 else x.max()"
    )
    suite(tmp_path, {"ends": ends, "tie": faulty("tie")})
    result = fuzz(tmp_path, "--inputs", "4000")
    assert found(result.output).keys() == {"ends", "tie"}, result.output
    assert "x = [0.0, 0.0, 0.0]" in found(result.output)["ends"]
    assert result.exit_code == 4


LIVE = {
    "numpy": (
        "toy.py",
        """
import numpy as np


def pair(x, s):
    if x[0] == 3.0:
        raise ValueError("three")
    return x * s, x[:1] if x[0] == 4.0 else x


def total(x):
    return x.sum()
""",
    ),
    "torch": (
        "toy_torch.py",
        """
def pair(x, s):
    if x[0] == 3.0:
        raise ValueError("three")
    return x * s, x[:1] if x[0] == 4.0 else x


def total(x):
    return x.sum()
""",
    ),
    "r": (
        "toy.R",
        """
pair <- function(x, s) {
  if (x[1, 1] == 3) stop("three")
  warning("heard by nobody")
  list(x * s, if (x[1, 1] == 4) x[1, , drop = FALSE] else x)
}

total <- function(x) sum(x)
""",
    ),
    "julia": (
        "toy.jl",
        """
function pair(x, s)
    x[1, 1] == 3.0 && error("three")
    return x .* s, x[1, 1] == 4.0 ? x[1:1, :] : x
end

total(x) = sum(x)
""",
    ),
}


@pytest.mark.parametrize(
    "runtime",
    [
        "numpy",
        pytest.param("torch", marks=pytest.mark.torch),
        pytest.param("r", marks=pytest.mark.r),
        # It compiles for ten seconds.
        pytest.param("julia", marks=[pytest.mark.julia, pytest.mark.slow]),
        pytest.param("julia-process", marks=pytest.mark.julia),
    ],
)
def test_a_batch_gives_what_calls_one_by_one_give(
    tmp_path: Path, runtime: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _, hosting = runtime.partition("-")
    if hosting:
        monkeypatch.setenv("HARNESS_JULIA_HOSTING", "process")
    launch = Registry.load(tmp_path).launch(name)
    if isinstance(launch, Absent):
        pytest.skip(launch.reason)
    if hosting:
        program, *rest = launch.command
        launch = msgspec.structs.replace(launch, command=(program, "--compile=min", *rest))
    path = tmp_path / LIVE[name][0]
    path.write_text(LIVE[name][1], encoding="utf-8")
    x = np.random.default_rng(0).normal(size=(9, 2, 3))
    x[2, 0, 0], x[5, 0, 0], x[6, 1, 1] = 3.0, 4.0, -0.0
    x[8] = [[1.0, np.inf, -np.inf], [5e-324, np.nan, -0.0]]
    s = np.linspace(1.0, 2.0, 9)
    if name in ("numpy", "torch"):
        # What is compared there is the first row.
        x = x.reshape(9, 6)
    worker = Worker.start(name, launch, stderr=tmp_path / "stderr", deadline=180.0)
    try:
        assert worker.batches
        handle = worker.load(path, {"pair": 2, "total": 1}, deadline=60.0).handle
        stacks, others, seconds = worker.calls(handle, "pair", [x, s], 9, names=["a", "b"], deadline=60.0)
        assert others == [2, 5]
        assert seconds > 0.0
        for place in sorted(set(range(9)) - set(others)):
            alone, _ = worker.call(
                handle, "pair", [x[place], s[place]], outputs=2, deadline=60.0, names=["a", "b"]
            )
            for stack, array in zip(stacks, alone, strict=True):
                assert stack[place].tobytes() == np.ascontiguousarray(array).tobytes()
        totals, others, _ = worker.calls(handle, "total", [x], 9, names=["t"], deadline=60.0)
        assert others == []
        assert totals[0].reshape(9)[:8].tolist() == pytest.approx(x[:8].reshape(8, -1).sum(axis=1).tolist())
        none, others, _ = worker.calls(
            handle, "pair", [np.full_like(x, 3.0), s], 9, names=["a", "b"], deadline=60.0
        )
        assert others == list(range(9))
        assert len(none) == 2
        empty, others, _ = worker.calls(handle, "total", [x[:, :0]], 9, names=["t"], deadline=60.0)
        assert empty[0].reshape(9).tolist() == [0.0] * 9
    finally:
        worker.kill()


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
        opened.hunt.run(inputs=6000)
        assert opened.hunt.findings == []
        assert opened.hunt.tally.judged > 10
        assert opened.hunt.tally.unjudged < 0.2 * opened.hunt.tally.inputs


def exactly(rule: str) -> str:
    return f"nan = true\ntolerance = {rule}\n"


EXACT = exactly('{ rule = "exact" }')
SIGNLESS = exactly('{ rule = "absolute", value = 0, reason = "here" }')


def test_the_sign_of_a_zero_is_told_where_each_bit_counts_and_a_run_fails_on_it(tmp_path: Path) -> None:
    of_some(tmp_path, "x * 1.0", "x + 0.0", more=EXACT)
    result = fuzz(tmp_path, "--inputs", "3000")
    words = "the sign of zero differs in 1 place, and the stage is exact"
    # Which of the inputs is the smallest is the drawing library's choice.
    told = words.replace("1 place", r"\d+ places?") + r"; x = \[.*-0\.0\b"
    assert re.search(f"the sign of a zero: numpy.other, stage some: {told}", result.output)
    assert re.search(r"on [1-9]\d* inputs nothing but the sign of a zero differs", result.output)
    assert "none is off" in result.output
    assert result.exit_code == 0
    # A run says the same of the same input.
    keep(load_case(tmp_path / "toy"), tmp_path, {"x": np.array([-0.0]), "W": np.zeros((1, 1))}, "here")
    command = ["run", "--suite", str(tmp_path), "--out", str(tmp_path / "ran")]
    ran = CliRunner().invoke(main, command)
    assert (ran.exit_code, words in ran.output) == (1, True)
    # What the search says to do lets both pass.
    case = tmp_path / "toy" / "case.toml"
    case.write_text(case.read_text(encoding="utf-8").replace(EXACT, SIGNLESS), encoding="utf-8")
    result, ran = fuzz(tmp_path, "--inputs", "3000"), CliRunner().invoke(main, command)
    assert (result.exit_code, ran.exit_code) == (0, 0)
    assert "the sign of a zero" not in result.output


def test_where_each_bit_counts_rounding_is_still_judged_by_its_limit(tmp_path: Path) -> None:
    """What the fixture has without rounding, drawn numbers have not; equal numbers have equal zeros here."""
    of_some(tmp_path, "np.array([x.sum()])", "np.array([x[::-1].sum()])", more=EXACT)
    result = fuzz(tmp_path, "--inputs", "3000")
    assert result.exit_code == 0, result.output
    assert "sign of a zero" not in result.output


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
    result = fuzz(tmp_path, "--inputs", "20000", "--seed", "2")
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
        result = fuzz(tmp_path, "--inputs", "4000", "--out", str(tmp_path / f"out_{number}"))
        text = result.output.replace(f"out_{number}", "out")
        texts.append(re.sub(r"in [\d.]+ s, [\d,]+ a second", "", text))
    assert texts[0] == texts[1]
    assert re.findall(r"^   (\S+) returns peak", texts[0], flags=re.MULTILINE)[:4] == [
        "numpy", "numpy.one", "numpy.right", "numpy.tie",
    ]  # fmt: skip
