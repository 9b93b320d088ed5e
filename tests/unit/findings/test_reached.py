"""How far a value that is not the author's reaches, in a chunk and below it."""

from __future__ import annotations

import msgspec
import pytest

from harness.findings.answers import judged
from harness.findings.reached import reached_names
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left

HERE, NOBODY, UNCHECKED, WRONG = Answer.HERE, Answer.NOBODY, Answer.UNCHECKED, Answer.WRONG
NO_PLOTS = "ModuleNotFoundError: No module named 'matplotlib'"


@pytest.mark.parametrize(
    ("code", "language", "reached"),
    [
        ("a = bad + 1\nb = 2\nc = a", "python", {"a", "c"}),
        ("a = bad\na = 3\nb = a", "python", set()),
        ("for n in bad:\n    total += n", "python", {"n", "total"}),
        ("x[0] = bad\ny = x", "python", {"x", "y"}),
        ("def f():\n    return bad\nz = f()", "python", {"f", "z"}),
        ("%time 1\na = bad\nb = 2", "python", {"a"}),
        ("a = bad +\nb = 2", "python", {"a", "b"}),
        ("a <- bad\nb <- 2", "r", {"a"}),
        ("x <- 1\nx$y <- bad\nx[2] <- 3\nb <- x", "r", {"x", "b"}),
        ("f <- function(n) n + bad\ng <- function(bad) bad\ny <- f(1)", "r", {"f", "y"}),
        ("if (n > 1) a <- bad else a <- 2\nbad -> k", "r", {"a", "k"}),
        ("a <- bad +\nb <- (", "r", {"a", "b"}),
        ("a = bad\nb = 2\npush!(c, a)", "julia", {"a", "c"}),
        ("f(n) = n + bad\ng(bad) = bad\ny = f(1)", "julia", {"f", "y"}),
        ("a, b = 1, bad\nfor i in 1:3\n    s += a\nend", "julia", {"a", "b", "s"}),
        ('s = "$(bad + 1)"\nt = :bad', "julia", {"s"}),
    ],
)
def test_names_that_are_computed_from_others(code: str, language: str, reached: set[str]) -> None:
    assert reached_names(code, language, {"bad"}, lambda _: False) == reached


def test_a_draw_makes_nothing_nobodys_but_what_is_computed_from_it() -> None:
    code = "x = np.random.rand(3)\ny = [1, 2, 3]\nz = max(x)"

    def said(shown: str) -> Answer:
        chunks = [chunk(0, code), chunk(1, shown, output="4\n")]
        return judged(Ran(chunks, [left(), left("3\n")])).blocks[0].answer

    assert said("max(y)") is WRONG
    assert said("int(4 * z)") is NOBODY


def test_a_cells_value_is_of_its_last_statement() -> None:
    """What a plot that was not drawn stands beside is computed without it."""
    shown = chunk(1, "y = [3, 4, 5, 7]\nplt.plot(x)\ny", output="[3, 4, 5, 6]\n")
    (block,) = shown.output
    shown = msgspec.structs.replace(shown, output=(msgspec.structs.replace(block, info="result"),))
    chunks = [chunk(0, "import matplotlib.pyplot as plt\nfig = plt.figure()"), shown]
    runs = Ran(chunks, [left(error=NO_PLOTS, line=2), left("[3, 4, 5, 7]\n")])
    assert judged(runs).blocks[0].answer is WRONG
    last = msgspec.structs.replace(shown, code="y = 3\nlist(fig)")
    runs = Ran([chunks[0], last], [left(error=NO_PLOTS, line=2), left("[3, 4, 5, 7]\n")])
    assert judged(runs).blocks[0].answer is UNCHECKED


