"""Sources that end their worker, hang, raise or flood, in every runtime; `tests.faults` has other faults."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest
from click.testing import CliRunner

from harness.cli import main
from harness.conformance import live
from harness.model import Cell, Check, Mode, Outcome, Record, Source, Verdict, outcome_of
from harness.store.record import read_record
from tests.faults.suites import write_x

pytestmark = pytest.mark.usefixtures("interpreted_julia")
CASE = """
[case]
name = "{name}"
title = "Twice, and one"
origin = "made up"
fixture = "x"
reference = "{reference}"
timeout = {timeout}

[inputs]
x = ["n"]

[[stage]]
name = "twice"
inputs = ["x"]
shape = ["n"]
tolerance = {{ rule = "exact" }}

[[stage]]
name = "more"
inputs = ["twice"]
shape = ["n"]
tolerance = {{ rule = "exact" }}
"""
PYTHON = """
import os, time

def twice(x):
    return 2 * x

def more(twice):
    {fault}
    return twice + 1
"""
SOURCES = {
    "numpy": (".py", PYTHON),
    "torch": ("_torch.py", PYTHON),
    "r": (".R", "twice <- function(x) 2 * x\nmore <- function(twice) {{\n  {fault}\n  twice + 1\n}}\n"),
    "julia": (".jl", "twice(x) = 2 .* x\nfunction more(twice)\n    {fault}\n    return twice .+ 1\nend\n"),
}
FAULTS = {
    "kill": {
        "numpy": "os.kill(os.getpid(), 9)",
        "torch": "os.kill(os.getpid(), 9)",
        "r": "tools::pskill(Sys.getpid(), 9)",
        "julia": "ccall(:kill, Cint, (Cint, Cint), getpid(), 9); sleep(60)",
    },
    "exit": {
        "numpy": "os._exit(0)",
        "torch": "os._exit(0)",
        "r": "quit(save = 'no', status = 0)",
        "julia": "ccall(:_exit, Cvoid, (Cint,), 0)",
    },
    "hang": {
        "numpy": "time.sleep(600)",
        "torch": "time.sleep(600)",
        "r": "Sys.sleep(600)",
        "julia": "sleep(600)",
    },
    "raise": {
        "numpy": "raise RuntimeError('no luck')",
        "torch": "raise RuntimeError('no luck')",
        "r": "stop('no luck')",
        "julia": "error(\"no luck\")",
    },
    "flood": {
        "numpy": "any(os.write(1, bytes(1 << 20)) < 0 for _ in iter(int, 1))",
    },
}  # fmt: skip
REASONS = {
    "kill": "was killed by SIGKILL",
    "exit": "ended with exit code 0",
    "hang": "did not answer within",
    "raise": "no luck",
    "flood": "prints without end",
}
ONCE = {
    "numpy": "if not os.path.exists('{mark}'): open('{mark}', 'w').close(); {fault}",
    "torch": "if not os.path.exists('{mark}'): open('{mark}', 'w').close(); {fault}",
    "r": "if (!file.exists('{mark}')) {{ file.create('{mark}'); {fault} }}",
    "julia": 'if !isfile("{mark}"); touch("{mark}"); {fault}; end',
}
# PyTorch takes seconds to import, several times in each test; its worker is that of NumPy.
RUNTIMES = [
    "numpy",
    pytest.param("torch", marks=[pytest.mark.torch, pytest.mark.slow]),
    pytest.param("r", marks=pytest.mark.r),
    pytest.param("julia", marks=pytest.mark.julia),
]


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """After each test: no process of ours, and no temporary file."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    before = {process.pid for process in psutil.Process().children(recursive=True)}
    yield
    left = [process for process in psutil.Process().children(recursive=True) if process.pid not in before]
    _, alive = psutil.wait_procs(left, timeout=5)
    assert not alive
    assert not list(folder.iterdir())


def add_case(suite: Path, name: str, reference: str = "numpy", **sources: str) -> Path:
    """Write a case; a source is called by its file's name, less the case's."""
    folder = suite / name
    folder.mkdir(parents=True)
    # What ends by itself is given time on a busy machine; what hangs is not.
    patient = name.startswith("flood") or any(ending.endswith(".jl") for ending in sources)
    timeout = 60 if patient else 3
    (folder / "case.toml").write_text(
        CASE.format(name=name, reference=reference, timeout=timeout), encoding="utf-8"
    )
    if not (suite / "fixtures").is_dir():
        write_x(suite, np.array([1.0, 2.5, -4.0]))
    for ending, text in sources.items():
        (folder / f"{name}{ending}").write_text(text, encoding="utf-8")
    return folder


def source(runtime: str, fault: str = "") -> str:
    text = SOURCES[runtime][1]
    nothing = {"numpy": "pass", "torch": "pass", "r": "", "julia": ""}
    return text.format(fault=fault or nothing[runtime])


