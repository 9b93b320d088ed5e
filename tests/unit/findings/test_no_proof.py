"""Innocent documents: listings of other sessions, code that did not run, cells without numbers, Python 2."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import pytest

from harness.documents.model import Chunk, Document
from harness.findings.answers import judged
from harness.findings.context import context_of
from harness.findings.judging_state import JudgingState
from harness.findings.no_proof import undone_above
from harness.model.article import Answer
from harness.sessions.session import Evaluated
from tests.unit.findings.made_runs import Ran, chunk, left

WRONG, HERE, UNTOLD = Answer.WRONG, Answer.HERE, Answer.UNCHECKED


def last(
    chunks: list[Chunk],
    results: list[Evaluated],
    kind: Literal["markdown", "notebook"] = "markdown",
    **given: Any,
) -> tuple[Answer, str]:
    block = judged(Ran(chunks, results, kind=kind, **given)).blocks[-1]
    return block.answer, block.why


@pytest.mark.parametrize(("published", "answer"), [("2 3\n4 7\n", UNTOLD), ("2 3\n6 7\n8 9\n", WRONG)])
def test_no_order_of_cells_prints_all_rows_but_one_within(published: str, answer: Answer) -> None:
    codes = ["x = [3]", "x.append(9)", "for y in x:\n    print(y - 1, y)"]
    chunks = [chunk(n, "print(1 + 1)", cell=n + 1, output="2\n") for n in range(12)]
    chunks += [chunk(n, code, cell=n + 1) for n, code in enumerate(codes, 12)]
    chunks[-1] = msgspec.structs.replace(chunks[-1], output=chunk(14, "", output=published).output)
    printed = "2 3\n4 5\n6 7\n8 9\n"

    def alone(document: Document) -> Ran:
        texts = ("2\n" if part.code.startswith("print(1") else "" for part in document.chunks[:-1])
        return Ran(list(document.chunks), [*map(left, texts), left(printed)], kind="notebook")

    results = [*[left("2\n")] * 12, left(), left(), left(printed)]
    assert last(chunks, results, "notebook", alone=alone)[0] is answer


@pytest.mark.parametrize(("counted", "answer"), [(True, WRONG), (False, UNTOLD)])
def test_cells_without_numbers_may_have_run_in_any_order(counted: bool, answer: Answer) -> None:
    codes = ["x = []", "x.append(4)", "len(x)"]
    chunks = [
        chunk(n, code, cell=n + 1, execution_count=n + 1 if counted else None) for n, code in enumerate(codes)
    ]
    chunks[2] = msgspec.structs.replace(chunks[2], output=chunk(2, "", output="2\n").output)
    said, why = last(chunks, [left(), left(), left("1\n")], "notebook")
    assert said is answer
    assert counted or why == "the cells have no numbers: in which order they were run is not known"


def test_a_slip_in_one_place_needs_no_numbers() -> None:
    chunks = [chunk(0, "x = []", cell=1), chunk(1, "x.append(4)", cell=2)]
    chunks.append(chunk(2, "[1, 2, 3, 4, len(x)]", cell=3, output="[1, 2, 7, 4, 1]\n"))
    assert last(chunks, [left(), left(), left("[1, 2, 3, 4, 1]\n")], "notebook")[0] is WRONG


@pytest.mark.parametrize(("anew", "answer"), [("x = [5]", WRONG), ("y = [5]", UNTOLD)])
def test_a_failure_leaves_what_is_set_anew_below_it_as_it_is(anew: str, answer: Answer) -> None:
    chunks = [chunk(0, "x = [3]"), chunk(1, "change(x)"), chunk(2, anew), chunk(3, "len(x)", output="2\n")]
    for n in range(4, 30):
        chunks.append(chunk(n, f"{n}", output=f"{n}\n"))
    printed = [left(), left(error="ValueError: no", line=12), left(), left("1\n")]
    said = judged(Ran(chunks, [*printed, *(left(f"{n}\n") for n in range(4, 30))]))
    assert said.blocks[0].answer is answer


@pytest.mark.parametrize(
    ("failing", "answer"),
    [("change(x)", UNTOLD), ("change(y)", WRONG), ("print(x, z)", WRONG), ("z", WRONG)],
)
def test_a_failure_may_leave_a_value_as_it_was(failing: str, answer: Answer) -> None:
    chunks = [chunk(0, "x = [3]\ny = 2"), chunk(1, failing), chunk(2, "len(x)", output="2\n")]
    for n in range(3, 30):
        chunks.append(chunk(n, f"{n}", output=f"{n}\n"))
    printed = [left(), left(error="ValueError: no", line=12), left("1\n")]
    said = judged(Ran(chunks, [*printed, *(left(f"{n}\n") for n in range(3, 30))]))
    assert said.blocks[0].answer is answer


@pytest.mark.parametrize(
    ("diff", "answer"),
    [
        ("-def f(x):\n+def f(x, y=1):\n", UNTOLD),
        ("-def g(x):\n+def g(x, y):\n", WRONG),
        ("+other = 5\n", WRONG),
    ],
)
def test_what_a_diff_changes_is_not_run(diff: str, answer: Answer) -> None:
    chunks = [
        chunk(0, "def f(x):\n    return x"),
        chunk(1, diff, "diff", supported=False),
        chunk(2, "f(3)", output="4\n"),
    ]
    assert last(chunks, [left(), left(), left("3\n")])[0] is answer


@pytest.mark.parametrize(
    ("code", "published", "printed", "stated", "answer"),
    [
        ("7 / 2", "3\n", "3.5\n", "", HERE),
        ("7 / 2", "3\n", "3.5\n", "3.8", HERE),
        ("7 / 2", "4\n", "3.5\n", "", WRONG),
        ("round(4.5)", "5.0\n", "4\n", "3.8", HERE),
        ("round(4.5)", "6.0\n", "4\n", "3.8", WRONG),
        ("7 * 0.5", "3\n", "3.5\n", "", WRONG),
        ("22 / 7", "3.142857\n", "3.142857142857143\n", "", Answer.REPRODUCED),
        ("pi()", "3.1415\n", "3.141592653589793\n", "", HERE),
        ("pi()", "3.1417\n", "3.141592653589793\n", "", WRONG),
        ("1.2 + 2.4", "3.5\n", "3.5999999999999996\n", "", WRONG),
    ],
)
def test_divisions_of_python_2_and_digits_that_are_cut(
    code: str, published: str, printed: str, stated: str, answer: Answer
) -> None:
    runs = Ran([chunk(0, code, output=published)], [left(printed)])
    if stated:
        runs.document = msgspec.structs.replace(runs.document, written_for={"python": stated})
    assert judged(runs).blocks[0].answer is answer


def test_cells_that_stand_in_another_order_are_not_swapped() -> None:
    def answers(*counts: int) -> list[Answer]:
        chunks = [
            chunk(n, f"f({n})", cell=n + 1, execution_count=count, output=f"{1123 - n}\n")
            for n, count in enumerate(counts)
        ]
        runs = Ran(chunks, [left("1122\n"), left("1123\n")], kind="notebook")
        runs.__dict__["by_numbers"] = None
        return [block.answer for block in judged(runs).blocks]

    assert answers(1, 2) == [WRONG, WRONG]


def test_two_ways_to_swap_two_names_are_no_swapped_outputs() -> None:
    def answers(again: str) -> list[Answer]:
        chunks = [
            chunk(0, "a, b = 1, 2"),
            chunk(1, "a, b = b, a"),
            chunk(2, again),
            chunk(3, "a", output="2\n"),
            chunk(4, "b", output="1\n"),
        ]
        return [
            block.answer for block in judged(Ran(chunks, [left()] * 3 + [left("1\n"), left("2\n")])).blocks
        ]

    said = judged(
        Ran(
            [chunk(0, "a, b = 1, 2"), chunk(1, "a", output="2\n"), chunk(2, "b", output="1\n")],
            [left(), left("1\n"), left("2\n")],
        )
    )
    assert ["are swapped" in finding.evidence for finding in said.findings] == [True]
    assert all("swapped" not in str(answer) for answer in answers("c = a; a = b; b = c"))


TABLE, LENGTH = "array([[2, 9, 8],\n       [4, 7, 1]])\n", "17.549928774784245\n"


@pytest.mark.parametrize(
    ("codes", "answer"),
    [
        (("a", "np.linalg.norm(a)"), WRONG),
        (("print(a)", "(b)"), HERE),
        (("a", "np.linalg.norm(a[::-1])"), HERE),
    ],
)
def test_no_order_of_the_cells_exchanges_a_table_and_a_number_that_other_code_computes(
    codes: tuple[str, str], answer: Answer
) -> None:
    chunks = [
        chunk(0, "a = 1; b = 2", cell=1, execution_count=9),
        chunk(1, codes[0], cell=2, execution_count=3, output=LENGTH),
        chunk(2, codes[1], cell=3, execution_count=2, output=TABLE),
    ]
    assert last(chunks, [left(), left(TABLE), left(LENGTH)], "notebook")[0] is answer


@pytest.mark.parametrize(
    ("code", "texts", "answer"),
    [
        ("np.linalg.norm(a)", (LENGTH, TABLE), WRONG),
        ("a", (LENGTH, TABLE), UNTOLD),
        ("np.linalg.norm(a)", ("14\n", "[1]\n"), UNTOLD),
        ("np.linalg.norm(a)", ("True\n", TABLE), UNTOLD),
    ],
)
def test_what_failed_above_does_not_exchange_two_computations(
    code: str, texts: tuple[str, str], answer: Answer
) -> None:
    chunks = [
        chunk(0, "import absent\na = absent.table()\nb = absent.table()"),
        chunk(1, "b", output=texts[0]),
        chunk(2, code, output=texts[1]),
    ]
    failed = left(error="ModuleNotFoundError: No module named 'absent'", line=1)
    assert last(chunks, [failed, left(texts[1]), left(texts[0])])[0] is answer


@pytest.mark.parametrize(
    ("published", "answer"),
    [
        ("3.7416573867729413", WRONG),
        ("3.7416573867742413", WRONG),  # no double is printed so
        ("3.7416573867739431", HERE),
        ("3.7416573867739422", HERE),
        ("3.741657386774241", HERE),
    ],
)
def test_rounding_changes_all_digits_behind_the_first_that_it_changes(published: str, answer: Answer) -> None:
    chunks = [chunk(0, "v = [1, 2, 3]"), chunk(1, "sum(x * x for x in v) ** 0.5", output=published)]
    assert last(chunks, [left(), left("3.7416573867739413\n")])[0] is answer


@pytest.mark.parametrize(
    ("published", "answer"), [("9070978072634", WRONG), ("9071978072635", HERE), ("9070878072631", HERE)]
)
def test_no_lost_cell_changes_one_digit_of_a_long_number(published: str, answer: Answer) -> None:
    chunks = [
        chunk(0, "n = 3", cell=1, execution_count=1),
        chunk(1, "n * 3023626024211", cell=2, execution_count=5, output=f"{published}\n"),
    ]
    assert last(chunks, [left(), left("9070878072634\n")], "notebook")[0] is answer


@pytest.mark.parametrize(
    ("published", "answer"),
    [
        ("mean of all: 2.5\ntype of each: float", WRONG),
        ("mean of all: 3.5\ntypes are: float", UNTOLD),
        ("2.5 float", UNTOLD),
    ],
)
def test_the_words_of_an_output_tell_that_it_is_one(published: str, answer: Answer) -> None:
    """What stands behind code without a mark may be anything: its words in their places show what it is."""
    code = "print('mean of all:', 3.5)\nprint('type of each:', 'float')"
    chunks = [msgspec.structs.replace(chunk(0, code), output=chunk(0, "", output=published).output)]
    chunks[0] = msgspec.structs.replace(
        chunks[0], output=(msgspec.structs.replace(chunks[0].output[0], certain=False),)
    )
    for n in range(1, 30):
        chunks.append(chunk(n, f"print({n})", output=f"{n}\n"))
    results = [left("mean of all: 3.5\ntype of each: float\n"), *(left(f"{n}\n") for n in range(1, 30))]
    assert judged(Ran(chunks, results)).blocks[0].answer is answer


@pytest.mark.parametrize(("shown", "answer"), [("[n * x for n in range(8)]", WRONG), ("0 * x", UNTOLD)])
def test_what_is_computed_below_a_failure_shows_that_it_changed_nothing(shown: str, answer: Answer) -> None:
    chunks = [chunk(0, "x = 3"), chunk(1, "change(x)"), chunk(2, "x + 4", output="8\n")]
    value = str(eval(shown, {"x": 3}))
    chunks.append(chunk(3, shown, output=f"{value}\n"))
    results = [left(), left(error="ValueError: no", line=12), left("7\n"), left(f"{value}\n")]
    for n in range(4, 30):
        chunks.append(chunk(n, f"{n}", output=f"{n}\n"))
        results.append(left(f"{n}\n"))
    assert judged(Ran(chunks, results)).blocks[0].answer is answer


@pytest.mark.parametrize(
    ("failing", "told"),
    [("ggplot(x)", ""), ("names(x)[1] <- 'a'", "x"), ("x[, n := 1]", "x"), ("plot(x)", "")],
)
def test_a_call_of_r_changes_no_value_that_it_is_given(failing: str, told: str) -> None:
    chunks = [
        chunk(0, "x <- c(3, 4)", "r"),
        chunk(1, failing, "r"),
        chunk(2, "mean(x)", "r", output="[1] 4\n"),
    ]
    runs = Ran(chunks, [left(), left(error="no such function", line=12), left("[1] 3.5\n")])
    state = JudgingState(runs=runs, context=context_of(runs, {}), verdicts={})
    assert bool(undone_above(state, chunks[2], 0)) is bool(told)
