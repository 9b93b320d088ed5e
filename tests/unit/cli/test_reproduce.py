"""``harness reproduce``, and the commands that a report tells its reader to give."""

import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from harness.store.fixture_writer import write_fixture

Harness = Callable[..., Result]

DRIFTS = "def twice(x):\n    return 2 * x\n\n\ndef more(twice):\n    return twice + 1 + twice // 64 * twice\n"
PRINTED = """
[[published]]
stage = "more"
source = "table {}"
sample = "near"
values = ["4", "6", "-5"]
decimals = 0
"""


@pytest.fixture
def samples(suite: Path) -> Path:
    """Three samples: in the first all agree, in the last the difference is largest."""
    arrays = {
        "near/x": np.array([1.0, 2.5, 3.0]),
        "farthest/x": np.array([100.0, 2.5, 512.0]),
        "far/x": np.array([100.0, 2.5, 3.0]),
    }
    write_fixture(
        suite / "fixtures" / "toy",
        version=2,
        title="three numbers, three times",
        origin="made up",
        licence="MIT",
        generator=[{"kind": "by hand"}],
        samples=["near", "far", "farthest"],
        arrays=arrays,
        origins=dict.fromkeys(arrays, "made up"),
    )
    (suite / "toy" / "toy.drifts.py").write_text(DRIFTS, encoding="utf-8")
    return suite


