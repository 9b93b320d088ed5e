"""Nobody is accused by a document that gives no ground for it, whatever a single difference looks like."""

from __future__ import annotations

from typing import Literal

import msgspec
import pytest

from harness.documents.model import Document
from harness.findings.answers import Judged, judged
from harness.findings.firm_ground import NOT_TOLD, Rest, rest_of
from harness.findings.judging_context import Context
from harness.findings.judging_state import JudgingState
from harness.findings.too_many import are_too_many
from harness.model.article import Answer, BlockKind, BlockVerdict, Severity
from tests.unit.findings.made_runs import Ran, chunk, left

RIGHT, WRONG, HERE, UNTOLD = Answer.REPRODUCED, Answer.WRONG, Answer.HERE, Answer.UNCHECKED


def judged_first(
    published: str, printed: str, *, code: str = "n", right: int = 0, off: int = 0, unread: int = 0
) -> Judged:
    """What is said of a document's first output, beside others that are right, of a version, or no code."""
    chunks = [chunk(0, code, output=published)]
    results = [left(printed)]
    for _ in range(right):
        chunks.append(chunk(len(chunks), f"{len(chunks)} + 1", output=f"{len(chunks) + 1}\n"))
        results.append(left(f"{len(chunks)}\n"))
    for _ in range(off):
        chunks.append(chunk(len(chunks), "n.__doc__", output="Help on integers\n"))
        results.append(left("Another text stands here\n"))
    for _ in range(unread):
        chunks.append(chunk(len(chunks), "for n in y:"))
        results.append(left(error="IndentationError: expected an indented block", line=2))
    said = judged(Ran(chunks, results))
    assert [block.answer for block in said.blocks[1:]] == [RIGHT] * right + [HERE] * off
    return said


@pytest.mark.parametrize(
    ("right", "off", "answer"), [(0, 0, WRONG), (9, 3, WRONG), (9, 4, UNTOLD), (2, 1, UNTOLD), (0, 1, UNTOLD)]
)
def test_a_slip_accuses_where_most_of_the_document_is_reproduced(
    right: int, off: int, answer: Answer
) -> None:
    said = judged_first("4467\n", "4468\n", right=right, off=off)
    assert said.blocks[0].answer is answer
    if answer is UNTOLD:
        (finding,) = [finding for finding in said.findings if "4467" in finding.evidence]
        assert finding.severity is Severity.NOTE
        assert NOT_TOLD in finding.evidence
        assert f"of {right + off} other outputs only {right} are reproduced" in finding.evidence


@pytest.mark.parametrize(
    ("right", "off", "unread", "answer"),
    [(0, 0, 0, WRONG), (18, 2, 0, WRONG), (17, 2, 0, UNTOLD), (3, 0, 1, UNTOLD), (19, 0, 1, WRONG)],
)
def test_any_other_value_accuses_only_where_nearly_all_is_reproduced_and_read(
    right: int, off: int, unread: int, answer: Answer
) -> None:
    said = judged_first("44671.15\n", "0\n", right=right, off=off, unread=unread)
    assert said.blocks[0].answer is answer


@pytest.mark.parametrize(("fails", "answer"), [(False, WRONG), (True, UNTOLD)])
def test_two_values_computed_from_the_same_code_accuse_together_where_all_code_runs(
    fails: bool, answer: Answer
) -> None:
    chunks = [
        chunk(0, "w = 1\nprint(w)", output="44671.15\n"),
        chunk(1, "print(w + 1)", output="44672.15\n"),
    ]
    results = [left("0\n"), left("1\n")]
    if fails:
        chunks.append(chunk(2, "n = [][1]"))
        results.append(left(error="IndexError: list index out of range"))
    said = judged(Ran(chunks, results))
    assert [block.answer for block in said.blocks] == [answer, answer]


