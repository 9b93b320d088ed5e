"""``pytest --conformance``: a test for each stage of each implementation, and one run for all of them."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil
import pytest

from harness.store.fixture_writer import write_fixture
from harness.store.record import read_record

pytest_plugins = "pytester"

Runs = Callable[[], int]

FILE = "suite/toy/case.toml"


def impls(*names: str) -> list[str]:
    return [f"--conformance-impl={name}" for name in names]


def run(pytester: pytest.Pytester, *args: str) -> pytest.RunResult:
    return pytester.runpytest("--conformance", "-p", "no:cacheprovider", *args)


def test_it_is_an_entry_point(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.pluginmanager.has_plugin("harness"), "install the project again: pip install -e ."


def test_nothing_heavy_is_imported_unless_asked() -> None:
    heavy = ["numpy", "msgspec", "harness.model", "harness.errors"]
    code = f"import sys, harness.pytest_plugin; print([name for name in {heavy} if name in sys.modules])"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert process.stdout == "[]\n"


def test_without_the_option_nothing_is_collected(pytester: pytest.Pytester, runs: Runs) -> None:
    pytester.makepyfile("def test_own():\n    pass\n")
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=1)
    assert runs() == 0


def test_every_verdict_has_its_outcome(pytester: pytest.Pytester, suite: Path) -> None:
    result = run(pytester, "-rA")
    result.assert_outcomes(passed=3 + 3 + 2 + 1 + 1 + 1 + 1, failed=1 + 2, xfailed=2, errors=1, skipped=3 + 1)
    lines = result.stdout.str().splitlines()

    def summed(word: str) -> set[str]:
        begin = f"{word} {FILE}::"
        return {line.removeprefix(begin).split(" ")[0] for line in lines if line.startswith(begin)}

    assert summed("FAILED") == {
        "toy/more/numpy.wrong[default]",
        "toy/last/numpy.wrong[default]",
        "toy/last/numpy.healed[default]",
    }
    assert summed("ERROR") == {"toy/more/numpy.raises[default]"}
    assert summed("XFAIL") == {"toy/more/numpy.known[default]", "toy/last/numpy.known[default]"}


def test_what_one_sample_has_is_not_said_of_the_others(pytester: pytest.Pytester, suite: Path) -> None:
    """The reference raises in one sample: a cell of its own, which covers that sample alone."""
    write_fixture(
        suite / "fixtures" / "toy",
        version=1,
        title="two samples",
        origin="made up",
        licence="MIT",
        generator=[{"kind": "literal", "arrays": {"a/x": [1.0], "b/x": [2.0], "c/x": [3.0]}}],
        arrays={f"{name}/x": np.array([at]) for name, at in (("a", 1.0), ("b", 2.0), ("c", 3.0))},
        origins={f"{name}/x": "made up" for name in "abc"},
        samples=("a", "b", "c"),
    )
    source = suite / "toy" / "toy.py"
    text = source.read_text(encoding="utf-8").replace(
        "    return twice + 1\n",
        "    if twice[0] == 4:\n        raise ValueError('four')\n    return twice + 1\n",
    )
    source.write_text(text, encoding="utf-8")
    result = run(pytester, *impls("numpy", "numpy.same"), "-rA", "--conformance-out", "out")
    lines = result.stdout.str().splitlines()

    def outcome(name: str) -> str:
        return next(
            line.split(" ")[0] for line in lines if f"::toy/more/{name} " in f"{line} " and " " in line
        )

    outcomes = {sample: outcome(f"numpy[{sample}]") for sample in "abc"}
    assert outcomes == {"a": "PASSED", "b": "ERROR", "c": "PASSED"}
    assert {sample: outcome(f"numpy.same[{sample}]") for sample in "ac"} == {"a": "PASSED", "c": "PASSED"}
    recorded = {
        (cell.implementation, part.sample): part.verdict
        for cell in read_record(pytester.path / "out" / "results.jsonl").cells
        for part in cell.by_sample
        if cell.stage == "more" and part.sample != "b"
    }
    assert set(recorded.values()) == {"PASS"}


def test_a_failure_tells_the_numbers_and_where_it_is_made(pytester: pytest.Pytester, suite: Path) -> None:
    result = run(pytester, *impls("numpy.wrong", "numpy.raises", "gone"), "-rs")
    result.stdout.fnmatch_lines(
        [
            "*toy.raises.py*",
            "case toy, stage more, implementation numpy.wrong, float64",
            "*max abs 0.5*limit 0*",
        ]
    )
    text = result.stdout.str()
    assert "the error is made in this stage" in text
    assert "on the reference's inputs it is PASS: it is off only with its own implementation's inputs" in text
    assert "ValueError: it went wrong" in text
    assert "cells.py" not in text
    assert "NOT_RUN: there is no program there-is-no-such-program" in text


def test_one_run_for_all_and_no_more_than_is_asked_for(pytester: pytest.Pytester, runs: Runs) -> None:
    result = run(pytester, "-k", "twice and same", "--conformance-out", "out")
    result.assert_outcomes(passed=1, deselected=21)
    cells = read_record(pytester.path / "out" / "results.jsonl").cells
    assert {cell.implementation for cell in cells} == {"numpy.same"}
    assert runs() == 1


def test_a_test_can_be_named(pytester: pytest.Pytester, suite: Path) -> None:
    run(pytester, f"{FILE}::toy/more/numpy.same[default]").assert_outcomes(passed=1)


def test_runxfail_makes_known_divergences_failures(pytester: pytest.Pytester, suite: Path) -> None:
    run(pytester, "--runxfail", *impls("numpy.known")).assert_outcomes(passed=1 + 1, failed=2)


def test_collecting_runs_nothing(pytester: pytest.Pytester, runs: Runs) -> None:
    result = run(pytester, "--collect-only", "-q")
    assert f"{FILE}::toy/more/numpy[default]" in result.outlines
    assert runs() == 0


def test_a_folder_around_the_suite_gives_each_test_once(pytester: pytest.Pytester, suite: Path) -> None:
    run(pytester, ".", *impls("numpy.same")).assert_outcomes(passed=3 + 1)


@pytest.mark.parametrize(
    ("names", "require", "outcomes"),
    [
        (["numpy.same", "gone"], "numpy,gone", {"passed": 3 + 1, "errors": 3}),
        (["numpy.same"], "numpy", {"passed": 3 + 1}),
    ],
)
def test_required_runtimes(
    pytester: pytest.Pytester, suite: Path, names: list[str], require: str, outcomes: dict[str, int]
) -> None:
    result = run(pytester, *impls(*names), f"--conformance-require={require}")
    result.assert_outcomes(**outcomes)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((*impls("numpy.same"), "--conformance-require=gone"), "nothing chosen is of the runtime 'gone'"),
        (("--conformance-require=cobol",), "nothing chosen is of the runtime 'cobol'"),
        (("--conformance-case=tyo",), "no case matches 'tyo'"),
        (("--conformance-suite=nowhere",), "nowhere"),
    ],
)
def test_mistakes_run_nothing(
    pytester: pytest.Pytester, runs: Runs, args: tuple[str, ...], message: str
) -> None:
    result = run(pytester, *args)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: *{message}*"])
    assert runs() == 0


def test_without_a_suite_nothing_is_run(pytester: pytest.Pytester, suite: Path, runs: Runs) -> None:
    shutil.copytree(suite, pytester.path / "another")
    several = run(pytester, "-c", "/dev/null")
    shutil.rmtree(pytester.path / "another")
    shutil.rmtree(suite)
    none = run(pytester, "-c", "/dev/null")
    for result, message in ((several, "several suites here: another, suite"), (none, "no suite here")):
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines([f"ERROR: --conformance: *{message}*"])
    assert runs() == 0


def test_a_broken_case_names_file_and_line(pytester: pytest.Pytester, suite: Path) -> None:
    path = suite / "toy" / "case.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('"known-offset"', '""', 1), encoding="utf-8")
    result = run(pytester)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --conformance: *case.toml:*"])


def test_junit_has_the_numbers(pytester: pytest.Pytester, suite: Path) -> None:
    run(pytester, *impls("numpy.wrong"), "--junitxml=junit.xml")
    tests = {
        element.get("name"): element for element in ET.parse(pytester.path / "junit.xml").iter("testcase")
    }
    failure = tests["toy/more/numpy.wrong[default]"].find("failure")
    assert failure is not None
    assert "max abs 0.5" in str(failure.get("message"))
    properties = tests["toy/twice/numpy.wrong[default]"].iter("property")
    assert {(property_.get("name"), property_.get("value")) for property_ in properties} == {
        ("chained reference", "PASS live"),
        ("isolated reference", "PASS live"),
    }


# Ten seconds each: three programs start.
@pytest.mark.parametrize("distribution", ["load", pytest.param("loadfile", marks=pytest.mark.slow)])
def test_xdist_runs_once(pytester: pytest.Pytester, runs: Runs, distribution: str) -> None:
    pytest.importorskip("xdist")
    args = (*impls("numpy.same", "numpy.wrong"), "--conformance-out=out")
    result = pytester.runpytest_subprocess(
        "--conformance", "-p", "no:cacheprovider", "-n2", f"--dist={distribution}", *args
    )
    result.assert_outcomes(passed=4 + 1, failed=2)
    assert runs() == 1
    assert read_record(pytester.path / "out" / "results.jsonl").cells


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_interrupts_and_leaves_no_process(pytester: pytest.Pytester, suite: Path) -> None:
    source = (
        "import pathlib, time\n\n\ndef twice(x):\n    pathlib.Path(__file__).with_name('asleep').touch()\n"
    )
    (suite / "toy" / "toy.hangs.py").write_text(f"{source}    time.sleep(600)\n", encoding="utf-8")
    args = ("--conformance", "-p", "no:cacheprovider", *impls("numpy.hangs"))
    started = subprocess.Popen([sys.executable, "-m", "pytest", *args], stdout=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not (suite / "toy" / "asleep").exists():
        assert time.monotonic() < deadline
        assert started.poll() is None
        time.sleep(0.05)
    workers = psutil.Process(started.pid).children(recursive=True)
    assert workers
    started.send_signal(signal.SIGINT)
    out, _ = started.communicate(timeout=60)
    assert started.returncode == pytest.ExitCode.INTERRUPTED
    assert b"KeyboardInterrupt" in out
    _, alive = psutil.wait_procs(workers, timeout=5)
    assert not alive


def write_lsq(suite: Path) -> None:
    """The reference is compared with nothing: no other implementation, and nothing but its repetition."""
    for path in (suite / "toy").glob("toy.*.py"):
        path.unlink()
    (suite / "toy" / "toy.gone").unlink()
    case = suite / "toy" / "case.toml"
    text = case.read_text(encoding="utf-8")
    case.write_text(text[: text.index("[[known_divergence]]")], encoding="utf-8")


def test_a_suite_that_compares_nothing_does_not_pass(pytester: pytest.Pytester, suite: Path) -> None:
    write_lsq(suite)
    result = run(pytester)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    text = result.stdout.str()
    assert "suite is incomplete: numpy: twice of toy in float64 and 2 more were compared with nothing" in text
    assert f"FAILED {FILE}::toy/complete" in text
    assert "= conformance: INCOMPLETE =" in text


def test_the_summary_has_the_outcome(pytester: pytest.Pytester, suite: Path) -> None:
    result = run(pytester, *impls("numpy", "numpy.same"))
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "=*= conformance: AGREEMENT =*=",
            "NumPy and numpy.same compute the same thing in the one case: 6 comparisons are*",
        ]
    )
    result = run(pytester, *impls("numpy.wrong"))
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["=*= conformance: DIVERGENCE =*="])


def test_every_sample_is_a_test(pytester: pytest.Pytester, suite: Path) -> None:
    arrays = {"s1": {"x": [1.0, 2.0]}, "s2": {"x": [3.0, 4.0]}}
    shutil.rmtree(suite / "fixtures" / "toy")
    write_fixture(
        suite / "fixtures" / "toy",
        version=1,
        title="two samples",
        origin="made up",
        licence="MIT",
        generator=[{"kind": "literal", "arrays": {f"{s}/x": inputs["x"] for s, inputs in arrays.items()}}],
        arrays={f"{sample}/x": np.array(inputs["x"]) for sample, inputs in arrays.items()},
        origins={f"{sample}/x": "made up" for sample in arrays},
        samples=tuple(arrays),
    )
    source = "def twice(x):\n    return 2 * x\n\n\ndef more(twice):\n"
    off = "    return twice + 1 + (twice[0] > 5)\n\n\ndef last(more):\n    return -more\n"
    (suite / "toy" / "toy.second.py").write_text(source + off, encoding="utf-8")
    result = run(pytester, *impls("numpy.second"), "-rA")
    lines = result.stdout.str().splitlines()
    failed = {line.split("::")[1].split(" ")[0] for line in lines if line.startswith("FAILED")}
    assert failed == {"toy/more/numpy.second[s2]", "toy/last/numpy.second[s2]"}
    result.assert_outcomes(passed=4 + 1, failed=2)


@pytest.mark.parametrize("keeps", [False, True])
def test_what_a_worker_printed_can_be_read(pytester: pytest.Pytester, suite: Path, keeps: bool) -> None:
    source = (suite / "toy" / "toy.same.py").read_text(encoding="utf-8")
    dies = "import os, sys; print('why it ends', file=sys.stderr, flush=True); os._exit(3)"
    (suite / "toy" / "toy.dies.py").write_text(source.replace("return twice + 1", dies), encoding="utf-8")
    options = ["--conformance-out=kept"] if keeps else []
    text = run(pytester, *impls("numpy.dies"), *options).stdout.str()
    assert "    | why it ends" in text
    named = set(re.findall(r"what it printed is in (\S+)", text))
    if not keeps:
        assert named == set()
        return
    assert {Path(path).parent for path in named} == {pytester.path / "kept" / "logs"}
    assert all("why it ends" in Path(path).read_text(encoding="utf-8") for path in named)
    cells = read_record(pytester.path / "kept" / "results.jsonl").cells
    assert {cell.implementation for cell in cells} >= {"numpy.dies"}


def test_a_file_that_cannot_be_loaded_fails_one_test(pytester: pytest.Pytester, suite: Path) -> None:
    (suite / "toy" / "toy.broken.py").write_text("import nowhere_to_be_found\n", encoding="utf-8")
    result = run(pytester, "-rA", *impls("numpy.broken"))
    lines = result.stdout.str().splitlines()
    result.assert_outcomes(errors=1, skipped=2, passed=1)
    assert any(line.startswith(f"ERROR {FILE}::toy/twice/numpy.broken[default]") for line in lines)
    assert any(
        "the same as in toy/twice/numpy.broken[default]" in line for line in lines if "SKIPPED" in line
    )
    # Alone, the later stage has the error itself.
    run(pytester, *impls("numpy.broken"), "-k", "last").assert_outcomes(errors=1)
