"""A worker that dies, or is stopped at its deadline, again and again: the reason says which it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.model import Mode
from tests.integration.one_case import run_case

STAGE = """
[[stage]]
name = "{name}"
inputs = ["x"]
shape = ["n"]
tolerance = {{ rule = "exact" }}
"""
CASE = """
[case]
name = "toy"
title = "three stages"
origin = "here"
fixture = "toy"
timeout = 3

[inputs]
x = ["n"]
""" + "".join(STAGE.format(name=name) for name in "abc")
ENDS = {"hangs": "time.sleep(600)", "dies": "os._exit(5)", "": "return x"}


def source(*ends: str) -> str:
    functions = (f"def {name}(x):\n    {ENDS[end]}\n" for name, end in zip("abc", ends, strict=True))
    return "import os\nimport time\n\n" + "\n".join(functions)


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        # Two hangs are waited for; one is in the last of these.
        pytest.param(
            "hangs", "hangs", "was stopped 2 times after 3 s without an answer", marks=pytest.mark.slow
        ),
        ("dies", "dies", "died 2 times"),
        ("hangs", "dies", "died once and was stopped once after 3 s without an answer"),
    ],
)
def test_a_worker_that_was_stopped_did_not_die(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str, second: str, said: str
) -> None:
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    sources = {"toy.py": source("", "", ""), "toy.b.py": source(first, second, "")}
    record = run_case(tmp_path / "suite", "toy", CASE, sources, [1.0, 2.0])
    cells = [cell for cell in record.cells if (cell.implementation, cell.mode) == ("numpy.b", Mode.CHAINED)]
    verdict = {"hangs": "TIMEOUT", "dies": "ERROR"}
    assert [cell.verdict for cell in cells] == [verdict[first], verdict[second], "NOT_RUN"]
    assert cells[2].reason == f"the worker {said} on this file, last in stage 'b'"
