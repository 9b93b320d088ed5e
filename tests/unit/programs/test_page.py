"""How far two values are apart, in words."""

from __future__ import annotations

import numpy as np
import pytest

from harness.programs.page import difference


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        (1.5, 1.5, "none"),
        (1.0, 1.0 + 4e-16, "at most 4.4e-16, which rounding explains"),
        (3.0, 4.0, "at most 1 (0.25 of the value)"),
        (1.0, 0.0, "at most 1"),
        ([1.0, 2.0, 3.0], [1.0, 2.0, 5.0], "at most 2 (0.4 of the value); 1 of 3 elements differ"),
        ([[1.0, 2.0], [3.0, 4.0]], [[1.0, 3.0], [2.0, 4.0]], "none"),
        ([1.0, np.nan], [1.0, 2.0], "1 of 2 elements differ"),
        (np.nan, 2.0, "one is no finite number"),
        ([1.0, 2.0], [1.0, 2.0, 3.0], "of other sizes: 2 and 3"),
        (1.0 + 1j, 1.0 - 1j, "at most 2 (1.4 of the value)"),
    ],
)
def test_the_difference_of_two_values(one: object, other: object, said: str) -> None:
    assert difference(np.asarray(one), np.asarray(other)) == said


def test_the_difference_of_two_texts() -> None:
    one, other = np.array(["a", "b"], dtype=object), np.array(["a", "c"], dtype=object)
    assert difference(one, other) == "1 of 2 elements differ"
    assert difference(one[:1].reshape(()), other[:1].reshape(())) == "none"
    assert difference(one[1:].reshape(()), other[1:].reshape(())) == "not the same text"
