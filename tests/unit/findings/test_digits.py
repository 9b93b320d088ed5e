"""Digits that no computation gives: those behind a slip that stay as they were, and those of no double."""

from __future__ import annotations

import pytest

from harness.findings.answers import judged
from harness.findings.digits import are_of_no_double, is_slipped
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left


@pytest.mark.parametrize(
    ("published", "printed", "slipped"),
    [
        ("0.75260688", "0.25260688", True),
        ("3.14159265358979328346264", "3.14159265358979323846264", True),
        ("3.14159265358979328346", "3.14159265358979323899", False),
        ("12.34567", "1.234567", False),
        ("1.234567", "12.34567", False),
        ("175000", "157000", False),
        ("0.12", "0.21", False),
    ],
)
def test_the_digits_behind_a_slip_are_as_they_were(published: str, printed: str, slipped: bool) -> None:
    assert is_slipped(published, printed) is slipped


@pytest.mark.parametrize(
    ("published", "printed", "changed"),
    [
        ("0.30000000000000010", "0.30000000000000004", False),  # the next double
        ("0.30000000000000003", "0.30000000000000004", True),
        ("3.1415929203539824", "3.1415929203539825", True),
        ("0.019999999999999927", "0.019999999999999928", True),
        ("2.2999999999999998", "2.3", False),  # as Python printed it before 2.7
        ("3.142857142857142", "3.142857142857143", False),
        ("21.5443823618588", "21.5443823618587", False),  # 15 digits are always of some double
        ("3.14159265358979323846", "3.14159265358979323847", False),  # more digits than a double has
        ("0.1000000000000000", "0.1", False),
    ],
)
def test_most_numbers_of_17_digits_are_of_no_double(published: str, printed: str, changed: bool) -> None:
    assert are_of_no_double([(published, printed)], "print(x)") is changed
    assert not are_of_no_double([(published, printed)], "from decimal import Decimal\nprint(Decimal(x))")


def test_a_number_of_no_double_is_no_last_digit_of_another_machine() -> None:
    chunks = [
        chunk(0, "import numpy as np\nprint(np.log(3) / 3)", executable=True, output="0.3662040962227033\n")
    ]
    results = [left("0.3662040962227032\n")]
    for n in range(1, 9):
        chunks.append(chunk(n, f"print({n})", executable=True, output=f"{n}\n"))
        results.append(left(f"{n}\n"))
    assert judged(Ran(chunks, results)).blocks[0].answer is Answer.HERE
    chunks[0] = chunk(0, chunks[0].code, executable=True, output="0.36620409622270313\n")
    assert judged(Ran(chunks, results)).blocks[0].answer is Answer.WRONG
