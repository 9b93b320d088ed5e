"""What is reproduced below code that failed vouches for the session in which the rest ran."""

from __future__ import annotations

import msgspec
import pytest

from harness.findings.beyond_names import beyond_names
from harness.model.article import Answer
from harness.sessions.session import CodeError
from tests.unit.findings.made_runs import Ran, answers, chunk, left


@pytest.mark.parametrize(
    ("code", "right", "answer"),
    [
        ("print(max(3, 4))", 4, Answer.WRONG),
        ("print(units(4))", 4, Answer.UNCHECKED),
        ("print(max(3, 4))", 2, Answer.UNCHECKED),
        ("print(min(3, 4))", 4, Answer.WRONG),
        ("print(nrow(cars))", 4, Answer.UNCHECKED),
        ("print(prcomp(3, scale = TRUE))", 4, Answer.HERE),
        ("print(prcomp(scale(3)))", 4, Answer.UNCHECKED),
        ("print(theirs(3, 4))", 4, Answer.UNCHECKED),
    ],
)
def test_what_is_reproduced_below_a_failure_vouches_for_the_session(
    code: str, right: int, answer: Answer
) -> None:
    """A function that is set nowhere may change what others do, and then it does wherever they are called."""
    fails = chunk(0, "name_of_the_function()", language="r")
    shown = [
        chunk(n, f"print(max(3, {n}))", language="r", output=f"[1] {n + 1}\n") for n in range(4, 4 + right)
    ]
    shown = [msgspec.structs.replace(one, index=n + 1) for n, one in enumerate(shown)]
    last = chunk(len(shown) + 1, code, language="r", output="[1] 5\n")
    error = 'could not find function "name_of_the_function"'
    printed = [left(error=error, line=1), *(left(one.output[0].text) for one in shown), left("[1] 4\n")]
    assert answers(Ran([fails, *shown, last], printed))[-1] is answer


@pytest.mark.parametrize(
    ("undone", "answer"),
    [
        ("source('a.R')", Answer.UNCHECKED),
        ("setorder(x, -a)", Answer.UNCHECKED),
        ("options(digits = foo())", Answer.UNCHECKED),
        ("y <- foo(3)", Answer.WRONG),
        ("source('a.R')\nset.seed(1)", Answer.UNCHECKED),
    ],
)
def test_what_is_of_r_alone_is_the_same_without_what_is_not_here(undone: str, answer: Answer) -> None:
    above = [chunk(0, "x <- 7", "r"), chunk(1, undone, "r")]
    shown = [chunk(n, f"print(max(3, {n}))", "r", output=f"[1] {n}\n") for n in range(4, 8)]
    shown = [msgspec.structs.replace(one, index=n + 2) for n, one in enumerate(shown)]
    last = [chunk(6, "print(min(x, 8))", "r", output="[1] 9\n")]
    results = [left(), left(error='could not find function "foo"', line=12)]
    results += [*(left(one.output[0].text) for one in shown), left("[1] 7\n")]
    assert answers(Ran([*above, *shown, *last], results))[-1] is answer
    # What is set below all that failed is of the document alone.
    anew = [msgspec.structs.replace(last[0], code="x <- 7\nprint(min(x, 8))")]
    found = answers(Ran([*above, *shown, *anew], results))[-1]
    assert (found is Answer.WRONG) is ("options" not in undone)


@pytest.mark.parametrize(
    ("below", "answer"),
    [
        ("x <- rnorm(3)", Answer.UNCHECKED),
        ("set.seed(2)\nx <- rnorm(3)", Answer.WRONG),
        ("x <- rnorm(3)\nset.seed(2)", Answer.UNCHECKED),
        ("f <- function(n) {\n  set.seed(2)\n  rnorm(n)\n}\nx <- f(3)", Answer.WRONG),
        ("f <- function(n, s) {\n  if (s) set.seed(2)\n  rnorm(n)\n}\nx <- f(3, 0)", Answer.UNCHECKED),
        ("set.seed(NULL)\nx <- rnorm(3)", Answer.UNCHECKED),
    ],
)
@pytest.mark.parametrize("apart", [False, True])
def test_a_seed_below_a_failure_brings_the_stream_back(below: str, answer: Answer, *, apart: bool) -> None:
    text, printed = "[1] -1.23753 -0.22426  0.37739\n", "[1] -0.69095 -1.28459  0.04672\n"
    chunks = [chunk(0, "set.seed(1)", "r"), chunk(1, "y <- 3 5 + rnorm(2)", "r")]
    codes = [below, "x"] if apart else [f"{below}\nx"]
    chunks += [chunk(n, code, "r") for n, code in enumerate(codes, 2)]
    chunks[-1] = chunk(len(chunks) - 1, codes[-1], "r", output=text)
    first = len(chunks)
    chunks += [chunk(n, f"{n} + 1", "r", output=f"[1] {n + 1}\n") for n in range(first, first + 12)]
    results = [left(), left(error="unexpected numeric constant", line=12)]
    results += [*map(left, [""] * (len(codes) - 1)), left(printed)]
    results += [left(f"[1] {n + 1}\n") for n in range(first, first + 12)]
    assert answers(Ran(chunks, results))[0] is answer


def test_where_the_code_runs_is_no_reason_for_other_numbers() -> None:
    assert not beyond_names("setwd('D:/lecture')", "r")
    assert not beyond_names("os.chdir('D:/lecture')", "python")
    assert beyond_names("source('a.R')", "r") == {"session"}


