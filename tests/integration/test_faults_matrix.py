"""A part of the matrix of ``nox -s faults``; and its judge finds what is wrong."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from harness.model import Absent, Verdict
from harness.store.record import read_record
from tests.faults.__main__ import DOCS, batches, summary, table, with_counts
from tests.faults.judge import Wrong, judge, of_record
from tests.faults.matrix import CHAINED, Expected, Trial, expected, trials
from tests.faults.suites import MARKER, Ran, launches, run

# Seconds that a call may take: where a deadline is waited for, the first call of every language fits in it.
LONG, SHORT = 300.0, 15.0
FEW = {
    "starting": "closed_replies source_raises",
    "receiving": "segv",
    "mid-call": "kill memory flood_replies",
    "sending": "wrong_id another_value",
    "idle": "kill flood_stderr",
    "shutdown": "closed_requests wrong_type",
}
MORE = {
    "starting": "kill exit0 grandchild closed_requests memory unknown_key false_facts import_raises",
    "receiving": "closed_replies closed_requests both",
    "mid-call": "exit0 closed_requests grandchild",
    "sending": "term closed_requests another_array another_shape",
    "idle": "closed_replies closed_requests neither",
    "shutdown": "kill closed_replies",
}
OTHERS = {
    "r": "starting-import_raises mid-call-exit0 idle-term shutdown-kill",
    "julia": "starting-import_raises mid-call-memory idle-closed_replies",
    "torch": "starting-import_raises idle-kill",
    "node": "receiving-kill sending-closed_requests idle-kill shutdown-half",
    "octave": "starting-source_raises mid-call-memory sending-another_shape idle-kill",
}
WAITED_FOR = ("numpy-mid-call-stop", "numpy-receiving-stop", "numpy-sending-half", "numpy-shutdown-stop")


def trial(name: str) -> Trial:
    (chosen,) = (each for each in trials() if each.id == name)
    return chosen


def ran(folder: Path, names: list[str], timeout: float = LONG) -> Ran:
    chosen = [trial(name) for name in names]
    found = {}
    for name, launch in launches([one.worker for one in chosen]).items():
        if isinstance(launch, Absent):
            pytest.skip(launch.reason)
        found[name] = launch
    return run(folder, chosen, found, timeout)


def test_the_counts_are_written_between_their_marks() -> None:
    page = DOCS.read_text(encoding="utf-8")
    chosen = [trial("r-idle-kill"), trial("r-idle-term"), trial("numpy-idle-kill")]
    wrong = [Wrong(chosen[0], "no complaint")]
    sentence = summary(list(batches(chosen)), wrong, 119.0, 181.0)
    assert "made 3 faults in 1 runs of `harness run`, in 2 minutes on " in sentence
    assert "with 3 minutes of processor time" in sentence
    assert sentence.endswith("; 1 came out wrong.")
    once = with_counts(page, table(chosen, wrong), sentence)
    assert "\n| r | 0 | 2 | 0 | 0 | 0 | 0 | 2 | 1 |\n" in once
    assert "\nkill 2, term 1\n" in once
    assert sentence in once
    # The rest of the page stays, and so it does when it is written again.
    assert once.partition("<!-- counts")[0] == page.partition("<!-- counts")[0]
    assert once.partition("<!-- end")[2] == page.partition("<!-- end")[2]
    assert with_counts(once, table(chosen, wrong), sentence) == once
    for broken in ("", page.replace("<!-- end of counts -->\n", ""), page + page):
        with pytest.raises(ValueError, match="does not have the marks"):
            with_counts(broken, "", "")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """A run with a few faults in every state of NumPy's worker, in which all is as it should be."""
    return ran(tmp_path_factory.mktemp("sound") / "run", of_numpy(FEW))


def of_numpy(faults: dict[str, str]) -> list[str]:
    return [f"numpy-{state}-{fault}" for state, names in faults.items() for fault in names.split()]


def test_faults_of_numpy(sound: Ran) -> None:
    assert len(sound.trials) == 12
    assert judge(sound) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "states", [("starting", "shutdown"), ("receiving", "mid-call"), ("sending", "idle")], ids="-".join
)
def test_more_faults_of_numpy(tmp_path: Path, states: tuple[str, ...]) -> None:
    """A worker is started for each of 23 faults, which differ from those above in state or in kind."""
    assert judge(ran(tmp_path, of_numpy({state: MORE[state] for state in states}))) == []


@pytest.mark.slow
def test_workers_that_do_not_answer(tmp_path: Path) -> None:
    """Each is waited for until its call has no more time; in `test_faults` one hangs for three seconds."""
    assert judge(ran(tmp_path, list(WAITED_FOR), SHORT)) == []


# What the harness makes of a fault is the same code for every language, and starting them takes seconds.
@pytest.mark.slow
@pytest.mark.parametrize(
    "worker",
    [
        pytest.param("r", marks=pytest.mark.r),
        pytest.param("julia", marks=pytest.mark.julia),
        pytest.param("torch", marks=pytest.mark.torch),
        pytest.param("node", marks=pytest.mark.node),
        pytest.param("octave", marks=pytest.mark.octave),
    ],
)
def test_faults_of_other_languages(tmp_path: Path, worker: str) -> None:
    assert judge(ran(tmp_path, [f"{worker}-{name}" for name in OTHERS[worker].split()])) == []


