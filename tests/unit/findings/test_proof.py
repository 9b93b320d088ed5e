"""An accusation that was held back is decided by a run of the statements that its output needs alone."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from harness.documents.model import Chunk, Document, OutputBlock
from harness.findings.answers import Judged, judged
from harness.findings.closures import closure_of
from harness.findings.runs import DocumentRuns
from harness.model.article import Answer
from harness.sessions.session import CodeError
from tests.unit.findings.made_runs import Ran, chunk, executed, left

RIGHT, WRONG, HERE, UNTOLD = Answer.REPRODUCED, Answer.WRONG, Answer.HERE, Answer.UNCHECKED
NO_PACKAGE = "there is no package called ‘foo’"
LACKS = {"r": NO_PACKAGE, "julia": "ArgumentError: Package foo not found in current path", "python": ""}


def said_of(
    above: str,
    shown: str,
    published: str,
    printed: str,
    *,
    language: str = "r",
    right: int = 3,
    here: int = 0,
    fails: str = NO_PACKAGE,
    alone: str | None = None,
) -> tuple[Judged, list[Document]]:
    """What is said where code above failed, of an output in its third chunk; and what was run alone.

    ``right`` others are reproduced, of ``here`` others a version is the reason; ``alone`` is what the
    statements print by themselves.
    """
    chunks = [chunk(0, above, language), chunk(1, f"{shown}\n", language, output=published)]
    results = [left(error=fails, line=2) if fails else left(), left(printed)]
    for n in range(right):
        chunks.append(chunk(len(chunks), f"{n} + 1", language, output=f"{n + 1}\n"))
        results.append(left(f"{n + 1}\n"))
    for _ in range(here):
        chunks.append(chunk(len(chunks), "str(q)", language, output=" num 1\n"))
        results.append(left(" int 1\n"))
    run: list[Document] = []

    def by_itself(document: Document) -> DocumentRuns | None:
        if len(document.chunks) != len(chunks):
            return None  # other code, tried one after the other
        run.append(document)
        texts = [printed if alone is None else alone if n == 1 else "" for n in range(len(chunks))]
        return Ran(list(document.chunks), [left(text if n == 1 else "") for n, text in enumerate(texts)])

    return judged(Ran(chunks, results, alone=by_itself)), run


OPTIONS = "library(foo)\noptions(foo())"
LONG = "c(3, 4.5, 6.25, 8, 10)"


@pytest.mark.parametrize(
    ("published", "answer"),
    [("[1]  3.00  4.50  6.35  8.00 10.00\n", WRONG), ("[1] 15.20 71.13  6.01  3.33 18.70\n", UNTOLD)],
)
def test_a_missing_package_is_no_reason_for_a_slip_in_what_does_not_need_it(
    published: str, answer: Answer
) -> None:
    """Where options that are not set may be the reason, all numbers would be others."""
    said, run = said_of(OPTIONS, f"w <- {LONG}\nw", published, "[1]  3.00  4.50  6.25  8.00 10.00\n")
    assert said.blocks[0].answer is answer
    assert len(run) == (answer is WRONG)
    if answer is WRONG:
        (finding,) = [finding for finding in said.findings if finding.answer is WRONG]
        assert "run alone" in finding.evidence
        assert finding.smallest == f"w <- {LONG}\nw"


def test_a_missing_package_exchanges_no_truth_values() -> None:
    published, printed = "\n TRUE FALSE \n    1     2 \n", "\nFALSE  TRUE \n    1     2 \n"
    said, _ = said_of(OPTIONS, "table(c(2, 3, 3) > 2)", published, printed, right=8)
    assert said.blocks[0].answer is WRONG


def test_what_stands_alone_has_nothing_but_the_statements_that_are_needed() -> None:
    above = "x <- 1\ny <- foo(x)\noptions(digits = y)"
    _, (document,) = said_of(
        above,
        f"k <- 2\nw <- {LONG}\nw",
        "[1]  3.00  4.50  6.35  8.00 10.00\n",
        "[1]  3.00  4.50  6.25  8.00 10.00\n",
        fails='could not find function "foo"',
    )
    assert [part.code.strip() for part in document.chunks] == ["", f"k <- 2\nw <- {LONG}\nw", "", "", ""]


@pytest.mark.parametrize(
    "above",
    [
        "w <- foo(w)",
        "w$a <- foo(1)",
        "names(w) <- foo(2)",
        "foo(w) -> w",
        "assign('w', foo(2))",
        "w[[2]] <<- foo()",
    ],
)
def test_code_that_failed_and_may_set_what_is_shown_is_a_reason(above: str) -> None:
    said, run = said_of(
        above,
        "w",
        "[1]  3.00  4.50  6.35  8.00 10.00\n",
        "[1]  3.00  4.50  6.25  8.00 10.00\n",
        fails='could not find function "foo"',
    )
    assert said.blocks[0].answer is UNTOLD
    assert not run


@pytest.mark.parametrize(
    ("failed", "answer"), [("1 + delta", WRONG), ("w + delta", UNTOLD), ("delta @ w", UNTOLD)]
)
def test_an_operator_of_a_value_that_is_missing_may_change_the_other(failed: str, answer: Answer) -> None:
    chunks = [
        chunk(0, "w = [3, 4.5]"),
        chunk(1, failed),
        chunk(2, "w", output="[3, 4.6]\n"),
        *(chunk(n, f"{n} + 1", output=f"{n + 1}\n") for n in range(3, 9)),
    ]
    lost = left(error="name 'delta' is not defined", line=11)
    runs = [left(), lost, left("[3, 4.5]\n"), *(left(f"{n + 1}\n") for n in range(3, 9))]
    assert judged(Ran(chunks, runs)).blocks[0].answer is answer


def test_statements_that_give_something_else_alone_prove_nothing() -> None:
    said, run = said_of(
        OPTIONS,
        f"w <- {LONG}\nw",
        "[1]  3.00  4.50  6.35  8.00 10.00\n",
        "[1]  3.00  4.50  6.25  8.00 10.00\n",
        alone="[1]  3.00  4.50  6.20  8.00 10.00\n",
    )
    assert said.blocks[0].answer is UNTOLD
    assert len(run) == 1


@pytest.mark.parametrize(("right", "here", "answer"), [(5, 5, WRONG), (4, 6, UNTOLD)])
def test_half_of_the_document_has_to_be_reproduced(right: int, here: int, answer: Answer) -> None:
    said, _ = said_of(
        "k <- 1",
        f"w <- {LONG}\nw",
        "[1]  3.00  4.50  6.35  8.00 10.00\n",
        "[1]  3.00  4.50  6.25  8.00 10.00\n",
        right=right,
        here=here,
        fails="",
    )
    assert said.blocks[0].answer is answer


def needed(code: list[str], language: str, last: int | None = None) -> str:
    chunks: list[Chunk] = [chunk(n, text, language) for n, text in enumerate(code)]
    shown = chunk(len(code) - 1, code[-1], language, output="1\n")
    chunks[-1] = shown
    document = msgspec.structs.replace(Ran(chunks, [left()] * len(chunks)).document)
    closure = closure_of(executed(document, [left()] * len(chunks)), shown, 0)
    assert closure is not None
    return closure.text


@pytest.mark.parametrize(
    ("language", "code", "text"),
    [
        ("r", ["a <- 1\nb <- 2", "a <- 3\nf <- function() a + k\nk <- 4", "f()"],
         "a <- 1\na <- 3\nf <- function() a + k\nk <- 4\nf()"),
        ("r", ["x <- 1\nx$y <- 2\nz <- 3", "x"], "x <- 1\nx$y <- 2\nx"),
        ("r", ["x <- 1", "x <- 2", "x"], "x <- 2\nx"),
        ("r", ["print.m <- function(x) 1", "y <- 2", "y"], "print.m <- function(x) 1\ny <- 2\ny"),
        ("r", ["set.seed(1)\nb <- 2", "u <- runif(2)", "x <- rnorm(3)", "x"],
         "set.seed(1)\nu <- runif(2)\nx <- rnorm(3)\nx"),
        ("r", ["set.seed(1)\nk <- 2\nb <- 2", "u <- runif(k)", "k <- 3", "rnorm(k)"],
         "set.seed(1)\nk <- 2\nu <- runif(k)\nk <- 3\nrnorm(k)"),
        ("python", ["r = np.random.RandomState(1)\nb = 2", "u = r.normal(0, 1)", "v = r.normal(0, 1)", "v"],
         "r = np.random.RandomState(1)\nu = r.normal(0, 1)\nv = r.normal(0, 1)\nv"),
        ("julia", ["a = [1]\nb = 2", "push!(a, 3)", "sum(a)"], "a = [1]\npush!(a, 3)\nsum(a)"),
        ("julia", ["f(x) = 1", "f(x::Int) = k", "k = 2", "g(x) = 3", "f(1)"],
         "f(x) = 1\nf(x::Int) = k\nk = 2\nf(1)"),
        ("python", ["a = []\nb = 2", "a.append(3)", "def f():\n    return len(a)", "f()"],
         "a = []\na.append(3)\ndef f():\n    return len(a)\nf()"),
        ("python", ["f = iter([1, 2, 3])\nb = 2", "next(f)", "print(next(f))"],
         "f = iter([1, 2, 3])\nnext(f)\nprint(next(f))"),
        ("python", ["a = 1", "# nothing but a remark", "a"], "a = 1\na"),
    ],
)  # fmt: skip
def test_the_statements_that_an_output_needs(language: str, code: list[str], text: str) -> None:
    assert needed(code, language) == text


@pytest.mark.parametrize(("unread", "stands"), [("print y, 1", True), ("print x\nx = 3", False)])
def test_code_of_python_2_that_is_not_read_sets_no_statement_of_it(unread: str, stands: bool) -> None:
    chunks = [chunk(0, "x = 2"), chunk(1, unread), chunk(2, "print(x)", output="1\n")]
    runs = Ran(chunks, [left(), left(error="SyntaxError: Missing parentheses", line=1), left("2\n")])
    assert (closure_of(runs.published, chunks[2], 0) is not None) is stands


@pytest.mark.parametrize(("uses", "answer"), [("mtcars", WRONG), ("women", HERE)])
def test_what_cannot_be_read_changes_nothing_that_right_outputs_show(uses: str, answer: Answer) -> None:
    """A listing that is shown to be mended by the reader was never run."""
    printed = "         mpg cyl\nFiat    33.9   4\nLotus   15.0   8\nFerrari 19.7   6\nFord    15.8   8\n"
    rows = printed.splitlines(keepends=True)
    published = "".join([*rows[:2], rows[3], rows[2], rows[4]])
    chunks = [chunk(0, "mtcars[mtcars$cyl = 4, ]", "r"), chunk(1, "mtcars[1:4, ]", "r", output=published)]
    results = [left(error="unexpected '='", line=2), left(printed)]
    for n in range(2, 9):
        chunks.append(chunk(n, f"nrow({uses}) + {n}", "r", output=f"[1] {n + 32}\n"))
        results.append(left(f"[1] {n + 32}\n"))

    def by_itself(document: Document) -> DocumentRuns:
        return Ran(list(document.chunks), [left(), left(printed), *(left() for _ in results[2:])])

    assert judged(Ran(chunks, results, alone=by_itself)).blocks[0].answer is answer


@pytest.mark.parametrize(
    ("code", "lines"),
    [("v <- c(1, 2)\nd <- rev(v)\nd", {1: {1, 2, 3}}), ("d <- rev(d)\nd", None), ("d[1] <- 2\nd", None)],
)
def test_what_a_chunk_sets_itself_needs_nothing_that_did_not_run_above(
    code: str, lines: dict[int, set[int]] | None
) -> None:
    chunks = [chunk(0, "d <- foo(v)", "r"), chunk(1, code, "r", output="[1] 2 1\n")]
    execution = executed(Document(path=Path("a.md"), kind="markdown", title="A", chunks=tuple(chunks)),
                         [left(error="object 'v' not found", line=2), left("[1] 2 1\n")])  # fmt: skip
    found = closure_of(execution, chunks[1], 0)
    assert (found.lines if found is not None else None) == lines


@pytest.mark.parametrize(("shown", "stands"), [("ValueError: no", True), ("KeyError: no", False)])
def test_an_error_that_is_shown_undoes_what_the_author_had_undone(shown: str, stands: bool) -> None:
    error = OutputBlock(line=1, text=shown, info="error", ename=shown.partition(":")[0], evalue="no")
    failing = msgspec.structs.replace(chunk(1, "f(x)\nx = 3"), output=(error,))
    chunks = [chunk(0, "x = 2"), failing, chunk(2, "print(x)", output="1\n")]
    raised = CodeError(message="ValueError: no", kind="ValueError", line=1)
    ended = msgspec.structs.replace(left(), error=raised)
    runs = Ran(chunks, [left(), ended, left("2\n")])
    assert (closure_of(runs.published, chunks[2], 0) is not None) is stands


@pytest.mark.parametrize(("beside", "accused"), [("2 * 3", 3), ("v[1] - 4", 0)])
def test_data_from_which_nothing_right_comes_are_one_mistake(beside: str, accused: int) -> None:
    """Where something right comes from them, three outputs have three reasons, and those are too many."""
    chunks = [chunk(0, OPTIONS, "r"), chunk(1, "v <- c(10, 250, 3, 7)\nlength(v)", "r", output="[1] 3\n")]
    chunks += [
        chunk(2, "min(v)", "r", output="[1] 2\n"),
        chunk(3, "sort(v)", "r", output="[1]   3  10 250\n"),
    ]
    chunks += [chunk(n, beside, "r", output="[1] 6\n") for n in range(4, 8)]
    printed = ["", "[1] 4\n", "[1] 3\n", "[1]   3   7  10 250\n", *["[1] 6\n"] * 4]

    def by_itself(document: Document) -> DocumentRuns | None:
        if len(document.chunks) != len(chunks):
            return None
        return Ran(list(document.chunks), [left(text) for text in printed])

    results = [left(error=NO_PACKAGE, line=2), *map(left, printed[1:])]
    said = judged(Ran(chunks, results, alone=by_itself))
    assert [block.answer for block in said.blocks].count(WRONG) == accused
    assert sum(finding.answer is WRONG for finding in said.findings) == (1 if accused else 0)


def test_what_says_how_values_are_shown_belongs_to_all_that_show_them() -> None:
    code = (
        "struct A\n  x::Int\nend\nimport Base.show\nfunction show(io::IO, a::A)\n  print(io, a.x)\nend\nq = 3"
    )
    chunks = [chunk(0, code, "julia"), chunk(1, "A(2)", "julia", output="2\n")]
    execution = executed(
        Document(path=Path("a.md"), kind="markdown", title="A", chunks=tuple(chunks)), [left(), left("2\n")]
    )
    found = closure_of(execution, chunks[1], 0)
    assert (found.lines if found is not None else None) == {0: set(range(1, 8)), 1: {1}}


@pytest.mark.parametrize(("last", "accused"), [("x + 0", 3), ("4 + 0", 0)])
def test_what_is_set_and_shown_is_of_one_reason_with_what_is_computed_from_it(
    last: str, accused: int
) -> None:
    """Three outputs that have three reasons are too many."""
    chunks = [chunk(0, OPTIONS, "r"), chunk(1, "(x <- 2 + 2)", "r", output="[1] 3\n")]
    chunks += [chunk(2, last, "r", output="[1] 3\n"), chunk(3, "5 + 2", "r", output="[1] 6\n")]
    chunks += [chunk(n, "2 * 3", "r", output="[1] 6\n") for n in range(4, 8)]
    printed = ["", "[1] 4\n", "[1] 4\n", "[1] 7\n", *["[1] 6\n"] * 4]

    def by_itself(document: Document) -> DocumentRuns | None:
        if len(document.chunks) != len(chunks):
            return None
        return Ran(list(document.chunks), [left(text) for text in printed])

    results = [left(error=NO_PACKAGE, line=2), *map(left, printed[1:])]
    said = judged(Ran(chunks, results, alone=by_itself))
    assert [block.answer for block in said.blocks].count(WRONG) == accused


@pytest.mark.parametrize(
    ("beside", "stands"),
    [
        ("Warning message:\n  longer object length is not a multiple of v", True),
        ("Warning message: v <- 3 of", False),
        ("Warning in f(v) : of", False),
    ],
)
def test_a_message_that_stands_between_lines_of_r_sets_nothing(beside: str, stands: bool) -> None:
    chunks = [chunk(0, "v <- 2", "r"), chunk(1, beside, "r"), chunk(2, "v + 1", "r", output="[1] 4\n")]
    failed = left(error="unexpected symbol", line=1)
    runs = Ran(chunks, [left(), failed, left("[1] 3\n")])
    assert (closure_of(runs.published, chunks[2], 0) is not None) is stands


@pytest.mark.parametrize(
    ("above", "known"),
    [
        ("x = view(w)\nx[0] = 9", False),
        ("x = view(w)\ny = x.T\ny[0] += 9", False),
        ("x = view(w)\nx = 9", True),
        ("x = view(v)\nx[0] = 9", True),
        ("x = view(w)\nprint(x[0])", True),
    ],
)
def test_what_failed_may_change_what_is_shown_through_a_view_of_it(above: str, known: bool) -> None:
    chunks = [chunk(0, "w = [3, 4]\nv = [5]"), chunk(1, above), chunk(2, "w", output="[3, 9]\n")]
    lost = left(error="name 'view' is not defined", line=1)
    runs = Ran(chunks, [left(), lost, left("[3, 4]\n")])
    assert (closure_of(runs.published, chunks[2], 0) is not None) is known
