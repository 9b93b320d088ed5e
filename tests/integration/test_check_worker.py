"""The checks of workers: ours pass them, and each wrong one is caught at its check."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from harness.audit.worker_checks import bench
from harness.audit.worker_checks.bench import FUNCTIONS, MORE, Finding, Outcome
from harness.audit.worker_checks.suite import CHECKS, check_worker
from harness.model import Absent
from harness.runtimes.registry import Launch, Registry
from tests import worker_table
from tests.faults import wrong_declared
from tests.faults.wrong import FAULTS
from tests.marks import in_slow

ROOT = Path(__file__).parents[2]
WRONG = ROOT / "tests" / "faults" / "wrong.py"
WRONG_OF_C = ROOT / "tests" / "faults" / "wrong_declared.py"
NODE = ROOT / "tests" / "node"
LONG = 180.0
TABLE = worker_table.read_table(worker_table.PAGE.read_text(encoding="utf-8"))


def failing(findings: list[Finding]) -> dict[str, str]:
    return {each.check: each.got for each in findings if each.outcome is Outcome.FAIL}


def not_offered(findings: list[Finding]) -> set[str]:
    return {each.check for each in findings if each.outcome is Outcome.NOT_OFFERED}


def launched(runtime: str) -> Launch:
    launch = Registry.load(ROOT / "reference_impls").launch(runtime)
    if isinstance(launch, Absent):
        pytest.skip(f"{runtime}: {launch.reason}")
    return launch


# Those of R and PyTorch answer by the code of NumPy's, and take half a minute each.
FAST_WORKERS = {
    "numpy": None,
    "c": None,
    "onnx": pytest.mark.onnx,
    "node": pytest.mark.node,
    "octave": pytest.mark.octave,
}
MARKS = {
    "torch": pytest.mark.torch, "r": pytest.mark.r, "julia": pytest.mark.julia, "jax": pytest.mark.jax,
    "jax-jit": pytest.mark.jax, "julia-process": pytest.mark.julia,
}  # fmt: skip


OF_THE_LOOP = {
    "garbage", "an unknown method", "an unknown dtype", "a line beyond the limit", "a line that is cut",
    "an array that is cut",
}  # fmt: skip
"""Checks that start a worker each, and of it see harness/workers/loop.py alone."""
CHECKED_WHOLE = {"numpy", "julia-process", "octave", "node"}
"""NumPy's worker is checked for all that answer by that loop, the others have one of their own."""

UNKNOWN = {"an unknown function and handle"}
"""A check that starts a worker twice anew; what answers is the code of another worker in these."""
ANSWERS_AS_ANOTHER = {"torch", "jax", "jax-jit", "julia", "c-fast", "cpp", "fortran"}


def _marked(runtime: str) -> object:
    mark = FAST_WORKERS.get(runtime) or MARKS.get(runtime)
    marks = [*([mark] if mark is not None else []), *([] if runtime in FAST_WORKERS else [pytest.mark.slow])]
    return pytest.param(runtime, marks=marks)


@pytest.mark.parametrize("runtime", [_marked(runtime) for runtime in worker_table.RUNTIMES])
def test_our_own_workers_pass(
    runtime: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """What each passes, and what it does not offer, is what docs/workers.md says of it."""
    if runtime == "julia-process":
        # Ten starts, of a second each where it does not compile.
        request.getfixturevalue("interpreted_julia")
    if hosting := worker_table.hosting(runtime):
        monkeypatch.setenv("HARNESS_JULIA_HOSTING", hosting)
    monkeypatch.setenv("PYTHON_JULIACALL_COMPILE", "min")
    left_out = set() if runtime in CHECKED_WHOLE else OF_THE_LOOP
    left_out |= UNKNOWN if runtime in ANSWERS_AS_ANOTHER else set()
    only = tuple(f"!{check}" for check in left_out)
    findings = check_worker(launched(runtime.removesuffix("-process")), tmp_path, only=only, patience=LONG)
    assert failing(findings) == {}
    due = {check: cell for check, cell in TABLE[runtime].items() if check not in left_out}
    assert worker_table.column_of(findings) == due


def test_the_table_has_each_worker_that_is_built_in_and_each_check() -> None:
    built_in = {*Registry.load(ROOT / "reference_impls").specs, "julia-process"}
    assert set(TABLE) == built_in
    for column in TABLE.values():
        assert set(column) == {check.name for check in CHECKS}
        assert set(column.values()) <= {worker_table.PASSES, worker_table.LACKS}
    text = worker_table.PAGE.read_text(encoding="utf-8")
    assert worker_table.written(TABLE) in text


LONG_IN_ALL = """
import sys, time
for line in sys.stdin:
    time.sleep(0.5)
    first = '"hello"' in line
    runtime = '"runtime":{"language":"Python","version":"3","dtypes":["float64"]}'
    hello = '{"protocol":1,' + runtime + "}"
    print('{"id":%s,"result":%s}' % ((1, hello) if first else (2, "{}")), flush=True)
    if not first:
        break
"""


def test_a_worker_that_is_long_in_starting_has_longer_for_bye(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "AT_ONCE", 0.1)
    launch = Launch(command=(sys.executable, "-c", LONG_IN_ALL))
    findings = check_worker(launch, tmp_path, only=("bye",))
    assert failing(findings) == {}


NEVER_FLUSHED = """
import sys
for line in sys.stdin:
    sys.stdout.write("{}")
"""


def test_a_worker_that_does_not_flush_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "HINT", 0.2)
    monkeypatch.setattr(bench, "START", 1.0)
    hints: list[str] = []
    launch = Launch(command=(sys.executable, "-c", NEVER_FLUSHED))
    (finding,) = check_worker(launch, tmp_path, only=("hello",), hint=hints.append)
    assert finding.outcome is Outcome.FAIL
    assert hints == [
        "no answer to hello after 0.2 s, and up to 1 s are waited for; it may still be starting, or it"
        " does not flush its output after each reply"
    ]


