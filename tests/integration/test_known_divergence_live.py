"""A known divergence hides no other difference, with real workers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.conformance.observers import Replaying
from harness.errors import CaseError
from harness.model import Absent, Cell, Mode, Outcome, Record, outcome_of
from harness.report import badge, html, markdown, sentence
from harness.runtimes.registry import Registry
from tests.integration.one_case import run_case

CASE = """
[case]
name = "toy"
title = "three stages"
origin = "here"
fixture = "toy"
precisions = [{precisions}]

[inputs]
x = ["n"]

[[stage]]
name = "twice"
inputs = ["x"]
shape = ["n"]
{tolerance}
[[stage]]
name = "more"
inputs = ["x", "twice"]
shape = ["n"]
{tolerance}
[[stage]]
name = "last"
inputs = ["more"]
shape = ["n"]
{tolerance}
[[known_divergence]]
id = "half"
implementation = "{who}"
stage = "twice"
cause = "half more in the third element"
evidence = "here"
ends_when = "never"
measure = "absolute"
at_least = 0.4
at_most = 5000
{extent}
"""
STATED = 'tolerance = { rule = "relative", value = 1e-6, reason = "test" }\n'
NUMPY = """
def twice(x):
    return 2 * x

def more(x, twice):
    return twice - x

def last(more):
    return 3 * more
"""
OFF = NUMPY.replace("return 2 * x", "return 2 * x + (x == -3) * 0.5")
"""Third element half more."""

Ran = Callable[..., Record]


def at(twice_is: str, then: str) -> str:
    """A source whose `more` is right on the reference's inputs, and ``then`` on its own."""
    return OFF.replace("return twice - x", f"return {then} if {twice_is} else twice - x")


ON_ITS_OWN = "twice[2] > -6"


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ran:
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))

    def call(
        sources: Mapping[str, str],
        *,
        who: str = "numpy.b",
        tolerance: str = STATED,
        extent: str = "",
        precisions: str = '"float64"',
        replay: Replaying = "never",
        **options: Any,
    ) -> Record:
        text = CASE.format(tolerance=tolerance, who=who, extent=extent, precisions=precisions)
        named = {"toy.py": NUMPY, **sources}
        return run_case(
            tmp_path / "suite", "toy", text, named, [1.0, 2.5, -3.0, 4.0], replay=replay, **options
        )

    return call


def chained(record: Record, implementation: str = "numpy.b") -> dict[str, Cell]:
    return {
        cell.stage: cell
        for cell in record.cells
        if cell.implementation == implementation and cell.mode is Mode.CHAINED
    }


@pytest.mark.parametrize("replay", ["never", "always"])
@pytest.mark.parametrize("tolerance", [STATED, ""], ids=["stated", "derived"])
def test_what_is_shown_to_inherit_is_known(ran: Ran, tolerance: str, replay: Replaying) -> None:
    if not tolerance:
        pytest.importorskip("flint")
    record = ran({"toy.b.py": OFF}, tolerance=tolerance, replay=replay)
    cells = chained(record)
    assert [cells[name].verdict for name in ("twice", "more", "last")] == ["XFAIL"] * 3
    within = "stated tolerance" if tolerance else "derived limit"
    for name in ("more", "last"):
        assert cells[name].reason == (
            "1 of 4 elements beyond the limit, first at [2]; follows from known divergence 'half' of twice:"
            f" on its own inputs numpy gives the same within the {within}"
        )
        assert cells[name].basis == ("stated" if tolerance else "derived")
    assert outcome_of(record).outcome is Outcome.AGREEMENT


# With snapshots each runs twice as long; the tests before this one take both ways.
@pytest.mark.parametrize("replay", ["never", pytest.param("always", marks=pytest.mark.slow)])
@pytest.mark.parametrize("tolerance", [STATED, ""], ids=["stated", "derived"])
@pytest.mark.parametrize(
    ("then", "said"),
    [
        ("0 * x + 1e9", "numpy gives 1 at [0], and this is 1e+09: 4 of 4 elements are off, by up to 1e+09"),
        # Between the largest and the smallest.
        pytest.param(
            "0 * x + 42",
            "numpy gives 1 at [0], and this is 42: 4 of 4 elements are off, by up to 44.5",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "0 * x",
            "numpy gives 1 at [0], and this is 0: 4 of 4 elements are off, by up to 4",
            marks=pytest.mark.slow,
        ),
        (
            "twice - x + 1e-4",
            "numpy gives 1 at [0], and this is 1.0001: 4 of 4 elements are off, by up to 0.0001",
        ),
    ],
)
def test_what_is_more_than_inherited_fails(
    ran: Ran, then: str, said: str, tolerance: str, replay: Replaying
) -> None:
    if not tolerance:
        pytest.importorskip("flint")
    record = ran({"toy.b.py": at(ON_ITS_OWN, then)}, tolerance=tolerance, replay=replay)
    cells = chained(record)
    assert [cells[name].verdict for name in ("twice", "more", "last")] == ["XFAIL", "FAIL", "FAIL"]
    reason = f"more than what it inherits from known divergence 'half' of twice: on its own inputs {said}; "
    assert cells["more"].reason.startswith(reason)
    # The last stage inherits, and not from what is known.
    assert [cells[name].inherited for name in ("more", "last")] == [False, True]
    run_outcome = outcome_of(record)
    assert (run_outcome.outcome, run_outcome.exit_code) == (Outcome.DIVERGENCE, 1)
    assert "Look first at the stage more of toy in numpy.b" in sentence.verdict(record).text


