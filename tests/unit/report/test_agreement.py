"""What a sentence says of a run that agrees, of what is known, and of what was not judged."""

from collections.abc import Callable

import pytest

from harness.model import Absent, Cell, Check, Footer, Outcome, Record
from harness.report import sentence

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]


def text(run: Record) -> str:
    return sentence.verdict(run).text


def test_who_differs_as_is_known(cell: MakeCell, record: MakeRecord) -> None:
    numpy = cell("Q", "PASS", "numpy", check=Check.ORACLE)
    r = cell("Q", "PASS")
    torch, second = (cell("Q", "XFAIL", name, divergence="quirk") for name in ("torch", "torch.second"))
    within = "in the one case: 1 comparison is within its limit."
    assert (
        text(record(r, torch)) == f"R computes what is expected {within} Torch differs as is known (quirk)."
    )
    assert text(record(r, torch, second)) == (
        f"R computes what is expected {within} Torch and torch.second differ as is known (quirk)."
    )
    assert text(record(numpy, r, torch)) == (
        "Numpy and R compute the same thing in the one case: 2 comparisons are within their limits. Torch"
        " differs as is known (quirk)."
    )
    # One that also passes somewhere agrees but for that.
    assert text(record(cell("K", "PASS", "torch"), torch)) == (
        f"Torch computes what is expected but for 1 known divergence (quirk) {within}"
    )


def test_who_was_compared_in_a_part_of_the_cases_is_said(cell: MakeCell, record: MakeRecord) -> None:
    everywhere = [cell("Q", "PASS", name, case=case) for name in ("r", "torch") for case in ("a", "b", "c")]
    partly = [cell("Q", "PASS", "julia", case=case) for case in ("a", "b")] + [
        cell("Q", "PASS", "c", case="a")
    ]
    assert text(record(*everywhere, *partly)) == (
        "Torch and R compute the same thing in all 3 cases, Julia in 2 of them and C in 1 of them:"
        " 9 comparisons are within their limits."
    )


def test_where_all_that_was_compared_differs_as_is_known(cell: MakeCell, record: MakeRecord) -> None:
    known = cell("Q", "XFAIL", divergence="quirk")
    verdict = sentence.verdict(record(known))
    assert verdict.outcome is Outcome.AGREEMENT
    assert verdict.text == "R differs as is known (quirk) in the one case, and nothing else was compared."
    other = cell("Q", "XFAIL", "torch", divergence="other", case="b")
    verdict = sentence.verdict(record(known, other))
    assert (
        verdict.text
        == "Torch and R differ as is known (other, quirk) in all 2 cases, and nothing else was compared."
    )
    assert verdict.notes[0] == "2 differences are known and explained: other and quirk."


def test_what_is_held_to_print_or_repeated_is_counted_apart(cell: MakeCell, record: MakeRecord) -> None:
    run = record(
        cell("Q", "PASS"),
        cell("Q", "PASS", check=Check.PUBLISHED, against="an article"),
        cell("Q", "PASS", check=Check.REPEAT),
    )
    assert text(run) == (
        "R computes what is expected in the one case: 2 comparisons are within their limits, 1 of them"
        " against printed digits."
    )
    assert sentence.sources(run) == "2 comparisons: 2 live (computed in this run), 0 replayed, 0 not run."


def test_the_articles_own_code(cell: MakeCell, published: MakeCell, record: MakeRecord) -> None:
    ours = [cell("Q", "PASS"), cell("Q", "PASS", "torch")]
    same = "Torch and R compute the same thing in the one case: 3 comparisons are within their limits."
    so = "So does the code of the published articles, where it gets that far: in"
    assert text(record(*ours, published("Q"))) == f"{same} {so} one of them."
    known = published("Q", "XFAIL", case="b", divergence="quirk")
    assert text(record(*ours, published("Q"), known)) == (
        f"{same} {so} 2 of them, but for what is known and explained in 1 (quirk)."
    )
    assert text(record(published("Q"), published("K"))) == (
        "The code of the articles computes what is expected in the one case: 2 comparisons are within their"
        " limits."
    )
    assert sentence.sources(record(ours[0], published("Q"), cell("K", "UNSUPPORTED"))) == (
        "3 comparisons: 2 live (computed in this run, 1 of them by the articles' own code), 0 replayed, 0 not"
        " run, 1 unsupported by their language."
    )