def test_a_remark_is_no_code() -> None:
    def said(code: str) -> Answer:
        chunks = [chunk(0, f"import numpy as np\n{code}"), chunk(1, "x", output="array([300, 2])\n")]
        return judged(Ran(chunks, [left(), left("array([44, 2])\n")])).blocks[0].answer

    assert (
        said("x = np.array([300, 2])  # or dtype=np.uint8, which doesn't fit; np.random.rand() does") is WRONG
    )
    assert said("x = np.array([300, 2], dtype=np.uint8)") is HERE


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("x = np.random.rand(2, 3)", WRONG),
        ("x = np.random.rand(2, 3)\nx = x[x > 0.1]", NOBODY),
        ("x = np.zeros((np.random.randint(3), 3))", NOBODY),
    ],
)
def test_how_large_what_was_drawn_is_does_not_pass(code: str, answer: Answer) -> None:
    chunks = [chunk(0, f"import numpy as np\n{code}"), chunk(1, "x.shape", output="(3, 2)\n")]
    assert judged(Ran(chunks, [left(), left("(2, 3)\n")])).blocks[0].answer is answer
    chunks[1] = chunk(1, "x[0].round()", output="(3, 2)\n")
    assert judged(Ran(chunks, [left(), left("(2, 3)\n")])).blocks[0].answer is NOBODY


@pytest.mark.parametrize(
    ("shown", "answer"),
    [
        ("print(x.shape)", WRONG),
        ("print('size', x.size())", WRONG),
        ("y = x.view(-1)\nprint(y.shape)", WRONG),
        ("x.numel()", WRONG),
        ("print(f'size: {x.shape} on {x.device}')", WRONG),
        ("print(f'size: {x.shape} of {x}')", NOBODY),
        ("print(torch.diag(x).shape)", WRONG),
        ("print('size')\nx.requires_grad_(True)\nprint(x.requires_grad, )", NOBODY),
        ("print('size')\nx.requires_grad_(True)\nprint(x.shape)", WRONG),
        ("with torch.no_grad():\n    y = x * 2\n    print('leaf', y.is_leaf)\nprint(x.requires_grad)", WRONG),
        ("print('size')\nprint(f'it -> {x.shape}')", WRONG),
        ("print('size', x)\nprint(x.requires_grad)", NOBODY),
        ("print(x.shape)\nprint(x.max())", NOBODY),
        ("print(x.max())\nprint(x.shape)", NOBODY),
        ("y = print(x)\nprint(x.shape)", NOBODY),
        ("x.type(torch.int)", NOBODY),
    ],
)
def test_what_shows_sizes_alone_does_not_pass(shown: str, answer: Answer) -> None:
    chunks = [chunk(0, "import torch\nx = torch.rand(2, 3)"), chunk(1, shown, output="(2, 5)\n")]
    assert judged(Ran(chunks, [left(), left("(2, 3)\n")])).blocks[0].answer is answer


@pytest.mark.parametrize(
    ("shown", "answer"),
    [
        ("type(t)", Answer.HERE),
        ("t = datetime.now()\ntype(t)", Answer.HERE),
        ("len(t)", NOBODY),
        ("print(t)\ntype(t)", NOBODY),
    ],
)
def test_the_type_of_a_time_does_not_pass(shown: str, answer: Answer) -> None:
    above = "from datetime import datetime\nt = datetime.now()"
    chunks = [chunk(0, above), chunk(1, shown, output="float\n")]
    rest = [chunk(n, f"{n}", output=f"{n}\n") for n in range(2, 8)]
    runs = Ran([*chunks, *rest], [left(), left("int\n"), *(left(f"{n}\n") for n in range(2, 8))])
    assert judged(runs).blocks[0].answer is answer


def test_a_plot_of_a_value_that_was_not_drawn_does_not_change_it() -> None:
    def said(below: str) -> Answer:
        failed = left(error="NameError: name 'plt' is not defined", line=12)
        chunks = [chunk(0, "x = [3]"), chunk(1, below), chunk(2, "x", output="[8]\n")]
        return judged(Ran(chunks, [left(), failed, left("[3]\n")])).blocks[0].answer

    assert said("plt.plot(x)") is WRONG
    assert said("plot_all(x)") is UNCHECKED