@pytest.mark.parametrize("strict", [False, True])
def test_what_is_inherited_is_held_against_the_derived_limit_on_its_own_inputs(
    ran: Ran, strict: bool
) -> None:
    pytest.importorskip("flint")
    off = at(ON_ITS_OWN, "(twice - x) * (1 + 1e-9)")
    record = ran({"toy.b.py": off}, tolerance="", strict=strict)
    cells = chained(record)
    assert [cells[name].verdict for name in ("twice", "more", "last")] == ["XFAIL", "FAIL", "FAIL"]
    assert (
        "on its own inputs numpy gives 1 at [0], and this is 1.0000000010000001: 4 of 4 elements are off"
        in (cells["more"].reason)
    )
    assert outcome_of(record).exit_code == 1


NO_LIMIT = "np.linalg.eigvals(np.diag(twice - x)).real if twice[2] > -5.75 else twice - x"
"""Has a derived limit on the reference's inputs, and none where the third element is half more."""


@pytest.mark.parametrize("strict", [False, True])
def test_what_can_be_held_against_it_coarsely_only_says_so_and_is_refused_strictly(
    ran: Ran, strict: bool
) -> None:
    pytest.importorskip("flint")
    reference = "import numpy as np\n" + NUMPY.replace("return twice - x", f"return {NO_LIMIT}")
    off = "import numpy as np\n" + at("twice[2] > -5.75", "(twice - x) * (1 + 1e-9)")
    record = ran({"toy.py": reference, "toy.b.py": off}, tolerance="", strict=strict)
    cell = chained(record)["more"]
    assert cell.basis == "coarse"
    assert "on its own inputs numpy gives the same to half the digits" in cell.reason
    assert cell.weaker_because == (
        "on its own inputs, which follow from known divergence 'half' of twice: no limit can be"
        " derived for `numpy.linalg.eigvals` (line 7 of toy.py)"
    )
    # The stage after it has a limit on its own inputs.
    assert (chained(record)["last"].verdict, chained(record)["last"].basis) == ("XFAIL", "derived")
    told = sentence.verdict(record)
    assert "1 stage was compared coarsely in part: on its own inputs, which follow from" in told.text
    if strict:
        assert cell.verdict == "FAIL"
        assert cell.reason.startswith("compared coarsely only, which --strict does not allow")
        assert outcome_of(record).exit_code == 1
    else:
        assert cell.verdict == "XFAIL"
        assert outcome_of(record).outcome is Outcome.AGREEMENT
        assert "1 coarse in part" in badge.message(record)


@pytest.mark.parametrize(
    ("who", "file", "same_type", "precisions"),
    [
        ("numpy.b", "toy.b.py", "astype", ("float32", "float16")),
        # PyTorch takes seconds to import, four times.
        pytest.param(
            "torch",
            "toy_torch.py",
            "to",
            ("float32", "float16", "bfloat16"),
            marks=[pytest.mark.torch, pytest.mark.slow],
        ),
    ],
    ids=["numpy", "torch"],
)
def test_in_short_precisions_as_well(
    ran: Ran, who: str, file: str, same_type: str, precisions: tuple[str, ...]
) -> None:
    off = f"import {who}\n" if who == "torch" else ""
    off += OFF.replace("(x == -3)", f"(x == -3).{same_type}(x.dtype)")
    wrong = off.replace("return twice - x", f"return twice * 0 + 42 if {ON_ITS_OWN} else twice - x")
    tolerance, listed = STATED.replace("1e-6", "0.02"), ", ".join(f'"{name}"' for name in precisions)
    for source, verdict in ((off, "XFAIL"), (wrong, "FAIL")):
        record = ran({file: source}, who=who, tolerance=tolerance, precisions=listed)
        verdicts = {
            str(cell.precision): cell.verdict
            for cell in record.cells
            if (cell.implementation, cell.stage, cell.mode) == (who, "more", Mode.CHAINED)
        }
        assert verdicts == dict.fromkeys(precisions, verdict), [cell.reason for cell in record.cells]


