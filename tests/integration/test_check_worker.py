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
from tests.faults.wrong import FAULTS
from tests.marks import in_slow

ROOT = Path(__file__).parents[2]
WRONG = ROOT / "tests" / "faults" / "wrong.py"
NODE = ROOT / "tests" / "node"
LONG = 180.0


def failing(findings: list[Finding]) -> dict[str, str]:
    return {each.check: each.got for each in findings if each.outcome is Outcome.FAIL}


def not_offered(findings: list[Finding]) -> set[str]:
    return {each.check for each in findings if each.outcome is Outcome.NOT_OFFERED}


def launched(runtime: str) -> Launch:
    launch = Registry.load(ROOT / "reference_impls").launch(runtime)
    if isinstance(launch, Absent):
        pytest.skip(f"{runtime}: {launch.reason}")
    return launch


NO_CODES = {
    "an input that is left out",
    "many inputs at once",
    *(check.name for check in CHECKS if check.name.startswith("the value code")),
}
NO_HALVES = {"bits of float16", "bits of bfloat16"}
NO_MEMORY = {"large arrays in shared memory"}
# Those of R and PyTorch answer by the code of NumPy's, and take half a minute each.
OURS = [
    ("numpy", "", set()),
    pytest.param("torch", "", set(), marks=[pytest.mark.torch, pytest.mark.slow]),
    pytest.param("r", "", set(), marks=[pytest.mark.r, pytest.mark.slow]),
    pytest.param("jax", "", NO_CODES - {"many inputs at once"}, marks=[pytest.mark.jax, pytest.mark.slow]),
    pytest.param("node", "", NO_CODES | NO_MEMORY | NO_HALVES, marks=pytest.mark.node),
    pytest.param("jax", "", NO_CODES - {"many inputs at once"}, marks=[pytest.mark.jax, pytest.mark.slow]),
    pytest.param("octave", "", NO_CODES | NO_MEMORY | NO_HALVES, marks=pytest.mark.octave),
    *(
        pytest.param("julia", hosting, {"bits of bfloat16"}, marks=[pytest.mark.julia, pytest.mark.slow])
        for hosting in ("process", "juliacall")
    ),
]


@pytest.mark.parametrize(("runtime", "hosting", "lacks"), OURS)
def test_our_own_workers_pass(
    runtime: str, hosting: str, lacks: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if hosting:
        monkeypatch.setenv("HARNESS_JULIA_HOSTING", hosting)
    findings = check_worker(launched(runtime), tmp_path, patience=LONG)
    assert failing(findings) == {}
    assert not_offered(findings) == lacks
    assert [each.check for each in findings] == [check.name for check in CHECKS]


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


PROGRAM = """
import sys
from pathlib import Path

import numpy as np

inputs, outputs, stage = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
x = [np.load(path) for path in sorted(inputs.iterdir())]
if stage == "boom":
    sys.exit("it went wrong")
if stage == "sleeps":
    import time
    time.sleep(0.2)
if stage == "hangs":
    while True:
        pass
if stage == "noise":
    print("printed noise")
if stage == "text":
    (outputs / "y.npy").write_text("four")
elif stage == "two":
    np.save(outputs / "b.npy", x[1])
    np.save(outputs / "a.npy", x[0])
else:
    made = {"corner": lambda: x[0][0, -1], "constant": lambda: 2.5}.get(stage, lambda: x[0])
    np.save(outputs / "y.npy", made())
"""


def test_a_program_passes_where_it_applies(tmp_path: Path) -> None:
    """Its outputs are declared in case.toml: what is asked of any number or dimension does not apply."""
    folder = tmp_path / "program"
    folder.mkdir()
    (folder / "run.py").write_text(PROGRAM, encoding="utf-8")
    source = folder / "stages.program.toml"
    command = [sys.executable, "run.py", "{inputs}", "{outputs}", "{stage}"]
    source.write_text(f"command = {json.dumps(command)}\n", encoding="utf-8")
    names = {1: '["x"]', 2: '["a", "b"]', 0: "[]"}
    stages = []
    for name, count in FUNCTIONS.items():
        outputs = '[{ name = "b", shape = [] }, { name = "a", shape = [] }]'
        declared = f"outputs = {outputs}" if name == "two" else "outputs = [{ name = 'y', shape = [] }]"
        stages.append(f"[[stage]]\nname = '{name}'\ninputs = {names[count]}\n{declared}\n")
    (folder / "case.toml").write_text("\n".join(stages), encoding="utf-8")
    names = (
        "functions", "a missing function", "a broken file", "a file that is not there", "any name of a file",
        "bits of float64", "bits of int64", "orders", "several inputs and outputs", "no inputs",
        "text where an array is due", "an error in a function", "noise on standard output", "seconds",
        "unknown keys", "garbage", "a line that is cut", "an array that is cut", "the end of input", "bye",
    )  # fmt: skip
    findings = check_worker(launched("program"), tmp_path, source=source, only=names, patience=20)
    assert failing(findings) == {}
    assert not_offered(findings) == set()
    assert len(findings) == 1 + len(names)


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