@pytest.mark.node
@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node on PATH")
def test_what_a_worker_of_eighty_lines_does_not_keep(tmp_path: Path) -> None:
    """Its arrays are lists of rows of numbers, and its files are modules."""
    launch = Launch(command=(str(shutil.which("node")), str(NODE / "worker.mjs")))
    names = tuple(check.name for check in CHECKS if check.name != "a line beyond the limit")
    findings = check_worker(launch, tmp_path, source=NODE / "stages.mjs", only=names, patience=60)
    wrong = failing(findings)
    assert "7ff8000000000005" in wrong.pop("bits of float64")
    assert "9223372036854775807" in wrong.pop("bits of int64")
    assert "18446744073709551615" in wrong.pop("bits of uint64")
    assert "for [0, 3]" in wrong.pop("shapes")
    # Node.js imports no module whose path has a backslash.
    assert "encoded" in wrong.pop("any name of a file")
    assert wrong == {}
    # Its numbers are all float64: a case that expects an integer or a bool would not get one.
    assert {"bits of bool", "bits of int8", "bits of uint32"} <= not_offered(findings)
    assert sum(each.outcome is Outcome.PASS for each in findings) > 28


def _wrong(fault: str, folder: Path, *only: str) -> list[Finding]:
    launch = Launch(command=(sys.executable, str(WRONG), fault))
    return check_worker(launch, folder, only=only, patience=2)


FAST = {
    "canonical_nan", "column_order", "wrong_id", "twice_told", "kind_of_load", "shares_input", "takes_parts",
    "another_version", "prints_here", "plain_text", "ends_loop", "reads_once", "line_before",
    "int64_swapped", "int8_unsigned", "bool_as_uint8", "refuses_float32", "forgets_shared",
}  # fmt: skip


@pytest.mark.parametrize("fault", [fault if fault in FAST else in_slow(fault) for fault in sorted(FAULTS)])
def test_each_fault_is_caught_at_its_check(fault: str, tmp_path: Path) -> None:
    check = FAULTS[fault]
    findings = _wrong(fault, tmp_path, check)
    assert [each.check for each in findings if each.outcome is Outcome.FAIL] == [check]
    assert failing(findings)[check]


FAST_DECLARED = {"all_found", "any_arity", "wraps", "batch_reversed"}


def _wrong_of_c(fault: str, folder: Path, *only: str) -> list[Finding]:
    launch = launched("c")
    words = launch.command[launch.command.index("compiled") + 1 :]
    wrong = Launch(command=(sys.executable, str(WRONG_OF_C), fault, *words), env=launch.env)
    return check_worker(wrong, folder, only=only, patience=20)


@pytest.mark.parametrize(
    "fault",
    [fault if fault in FAST_DECLARED else in_slow(fault) for fault in sorted(wrong_declared.FAULTS)],
)
def test_each_fault_of_a_worker_with_declared_functions_is_caught_at_its_check(
    fault: str, tmp_path: Path
) -> None:
    check = wrong_declared.FAULTS[fault]
    findings = _wrong_of_c(fault, tmp_path, check)
    assert list(failing(findings)) == [check]


def test_without_its_fault_that_worker_of_c_is_right(tmp_path: Path) -> None:
    findings = _wrong_of_c("none", tmp_path, *set(wrong_declared.FAULTS.values()))
    assert failing(findings) == {}
    assert not_offered(findings) == {"bits of uint64"}