def harness(suite: Path, *args: str) -> tuple[int, Record, str]:
    """Run the command; its exit code, its record and what it printed."""
    out = suite.parent / "out"
    result = CliRunner().invoke(main, ["run", "--suite", str(suite), "--out", str(out), *args])
    assert "Traceback" not in result.output
    assert "a fault in the harness" not in result.output, result.output
    record = read_record(out / "results.jsonl")
    assert record.footer is not None
    assert not record.footer.partial
    assert (out / "junit.xml").is_file()
    return result.exit_code, record, result.output


def cells(record: Record, case: str, implementation: str) -> dict[tuple[str, Mode], Cell]:
    return {
        (cell.stage, cell.mode): cell
        for cell in record.cells
        if (cell.case, cell.implementation) == (case, implementation)
    }


def expected(fault: str) -> Verdict:
    return Verdict.TIMEOUT if fault == "hang" else Verdict.ERROR


REFERENCE = {
    "numpy": {"once": ("kill", "exit", "raise"), "always": ("kill", "hang", "flood")},
    "torch": {"once": ("kill",), "always": ("raise",)},
    "r": {"once": ("kill",), "always": ("raise",)},
    "julia": {"once": ("kill",), "always": ("raise",)},
}
OTHER = {"numpy": ("hang", "raise"), "r": ("hang", "raise")}
# A fault of R shows as one of NumPy does, and each start of R takes a second or two.
SLOW_R = [pytest.mark.r, pytest.mark.slow]


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_fault_of_the_reference(tmp_path: Path, runtime: str) -> None:
    suite = tmp_path / "suite"
    ending = SOURCES[runtime][0]
    chosen = [(name, when) for when, names in REFERENCE[runtime].items() for name in names]
    for name, when in chosen:
        fault = FAULTS[name][runtime]
        if when == "once":
            fault = ONCE[runtime].format(mark=tmp_path / f"{name}.mark", fault=fault)
        sources = {ending: source(runtime, fault), ".other.py": source("numpy")}
        add_case(suite, f"{name}_{when}", runtime, **sources)
    code, record, _ = harness(suite)
    assert code == 4
    assert outcome_of(record).outcome is Outcome.FAULT
    for name, when in chosen:
        case = f"{name}_{when}"
        mine, theirs = cells(record, case, runtime), cells(record, case, "numpy.other")
        chained, isolated = mine["more", Mode.CHAINED], mine["more", Mode.ISOLATED]
        where = f"{runtime}, {name} {when}: {chained.reason!r}, {isolated.reason!r}"
        assert (chained.verdict, chained.check) == (expected(name), Check.REPEAT), where
        assert REASONS[name] in chained.reason, where
        # A second call that succeeds has nothing to repeat.
        assert isolated.verdict is expected(name), where
        assert mine["twice", Mode.ISOLATED].verdict is Verdict.PASS, where
        for mode in Mode:
            assert theirs["twice", mode].verdict is Verdict.PASS, where
            assert theirs["more", mode].verdict is Verdict.NOT_RUN, where
            assert REASONS[name] in theirs["more", mode].reason, where


@pytest.mark.parametrize("runtime", ["numpy", pytest.param("r", marks=SLOW_R)])
def test_a_fault_of_another(tmp_path: Path, runtime: str) -> None:
    suite = tmp_path / "suite"
    ending = SOURCES[runtime][0]
    faulty = {f".{name}{ending}": source(runtime, FAULTS[name][runtime]) for name in OTHER[runtime]}
    add_case(suite, "toy", "numpy", **{".py": source("numpy"), ".same.py": source("numpy")}, **faulty)
    code, record, _ = harness(suite)
    assert code == 4
    for name in OTHER[runtime]:
        by_stage = cells(record, "toy", f"{runtime}.{name}")
        for mode in Mode:
            where = f"{runtime}.{name} {mode}: {by_stage['more', mode].reason!r}"
            assert by_stage["more", mode].verdict is expected(name), where
            assert REASONS[name] in by_stage["more", mode].reason, where
            assert by_stage["twice", mode].verdict is Verdict.PASS, where
    for sound in ("numpy", "numpy.same"):
        assert {cell.verdict for cell in cells(record, "toy", sound).values()} == {Verdict.PASS}


STARTS = {
    "kill": ("os.kill(os.getpid(), 9)", "was killed by SIGKILL"),
    "exit": ("os._exit(0)", "ended with exit code 0"),
    "raise": ("raise ImportError('no luck')", "no luck"),
    "hang": ("time.sleep(600)", "did not answer within 3 s: hello"),
}
AT_START = [
    pytest.param("numpy", "numpy", ("kill", "exit", "raise", "hang"), id="numpy"),
    pytest.param("torch", "torch", ("raise",), marks=[pytest.mark.torch, pytest.mark.slow], id="torch"),
    pytest.param("r", "rpy2", ("kill", "hang"), marks=SLOW_R, id="r"),
]


