"""Whom a search accuses: where values are NaN, overflow, cancel, or differ in the sign of a zero."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from harness.cli import main
from harness.conformance.plan import make_plan
from harness.fuzz.keep import keep
from harness.fuzz.session import session
from harness.store.cases import load_case
from tests.integration.fuzz_suite import OTHER, fuzz, kept_some, of_some, suite

pytest.importorskip("hypothesis")
pytest.importorskip("flint")


def test_what_parts_and_could_not_be_decided_is_no_agreement(tmp_path: Path) -> None:
    """The side of a zero's sign is not decided by a true value."""
    result = kept_some(tmp_path, "np.copysign(1.0, x)", "np.where(x < 0, -1.0, 1.0)")
    assert result.exit_code == 5, result.output
    assert "none is off" not in result.output
    assert "nothing that parts could be decided" in result.output
    assert re.search(
        r"on [1-9]\d* inputs the languages part .* [1-9]\d* were and could not be", result.output
    )


def test_nan_that_is_the_true_value_accuses_nobody(tmp_path: Path) -> None:
    """Of nothing but zeros a share is 0/0, whoever divides; who has NaN for a number is off all the same."""
    share = "np.array([x.sum() / np.abs(x).sum()])"
    of_some(tmp_path, share, share)
    with session(make_plan(tmp_path)) as opened:
        judge = opened.hunt.judge
        zeros = judge({"zeros": {"x": np.zeros(2), "W": np.zeros((2, 2))}})
    assert zeros.accusations == ()
    assert zeros.alike == frozenset()
    of_some(tmp_path / "wrong", share, "np.array([np.nan * x.sum()])")
    with session(make_plan(tmp_path / "wrong")) as opened:
        ones = opened.hunt.judge({"ones": {"x": np.ones(2), "W": np.zeros((2, 2))}})
    assert {accusation.implementation for accusation in ones.accusations} == {"numpy.other"}


def test_overflow_in_another_order_accuses_nobody(tmp_path: Path) -> None:
    backwards = OTHER.replace("(centred[:, None] * W).sum(axis=0)", "centred[::-1] @ W[::-1]")
    suite(tmp_path, {"right": backwards})
    with session(make_plan(tmp_path)) as opened:
        opened.hunt.run(inputs=6000)
        assert opened.hunt.findings == []
        assert opened.hunt.tally.inputs >= 6000
        assert opened.hunt.tally.judged > 5


def test_terms_that_cancel_to_the_last_place_accuse_nobody(tmp_path: Path) -> None:
    """Of this seed's inputs one has a product whose rounding is all that is left of the sum."""
    suite(tmp_path, {"right": OTHER})
    with session(make_plan(tmp_path), seed=3_000_000) as opened:
        opened.hunt.run(inputs=700)
        assert opened.hunt.findings == []
        assert opened.hunt.tally.judged > 1


def exactly(rule: str) -> str:
    return f"nan = true\ntolerance = {rule}\n"


EXACT = exactly('{ rule = "exact" }')
SIGNLESS = exactly('{ rule = "absolute", value = 0, reason = "here" }')


def test_the_sign_of_a_zero_is_told_where_each_bit_counts_and_a_run_fails_on_it(tmp_path: Path) -> None:
    of_some(tmp_path, "x * 1.0", "x + 0.0", more=EXACT)
    result = fuzz(tmp_path, "--inputs", "3000")
    words = "the sign of zero differs in 1 place, and the stage is exact"
    # Which of the inputs is the smallest is the drawing library's choice.
    told = words.replace("1 place", r"\d+ places?") + r"; x = \[.*-0\.0\b"
    assert re.search(f"the sign of a zero: numpy.other, stage some: {told}", result.output)
    assert re.search(r"on [1-9]\d* inputs nothing but the sign of a zero differs", result.output)
    assert "none is off" in result.output
    assert result.exit_code == 0
    # A run says the same of the same input.
    keep(load_case(tmp_path / "toy"), tmp_path, {"x": np.array([-0.0]), "W": np.zeros((1, 1))}, "here")
    command = ["run", "--suite", str(tmp_path), "--out", str(tmp_path / "ran")]
    ran = CliRunner().invoke(main, command)
    assert (ran.exit_code, words in ran.output) == (1, True)
    # What the search says to do lets both pass.
    case = tmp_path / "toy" / "case.toml"
    case.write_text(case.read_text(encoding="utf-8").replace(EXACT, SIGNLESS), encoding="utf-8")
    result, ran = fuzz(tmp_path, "--inputs", "3000"), CliRunner().invoke(main, command)
    assert (result.exit_code, ran.exit_code) == (0, 0)
    assert "the sign of a zero" not in result.output


def test_where_each_bit_counts_rounding_is_still_judged_by_its_limit(tmp_path: Path) -> None:
    """What the fixture has without rounding, drawn numbers have not; equal numbers have equal zeros here."""
    of_some(tmp_path, "np.array([x.sum()])", "np.array([x[::-1].sum()])", more=EXACT)
    result = fuzz(tmp_path, "--inputs", "3000")
    assert result.exit_code == 0, result.output
    assert "sign of a zero" not in result.output
