"""What a notebook's cell shows, as Jupyter would show it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness.workers.ipython_cells import beside_sympy, display


class Symbol:
    """Stands for one of sympy's."""


Symbol.__module__ = "sympy.core.symbol"


def printing(value: Any) -> None:
    """Stands for the hook that sympy's ``init_printing`` sets, which prints everything as text."""
    print("pretty", value if not isinstance(value, Symbol) else "x")


printing.__module__ = "sympy.interactive.printing"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (np.array([4.0, 4.06]), "array([4.  , 4.06])"),
        (Symbol(), "pretty x"),
        ([1, 2.5], "pretty [1, 2.5]"),
        (["a"], "['a']"),
        ({"a": 1}, "{'a': 1}"),
        (True, "True"),
    ],
)
def test_beside_sympy_other_values_are_shown_as_before(
    capsys: pytest.CaptureFixture[str], value: Any, shown: str
) -> None:
    beside_sympy(printing)(value)
    assert capsys.readouterr().out.strip() == shown


def test_other_hooks_are_left() -> None:
    assert beside_sympy(display) is display
