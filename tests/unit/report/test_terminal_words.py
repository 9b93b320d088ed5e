"""What the parts of the terminal's report have in common."""

from collections.abc import Callable

import pytest
from rich.table import Table

from harness.model import Basis, Cell
from harness.report import terminal_words

MakeCell = Callable[..., Cell]


@pytest.mark.parametrize(
    ("verdict", "basis", "shown", "style"),
    [
        ("PASS", None, "PASS", "green"),
        ("PASS", Basis.DERIVED, "PASS", "green"),
        ("PASS", Basis.COARSE, "PASS coarse", "green"),
        ("FAIL", Basis.COARSE, "FAIL coarse", "bold red"),
        ("XFAIL", Basis.STATED, "XFAIL", "yellow"),
        ("XPASS", None, "XPASS", "bold red"),
        ("ERROR", None, "ERROR", "bold magenta"),
        ("TIMEOUT", None, "TIMEOUT", "bold magenta"),
        ("UNSUPPORTED", None, "UNSUPPORTED", "dim"),
        ("NOT_RUN", Basis.COARSE, "NOT_RUN", "dim"),
    ],
)
def test_a_verdict_says_that_its_limit_is_coarse(
    cell: MakeCell, verdict: str, basis: Basis | None, shown: str, style: str
) -> None:
    text = terminal_words.verdict(cell("Q", verdict, basis=basis))
    assert (text.plain, text.style) == (shown, style)


def test_modes_precision_and_check(cell: MakeCell) -> None:
    assert terminal_words.how(cell("Q", "PASS"), "chained") == "chained, float64"
    by_oracle = cell("Q", "PASS", check="oracle", precision="float32")
    assert terminal_words.how(by_oracle, "chained + isolated") == "chained + isolated, float32, oracle"


def test_a_text_is_no_markup_and_no_longer_than_a_screen() -> None:
    table = Table("a", "b")
    text = terminal_words.plain("[bold]x[/bold]\u202e")
    terminal_words.add_row(table, "[bold]x[/bold]\u202e", text)
    first, second = (list(column.cells) for column in table.columns)
    assert first[0].plain == second[0].plain == "[bold]x[/bold]\\u202e"
    assert second[0] is text
    assert terminal_words.plain("x" * 2000).plain == "x" * 2000
    assert terminal_words.plain("x" * 2001).plain == "x" * 1999 + "…"


@pytest.mark.parametrize(
    ("value", "shown"), [(None, ""), (0.0, "0"), (1234.5, "1.23e+03"), (float("inf"), "inf")]
)
def test_numbers_of_three_digits(value: float | None, shown: str) -> None:
    assert terminal_words.number(value) == shown