def test_values_of_a_package_accuse_by_a_slip_alone() -> None:
    code = "import pandas as pd\npd.Series([1]).sum()"
    assert judged_first("16\n", "17\n", code=code, right=30).blocks[0].answer is not WRONG


def test_two_numbers_in_each_others_place_are_a_slip_in_a_shape_and_not_in_a_dict() -> None:
    for published, printed, answer in (
        ("(3, 4)\n", "(4, 3)\n", WRONG),
        ("{'s': 40, 't': 42}\n", "{'s': 42, 't': 40}\n", UNTOLD),
    ):
        assert judged_first(published, printed, right=10, off=2).blocks[0].answer is answer


def test_a_failure_accuses_where_nearly_all_else_is_right() -> None:
    def first(off: int) -> Answer:
        chunks = [
            chunk(0, "y = [1][3]\nprint(y)", executable=True, output="3\n"),
            chunk(1, "print(y)", executable=True, output="3\n"),
        ]
        results = [left(error="IndexError: list index out of range", line=2), left()]
        for n in range(off):
            chunks.append(chunk(2 + n, "n.__doc__", output="Help on integers\n"))
            results.append(left("Another text stands here\n"))
        return next(f.answer for f in judged(Ran(chunks, results)).findings if "IndexError" in f.evidence)

    assert (first(0), first(1)) == (WRONG, UNTOLD)


def test_what_is_swapped_needs_a_document_that_is_sound() -> None:
    def both(off: int) -> list[Answer]:
        chunks = [chunk(0, "a", output="apples\n"), chunk(1, "b", output="oranges\n")]
        results = [left("oranges\n"), left("apples\n")]
        for n in range(off):
            chunks.append(chunk(2 + n, "n.__doc__", output="Help on integers\n"))
            results.append(left("Another text stands here\n"))
        return [block.answer for block in judged(Ran(chunks, results)).blocks[:2]]

    assert both(0) == [WRONG, WRONG]
    assert both(3) == [UNTOLD, UNTOLD]


@pytest.mark.parametrize(("values", "right", "answer"), [(14, 3, WRONG), (9, 3, UNTOLD), (14, 1, UNTOLD)])
def test_many_values_of_which_one_is_another_show_that_they_were_read_rightly(
    values: int, right: int, answer: Answer
) -> None:
    printed = " ".join(f"{n}{n + 1}.5" for n in range(1, values + 1))
    said = judged_first(printed.replace("23.5", "28.5"), printed, right=right, off=7)
    assert said.blocks[0].answer is answer


def test_one_value_that_is_another_wherever_it_is_shown_is_one_mistake() -> None:
    row = "42 0 36 24 74 12 18\n"
    chunks = [chunk(0, "x = [42, 0, 36, 24, 74, 12, 18]")]
    chunks += [chunk(n, "print(*x)", output=row.replace("74", "73")) for n in range(1, 6)]
    said = judged(Ran(chunks, [left(), *[left(row)] * 5]))
    assert [block.answer for block in said.blocks] == [WRONG] * 5
    assert len([finding for finding in said.findings if finding.answer is WRONG]) == 1


def test_a_share_of_nothing_is_whole() -> None:
    assert Rest(0, 0, 0).share() == 1.0
    assert Rest(3, 1, 4).share() == 0.75
    assert Rest(3, 1, 4).share(unread=True) == 0.375


def test_how_many_accusations_are_too_many() -> None:
    assert [are_too_many(*given) for given in ((2, 0), (3, 0), (3, 29), (3, 30), (4, 30))] == [
        False, True, True, False, True,
    ]  # fmt: skip


