"""Searches of stages whose results have sizes of their own."""

from __future__ import annotations

import time
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from harness.conformance.loading import Loading
from harness.conformance.plan import make_plan
from harness.fuzz.draw import make_batch
from harness.fuzz.frames import observe_other, observe_reference
from harness.fuzz.parting import scores_of
from harness.fuzz.recipes import recipes
from harness.fuzz.session import session
from tests.integration.fuzz_suite import found, fuzz, kept_some, of_some

pytest.importorskip("hypothesis")
pytest.importorskip("flint")


@pytest.mark.parametrize(
    ("reference", "other"),
    [
        ("x[x >= 0]", "x[x > 0]"),
        ("x[1:] - x[:-1]", "np.zeros(1) if len(x) == 1 else np.diff(x)"),
    ],
)
def test_another_number_of_elements_is_found(reference: str, other: str, tmp_path: Path) -> None:
    result = kept_some(tmp_path, reference, other)
    assert result.exit_code == 1, result.output
    assert found(result.output).keys() == {"other"}
    assert "shape" in found(result.output)["other"].splitlines()[0]


KEPT_MORE = """
[[stage]]
name = "more"
inputs = ["some"]
shape = ["m"]
"""
MORE = "\n\ndef more(some):\n    return {}\n"


@pytest.mark.parametrize("batches", [True, False])
def test_inputs_are_compared_by_the_sizes_of_their_results(
    batches: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every one of them is, those that raise an error apart, and the stages behind as well."""
    if not batches:
        monkeypatch.setattr(Loading, "takes_batches", lambda self, stage: False)
    some = "x[x > 0] if len(x) != 4 or x[0] > 0 else x[9]"
    bodies = (some + MORE.format("some * 2"), some + MORE.format("some + some"))
    of_some(tmp_path, *bodies, more=KEPT_MORE)
    with session(make_plan(tmp_path)) as opened:
        hunt = opened.hunt
        for recipe in islice(recipes(hunt.domain, 0), 12):
            batch = make_batch(hunt.domain, recipe, 0, 40)
            seen = []
            for ours in observe_reference(hunt.reference, hunt.stages, batch):
                theirs = observe_other(hunt.others[0], hunt.stages, ours)
                for place in range(ours.batch.count):
                    x = batch.one(ours.batch.place(place))["x"]
                    assert np.array_equal(ours.batch.one(place)["x"], x)
                    seen.append(ours.batch.place(place))
                    raises = len(x) == 4 and not x[0] > 0
                    assert ("some" in ours.sound and ours.sound["some"][place]) == (not raises)
                    if not raises:
                        assert np.array_equal(ours.values["some"][place], x[x > 0])
                        assert np.array_equal(ours.values["more"][place], 2 * x[x > 0])
                for name, found in theirs.items():
                    assert np.array_equal(found.usual, ours.stages[name].usual)
                scores = scores_of(hunt._parting, ours, {"other": theirs})
                assert not any(row.any() for row in scores.values())
            assert sorted(seen) == list(range(batch.count))


def test_a_reference_that_does_not_take_the_fixtures_own_size(tmp_path: Path) -> None:
    """It is called with that once, to find out."""
    endless = "x if len(x) < 3 or all(True for _ in iter(int, 1)) else x"
    of_some(tmp_path, endless, "x", more="[fuzz]\nsizes = { n = [0, 4] }\n")
    case = tmp_path / "toy" / "case.toml"
    text = case.read_text(encoding="utf-8").replace('fixture = "toy"\n', 'fixture = "toy"\ntimeout = 100\n')
    case.write_text(text.replace('W = ["n", "d"]\n', ""), encoding="utf-8")
    begun = time.perf_counter()
    result = fuzz(tmp_path, "--seconds", "3")
    assert time.perf_counter() - begun < 60.0
    assert result.exit_code == 0, result.output
    assert "the reference does not take n = 3" in result.output


def test_two_stages_have_sizes_of_their_own(tmp_path: Path) -> None:
    """Inputs of the usual size of one are not those of the usual size of the other."""
    runs = "\n\ndef runs(x):\n    return x[np.r_[True, x[1:] != x[:-1]]] if len(x) else x\n"
    of_some(
        tmp_path,
        "x[x > 0]" + runs,
        "x[0 < x]" + runs,
        more=KEPT_MORE.replace("some", "x").replace("more", "runs"),
    )
    result = fuzz(tmp_path, "--inputs", "300")
    assert result.exit_code == 0, result.output
    assert "300 inputs in" in result.output


def test_a_fault_of_one_size_of_a_result_is_found(tmp_path: Path) -> None:
    """Of inputs of one size most give something else."""
    faulty = "x[x > 0] + (len(x) == 7 and np.sum(x > 0) == 1)"
    result = kept_some(tmp_path, "x[x > 0]", faulty)
    assert result.exit_code == 1, result.output
    assert found(result.output).keys() == {"other"}
    assert " 0 were not taken by the reference" in result.output