@pytest.mark.parametrize(("runtime", "library", "names"), AT_START)
def test_a_runtime_that_is_found_and_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runtime: str, library: str, names: tuple[str, ...]
) -> None:
    suite = tmp_path / "suite"
    broken = tmp_path / "broken" / library
    broken.mkdir(parents=True)
    # The other runtime needs no library at all.
    add_foreign(suite)
    ending = SOURCES[runtime][0]
    sources = {".echo": "", ".same.echo": "", ending: source(runtime)}
    add_case(suite, "toy", "echo", **sources)
    assert harness(suite)[0] == 0
    recorded = CliRunner().invoke(main, ["record", "--suite", str(suite)])
    assert recorded.exit_code == 0, recorded.output
    for name in names:
        fault, words = STARTS[name]
        text = f"import os, time\n{fault}\n"
        (broken / "__init__.py").write_text(text, encoding="utf-8")
        # That it is required changes nothing of how it fails.
        for more in ([], ["--require", runtime]) if name == names[0] else ([],):
            with monkeypatch.context() as patch:
                patch.setenv("PYTHONPATH", str(broken.parent))
                if name == "hang":
                    patch.setattr(live, "START_DEADLINE", 3.0)
                code, record, printed = harness(suite, *more)
            where = f"{runtime}, {name}: {printed}"
            assert code == 4, where
            assert outcome_of(record).outcome is Outcome.FAULT, where
            assert not record.header.absent, where
            mine = cells(record, "toy", runtime)
            assert len(mine) == 4, where
            for cell in mine.values():
                assert (cell.verdict, cell.source) == (expected(name), Source.NONE), where
                assert words in cell.reason, where
            assert {cell.verdict for cell in cells(record, "toy", "echo.same").values()} == {Verdict.PASS}


def add_foreign(suite: Path) -> None:
    """Write the stanza of a worker that needs nothing, and answers what a source file says."""
    suite.mkdir(parents=True, exist_ok=True)
    worker = Path(__file__).parents[1] / "faults" / "echo.py"
    (suite / "suite.toml").write_text(
        '[[runtime]]\nid = "echo"\nlanguage = "Echo"\nsuffix = ".echo"\n'
        f'command = ["{{python}}", "-I", "-S", {json.dumps(str(worker))}]\n',
        encoding="utf-8",
    )


REPLIES = {
    "huge_shape": "answer(request, {'seconds': 0}, b'', array(0, 2 ** 45))",
    "true_seconds": "answer(request, {'seconds': True}, result, array(3))",
    "long_seconds": "answer(request, {'seconds': 10 ** 399}, result, array(3))",
    "negative_seconds": "answer(request, {'seconds': -1}, result, array(3))",
    "nan_seconds": "answer(request, {'seconds': float('nan')}, result, array(3))",
    "a_list": "answer(request, {'seconds': 0}, result, [{'dtype': ['float64'], 'shape': [3], 'order': 'C'}])",
    "unknown_key": "answer(request, {'seconds': 0}, result, array(3), luck=0)",
    "nine_megabytes": "answer(request, error={'kind': 'call', 'message': 'm' * 9_000_000})",
    "too_many_bytes": "answer(request, {'seconds': 0}, b'', array(2 ** 28))",
    "kind_list": "answer(request, error={'kind': ['call'], 'message': 'm'})",
    "junk": "replies.write(b'hello\\n'); replies.flush()",
    "wrong_id": "answer({'id': 99}, {'seconds': 0}, result, array(3))",
}


def test_replies_that_are_not_the_protocol(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    add_foreign(suite)
    faulty = {f".{name}.echo": text for name, text in REPLIES.items()}
    add_case(suite, "toy", "numpy", **{".py": source("numpy"), ".echo": ""}, **faulty)
    code, record, _ = harness(suite)
    assert code == 4
    for name in REPLIES:
        by_stage = cells(record, "toy", f"echo.{name}")
        for mode in Mode:
            assert by_stage["more", mode].verdict is Verdict.ERROR, name
            assert by_stage["more", mode].reason.startswith(
                "the worker's reply is not the protocol: echo, "
            ), name
            assert len(by_stage["more", mode].reason) < 1_000, name
            assert by_stage["twice", mode].verdict is Verdict.PASS, name
    for sound in ("numpy", "echo"):
        assert {cell.verdict for cell in cells(record, "toy", sound).values()} == {Verdict.PASS}


def test_what_a_worker_prints_is_kept_until_the_next_run(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    noisy = source("numpy", "print('a hint'); os._exit(3)")
    sources = {".py": source("numpy"), ".same.py": source("numpy"), ".noisy.py": noisy}
    add_case(suite, "toy", "numpy", **sources)
    _, record, _ = harness(suite)
    logs = tmp_path / "out" / "logs"
    assert {path.name for path in logs.iterdir()} >= {"numpy.1.stderr"}
    assert (logs / "numpy.1.stderr").read_text(encoding="utf-8") == "a hint\n"
    detail = cells(record, "toy", "numpy.noisy")["more", Mode.CHAINED].detail
    assert detail == f"a hint\nwhat it printed is in {logs / 'numpy.1.stderr'}"
    (logs / "mine.txt").write_text("precious", encoding="utf-8")
    (suite / "toy" / "toy.noisy.py").unlink()
    assert harness(suite)[0] == 0
    assert {path.name for path in logs.iterdir()} == {"mine.txt"}
