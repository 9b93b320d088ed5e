"""Functions in messages are named as the person who wrote them names them."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from harness.oracle.selecting import named


@pytest.mark.parametrize(
    ("module", "shown"),
    [("stages_4_psy", "psy.half"), ("stages_12_my_case", "my_case.half"), ("stages_of", "stages_of.half")],
)
def test_a_file_of_stages_has_no_number(module: str, shown: str) -> None:
    made = ModuleType(module)
    exec("def half(x):\n    return x", vars(made))
    assert named(vars(made)["half"]) == shown


def test_functions_of_numpy_have_their_module() -> None:
    assert named(np.add, "reduce") == "numpy.add.reduce"
