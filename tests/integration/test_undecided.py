"""Elements that rounding decides: everybody may be on either branch, and nobody elsewhere."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from harness.conformance.cell_script import write
from harness.conformance.plan import make_plan
from harness.conformance.reproduce import reproduce
from harness.model import Cell, Check, Mode, Outcome, Record, Verdict, outcome_of
from harness.report import badge, sentence
from tests.integration.one_case import run_case

pytest.importorskip("flint")

CASE = """
[case]
name = "ties"
title = "elements on either side of a threshold"
origin = "here"
fixture = "ties"

[inputs]
x = ["n"]

[[stage]]
name = "part"
inputs = ["x"]
shape = ["n"]

[[stage]]
name = "chosen"
inputs = ["part"]
shape = ["n"]

[[stage]]
name = "after"
inputs = ["chosen"]
shape = ["n"]

[[stage]]
name = "whole"
inputs = ["part"]
shape = ["n"]
"""
NUMPY = """
import numpy as np


def part(x):
    return x * 0.1 * 3


def chosen(part):
    return np.where(part > 0.3, 5.0, -2.0)


def after(chosen):
    return np.exp(chosen / 10)


def whole(part):
    return np.floor(part * 10)
"""
R = """
part <- function(x) x * 0.1 * 3
chosen <- function(part) ifelse(part > 0.3, 5, -2)
after <- function(chosen) exp(chosen / 10)
whole <- function(part) floor(part * 10)
"""
# 1 * 0.1 * 3 is 0.3 up to rounding: one tie, and three elements that are none.
X = np.array([0.5, 1.0, 2.5, -1.5])


def ran(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    strict: bool = False,
    x: np.ndarray = X,
    case: str = CASE,
    **sources: str,
) -> Record:
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    files = {"ties.py": NUMPY, **{name.replace("__", "."): text for name, text in sources.items()}}
    return run_case(tmp_path / "suite", "ties", case, files, x, strict=strict)


def truths(record: Record, implementation: str, stage: str) -> list[Cell]:
    return [
        cell
        for cell in record.cells
        if (cell.implementation, cell.stage, cell.check) == (implementation, stage, Check.ORACLE)
    ]


def changed(stage: str, by: str) -> str:
    """The source, with another value of the element that is a tie."""
    lines = [
        f"_{stage} = {stage}",
        f"def {stage}(v):",
        f"    r = _{stage}(v)",
        f"    r[1] = {by}",
        "    return r",
    ]
    return "\n".join([NUMPY, *lines, ""])


BRANCHES = [
    ("chosen", "5.0", True),
    ("chosen", "-2.0", True),
    ("chosen", "9.0", False),
    ("chosen", "1e9", False),
    ("chosen", "np.nan", False),
    ("chosen", "-np.inf", False),
    ("after", "np.exp(-0.2)", True),
    ("after", "np.exp(0.5)", True),
    ("after", "2.0", False),
    ("after", "np.nan", False),
    ("whole", "2.0", True),
    ("whole", "3.0", True),
    ("whole", "4.0", False),
    ("whole", "1.0", False),
]


def test_an_undecided_element_is_on_one_of_the_branches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = {f"ties__b{place}__py": changed(stage, by) for place, (stage, by, _) in enumerate(BRANCHES)}
    record = ran(tmp_path, monkeypatch, **sources)
    assert outcome_of(record).exit_code == 1
    for place, (stage, by, right) in enumerate(BRANCHES):
        # In isolation, what is compared is known.
        (cell,) = (truth for truth in truths(record, f"numpy.b{place}", stage) if truth.mode is Mode.CHAINED)
        judged = (stage, by, cell.verdict, cell.undecided)
        assert judged == ((stage, by, "PASS", 1) if right else (stage, by, "FAIL", 0))
        assert (
            right or "outside of the range that the branches span in 1 element, first at [1]" in cell.reason
        )
        assert {truth.verdict for truth in truths(record, "numpy", stage)} == {Verdict.PASS}


@pytest.mark.r
def test_r_on_the_other_branch_agrees_and_the_sentence_says_what_was_not_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # 3 * 0.1 * x is 0.30000000000000004, and x * 0.3 is not.
    other = R.replace("x * 0.1 * 3", "x * 0.3")
    record = ran(tmp_path, monkeypatch, ties__R=other)
    verdict = sentence.verdict(record)
    assert verdict.outcome is Outcome.AGREEMENT, verdict
    assert (
        "3 of 12 elements of ties chosen, ties after, ties whole could not be judged: a comparison in line 10"
        " of ties.py, a jump of floor in line 18 of ties.py." in verdict.text
    )
    assert badge.message(record) == "2 implementations, 1 cases, 3 undecided"


@pytest.mark.r
def test_r_off_both_branches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = ran(tmp_path, monkeypatch, ties__R=R.replace("floor(part * 10)", "floor(part * 10) + 7"))
    (cell,) = (truth for truth in truths(record, "r", "whole") if truth.mode is Mode.CHAINED)
    assert (cell.verdict, cell.undecided) == (Verdict.FAIL, 0)
    assert cell.stats is not None
    assert cell.stats.beyond == 4


@pytest.mark.parametrize("runtime", ["numpy", pytest.param("r", marks=pytest.mark.r)])
def test_the_script_of_a_cell_counts_what_no_branch_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runtime: str
) -> None:
    # A number within no step of floor, and none at all, in place of the element that is a tie.
    wrong = {"numpy": ("9.0", "np.nan"), "r": ("NaN",)}[runtime]
    program = shutil.which("Rscript") if runtime == "r" else sys.executable
    if program is None:
        pytest.skip("there is no Rscript on PATH")
    sources = {}
    for place, by in enumerate(wrong):
        if runtime == "r":
            text = R.replace("floor(part * 10)", f"{{ r <- floor(part * 10); r[2] <- {by}; r }}")
            sources[f"ties__b{place}__R"] = text
        else:
            sources[f"ties__b{place}__py"] = changed("whole", by)
    record = ran(tmp_path, monkeypatch, **sources)
    for place in range(len(wrong)):
        who = f"{runtime}.b{place}"
        (cell,) = (truth for truth in truths(record, who, "whole") if truth.mode is Mode.CHAINED)
        assert cell.stats is not None
        assert (cell.verdict, cell.stats.beyond) == ("FAIL", 1)
        script = reproduce(
            make_plan(tmp_path / "suite"),
            "ties",
            "whole",
            who,
            mode=Mode.CHAINED,
            check=Check.ORACLE,
        )
        path = write(script, tmp_path / "scripts")
        done = subprocess.run([program, str(path)], capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 1, done.stderr
        assert "1 of 4 elements are beyond their limit" in done.stdout


@pytest.mark.parametrize(
    ("ports", "code"),
    [((("part", "0.3"), ("chosen", "5.0")), 5), ((("chosen", "9.0"), ("chosen", "np.nan")), 1)],
    ids=["on a branch", "on none"],
)
def test_an_output_that_is_undecided_as_a_whole_passes_nobody_and_fails_who_is_on_no_branch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ports: tuple[tuple[str, str], ...], code: int
) -> None:
    # The first part is smaller than the reference's, so that all that follows is on the other branch.
    sources = {
        f"ties__b{place}__py": changed(stage, by).replace("r[1] =", "r[0] =")
        for place, (stage, by) in enumerate(ports)
    }
    record = ran(tmp_path, monkeypatch, x=np.array([1.0]), **sources)
    assert outcome_of(record).exit_code == code, sentence.verdict(record)
    for place in range(len(ports)):
        cells = truths(record, f"numpy.b{place}", "chosen")
        (cell,) = (truth for truth in cells if truth.mode is Mode.CHAINED)
        assert cell.verdict == ("FAIL" if code == 1 else "NOT_RUN")
        assert code == 1 or cell.undecided == 1
        assert code == 1 or cell.reason == "no element could be decided: a comparison in line 10 of ties.py"


def test_a_number_between_the_ways_of_a_loop_is_on_no_branch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = "t = part * 0\n    while t[0] < 0.9: t = t + part\n    return t"
    # The third step is a tie, and a fourth one may follow it.
    numbers = {"third": "0.9", "fourth": "1.2", "between": "0.92", "beyond": "1.25"}
    sources = {
        f"ties__{name}__py": NUMPY.replace("np.floor(part * 10)", f"part * 0 + {number}")
        for name, number in numbers.items()
    }
    reference = NUMPY.replace("return np.floor(part * 10)", loop)
    record = ran(tmp_path, monkeypatch, x=np.array([1.0]), ties__py=reference, **sources)
    cells = {name: truths(record, f"numpy.{name}", "whole") for name in numbers}
    assert {name: {str(cell.verdict) for cell in of} for name, of in cells.items()} == {
        "third": {"NOT_RUN"},
        "fourth": {"NOT_RUN"},
        "between": {"FAIL"},
        "beyond": {"FAIL"},
    }
    assert "on no branch of a comparison in line 19 of ties.py" in cells["between"][0].reason
    script = reproduce(make_plan(tmp_path / "suite"), "ties", "whole", "numpy.between", check=Check.ORACLE)
    path = write(script, tmp_path / "scripts")
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, "1 of 1 elements are beyond" in done.stdout) == (1, True), done.stderr


@pytest.mark.parametrize(
    ("formula", "right", "wrong"),
    [
        ("1.0 / x", ("np.inf", "-np.inf"), ("42.0", "np.nan")),
        ("np.sqrt(x - 1)", ("np.nan",), ("0.0", "np.inf")),
    ],
)
def test_poles_and_nan_of_exact_inputs_are_due(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    formula: str,
    right: tuple[str, ...],
    wrong: tuple[str, ...],
) -> None:
    case = CASE.replace('shape = ["n"]', 'shape = ["n"]\nnan = true')
    numpy = NUMPY.replace("x * 0.1 * 3", formula)
    ports = {
        f"ties__{name}{place}__py": changed("part", by).replace("x * 0.1 * 3", formula)
        for name, values in (("good", right), ("bad", wrong))
        for place, by in enumerate(values)
    }
    x = np.array([2.0, 0.0, 4.0])
    record = ran(tmp_path, monkeypatch, x=x, case=case, ties__py=numpy, **ports)
    due = {"numpy": "PASS"}
    due |= {f"numpy.good{place}": "PASS" for place in range(len(right))}
    due |= {f"numpy.bad{place}": "FAIL" for place in range(len(wrong))}
    for who, verdict in due.items():
        assert {(cell.verdict, cell.undecided) for cell in truths(record, who, "part")} == {(verdict, 0)}


def test_strict_calls_undecided_elements_incomplete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = ran(tmp_path, monkeypatch, strict=True, ties__b__py=NUMPY)
    run_outcome = outcome_of(record)
    assert (run_outcome.outcome, run_outcome.exit_code) == (Outcome.INCOMPLETE, 5)
    (cell,) = (truth for truth in truths(record, "numpy.b", "chosen") if truth.mode is Mode.CHAINED)
    assert cell.verdict is Verdict.NOT_RUN
    assert cell.reason == (
        "1 element not judged: a comparison in line 10 of ties.py; --strict allows no undecided elements"
    )
    assert {truth.verdict for truth in truths(record, "numpy.b", "part")} == {Verdict.PASS}