@pytest.mark.parametrize(("seed", "answer"), [("np.random.seed(3)", WRONG), ("n = 3", UNTOLD)])
def test_all_that_is_computed_from_what_one_seed_gives_is_one_mistake(seed: str, answer: Answer) -> None:
    values = (151, 87, 233, 94)
    chunks = [chunk(0, f"import numpy as np\n{seed}")]
    for n, value in enumerate(values, 1):
        drawn = "np.random.randint(300)" if answer is WRONG else "np.size(300)"
        chunks.append(
            chunk(n, f"a{n} = {drawn}\nprint('the value', a{n}, {n})", output=f"the value {value} {n}\n")
        )
    printed = [left(f"the value {value + 33} {n}\n") for n, value in enumerate(values, 1)]
    for n in range(5, 12):
        chunks.append(chunk(n, f"{n} + 1", output=f"{n + 1}\n"))
    said = judged(Ran(chunks, [left(), *printed, *(left(f"{n + 1}\n") for n in range(5, 12))]))
    assert [block.answer for block in said.blocks] == [answer] * 4 + [RIGHT] * 7


@pytest.mark.parametrize(
    ("cell", "code", "answer"), [(3, "7 + 6", WRONG), (0, "7 + 6", UNTOLD), (3, "n + 6", UNTOLD)]
)
def test_a_cell_that_needs_no_other_is_read_rightly(cell: int, code: str, answer: Answer) -> None:
    chunks = [chunk(0, "n = 7", cell=1), chunk(1, code, cell=cell, output="16\n")]
    results = [left(), left("13\n")]
    for _ in range(7):
        chunks.append(chunk(len(chunks), "1 + 1", output="2\n"))
        results.append(left("2\n"))
    for _ in range(4):
        chunks.append(chunk(len(chunks), "n.__doc__", output="Help on integers\n"))
        results.append(left("Another text stands here\n"))

    def alone(document: Document) -> Ran | None:
        printed = [left(), left("13\n"), *([left()] * 11)]
        return Ran(list(document.chunks), printed) if len(document.chunks) == len(printed) else None

    assert judged(Ran(chunks, results, alone=alone)).blocks[0].answer is answer


@pytest.mark.parametrize(
    ("right", "off", "answer"), [(9, 4, WRONG), (1, 3, WRONG), (1, 4, UNTOLD), (0, 1, UNTOLD)]
)
def test_what_was_typed_falsely_needs_a_quarter(right: int, off: int, answer: Answer) -> None:
    assert judged_first("4467\n", "4476\n", right=right, off=off).blocks[0].answer is answer


@pytest.mark.parametrize(("right", "off", "answer"), [(6, 4, WRONG), (2, 8, UNTOLD)])
def test_one_digit_inside_of_a_long_number_shows_that_it_was_read(
    right: int, off: int, answer: Answer
) -> None:
    said = judged_first("3.141592623589793\n", "3.141592653589793\n", right=right, off=off)
    assert said.blocks[0].answer is answer


def test_what_differs_in_an_address_or_in_an_order_says_nothing_of_the_reading() -> None:
    chunks = [chunk(0, "len(x)", output="4\n"), chunk(1, "f", output="<function f at 0x7f36e4c39598>\n")]
    chunks.append(chunk(2, "{'a', 'b'}", output="{'b', 'a'} f\n"))
    results = [left("3\n"), left("<function f at 0x7f36e4c00000>\n"), left("{'a', 'b'} f\n")]
    assert judged(Ran(chunks, results)).blocks[0].answer is WRONG
    for said, printed in (("0.30000000000000004", "0.29999999999999998"), ("'f'", "f")):
        chunks[1], results[1] = chunk(1, "f", output=f"{said}\n"), left(f"{printed}\n")
        assert judged(Ran(chunks, results)).blocks[0].answer is WRONG
    chunks[1] = chunk(1, "f.__doc__", output="Help on f\n")
    results[1] = left("Another text\n")
    assert judged(Ran(chunks, results)).blocks[0].answer is UNTOLD