def test_a_template_among_much_that_is_reproduced_hides_nothing() -> None:
    template = chunk(0, "f(a, b, ...", language="r")
    shown = [chunk(n, f"print({n} + 1)", language="r", output=f"[1] {n + 1}\n") for n in range(1, 13)]
    last = chunk(13, "print(40 + 5)", language="r", output="[1] 72\n")
    error = CodeError(message="a.md:1:11: unexpected end of input", kind="syntax", line=1)
    ends = msgspec.structs.replace(left(), error=error)
    printed = [ends, *(left(one.output[0].text) for one in shown), left("[1] 45\n")]
    assert answers(Ran([template, *shown, last], printed))[-1] is Answer.WRONG
    few = [template, *shown[:6], msgspec.structs.replace(last, index=7)]
    assert answers(Ran(few, [ends, *printed[1:7], left("[1] 45\n")]))[-1] is not Answer.WRONG


@pytest.mark.parametrize(("made", "answer"), [("data", Answer.UNCHECKED), ("5", Answer.WRONG)])
def test_what_is_written_to_a_view_is_written_to_what_it_is_a_view_of(made: str, answer: Answer) -> None:
    chunks = [
        chunk(0, "import numpy as np\ndata = np.arange(4)"),
        chunk(1, f"x = np.reshape(a={made}, newshape=(1, 4))"),
        chunk(2, "x[0, 1] = -100"),
        chunk(3, "print(data)", output="[0 -100 2 3]\n"),
        *(chunk(n, f"print({n} + 1)", output=f"{n + 1}\n") for n in range(4, 20)),
    ]
    fails = "TypeError: reshape() got some positional-only arguments passed as keyword arguments: 'a'"
    printed = [left(), left(error=fails, line=1), left(error="NameError: name 'x' is not defined", line=1)]
    printed += [left("[0 1 2 3]\n"), *(left(f"{n + 1}\n") for n in range(4, 20))]
    assert answers(Ran(chunks, printed))[0] is answer


@pytest.mark.parametrize(
    ("condition", "answer"), [("x > 5", Answer.WRONG), ("x > 5 || !file.exists(f)", Answer.HERE)]
)
def test_code_that_ends_by_its_own_words_leaves_what_its_author_had(condition: str, answer: Answer) -> None:
    code = f'x <- 7\nif ({condition}) stop("values need to be < 5")\nx <- 8'
    chunks = [
        chunk(0, code, "r"),
        chunk(1, "print(x)", "r", output="[1] 9\n"),
        *(chunk(n, f"print({n} + 1)", "r", output=f"[1] {n + 1}\n") for n in range(2, 20)),
    ]
    printed = [left(error="values need to be < 5", line=3), left("[1] 7\n")]
    printed += [left(f"[1] {n + 1}\n") for n in range(2, 20)]
    assert answers(Ran(chunks, printed))[0] is answer


@pytest.mark.parametrize(
    ("shown", "published", "printed", "answer"),
    [
        ("sort(x)", "[1]  6  9 10 11\n", "[1]  6  7 10 11\n", Answer.HERE),
        ("x", "[1]  6  9 10 11\n", "[1]  6  7 10 11\n", Answer.HERE),
        ("x", "[1]  6  9 10 11 4 5 8\n", "[1]  6  7 10 11 4 5 8\n", Answer.WRONG),
    ],
)
def test_one_number_of_a_small_sample_is_another_by_chance(
    shown: str, published: str, printed: str, answer: Answer
) -> None:
    chunks = [
        chunk(0, "set.seed(1)\nx <- sample(1:12)", "r"),
        chunk(1, f"print({shown})", "r", output=published),
        *(chunk(n, f"print({n} + 1)", "r", output=f"[1] {n + 1}\n") for n in range(2, 20)),
    ]
    results = [left(), left(printed), *(left(f"[1] {n + 1}\n") for n in range(2, 20))]
    assert answers(Ran(chunks, results))[0] is answer


@pytest.mark.parametrize(
    ("below", "answer"),
    [
        ("x = np.random.rand()", Answer.UNCHECKED),
        ("np.random.seed(2)\nx = np.random.rand()", Answer.WRONG),
        ("x = np.random.rand()\nnp.random.seed(2)", Answer.UNCHECKED),
        ("np.random.seed()\nx = np.random.rand()", Answer.UNCHECKED),
        ("if y:\n    np.random.seed(2)\nx = np.random.rand()", Answer.UNCHECKED),
        # Another stream has a seed of its own.
        ("np.random.seed(2)\nx = np.random.rand() * random.random()", Answer.UNCHECKED),
    ],
)
def test_a_seed_of_numpy_below_a_failure_brings_its_stream_back(below: str, answer: Answer) -> None:
    chunks = [
        chunk(0, "import random\nimport numpy as np\nnp.random.seed(1)\ny = 3"),
        chunk(1, "z = np.ones(2, 3)\nz = np.random.rand()"),
        chunk(2, below),
        chunk(3, "print(x)", output="0.417022005\n"),
    ]
    chunks += [chunk(n, f"print({n} + 1)", output=f"{n + 1}\n") for n in range(4, 12)]
    results = [
        left(),
        left(error="Cannot interpret '3' as a data type", line=1),
        left(),
        left("0.435994902\n"),
    ]
    results += [left(one.output[0].text) for one in chunks[4:]]
    assert answers(Ran(chunks, results))[0] is answer
