"""Names as people change them between languages."""

from __future__ import annotations

import pytest

from harness.programs.names import alike, operations, overlap, words_of


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
