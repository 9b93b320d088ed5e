"""A proof overrules only reasons that do not explain what it is a proof of."""

from __future__ import annotations

import msgspec
import pytest

from harness.findings.answers import judged
from harness.findings.reasons import Proof, Reason, overruled
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left

R, PYTHON = "r", "python"
ONE_LINE = "[1] 3\n"


def mistyped(published: str, printed: str, code: str, language: str) -> Answer:
    """What is said of an output with a slip of the hand, below another of another version of the language."""
    chunks = [
        chunk(0, "2 + 1", language, executable=True, output=ONE_LINE),
        chunk(1, code, language, executable=True, output=published),
    ]
    runs = Ran(chunks, [left(ONE_LINE), left(printed)])
    runs.document = msgspec.structs.replace(runs.document, written_for={R: "3.4.3", PYTHON: "2.7.3"})
    return judged(runs).blocks[1].answer


@pytest.mark.parametrize(
    ("published", "printed", "code", "language"),
    [
        ('[1] "testsevrer"\n', '[1] "testserver"\n', 'Sys.info()[["nodename"]]', R),
        ("testsevrer\n", "testserver\n", "import platform\nprint(platform.node())", PYTHON),
        ("13249\n", "13294\n", "print(sys.getsizeof(x) * 2)", PYTHON),
        ("1234\n", "1334\n", "print(len(u'caf\u00e9' * n))", PYTHON),
    ],
)
def test_a_slip_of_the_hand_leaves_what_the_machine_or_a_known_version_decides(
    published: str, printed: str, code: str, language: str
) -> None:
    assert mistyped(published, printed, code, language) is not Answer.WRONG
    plain = "library(dplyr)\nnrow(d)" if language == R else "import pandas\nprint(frame.size)"
    assert mistyped(published, printed, plain, language) is Answer.WRONG


def test_no_proof_overrules_the_machine_the_session_or_rounding() -> None:
    for proof in Proof:
        assert not overruled([proof]) & {Reason.MACHINE, Reason.SESSION, Reason.DIGITS}


def test_what_is_proven_by_several_observations_is_overruled_by_each() -> None:
    assert overruled([]) == frozenset()
    assert overruled([Proof.ELSEWHERE, Proof.DENIED]) == {
        Reason.FORM, Reason.DRAWN, Reason.VERSION, Reason.GROUND
    }  # fmt: skip
