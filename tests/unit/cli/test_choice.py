"""What ``--case``, ``--impl``, ``--sample`` and ``--precision`` leave out is said; mistakes are answered."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from harness.conformance.plan import make_plan
from harness.errors import UsageError
from harness.store.fixture_writer import write_fixture
from harness.store.record import read_record

Harness = Callable[..., Result]

FOUND = """
[[runtime]]
id = "gone"
language = "Gone"
suffix = ".gone"
command = ["{python}", "-P", "{workers}/__main__.py", "numpy"]
"""
WRONG_IN_C = """
def twice(x):
    return 2 * x if x[0] < 3 else 5 * x


def more(twice):
    return twice + 1
"""


@pytest.fixture
def three(suite: Path) -> Path:
    """The toy suite with three samples, of which one is wrong in one implementation; and a second case."""
    write_fixture(
        suite / "fixtures" / "toy",
        version=2,
        title="three numbers",
        origin="made up",
        licence="MIT",
        generator=[{"kind": "by hand"}],
        arrays={f"{name}/x": np.array([value]) for name, value in (("a", 1.0), ("b", 2.0), ("c", 3.0))},
        origins={f"{name}/x": "made up" for name in "abc"},
        samples=("a", "b", "c"),
    )
    for name in ("dies", "hangs", "wrong"):
        (suite / "toy" / f"toy.{name}.py").unlink()
    (suite / "toy" / "toy.same.py").write_text(WRONG_IN_C, encoding="utf-8")
    other = suite / "other"
    shutil.copytree(suite / "toy", other)
    for path in list(other.iterdir()):
        path.rename(other / path.name.replace("toy", "other"))
    case = (suite / "toy" / "case.toml").read_text(encoding="utf-8")
    precisions = 'fixture = "toy"\nprecisions = ["float64", "float32"]'
    (suite / "toy" / "case.toml").write_text(case.replace('fixture = "toy"', precisions), encoding="utf-8")
    (other / "case.toml").write_text(case.replace('name = "toy"', 'name = "other"'), encoding="utf-8")
    return suite


def test_whatever_is_not_chosen_is_said_everywhere(harness: Harness, three: Path) -> None:
    options = ("--case", "toy", "--sample", "a", "--precision", "float64", "--impl", "numpy*")
    result = harness("run", "--suite", three, *options)
    assert result.exit_code == 0, result.output
    header = read_record(Path("results/results.jsonl")).header
    assert {kind: (part.chosen, part.of, part.names) for kind, part in header.left_out.items()} == {
        "cases": (1, 2, ("other",)),
        "implementations": (2, 3, ("gone",)),
        "samples": (1, 3, ("b", "c")),
        "precisions": (1, 2, ("float32",)),
    }
    texts = [Path("results", name).read_text(encoding="utf-8") for name in ("summary.md", "report.html")]
    for text in (" ".join(result.stdout.split()), *texts):
        assert "compute the same thing in 1 of 2 cases, in 1 of 3 samples" in text
        assert "Only a part was chosen: " in text
        assert "1 of 3 samples (without b, c)" in text
        assert "1 of 2 precisions (without float32)" in text
        assert "2 of 3 implementations (without gone)" in text
        assert "1 of 2 cases (without other)" in text
    assert "1 of 3 samples" in Path("results/badge.json").read_text(encoding="utf-8")
    assert 'name="chosen" value="1 of 3 samples"' in Path("results/junit.xml").read_text(encoding="utf-8")
    printed = json.loads(harness("run", "--suite", three, *options, "--json").stdout)
    assert printed["left_out"]["samples"] == {"chosen": 1, "of": 3, "names": ["b", "c"]}


def test_where_all_is_chosen_nothing_is_said_to_be_left_out(harness: Harness, three: Path) -> None:
    assert make_plan(three).left_out == {}
    assert make_plan(three, samples=("a", "b", "c"), cases=("*",)).left_out == {}
    result = harness("run", "--suite", three)
    assert result.exit_code == 1, result.output
    assert "was chosen" not in result.stdout
    assert "chosen" not in Path("results/junit.xml").read_text(encoding="utf-8")
    assert '"left_out":{}' in Path("results/results.jsonl").read_text(encoding="utf-8").splitlines()[0]


@pytest.mark.parametrize(
    ("option", "pattern", "kind", "part"),
    [
        ("cases", "toy", "cases", (1, 2, ("other",))),
        ("cases", "!toy", "cases", (1, 2, ("toy",))),
        ("precisions", "float32", "cases", (1, 2, ("other",))),
        ("precisions", "float64", "precisions", (1, 2, ("float32",))),
        ("samples", "!c", "samples", (4, 6, ("other/c", "toy/c"))),
        ("implementations", "!gone", "implementations", (2, 3, ("gone",))),
    ],
)
def test_each_option_says_what_it_leaves_out(
    three: Path, option: str, pattern: str, kind: str, part: tuple[int, int, tuple[str, ...]]
) -> None:
    left_out = make_plan(three, **{option: (pattern,)}).left_out[kind]  # type: ignore[arg-type]
    assert (left_out.chosen, left_out.of, left_out.names) == part


def test_a_runtime_that_no_case_has_may_be_left_out(three: Path) -> None:
    """One command fits suites with and without it; a name that no runtime has is a mistake still."""
    assert not make_plan(three, implementations=("!octave",)).left_out
    for pattern in ("octave", "!octvae", "!octave.mine"):
        with pytest.raises(UsageError, match=f"no implementation matches '{pattern}'"):
            make_plan(three, implementations=(pattern,))


def test_a_case_that_has_not_all_of_it_is_no_case(harness: Harness, three: Path) -> None:
    (three / "toy" / "toy.gone").unlink()
    result = harness("run", "--suite", three, "--impl", "gone", "--precision", "float32")
    assert result.exit_code == 2, result.output
    assert "no case has all that was chosen together" in result.stderr


@pytest.mark.parametrize(
    ("args", "message", "advice"),
    [
        (["--precision", "float16"], "no precision matches 'float16'", "the chosen cases have: float64\n"),
        (
            ["--sample", "default", "--sample", "x"],
            "no sample matches 'x'",
            "the chosen cases have: default\n",
        ),
        (["--case", "!toy"], "no case is left by '!toy'", "there are: toy\n"),
        (["--case", "t*", "--case", "!to*"], "no case is left by 't*', '!to*'", "there are: toy\n"),
        (["--impl", "!*"], "no implementation is left by '!*'", "the chosen cases have: numpy, numpy.dies"),
        (["--precision", "!float64"], "no precision is left by '!float64'", "cases have: float64\n"),
    ],
)
def test_a_choice_of_nothing_is_answered_with_what_there_is(
    harness: Harness, suite: Path, args: list[str], message: str, advice: str
) -> None:
    result = harness("run", "--suite", suite, *args)
    assert result.exit_code == 2, result.output
    assert f"error: {message}\n" in result.stderr
    assert advice in result.stderr
    assert not Path("results/results.jsonl").exists()


def test_a_required_runtime_that_was_not_chosen_is_called_so(harness: Harness, suite: Path) -> None:
    (suite / "suite.toml").write_text(FOUND, encoding="utf-8")
    options = ("--impl", "numpy", "--impl", "numpy.same")
    assert harness("run", "--suite", suite, "--require", "gone", *options).exit_code == 3
    footer = read_record(Path("results/results.jsonl")).footer
    assert footer is not None
    assert footer.complaints == (
        "required runtime not compared: gone: of its implementations in the chosen cases, --impl chooses"
        " none: gone",
    )
    (suite / "toy" / "toy.gone").unlink()
    assert harness("run", "--suite", suite, "--require", "gone", *options).exit_code == 3
    footer = read_record(Path("results/results.jsonl")).footer
    assert footer is not None
    assert footer.complaints == (
        "required runtime not compared: gone: no chosen case has an implementation in it",
    )
