"""What the syntax of a Python program says of a statement."""

from __future__ import annotations

import ast

from harness.programs.recorders.python_syntax import line_of, operators_of, reads_of


def test_numbers_of_hooks_are_no_operators() -> None:
    node = ast.parse("_hr(_hr_f, 37, _hr_part(_hr_f, 12, a - 2.5) / max(b, 12))")
    assert set(operators_of(node)) == {"/", "-", "#2.5", "max", "#12"}


def test_the_line_of_what_an_expression_does() -> None:
    def line(text: str) -> int:
        return line_of(ast.parse(text, mode="eval").body, text.split("\n"))

    assert line("(a\n + b * c)") == 2
    assert line("(a +\n b * c)") == 1
    assert line("(a *\n 2)") == 2
    assert line("(a\n and b > 2)") == 2
    assert line("(table\n .mean()\n .round(3))") == 3
    assert line("f(\n a,\n)") == 1
    assert line("(a\n [0])") == 2


def test_of_a_table_that_is_read_by_columns_alone_these_are_read() -> None:
    def reads(text: str) -> list[str]:
        return list(reads_of(ast.parse(text)))

    assert reads("log['late'].abs() <= late") == ["late", "log['late']"]
    assert set(reads("log[log['late'] > 0]['trip']")) == {"log", "log['late']"}
    assert reads("log['in time']") == reads("log[0]") == reads("log[key]")[:1] == ["log"]
    assert reads("log.loc['a']['b']")[:1] == ["log.loc"]
