"""What a run says of itself, with real workers: who was compared, who was not, and what was wrong."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from harness.model import Check, Outcome, Record, outcome_of
from harness.report import html, sentence, terminal, view
from harness.report.known import known_divergences
from tests.integration.one_case import run_case

CASE = """
[case]
name = "toy"
title = "two stages"
origin = "here"
fixture = "toy"
precisions = ["float64"]

[inputs]
x = ["n"]

[[stage]]
name = "twice"
inputs = ["x"]
shape = ["n"]
tolerance = { rule = "absolute", value = 1e-12, reason = "test" }

[[stage]]
name = "more"
inputs = ["twice"]
shape = ["n"]
tolerance = { rule = "absolute", value = 1e-12, reason = "test" }
"""
NUMPY = "def twice(x):\n    return 2 * x\n\n\ndef more(twice):\n    return twice + 1\n"
R = "twice <- function(x) 2 * x\nmore <- function(twice) twice + 1\n"
KNOWN = """
[[known_divergence]]
id = "half"
implementation = "numpy.b"
stage = "{stage}"
cause = "half more"
evidence = "here"
ends_when = "never"
measure = "absolute"
at_least = 0.4
at_most = 0.6
"""
EMPTY = """
[[runtime]]
id = "empty"
language = "Empty"
suffix = ".empty"
command = ["{python}", "-P", "{suite}/worker.py"]
"""
WORKER = f"""
import sys

sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from harness.workers import __main__, python_host

