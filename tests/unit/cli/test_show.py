"""``harness show``."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from harness.cli.show import text_of, texts
from harness.model import Failure, Verdict

Harness = Callable[..., Result]


def test_what_each_implementation_returns(harness: Harness, suite: Path) -> None:
    result = harness("show", "toy", "more", "--suite", suite, "--impl", "numpy", "--impl", "numpy.wrong")
    assert result.exit_code == 0, result.output
    assert "numpy: float64 (3,)\n[ 3.  6. -5.]" in result.stdout
    assert "numpy.wrong: float64 (3,)\n[ 3.5  6.5 -4.5]\nfrom numpy: max abs 0.5" in result.stdout


def test_a_crash_has_an_exit_code_and_hides_nothing(harness: Harness, suite: Path) -> None:
    result = harness("show", "toy", "more", "--suite", suite, "--impl", "numpy", "--impl", "numpy.dies")
    assert result.exit_code == 4, result.output
    assert "numpy: float64 (3,)" in result.stdout
    assert "numpy.dies: ERROR: worker numpy ended with exit code 3" in result.stdout


@pytest.mark.parametrize(
    ("case", "stage", "words"),
    [
        ("toy", "less", ["toy has no stage 'less'", "there are: twice, more"]),
        ("nothing", "more", ["no case matches 'nothing'", "there are: toy"]),
        ("t*", "more", ["no case is called 't*'"]),
    ],
)
def test_names_that_do_not_exist(
    harness: Harness, suite: Path, case: str, stage: str, words: list[str]
) -> None:
    result = harness("show", case, stage, "--suite", suite)
    assert result.exit_code == 2
    assert all(word in result.stderr for word in words), result.stderr


def test_failures_and_misfits_are_told() -> None:
    found = texts(
        {
            "numpy": {"s": np.ones(2)},
            "r": Failure(verdict=Verdict.ERROR, reason="it broke"),
            "julia": {"s": np.ones(3)},
        },
        "numpy",
        "s",
    )
    assert found["r"] == "ERROR: it broke"
    assert found["julia"].splitlines()[:2] == ["float64 (3,)", "[1. 1. 1.]"]
    assert "from numpy: " in found["julia"]


def test_digits_give_the_same_numbers_back_and_large_arrays_are_cut() -> None:
    value = 0.1 + 0.2
    assert float(text_of(np.array(value))) == value
    assert "..." in text_of(np.zeros((50, 50)))
