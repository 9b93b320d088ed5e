"""Text that a report shows."""

from collections.abc import Callable

import pytest

from harness.model import Basis, Cell, ErrorStats, Mode, Precision, Verdict
from harness.report import text

MakeCell = Callable[..., Cell]


def test_no_number_says_how_far_beyond_a_limit_of_zero_an_error_is() -> None:
    assert text.share(0.0625) == "0.0625 of limit"
    assert text.share(float("inf")) == "beyond the limit"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""),
        (0.0, "0"),
        (1234.5, "1.23e+03"),
        (float("inf"), "∞"),
        (-float("inf"), "-∞"),
        (0.0625, "0.0625"),
    ],
)
def test_numbers(value: float | None, shown: str) -> None:
    assert text.number(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""),
        (0.0, "0 s"),
        (12.0, "12 s"),
        (1.0, "1 s"),
        (0.25, "250 ms"),
        (1e-3, "1 ms"),
        (2.5e-5, "25 µs"),
        (1e-6, "1 µs"),
        (5e-8, "50 ns"),
    ],
)
def test_times(value: float | None, shown: str) -> None:
    assert text.seconds(value) == shown


def test_what_is_too_long_is_cut() -> None:
    assert text.short("x" * 120) == "x" * 120
    assert text.short("x" * 121) == "x" * 119 + "…"
    assert text.short("abcd", 3) == "ab…"
    assert text.short("a\u202eb") == "a\\u202eb"
    assert text.visible("a\tb\nc\x00") == "a\tb\nc\\u0000"


def test_names_in_a_sentence() -> None:
    assert [text.listed(names) for names in ((), ("a",), ("a", "b"), ("a", "b", "c"))] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert text.listed(("a", "b"), last="or") == "a or b"
    assert text.cut("abcdef") == "a, b, c, d, e, f"
    assert text.cut("abcdefg") == "a, b, c, d, e, f and 1 more"
    assert text.cut("abc", 1) == "a and 2 more"


def test_numbers_with_their_noun() -> None:
    assert [text.counted(n, "cell") for n in (0, 1, 2, 1234)] == [
        "0 cells",
        "1 cell",
        "2 cells",
        "1,234 cells",
    ]
    assert text.counted(2, "is", "are") == "2 are"
    assert text.counted(1, "is", "are") == "1 is"


def test_a_limit_and_where_it_comes_from(cell: MakeCell) -> None:
    assert text.limit(cell("Q", "PASS")) == ""
    assert text.limit(cell("Q", "PASS", basis=Basis.DERIVED)) == "derived limit"
    assert text.limit(cell("Q", "PASS", limit=3e-16)) == "limit 3e-16"
    assert text.limit(cell("Q", "PASS", limit=0.0, basis=Basis.STATED)) == "limit 0 (stated)"


def test_figures(cell: MakeCell) -> None:
    assert text.figures(cell("Q", "NOT_RUN")) == ""
    stats = ErrorStats(count=4, max_abs=0.5, max_rel=0.25, max_ulp=3.0, max_abs_index=(0, 3))
    failed = cell("Q", "FAIL", stats=stats, limit=0.125, basis=Basis.STATED, undecided=2, worst_sample="s1")
    assert text.figures(failed) == (
        "max abs 0.5 at [0, 3], max rel 0.25, 3 ULP; limit 0.125 (stated); 4 elements, 2 undecidable;"
        " sample s1"
    )


@pytest.mark.parametrize(
    ("isolated", "basis", "expected"),
    [
        (None, None, ""),
        ("FAIL", None, "on the reference's inputs it is FAIL: the error is made in this stage"),
        ("XFAIL", None, "on the reference's inputs it is XFAIL: the error is made in this stage"),
        ("FAIL", "coarse", "on the reference's inputs it is FAIL: it differs there too"),
        (
            "PASS",
            None,
            "on the reference's inputs it is PASS: it is off only with its own implementation's inputs",
        ),
        (
            "NOT_RUN",
            None,
            "on the reference's inputs it is NOT_RUN: whether the stage is off by itself was not observed",
        ),
    ],
)
def test_what_was_observed_on_the_reference_s_inputs(
    cell: MakeCell, isolated: str | None, basis: str | None, expected: str
) -> None:
    verdict = None if isolated is None else Verdict(isolated)
    failed = cell("Q", "FAIL", basis=None if basis is None else Basis(basis))
    assert text.on_the_reference_s_inputs(failed, verdict) == expected
    apart = cell("Q", "FAIL", mode=Mode.ISOLATED)
    assert text.on_the_reference_s_inputs(apart, verdict) == ""
    assert text.on_the_reference_s_inputs(cell("Q", "XPASS"), verdict) == ""


def test_labels(cell: MakeCell) -> None:
    assert text.case_label("c", Precision.FLOAT64) == "c"
    assert text.case_label("c", Precision.FLOAT32) == "c float32"
    assert text.how(cell("Q", "PASS")) == "chained, float64, reference"
    assert (text.index(None), text.index(()), text.index((1, 2))) == ("", "[]", "[1, 2]")


def test_every_verdict_has_its_sign() -> None:
    assert {str(verdict): sign for verdict, sign in text.SIGNS.items()} == {
        "PASS": "✓",
        "FAIL": "✗",
        "XFAIL": "≈",
        "XPASS": "✗",
        "ERROR": "!",
        "TIMEOUT": "!",
        "UNSUPPORTED": "–",
        "NOT_RUN": "–",
    }


def test_no_distance_is_shown_where_one_side_is_no_number(cell: MakeCell) -> None:
    lost = cell("b", "FAIL", stats=ErrorStats(count=2, nan_mismatch=2))
    assert text.figures(lost).startswith("not a number on one side")
    assert "max abs" not in text.figures(lost)
    both = cell("b", "FAIL", stats=ErrorStats(count=3, inf_mismatch=1, max_abs=0.5))
    assert text.figures(both).startswith("infinite on one side, or of another sign; max abs 0.5")
    assert text.figures(cell("b", "PASS", stats=ErrorStats(count=2))).startswith(
        "max abs 0, max rel 0, 0 ULP"
    )
