"""Numbers in prose that are worth a look."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from harness.documents.model import Chunk, Document
from harness.documents.prose_model import Paragraph
from harness.findings.prose_signs import Reading, is_candidate
from harness.findings.prose_suspects import prose_suspects
from harness.model.article import Finding, Kind, Severity
from tests.unit.findings.made_runs import chunk

_SAMPLE = [chunk(0, "mean(x)\nvar(x)", "r", output="mean of x 5.005\nvariance of x 0.6213")]


def _document(*texts: str, chunks: list[Chunk] | None = None, cell: int = 0) -> Document:
    prose = tuple(
        Paragraph(line=20 + place, text=text, after=0, cell=cell) for place, text in enumerate(texts)
    )
    return Document(
        path=Path("a.md"), kind="markdown", title="A", chunks=tuple(chunks or _SAMPLE), prose=prose
    )


def _signs(*texts: str, chunks: list[Chunk] | None = None) -> dict[str, float]:
    """The signs of the first number of the first text that does not stand beside it."""
    reading = Reading(_document(*texts, chunks=chunks))
    first = next(one for one in reading.places[0].stated if is_candidate(one, reading.places[0]))
    return reading.signs(reading.places[0], first)[0]


def test_a_number_with_two_digits_turned_is_worth_a_look() -> None:
    (suspect,) = prose_suspects(_document("First.\nThe mean of x is 5.050, and the variance 0.621."))
    assert (suspect.place, suspect.number) == ("line 21", "5.050")
    assert suspect.sentence == "The mean of x is 5.050, and the variance 0.621."
    assert suspect.why == "the code beside it and its output have no 5.050, but 5.005"
    assert suspect.score > 4


@pytest.mark.parametrize(
    "said", ["5.005", "5.01", "5.00", "5.0", "5", "0.6213", "0.621", "62.13%", "62 percent", "0.62"]
)
def test_a_printed_number_rounded_cut_or_in_hundredths_is_not(said: str) -> None:
    assert prose_suspects(_document(f"We see that it is {said} of x.")) == ()


def test_a_number_of_a_notebook_stands_in_its_cell() -> None:
    (suspect,) = prose_suspects(_document("The mean of x is\n5.050.", cell=7))
    assert (suspect.place, suspect.line) == ("cell 7", 20)


def test_a_comment_is_held_to_its_own_code_and_the_output_above() -> None:
    chunks = [
        chunk(0, "predict(fit)", "r", output="       1\n75.01405"),
        chunk(1, "# The height is circa 57\nplot(fit)", "r"),
    ]
    (suspect,) = prose_suspects(_document(chunks=chunks))
    assert (suspect.place, suspect.number) == ("line 12", "57")
    right = msgspec.structs.replace(chunks[1], code="# The height is circa 75\nplot(fit)")
    assert prose_suspects(_document(chunks=[chunks[0], right])) == ()
    assert (
        prose_suspects(_document(chunks=[chunks[0], msgspec.structs.replace(chunks[1], code="# x <- 57")]))
        == ()
    )


def test_what_is_counted_beside_a_text_is_told() -> None:
    chunks = [chunk(0, "\n".join(f"f{letter}(x)" for letter in "abcdefghi"), output="ok")]
    (suspect,) = prose_suspects(_document("Eight lines of code, as promised.", chunks=chunks))
    assert suspect.why == "the code beside it and its output have no Eight, but 9 of something"
    assert prose_suspects(_document("Nine lines of code.", chunks=chunks)) == ()


def test_what_is_said_of_it_already_is_not_said_again() -> None:
    finding = Finding(
        document="a.md", line=20, language="r", chunk=0, kind=Kind.PROSE, severity=Severity.WRONG,
        evidence="the text says 5.050, and the code prints 5.005", consequence="",
    )  # fmt: skip
    document = _document("The mean of x is 5.050.")
    assert prose_suspects(document, [finding]) == ()
    assert prose_suspects(document, [msgspec.structs.replace(finding, line=40)])
    notebook = _document("The mean of x is 5.050.", cell=7)
    for where in ("cell 7", "cell 7 (In [3]), line 2", "cell 7, line 2"):
        assert prose_suspects(notebook, [msgspec.structs.replace(finding, where=where)]) == ()
    assert prose_suspects(notebook, [msgspec.structs.replace(finding, where="cell 70")])
    assert prose_suspects(document, [msgspec.structs.replace(finding, kind=Kind.LABEL)])


def test_at_most_three_are_shown_and_the_most_suspicious_first() -> None:
    texts = (
        "Something of it is 6.213.", "The variance of x is 0.6231.", "The mean of x is 5.050.", "So 6 it is.",
        "And mean is 5.050 of x, variance 0.6231 of x.",
    )  # fmt: skip
    assert len(prose_suspects(_document(*texts))) <= 3
    scores = [one.score for one in prose_suspects(_document(*texts[:4]))]
    assert len(scores) > 1
    assert scores == sorted(scores, reverse=True)


def test_a_document_without_outputs_has_none() -> None:
    assert prose_suspects(_document("A mean of 5.05.", chunks=[chunk(0, "mean(x) # 5.005")])) == ()


@pytest.mark.parametrize(
    ("sign", "with_it", "without"),
    [
        ("like", ("it is 5.006 here",), ("it is 7.918 here",)),
        ("turned", ("it is 0.6231 here",), ("it is 0.6813 here",)),
        ("next", ("it is 0.6214 here",), ("it is 0.6813 here",)),
        ("line", ("variance of x is 0.6231",), ("Something is 0.6231",)),
        ("line", ("variance of x is 0.6231",), ("The variance is so. But 0.6231",)),
        ("companions", ("of 5.005 and 7.918",), ("of 6.006 and 7.918",)),
        ("companions", ("of 5.005 and 7.918",), ("of 5.005. And 7.918",)),
        ("again", ("it is 7.918 here", "and 7.918 there"), ("it is 7.918 here", "and 7.928 there")),
        ("small", ("of 3 here",), ("of 33 here",)),
        ("small like", ("of 4 here",), ("of 8 here",)),
        ("small again", ("of 3 here", "and 3 there"), ("of 3 here", "and 4 there")),
    ],
)
def test_each_sign_is_there_where_its_words_are(
    sign: str, with_it: tuple[str, ...], without: tuple[str, ...]
) -> None:
    assert _signs(*with_it)[sign] > _signs(*without).get(sign, 0.0)


def test_numbers_elsewhere_in_the_document_are_told_apart() -> None:
    chunks = [*_SAMPLE, chunk(1, "f()", "r", output="1"), chunk(2, "g()", "r", output="7.918")]
    prose = tuple(
        Paragraph(line=9, text=text, after=after)
        for text, after in (("It is 7.918.", 0), ("So.", 1), ("And.", 2))
    )
    document = msgspec.structs.replace(_document(chunks=chunks), prose=prose)
    reading = Reading(document)
    (one,) = reading.places[0].stated
    assert reading.signs(reading.places[0], one)[0]["anywhere"] == 1.0
    assert _signs("It is 7.918.")["anywhere"] == 0.0


def test_where_most_numbers_of_a_text_are_there_one_that_is_not_says_more() -> None:
    many = ("of 7.918 here", "5.005 it is", "and 0.621", "so 5.01")
    assert _signs(*many)["rate"] > _signs(many[0], "8.321 it is", "and 9.432", "so 2.876")["rate"]
    few = ("It is 4 here, and 8.", "and 7, 9, 3")
    assert _signs(*few)["small like rate"] < _signs("It is 4 here.", "5 and 5", "5, 5, 5")["small like rate"]


def test_no_number_with_a_zero_in_front_is_meant() -> None:
    chunks = [chunk(0, "f()", output="7")]
    assert _signs("It is 70 here.", chunks=chunks)["like"] == 0.0
    assert _signs("It is 0.70 here.", chunks=[chunk(0, "f()", output="0.07")])["turned"] == 1.0


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("`[2, 2, 0, 5, 3, 5, 4, 7]`", True),
        ("(2, 2, 0, 5, 8, 5, 7, 4)", True),
        ("`[2, 2, 0, 5, 3, 5, 7, 4]`", False),
        ("`[0, 5, 3, 5]`", False),
        ("`[0, 5, 3]`, `[0, 5, 4]`", False),
        ("`[7, 8, 9, 5]`", False),
        ("`f[2, 2, 0, 5, 3, 5, 4, 7]`", False),
        ("`[0, 1, 0, 0]`", False),
    ],
)
def test_a_list_that_the_document_has_with_another_number_is_worth_a_look(said: str, found: bool) -> None:
    chunks = [chunk(0, "M = [2, 2, 0, 5, 3, 5, 7, 4]\n[0, 1, 0, 1]\nf(M)", output="done")]
    suspects = prose_suspects(_document(f"Here M = {said}.", chunks=chunks))
    assert [one.number for one in suspects if "," in one.number] == [said.strip("`[]()")] * found
    assert not found or suspects[0].why == "the document has 2, 2, 0, 5, 3, 5, 7, 4, and this nowhere"


def test_a_number_of_a_list_or_table_is_none() -> None:
    reading = Reading(_document("So 7.918 it is.", "0 2\n4 1.9", "**3.**"))
    assert [is_candidate(one, place) for place in reading.places for one in place.stated] == [
        True, False, False, False, False,
    ]  # fmt: skip


def test_one_is_not_meant() -> None:
    assert _signs("Two of them.", chunks=[chunk(0, "f()", output="1")])["small like"] == 0.0
    assert _signs("Two of them.", chunks=[chunk(0, "f()", output="3")])["small like"] == 1.0


def test_a_number_that_the_text_has_too_is_none_that_is_meant() -> None:
    assert _signs("It is 5.050, not 5.005.")["like"] == 0.0
    assert _signs("It is 5.050, not 5.105.")["like"] == 1.0