@pytest.mark.parametrize(
    ("unread", "error", "kind", "answer"),
    [
        ("name = # your code", "SyntaxError: invalid syntax", "notebook", WRONG),
        ("name = # your code", "SyntaxError: invalid syntax", "markdown", WRONG),
        ("+    # addition", "SyntaxError: invalid syntax", "markdown", WRONG),
        ("n = # your code", "SyntaxError: invalid syntax", "notebook", UNTOLD),
        ("n = # your code", "SyntaxError: invalid syntax", "markdown", UNTOLD),
        ("for x in y:", "IndentationError: expected an indented block", "notebook", WRONG),
        ("for x in y:", "IndentationError: expected an indented block", "markdown", UNTOLD),
    ],
)
def test_a_listing_that_cannot_be_read_counts_where_it_may_be_the_reason(
    unread: str, error: str, kind: Literal["markdown", "notebook"], answer: Answer
) -> None:
    chunks = [chunk(0, unread), chunk(1, "n = [3, 4, 5, 6]"), chunk(2, "len(n)", output="7\n")]
    said = judged(Ran(chunks, [left(error=error, line=1), left(), left("4\n")], kind=kind))
    assert said.blocks[0].answer is answer


def test_a_listing_below_or_right_above_that_cannot_be_read() -> None:
    unread, error = "name = # your code", left(error="SyntaxError: invalid syntax", line=1)
    one, other = chunk(1, unread), chunk(2, unread)
    shown = [chunk(n, "len('four')", output="7\n") for n in (1, 2)]
    first = chunk(0, "n = 3")
    below = judged(Ran([first, shown[0], other], [left(), left("4\n"), error]))
    above = judged(Ran([first, one, shown[1]], [left(), error, left("4\n")]))
    assert [said.blocks[0].answer for said in (below, above)] == [WRONG, UNTOLD]


@pytest.mark.parametrize(
    ("shown", "printed", "published", "answer"),
    [
        ("(1, 2)", "(1, 2)\n", "(2, 1)\n", WRONG),
        ("(1, 2)  # and no set(s)", "(1, 2)\n", "(2, 1)\n", WRONG),
        ("tuple(s)", "(1, 2)\n", "(2, 1)\n", HERE),
        ("[25, 2, 5]", "[25, 2, 5]\n", "[25, 97, 5]\n", WRONG),
        ("[25, b, 5]", "[25, 2, 5]\n", "[25, 97, 5]\n", HERE),
    ],
)
def test_sets_and_small_numbers_in_a_listing_matter_to_what_is_computed_from_them(
    shown: str, printed: str, published: str, answer: Answer
) -> None:
    chunks = [chunk(0, "n = 3\ns = {1, 2}\nb = np.int8(2)"), chunk(1, f"n\n{shown}", output=published)]
    said = judged(Ran(chunks, [left(), left(printed)]))
    assert said.blocks[0].answer is answer


@pytest.mark.parametrize(("seed", "answer"), [("set.seed(1)\nsample(1:9)", WRONG), ("dim(x)", UNTOLD)])
def test_what_a_seed_gives_elsewhere_says_nothing_of_how_a_document_was_read(
    seed: str, answer: Answer
) -> None:
    chunks = [chunk(0, "x <- c(7.1, 5.6)", "r"), chunk(1, "sort(c(x, 3))", "r", output="[1] 3.0 7.1 5.6\n")]
    results = [left(), left("[1] 3.0 5.6 7.1\n")]
    for n in range(2, 5):
        chunks.append(chunk(n, f"{n} + 1", "r", output=f"[1] {n + 1}\n"))
        results.append(left(f"[1] {n + 1}\n"))
    for n in range(5, 10):
        chunks.append(chunk(n, seed, "r", output="[1] 3 4 1 2 5 6 7 8 9\n"))
        results.append(left("[1] 9 4 1 5 2 7 6 8 3\n"))
    assert judged(Ran(chunks, results)).blocks[0].answer is answer