def test_the_worst_sample_is_shown(harness: Harness, samples: Path, tmp_path: Path) -> None:
    result = harness("reproduce", "toy", "more", "numpy.drifts", "--suite", samples, "--out", tmp_path / "s")
    assert result.exit_code == 0, result.output
    script = Path(result.stdout.strip())
    assert "sample farthest" in script.read_text(encoding="utf-8").splitlines()[0]
    done = subprocess.run([sys.executable, "-I", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "2 of 3 elements are beyond their limit" in done.stdout


def test_a_sample_that_is_named_is_shown(harness: Harness, samples: Path) -> None:
    result = harness("reproduce", "toy", "more", "numpy.drifts", "--suite", samples, "--sample", "far")
    assert result.exit_code == 0, result.output
    assert "sample far," in result.stdout.splitlines()[0]


def test_hints_name_mode_sample_and_check(
    harness: Harness, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    options = ("--suite", samples, "--impl", "numpy", "--impl", "numpy.drifts", "--out", tmp_path / "out")
    result = harness("run", *options)
    assert result.exit_code == 1, result.output
    hint = "harness show toy more --suite suite --mode chained --sample farthest"
    assert f"next: {hint}" in result.stdout
    shown = harness(*shlex.split(hint)[1:], "--impl", "numpy", "--impl", "numpy.drifts")
    assert "toy more, sample farthest, float64, chained" in shown.stdout
    assert "from numpy: max abs 1.64e+04" in shown.stdout
    command = (
        "harness reproduce toy more numpy.drifts --suite suite --mode chained --sample farthest"
        " --check reference"
    )
    assert command in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    written = harness(*shlex.split(command)[1:])
    assert "sample farthest" in written.stdout.splitlines()[0]
    assert "The cell (chained, reference) is FAIL" in written.stdout


@pytest.mark.parametrize("table", ["table 1", "table 2"])
def test_of_two_printed_sources_the_one_that_is_named(harness: Harness, samples: Path, table: str) -> None:
    case = samples / "toy" / "case.toml"
    text = case.read_text(encoding="utf-8")
    case.write_text(text + PRINTED.format(1) + PRINTED.format(2), encoding="utf-8")
    options = ("--suite", samples, "--check", "published", "--against", table)
    result = harness("reproduce", "toy", "more", "numpy", *options)
    assert result.exit_code == 0, result.output
    assert f"print: {table}." in result.stdout.replace("\n# ", " ")
    gone = harness("reproduce", "toy", "more", "numpy", *options[:-1], "table 3")
    assert gone.exit_code == 2
    assert "there is nothing to show of toy more in numpy" in gone.stderr


def test_a_reference_that_crashes_is_a_fault(harness: Harness, suite: Path) -> None:
    source = suite / "toy" / "toy.py"
    text = source.read_text(encoding="utf-8")
    source.write_text("import os\n\n\n" + text.replace("return 2 * x", "os._exit(3)"), encoding="utf-8")
    result = harness("reproduce", "toy", "more", "numpy.same", "--suite", suite)
    assert result.exit_code == 4, result.output
    assert (
        "the reference has no value for the stage twice: worker numpy ended with exit code 3" in result.stderr
    )


def test_a_reference_that_crashes_later_is_none(harness: Harness, suite: Path) -> None:
    source = suite / "toy" / "toy.py"
    text = source.read_text(encoding="utf-8")
    source.write_text("import os\n\n\n" + text.replace("return twice + 1", "os._exit(3)"), encoding="utf-8")
    result = harness("reproduce", "toy", "twice", "numpy.same", "--suite", suite)
    assert result.exit_code == 0, result.output
    assert "The cell (isolated, reference) is PASS." in result.stdout


def test_names_that_do_not_exist_are_mistakes(harness: Harness, suite: Path) -> None:
    result = harness("reproduce", "toy", "less", "numpy", "--suite", suite)
    assert result.exit_code == 2
    assert "toy has no stage 'less'" in result.stderr


def test_of_several_outputs_the_one_that_is_off_is_shown(harness: Harness, suite: Path) -> None:
    case = suite / "toy" / "case.toml"
    single = 'name = "more"\ninputs = ["twice"]\nshape = ["n"]\ntolerance = { rule = "exact" }'
    value = 'shape = ["n"], tolerance = { rule = "exact" }'
    outputs = (
        f'{{ name = "more_1", {value} }}, {{ name = "more_2", {value} }}, {{ name = "more_3", {value} }}'
    )
    text = case.read_text(encoding="utf-8")
    assert single in text
    text = text.replace(single, f'name = "more"\ninputs = ["twice"]\noutputs = [{outputs}]')
    case.write_text(text, encoding="utf-8")
    for name, off in (("toy", 0), ("toy.same", 0), ("toy.wrong", 1)):
        source = (
            f"def twice(x):\n    return 2 * x\n\n\ndef more(t):\n    return t, t + {off}, t + 2 * {off}\n"
        )
        (suite / "toy" / f"{name}.py").write_text(source, encoding="utf-8")
    shown = {
        (implementation, stage): harness("reproduce", "toy", stage, implementation, "--suite", suite)
        for implementation, stage in (
            ("numpy.wrong", "more"), ("numpy.wrong", "more_3"), ("numpy.same", "more"),
        )
    }  # fmt: skip
    assert {result.exit_code for result in shown.values()} == {0}
    head = {each: result.stdout.partition("\n\n")[0] for each, result in shown.items()}
    assert "stage more_2," in head["numpy.wrong", "more"]
    assert "is FAIL: 3 of 3 elements" in head["numpy.wrong", "more"]
    assert "stage more_3," in head["numpy.wrong", "more_3"]
    assert "stage more_1," in head["numpy.same", "more"]


def test_a_complex_stage_is_shown(harness: Harness, suite: Path, tmp_path: Path) -> None:
    (suite / "toy" / "toy.turns.py").write_text(
        "def twice(x):\n    return 2 * x.conj()\n\n\ndef more(twice):\n    return twice + 1\n",
        encoding="utf-8",
    )
    case = suite / "toy" / "case.toml"
    text = case.read_text(encoding="utf-8").replace('x = ["n"]', 'x = { shape = ["n"], dtype = "complex" }')
    within = '{ rule = "absolute", value = 0.5, reason = "a half" }'
    text = text.replace('tolerance = { rule = "exact" }', f'dtype = "complex"\ntolerance = {within}')
    case.write_text(text, encoding="utf-8")
    write_fixture(
        suite / "fixtures" / "toy",
        version=2,
        title="three complex numbers",
        origin="made up",
        licence="MIT",
        generator=[{"kind": "by hand"}],
        arrays={"x": np.array([[1.0, 0.0], [2.5, 0.1], [-3.0, 4.0]])},
        origins={"x": "made up"},
    )
    result = harness("reproduce", "toy", "twice", "numpy.turns", "--suite", suite, "--out", tmp_path / "s")
    assert result.exit_code == 0, result.output
    command = [sys.executable, "-I", result.stdout.strip()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    # The second is off by 0.4i, the third by 16i.
    assert "largest difference 16 at [2], counted from 0: got -6-8j, expected -6+8j" in done.stdout
    assert "1 of 3 elements are beyond their limit" in done.stdout


def test_a_source_that_is_not_utf_8_is_the_users_mistake(harness: Harness, suite: Path) -> None:
    source = (suite / "toy" / "toy.py").read_bytes()
    (suite / "toy" / "toy.latin.py").write_bytes(b"# two\n# caf\xe9\n" + source)
    result = harness("reproduce", "toy", "more", "numpy.latin", "--suite", suite)
    assert result.exit_code == 2, result.output
    assert "toy.latin.py:2: is not UTF-8: byte 0xe9" in result.stderr