def test_the_matrix_is_whole() -> None:
    chosen = list(trials())
    assert len(chosen) == len({one.id for one in chosen}) == 848
    assert sorted(one for batch in batches(chosen) for one in batch.trials) == sorted(chosen)
    assert table([trial("r-idle-kill")], []).splitlines()[2:4] == [
        "| r | 0 | 1 | 0 | 0 | 0 | 0 | 1 | 0 |",
        "| all | 0 | 1 | 0 | 0 | 0 | 0 | 1 | 0 |",
    ]


def words(wrong: list[Wrong]) -> str:
    return "\n".join(what for _, what in wrong)


DIED = trial("numpy-idle-kill")
CALLED = trial("numpy-mid-call-kill")
CLEAN = Expected(dict.fromkeys(expected(DIED).cells, Verdict.PASS), "", "", 0)
WRONG_EXPECTATIONS: dict[str, tuple[Trial, Expected, str]] = {
    "a verdict": (
        CALLED,
        expected(CALLED)._replace(cells=expected(CALLED).cells | {("more", CHAINED): Verdict.TIMEOUT}),
        "has .* more/chained:ERROR .*, and is expected .* more/chained:TIMEOUT",
    ),
    "a reason": (CALLED, expected(CALLED)._replace(words="SIGTERM"), "no 'SIGTERM' in .*SIGKILL"),
    "a code": (CALLED, expected(CALLED)._replace(code=1), "by itself it would give exit code 4, not 1"),
    "no complaint": (DIED, CLEAN, "complaints .*killed by SIGKILL between two calls"),
    "another complaint": (
        DIED,
        expected(DIED)._replace(complaint="SIGTERM"),
        "and one like 'SIGTERM' is expected",
    ),
    "no cells": (DIED, expected(DIED)._replace(cells={}), "is expected no cells"),
}


@pytest.mark.parametrize("name", WRONG_EXPECTATIONS)
def test_a_wrong_expectation_is_found(sound: Ran, name: str) -> None:
    of, due, pattern = WRONG_EXPECTATIONS[name]
    right = {one: expected(one) for one in sound.trials}
    assert judge(sound, right) == []
    wrong = judge(sound, right | {of: due})
    assert {one.trial for one in wrong} == {of}
    assert re.search(pattern, words(wrong))


def spoil_end(left: Ran) -> None:
    record = left.out / "results.jsonl"
    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    record.write_text("".join(lines[:-1]), encoding="utf-8")


BROKEN: dict[str, tuple[Callable[[Ran], object], str]] = {
    "no end": (spoil_end, "the record has no end"),
    "no JSON": (lambda left: (left.out / "results.jsonl").write_text("}"), "the record cannot be read"),
    "no report": (lambda left: (left.out / "junit.xml").unlink(), "there is no junit.xml"),
    "a file": (lambda left: (left.temporary / "harness-x").mkdir(), "a temporary file is left: harness-x"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_run_is_found(sound: Ran, tmp_path: Path, name: str) -> None:
    spoil, text = BROKEN[name]
    left = sound._replace(out=tmp_path / "out", temporary=tmp_path / "tmp")
    shutil.copytree(sound.out, left.out)
    left.temporary.mkdir()
    assert judge(left) == []
    spoil(left)
    assert text in words(judge(left))


def test_wrong_cells_are_found(sound: Ran) -> None:
    # A record that was edited is refused when it is read.
    record, due = read_record(sound.out / "results.jsonl"), {one: expected(one) for one in sound.trials}
    assert of_record(record, due) == []
    bad = [
        msgspec.structs.replace(cell, verdict=Verdict.ERROR)
        if (cell.implementation, cell.stage, cell.mode) == ("numpy", "less", CHAINED)
        else cell
        for cell in record.cells
    ]
    wrong = of_record(msgspec.structs.replace(record, cells=tuple(bad)), due)
    assert "numpy, which is sound, has less/chained:ERROR" in words(wrong)
    less = [cell for cell in record.cells if cell.implementation != CALLED.id]
    wrong = of_record(msgspec.structs.replace(record, cells=tuple(less)), due)
    assert {one.trial for one in wrong} == {CALLED}
    assert "has no cells" in words(wrong)


def test_another_end_of_the_command_is_found(sound: Ran) -> None:
    assert "exit code 0, not 4" in words(judge(sound._replace(code=0)))
    assert "'Traceback' was printed" in words(judge(sound._replace(printed="Traceback")))


def test_a_process_that_is_left_is_found_and_ended(sound: Ran) -> None:
    with subprocess.Popen(["sleep", "600"], env={**os.environ, MARKER: sound.marker}) as process:
        assert words(judge(sound)) == f"a process is left: {process.pid} sleep 600"
        assert process.wait(5) == -9