def test_without_its_fault_that_worker_is_right(tmp_path: Path) -> None:
    names = sorted(set(FAULTS.values()))
    findings = _wrong("none", tmp_path, *names)
    assert failing(findings) == {}
    assert not_offered(findings) == set()


def test_each_check_has_a_worker_that_fails_it() -> None:
    # What a worker does with a line that is too long is its own affair, and a hang is everybody's.
    free = {"functions", "a line beyond the limit", "a function that hangs", "no inputs"}
    of_kinds = {
        name for name in (check.name for check in CHECKS) if name.startswith(("bits of", "the value code"))
    }
    assert {check.name for check in CHECKS} - of_kinds - free <= set(FAULTS.values())


def test_every_section_is_a_heading_of_the_protocol() -> None:
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    headings = [
        line.lstrip("#").replace("`", "").strip() for line in text.splitlines() if line.startswith("##")
    ]
    for check in CHECKS:
        assert any(heading.split(" {")[0] == check.section for heading in headings), check.section


def test_an_unknown_dtype_is_of_the_section_that_forbids_to_guess() -> None:
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    (check,) = (check for check in CHECKS if check.name == "an unknown dtype")
    assert "must not guess" in text.split(f"## {check.section}\n")[1].split("\n## ")[0]


def test_every_function_of_the_sources_is_documented() -> None:
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    for name in (*FUNCTIONS, *MORE):
        assert f"| `{name}" in text


@pytest.mark.octave
def test_what_workers_leave_is_in_the_folder_of_the_checks(tmp_path: Path) -> None:
    """Octave's worker writes the functions of each file that it loads."""
    check_worker(launched("octave"), tmp_path, only=("no inputs",))
    assert list((tmp_path / "scratch").glob("**/harness_stages_1.m"))


def run_cli(*words: str) -> tuple[int, str]:
    from click.testing import CliRunner

    from harness.cli import main

    result = CliRunner().invoke(main, ["check-worker", *words])
    return result.exit_code, result.output


def test_the_command_prints_what_it_got_and_where_it_is_written() -> None:
    code, printed = run_cli(
        "--only", "orders", "--patience", "2", "--", sys.executable, str(WRONG), "column_order"
    )
    assert code == 1
    assert "fail         orders: corner gave float64[] [" in printed
    assert "[How a language's values map]" in printed
    assert printed.splitlines()[-1] == "1 pass, 1 fail, 0 not offered"


def test_the_command_leaves_checks_out() -> None:
    code, printed = run_cli("--only", "shapes", "--only", "o*", "--only", "!ord*", "--runtime", "numpy")
    assert code == 0
    names = [line.split("  ")[1:] for line in printed.splitlines()[:-1]]
    assert [words for words in names if "orders" in str(words)] == []
    assert "shapes" in printed
    code, printed = run_cli("--only", "!no such check", "--runtime", "numpy")
    assert code == 2
    assert "no check is called no such check" in printed


def test_the_command_as_json() -> None:
    code, printed = run_cli("--runtime", "numpy", "--only", "shapes", "--json")
    told = json.loads(printed)
    assert code == 0
    assert told["counts"] == {"pass": 2, "fail": 0, "not offered": 0}
    assert [each["check"] for each in told["findings"]] == ["hello", "shapes"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name one worker"),
        (("--runtime", "numpy", "--", "node"), "name one worker"),
        (("--runtime", "cobol"), "there is no runtime 'cobol'"),
        (("--", "no-such-program-here"), "there is no program no-such-program-here"),
        (("--runtime", "numpy", "--only", "luck"), "no check is called luck"),
    ],
)
def test_a_command_that_names_no_worker(words: tuple[str, ...], said: str) -> None:
    code, printed = run_cli(*words)
    assert code == 2
    assert said in printed


def test_a_language_that_needs_a_source_file(tmp_path: Path) -> None:
    path = tmp_path / "worker.py"
    reply = (
        '{"id":1,"result":{"protocol":1,"runtime":{"language":"Perl","version":"5","dtypes":["float64"]}}}'
    )
    path.write_text(f"input()\nprint('{reply}', flush=True)\ninput()\n", encoding="utf-8")
    code, printed = run_cli("--", sys.executable, str(path))
    assert code == 2
    assert "no source file in Perl" in printed
    assert "same/1, corner/1" in printed


def test_a_worker_that_ends_at_once_fails_hello_alone(tmp_path: Path) -> None:
    findings = check_worker(Launch(command=(str(shutil.which("true")),)), tmp_path)
    assert list(failing(findings)) == ["hello"]
    assert len(findings) == 1
    assert findings[0].got.startswith("worker true did not start: ")
