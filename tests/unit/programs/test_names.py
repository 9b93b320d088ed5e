"""Names as people change them between languages."""

from __future__ import annotations

import pytest

from harness.programs.names import alike, all_alike, all_overlap, operations, overlap, words_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("beta_hat", "betaHat"),
        ("beta_hat", "beta.hat"),
        ("W_q", "Wq"),
        ("β", "beta"),
        ("σ", "sigma"),
        ("XtX", "xtx"),
    ],
)
def test_one_name(one: str, other: str) -> None:
    assert alike(one, other) == 1.0


def test_synonyms_are_alike_and_others_are_not() -> None:
    assert alike("learning_rate", "eta") > 0.3
    assert alike("residuals", "resid") > 0.6
    assert alike("n_obs", "weights") < 0.3
    assert alike("residuals", "resid") > alike("residuals", "fitted")


def test_greek_letters_are_spelled() -> None:
    assert words_of("Δt") == ("delta", "t")


def test_operators_have_one_name() -> None:
    assert operations(["%*%", "t"]) == operations(["@", "transpose"])
    assert overlap(operations(["np.mean", "-"]), operations(["mean", ".-"])) == 1.0
    assert overlap(operations(["+"]), operations(["*"])) == 0.0


def test_all_names_are_as_alike_as_each_two() -> None:
    ones = ["beta_hat", "n_obs", "xs", "", "residuals", "w1", "beta_hat", "learning_rate"]
    others = ["betaHat", "resid", "nObs", "x", "weight_12", "eta", "hat_beta"]
    made = all_alike(ones, others)
    assert made.tolist() == [[alike(one, other) for other in others] for one in ones]
    assert made[0].tolist()[:2] == [1.0, pytest.approx(0.95 * 0.8 * 2 / 12)]
    assert made[3].tolist() == [0.0] * len(others)


def test_all_operators_overlap_as_each_two() -> None:
    sets = [frozenset(names) for names in ((), ("+",), ("+", "#2"), ("#2", "*"), ("*", "mean", "sum"))]
    assert all_overlap(sets, sets).tolist() == [[overlap(one, other) for other in sets] for one in sets]
    assert overlap(sets[1], sets[2]) == 0.75
