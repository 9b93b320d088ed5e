"""What the syntax of a Python program says of a statement."""

from __future__ import annotations

import ast

from harness.programs.recorders.python_syntax import operators_of


def test_numbers_of_hooks_are_no_operators() -> None:
    node = ast.parse("_hr(_hr_f, 37, _hr_part(_hr_f, 12, a - 2.5) / max(b, 12))")
    assert set(operators_of(node)) == {"/", "-", "#2.5", "max", "#12"}