described = python_host.NumpyHost.describe
python_host.NumpyHost.describe = lambda self: described(self) | {{"dtypes": []}}
__main__.main("numpy")
"""

Ran = Callable[..., Record]


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ran:
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    suite = tmp_path / "suite"
    (suite / "toy").mkdir(parents=True)

    def call(
        sources: dict[str, str],
        text: str = CASE,
        *,
        require: tuple[str, ...] = (),
        empty: bool = False,
    ) -> Record:
        if empty:
            (suite / "suite.toml").write_text(EMPTY, encoding="utf-8")
            (suite / "worker.py").write_text(WORKER, encoding="utf-8")
        return run_case(suite, "toy", text, {"toy.py": NUMPY, **sources}, [1.0, 2.5, -3.0], require=require)

    return call


FLOAT32 = CASE.replace('"float64"', '"float32"')
BOTH = CASE.replace('"float64"', '"float64", "float32"')


@pytest.mark.r
def test_a_required_runtime_that_has_no_such_precision_was_not_compared(ran: Ran) -> None:
    sources = {"toy.R": R, "toy.b.py": NUMPY + "\n"}
    run_outcome = outcome_of(ran(sources, FLOAT32, require=("r",)))
    assert (run_outcome.outcome, run_outcome.exit_code) == (Outcome.INCOMPLETE, 3)
    assert run_outcome.reasons[0] == "required runtime not compared: r, in toy: r has no float32"
    record = ran(sources, BOTH, require=("r",))
    assert outcome_of(record).exit_code == 0
    text = sentence.verdict(record).text
    assert "NumPy, numpy.b and R compute the same thing" in text
    assert "R has no float32: left out of 4 cells." in text


def test_a_worker_without_any_precision_was_not_compared(ran: Ran) -> None:
    record = ran({"toy.empty": NUMPY, "toy.b.py": NUMPY + "\n"}, require=("empty",), empty=True)
    run_outcome = outcome_of(record)
    assert (run_outcome.outcome, run_outcome.exit_code) == (Outcome.INCOMPLETE, 3), run_outcome
    assert run_outcome.reasons[0] == "required runtime not compared: empty, in toy: empty has no float64"


@pytest.mark.r
def test_a_required_runtime_without_an_implementation(ran: Ran) -> None:
    run_outcome = outcome_of(ran({"toy.b.py": NUMPY + "\n"}, require=("r",)))
    assert run_outcome.exit_code == 3
    assert (
        run_outcome.reasons[0]
        == "required runtime not compared: r: no chosen case has an implementation in it"
    )


@pytest.mark.r
def test_a_required_runtime_that_crashes_is_a_fault(ran: Ran) -> None:
    run_outcome = outcome_of(ran({"toy.R": R.replace("2 * x", "stop('no')")}, require=("r",)))
    assert (run_outcome.outcome, run_outcome.exit_code) == (Outcome.FAULT, 4)


def test_a_required_reference_is_compared_by_another(ran: Ran) -> None:
    assert outcome_of(ran({"toy.b.py": NUMPY + "\n"}, require=("numpy",))).exit_code == 0


def test_repetitions_are_no_comparisons_and_a_second_implementation_has_its_name(ran: Ran) -> None:
    record = ran({"toy.b.py": NUMPY + "\n"})
    # Two stages, chained and isolated; the reference's two repetitions count for nothing.
    assert sentence.verdict(record).text == (
        "NumPy and numpy.b compute the same thing in the one case: 4 comparisons are within their limits."
    )
    assert sentence.sources(record) == "4 comparisons: 4 live (computed in this run), 0 replayed, 0 not run."


@pytest.mark.parametrize(
    ("others", "text"),
    [
        (False, "numpy.b differs as is known (half) in the one case, and nothing else was compared."),
        (
            True,
            "NumPy and numpy.c compute the same thing in the one case: 2 comparisons are within their limits."
            " numpy.b differs as is known (half).",
        ),
    ],
)
def test_what_differs_everywhere_as_is_known_is_not_expected(ran: Ran, others: bool, text: str) -> None:
    only = CASE.partition('[[stage]]\nname = "more"')[0] + KNOWN.format(stage="twice")
    half = NUMPY.replace("2 * x", "2 * x + 0.5")
    record = ran({"toy.b.py": half, **({"toy.c.py": NUMPY + "\n"} if others else {})}, only)
    verdict = sentence.verdict(record)
    assert (verdict.outcome, verdict.text) == (Outcome.AGREEMENT, text)
    assert verdict.notes == ("1 difference is known and explained: half.",)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("None", "returned None, and an array is expected"),
        ("[[1.0], [1.0, 2.0]]", "returned a list of 2, and an array is expected"),
        ("x * float('nan')", "NaN in 3 places where the case expects none"),
        ("x[:0]", "shape (0) where (n=3) is expected"),
    ],
)
def test_what_is_wrong_with_a_reference_is_said_as_it_is(ran: Ran, value: str, why: str) -> None:
    record = ran({"toy.py": NUMPY.replace("2 * x", value), "toy.b.py": NUMPY})
    verdict = sentence.verdict(record)
    assert verdict.outcome in (Outcome.DIVERGENCE, Outcome.FAULT)
    assert "the first time" not in verdict.text
    if verdict.outcome is Outcome.DIVERGENCE:
        assert why in verdict.text, verdict.text


def test_a_missing_function_is_said_as_it_is(ran: Ran) -> None:
    record = ran({"toy.b.py": NUMPY.replace("def twice", "def other")})
    assert "numpy.b: twice of toy in float64 is wrong: there is no function" in outcome_of(record).reasons[0]
    assert "too far" not in sentence.verdict(record).text


@pytest.mark.r
def test_a_precision_that_the_reference_s_runtime_lacks_is_incomplete_and_said(ran: Ran) -> None:
    run_outcome = outcome_of(ran({"toy.R": R}, BOTH.replace('"toy"\nprec', '"toy"\nreference = "r"\nprec')))
    assert (run_outcome.outcome, run_outcome.exit_code) == (Outcome.INCOMPLETE, 5)
    assert run_outcome.reasons == (
        "numpy: twice of toy in float32 and 1 more were not compared: nothing to"
        " compare with: r has no float32",
        "r was not run in float32: r has no float32",
    )


@pytest.mark.torch
def test_bfloat16_has_a_stand_in_for_a_reference_that_lacks_it(ran: Ran) -> None:
    torch = "def twice(x):\n    return x + x\n\n\ndef more(twice):\n    return 1 + twice\n"
    record = ran({"toy_torch.py": torch}, CASE.replace('"float64"', '"float64", "bfloat16"'))
    assert outcome_of(record).exit_code == 0
    assert "NumPy has no bfloat16: left out of 2 cells." in sentence.verdict(record).text


@pytest.mark.parametrize(("more", "code"), [("", 0), (" + 1", 1)])
def test_whole_numbers_beyond_the_digits_of_float64_are_told_apart(ran: Ran, more: str, code: int) -> None:
    whole = """
