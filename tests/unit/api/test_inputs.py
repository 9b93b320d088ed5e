"""The inputs of ``harness.check``: what they may be, and what is said of what they may not be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness.api.inputs import arguments_of, fixture_of
from harness.errors import UsageError


def f(x: Any, y: Any, z: Any = 1.0) -> None: ...


def by_keyword(x: Any, *, y: Any) -> None: ...


def test_names_are_in_the_order_of_the_signature() -> None:
    assert arguments_of(f, ["y", "x"]) == ("x", "y")
    assert arguments_of(f, ["z", "y", "x"]) == ("x", "y", "z")
    fixture, names = fixture_of({"y": 1, "x": [1.0, 2.0]}, ("x", "y"))
    assert names == ("x", "y")
    assert fixture.samples["default"]["x"].tolist() == [1.0, 2.0]


def test_a_function_in_c_says_nothing_of_its_arguments() -> None:
    assert arguments_of(max, ["x"]) is None
    assert fixture_of({"b": 1.0, "a": 2.0}, None)[1] == ("b", "a")


@pytest.mark.parametrize(
    ("function", "names", "why"),
    [
        (f, ["x"], "needs y"),
        (f, ["x", "y", "w"], "takes no w"),
        (by_keyword, ["x", "y"], "by keyword alone"),
        (lambda a=1, b=2: None, ["b"], "takes a before b"),
    ],
)
def test_names_that_do_not_fit(function: Any, names: list[str], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        arguments_of(function, names)


@pytest.mark.parametrize(
    ("inputs", "why"),
    [
        ("text", "cannot be a str"),
        (3, "cannot be a int"),
        ([], "there are no inputs"),
        ([[1.0]], "no dictionary"),
        ({"x": "text"}, "dtype <U4"),
        ({"x": [[1.0], [1.0, 2.0]]}, "no array"),
        ([{"x": 1.0}, {"y": 1.0}], "not the same inputs"),
        ([{"x": 1.0}, {"x": [1.0]}], "of 0 dimensions in one sample, float of 1 dimensions in sample_1"),
        ([{"x": 1.0}, {"x": 1}], "float of 0 dimensions in one sample, int"),
    ],
)
def test_inputs_that_cannot_be_used(inputs: Any, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        fixture_of(inputs, None)


def test_the_caller_s_array_is_not_the_fixture_s() -> None:
    x = np.array([1.0, 2.0])
    fixture, _ = fixture_of({"x": x}, None)
    x[0] = 9.0
    assert fixture.samples["default"]["x"].tolist() == [1.0, 2.0]
