"""What a value of a program needs: statements, definitions, and where a slice ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.adoption.changes import changed_in
from harness.adoption.facts import Fact
from harness.adoption.pieces import Pieces, pieces_of
from harness.adoption.plan import Table, _columns_in
from harness.adoption.slices import Set, Slicer
from harness.programs.program import as_program


def pieces(tmp_path: Path, text: str) -> Pieces:
    path = tmp_path / "program.py"
    path.write_text(text, encoding="utf-8")
    return pieces_of(as_program(path))


def lines(program: Pieces, name: str, line: int, *ends: tuple[str, int]) -> tuple[list[int], list[str]]:
    """The lines that a variable needs, and the names at which its slice ends."""
    places = [Set(at=_at(program, number), name=each) for each, number in ends]
    found = Slicer(program).slice(Set(at=_at(program, line), name=name), places)
    return [program.pieces[at].line for at in found.pieces], [each.name for each in found.given]


def _at(program: Pieces, line: int) -> int:
    piece = program.at_line(line)
    assert piece is not None
    return piece.at


def test_a_slice_ends_at_what_is_given_and_leaves_the_rest_out(tmp_path: Path) -> None:
    program = pieces(tmp_path, "x = [1, 2]\ny = [3]\nz = sum(x)\nprint(y)\nw = z + 1\n")
    assert lines(program, "w", 5) == ([1, 3, 5], [])
    assert lines(program, "w", 5, ("z", 3)) == ([5], ["z"])
    assert lines(program, "w", 5, ("x", 1)) == ([3, 5], ["x"])


def test_what_changes_a_variable_in_place_is_needed(tmp_path: Path) -> None:
    program = pieces(
        tmp_path, "x = []\nfor i in range(3):\n    x.append(i)\ny = x[:]\nx[0] = 5\nx[1] += 1\nz = x\n"
    )
    assert lines(program, "y", 4) == ([1, 2, 4], [])
    assert lines(program, "z", 7) == ([1, 2, 5, 6, 7], [])
    assert lines(program, "z", 7, ("x", 2)) == ([5, 6, 7], ["x"])


def test_a_variable_that_is_set_anew_needs_nothing_of_before(tmp_path: Path) -> None:
    program = pieces(tmp_path, "x = 1\nx = 2\nif x > 1:\n    x = 3\ny = x\n")
    assert lines(program, "y", 5) == ([2, 3, 5], [])


def test_a_function_that_reads_a_variable_comes_along_inside(tmp_path: Path) -> None:
    program = pieces(
        tmp_path,
        "import math\nk = 3\ndef f(x):\n    return g(x) * k\ndef g(x):\n    return math.sqrt(x)\ny = f(2)\n",
    )
    found = Slicer(program).slice(Set(at=_at(program, 7), name="y"), [])
    assert [program.pieces[at].line for at in found.pieces] == [2, 3, 7]
    assert [program.pieces[at].line for at in found.outside] == [1, 5]


def test_draws_need_the_draws_before_them_and_a_seed(tmp_path: Path) -> None:
    seeded = "import numpy as np\nnp.random.seed(1)\na = np.random.rand(2)\nb = np.random.rand(2)\n"
    program = pieces(tmp_path, seeded)
    assert lines(program, "b", 4) == ([2, 3, 4], [])
    program = pieces(tmp_path, seeded.replace("np.random.seed(1)", "pass"))
    found = Slicer(program).slice(Set(at=_at(program, 4), name="b"), [])
    assert found.unseeded is not None
    assert found.unseeded.line == 3


def test_a_generator_has_a_state(tmp_path: Path) -> None:
    program = pieces(
        tmp_path,
        "import numpy as np\nrng = np.random.default_rng(1)\na = rng.normal()\nb = rng.normal()\nc = b + 1\n",
    )
    assert lines(program, "c", 5) == ([2, 3, 4, 5], [])


def test_the_body_of_main_is_the_top_level(tmp_path: Path) -> None:
    text = "def f(x):\n    return x\n\n\ndef main():\n    a = 1\n    b = f(a)\n    print(b)\n\n\n"
    text += 'if __name__ == "__main__":\n    main()\n'
    program = pieces(tmp_path, text)
    assert program.inside == "main"
    assert lines(program, "b", 7) == ([6, 7], [])
    program = pieces(tmp_path, text.replace("    main()", "    main(3)").replace("def main()", "def main(n)"))
    assert program.inside == "__main__"


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("x.sort()", {"x"}), ("np.fill_diagonal(x, 0)", {"np", "x"}), ("print(x)", set()),
        ("y = x.pop()", {"y", "x"}), ("y = x.mean()", {"y"}), ("del x[0]", {"x"}),
        ("np.add(a, b, out=c)", {"np", "a", "b", "c"}),
    ],
)  # fmt: skip
def test_what_a_python_statement_changes(code: str, changed: set[str]) -> None:
    assert changed_in(code, "python", frozenset("xyabc")) == changed


def test_what_a_julia_statement_changes() -> None:
    assert changed_in("for i in 1:3\n  push!(x, i)\nend", "julia", frozenset("xy")) == {"x"}
    assert changed_in("println(x)", "julia", frozenset("x")) == frozenset()
    assert changed_in("x[1] <- 2", "r", frozenset("x")) == frozenset()


@pytest.mark.parametrize(
    ("text", "language", "named", "is_whole"),
    [
        ("d$age + d$size", "r", {"age", "size"}, False),
        ("d[['age']] * nrow(d)", "r", {"age"}, True),
        ("d.age + 1", "r", set(), False),
        ('d["age"].sum() + d.size.mean()', "python", {"age", "size"}, False),
        ('d.groupby("size")["age"].sum()', "python", set(), True),
        ('d["age"] + d.size()', "python", {"age"}, True),
    ],
)
def test_which_columns_of_a_table_code_names(
    text: str, language: str, named: set[str], is_whole: bool
) -> None:
    fact = Fact(kind="frame", array=None, more=("data.frame", "age", "size"))
    columns: Any = {"age": None, "size": None}
    assert _columns_in(text, Table("d", fact, columns), language) == (named, is_whole)