@pytest.mark.parametrize(
    ("why", "printed", "otherwise"),
    [
        (
            "it fails here, in Julia 1.5.3, and the document names 0.6: UndefVarError: readall not defined",
            "",
            0,
        ),
        ("it fails here, in Julia 1.5.3: UndefVarError: readall not defined", "", 1),
        ("another version may print it otherwise", "b  3\na  2\n", 0),
        ("it shows something of the machine, of its versions or of their sizes in memory", "b  4\n", 0),
        ("how many methods a function has depends on what is loaded", "b  4\n", 0),
        ("another version may print it otherwise", "b  4\na  2\n", 1),
    ],
)
def test_what_only_a_version_makes_otherwise_says_nothing_of_how_a_document_was_read(
    why: str, printed: str, otherwise: int
) -> None:
    chunks = [chunk(0, "1 + 1", output="2\n"), chunk(1, "t", output="a  2\nb  3\n")]
    runs = Ran(chunks, [left("2\n"), left(printed)])
    state = JudgingState(runs=runs, context=Context(tuple(chunks), {}, {}, {}, {}))
    kind = BlockKind.DIFFERS if printed else BlockKind.NOT_REPRODUCIBLE
    state.verdicts = {
        (0, 0): BlockVerdict(kind=BlockKind.REPRODUCED),
        (1, 0): BlockVerdict(kind=kind),
    }
    rest = rest_of(state, {(0, 0): (RIGHT, ""), (1, 0): (HERE, why)}, "python")
    assert (rest.reproduced, rest.otherwise) == (1, otherwise)


@pytest.mark.parametrize(
    ("first", "between", "answer"),
    [("runif(1)", "1 + 1", UNTOLD), ("2 + 2", "1 + 1", WRONG), ("runif(1)", "set.seed(1)", WRONG)],
)
def test_who_also_draws_without_a_seed_may_have_typed_more_between_two_transcripts(
    first: str, between: str, answer: Answer
) -> None:
    codes = (first, "set.seed(1)", "runif(1)", between, "x <- rnorm(2)", "x")
    outputs = ("[1] 0.69745\n", "", "[1] 0.26551\n", "", "", "[1] -0.08716  1.24702\n")
    lines = (1, 2, 3, 20, 21, 22)
    chunks = [
        msgspec.structs.replace(
            chunk(index, code, "r", output, prompts=True), line=line, end_line=line, code_line=line
        )
        for index, (code, output, line) in enumerate(zip(codes, outputs, lines, strict=True))
    ]
    printed = (*outputs[:5], "[1] -1.82639  0.32951\n")
    said = judged(Ran(chunks, [left(text) for text in printed]))
    assert said.blocks[-1].answer is answer


@pytest.mark.parametrize(
    ("option", "seeded", "answer"),
    [
        ("opts_chunk$set(cache.extra = rand_seed)", "", UNTOLD),
        ("opts_chunk$set(fig.width = 7, cache = TRUE)", "", UNTOLD),
        ("opts_chunk$set(cache = FALSE)", "", WRONG),
        ("1", "", WRONG),
        ("opts_chunk$set(cache = TRUE)", "set.seed(2); ", WRONG),
    ],
)
def test_what_knitr_keeps_it_does_not_draw_again(option: str, seeded: str, answer: Answer) -> None:
    """Only what is drawn where its seed is set is sure to be drawn anew."""
    codes = (f"{option}\nset.seed(1)", "3 + 4", "5 + 5", "6 + 6", f"{seeded}x <- rnorm(2)", "x")
    outputs = ("", "[1] 7\n", "[1] 10\n", "[1] 12\n", "", "[1] -0.08716  1.24702\n")
    chunks = [
        chunk(index, code, "r", text) for index, (code, text) in enumerate(zip(codes, outputs, strict=True))
    ]
    printed = (*outputs[:5], "[1] -1.82639  0.32951\n")
    said = judged(Ran(chunks, [left(text) for text in printed]))
    assert said.blocks[-1].answer is answer