@pytest.mark.r
def test_in_another_language(ran: Ran) -> None:
    source = (
        "twice <- function(x) 2 * x + (x == -3) * 0.5\n"
        "more <- function(x, twice) if (twice[3] > -6) {} else twice - x\n"
        "last <- function(more) 3 * more\n"
    )
    sources = {"toy.R": source.format("twice - x"), "toy.wrong.R": source.format("rep(42, 4)")}
    record = ran(sources, who="r*")
    for implementation, verdict in (("r", "XFAIL"), ("r.wrong", "FAIL")):
        cells = chained(record, implementation)
        assert [cells[name].verdict for name in ("twice", "more", "last")] == ["XFAIL", verdict, verdict]


def test_where_the_reference_fails_on_those_inputs_nothing_is_shown(ran: Ran) -> None:
    raising = NUMPY.replace("return twice - x", "return [][1] if twice[2] > -6 else twice - x")
    record = ran({"toy.py": raising, "toy.b.py": OFF})
    cells = chained(record)
    assert [cells[name].verdict for name in ("twice", "more")] == ["XFAIL", "NOT_RUN"]
    assert cells["more"].reason == (
        "that it follows from known divergence 'half' of twice could not be shown: numpy, on its inputs:"
        " IndexError: list index out of range (line 6 of toy.py)"
    )
    assert (outcome_of(record).outcome, outcome_of(record).exit_code) == (Outcome.INCOMPLETE, 5)


def test_where_the_reference_is_not_there_nothing_is_shown(ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    launch = Registry.launch
    asked: list[str] = []

    def gone(registry: Registry, runtime: str) -> object:
        asked.append(runtime)
        if len(asked) > 1:
            return Absent(runtime=runtime, language="Python", reason="NumPy is not installed")
        return launch(registry, runtime)

    # The run's own worker is launched first.
    monkeypatch.setattr(Registry, "launch", gone)
    record = ran({"toy.b.py": OFF})
    assert chained(record)["more"].reason.endswith(
        "could not be shown: numpy, on its inputs: NumPy is not installed"
    )
    assert outcome_of(record).outcome is Outcome.INCOMPLETE


def test_without_what_may_inherit_no_second_worker_is_started(
    ran: Ran, monkeypatch: pytest.MonkeyPatch
) -> None:
    launch = Registry.launch
    asked: list[str] = []

    def counted(registry: Registry, runtime: str) -> object:
        asked.append(runtime)
        return launch(registry, runtime)

    monkeypatch.setattr(Registry, "launch", counted)
    ran({"toy.b.py": NUMPY + "\n"})
    assert asked == ["numpy"]
    ran({"toy.b.py": OFF})
    assert asked == ["numpy", "numpy", "numpy"]


SECOND = OFF.replace("(x == -3) * 0.5", "(x == -3) * 0.5 + (x == 4) * 0.5")


@pytest.mark.parametrize(
    ("extent", "source", "verdict"),
    [
        ("", OFF, "XFAIL"),
        ("", SECOND, "XFAIL"),
        ("elements = [1, 1]", OFF, "XFAIL"),
        ("elements = [1, 1]", SECOND, "FAIL"),
        ("elements = [2, 3]", OFF, "FAIL"),
        ('samples = ["default"]', OFF, "XFAIL"),
    ],
)
def test_one_more_element_is_more_than_is_known(ran: Ran, extent: str, source: str, verdict: str) -> None:
    record = ran({"toy.b.py": source}, extent=extent)
    cell = chained(record)["twice"]
    assert cell.verdict == verdict, cell.reason
    assert (outcome_of(record).exit_code == 0) == (verdict == "XFAIL")


def test_a_known_divergence_of_a_sample_that_is_not_there(ran: Ran) -> None:
    with pytest.raises(CaseError, match="known divergence 'half': no sample matches 'other'") as caught:
        ran({"toy.b.py": OFF}, extent='samples = ["default", "other"]')
    assert caught.value.advice == "there are: default"


def test_an_agreement_names_what_is_known_and_who_is_not_in_it(ran: Ran) -> None:
    record = ran({"toy.b.py": OFF})
    verdict = sentence.verdict(record)
    assert verdict.outcome is Outcome.AGREEMENT
    text = "numpy.b differs as is known (half) in the one case, and nothing else was compared."
    assert verdict.text == text
    assert badge.message(record) == "0 implementations, 1 cases, 1 known"
    for report in (html.render(record), markdown.render(record)):
        assert "compute the same thing" not in report
    # Without the last two stages' inheritance, one stage is as expected.
    apart = OFF.replace("return twice - x", "return x")
    record = ran({"toy.b.py": NUMPY + "\n", "toy.c.py": apart}, who="numpy.c")
    assert sentence.verdict(record).text.startswith(
        "NumPy, numpy.b and numpy.c agree but for 1 known divergence (half) in the one case: "
    )
    assert badge.message(record) == "3 implementations, 1 cases, 1 known"
