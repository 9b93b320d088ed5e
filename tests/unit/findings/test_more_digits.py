"""Numbers of R that no rounding of the computed ones gives, and one that is shorter than all others."""

from __future__ import annotations

import pytest

from harness.documents.model import Document
from harness.findings.answers import judged
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left

WRONG, RIGHT, HERE = Answer.WRONG, Answer.REPRODUCED, Answer.HERE


def answer(
    code: str, published: str, printed: str, computed: str = "", *, rest: str = "[1] 17.146875\n"
) -> Answer | None:
    """What is said of an output of R, where asking once more gives more digits, beside others."""
    chunks = [chunk(0, code, "r", output=published)]
    chunks += [chunk(n, f"mean(v[[{n}]])", "r", output=rest) for n in range(1, 7)]
    results = [left(printed), *[left(rest)] * 6]

    def alone(document: Document) -> Ran:
        more = "options(digits" in document.chunks[0].code
        assert not more or "round(" not in document.chunks[0].code
        shown = left(computed if more else printed)
        return Ran(list(document.chunks), [shown, *[left()] * (len(document.chunks) - 1)], alone=alone)

    return judged(Ran(chunks, results, alone=alone)).blocks[0].answer


@pytest.mark.parametrize(
    ("published", "computed", "said"),
    [
        ("[1] 7.25  1.13\n", "[1] 7.244939271255 1.125\n", WRONG),
        ("[1] 7.24  1.13\n", "[1] 7.244939271255 1.125\n", RIGHT),
        ("[1] 7.25  1.13\n", "[1] 7.245060999999 1.125\n", RIGHT),
        ("[1] 7.25  1.13\n", "[1] 8.300000000000 1.125\n", RIGHT),
    ],
)
def test_what_lies_halfway_as_printed_is_asked_for_with_more_digits(
    published: str, computed: str, said: Answer
) -> None:
    assert answer("mean(x)", published, "[1] 7.245 1.125\n", computed) is said


@pytest.mark.parametrize(
    ("computed", "said"), [("[1] 0.0770998717435418\n", WRONG), ("[1] 0.0775\n", HERE), ("[1] 0.31\n", HERE)]
)
def test_a_number_is_rounded_falsely_that_is_not_near_a_half(computed: str, said: Answer) -> None:
    code = "s <- sqrt(1 / 3)\nround(2 * exp(-s), 3)"
    assert answer(code, "[1] 0.078\n", "[1] 0.077\n", computed) is said


@pytest.mark.parametrize(
    ("code", "published", "rest", "said"),
    [
        ("mean(x)", "[1] 24.38\n", "[1] 17.146875\n", WRONG),
        ("mean(x)", "[1] 24.38\n", "[1] 17.15\n", RIGHT),
        ("summary(x)", "[1] 24.38\n", "[1] 17.146875\n", RIGHT),
        ("print(x, digits = 4)", "[1] 24.38\n", "[1] 17.146875\n", RIGHT),
    ],
)
def test_one_number_alone_is_shorter_than_all_others(
    code: str, published: str, rest: str, said: Answer
) -> None:
    assert answer(code, published, "[1] 24.3751\n", rest=rest) is said


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("shapiro.test(x)", RIGHT),  # to four decimals before R 3.2
        ("tested", RIGHT),
        ('cat("W =", w, ", p-value =", p)', WRONG),
    ],
)
def test_what_a_method_names_has_the_digits_of_its_version(code: str, said: Answer) -> None:
    printed = "W = 0.99366, p-value = 0.7149\n"
    assert answer(code, printed.replace("0.99366", "0.9937"), printed) is said


def test_several_that_are_shorter_are_an_option_s() -> None:
    chunks = [chunk(n, "mean(x)", "r", output="[1] 24.38\n") for n in range(2)]
    chunks += [chunk(n, "mean(x)", "r", output="[1] 17.146875\n") for n in range(2, 9)]
    results = [*[left("[1] 24.3751\n")] * 2, *[left("[1] 17.146875\n")] * 7]
    assert {block.answer for block in judged(Ran(chunks, results)).blocks} == {RIGHT}


@pytest.mark.parametrize(("published", "said"), [("206.1678", WRONG), ("206.1698", RIGHT)])
def test_digits_that_tibbles_do_not_show_any_more_are_asked_for(published: str, said: Answer) -> None:
    printed = "  interval  mean\n     <int> <dbl>\n1      835  206.\n"
    computed = "  interval            mean\n     <int>           <dbl>\n1      835 206.16981132075\n"
    assert answer("tops", printed.replace("206.", published), printed, computed) is said


def test_a_column_has_no_number_shorter_than_the_others() -> None:
    printed = "        a        b\nx 8.904534 1.298624\n"
    rest = "        a        b\nx 4.441099 1.558348\n"
    short = printed.replace("8.904534", "8.90453")
    assert answer("summary(fit)$coef", short, printed, rest=rest) is WRONG
    assert answer("summary(fit)", short, printed, rest=rest) is HERE


@pytest.mark.parametrize(
    ("computed", "said"), [("2.491461879231035\n", WRONG), ("2.45\n", HERE), ("3.1\n", HERE)]
)
def test_python_rounds_no_number_that_is_not_near_a_half(computed: str, said: Answer) -> None:
    code = "from math import exp\nround(exp(0.9126), 1)"
    chunks = [
        chunk(0, code, output="2.4\n"),
        *(chunk(n, f"{n} + 1", output=f"{n + 1}\n") for n in range(1, 7)),
    ]
    results = [left("2.5\n"), *(left(f"{n + 1}\n") for n in range(1, 7))]

    def alone(document: Document) -> Ran:
        shown = left(computed if "lambda" in document.chunks[0].code else "2.5\n")
        return Ran(list(document.chunks), [shown, *[left()] * (len(document.chunks) - 1)], alone=alone)

    assert judged(Ran(chunks, results, alone=alone)).blocks[0].answer is said