def test_runtimes_that_are_missing(cell: MakeCell, record: MakeRecord) -> None:
    absent = tuple(Absent(runtime=name.lower(), language=name, reason="no such", advice=()) for name in "ABC")
    run = record(
        cell("Q", "PASS"),
        cell("Q", "NOT_RUN", "a", reason="no such"),
        cell("Q", "NOT_RUN", "b", reason="no such"),
        absent=absent,
    )
    assert text(run).endswith("A and B are missing here and were not compared.")
    assert sentence.verdict(run).notes == tuple(f"{name} was not run live: no such." for name in "ABC")
    # What was judged all the same, from a snapshot, is not missing.
    run = record(cell("Q", "PASS"), cell("Q", "PASS", "a"), cell("K", "NOT_RUN", "a"), absent=absent)
    assert "missing" not in text(run)


def test_three_reasons_are_named_and_the_rest_is_counted(cell: MakeCell, record: MakeRecord) -> None:
    cells = [cell(f"s{n}", "NOT_RUN", reason=f"reason {min(n, 4)}.") for n in range(6)]
    assert text(record(cell("Q", "PASS"), *cells[:3])).endswith(
        " 1 cell not judged: reason 0. 1 cell not judged: reason 1. 1 cell not judged: reason 2."
    )
    # The largest group comes first.
    assert text(record(cell("Q", "PASS"), *cells)).endswith(
        " 2 cells not judged: reason 4. 1 cell not judged: reason 0. 1 cell not judged: reason 1. 2 more"
        " cells not judged."
    )


def test_the_reference_once_more_and_a_precision_that_is_wanting(cell: MakeCell, record: MakeRecord) -> None:
    run = record(
        cell("Q", "PASS"),
        *(cell(stage, "UNSUPPORTED", precision="float32") for stage in "QK"),
        copies={"four_word": ("torch", "julia"), "b": ("torch",)},
    )
    assert text(run).endswith(
        " R has no float32: left out of 2 cells. torch is the reference's own file in four_word, b: that they"
        " agree says nothing. julia is the reference's own file in four_word: that they agree says nothing."
    )


def test_what_is_left_out_is_the_languages_or_its_files(cell: MakeCell, record: MakeRecord) -> None:
    lacks = "is in float64, and has no float32"
    run = record(
        cell("Q", "PASS", "numpy", check=Check.ORACLE),
        cell("Q", "UNSUPPORTED", "r", precision="float32", reason="r has no float32"),
        cell("Q", "UNSUPPORTED", "onnx", precision="float32", reason=f"q.onnx {lacks}"),
        cell("K", "UNSUPPORTED", "onnx", precision="float32", reason=f"k.onnx {lacks}"),
        cell("Q", "UNSUPPORTED", "jax", reason="jax.jit cannot trace Q"),
    )
    said = text(run)
    assert "R has no float32: left out of 1 cell." in said
    assert "Onnx: not all files have float32: left out of 2 cells." in said
    assert "Jax: jax.jit cannot trace Q: left out of 1 cell." in said


def test_a_run_that_did_not_end(cell: MakeCell, record: MakeRecord) -> None:
    begin = "This run did not end ({}): what follows is only a part."
    footer = Footer(partial=True, reason="interrupted")
    assert text(record(cell("Q", "PASS"), footer=footer)) == begin.format("interrupted")
    assert text(record(cell("Q", "FAIL"), cell("K", "ERROR"), footer=footer)) == (
        f"{begin.format('interrupted')} 2 comparisons had failed by then."
    )
    footer = Footer(partial=True)
    assert text(record(cell("Q", "PASS"), footer=footer)) == begin.format("no reason is given")


@pytest.mark.parametrize(
    ("n", "more"), [(1, ""), (2, " There is 1 more below."), (3, " There are 2 more below.")]
)
def test_the_first_of_several_reasons(cell: MakeCell, record: MakeRecord, n: int, more: str) -> None:
    footer = Footer(partial=False, complaints=tuple(f"complaint {place}." for place in range(n)))
    assert text(record(cell("Q", "PASS"), footer=footer)) == (
        f"What was compared agrees, but: complaint 0.{more}"
    )


def test_a_reason_is_cut_at_400_characters(cell: MakeCell, record: MakeRecord) -> None:
    for reason, shortened in (("x" * 400, "x" * 400), ("x" * 401, "x" * 399 + "…")):
        footer = Footer(partial=False, complaints=(reason,))
        verdict = sentence.verdict(record(cell("Q", "PASS"), footer=footer))
        assert verdict.text == f"What was compared agrees, but: {shortened}."
        assert verdict.notes[0] == shortened
