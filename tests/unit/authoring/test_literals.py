"""What a program writes out where it calls a function."""

from __future__ import annotations

from typing import Any

import pytest

from harness.authoring.literals import literal, names_a_file


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3), ("3L", 3), ("-0.5", -0.5), ("True", True), ("FALSE", False), ("'ols'", "ols"),
        ('"two words"', "two words"), ("[0.1, 2]", [0.1, 2.0]), ("c(1, 2)", [1, 2]),
        ("np.array([1.5])", [1.5]), ("['a', 'b, c']", ["a", "b, c"]), ("c(TRUE, FALSE)", [True, False]),
    ],
)  # fmt: skip
def test_numbers_texts_and_lists_are_known(text: str, value: Any) -> None:
    found = literal(text)
    assert found is not None
    assert found.tolist() == value
    assert type(found.tolist()) is type(value)


@pytest.mark.parametrize("text", ["x", "1, 2", "[1, 'a']", "[[1], [2]]", "[]", "None", "f(1)", "[True, 2]"])
def test_what_else_is_written_is_nothing_known(text: str) -> None:
    assert literal(text) is None


def test_a_text_that_names_a_file() -> None:
    assert all(map(names_a_file, ["'d.csv'", '"data/x"', "'/tmp'"]))
    assert not any(map(names_a_file, ["'ols'", "'two words'", "'1.5'"]))