import numpy as np


def twice(x):
    return np.array([2**53, -(2**53), 2**62]) + np.int64(x.size - 3)
"""
    text = CASE.partition('[[stage]]\nname = "more"')[0].replace("1e-12, reason", "0.5, reason")
    text = text.replace('shape = ["n"]\ntol', 'shape = ["n"]\ndtype = "int"\ntol')
    record = ran({"toy.py": whole, "toy.b.py": f"{whole.rstrip()}{more}\n\n"}, text)
    assert outcome_of(record).exit_code == code
    cells = [cell for cell in record.cells if cell.check is Check.REFERENCE]
    assert [cell.stats.max_abs for cell in cells if cell.stats is not None] == [float(code)] * 2


def test_an_error_is_no_difference(ran: Ran) -> None:
    raises = NUMPY.replace("return twice + 1", "raise ValueError('no')")
    wrong = NUMPY.replace("twice + 1", "twice + 2")
    none = NUMPY.replace("twice + 1", "None")
    record = ran({"toy.b.py": raises, "toy.c.py": NUMPY + "\n", "toy.d.py": wrong, "toy.e.py": none})
    agreements = {
        (compared.left, compared.right, compared.stage): (compared.agree, compared.broken)
        for compared in record.pairs
    }
    assert agreements["numpy", "numpy.b", "twice"] == (True, ())
    assert agreements["numpy", "numpy.b", "more"] == (False, ("numpy.b",))
    assert agreements["numpy", "numpy.c", "more"] == (True, ())
    assert agreements["numpy", "numpy.d", "more"] == (False, ())
    # No array at all is a wrong answer.
    assert agreements["numpy", "numpy.e", "more"] == (False, ())
    matrix = view.pair_matrix(record.pairs)
    words = {pair: pair_summary.word for pair, pair_summary in matrix.items()}
    assert words["numpy", "numpy.b"] == "error"
    assert (words["numpy", "numpy.c"], words["numpy", "numpy.d"]) == ("agree", "differ")
    (consensus,) = record.consensus
    assert consensus.clusters == (("numpy", "numpy.c"), ("numpy.d",), ("numpy.e",))
    assert (consensus.by_majority, consensus.by_oracle, consensus.broken) == ((), (), ("numpy.b",))
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(terminal.pair_matrix(record))
    console.print(terminal.consensus(record.consensus))
    text = console.export_text()
    assert "error 1/2" in text
    assert "DIFFER 1/2" in text
    assert "error: numpy.b" in text
    assert "! error 1/2" in html.render(record)


def test_an_error_alone_makes_no_groups(ran: Ran) -> None:
    record = ran({"toy.b.py": NUMPY.replace("return twice + 1", "raise ValueError('no')")})
    assert record.consensus == ()
    assert outcome_of(record).outcome is Outcome.FAULT


@pytest.mark.parametrize("link", [False, True])
def test_a_copy_of_the_reference_is_called_one(ran: Ran, tmp_path: Path, link: bool) -> None:
    if link:
        (tmp_path / "suite" / "toy" / "toy.b.py").symlink_to("toy.py")
    record = ran({"toy.c.py": NUMPY + "\n"} if link else {"toy.b.py": NUMPY, "toy.c.py": NUMPY + "\n"})
    assert record.header.copies == {"toy": ("numpy.b",)}
    text = sentence.verdict(record).text
    assert "numpy.b is the reference's own file in toy: that they agree says nothing." in text
    assert "numpy.c is" not in text


def test_the_range_of_a_known_divergence_is_shown(ran: Ran) -> None:
    record = ran({"toy.b.py": NUMPY.replace("twice + 1", "twice + 1.5")}, CASE + KNOWN.format(stage="more"))
    assert outcome_of(record).exit_code == 0
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(terminal.known_divergences(known_divergences(record), record))
    assert "absolute 0.4 to 0.6" in console.export_text()
    assert "<dt>Known to be</dt><dd>absolute 0.4 to 0.6</dd>" in html.render(record)
